"""How long a round may be, when a table may be extended, and when time may be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.events.clock import MINUTES_MAX, ExtraTimeAnnounced, TableExtended, TimeCalled
from ledger.tournament.progress import minutes_of, round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.tournament.state import Round, Tournament


def length_problems(tournament: Tournament, played: Round, minutes: int) -> Iterator[str]:
    """Yield where a round is not as long as the ruleset and the announcement have it."""
    expected = minutes_of(tournament, played)
    clause = tournament.ruleset.clock.clause
    if expected and minutes != expected and not tournament.importing:
        yield f"round {played.number} is {expected} minutes long, not {minutes} ({clause})"


def _announced(tournament: Tournament, event: ExtraTimeAnnounced) -> Iterator[str]:
    most = tournament.ruleset.floor.clock.extra_max
    clause = tournament.ruleset.clock.clause
    if event.minutes > most:
        allowed = f"at most {most} minutes are added" if most else "nothing is added to a round"
        yield f"{allowed} ({clause})"
    elif tournament.started:
        yield f"extra time is announced before the event begins ({clause})"


def _extended(tournament: Tournament, event: TableExtended) -> Iterator[str]:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    played = round_in_play(tournament)
    if match is None or match.void:
        yield f"there is no match {event.match}"
    elif played is None or match.round != played.number:
        yield f"{match.round}/{match.table} is not of the round in play"
    elif not match.is_open:
        yield f"{match.round}/{match.table} has ended: no extension"
    elif played.status != "started":
        yield f"round {played.number} has not started: there is no time to extend"
    elif tournament.floor.extensions.get(event.match, 0) + event.minutes > MINUTES_MAX:
        yield f"a table is extended by {MINUTES_MAX} minutes at most"
    if not event.reason.strip():
        yield "an extension needs a reason (FFG-CLOCK)"


def _called(tournament: Tournament, event: TimeCalled) -> Iterator[str]:
    played = round_in_play(tournament)
    if played is None or played.number != event.round or played.status != "started":
        yield f"round {event.round} is not running"
        return
    calls = tournament.floor.calls.get(event.round, [])
    if calls and calls[-1].left == 0:
        yield f"time has been called in round {event.round}"
    elif calls and calls[-1].left <= event.left:
        yield f"{calls[-1].left} minutes have been called in round {event.round}"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ExtraTimeAnnounced: _announced,
    TableExtended: _extended,
    TimeCalled: _called,
}
