"""The dispute chain: report, confirm, dispute, rule, appeal, review, correct."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.disputes import ResultConfirmed, ResultDisputed
from ledger.facts.results import ResultCorrected
from ledger.facts.shared import RulingMade, Stage
from ledger.facts.undo import ActWithdrawn
from ledger.fold import fold_lines
from ledger.rules.disputes import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawDispute,
)
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.office import LinkOfficial, Rule
from ledger.rules.pairing import PairRound
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, UnpairRound
from ledger.rules.undo import Undo
from ledger.tournament.disputes import dispute_of, latest_dispute, state_of
from projections.disputes import disputes_as_json
from projections.standings.table import standings
from tests.support.simulate import Day
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.tournament.state import Match

WIN, LOSS = StatedResult("win"), StatedResult("loss")


def court(rounds: int = 2, *further: Stage) -> tuple[Day, Match, int, int]:
    """Four players in round 1, a judge and a marshal; the match at table 1."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    day.start(rounds, *further)
    return day, day.pair()[0], judge, marshal


def disputed(rounds: int = 2) -> tuple[Day, Match, int, int]:
    """Both sides of table 1 reported themselves the winner; the other table is done."""
    day, match, judge, marshal = court(rounds)
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.do(Report(match.number, StatedResult("loss")), by=f"o1/p{match.second}")
    day.report(day.matches()[1])
    return day, match, judge, marshal


def state(day: Day, match: Match) -> str:
    dispute = latest_dispute(day.tournament, match.number)
    assert dispute is not None
    return state_of(day.tournament, dispute)


def ruled(day: Day, match: Match, judge: int, decides: StatedResult | None = LOSS) -> int:
    """A judge rules on the dispute; the event of it."""
    order = Rule(
        judge, "as the slip", match.number, "FFG-RULING", stands=not decides, decides=decides
    )
    return day.do(order, by=f"o{judge}")[0].seq


def outcomes(day: Day, match: Match) -> tuple[str, str] | None:
    result = day.tournament.matches[match.number].result
    return result.outcomes if result else None


def test_the_same_report_of_the_other_side_confirms_it_once() -> None:
    day, match, *_ = court()
    seq = day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")[0].seq
    again = Report(match.number, StatedResult("win"))
    assert day.do(again, by=f"p{match.first}") == []
    assert day.do(again) == []
    (confirmed,) = day.do(again, by=f"p{match.second}")
    assert confirmed.event == ResultConfirmed(match.number, seq, match.second)
    assert day.do(again, by=f"o1/p{match.second}") == []


def test_another_report_of_the_other_side_opens_a_dispute_with_both_claims() -> None:
    day, match, *_ = disputed()
    (shown,) = disputes_as_json(day.tournament)
    assert shown["state"] == "open"
    claims = shown["claims"]
    assert isinstance(claims, list)
    assert [each["player"] for each in claims] == [match.first, match.second]
    assert [each["result"]["outcomes"] for each in claims] == [("win", "loss"), ("loss", "win")]
    assert outcomes(day, match) == ("win", "loss")  # the first report counts until ruled on
    again = Report(match.number, StatedResult("loss"))
    assert day.do(again, by=f"p{match.second}") == []
    assert fold_lines(day.lines) == day.tournament


def test_by_the_desk_or_the_same_side_another_report_is_refused() -> None:
    day, match, *_ = court()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    other = Report(match.number, StatedResult("loss"))
    assert "[correct]" in day.refused(other)
    assert "[correct]" in day.refused(other, by=f"p{match.first}")


def test_a_dispute_holds_up_the_next_round_unless_the_organizer_waives_it() -> None:
    day, match, *_ = disputed()
    assert "FFG-RULING" in day.refused(PairRound())
    scorekeeper = appoint(day, "Sam", "scorekeeper")
    over = PairRound(reason="the hall closes", despite_dispute=True)
    assert "is reserved for the organizer" in day.refused(over, by=f"o{scorekeeper}")
    assert "needs a reason" in day.refused(PairRound(despite_dispute=True))
    day.do(over)
    assert len(day.tournament.rounds) == 2
    assert state(day, match) == "open"


