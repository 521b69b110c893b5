"""The verbs of the day: opening, players, rounds, results, the cut and the end."""
