"""What differs between two states of a tournament, and which events can move a number."""
