"""Confirming, disputing, appealing, and entering what was ruled."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.references import table_of
from ledger.checks.results import no_result
from ledger.decisions.command import Command, Context, match_of, ruling_of
from ledger.decisions.results import StatedResult, confirmed_by, result_from
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.disputes import AppealMade, ResultConfirmed, ResultDisputed
from ledger.events.results import Result, ResultCorrected
from ledger.events.undo import ActWithdrawn
from ledger.problems import problem, remedy
from ledger.tournament import disputes
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Ruling


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
            text = "{table} is not disputed"
            raise Refused(problem("dispute.none", text, table=table_of(match)))
        yield ActWithdrawn(dispute.seq, self.reason)


class Appeal(Command, frozen=True):
    """Ask a marshal to review a ruling, on a player's word."""

    ruling: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        player = disputes.word_of(tournament, by)
        if not player:
            text = "an appeal is a player's: say whose"
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
            text = "ruling {ruling} is not appealed"
            if disputes.is_appealed(ruling):
                text = "ruling {ruling} asks for its review itself: take the ruling back"
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
            text = "ruling {ruling} decides no result: say which"
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
