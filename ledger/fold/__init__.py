"""From events to the tournament: `evolve` applies one fact, `fold` many.

A fact was admitted by `ledger.rules` before it was written, so nothing here validates, decides
or fails. Every event has one function of its name, in the module of its theme: in
`rounds` `round_paired` is that of `RoundPaired`, `undo_round_started` takes a `RoundStarted` back.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import MappingProxyType

from ledger.events.undo import ActWithdrawn
from ledger.events.vocabulary import MEANINGS, functions
from ledger.fold.undo import UNDO
from ledger.lines.line import decoded_parts
from ledger.lines.recorded import Recorded
from ledger.lines.sealing import Opener, unopened
from ledger.tournament.state import Tournament
from ledger.tournament.withdrawals import meaning

APPLY = MappingProxyType(functions("ledger.fold"))
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
