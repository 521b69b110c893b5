"""Lists and battle cards: what was handed in, what is hidden of it, and by what rules."""
