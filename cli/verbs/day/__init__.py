"""Verbs of the day: the opening, players, rounds, results, the cut, the end; and the door."""
