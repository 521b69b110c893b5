"""The clock of a round: extra time announced, extensions of a table, time called."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ledger.events.base import LEADERS, ORGANIZER, Event, Ordinal, Recording, Seat, Text
from ledger.problems import remedy

PaceRemedy = Literal["none", "discard", "forfeit", "other"]

MINUTES_MAX = 240
"""Minutes that a round or a table can be given beside its length."""


class ExtraTimeAnnounced(Event, frozen=True):
    """Every round but the final is some minutes longer, announced before the event."""

    recording = Recording("announcing extra time", ORGANIZER, instead=remedy("round.extra"))

    minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)]


class TableExtended(Event, frozen=True):
    """A leader gave one match more minutes (FFG-CLOCK)."""

    recording = Recording("extending a table", LEADERS, withdrawable=True)

    match: Ordinal
    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)]
    reason: Text


class TimeCalled(Event, frozen=True):
    """A leader called out that how many minutes are left; 0: time is over (FFG-CLOCK)."""

    recording = Recording("calling time", LEADERS, withdrawable=True)

    round: Ordinal
    left: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 0


class RoundExtended(Event, frozen=True):
    """A leader gave every table of the round more minutes, as after an alarm (FFG-CLOCK)."""

    recording = Recording("extending a round", LEADERS, withdrawable=True)

    round: Ordinal
    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)]
    reason: Text


class RoundPaused(Event, frozen=True):
    """A leader stopped the clock of the round: no time passes until it goes on."""

    recording = Recording("pausing a round", LEADERS, withdrawable=True)

    round: Ordinal
    reason: Text = ""


class RoundResumed(Event, frozen=True):
    """The clock of the round goes on."""

    recording = Recording("resuming a round", LEADERS, withdrawable=True)

    round: Ordinal


class PaceModerated(Event, frozen=True):
    """Somebody saw to the pace of a match, on the wish of a player (`asked`) or without.

    `remedy` is what follows for the `player` who was slow; a forfeit is reported beside it
    (AOP-MODERATE).
    """

    recording = Recording("moderating the pace", LEADERS, withdrawable=True)

    match: Ordinal
    asked: Seat = 0
    remedy: PaceRemedy = "none"
    player: Seat = 0
    reason: Text = ""
