"""The clause that an official cites with `--clause`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.languages.speaking import marked
from ledger.errors import Refused

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

CITED_MAX = 64
"""Maximum characters of a cited clause in a log."""


def cited_clause(tournament: Tournament, typed: str) -> str:
    """Return the ID of a clause of the tournament's game, from its ID or its name.

    Raises:
        Refused: the tournament's game and format have no such clause, or the text is too long.
    """
    from ledger.problems import problem
    from ledger.rulesets.clauses import cited_by

    if not typed.strip() or tournament.opening is None:
        return ""
    cited = cited_by(typed, tournament.opening, tournament.ruleset)
    if not isinstance(cited, str):
        raise Refused(cited)
    if len(cited) > CITED_MAX:
        text = marked("a clause can have at most {most} characters, not {length}")
        raise Refused(problem("clause.too_long", text, most=CITED_MAX, length=len(cited)))
    return cited
