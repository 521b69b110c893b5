"""What the facts add up to: the state of a tournament, and what can be read from it."""
