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
    "ruleset": Verb(
        "rulesets",
        "ruleset",
        "List the rulesets, show one, or check a file of your own.",
        writes=False,
    ),
    "format": Verb(
        "formats", "format_verb", "List the formats, show one, or check a list.", writes=False
    ),
}
