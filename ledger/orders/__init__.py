"""What officials order around the tables: commands like those of `ledger.commands`, by theme."""
