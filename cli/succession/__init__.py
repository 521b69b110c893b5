"""Succession: a second desk follows the first one, and takes over when the first one is lost."""
