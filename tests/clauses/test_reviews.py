"""Clauses of what is looked at before and between the games: armies, and a First Five."""

from __future__ import annotations

from ledger.rules.office import LinkOfficial, StandDown
from ledger.rules.pairing import PairRound
from ledger.rules.rounds import StartRound
from ledger.rules.setups import OrderVerification, ReviewFirstFive
from tests.support.days.set_ups import FIRST_FIVE, VERIFICATION
from tests.support.simulate import Day
from tests.support.staff import ASHES, appoint


def test_rw_verify_is_the_marshals_before_round_1() -> None:
    """RW-VERIFY: ordered once, by a marshal, before play."""
    day = Day(2, floor=VERIFICATION)
    marshal = appoint(day, "Mara", "marshal")
    assert "is reserved for the marshal" in day.refused(OrderVerification())
    day.do(OrderVerification(), by=f"o{marshal}")
    assert day.do(OrderVerification(), by=f"o{marshal}") == []
    late = Day(2, floor=VERIFICATION)
    late.start(1)
    late.pair()
    late.do(StartRound())
    assert "RW-VERIFY" in late.refused(OrderVerification())


def test_aop_firstfive_reviewer() -> None:
    """AOP-FIRSTFIVE-REVIEWER, AOP-COORGANIZER: not the playing organizer at their own table."""
    day = Day(4, floor=ASHES + FIRST_FIVE)
    day.do(LinkOfficial(1, 1))
    helper = appoint(day, "Co", "co-organizer")
    keeper = appoint(day, "Sam", "scorekeeper")
    day.start(2)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    one, two = (match.number for match in day.matches())
    assert "AOP-FIRSTFIVE-REVIEWER" in day.refused(ReviewFirstFive(one, 2, official=1))
    assert "AOP-FIRSTFIVE-REVIEWER" in day.refused(ReviewFirstFive(one, 2, reviewer=1))
    assert "either" in day.refused(ReviewFirstFive(one, 2, helper, 3))
    assert "AOP-COORGANIZER" in day.refused(ReviewFirstFive(one, 2, official=keeper))
    assert "is not playing" in day.refused(ReviewFirstFive(one, 3, official=helper))
    day.do(ReviewFirstFive(one, 2, official=helper))
    day.do(ReviewFirstFive(one, 1, reviewer=3))
    day.do(ReviewFirstFive(two, 3, official=1))
    day.do(StandDown(helper))
    assert "FFG-ROLE-STATUS" in day.refused(ReviewFirstFive(two, 4, official=helper))
    assert day.tournament.floor.reviewed == {one: [2, 1], two: [3]}
