"""Disputes, confirmations and appeals: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from ledger.errors import Refused
from ledger.facts import disputes as events
from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.disputes import AppealMade, ResultConfirmed, ResultDisputed
from ledger.facts.results import ResultCorrected
from ledger.facts.shared import Result, RulingMade
from ledger.facts.undo import ActWithdrawn
from ledger.problems import Official, Player, Problem, Problems, marked, problem, remedy
from ledger.rules.command import Command, Context, match_of, ruling_of
from ledger.rules.references import Check, needs_reason, not_at, of_match, table_of
from ledger.rules.results import (
    StatedResult,
    against,
    by_ruling,
    confirmed_by,
    in_question,
    no_result,
    other_result,
    result_from,
    rules_problems,
)
from ledger.tournament import disputes
from ledger.tournament.progress import find_match, went_on
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Ruling

Said = events.ResultConfirmed | events.ResultDisputed


def _on_reported_result(
    rules: Callable[[Tournament, Any, Match, Claim], Problems],
) -> Check:
    """Hold words on a result to rules, once it is sure that it is current, and whose they are."""

    @of_match
    def check(tournament: Tournament, event: Said, match: Match) -> Problems:
        claim = disputes.current_claim(tournament, match)
        seq = event.confirms if isinstance(event, events.ResultConfirmed) else event.disputes
        if claim is None:
            yield no_result(match)
        elif claim.seq != seq:
            yield other_result(match, claim)
        elif event.player and event.player not in match.players:
            yield not_at(event.player, match)
        else:
            yield from rules(tournament, event, match, claim)

    return check


@_on_reported_result
def result_confirmed(
    tournament: Tournament, event: events.ResultConfirmed, match: Match, claim: Claim
) -> Problems:
    table = table_of(match)
    dispute = disputes.dispute_of(tournament, event.match)
    waits = event.match in tournament.floor.unconfirmed
    accepts = dispute is not None and 0 < event.player == dispute.against.player
    if event.player and event.player == claim.player:
        text = marked(
            "{player} reported {table}: only the opponent or the desk can confirm the result"
        )
        yield problem("confirmation.own", text, player=Player(event.player), table=table)
    elif disputes.has_confirmed(tournament, event.match, event.player):
        yield problem(
            "confirmation.made", "this confirmation of {table} is already on record", table=table
        )
    elif tournament.finished and dispute is None and not waits:
        text = marked("play is closed: the result of {table} already counts and is not disputed")
        yield problem("confirmation.late", text, table=table)
    elif event.ruling:
        yield from _let_stand(tournament, event, match, claim)
    elif dispute is not None and (dispute.ruling or not accepts):
        yield in_question(tournament, dispute)


def _let_stand(
    tournament: Tournament, event: events.ResultConfirmed, match: Match, claim: Claim
) -> Problems:
    if event.player:
        yield problem("confirmation.desk", "only the desk can use a ruling to confirm a result")
    if event.match not in tournament.floor.unconfirmed:
        yield problem(
            "confirmation.counts",
            "the result of event {event} already counts",
            event=event.confirms,
        )
    assert claim.result is not None  # noqa: S101 - a report has a result
    yield from by_ruling(tournament, match, event.ruling, claim.result)


def confirmation_withdrawn(tournament: Tournament, event: events.ConfirmationWithdrawn) -> Problems:
    said = tournament.floor.confirmed.get(event.match, ())
    latest = disputes.latest_dispute(tournament, event.match)
    if all(each.seq != event.withdraws for each in said):
        text = marked("event {event} is not a confirmation of the result of match {match}")
        yield problem("confirmation.unknown", text, event=event.withdraws, match=event.match)
    elif latest is not None and latest.closed == event.withdraws:
        yield problem(
            "confirmation.settled", "this confirmation settled a dispute and cannot be withdrawn"
        )
    elif tournament.ruleset.confirmation != "none" and event.match in tournament.floor.reporters:
        text = marked(
            "the result counts because it is confirmed: the confirmation cannot be withdrawn"
        )
        yield problem("confirmation.counted", text, remedy=remedy("correct"))


@_on_reported_result
def result_disputed(
    tournament: Tournament, event: events.ResultDisputed, match: Match, claim: Claim
) -> Problems:
    table = table_of(match)
    if event.player and event.player == claim.player:
        text = marked(
            "{player} reported {table}: only the opponent or the desk can dispute the result"
        )
        yield problem("dispute.own", text, player=Player(event.player), table=table)
    elif not_now := list(_may_be_opened(tournament, match)):
        yield from not_now
    elif event.claim is not None and event.claim == claim.result:
        text = marked("this is the reported result: confirm it instead of disputing it")
        confirm = remedy("confirm", table=table)
        yield problem("dispute.agrees", text, remedy=confirm)
    elif event.claim is not None:
        yield from rules_problems(tournament, match, event.claim)


def _may_be_opened(tournament: Tournament, match: Match) -> Problems:
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is None:
        return
    table = table_of(match)
    state = disputes.state_of(tournament, latest)
    ruling = disputes.ruling_on(tournament, latest)
    if state == "appealed" and latest.unasked:
        yield in_question(tournament, latest)
    elif state in {"open", "appealed"}:
        text = marked(
            "{table} is already disputed (event {event}): a match can have only one open dispute"
        )
        way = remedy("dispute.withdraw", table=table)
        yield problem("dispute.another", text, remedy=way, table=table, event=latest.seq)
    elif ruling is not None and (
        state == "correction due" or match.result == disputes.decided(tournament, latest)
    ):
        yield ruled_on(match, ruling)


def ruled_on(match: Match, ruling: Ruling) -> Problem:
    """Say that a match is ruled on, and what goes on from there."""
    table, seq, official = table_of(match), ruling.seq, Official(ruling.made.official)
    if ruling.final:
        text = marked("{table} has a ruling (event {event}) by {official}, and it is final")
        return problem("dispute.ruled_for_good", text, table=table, event=seq, official=official)
    text = marked("{table} has a ruling (event {event}) by {official}, and a player may appeal")
    ways = disputes.appeal_of(ruling)
    return problem("dispute.ruled", text, remedy=ways, table=table, event=seq, official=official)


def no_dispute(seq: int, match: int) -> Problem:
    """Say that an event is no open dispute of a match."""
    text = marked("event {event} is not an open dispute of match {match}")
    return problem("dispute.unknown", text, event=seq, match=match)


def dispute_withdrawn(tournament: Tournament, event: events.DisputeWithdrawn) -> Problems:
    dispute = disputes.latest_dispute(tournament, event.match)
    if dispute is None or dispute.seq != event.withdraws:
        yield no_dispute(event.withdraws, event.match)
    elif dispute.closed:
        text = marked("dispute {dispute} already ended with event {event}")
        yield problem("dispute.ended", text, event=dispute.closed, dispute=dispute.seq)
    elif dispute.ruling:
        text = marked("event {event} ruled on the dispute: it can no longer be withdrawn")
        yield problem("dispute.ruled_already", text, event=dispute.ruling)


def appeal_made(tournament: Tournament, event: events.AppealMade) -> Problems:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is None:
        yield no_ruling(event.ruling)
        return
    if ruling.final or ruling.reviewed_by:
        yield final_ruling(ruling)
    elif disputes.is_appealed(ruling):
        text = marked("a review of ruling {ruling} has already been requested")
        yield problem("ruling.asked_already", text, ruling=event.ruling)
    match = find_match(tournament, ruling.made.match)
    asking = match.players if match else (ruling.made.player,)
    if event.player not in asking:
        text = marked("{player} is not a party to ruling {ruling}")
        clause, player = "FFG-ROLE-JUDGE", Player(event.player)
        yield problem("ruling.no_party", text, clause=clause, player=player, ruling=event.ruling)


def no_ruling(seq: int) -> Problem:
    """Say that an event is no ruling."""
    return problem("ruling.unknown", "event {event} is not a ruling", event=seq)


def final_ruling(ruling: Ruling) -> Problem:
    """Say that a ruling cannot be appealed."""
    text = marked("ruling {ruling} is final and cannot be appealed")
    return problem("ruling.final", text, clause="FFG-ROLE-JUDGE", ruling=ruling.seq)


def appeal_withdrawn(tournament: Tournament, event: events.AppealWithdrawn) -> Problems:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is None or (ruling.appealed, ruling.appellant) != (event.withdraws, event.player):
        text = marked("event {event} is not an open appeal by {player}")
        yield problem("appeal.unknown", text, event=event.withdraws, player=Player(event.player))
    elif ruling.reviewed_by:
        text = marked("event {event} decided the appeal: it can no longer be withdrawn")
        yield problem("appeal.decided", text, event=ruling.reviewed_by)
    yield from needs_reason(event, "FFG-ROLE-JUDGE")


def ruling_withdrawn(tournament: Tournament, event: events.RulingWithdrawn) -> Problems:
    ruling = tournament.floor.ruling(event.withdraws)
    if ruling is None or (ruling.made.official, ruling.made.match) != (event.official, event.match):
        text = marked("event {event} is not a ruling by {official} that is in force")
        official = Official(event.official)
        yield problem("ruling.not_in_force", text, event=event.withdraws, official=official)
    else:
        yield from _rests_on(tournament, ruling)
    yield from needs_reason(event, "FFG-RULING")


def _rests_on(tournament: Tournament, ruling: Ruling) -> Problems:
    """A ruling can be taken back until something was decided on it."""
    seq = ruling.seq
    dispute = disputes.dispute_ruled_by(tournament, seq)
    latest = disputes.latest_dispute(tournament, ruling.made.match)
    decides = disputes.decides_on(tournament, ruling.made)
    if ruling.reviewed_by:
        text = marked("event {event} reviewed ruling {ruling}: withdraw the review first")
        yield problem("ruling.reviewed_since", text, event=ruling.reviewed_by, ruling=seq)
    elif ruling.appealed:
        text = marked("ruling {ruling} is under appeal (event {event}): withdraw the appeal first")
        back = remedy("appeal.withdraw", ruling=seq)
        yield problem("ruling.appealed", text, remedy=back, ruling=seq, event=ruling.appealed)
    elif ruling.entered:
        text = marked("event {event} carried out ruling {ruling}, which can no longer be withdrawn")
        way = against(ruling)
        yield problem("ruling.entered", text, remedy=way, event=ruling.entered, ruling=seq)
    elif latest is not None and latest.ruling > seq and decides:
        text = marked("event {event} is a later ruling: withdraw that ruling first")
        yield problem("ruling.again_since", text, event=latest.ruling)
    elif (
        dispute is not None
        and dispute.seq != seq  # a ruling that nobody asked for has settled nothing
        and (since := went_on(tournament, seq))
    ):
        text = marked(
            "play has continued (event {event}) with the result of ruling {ruling}, "
            "which can no longer be withdrawn"
        )
        yield problem("ruling.relied_on", text, remedy=against(ruling), event=since, ruling=seq)


def ruling_problems(tournament: Tournament, event: RulingMade, match: Match | None) -> Problems:
    """Yield what is against a ruling's bearing on a dispute and on a result."""
    if event.upheld and not event.reviews:
        yield problem("ruling.upheld_alone", "only a review can uphold a ruling")
    if event.upheld and event.decides is not None:
        yield problem(
            "ruling.upheld_decides", "a review that upholds a ruling cannot decide another result"
        )
    if event.settles:
        yield from _settles(tournament, event)
    if event.decides is not None:
        if match is None or match.is_bye:
            yield problem(
                "ruling.no_match",
                "a ruling can decide the result only of a match between two players",
            )
        else:
            yield from rules_problems(tournament, match, event.decides)
            yield from _decides(tournament, event, match)
    if event.reviews and not event.upheld:
        yield from _overturns(tournament, event)


