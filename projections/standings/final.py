"""The finishing order of the whole event.

It reads the stages from the last to the first: an elimination by its bracket,
Swiss rounds by their standings; each player stands where their last stage put them (FFG-WINNER).
Reading of FFG-AUTH-DQ as in the standings: a disqualified player is listed below everyone else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from ledger.tournament.state import Stage, Tournament
from projections.standings.bracket import Bracket, bracket
from projections.standings.table import ranking

Ranked: TypeAlias = Callable[[Tournament, int], Iterable[int]]


class FinalPlace(Struct, frozen=True):
    """A player's final place; rank is 0 while their bracket has not decided it."""

    rank: int
    player: int
    stage: int
    """The last stage that they played in."""


def finishing_order(tournament: Tournament, ranked: Ranked = ranking) -> list[FinalPlace]:
    """List everybody, the winner first; the places are final once the tournament is.

    `ranked` lists the players of a Swiss stage, best first: one who has the tables looks there.
    """
    places: dict[int, tuple[int, bool]] = {}
    for stage in reversed(tournament.stages):
        if stage.number == 1 or stage.rounds or stage.cut_seq:
            for player, is_decided in _stage_order(tournament, stage, ranked):
                places.setdefault(player, (stage.number, is_decided))
    removed = [player for player in places if tournament.players[player].status == "disqualified"]
    last = frozenset(removed)
    order = [player for player in places if player not in last] + removed
    return [
        FinalPlace(rank if places[player][1] else 0, player, places[player][0])
        for rank, player in enumerate(order, start=1)
    ]


def _stage_order(tournament: Tournament, stage: Stage, ranked: Ranked) -> list[tuple[int, bool]]:
    if stage.is_swiss:
        return [(player, True) for player in ranked(tournament, stage.number)]
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
