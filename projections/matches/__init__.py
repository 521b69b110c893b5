"""What happened at the tables: disputes, rulings, set-ups, components, clock, a match's story."""
