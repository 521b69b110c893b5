"""Which events can move a number, whom they touch, and how far that reaches.

An event touches the players whose own points, byes, record or standing it changes. A tiebreaker
over opponents carries that on to those who met them, one over opponents' opponents a step further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from ledger.events import Event, disputes, draws, elimination, people, results, rounds
from ledger.lines.recorded import Recorded
from ledger.rulesets import Tiebreaker
from ledger.tournament.state import Match, Tournament
from ledger.tournament.withdrawals import with_meaning


class Cause(Struct, frozen=True):
    """An event that can move a number, and the players that it touches."""

    recorded: Recorded
    players: tuple[int, ...]


class Reasons(Struct, frozen=True):
    """The events behind a player's change, by seq: their own, and those through opponents."""

    direct: tuple[int, ...]
    through: tuple[int, ...]


def causes(events: Iterable[Recorded], tournament: Tournament) -> tuple[Cause, ...]:
    """List those of the events that can move a number, in their order.

    `tournament` is one in which all of them have happened: it knows their matches. A confirmation
    moves something only where results wait for it.
    """
    found = (
        (each, TOUCHES.get(type(each.event)))
        for each in (with_meaning(tournament, each) for each in events)
        if tournament.ruleset.confirmation != "none"
        or not isinstance(each.event, disputes.ResultConfirmed)
    )
    return tuple(Cause(each, touches(each.event, tournament)) for each, touches in found if touches)


def reach_of(tiebreakers: Sequence[Tiebreaker]) -> int | None:
    """How many steps from opponent to opponent the furthest tiebreaker looks; None: everywhere.

    Direct encounter looks at all who are level, and an opponent who is made up at who was to come.
    """
    if not all(one.is_plain for one in tiebreakers):
        return None
    steps: dict[str, int] = {}
    for one in tiebreakers:
        steps[one.code] = steps.get(one.source, 0) + (one.over == "opponents")
    return max(steps.values(), default=0)


def opponents(*tournaments: Tournament) -> dict[int, set[int]]:
    """Whom everybody has met in any of the tournaments' rounds."""
    met: dict[int, set[int]] = {}
    for tournament in tournaments:
        for round_ in tournament.rounds:
            for player, other in enumerate(round_.against):
                if other:
                    met.setdefault(player, set()).add(other)
    return met


def reasons(
    player: int, found: Sequence[Cause], met: Mapping[int, set[int]], reach: int | None
) -> Reasons:
    """Tell which events moved a player's row, where it was moved by events that touch players."""
    circle = {player}
    for _ in range(reach or 0):
        circle |= {other for each in circle for other in met.get(each, ())}
    everywhere = reach is None
    direct = tuple(cause.recorded.seq for cause in found if player in cause.players)
    through = tuple(
        cause.recorded.seq
        for cause in found
        if player not in cause.players and (everywhere or not circle.isdisjoint(cause.players))
    )
    return Reasons(direct, through)


def _at_the_table(event: Any, tournament: Tournament) -> tuple[int, ...]:  # noqa: ANN401 - any of those with a match
    match: Match = tournament.matches[event.match]
    return match.players


def _the_player(event: Any, _: Tournament) -> tuple[int, ...]:  # noqa: ANN401 - any of those with a player
    return (event.player,)


def _byes_lost(event: rounds.RoundUnpaired, tournament: Tournament) -> tuple[int, ...]:
    return tuple(
        player
        for match in tournament.matches
        if match.void and match.is_bye and match.round == event.round
        for player in match.players
    )


TOUCHES: Mapping[type[Event], Callable[[Any, Tournament], tuple[int, ...]]] = {
    results.ResultReported: _at_the_table,
    results.ResultCorrected: _at_the_table,
    results.ResultWithdrawn: _at_the_table,
    rounds.RoundPaired: lambda event, _: tuple(
        max(game) for game in event.games if 0 in game and max(game)
    ),
    rounds.RoundUnpaired: _byes_lost,
    rounds.SeatsSwapped: lambda event, _: event.players,
    rounds.TablesRepaired: lambda event, _: tuple(filter(None, chain(*event.games))),
    rounds.PlayersSeated: lambda event, _: tuple(filter(None, event.game)),
    rounds.SeatingWithdrawn: lambda event, _: tuple(filter(None, event.game)),
    disputes.ResultConfirmed: _at_the_table,
    people.PlayerRegistered: _the_player,
    draws.RanksDrawn: lambda event, _: tuple(range(event.first, event.first + len(event.ranks))),
    people.RegistrationWithdrawn: _the_player,
    people.PlayerDropped: _the_player,
    people.DropWithdrawn: _the_player,
    people.PlayerRejoined: _the_player,
    people.PlayerDisqualified: _the_player,
    people.DisqualificationWithdrawn: _the_player,
    elimination.CutMade: lambda event, _: event.seeds,
    elimination.CutWithdrawn: lambda event, tournament: tuple(
        tournament.stages[event.stage - 1].seeds
    ),
    elimination.QualifierReplaced: lambda event, _: (event.entrant, event.leaver),
    elimination.PlaceForfeited: lambda event, _: (event.leaver,),
}
"""The players that each event touches; an event that is not here moves no number."""
