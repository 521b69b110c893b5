"""What extra time, extensions and calls of the time do to the tournament."""

from __future__ import annotations

from ledger.events.clock import (
    ExtraTimeAnnounced,
    RoundExtended,
    RoundPaused,
    RoundResumed,
    TableExtended,
    TimeCalled,
)
from ledger.fold.listing import listed
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Call, Pause


def extra_time_announced(tournament: Tournament, event: ExtraTimeAnnounced, _: Recorded) -> None:
    tournament.floor.extra_minutes = event.minutes


def table_extended(tournament: Tournament, event: TableExtended, _: Recorded) -> None:
    given = tournament.floor.extensions
    given[event.match] = given.get(event.match, 0) + event.minutes


def time_called(tournament: Tournament, event: TimeCalled, recorded: Recorded) -> None:
    call = Call(event.left, recorded.at, recorded.seq)
    tournament.floor.calls.setdefault(event.round, []).append(call)


def undo_table_extended(tournament: Tournament, event: TableExtended, _: Recorded) -> None:
    given = tournament.floor.extensions
    given[event.match] -= event.minutes
    if not given[event.match]:
        del given[event.match]


def undo_time_called(tournament: Tournament, event: TimeCalled, _: Recorded) -> None:
    calls = tournament.floor.calls
    calls[event.round].pop()
    if not calls[event.round]:
        del calls[event.round]


def round_extended(tournament: Tournament, event: RoundExtended, _: Recorded) -> None:
    longer = tournament.floor.longer
    longer[event.round] = longer.get(event.round, 0) + event.minutes


def undo_round_extended(tournament: Tournament, event: RoundExtended, _: Recorded) -> None:
    tournament.floor.longer[event.round] -= event.minutes


def round_paused(tournament: Tournament, event: RoundPaused, recorded: Recorded) -> None:
    pause = Pause(recorded.at, recorded.seq)
    tournament.floor.pauses.setdefault(event.round, []).append(pause)


def undo_round_paused(tournament: Tournament, event: RoundPaused, _: Recorded) -> None:
    tournament.floor.pauses[event.round].pop()


def round_resumed(tournament: Tournament, event: RoundResumed, recorded: Recorded) -> None:
    pause = tournament.floor.pauses[event.round][-1]
    pause.until, pause.resumed_seq = recorded.at, recorded.seq


def undo_round_resumed(tournament: Tournament, event: RoundResumed, _: Recorded) -> None:
    pause = tournament.floor.pauses[event.round][-1]
    pause.until, pause.resumed_seq = "", 0


pace_moderated, undo_pace_moderated = listed("moderated")
