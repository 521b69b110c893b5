"""Confirmed, disputed, appealed: what the sides of a match say of its result."""

from __future__ import annotations

from ledger.events import base
from ledger.events.base import DESK, LEADERS, Event, Meaning, Recording
from ledger.events.office import RulingMade
from ledger.events.results import Result
from ledger.problems import remedy


class ResultConfirmed(Event, frozen=True):
    """A side of the match, or the desk (`player` 0), says that the result of an event is right.

    Where the ruleset waits for it the result counts from here on. A side that disputed it and now
    confirms it has settled the dispute. `ruling` is what let a disputed report stand.
    """

    recording = Recording(
        "confirming a result", DESK | LEADERS, by_players=True, after_finish=True, withdrawable=True
    )

    match: base.Ordinal
    confirms: base.Seq
    player: base.Seat = 0
    ruling: base.SeqOrNone = 0


class ConfirmationWithdrawn(Meaning, frozen=True):
    """A confirmation entered by mistake is taken back."""

    recording = Recording("taking a confirmation back", DESK, after_finish=True)
    takes_back = (ResultConfirmed,)

    match: base.Ordinal


class ResultDisputed(Event, frozen=True):
    """A side of the match, or an official (`player` 0), says that a reported result is wrong.

    `disputes` is the event that gave it, `claim` what is said to have happened, if it is said.
    """

    recording = Recording("disputing a result", DESK | LEADERS, by_players=True, withdrawable=True)

    match: base.Ordinal
    disputes: base.Seq
    player: base.Seat = 0
    claim: Result | None = None
    reason: base.Text = ""


class DisputeWithdrawn(Meaning, frozen=True):
    """A dispute is taken back before anybody ruled on it."""

    recording = Recording("taking a dispute back", DESK, by_players=True, after_finish=True)
    takes_back = (ResultDisputed,)

    match: base.Ordinal


class AppealMade(Event, frozen=True):
    """A player of the match asks a marshal to review a ruling (FFG-ROLE-JUDGE)."""

    recording = Recording(
        "an appeal", DESK | LEADERS, by_players=True, after_finish=True, withdrawable=True
    )

    ruling: base.Seq
    player: base.Number
    reason: base.Text = ""


class AppealWithdrawn(Meaning, frozen=True):
    """An appeal is taken back before the review; the ruling is in force again."""

    recording = Recording(
        "taking an appeal back", DESK, by_players=True, after_finish=True, instead=remedy("appeal")
    )
    takes_back = (AppealMade,)

    ruling: base.Seq
    player: base.Number


class RulingWithdrawn(Meaning, frozen=True):
    """A ruling of this official was a mistake, and is as if it had not been made.

    What it decided is open again: the dispute, or for a review the appeal.
    """

    recording = Recording(
        "taking a ruling back", DESK | LEADERS, after_finish=True, instead=remedy("rule")
    )
    takes_back = (RulingMade,)

    official: base.Number
    match: base.MatchOrNone = 0