def test_a_dispute_holds_up_the_cut_and_the_end() -> None:
    day, match, judge, _ = court(1, Stage("single", entry="top", size=2))
    day.report_all()
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    assert "FFG-RULING" in day.refused(MakeCut())
    ruled(day, match, judge, None)
    day.do(MakeCut())
    day.do(PairRound())
    final = day.matches()[0]
    day.report(final)
    day.do(DisputeResult(final.number, reason="time was called"), by=f"p{final.second}")
    assert "FFG-RULING" in day.refused(FinishTournament())
    day.do(FinishTournament(despite_dispute=True, reason="the judge has left"))
    assert day.tournament.finished


def test_a_ruling_settles_it_and_the_desk_enters_what_was_ruled() -> None:
    day, match, judge, _ = disputed()
    seq = ruled(day, match, judge)
    assert state(day, match) == "correction due"
    assert "[correct]" in day.refused(PairRound())
    assert "has a ruling" in day.refused(Correct(match.number, StatedResult("loss"), "so"))
    wrong = Correct(match.number, StatedResult("modified win"), "so", ruling=seq)
    assert "not the decision of ruling" in day.refused(wrong)
    (done,) = day.do(CarryOut(seq))
    assert isinstance(done.event, ResultCorrected)
    assert (done.event.ruling, done.event.reason) == (seq, "as the slip")
    assert state(day, match) == "settled"
    assert day.do(CarryOut(seq)) == []
    day.do(PairRound())


def test_a_ruling_lets_the_report_stand() -> None:
    day, match, judge, _ = disputed()
    seq = ruled(day, match, judge, None)
    assert state(day, match) == "settled"
    assert day.do(CarryOut(seq)) == []
    assert outcomes(day, match) == ("win", "loss")


def test_who_may_correct_corrects_with_the_ruling() -> None:
    day = Day(2)
    day.start(1)
    (match,) = day.pair()
    day.report(match)
    day.do(DisputeResult(match.number), by=f"p{match.second}")
    order = Rule(1, "as the slip", match.number, decides=LOSS)
    made, corrected = day.do(order)
    assert isinstance(made.event, RulingMade)
    assert isinstance(corrected.event, ResultCorrected)
    assert corrected.event.ruling == made.seq
    left = Rule(1, "once more", match.number, decides=WIN, corrects=False)
    assert len(day.do(left)) == 1  # for good, so who rules for good may put it right
    assert state(day, match) == "correction due"


def test_an_appeal_and_a_review_that_overturns_reopen_the_correction() -> None:
    day, match, judge, marshal = disputed()
    first = ruled(day, match, judge)
    day.do(CarryOut(first))
    day.do(Appeal(first, "one slip of two"), by=f"o1/p{match.first}")
    assert state(day, match) == "appealed"
    assert "FFG-RULING" in day.refused(PairRound())
    assert "under review" in day.refused(
        Correct(match.number, StatedResult("win"), "so", ruling=first)
    )
    last = Rule(marshal, "both slips", match.number, reviews=first)
    seq = day.do(last, by=f"o{marshal}")[0].seq
    assert state(day, match) == "correction due"
    assert "has a ruling" in day.refused(
        Correct(match.number, StatedResult("win"), "so", ruling=first)
    )
    day.do(CarryOut(seq))
    assert outcomes(day, match) == ("win", "loss")
    assert state(day, match) == "settled"


def test_a_review_that_upholds_changes_nothing() -> None:
    day, match, judge, marshal = disputed()
    first = ruled(day, match, judge)
    day.do(Appeal(first), by=f"p{match.first}")
    assert "uphold the ruling instead" in day.refused(
        Rule(marshal, "x", match.number, reviews=first, decides=LOSS), by=f"o{marshal}"
    )
    review = Rule(marshal, "so it is", match.number, reviews=first, upheld=True)
    seq = day.do(review, by=f"o{marshal}")[0].seq
    day.do(CarryOut(seq))
    assert outcomes(day, match) == ("loss", "win")


def test_ffg_role_judge_a_review_is_not_appealed() -> None:
    day, match, judge, marshal = disputed()
    first = ruled(day, match, judge)
    appeal = Appeal(first)
    assert "name the player" in day.refused(appeal)
    stranger = next(p for p in range(1, 5) if p not in match.players)
    assert day.refused(appeal, by=f"p{stranger}")
    day.do(appeal, by=f"p{match.first}")
    assert "already" in day.refused(appeal, by=f"p{match.second}")
    review = Rule(marshal, "so it is", match.number, reviews=first, upheld=True)
    last = day.do(review, by=f"o{marshal}")[0].seq
    for seq in (first, last):
        assert "FFG-ROLE-JUDGE" in day.refused(Appeal(seq), by=f"p{match.first}")
    assert "is not a ruling" in day.refused(Appeal(1), by=f"p{match.first}")


