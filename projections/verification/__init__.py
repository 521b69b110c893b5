"""A log checked: what is derived once more, and the table that says what was checked."""
