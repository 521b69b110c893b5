"""The verbs of the season: its file, its questions and its ratings."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "season": Verb(
        "season", "season", "Take tournaments together: points, standings, people.", writes=False
    ),
    "stats": Verb("stats", "stats", "Ask the season one of the named questions.", writes=False),
    "rating": Verb("rating", "rating", "Rate everybody by the games of the season.", writes=False),
    "query": Verb("query", "query", "Ask the season's tables in SQL, read only.", writes=False),
}
