"""A ruling on a result that nobody disputed is not forgotten: it is entered, or holds things up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.results import ResultCorrected
from ledger.facts.shared import Stage
from ledger.fold import fold_lines
from ledger.lines.line import decode
from ledger.rules.disputes import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawDispute,
    WithdrawRuling,
)
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import Rule
from ledger.rules.pairing import PairRound
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.rules.undo import Undo
from ledger.tournament.disputes import latest_dispute, state_of, unsettled
from projections.audit.report import audit_of
from tests.ledger.decisions.test_disputes import outcomes, waiting_day
from tests.support.simulate import Day
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.tournament.state import Match

WIN, LOSS = StatedResult("win"), StatedResult("loss")
JUDGE, MARSHAL = "o2", "o3"


def reported(rounds: int = 2, *further: Stage) -> tuple[Day, Match]:
    """Table 1 of two, both reported for the first player; o2 is a judge, o3 a marshal."""
    day = Day(4)
    appoint(day, "Jun", "judge")
    appoint(day, "Mara", "marshal")
    day.start(rounds, *further)
    match, other = day.pair()
    day.report(match)
    day.report(other)
    return day, match


def ruled(day: Day, match: Match, told: StatedResult = LOSS) -> int:
    order = Rule(2, "so the slip", match.number, "FFG-RULING", decides=told)
    return day.do(order, by=JUDGE)[0].seq


def state(day: Day, match: Match) -> str:
    dispute = latest_dispute(day.tournament, match.number)
    return state_of(day.tournament, dispute) if dispute else "undisputed"


def open_in_the_audit(day: Day) -> list[tuple[int, ...]]:
    findings = audit_of(map(decode, day.lines)).findings
    return [each.seqs for each in findings if each.kind == "open-dispute"]


@pytest.mark.parametrize("going_on", ["pair", "cut", "finish"])
def test_what_was_ruled_holds_the_day_up_until_it_is_entered(going_on: str) -> None:
    """FFG-RULING: else the day would be played on, on a result that a judge found wrong."""
    further = [Stage("single", entry="top", size=2)] if going_on == "cut" else []
    day, match = reported(2 if going_on == "pair" else 1, *further)
    before = day.tournament.matches[match.number].result_seq
    ruling = ruled(day, match)
    assert state(day, match) == "correction due"
    assert open_in_the_audit(day) == [(before, ruling)]
    order = {
        "pair": PairRound(),
        "cut": MakeCut(),
        "finish": FinishTournament(),
    }[going_on]
    refused = day.refused(order)
    assert f"1/{match.table} has a ruling (event {ruling})" in refused
    assert "FFG-RULING" in refused
    (entered,) = day.do(CarryOut(ruling))
    assert isinstance(entered.event, ResultCorrected)
    assert outcomes(day, match) == ("loss", "win")
    assert open_in_the_audit(day) == []
    day.do(order)
    assert fold_lines(day.lines) == day.tournament


def test_the_organizer_goes_on_over_it_with_a_reason_and_it_stays_due() -> None:
    day, match = reported()
    ruled(day, match)
    day.do(PairRound(reason="the hall closes", despite_dispute=True))
    findings = {each.kind for each in audit_of(map(decode, day.lines)).findings}
    assert {"over-dispute", "open-dispute"} <= findings


def test_after_the_end_a_ruling_waits_to_be_entered() -> None:
    day, match = reported(1)
    day.do(FinishTournament())
    ruling = ruled(day, match)
    assert [each.match for each in unsettled(day.tournament)] == [match.number]
    assert open_in_the_audit(day)
    day.do(CarryOut(ruling))
    assert outcomes(day, match) == ("loss", "win")
    assert unsettled(day.tournament) == []


def test_what_the_book_says_already_is_settled_and_stays_so() -> None:
    day, match = reported()
    ruling = ruled(day, match, WIN)
    assert state(day, match) == "settled"
    change = Correct(match.number, StatedResult("loss"), "misread")
    refused = day.refused(change)
    assert f"has a ruling (event {ruling}) by o2, which remains in force" in refused
    assert "(FFG-RULING) [appeal]" in refused
    late = DisputeResult(match.number, LOSS)
    assert f"has a ruling (event {ruling})" in day.refused(late, by=f"p{match.second}")
    assert day.do(CarryOut(ruling)) == []
    day.do(PairRound())


def test_who_may_correct_has_corrected_at_once() -> None:
    day = Day(2)
    day.start(1)
    (match,) = day.pair()
    day.report(match)
    ruling, entered = day.do(Rule(1, "the slip", match.number, decides=LOSS))
    assert (state(day, match), unsettled(day.tournament)) == ("settled", [])
    refused = day.refused(WithdrawRuling(ruling.seq, "x"))
    assert f"event {entered.seq} carried out ruling {ruling.seq}" in refused


@pytest.mark.parametrize("entered", [True, False])
def test_a_review_that_overturns_it_lets_the_report_stand(entered: bool) -> None:  # noqa: FBT001
    day, match = reported()
    ruling = ruled(day, match)
    if entered:
        day.do(CarryOut(ruling))
    day.do(Appeal(ruling), by=f"p{match.first}")
    assert state(day, match) == "appealed"
    assert "under review" in day.refused(PairRound())
    again = DisputeResult(match.number)
    assert "under review" in day.refused(again, by=f"p{match.first}")
    seen = day.do(Rule(3, "seen", match.number, reviews=ruling), by=MARSHAL)[0].seq
    assert state(day, match) == ("correction due" if entered else "settled")
    day.do(CarryOut(seen))
    assert (state(day, match), outcomes(day, match)) == ("settled", ("win", "loss"))


def test_a_review_that_upholds_it_leaves_it_due() -> None:
    day, match = reported()
    ruling = ruled(day, match)
    day.do(Appeal(ruling), by=f"p{match.first}")
    day.do(Rule(3, "seen", match.number, reviews=ruling, upheld=True), by=MARSHAL)
    assert state(day, match) == "correction due"


def test_taken_back_it_is_as_if_it_had_not_been() -> None:
    day, match = reported()
    day.do(WithdrawRuling(ruled(day, match), "the wrong table"), by=JUDGE)
    assert (state(day, match), open_in_the_audit(day)) == ("undisputed", [])
    ruling = ruled(day, match)
    day.do(PairRound(reason="the hall closes", despite_dispute=True))
    day.do(WithdrawRuling(ruling, "the wrong table"), by=JUDGE)
    assert (state(day, match), open_in_the_audit(day)) == ("undisputed", [])
    day.do(Correct(match.number, StatedResult("modified win"), "the slip"))
    assert fold_lines(day.lines) == day.tournament


def test_who_rules_for_good_rules_anew_while_a_correction_is_due() -> None:
    """A ruling that was typed wrongly and not yet entered; taken back, the first counts again."""
    day = Day(2)
    day.start(1)
    (match,) = day.pair()
    day.report(match)
    first = Rule(1, "the slip", match.number, decides=LOSS, corrects=False)
    day.do(first)
    modified = StatedResult("modified loss")
    day.do(Rule(1, "misread", match.number, decides=modified, corrects=False))
    assert state(day, match) == "correction due"
    day.do(Undo())
    day.do(CarryOut(day.tournament.floor.rulings[-1].seq))
    assert outcomes(day, match) == ("loss", "win")


def test_a_review_may_be_the_first_to_say_what_the_result_is() -> None:
    day, match = reported()
    bare = day.do(Rule(2, "the card stays", match.number), by=JUDGE)[0].seq
    day.do(Appeal(bare), by=f"p{match.second}")
    day.do(CloseRound())  # what says nothing of a result holds nothing up
    review = Rule(3, "it does not", match.number, reviews=bare, decides=LOSS)
    seen = day.do(review, by=MARSHAL)[0].seq
    assert state(day, match) == "correction due"
    day.do(WithdrawRuling(seen, "x"), by=MARSHAL)
    assert state(day, match) == "undisputed"
    ruling = ruled(day, match)
    assert f"has a ruling (event {ruling})" in day.refused(review, by=MARSHAL)
    assert fold_lines(day.lines) == day.tournament


def test_after_a_dispute_that_was_taken_back_a_ruling_counts_as_well() -> None:
    day, match = reported()
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    day.do(WithdrawDispute(match.number, "no"), by=f"o1/p{match.second}")
    ruled(day, match)
    assert state(day, match) == "correction due"
    assert len(day.tournament.floor.disputes) == 2


@pytest.mark.parametrize("told", [WIN, LOSS])
def test_a_report_that_waits_is_entered_as_it_was_ruled(told: StatedResult) -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    ruling = ruled(day, match, told)
    assert state(day, match) == "correction due"
    confirmed = ConfirmResult(match.number)
    assert f"has a ruling (event {ruling})" in day.refused(confirmed, by=f"p{match.second}")
    day.do(CarryOut(ruling))
    assert outcomes(day, match) == ((told.outcome, "loss" if told == WIN else "win"))
    assert state(day, match) == "settled"
