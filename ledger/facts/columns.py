"""Writing into a round's columns, by the player's number, and onto the floor's lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ledger.facts.base import Event
from ledger.tournament.state import Round, Tournament

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


def clear(round_: Round, size: int) -> None:
    """Make every column empty, with places up to the player of that number."""
    round_.against = [0] * (size + 1)
    round_.points = [0] * (size + 1)
    round_.seqs = [0] * (size + 1)
    round_.records = [" "] * (size + 1)
    round_.fields = {}


def write(  # noqa: PLR0913 - one argument per column
    round_: Round,
    player: int,
    seq: int,
    points: int,
    record: str,
    *,
    against: int = 0,
    fields: Mapping[str, int] | None = None,
) -> None:
    """Enter a player's result of the round; a late entrant's place is made first."""
    missing = player + 1 - len(round_.seqs)
    if missing > 0:
        for column in (round_.against, round_.points, round_.seqs):
            column.extend([0] * missing)
        round_.records.extend(" " * missing)
    round_.against[player] = against
    round_.points[player] = points
    round_.seqs[player] = seq
    round_.records[player] = record
    if fields:
        for label, value in fields.items():
            write_field(round_, label, player, value)


def write_field(round_: Round, label: str, player: int, value: int) -> None:
    """Enter what else the table reported of a player."""
    column = round_.fields.setdefault(label, [])
    if len(column) <= player:
        column.extend([0] * (len(round_.seqs) - len(column)))
    column[player] = value


def erase(round_: Round, player: int) -> None:
    """Take a player's result of the round out of every column."""
    write(round_, player, 0, 0, " ")
    for column in round_.fields.values():
        if player < len(column):
            column[player] = 0


Function: TypeAlias = "Callable[[Tournament, Any, Recorded], None]"


def listed(field: str) -> tuple[Function, Function]:
    """Return what puts an event on this list of the floor's records, and what takes it off."""

    def add(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).append(recorded)

    def remove(tournament: Tournament, _: Event, recorded: Recorded) -> None:
        getattr(tournament.floor, field).remove(recorded)

    return add, remove
