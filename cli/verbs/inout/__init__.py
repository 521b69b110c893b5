"""The verbs for files in and out: logs, backups, rulesets and formats."""

from __future__ import annotations

from cli.verbs.verb import Verb, reads

VERBS = {
    "import": Verb("importing", "import_log", "Take a file into the store, and in hand."),
    "export": reads(
        "exporting",
        "export_log",
        "Write the lines of the log, unchanged, and the keys of the names.",
    ),
    "replay": reads(
        "replaying", "replay_log", "Check a log without a store: standings, bracket, signature."
    ),
    "backup": reads("backups", "backup", "Write the tournaments and their secrets to one file."),
    "restore": Verb("backups", "restore", "Take the tournaments of a backup into the store."),
    "ruleset": reads("rulesets", "list_rulesets", "List the rulesets."),
    "ruleset list": reads("rulesets", "list_rulesets", "List the rulesets."),
    "ruleset show": reads(
        "rulesets", "show_ruleset", "Show a ruleset in words, with the clause of each line."
    ),
    "ruleset check": reads("rulesets", "check_ruleset", "Check a ruleset of your own."),
    "format": reads("formats", "list_formats", "List the formats."),
    "format list": reads("formats", "list_formats", "List the formats."),
    "format show": reads("formats", "show_format", "Show what a format asks of a list."),
    "format check": reads("formats", "check_list", "Check a player's list."),
}
