"""The clock and the pace of play: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.facts.base import LEADERS, ORGANIZER, Event, Ordinal, Recording, Seat, Text
from ledger.facts.columns import listed
from ledger.problems import marked, remedy
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Call, Pause

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

PaceRemedy = Literal["none", "discard", "forfeit", "other"]

MINUTES_MAX = 240
"""Minutes that a round or a table can be given beside its length."""


class ExtraTimeAnnounced(Event, frozen=True):
    """Every round but the final is some minutes longer, announced before the event."""

    recording = Recording(marked("announcing extra time"), ORGANIZER, instead=remedy("round.extra"))

    minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)]


class TableExtended(Event, frozen=True):
    """A leader gave one match more minutes (FFG-CLOCK)."""

    recording = Recording(marked("extending a table"), LEADERS, withdrawable=True)

    match: Ordinal
    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)]
    reason: Text


class TimeCalled(Event, frozen=True):
    """A leader called out that how many minutes are left; 0: time is over (FFG-CLOCK)."""

    recording = Recording(marked("calling time"), LEADERS, withdrawable=True)

    round: Ordinal
    left: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 0


class RoundExtended(Event, frozen=True):
    """A leader gave every table of the round more minutes, as after an alarm (FFG-CLOCK)."""

    recording = Recording(marked("extending a round"), LEADERS, withdrawable=True)

    round: Ordinal
    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)]
    reason: Text


class RoundPaused(Event, frozen=True):
    """A leader stopped the clock of the round: no time passes until it goes on."""

    recording = Recording(marked("pausing a round"), LEADERS, withdrawable=True)

    round: Ordinal
    reason: Text = ""


class RoundResumed(Event, frozen=True):
    """The clock of the round goes on."""

    recording = Recording(marked("resuming a round"), LEADERS, withdrawable=True)

    round: Ordinal


class PaceModerated(Event, frozen=True):
    """Somebody saw to the pace of a match, on the wish of a player (`asked`) or without.

    `remedy` is what follows for the `player` who was slow; a forfeit is reported beside it
    (AOP-MODERATE).
    """

    recording = Recording(marked("moderating the pace"), LEADERS, withdrawable=True)

    match: Ordinal
    asked: Seat = 0
    remedy: PaceRemedy = "none"
    player: Seat = 0
    reason: Text = ""


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
