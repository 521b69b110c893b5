"""What comes before play: a round's start, its scenario, First Fives; what a log shows of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.facts.results import ResultReported, by_facts
from ledger.facts.setups import unready
from ledger.fold import fold
from ledger.rules.clock import CallTime
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rules.setups import DrawScenario, ReviewFirstFive
from projections.audit.report import audit_of
from tests.support.simulate import Day
from tests.support.staff import appoint

AFTER_TIME = {
    "l5r": {"broken": (0, 3), "honor": (9, 4), "favor": (0, 0)},
    "runewars": {"score": (107, 49)},
    "legion": {"tokens": (3, 1)},
    "ashes": {"wounds": (13, 15)},
}


def paired(game: str) -> Day:
    day = Day(4, ruleset=game)
    day.start(3)
    day.pair()
    return day


def found(day: Day) -> list[str]:
    """The kinds that the audit of the day finds."""
    return [each.kind for each in audit_of(day.log).findings]


@pytest.mark.parametrize("game", AFTER_TIME)
def test_no_time_before_the_round_has_started(game: str) -> None:
    """FFG-CLOCK, L5R-CLOCK, RW-CLOCK, SWL-CLOCK, AOP-CLOCK: nobody called what does not run."""
    day = paired(game)
    order = Report(1, StatedResult(facts=AFTER_TIME[game], ending="time"))
    told = day.refused(order)
    assert f"({day.tournament.ruleset.clock.clause})" in told
    assert "[round.start]" in told
    day.do(StartRound())
    told = day.refused(order)
    assert f"({day.tournament.ruleset.clock.clause})" in told
    assert "[round.time]" in told
    day.do(CallTime())
    day.do(order)


def test_a_log_of_earlier_rules_is_not_held_to_it() -> None:
    """FFG-CLOCK: what was admitted once is admitted, and the audit says what it was not asked."""
    day = paired("runewars")
    result = by_facts(day.tournament.ruleset, "time", AFTER_TIME["runewars"])
    assert "has not started" in day.refused_event(ResultReported(1, result))
    opening = replace(day.log[0].event, rules=1)
    day.tournament = fold([replace(day.log[0], event=opening), *day.log[1:]])
    assert day.refused_event(ResultReported(1, result)) == ""


def test_a_correction_is_not_held_up_by_a_start_that_was_forgotten() -> None:
    """FFG-CLOCK: the round is over, and nobody starts it any more."""
    day = paired("runewars")
    for match in day.matches():
        day.do(Report(match.number, StatedResult(facts={"score": (90, 40)})))
    day.do(CloseRound())
    at_time = StatedResult(facts=AFTER_TIME["runewars"], ending="time")
    day.do(Correct(1, at_time, "the slip said time"))


def test_a_round_whose_predecessor_never_started() -> None:
    """FFG-ROUND-START: said when the next one starts, and found in the log."""
    day = paired("l5r")
    day.report_all()
    day.do(CloseRound())
    day.pair()
    assert [each.code for each in unready(day.tournament, day.tournament.rounds[1])] == [
        "round.never_started"
    ]
    day.do(StartRound())
    day.report_all()
    day.do(CloseRound())
    day.pair()
    day.do(StartRound())
    assert found(day) == ["not-started"]


def test_a_runewars_round_without_a_scenario() -> None:
    """RW-SCENARIO: the Relaxed tier may start, and it is found; drawn, nothing is."""
    day = paired("runewars")
    day.do(StartRound())
    assert found(day) == ["no-scenario"]
    other = paired("runewars")
    other.do(DrawScenario())
    other.do(StartRound())
    assert found(other) == []


def test_an_ashes_round_without_first_fives() -> None:
    """AOP-CLOCK, AOP-FIRSTFIVE: of every player who sits at a table, nobody with a bye."""
    day = Day(5, ruleset="ashes")
    helper = appoint(day, "Coco", "co-organizer")
    day.start(3)
    match, other, _ = day.pair()
    for player in match.players:
        day.do(ReviewFirstFive(match.number, player, official=helper))
    day.do(StartRound())
    (finding,) = audit_of(day.log).findings
    assert (finding.kind, finding.players) == ("first-five", other.players)