def test_one_dispute_of_a_match_at_a_time_and_none_past_a_ruling() -> None:
    day, match, judge, _ = disputed()
    again = DisputeResult(match.number, reason="no")
    assert "only one open dispute" in day.refused(again, by="o2")
    seq = ruled(day, match, judge, None)
    assert f"(event {seq}) by o2, and" in day.refused(again, by=f"p{match.second}")
    assert day.refused(Rule(judge, "x", match.number, decides=LOSS), by=f"o{judge}")
    assert "there is no open dispute" in day.refused(Rule(judge, "x", match.number, stands=True))


def test_ffg_leader_ruling_nobody_involved_rules() -> None:
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(judge, 1))
    day.start(2)
    day.do(PairRound(((1, 2),), "a test"))
    match = day.matches()[0]
    day.report(match)
    day.do(DisputeResult(match.number), by="p2")
    mine = Rule(judge, "mine", match.number, stands=True)
    assert "FFG-LEADER-RULING" in day.refused(mine, by=f"o{judge}")
    day.do(Rule(1, "so it is", match.number, stands=True))


def test_a_dispute_ends_without_a_ruling() -> None:
    day, match, *_ = disputed()
    day.do(ConfirmResult(match.number), by=f"p{match.second}")
    assert state(day, match) == "settled"
    day.do(DisputeResult(match.number, LOSS, "after all"), by=f"p{match.second}")
    assert state(day, match) == "open"
    assert "judge must rule" in day.refused(ConfirmResult(match.number))
    day.do(WithdrawDispute(match.number, "no"), by=f"o1/p{match.second}")
    assert dispute_of(day.tournament, match.number) is None
    day.do(PairRound())
    assert "is not disputed" in day.refused(WithdrawDispute(match.number, "no"))


def test_undo_takes_a_confirmation_and_a_dispute_back() -> None:
    day, match, *_ = court()
    day.report(match)
    day.do(ConfirmResult(match.number), by=f"o1/p{match.first}")
    (undone,) = day.do(Undo())
    assert isinstance(undone.event, ActWithdrawn)
    day.do(DisputeResult(match.number), by=f"o1/p{match.second}")
    day.do(Undo())
    assert state(day, match) == "settled"
    assert not day.tournament.floor.confirmed[match.number]


def test_a_confirmation_ends_with_the_result_that_it_was_of() -> None:
    day, match, *_ = court()
    day.report(match)
    day.do(ConfirmResult(match.number), by=f"p{match.second}")
    seq = day.do(Correct(match.number, StatedResult("loss"), "misread"))[0].seq
    (again,) = day.do(ConfirmResult(match.number), by=f"p{match.second}")
    assert again.event == ResultConfirmed(match.number, seq, match.second)


def test_after_the_end_nobody_disputes_and_officials_still_decide() -> None:
    """Confirmed or not: the sides had their say while play was open."""
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.start(1)
    one, other = day.pair()
    day.report_all()
    day.do(ConfirmResult(one.number), by=f"p{one.first}")
    open_still = DisputeResult(other.number, reason="time was called")
    day.do(open_still, by=f"p{other.second}")
    day.do(CloseRound())
    day.do(FinishTournament(despite_dispute=True, reason="the hall closes"))
    for match in (one, other):
        late = DisputeResult(match.number, reason="too late")
        for by in (f"p{match.second}", f"o{judge}"):
            assert "an official must rule on the result" in day.refused(late, by=by)
    counter = Report(one.number, StatedResult("loss"))
    assert "an official must rule" in day.refused(counter, by=f"p{one.second}")
    seq = ruled(day, other, judge)
    day.do(Appeal(seq), by=f"p{other.first}")
    day.do(Rule(1, "so it is", other.number, reviews=seq, upheld=True))
    assert outcomes(day, other) == ("loss", "win")
    asked = Rule(judge, "the slip", one.number, raised="player", player=one.second, decides=LOSS)
    day.do(CarryOut(day.do(asked, by=f"o{judge}")[0].seq))
    assert outcomes(day, one) == ("loss", "win")


