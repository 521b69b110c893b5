"""The verbs that look at a tournament: standings, brackets, explanations, what-if."""

from __future__ import annotations

from cli.verbs.verb import reads

VERBS = {
    "standings": reads(
        "views",
        "show_standings",
        "Show the Swiss standings, also after a cut; with --final who won.",
    ),
    "bracket": reads(
        "views", "show_bracket", "Show the elimination by game numbers, and who came how far."
    ),
    "log": reads("views", "show_log", "Show the log: who did what, and when."),
    "explain": reads("explaining", "explain", "Take a number apart down to its events."),
    "explain pairing": reads("explaining", "explain_pairing", "Say why two met."),
    "explain bye": reads("explaining", "explain_bye", "Say why somebody had the bye."),
    "diff": reads(
        "explaining", "diff", "Show what moved between two moments, and which events did it."
    ),
    "whatif": reads("whatif", "whatif", "Try another outcome, and see what it would change."),
    "audit": reads("audit", "audit", "Report what departs from draw, clock and rules."),
}
