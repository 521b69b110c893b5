"""Verbs for files in and out, and for the hall."""