def _settles(tournament: Tournament, event: RulingMade) -> Problems:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is None or dispute.seq != event.settles:
        yield no_dispute(event.settles, event.match)
    elif dispute.ruling:
        text = marked("this dispute already has a ruling (event {event})")
        way = remedy("appeal", ruling=dispute.ruling)
        yield problem("dispute.has_ruling", text, remedy=way, event=dispute.ruling)


def _decides(tournament: Tournament, event: RulingMade, match: Match) -> Problems:
    if event.settles or (event.reviews and disputes.dispute_ruled_by(tournament, event.reviews)):
        return
    if disputes.current_claim(tournament, match) is None:
        yield no_result(match)
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is None or latest.closed:
        return
    ruling = disputes.ruling_on(tournament, latest)
    if ruling is None:
        yield in_question(tournament, latest)
    elif event.reviews or not (ruling.final and office.is_final(tournament, event.official, match)):
        yield ruled_on(match, ruling)


def _overturns(tournament: Tournament, event: RulingMade) -> Problems:
    dispute = disputes.dispute_ruled_by(tournament, event.reviews)
    if dispute is None:
        return
    if (event.decides or dispute.reported.result) == disputes.decided(tournament, dispute):
        text = marked("this is the decision of ruling {ruling}: uphold the ruling instead")
        yield problem("review.upholds", text, ruling=event.reviews)


