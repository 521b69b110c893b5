"""Lists as part of the tournament: what was handed in, what is hidden of it, and by what rules."""
