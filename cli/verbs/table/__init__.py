"""Verbs of the table: set-ups, components, disputes, rulings, penalties, calls for a judge."""
