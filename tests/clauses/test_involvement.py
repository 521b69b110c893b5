"""FFG-LEADER-RULING: nobody judges a match that they play, in whatever act; and the ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.clock import TableExtended
from ledger.facts.office import ConductNoted, DisqualificationRecommended, PenaltyGiven
from ledger.facts.people import PlayerDisqualified, PlayerDropped
from ledger.facts.results import ResultReported
from ledger.facts.shared import Result
from ledger.facts.undo import ActWithdrawn
from ledger.lines.line import decode
from ledger.rules.disputes import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawAppeal,
    WithdrawDispute,
)
from ledger.rules.office import LinkOfficial, Penalize, RecommendDisqualification, Rule
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import SwapSeats
from ledger.rules.undo import Undo
from projections.audit.report import audit_of
from tests.support.forging import against
from tests.support.simulate import Day, game_in_play
from tests.support.staff import ASHES, appoint

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN = "FFG-LEADER-RULING"
JUDGE = "o2"
LOST: Mapping[str, StatedResult] = {
    "swiss": StatedResult("loss"),
    "mtg": StatedResult(ending="played", facts={"games": (0, 2)}),
    "netrunner": StatedResult(points=(0, 6)),
}
"""The first player lost, as each game tells it."""

DECLARED = Result(("win", "loss"), (10, 1), "declared")


def club(*, judge: bool = True, ruleset: str = "l5r") -> Day:
    """The organizer is player 1 and meets player 2; o2 is a judge who does not play."""
    day = Day(4, ruleset=ruleset)
    if judge:
        appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.start(3)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    return day


def kinds(day: Day) -> list[str]:
    return [each.kind for each in audit_of(map(decode, day.lines)).findings]


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(
    "event",
    [
        PenaltyGiven(2, "warning", "slow"),
        PenaltyGiven(2, "warning", "slow", match=1),
        ConductNoted(2, "discourtesy", "a word"),
        DisqualificationRecommended(2, "two decks"),
        PlayerDisqualified(2, "two decks"),
        PlayerDropped(2, "conduct"),
        TableExtended(1, 5, "a judge was called"),
    ],
)
def test_nobody_judges_their_opponent_though_the_match_has_ended(event, ended: bool) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001, FBT001 - cases
    """FFG-LEADER-RULING: by the desk or forged, about the match or the player in it."""
    day = club()
    if ended:
        day.report(day.matches()[0])
    assert OWN in against(day, event)
    far = club()
    far.do(SwapSeats((2, 3), "another table"))
    assert OWN not in against(far, event) or getattr(event, "match", 0) == 1


def test_a_judge_recommends_and_the_organizer_decides() -> None:
    """FFG-AUTH-DQ: with no marshal and the organizer at the table, any other leader recommends."""
    day = club()
    removal = DisqualifyPlayer(2, "two decks")
    assert "[recommend]" in day.refused(removal)
    assert OWN in day.refused(RecommendDisqualification(2, "two decks"))
    advice = day.do(RecommendDisqualification(2, "two decks"), by=JUDGE)[0].seq
    done, ended = day.do(removal)
    assert isinstance(done.event, PlayerDisqualified)
    assert done.event.recommendation == advice
    assert isinstance(ended.event, ResultReported)
    assert ended.event.result.manner == "declared"
    assert "own-judgement" not in kinds(day)


def test_ones_own_advice_is_no_leave() -> None:
    """A recommendation given before they met is not another leader's."""
    day = club()
    day.report_all()
    day.do(PairRound(((1, 3), (2, 4)), "a test"))
    day.do(RecommendDisqualification(2, "two decks"))
    day.report_all()
    day.do(PairRound(((1, 2), (3, 4)), "a test", allow_rematch=True))
    assert OWN in day.refused(DisqualifyPlayer(2, "two decks"))


def test_a_correction_of_ones_own_match_is_a_ruling_carried_out() -> None:
    day = club()
    own, other = day.matches()
    day.report_all()
    change = Correct(own.number, StatedResult("loss"), "misread")
    assert "[rule]" in day.refused(change)
    day.do(Correct(other.number, StatedResult("loss"), "misread"))
    bare = day.do(Rule(2, "the card stays", own.number), by=JUDGE)[0].seq
    assert OWN in day.refused(Correct(own.number, StatedResult("loss"), "misread", ruling=bare))
    order = Rule(2, "the slip", own.number, decides=StatedResult("loss"))
    ruling = day.do(order, by=JUDGE)[0].seq
    entered = day.do(CarryOut(ruling))[0].seq
    found = audit_of(map(decode, day.lines)).findings
    assert not [each for each in found if each.kind == "own-match" and entered in each.seqs]


def test_a_dispute_of_ones_own_match_is_ruled_on_and_carried_out() -> None:
    day = club()
    own = day.matches()[0]
    day.report(own)
    day.do(DisputeResult(own.number), by="p2")
    day.do(Rule(2, "so", own.number, decides=StatedResult("loss")), by=JUDGE)
    day.do(CarryOut(day.log[-1].seq))
    assert day.tournament.matches[own.number].result_seq == day.log[-1].seq


