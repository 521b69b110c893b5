"""A log opened with its store: read up to a moment, written to, and its secrets."""
