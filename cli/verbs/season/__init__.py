"""The verbs of the season: its file, its questions and its ratings."""
