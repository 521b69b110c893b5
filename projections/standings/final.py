"""The whole event: one table of everybody, and the finishing order.

The table is the last Swiss stage's, and below it who did not go on to it. Where points are carried
from stage to stage, a player who was cut keeps the points and tiebreakers that they had: rounds
played without them change nothing (FFG-CUT).

The finishing order reads the stages from the last to the first: an elimination by its bracket,
Swiss rounds by their standings; each player stands where their last stage put them (FFG-WINNER).
Reading of FFG-AUTH-DQ as in the standings: a disqualified player is listed below everyone else.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ledger.tournament.state import Stage, Tournament
from projections.standings.bracket import Bracket, bracket
from projections.standings.table import Standings, ranking, standings


class FinalPlace(Struct, frozen=True):
    """A player's final place; rank is 0 while their bracket has not decided it."""

    rank: int
    player: int
    stage: int
    """The last stage that they played in."""


def finishing_order(tournament: Tournament) -> list[FinalPlace]:
    """List everybody, the winner first; the places are final once the tournament is."""
    places: dict[int, tuple[int, bool]] = {}
    for stage in reversed(tournament.stages):
        if stage.number == 1 or stage.rounds or stage.cut_seq:
            for player, is_decided in _stage_order(tournament, stage):
                places.setdefault(player, (stage.number, is_decided))
    removed = [player for player in places if tournament.players[player].status == "disqualified"]
    order = [player for player in places if player not in set(removed)] + removed
    return [
        FinalPlace(rank if places[player][1] else 0, player, places[player][0])
        for rank, player in enumerate(order, start=1)
    ]


def _stage_order(tournament: Tournament, stage: Stage) -> list[tuple[int, bool]]:
    if stage.is_swiss:
        return [(player, True) for player in ranking(tournament, stage.number)]
    shown = bracket(tournament, stage.number).ranking
    return [(place.seat.player, place.rank > 0) for place in shown]


def winner(tournament: Tournament) -> int:
    """Who won: first of the last Swiss rounds, or the last one left (FFG-WINNER); 0: nobody."""
    order = finishing_order(tournament)
    if not order:
        return 0
    shown = last_bracket(tournament)
    return order[0].player if shown is None else shown.winner


def last_bracket(tournament: Tournament) -> Bracket | None:
    """The bracket that the tournament came to; none where Swiss rounds are its last stage."""
    begun = [stage for stage in tournament.stages if stage.rounds or stage.cut_seq]
    last = (begun or tournament.stages)[-1:]
    return bracket(tournament, last[0].number) if last and not last[0].is_swiss else None


def everyone(tournament: Tournament) -> Standings:
    """List the last Swiss stage that has begun, then those cut before it as they stood then.

    A stage that carries no points has a table of its own, and only that is listed.
    """
    tables = tables_of_everyone(tournament)
    return replace(tables[0], rows=[row for table in tables for row in table.rows])


def tables_of_everyone(tournament: Tournament) -> list[Standings]:
    """List the same rows stage by stage, the last one first."""
    table = standings(tournament)
    tables = [table]
    listed = {row.player for row in table.rows}
    for stage in reversed(tournament.stages[: table.stage]):
        if not stage.is_swiss:
            continue
        if stage.number < table.stage:
            earlier = standings(tournament, stage.number)
            below = [row for row in earlier.rows if row.player not in listed]
            ranked = [replace(row, rank=rank) for rank, row in enumerate(below, len(listed) + 1)]
            tables.append(replace(earlier, rows=ranked))
            listed |= {row.player for row in below}
        if not stage.plan.carries:
            break
    return tables
