"""legion@1: victory tokens, then the score, then the blue player (SWL-OUTCOME)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.procedures.table import FIRST, SECOND, Derived, ahead, other

if TYPE_CHECKING:
    from ledger.procedures.table import Table


def legion(table: Table) -> Derived:
    """Decide by defeat, by tokens, by score and by colour, as far as the ending asks.

    Raises:
        Refused: what is missing or contradictory.
    """
    ending = table.ending
    if ending.marks:
        needless = {"defeated", "conceded"} - {ending.marks}
        table.refuse_needless(sorted(needless), f"the game ended by {ending.name}")
        loser = table.marked(ending.marks)
        assert loser is not None  # noqa: S101 - the ending needs the mark
        if ending.marks == "defeated":
            _check_score(table, other(loser))
            _check_survivor(table, loser, "mutual destruction")
        return Derived(table.letter(other(loser)))
    table.refuse_needless(["defeated", "conceded"], f"the game ended by {ending.name}")
    if ending.name == "mutual destruction":
        _check_score(table, FIRST)
        _check_score(table, SECOND)
        return Derived(table.letter(_first_ahead(table, ("tokens", "blue"))))
    for side in (FIRST, SECOND):
        _check_survivor(table, side, "defeated")
    return Derived(table.letter(_first_ahead(table, ("tokens", "score", "blue"))))


def _first_ahead(table: Table, names: tuple[str, ...]) -> int:
    equal = ""
    for name in names:
        if not table.has(name):
            typed = f"type `--fact {name}=A:B`"
            raise Refused(f"{equal}{name} decides, and is missing: {typed} (SWL-OUTCOME)")
        winner = ahead(table.fact(name))
        if winner is not None:
            return winner
        equal = f"{name} is equal, {table.fact(name)[0]} each: "
    raise Refused("nobody is ahead (SWL-OUTCOME)")


def _check_score(table: Table, winner: int) -> None:
    """All units defeated count the whole army (SWL-GAMESCORE)."""
    whole = table.number("defeated")
    if table.has("score") and table.fact("score")[winner] != whole:
        raise Refused(
            f"all units defeated count {whole}, not {table.fact('score')[winner]} (SWL-GAMESCORE)"
        )


def _check_survivor(table: Table, side: int, ending: str) -> None:
    """Who has the points of a whole army has left the enemy no unit: another ending."""
    whole = table.number("defeated")
    if table.fact("score")[side] == whole:
        raise Refused(f"{whole} are all units defeated: the game ended by {ending} (SWL-OUTCOME)")
