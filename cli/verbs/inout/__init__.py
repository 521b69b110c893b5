"""The verbs for files in and out: logs, backups, rulesets and formats."""
