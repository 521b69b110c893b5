"""The cut: who goes on, who replaces a qualifier that leaves."""

from __future__ import annotations

from ledger.events.base import Event, Meaning, Number, Ordinal, Seq, Text, Waiver


class CutMade(Event, frozen=True):
    """The players who go on to `stage`, best seed first; all others leave (FFG-CUT).

    `waiting` are the next ranked after a cut by the standings, in the order in which they are
    asked to replace a qualifier who leaves (FFG-CUT-REPLACE).
    """

    stage: Ordinal
    seeds: tuple[Number, ...]
    waiting: tuple[Number, ...] = ()
    waiver: Waiver | None = None


class CutWithdrawn(Meaning, frozen=True):
    """A cut is taken back before its stage has been paired."""

    stage: Ordinal
    withdraws: Seq
    reason: Text


class QualifierReplaced(Event, frozen=True):
    """The next ranked accepted the place of a qualifier who left, as the lowest seed."""

    stage: Ordinal
    leaver: Number
    entrant: Number


class ReplacementDeclined(Event, frozen=True):
    """The next ranked was asked to replace a qualifier and said no (FFG-CUT-ACCEPT)."""

    stage: Ordinal
    player: Number


class PlaceForfeited(Event, frozen=True):
    """Nobody is left to replace a qualifier: the lowest place of the cut stays empty."""

    stage: Ordinal
    leaver: Number