def test_a_ruling_names_its_correction_even_without_a_dispute() -> None:
    day, match, judge, _ = court()
    day.report_all()
    order = Rule(judge, "the slip was misread", match.number, decides=LOSS)
    seq = day.do(order, by=f"o{judge}")[0].seq
    assert "not the decision of ruling" in day.refused(
        Correct(match.number, StatedResult("modified win"), "so", ruling=seq)
    )
    day.do(CarryOut(seq))
    assert outcomes(day, match) == ("loss", "win")
    other = day.matches()[1]
    bare = day.do(Rule(judge, "the card stays", other.number), by=f"o{judge}")[0].seq
    assert "does not decide a result" in day.refused(CarryOut(bare))
    day.do(Correct(other.number, StatedResult("loss"), "after all", ruling=bare))


def waiting_day() -> tuple[Day, Match]:
    """A day whose ruleset wants a player's report confirmed."""
    day = Day(4, ruleset="swiss", changed=('confirmation = "none"', 'confirmation = "opponent"'))
    appoint(day, "Jun", "judge")
    day.start(2)
    return day, day.pair()[0]


def points(day: Day) -> dict[int, int]:
    return {row.player: row.points for row in standings(day.tournament).rows}


@pytest.mark.parametrize("confirming", ["p{second}", "o1/p{second}", "o1"])
def test_a_players_report_counts_once_it_is_confirmed(confirming: str) -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.report(day.matches()[1])
    assert outcomes(day, match) is None
    assert points(day)[match.first] == 0
    assert "not confirmed" in day.refused(PairRound())
    assert "has no open match" in day.refused(Concede(match.second))
    assert "has results" in day.refused(UnpairRound("x"))
    assert "can confirm" in day.refused(ConfirmResult(match.number), by=f"p{match.first}")
    day.do(ConfirmResult(match.number), by=confirming.format(second=match.second))
    assert outcomes(day, match) == ("win", "loss")
    assert points(day)[match.first] == 2
    assert fold_lines(day.lines) == day.tournament
    by = confirming.format(second=match.second)
    assert not by.startswith("o") or "[correct]" in day.refused(Undo(), by=by)
    day.do(PairRound())


def test_an_officials_report_and_a_concession_count_at_once() -> None:
    day, match = waiting_day()
    day.do(Concede(match.second), by=f"p{match.second}")
    assert outcomes(day, match) == ("win", "loss")
    other = day.matches()[1]
    day.report(other)
    assert outcomes(day, other) == ("win", "loss")


def test_a_waiting_report_that_is_disputed_is_ruled_on_and_entered() -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    assert "[correct]" in day.refused(Report(match.number, StatedResult("loss")))
    day.do(Report(match.number, StatedResult("draw")), by=f"p{match.second}")
    assert isinstance(day.log[-1].event, ResultDisputed)
    day.report(day.matches()[1])
    assert "FFG-RULING" in day.refused(PairRound())
    day.do(PairRound(reason="time", despite_dispute=True))
    assert day.tournament.rounds[0].status == "closed"
    assert outcomes(day, match) is None
    ruling = Rule(2, "they drew", match.number, decides=StatedResult("draw"))
    day.do(ruling, by="o2")
    day.do(CarryOut(day.log[-1].seq))
    assert outcomes(day, match) == ("draw", "draw")
    assert day.tournament.rounds[0].unreported == 0


def test_a_waiting_report_that_a_ruling_lets_stand_is_confirmed_by_the_desk() -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.do(DisputeResult(match.number, reason="no"), by=f"p{match.second}")
    day.do(Rule(2, "so it was", match.number, stands=True), by="o2")
    assert state(day, match) == "correction due"
    (done,) = day.do(CarryOut(day.log[-1].seq))
    assert isinstance(done.event, ResultConfirmed)
    assert outcomes(day, match) == ("win", "loss")
    assert state(day, match) == "settled"


def test_the_desk_corrects_a_waiting_report() -> None:
    day, match = waiting_day()
    day.do(Report(match.number, StatedResult("win")), by=f"p{match.first}")
    day.do(Correct(match.number, StatedResult("draw"), "the slip says so"))
    assert outcomes(day, match) == ("draw", "draw")
    assert day.tournament.rounds[0].unreported == 1