def test_who_did_not_come_is_anothers_to_say() -> None:
    """But for one's own absence, what no player may report is no official's of their own match."""
    day = club()
    own = day.matches()[0]
    absent = Report(own.number, StatedResult(absent=(2,)))
    assert "another leader must decide" in day.refused(absent)
    assert OWN in day.refused(DropPlayer(2, "no-show"))
    assert OWN in against(day, ResultReported(own.number, DECLARED))
    day.do(Report(own.number, StatedResult(absent=(1,))))
    day.do(Undo())
    day.do(absent, by=JUDGE)
    assert day.tournament.players[2].status == "dropped"
    assert kinds(day).count("own-match") == 1  # their own absence


def test_no_ruling_is_put_into_anothers_mouth() -> None:
    """FFG-LEADER-RULING: else who plays the match would rule on it in a judge's name."""
    day = club()
    own = day.matches()[0]
    day.report(own)
    ruling = Rule(2, "so", own.number, decides=StatedResult("loss"))
    assert OWN in day.refused(ruling)
    day.do(ruling, by=JUDGE)


def test_the_others_report_is_not_theirs_to_take_back() -> None:
    day = club()
    own = day.matches()[0]
    day.report(own)
    day.do(Undo())
    day.do(Report(own.number, StatedResult("loss")), by="o1/p2")
    assert "[undo.for]" in day.refused(Undo())
    day.do(Undo(), by="o1/p2")
    assert day.tournament.matches[own.number].result is None


def test_the_others_words_are_not_theirs_to_take_back() -> None:
    day = club()
    appoint(day, "Mara", "marshal")
    own = day.matches()[0]
    day.report(own)
    said = day.do(ConfirmResult(own.number), by="o1/p2")[0].seq
    back = ActWithdrawn(said, "x")
    assert "only their own confirmation" in against(day, back)
    assert against(day, back, by="o1/p2") == ""
    day.do(DisputeResult(own.number), by="o1/p2")
    assert "only their own dispute" in day.refused(WithdrawDispute(own.number, "x"))
    assert "only their own dispute" in day.refused(Undo())
    day.do(WithdrawDispute(own.number, "x"), by="o1/p2")
    day.do(DisputeResult(own.number), by="o1/p2")
    ruling = day.do(Rule(2, "so", own.number, stands=True), by=JUDGE)[0].seq
    day.do(Appeal(ruling), by="o1/p2")
    assert "only their own appeal" in day.refused(WithdrawAppeal(ruling, "x"))
    day.do(WithdrawAppeal(ruling, "x"), by="o1/p2")


@pytest.mark.parametrize("ruleset", ["swiss", "mtg", "netrunner"])
def test_alone_an_organizer_who_plays_decides_and_the_audit_tells(ruleset: str) -> None:
    """Where the ruleset lets leaders play without another one, somebody has to."""
    day = club(judge=False, ruleset=ruleset)
    own = day.matches()[0]
    day.do(Report(own.number, StatedResult(absent=(2,))))
    day.do(Undo())
    day.do(Concede(2, game_in_play(ruleset)))
    assert "own-judgement" not in kinds(day)
    day.do(DisputeResult(own.number), by="p2")
    day.do(Rule(1, "so it was", own.number, "PS-SCORE", stands=True))
    assert kinds(day).count("own-judgement") == 1
    anew = Rule(1, "it was not", own.number, "PS-SCORE", decides=LOST[ruleset])
    day.do(anew)
    assert kinds(day).count("own-judgement") == 2
    day.do(Penalize(2, "warning", "slow"))
    day.do(DisqualifyPlayer(2, "two decks"))
    assert kinds(day).count("own-judgement") == 4
    appoint(day, "Jun", "judge")
    assert OWN in day.refused(Penalize(2, "warning", "slow"))


def test_two_leaders_who_meet_with_nobody_beside_them_are_paired_and_rule() -> None:
    """Where leaders play without another one; in the Relaxed tier's way they are not paired."""
    for ruleset, allowed in (("swiss", True), ("l5r", False)):
        day = Day(4, ruleset=ruleset)
        appoint(day, "Jun", "judge")
        for official in (1, 2):
            day.do(LinkOfficial(official, official))
        day.start(2)
        meeting = PairRound(((1, 2), (3, 4)), "a test")
        if not allowed:
            assert OWN in day.refused(meeting)
            continue
        day.do(meeting)
        day.do(Rule(2, "the card stays", day.matches()[0].number), by=JUDGE)
        assert "own-judgement" in kinds(day)


def test_where_the_organizers_word_is_final_a_co_organizer_comes_first() -> None:
    """AOP-AUTH, AOP-COORGANIZER."""
    day = Day(4, floor=ASHES)
    day.do(LinkOfficial(1, 1))
    day.start(2)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    day.report(day.matches()[0])
    change = Correct(day.matches()[0].number, StatedResult("loss"), "misread")
    assert not day.refused_event(PenaltyGiven(2, "warning", "slow"))
    appoint(day, "Co", "co-organizer")
    assert OWN in day.refused(change)
    assert OWN in day.refused_event(PenaltyGiven(2, "warning", "slow"))


def test_who_does_not_play_judges_without_a_finding() -> None:
    day = club()
    match = day.matches()[1]
    day.report_all()
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    day.do(Rule(2, "so", match.number, "FFG-RULING", stands=True), by=JUDGE)
    day.do(Penalize(2, "warning", "slow"), by=JUDGE)
    assert "own-judgement" not in kinds(day)
