"""What is computed from a log at any time: standings, what explains them, audits, the season."""
