"""The verbs of the table: set-ups, components, disputes, rulings, penalties."""
