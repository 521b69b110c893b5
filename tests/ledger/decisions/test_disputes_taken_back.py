"""Rulings and appeals taken back: as if they had not been, until something was decided on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.shared import Stage
from ledger.facts.undo import ActWithdrawn
from ledger.fold import fold_lines
from ledger.proof.lines import type_problem
from ledger.rules.disputes import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawAppeal,
    WithdrawDispute,
    WithdrawRuling,
)
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import Rule
from ledger.rules.opening import ChangeStructure
from ledger.rules.pairing import PairRound
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.rules.undo import Undo
from ledger.tournament.disputes import latest_dispute, state_of
from projections.disputes import rulings_as_json
from projections.matches import story_of
from tests.clauses.test_undo import state as facts
from tests.ledger.decisions.test_disputes import waiting_day
from tests.support.forging import against
from tests.support.simulate import Day
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.rules.command import Command
    from ledger.tournament.state import Match

LOSS = StatedResult("loss")
JUDGE, MARSHAL = "o2", "o3"


def court(*further: Stage) -> tuple[Day, Match]:
    """Table 1 is disputed by its second player, table 2 is done; o2 is a judge, o3 a marshal."""
    day = Day(4)
    appoint(day, "Jun", "judge")
    appoint(day, "Mara", "marshal")
    day.start(1 if further else 2, *further)
    match, other = day.pair()
    day.report(other)
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.do(Report(match.number, StatedResult("loss")), by=f"o1/p{match.second}")
    return day, match


def undisputed() -> tuple[Day, Match]:
    """Four players in round 1, and the match at table 1."""
    day = Day(4)
    day.start(2)
    return day, day.pair()[0]


def ruled(day: Day, match: Match, told: StatedResult | None = LOSS) -> int:
    order = Rule(2, "the slip", match.number, stands=told is None, decides=told)
    return day.do(order, by=JUDGE)[0].seq


def reviewed(day: Day, match: Match, ruling: int, *, upheld: bool = True) -> int:
    order = Rule(3, "seen", match.number, reviews=ruling, upheld=upheld)
    return day.do(order, by=MARSHAL)[0].seq


def state(day: Day, match: Match) -> str:
    dispute = latest_dispute(day.tournament, match.number)
    assert dispute is not None
    return state_of(day.tournament, dispute)


def test_the_whole_chain_is_walked_back_and_leaves_nothing() -> None:
    """FFG-RULING: each undo answers the last act at its desk, and only in that order."""
    day, match = court()
    before = [facts(day)]
    states = [state(day, match)]
    ruling = ruled(day, match)
    before.append(facts(day))
    states.append(state(day, match))
    assert f"event {ruling} ruled on the dispute" in day.refused(Undo())
    appeal = day.do(Appeal(ruling), by=f"o1/p{match.first}")[0].seq
    before.append(facts(day))
    states.append(state(day, match))
    assert f"under appeal (event {appeal})" in day.refused(Undo(), by=JUDGE)
    review = reviewed(day, match, ruling)
    assert f"event {review} decided the appeal" in day.refused(Undo())
    assert f"event {review} reviewed" in day.refused(Undo(), by=JUDGE)
    for by, event in (
        (MARSHAL, ActWithdrawn),
        ("o1", ActWithdrawn),
        (JUDGE, ActWithdrawn),
    ):
        (undone,) = day.do(Undo("typed wrongly"), by=by)
        assert isinstance(undone.event, event)
        assert undone.event.reason == "typed wrongly"
        assert (facts(day), state(day, match)) == (before.pop(), states.pop())
    assert fold_lines(day.lines) == day.tournament
    day.do(WithdrawDispute(match.number, "no"))
    assert state(day, match) == "settled"


def test_a_ruling_typed_wrongly_is_made_anew() -> None:
    day, match = court()
    wrong = ruled(day, match, None)
    assert state(day, match) == "settled"
    day.do(WithdrawRuling(wrong, "the other table"), by=JUDGE)
    assert state(day, match) == "open"
    assert rulings_as_json(day.tournament) == []
    assert "is not a ruling" in day.refused(WithdrawRuling(wrong, "again"), by=JUDGE)
    right = ruled(day, match)
    assert state(day, match) == "correction due"
    day.do(CarryOut(right))
    assert day.tournament.matches[match.number].result_seq == day.log[-1].seq


def test_a_review_taken_back_leaves_the_appeal_open() -> None:
    day, match = court()
    ruling = ruled(day, match)
    day.do(Appeal(ruling), by=f"p{match.first}")
    review = reviewed(day, match, ruling, upheld=False)
    assert state(day, match) == "settled"
    day.do(WithdrawRuling(review, "meant to uphold it"), by=MARSHAL)
    assert state(day, match) == "appealed"
    reviewed(day, match, ruling)
    assert state(day, match) == "correction due"


def test_without_the_last_of_two_rulings_the_one_before_is_in_force() -> None:
    """Who rules for good may rule anew; taken back, the first counts again."""
    day = Day(2)
    day.start(1)
    (match,) = day.pair()
    day.report(match)
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    stands = Rule(1, "so it was", match.number, stands=True)
    first = day.do(stands)[0].seq
    anew = Rule(1, "it was not", match.number, decides=LOSS, corrects=False)
    second = day.do(anew)[0].seq
    assert f"event {second} is a later ruling" in day.refused(WithdrawRuling(first, "x"))
    assert state(day, match) == "correction due"
    day.do(Undo())
    assert state(day, match) == "settled"
    day.do(WithdrawRuling(first, "x"))
    assert state(day, match) == "open"


def test_a_review_that_the_day_went_on_with_is_put_right_by_who_rules_for_good() -> None:
    """Else nobody could: it is neither appealed nor, once a round was paired, undone."""
    day, match = court()
    ruling = ruled(day, match)
    day.do(Appeal(ruling), by=f"p{match.first}")
    reviewed(day, match, ruling, upheld=False)
    day.pair()
    assert "[rule.result]" in day.refused(Undo(), by=MARSHAL)
    anew = Rule(2, "so the slip", match.number, decides=LOSS)
    assert "it is final" in day.refused(anew, by=JUDGE)
    assert "cannot rule on this" in day.refused(Rule(3, "the card", match.number), by=MARSHAL)
    again = day.do(Rule(3, "meant to uphold it", match.number, decides=LOSS), by=MARSHAL)
    assert state(day, match) == "correction due"
    day.do(CarryOut(again[0].seq))
    assert state(day, match) == "settled"
    assert "final" in day.refused(Appeal(again[0].seq), by=f"p{match.first}")
    assert fold_lines(day.lines) == day.tournament


def test_what_was_decided_on_a_ruling_keeps_it() -> None:
    day, match = court()
    ruling = ruled(day, match)
    entered = day.do(CarryOut(ruling))[0].seq
    refused = day.refused(Undo(), by=JUDGE)
    assert (
        f"event {entered} carried out ruling {ruling}, which can no longer be withdrawn "
        "(FFG-RULING) [appeal]"
    ) in refused


@pytest.mark.parametrize("order", [PairRound(), MakeCut(), FinishTournament()])
def test_what_the_day_went_on_with_keeps_a_ruling(order: Command) -> None:
    cut = isinstance(order, MakeCut)
    day, match = court(*([Stage("single", entry="top", size=2)] if cut else []))
    ruling = ruled(day, match, None)
    if isinstance(order, FinishTournament):
        day.do(ChangeStructure((Stage("swiss", 1),), "the hall closes"))
        day.do(CloseRound())
    event = day.do(order)[-1].seq
    back = WithdrawRuling(ruling, "after all")
    assert f"play has continued (event {event}) with the result of ruling {ruling}" in day.refused(
        back, by=JUDGE
    )


def test_a_ruling_after_the_end_can_still_be_taken_back() -> None:
    """What settles no dispute holds nothing up, and what came after the end nothing rests on."""
    day, match = court()
    early = day.do(Rule(2, "the card stays"), by=JUDGE)[0].seq
    day.do(ChangeStructure((Stage("swiss", 1),), "the hall closes"))
    day.do(CloseRound())
    day.do(FinishTournament(despite_dispute=True, reason="the hall closes"))
    day.do(WithdrawRuling(early, "another table"), by=JUDGE)
    late = ruled(day, match)
    appeal = day.do(Appeal(late), by=f"p{match.first}")[0].seq
    assert f"under appeal (event {appeal})" in day.refused(WithdrawRuling(late, "x"), by=JUDGE)
    day.do(WithdrawAppeal(late, "I see"), by=f"o1/p{match.first}")
    day.do(WithdrawRuling(late, "typed wrongly"), by=JUDGE)
    assert state(day, match) == "open"


def test_an_appeal_is_its_players_or_the_desks_to_take_back() -> None:
    day, match = court()
    ruling = ruled(day, match)
    back = WithdrawAppeal(ruling, "I see")
    assert "is not under appeal" in day.refused(back, by=f"p{match.first}")
    day.do(Appeal(ruling), by=f"p{match.first}")
    for by in (f"p{match.second}", f"o1/p{match.second}"):
        assert "only their own appeal" in day.refused(back, by=by)
    day.do(back, by=f"o1/p{match.first}")
    assert "is not under appeal" in day.refused(back, by=f"p{match.first}")
    day.do(Appeal(ruling), by=f"p{match.first}")
    day.do(back)
    assert state(day, match) == "correction due"


def test_a_review_that_the_ruling_asks_for_goes_with_it() -> None:
    day, match = court()
    order = Rule(
        2, "the slip", match.number, raised="player", player=match.first, review=True, decides=LOSS
    )
    ruling = day.do(order, by=JUDGE)[0].seq
    assert "withdraw the ruling instead" in day.refused(WithdrawAppeal(ruling, "I see"))
    day.do(WithdrawRuling(ruling, "no review is wanted"), by=JUDGE)
    ruled(day, match)
    assert state(day, match) == "correction due"


def test_forged_withdrawals_are_refused() -> None:
    day, match = court()
    ruling = ruled(day, match)
    appeal = day.do(Appeal(ruling), by=f"p{match.first}")[0].seq
    other = match.second
    for event, by, problem in (
        (ActWithdrawn(appeal, " "), "o1", "needs a reason"),
        (ActWithdrawn(1, "x"), "o1", "cannot be withdrawn"),
        (ActWithdrawn(day.tournament.seq + 1, "x"), "o1", "cannot be withdrawn"),
        (ActWithdrawn(appeal, "x"), f"p{other}", "only their own appeal"),
        (ActWithdrawn(ruling, " "), JUDGE, "needs a reason"),
        (ActWithdrawn(ruling, "x"), JUDGE, "is under appeal"),
        (ActWithdrawn(ruling, "x"), MARSHAL, "made this ruling"),
        (ActWithdrawn(ruling, "x"), "o1", "made this ruling"),
    ):
        assert problem in against(day, event, by=by), event
    assert against(day, ActWithdrawn(appeal, "x")) == ""


def test_the_story_of_a_match_tells_what_was_taken_back() -> None:
    day, match = court()
    ruling = ruled(day, match)
    day.do(Appeal(ruling), by=f"p{match.first}")
    day.do(WithdrawAppeal(ruling, "I see"), by=f"o1/p{match.first}")
    day.do(WithdrawRuling(ruling, "typed wrongly"), by=JUDGE)
    elsewhere = day.do(Rule(2, "the card stays"), by=JUDGE)[0].seq
    day.do(WithdrawRuling(elsewhere, "no"), by=JUDGE)
    told = [each.type for each in story_of(day.tournament, day.log, match)]
    assert told == [
        "RoundPaired", "ResultReported", "ResultDisputed", "RulingMade", "AppealMade",
        "ActWithdrawn", "ActWithdrawn",
    ]  # fmt: skip


def test_a_report_is_taken_back_once_its_dispute_is() -> None:
    day, match = court()
    seq = day.tournament.matches[match.number].result_seq
    day.do(WithdrawDispute(match.number, "no"), by=f"o1/p{match.second}")
    other = next(m for m in day.matches() if m.number != match.number)
    day.do(DisputeResult(other.number), by=f"p{other.second}")
    day.do(ConfirmResult(other.number), by=f"p{other.second}")
    assert against(day, ActWithdrawn(seq, "x")) == ""
    kept = ActWithdrawn(day.tournament.matches[other.number].result_seq, "x")
    assert "is confirmed" in against(day, kept)
    day.do(DisputeResult(other.number), by=f"p{other.second}")
    ruling = ruled(day, other, None)
    assert f"has a ruling (event {ruling})" in against(day, kept)


def test_a_dispute_said_again_in_other_words_is_refused() -> None:
    day, match = court()
    by = f"p{match.second}"
    same = DisputeResult(match.number, LOSS)
    assert day.do(same, by=by) == []
    added = DisputeResult(match.number, LOSS, "the slip shows it")
    assert "only one open dispute" in day.refused(added, by=by)
    day.do(WithdrawDispute(match.number, "to say why"), by=f"o1/{by}")
    day.do(added, by=by)
    assert day.do(same, by=by) == day.do(added, by=by) == []
    ruling = ruled(day, match)
    for again in (same, Report(match.number, StatedResult("loss"))):
        assert f"has a ruling (event {ruling})" in day.refused(again, by=by)


def test_what_was_confirmed_or_disputed_is_not_undone() -> None:
    day, match = undisputed()
    day.report(match)
    day.do(ConfirmResult(match.number), by=f"p{match.second}")
    assert "[correct]" in day.refused(Undo())
    day, match = undisputed()
    day.report(match)
    seq = day.do(DisputeResult(match.number), by=f"p{match.second}")[0].seq
    assert f"is disputed (event {seq})" in day.refused(Undo())


@pytest.mark.parametrize("again", [ConfirmResult(1), Report(1, StatedResult("win"))])
def test_who_confirmed_and_then_disputed_settles_it_by_confirming(again: Command) -> None:
    day, match = undisputed()
    by = f"p{match.second}"
    day.report(match)
    day.do(ConfirmResult(match.number), by=by)
    assert day.do(again, by=by) == []
    day.do(DisputeResult(match.number, LOSS), by=by)
    (settled,) = day.do(again, by=by)
    assert state(day, match) == "settled"
    assert day.do(again, by=by) == []
    taken_back = ActWithdrawn(settled.seq, "x")
    assert "settled a dispute" in against(day, taken_back)
    assert fold_lines(day.lines) == day.tournament


def test_a_dispute_taken_back_leaves_what_was_confirmed_before_it() -> None:
    day, match = undisputed()
    by = f"p{match.second}"
    day.report(match)
    day.do(ConfirmResult(match.number), by=by)
    dispute = day.do(DisputeResult(match.number), by=by)[0]
    for order in (Undo(), WithdrawDispute(match.number, "no")):
        refused = day.refused(order, by=by)
        assert "reserved for officials" in refused, "no reader takes such a line by a player"
    assert "ActWithdrawn must be" in type_problem("ActWithdrawn", by)
    (back,) = day.do(WithdrawDispute(match.number, "no"), by=f"o1/{by}")
    assert getattr(back.event, "withdraws", 0) == dispute.seq
    assert day.do(ConfirmResult(match.number), by=by) == []


def test_what_the_desk_confirmed_and_then_disputed_is_ruled_on() -> None:
    day, match = undisputed()
    day.report(match)
    day.do(ConfirmResult(match.number))
    day.do(DisputeResult(match.number))
    assert "a judge must rule" in day.refused(ConfirmResult(match.number))


def test_after_the_end_a_confirmation_still_settles_and_nothing_else() -> None:
    """Rulings, reviews and corrections stay possible; a mere nod at what counts comes too late."""
    day, match = court()
    other = next(each for each in day.matches() if each.number != match.number)
    day.do(ChangeStructure((Stage("swiss", 1),), "the hall closes"))
    day.do(FinishTournament(despite_dispute=True, reason="the hall closes"))
    late, same = ConfirmResult(other.number), Report(other.number, StatedResult("win"))
    for by in (f"p{other.second}", f"o1/p{other.second}", "o1"):
        assert "play is closed" in day.refused(late, by=by)
    assert "play is closed" in day.refused(same, by=f"p{other.second}")
    day.do(ConfirmResult(match.number), by=f"p{match.second}")
    assert state(day, match) == "settled"


def test_after_the_end_the_desk_confirms_what_still_waits() -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    day.report(day.matches()[1])
    day.do(ChangeStructure((Stage("swiss", 1),), "the hall closes"))
    day.do(FinishTournament(despite_dispute=True, reason="the hall closes"))
    day.do(WithdrawDispute(match.number, "no"), by=f"o1/p{match.second}")
    day.do(ConfirmResult(match.number))
    assert day.tournament.matches[match.number].result is not None
