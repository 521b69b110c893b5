"""Every number taken apart, down to the events that it is made of.

tree.py         the node: an exact value, how it follows from its terms, and the events behind it
numbers.py      points, record, tiebreakers, rank, seed and final place
pairings.py     why two players met, how a round was drawn, and why a player had its bye
differences.py  the differences between two states, and the events that can have caused them
"""

from __future__ import annotations

from ledger.errors import NotFound
from ledger.problems import phrase
from ledger.rulesets.toml_files import nearest
from ledger.tournament.state import Tournament
from projections.explain.numbers import EventTable, place, seed
from projections.explain.tree import Explanation, tree_size

WORD_MAX = 40
OWN = ("rank", "points", "record")


def explain(
    tournament: Tournament, player: int, column: str = "rank", places: EventTable | None = None
) -> Explanation:
    """Take a player's number apart, by its table if that is at hand; NotFound of no such one."""
    wanted = _column(tournament, column)
    if wanted == "seed":
        return seed(tournament, player)
    if wanted == "place":
        return place(tournament, player)
    table = places or EventTable(tournament)
    if wanted == "rank":
        return table.rank(player)
    columns = table.columns(player)
    if wanted == "record":
        return columns.record(player)
    return (columns.total if wanted == "points" else columns.tiebreaker)(wanted, player)


def _column(tournament: Tournament, typed: str) -> str:
    """Find a column by its name, a tiebreaker by its code: as it is written, then in any case."""
    known = (*OWN, *tournament.ruleset.in_force, "seed", "place")
    matching = [each for each in known if each.lower() == typed.lower()]
    if matching:
        return typed if typed in matching else matching[0]
    shown = typed[:WORD_MAX]
    raise NotFound(
        phrase("no column {column}; {known}", column=repr(shown), known=nearest(shown, known))
    )


__all__ = ["Explanation", "explain", "tree_size"]
