"""Who is behind each pseudonym, as the league's own vault has it."""
