"""Writing into a round's columns: one place of each, found by the player's number."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.tournament.state import Round


def clear(played: Round, size: int) -> None:
    """Make every column empty, with places up to player `size`."""
    played.against = [0] * (size + 1)
    played.points = [0] * (size + 1)
    played.seqs = [0] * (size + 1)
    played.records = [" "] * (size + 1)
    played.fields = {}


def write(  # noqa: PLR0913 - one argument per column
    played: Round,
    player: int,
    seq: int,
    points: int,
    record: str,
    *,
    against: int = 0,
    fields: Mapping[str, int] | None = None,
) -> None:
    """Enter a player's result of the round; a late entrant's place is made first."""
    missing = player + 1 - len(played.seqs)
    if missing > 0:
        for column in (played.against, played.points, played.seqs):
            column.extend([0] * missing)
        played.records.extend(" " * missing)
    played.against[player] = against
    played.points[player] = points
    played.seqs[player] = seq
    played.records[player] = record
    if fields:
        for label, value in fields.items():
            write_field(played, label, player, value)


def write_field(played: Round, label: str, player: int, value: int) -> None:
    """Enter what else the table reported of a player."""
    column = played.fields.setdefault(label, [])
    if len(column) <= player:
        column.extend([0] * (len(played.seqs) - len(column)))
    column[player] = value


def erase(played: Round, player: int) -> None:
    """Take a player's result of the round out of every column."""
    write(played, player, 0, 0, " ")
    for column in played.fields.values():
        if player < len(column):
            column[player] = 0
