"""Readings of the record: standings and what explains them, made anew from the log at any time."""
