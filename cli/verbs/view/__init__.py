"""The verbs that look at a tournament: standings, brackets, explanations, what-if."""
