"""What taking an act of the floor back does to the tournament."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.events.clock import TableExtended, TimeCalled
from ledger.events.components import (
    ComponentDamaged,
    ComponentDecided,
    ComponentMissing,
    ComponentsShared,
    PrizeAwarded,
    PrizeOffered,
    ProxyMade,
)
from ledger.events.office import ConductNoted, DisqualificationRecommended, NoteTaken, PenaltyGiven
from ledger.events.rounds import RoundStarted
from ledger.events.undo import ActWithdrawn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament


def _unstarted(tournament: Tournament, event: RoundStarted, _: Recorded) -> None:
    played = tournament.rounds[event.round - 1]
    played.status, played.minutes, played.started_at = "paired", 0, ""


def _shortened(tournament: Tournament, event: TableExtended, _: Recorded) -> None:
    given = tournament.floor.extensions
    given[event.match] -= event.minutes
    if not given[event.match]:
        del given[event.match]


def _uncalled(tournament: Tournament, event: TimeCalled, _: Recorded) -> None:
    calls = tournament.floor.calls
    calls[event.round].pop()
    if not calls[event.round]:
        del calls[event.round]


def _unnoted(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.conduct.remove(recorded)


def _unpenalized(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.penalties.remove(recorded)


def _note_untaken(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.notes.remove(recorded)


def _unrecommended(tournament: Tournament, event: DisqualificationRecommended, _: Recorded) -> None:
    """The one before it, if there is one, counts again."""
    floor = tournament.floor
    others = [
        each.seq
        for each in floor.acts.values()
        if isinstance(each.event, DisqualificationRecommended) and each.event.player == event.player
    ]
    floor.recommended.pop(event.player, None)
    if others:
        floor.recommended[event.player] = max(others)


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


TAKE_BACK: Mapping[type[Event], Callable[[Tournament, Any, Recorded], None]] = MappingProxyType(
    {
        RoundStarted: _unstarted,
        TableExtended: _shortened,
        TimeCalled: _uncalled,
        ConductNoted: _unnoted,
        PenaltyGiven: _unpenalized,
        NoteTaken: _note_untaken,
        DisqualificationRecommended: _unrecommended,
        PrizeOffered: _unprized,
        PrizeAwarded: _unprized,
        ComponentMissing: _unlost,
        ComponentDamaged: _unlost,
        ComponentDecided: _unlost,
        ProxyMade: _unrecorded,
        ComponentsShared: _unrecorded,
    }
)
"""What each act of the floor that can be taken back leaves behind: nothing."""


def _withdrawn(tournament: Tournament, event: ActWithdrawn, _: Recorded) -> None:
    recorded = tournament.floor.acts.pop(event.withdraws, None)
    if recorded is not None:  # a fork may have left it out
        tournament.floor.taken_back[event.withdraws] = recorded
        TAKE_BACK[type(recorded.event)](tournament, recorded.event, recorded)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ActWithdrawn: _withdrawn,
}
