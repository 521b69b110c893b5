"""The verbs for files in and out: logs, backups, rulesets and formats."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "import": Verb("exchange", "import_log", "Take a file into the store, and in hand."),
    "export": Verb(
        "exchange",
        "export_log",
        "Write the lines of the log, unchanged, and the keys of the names.",
        writes=False,
    ),
    "replay": Verb(
        "exchange",
        "replay_log",
        "Check a log without a store: standings, bracket, signature.",
        writes=False,
    ),
    "backup": Verb(
        "backups", "backup", "Write the tournaments and their secrets to one file.", writes=False
    ),
    "restore": Verb("backups", "restore", "Take the tournaments of a backup into the store."),
    "ruleset": Verb("rulesets", "list_rulesets", "List the rulesets.", writes=False),
    "ruleset list": Verb("rulesets", "list_rulesets", "List the rulesets.", writes=False),
    "ruleset show": Verb(
        "rulesets",
        "show_ruleset",
        "Show a ruleset in words, with the clause of each line.",
        writes=False,
    ),
    "ruleset check": Verb(
        "rulesets", "check_ruleset", "Check a ruleset of your own.", writes=False
    ),
    "format": Verb("formats", "list_formats", "List the formats.", writes=False),
    "format list": Verb("formats", "list_formats", "List the formats.", writes=False),
    "format show": Verb(
        "formats", "show_format", "Show what a format asks of a list.", writes=False
    ),
    "format check": Verb("formats", "check_list", "Check a player's list.", writes=False),
}
