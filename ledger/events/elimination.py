"""The cut: who goes on, who replaces a qualifier that leaves."""

from __future__ import annotations

from ledger.events import base
from ledger.events.base import ORGANIZER, Event, Meaning, Recording
from ledger.problems import remedy


class CutMade(Event, frozen=True):
    """The players who go on to `stage`, best seed first; all others leave (FFG-CUT).

    `waiting` are the next ranked after a cut by the standings, in the order in which they are
    asked to replace a qualifier who leaves (FFG-CUT-REPLACE).
    """

    recording = Recording(
        "making the cut", ORGANIZER, withdrawable=True, instead=remedy("cut.withdraw")
    )

    stage: base.Ordinal
    seeds: tuple[base.Number, ...]
    waiting: tuple[base.Number, ...] = ()
    waiver: base.Waiver | None = None


class CutWithdrawn(Meaning, frozen=True):
    """A cut is taken back before its stage has been paired."""

    recording = Recording("taking the cut back", ORGANIZER)
    takes_back = (CutMade,)

    stage: base.Ordinal


class QualifierReplaced(Event, frozen=True):
    """The next ranked accepted the place of a qualifier who left, as the lowest seed."""

    recording = Recording("replacing a qualifier", ORGANIZER)

    stage: base.Ordinal
    leaver: base.Number
    entrant: base.Number


class ReplacementDeclined(Event, frozen=True):
    """The next ranked was asked to replace a qualifier and said no (FFG-CUT-ACCEPT)."""

    recording = Recording("declining a replacement", ORGANIZER)

    stage: base.Ordinal
    player: base.Number


class PlaceForfeited(Event, frozen=True):
    """Nobody is left to replace a qualifier: the lowest place of the cut stays empty."""

    recording = Recording("forfeiting a place of the cut", ORGANIZER)

    stage: base.Ordinal
    leaver: base.Number