def _said_of(tournament: Tournament, match: Match) -> Claim:
    said = disputes.current_claim(tournament, match)
    if said is None:
        raise Refused(no_result(match))
    return said


class ConfirmResult(Command, frozen=True):
    """Say that the result that stands is right; for a player where one speaks, else the desk."""

    match: int

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        said = _said_of(tournament, match)
        yield from confirmed_by(tournament, match, said, disputes.speaker(tournament, by, match))


class DisputeResult(Command, frozen=True):
    """Say that the result that stands is wrong, and what happened instead, if it is known."""

    match: int
    claim: StatedResult | None = None
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        said = _said_of(tournament, match)
        claim = result_from(tournament, match, self.claim) if self.claim else None
        player = disputes.speaker(tournament, by, match)
        standing = disputes.dispute_of(tournament, match.number)
        if standing is not None and disputes.is_repeated(standing, player, claim, self.reason):
            return
        yield ResultDisputed(match.number, said.seq, player, claim, self.reason)


class WithdrawDispute(Command, frozen=True):
    """Take a dispute back that nobody has ruled on."""

    match: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        dispute = disputes.dispute_of(tournament, match.number)
        if dispute is None:
            text = marked("{table} is not disputed")
            raise Refused(problem("dispute.none", text, table=table_of(match)))
        yield ActWithdrawn(dispute.seq, self.reason)


