"""The verbs that look at a tournament: standings, brackets, explanations, what-if."""

from __future__ import annotations

from cli.outside import KEYS, STORE
from cli.verbs.verb import Verb, reads

VERBS = {
    "standings": reads(
        "views",
        "Show the Swiss standings, also after a cut; with --final who won.",
        "show_standings",
    ),
    "bracket": reads(
        "views", "Show the elimination by game numbers, and who came how far.", "show_bracket"
    ),
    "log": reads("views", "Show the log: who did what, and when.", "show_log"),
    "explain": reads("explaining", "Take a number apart down to its events."),
    "explain pairing": reads("explaining", "Say why two met.", "explain_pairing"),
    "explain bye": reads("explaining", "Say why somebody had the bye.", "explain_bye"),
    "diff": reads("explaining", "Show what moved between two moments, and which events did it."),
    "whatif": reads("whatif", "Try another outcome, and see what it would change."),
    "audit": reads("audit", "Report what departs from draw, clock and rules."),
    "audit begin": Verb("slip_audit", "Begin a slip audit: put the head on record.").touching(
        STORE | KEYS
    ),
    "audit draw": Verb("slip_audit", "Draw the slips that are pulled, by a word called out."),
    "audit slip": Verb("slip_audit", "Record what a slip says, as for `report`."),
    "audit slip withdraw": Verb(
        "slip_audit", "Take back what was entered of a slip, to read it again."
    ),
}
