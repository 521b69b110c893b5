"""What missing, damaged and shared components and prizes do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.components import (
    ComponentDamaged,
    ComponentDecided,
    ComponentFound,
    ComponentMissing,
    ComponentsShared,
    PrizeAwarded,
    PrizeOffered,
    ProxyMade,
)
from ledger.lines.recorded import Recorded
from ledger.tournament.progress import latest_round
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Missing


def _lose(
    tournament: Tournament,
    event: ComponentMissing | ComponentDamaged | ComponentDecided,
    clause: str,
    *,
    seq: int,
    conceded: bool = False,
) -> None:
    played = latest_round(tournament)
    number = played.number if played else 0
    tournament.floor.missing[event.player] = Missing(number, event.component, clause, seq, conceded)


def _missing(tournament: Tournament, event: ComponentMissing, recorded: Recorded) -> None:
    rules = tournament.ruleset.floor.components
    conceded = event.during and rules.during == "concede"
    _lose(tournament, event, rules.clause, seq=recorded.seq, conceded=conceded)
    tournament.floor.components.append(recorded)


def _found(tournament: Tournament, event: ComponentFound, recorded: Recorded) -> None:
    del tournament.floor.missing[event.player]
    tournament.floor.components.append(recorded)


def _damaged(tournament: Tournament, event: ComponentDamaged, recorded: Recorded) -> None:
    tournament.floor.components.append(recorded)
    if event.kind == "card":
        tournament.floor.damaged_cards.setdefault(event.player, []).append(event.component)
    elif not event.replaced and (event.kind == "other" or event.impedes):
        _lose(tournament, event, "FFG-DAMAGED", seq=recorded.seq)


def _decided(tournament: Tournament, event: ComponentDecided, recorded: Recorded) -> None:
    tournament.floor.components.append(recorded)
    if event.necessary:
        _lose(tournament, event, "FFG-INELIGIBLE", seq=recorded.seq)


def _noted(tournament: Tournament, _event: Event, recorded: Recorded) -> None:
    tournament.floor.components.append(recorded)


def _prize(tournament: Tournament, _event: Event, recorded: Recorded) -> None:
    tournament.floor.prizes.append(recorded)


def _unprized(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.prizes.remove(recorded)


def _unlost(
    tournament: Tournament,
    event: ComponentMissing | ComponentDamaged | ComponentDecided,
    recorded: Recorded,
) -> None:
    floor = tournament.floor
    floor.components.remove(recorded)
    lost = floor.missing.get(event.player)
    if lost is not None and lost.seq == recorded.seq:
        del floor.missing[event.player]
    if isinstance(event, ComponentDamaged) and event.kind == "card":
        _undamaged(floor.damaged_cards, event)


def _undamaged(cards: dict[int, list[str]], event: ComponentDamaged) -> None:
    cards[event.player].remove(event.component)
    if not cards[event.player]:
        del cards[event.player]


def _unrecorded(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.components.remove(recorded)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ComponentMissing: _missing,
    ComponentFound: _found,
    ComponentDamaged: _damaged,
    ProxyMade: _noted,
    ComponentDecided: _decided,
    ComponentsShared: _noted,
    PrizeOffered: _prize,
    PrizeAwarded: _prize,
}

UNDO: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ComponentMissing: _unlost,
    ComponentDamaged: _unlost,
    ComponentDecided: _unlost,
    ProxyMade: _unrecorded,
    ComponentsShared: _unrecorded,
    PrizeOffered: _unprized,
    PrizeAwarded: _unprized,
}