class Appeal(Command, frozen=True):
    """Ask a marshal to review a ruling, on a player's word."""

    makes: ClassVar[type[Event]] = AppealMade

    ruling: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        player = disputes.word_of(tournament, by)
        if not player:
            text = marked("only a player can appeal: name the player")
            raise Refused(problem("appeal.whose", text, clause="FFG-ROLE-JUDGE"))
        ruling = ruling_of(tournament, self.ruling)
        is_asked = disputes.is_appealed(ruling) and ruling.made.player == player
        if not (is_asked and not ruling.appealed):
            yield AppealMade(self.ruling, player, self.reason)


class WithdrawAppeal(Command, frozen=True):
    """Take the appeal of a ruling back that nobody has reviewed."""

    ruling: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        ruling = ruling_of(tournament, self.ruling)
        if not ruling.appealed:
            text = marked("ruling {ruling} is not under appeal")
            if disputes.is_appealed(ruling):
                text = marked(
                    "ruling {ruling} itself asks for the review: withdraw the ruling instead"
                )
            raise Refused(problem("appeal.none", text, ruling=self.ruling))
        yield ActWithdrawn(ruling.appealed, self.reason)


class WithdrawRuling(Command, frozen=True):
    """Take a ruling back that was a mistake; nothing may have been decided on it."""

    ruling: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        ruling_of(tournament, self.ruling)  # there is one
        yield ActWithdrawn(self.ruling, self.reason)


class CarryOut(Command, frozen=True):
    """Enter what a ruling decided; the reason is the ruling's own where none is given."""

    ruling: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        ruling = ruling_of(tournament, self.ruling)
        result = result_ruled(tournament, ruling)
        if result is None:
            correct = remedy("correct", ruling=self.ruling)
            text = marked("ruling {ruling} does not decide a result: give the result")
            raise Refused(problem("ruling.no_result", text, remedy=correct, ruling=self.ruling))
        match = match_of(tournament, ruling.made.match)
        yield from entered(tournament, match, ruling, result, self.reason)


def result_ruled(tournament: Tournament, ruling: Ruling) -> Result | None:
    """The result that a ruling gives its match; none where it gives none."""
    dispute = disputes.dispute_ruled_by(tournament, ruling.seq)
    if dispute is not None:
        return disputes.decided(tournament, dispute)
    return ruling.made.decides


def entered(
    tournament: Tournament, match: Match, ruling: Ruling, result: Result, reason: str = ""
) -> Iterator[Event]:
    """Bring a match's result in line with a ruling; nothing where it is."""
    said = _said_of(tournament, match)
    if said.result == result:
        if match.result is None:
            yield ResultConfirmed(match.number, said.seq, ruling=ruling.seq)
        return
    why = reason if reason.strip() else ruling.made.ruling
    yield ResultCorrected(match.number, said.seq, result, why, ruling.seq)
