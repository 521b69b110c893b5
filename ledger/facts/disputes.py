"""Confirmations, disputes and appeals: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, Event, Meaning, Recording
from ledger.facts.results import carried_out, enter
from ledger.facts.shared import Result, RulingMade
from ledger.problems import marked, remedy
from ledger.tournament import disputes
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Claim, Dispute

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


class ResultConfirmed(Event, frozen=True):
    """A side of the match, or the desk (`player` 0), says that the result of an event is right.

    Where the ruleset waits for it the result counts from here on. A side that disputed it and now
    confirms it has settled the dispute. `ruling` is what let a disputed report stand.
    """

    recording = Recording(
        marked("confirming a result"),
        DESK | LEADERS,
        by_players=True,
        after_finish=True,
        withdrawable=True,
    )

    match: base.Ordinal
    confirms: base.Seq
    player: base.Seat = 0
    ruling: base.SeqOrNone = 0


class ConfirmationWithdrawn(Meaning, frozen=True):
    """A confirmation entered by mistake is taken back."""

    recording = Recording(marked("withdrawing a confirmation"), DESK, after_finish=True)
    takes_back = (ResultConfirmed,)

    match: base.Ordinal


class ResultDisputed(Event, frozen=True):
    """A side of the match, or an official (`player` 0), says that a reported result is wrong.

    `disputes` is the event that gave it, `claim` what is said to have happened, if it is said.
    """

    recording = Recording(
        marked("disputing a result"), DESK | LEADERS, by_players=True, withdrawable=True
    )

    match: base.Ordinal
    disputes: base.Seq
    player: base.Seat = 0
    claim: Result | None = None
    reason: base.Text = ""


class DisputeWithdrawn(Meaning, frozen=True):
    """A dispute is taken back before anybody ruled on it."""

    recording = Recording(marked("withdrawing a dispute"), DESK, by_players=True, after_finish=True)
    takes_back = (ResultDisputed,)

    match: base.Ordinal


class AppealMade(Event, frozen=True):
    """A player of the match asks a marshal to review a ruling (FFG-ROLE-JUDGE)."""

    recording = Recording(
        marked("an appeal"), DESK | LEADERS, by_players=True, after_finish=True, withdrawable=True
    )

    ruling: base.Seq
    player: base.Number
    reason: base.Text = ""


class AppealWithdrawn(Meaning, frozen=True):
    """An appeal is taken back before the review; the ruling is in force again."""

    recording = Recording(
        marked("withdrawing an appeal"),
        DESK,
        by_players=True,
        after_finish=True,
        instead=remedy("appeal"),
    )
    takes_back = (AppealMade,)

    ruling: base.Seq
    player: base.Number


class RulingWithdrawn(Meaning, frozen=True):
    """A ruling of this official was a mistake, and is as if it had not been made.

    What it decided is open again: the dispute, or for a review the appeal.
    """

    recording = Recording(
        marked("withdrawing a ruling"), DESK | LEADERS, after_finish=True, instead=remedy("rule")
    )
    takes_back = (RulingMade,)

    official: base.Number
    match: base.MatchOrNone = 0


def result_confirmed(tournament: Tournament, event: ResultConfirmed, recorded: Recorded) -> None:
    floor = tournament.floor
    match = tournament.matches[event.match]
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is not None and not dispute.ruling:
        dispute.closed = recorded.seq
    waiting = floor.unconfirmed.pop(event.match, None)
    if waiting is not None and waiting.result is not None:
        tournament.rounds[match.round - 1].unreported -= 1
        enter(tournament, match, waiting.result, waiting.seq)
    carried_out(tournament, event.ruling, recorded.seq)
    said = Claim(recorded.seq, event.player, recorded.at, match.result)
    floor.confirmed.setdefault(event.match, []).append(said)


def confirmation_withdrawn(
    tournament: Tournament, event: ConfirmationWithdrawn, _: Recorded
) -> None:
    said = tournament.floor.confirmed[event.match]
    said[:] = [each for each in said if each.seq != event.withdraws]


def result_disputed(tournament: Tournament, event: ResultDisputed, recorded: Recorded) -> None:
    match = tournament.matches[event.match]
    reported = disputes.current_claim(tournament, match)
    assert reported is not None  # noqa: S101 - only what is reported is disputed
    against = Claim(recorded.seq, event.player, recorded.at, event.claim)
    tournament.floor.disputes.append(Dispute(event.match, reported, against, event.reason))


def dispute_withdrawn(tournament: Tournament, event: DisputeWithdrawn, recorded: Recorded) -> None:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is not None:
        dispute.closed = recorded.seq


def appeal_made(tournament: Tournament, event: AppealMade, recorded: Recorded) -> None:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is not None:
        ruling.appealed, ruling.appellant = recorded.seq, event.player


def appeal_withdrawn(tournament: Tournament, event: AppealWithdrawn, _: Recorded) -> None:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is not None:
        ruling.appealed = ruling.appellant = 0


def ruling_withdrawn(tournament: Tournament, event: RulingWithdrawn, _: Recorded) -> None:
    rulings = tournament.floor.rulings
    rulings[:] = [each for each in rulings if each.seq != event.withdraws]
    for each in rulings:
        if each.reviewed_by == event.withdraws:
            each.reviewed_by = 0
    listed = tournament.floor.disputes
    listed[:] = [each for each in listed if each.seq != event.withdraws]
    for dispute in listed:
        if dispute.ruling == event.withdraws:
            dispute.ruling = disputes.last_ruling_on(tournament, dispute)
