"""Who came, who they are to the league, and who left."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from msgspec import Struct

from ledger.events import Event
from ledger.events.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    RegistrationWithdrawn,
)
from ledger.events.undo import ActWithdrawn
from ledger.tournament.withdrawals import meaning
from projections.season.deriving.folded_log import FoldedLog, Row

_UNDONE = (PlayerDropped, PlayerDisqualified, PlayerRegistered)


class Departure(Struct):
    """A departure, with the event of it and those by which it was taken back or ended."""

    seq: int
    player: int
    kind: str
    reason: str | None = None
    clause: str | None = None
    withdrawn_seq: int | None = None
    rejoined_seq: int | None = None


def entrants(log: FoldedLog) -> Iterator[Row]:
    """Yield every player, with where they stood at the log's end; places once play is closed."""
    places = {each.player: each for each in log.places}
    is_decided = log.tournament.finished
    for player in log.tournament.players[1:]:
        place = places.get(player.number)
        yield (
            *(player.number, player.league_id, player.faction, player.attributes),
            *(player.random_rank, player.seq, log.moments[player.seq], player.late),
            *(player.status, player.byes, place.stage if place else None),
            (place.rank or None) if place and is_decided else None,
        )


def people(log: FoldedLog) -> Iterator[Row]:
    """Yield who each entrant is by the log alone: the league's acts are looked up later."""
    opening = log.tournament.opening
    assert opening is not None  # noqa: S101 - a checked log begins with it
    for player in log.tournament.players[1:]:
        known = bool(player.league_id)
        person = player.league_id or f"{opening.tournament}/{player.number}"
        yield player.number, person, known


def departures(log: FoldedLog) -> Iterator[Row]:
    """Yield each departure, with what became of it."""
    for each in _departures(log):
        yield (
            *(each.seq, each.player, each.kind, each.reason, each.clause),
            *(log.latest_round(each.seq), log.moments[each.seq], log.authors[each.seq]),
            *(each.withdrawn_seq, each.rejoined_seq),
        )


def _departures(log: FoldedLog) -> list[Departure]:
    left: list[Departure] = []
    last: dict[int, Departure] = {}
    for seq, event in _comings_and_goings(log):
        match event:
            case PlayerDropped(player=player, reason=reason):
                left.append(Departure(seq, player, "drop", reason))
            case PlayerDisqualified(player=player, clause=clause):
                left.append(Departure(seq, player, "disqualification", clause=clause))
            case RegistrationWithdrawn(player=player):
                left.append(Departure(seq, player, "registration"))
            case DropWithdrawn(player=player) | DisqualificationWithdrawn(player=player):
                last[player].withdrawn_seq = last[player].withdrawn_seq or seq
                continue
            case PlayerRejoined(player=player):
                last[player].rejoined_seq = last[player].rejoined_seq or seq
                continue
            case _:
                continue
        last[player] = left[-1]
    return left


def _comings_and_goings(log: FoldedLog) -> list[tuple[int, Event]]:
    gone: list[tuple[int, Event]] = [*log.of(PlayerDropped), *log.of(PlayerDisqualified)]
    undone = (
        (seq, meaning(log.tournament, act))
        for seq, act in log.of(ActWithdrawn)
        if isinstance(log.tournament.withdrawable.get(act.withdraws), _UNDONE)
    )
    return sorted([*gone, *log.of(PlayerRejoined), *undone], key=itemgetter(0))
