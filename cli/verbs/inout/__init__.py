"""The verbs for files in and out: logs, backups, rulesets and formats."""

from __future__ import annotations

from cli.outside import KEYS, NETWORK, NOTHING, PROCESSES, STORE, TERMINAL
from cli.verbs.verb import Verb, reads

VERBS = {
    "import": Verb("importing", "Take a file into the store, and in hand.", "import_log").touching(
        STORE | KEYS | TERMINAL
    ),
    "export": reads(
        "exporting",
        "Write the lines of the log, unchanged, and the keys of the names.",
        "export_log",
    ).touching(STORE | KEYS),
    "replay": reads(
        "replaying", "Check a log without a store: standings, bracket, signature.", "replay_log"
    ).touching(NOTHING),
    "reproduce": reads(
        "reproducing",
        "Say which published numbers of an event follow from its rounds.",
    ).touching(NOTHING),
    "serve": reads("serving", "Serve the event in hand to browsers, until Ctrl-C.").touching(
        STORE | KEYS | NETWORK | PROCESSES | TERMINAL
    ),
    "rehearse": reads("rehearsing", "Play a made-up event with programs as players.").touching(
        KEYS | NETWORK | PROCESSES | TERMINAL
    ),
    "links": reads(
        "links", "List who has a link, and on which browsers it was opened.", "list_links"
    ),
    "links list": reads(
        "links", "List who has a link, and on which browsers it was opened.", "list_links"
    ),
    "links print": Verb(
        "links",
        "Print everybody's link with its code, for a badge or a slip.",
        "print_links",
    ).touching(STORE | KEYS | NETWORK),
    "links new": Verb("links", "Give somebody another link; the one before ends at once.").touching(
        STORE | KEYS | NETWORK
    ),
    "links revoke": Verb("links", "Revoke a link; what it let in is out, on every browser."),
    "links plain-http": Verb(
        "links", "Choose whether officials may act over plain HTTP.", "choose_plain_http"
    ),
    "publish": reads(
        "publishing", "Write what everybody may see to a folder, for a web host."
    ).touching(STORE | KEYS | TERMINAL),
    "backup": reads("backups", "Write the tournaments and their secrets to one file.").touching(
        STORE | KEYS
    ),
    "restore": Verb("backups", "Take the tournaments of a backup into the store.").touching(
        STORE | KEYS
    ),
    "ruleset": reads("rulesets", "List the rulesets.", "list_rulesets").touching(NOTHING),
    "ruleset list": reads("rulesets", "List the rulesets.", "list_rulesets").touching(NOTHING),
    "ruleset show": reads(
        "rulesets", "Show a ruleset in words, with the clause of each line.", "show_ruleset"
    ).touching(NOTHING),
    "ruleset check": reads("rulesets", "Check a ruleset of your own.", "check_ruleset").touching(
        NOTHING
    ),
    "format": reads("formats", "List the formats.", "list_formats").touching(NOTHING),
    "format list": reads("formats", "List the formats.", "list_formats").touching(NOTHING),
    "format show": reads("formats", "Show what a format asks of a list.", "show_format").touching(
        NOTHING
    ),
    "format check": reads("formats", "Check a player's list.", "check_list").touching(NOTHING),
}
