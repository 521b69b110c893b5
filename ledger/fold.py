"""From events to the tournament: `evolve` applies one fact, `fold` many.

A fact was admitted by `ledger.rules` before it was written, so nothing here validates, decides
or fails. Every event has one function of its name, in the module of its theme: in
`ledger.facts.rounds` `round_paired` is that of `RoundPaired`, and `undo_round_started` takes a
`RoundStarted` back.

An `ActWithdrawn` names an event, and what it does follows from that event: rules, fold and words
meet it as an event of their theme (a `Meaning`), which is never stored.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import MappingProxyType

import msgspec

from ledger.facts.base import Event
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import MEANINGS, functions
from ledger.lines.line import decoded_parts
from ledger.lines.recorded import Recorded
from ledger.lines.sealing import Opener, unopened
from ledger.tournament.state import Tournament

UNDO = functions("ledger.facts", "undo_")
"""What each act of the floor that can be taken back leaves behind: nothing."""


def act_withdrawn(tournament: Tournament, event: ActWithdrawn, _: Recorded) -> None:
    """Undo an act around the tables, and remember what was taken back."""
    recorded = tournament.floor.acts.pop(event.withdraws, None)
    if recorded is not None:  # a fork may have left it out
        tournament.floor.taken_back[event.withdraws] = recorded
        UNDO[type(recorded.event)](tournament, recorded.event, recorded)


def meaning(tournament: Tournament, event: Event) -> Event:
    """Return what a withdrawal comes to; any other event as it is."""
    if not isinstance(event, ActWithdrawn):
        return event
    named = tournament.withdrawable.get(event.withdraws)
    if named is None:
        return event
    return MEANINGS[type(named)].of(named, event.withdraws, event.reason)


def with_meaning(tournament: Tournament, recorded: Recorded) -> Recorded:
    """Return the event at its place with what it comes to."""
    if not isinstance(recorded.event, ActWithdrawn):
        return recorded
    event = meaning(tournament, recorded.event)
    return recorded if event is recorded.event else msgspec.structs.replace(recorded, event=event)


APPLY = MappingProxyType({**functions("ledger.facts"), ActWithdrawn: act_withdrawn})
"""What each event type does to the tournament; a test proves that none is missing."""


_WITHDRAWABLE, _UNDOABLE = frozenset(MEANINGS), frozenset(UNDO)
"""Event types that an `ActWithdrawn` takes back: by an event that says the opposite, or by undoing
what it did at the tables.
"""


def evolve(tournament: Tournament, recorded: Recorded) -> None:
    """Move the tournament on by one event, in time that depends on the event alone."""
    evolve_all(tournament, (recorded,))


def evolve_all(tournament: Tournament, events: Iterable[Recorded]) -> None:
    """Move the tournament on by events, one after the other."""
    apply, ids, last_acts = APPLY, tournament.ids, tournament.last_acts
    withdrawable = tournament.withdrawable
    for recorded in events:
        event, event_id, desk, seq = recorded.event, recorded.id, recorded.by, recorded.seq
        kind = type(event)
        if kind in _WITHDRAWABLE:
            withdrawable[seq] = event
        elif kind in _UNDOABLE:
            tournament.floor.acts[seq] = recorded
        elif kind is ActWithdrawn:
            event = meaning(tournament, event)
            kind = type(event)
        apply[kind](tournament, event, recorded)
        tournament.seq = ids[event_id] = seq
        if "/" in desk:
            desk = desk.partition("/")[0]
        if "." in event_id:
            _remember_further(tournament, desk, recorded)
        else:
            last_acts[desk] = recorded


def evolve_name(tournament: Tournament, recorded: Recorded) -> None:
    """Apply what an event says of a name once more, now that its key has been found."""
    APPLY[type(recorded.event)](tournament, recorded.event, recorded)


def _remember_further(tournament: Tournament, desk: str, recorded: Recorded) -> None:
    if recorded.id.endswith(".1"):
        tournament.further_events[desk] = []
    tournament.further_events[desk].append(recorded)


def fold(events: Iterable[Recorded]) -> Tournament:
    """Build the tournament that the events say."""
    tournament = Tournament()
    with collector_paused():
        evolve_all(tournament, events)
    return tournament


def fold_lines(lines: Iterable[bytes], opener: Opener = unopened) -> Tournament:
    """Build the tournament from lines that were admitted before.

    `opener` opens what is sealed in them; names that it cannot open are not known.
    """
    tournament = Tournament()
    with collector_paused():
        for part in decoded_parts(lines, opener):
            evolve_all(tournament, part)
    return tournament


@contextmanager
def collector_paused() -> Iterator[None]:
    """Spare a fold the garbage collector: it makes no cycles, and all it makes is kept.

    Else each event of a long log costs more than one of a short log, since the collector looks
    at everything again whenever the tournament has grown by a quarter.
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
