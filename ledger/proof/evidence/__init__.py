"""What is handed out as proof: signed notes, receipts, tiles, witness requests, forks proven."""
