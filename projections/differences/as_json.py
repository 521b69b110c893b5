"""Differences for scripts: each change with its value on both sides, null where it is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ledger.rulesets import Tiebreaker
from projections.differences.causes import Cause, Reasons
from projections.differences.compare import Differences, TableState
from projections.standings.bracket import BracketGame
from projections.standings.table import StandingsRow, worth_as_json


def as_json(
    found: Differences, names: Mapping[str, str], tiebreakers: Sequence[Tiebreaker]
) -> dict[str, object]:
    """Make all that differs for scripts; the names are by "p7"."""

    def named(player: int) -> dict[str, object]:
        return {"player": player, "name": names.get(f"p{player}", f"player {player}")}

    return {
        "seqs": found.seqs,
        "stages": found.stages,
        "rounds": found.rounds,
        "rows": [
            named(row.player) | _sides(row, lambda side: _row(side, tiebreakers))
            for row in found.rows
        ],
        "people": msgspec.to_builtins(found.people),
        "matches": [
            {"round": each.round, "table": each.table, **_sides(each, _table)}
            for each in found.matches
        ],
        "games": [
            {"round": each.round, "game": each.table, **_sides(each, _game)} for each in found.games
        ],
        "cuts": msgspec.to_builtins(found.cuts),
        "places": [named(each.player) | _sides(each, int) for each in found.places],
    }


def with_reasons(
    shown: dict[str, object], found: Sequence[Cause], of: Mapping[int, Reasons]
) -> dict[str, object]:
    """Add the events: those that can move a number, and to each row those that moved it."""
    rows: Any = shown["rows"]
    for row in rows:
        row["events"] = of[row["player"]].direct
        row["through"] = of[row["player"]].through
    return shown | {
        "events": [
            {name: getattr(each.recorded, name) for name in ("seq", "at", "by", "type")}
            | {"players": each.players}
            for each in found
        ]
    }


def _sides(change: Any, shown: Callable[[Any], object]) -> dict[str, object]:  # noqa: ANN401 - any change
    sides = {"before": change.before, "after": change.after}
    return {name: None if side is None else shown(side) for name, side in sides.items()}


def _row(row: StandingsRow, tiebreakers: Sequence[Tiebreaker]) -> dict[str, object]:
    return {"rank": row.rank, **worth_as_json(row, tiebreakers)}


def _table(table: TableState) -> dict[str, object]:
    result = msgspec.to_builtins(table.result)
    return {"players": [table.first, table.second], "result": result}


def _game(game: BracketGame) -> dict[str, object]:
    players = [seat.player if seat else None for seat in game.seats]
    return {"players": players, "winner": game.winner or None}
