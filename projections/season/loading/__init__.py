"""From files and stores of logs to rows in the season's tables."""
