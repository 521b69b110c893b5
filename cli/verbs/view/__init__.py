"""The verbs that look at a tournament: standings, brackets, explanations, what-if."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "standings": Verb(
        "views",
        "show_standings",
        "Show the Swiss standings, also after a cut; with --final who won.",
        writes=False,
    ),
    "bracket": Verb(
        "views",
        "show_bracket",
        "Show the elimination by game numbers, and who came how far.",
        writes=False,
    ),
    "log": Verb("views", "show_log", "Show the log: who did what, and when.", writes=False),
    "explain": Verb(
        "explaining",
        "explain",
        "Take a number apart down to its events; or say why two met.",
        writes=False,
    ),
    "diff": Verb(
        "explaining",
        "diff",
        "Show what moved between two moments, and which events did it.",
        writes=False,
    ),
    "whatif": Verb(
        "whatif", "whatif", "Try another outcome, and see what it would change.", writes=False
    ),
    "audit": Verb(
        "audit", "audit", "Report what departs from draw, clock and rules.", writes=False
    ),
}
