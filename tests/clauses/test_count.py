"""L5R-TIME: who confirms the count after time, and what an audit says without one."""

from __future__ import annotations

import msgspec
import pytest

from ledger.facts.results import ResultReported
from ledger.rules.clock import CallTime
from ledger.rules.office import LinkOfficial, StandDown
from ledger.rules.pairing import PairRound
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import StartRound
from projections.audit.findings import kind_in
from projections.audit.report import audit_of
from tests.support.simulate import Day
from tests.support.staff import appoint

SEEN = {
    "broken": (2, 4),
    "honor": (4, 13),
    "favor": (1, 0),
    "passed": (1, 1),
    "first": (1, 0),
    "broken-after": (3, 4),
    "honor-after": (5, 10),
    "favor-after": (0, 1),
}
"""The source's own example: 7 to 6, nobody concedes, then 6 to 9."""


def in_time(day: Day) -> int:
    """Players 1 and 2 play; 1 is a judge, official 2, who plays. The number of their match."""
    appoint(day, "Jun", "judge")
    appoint(day, "Mara", "marshal")
    appoint(day, "Sam", "scorekeeper")
    day.do(LinkOfficial(2, 1))
    day.start(2)
    day.do(PairRound(((1, 2),), "a test"))
    day.do(StartRound())
    day.do(CallTime())
    return day.matches()[0].number


def counted(leader: int) -> StatedResult:
    return StatedResult("", facts={**SEEN, "leader": (leader, leader)}, ending="time")


@pytest.mark.parametrize(
    ("leader", "why"),
    [(2, "plays this match"), (4, "not a leader"), (9, "not a leader"), (1, ""), (3, "")],
)
def test_who_confirms_plays_at_another_table(leader: int, why: str) -> None:
    """L5R-TIME, FFG-LEADER-RULING."""
    day = Day(4)
    match = in_time(day)
    report = Report(match, counted(leader))
    if why:
        told = day.refused(report)
        assert why in told
        assert "L5R-TIME" in told
        return
    day.do(report)
    assert day.tournament.matches[match].result is not None


def test_who_stood_down_confirms_nothing() -> None:
    """L5R-TIME, FFG-ROLE-STATUS."""
    day = Day(4)
    match = in_time(day)
    day.do(StandDown(3))
    assert "stood down" in day.refused(Report(match, counted(3)))
    day.do(Report(match, counted(1)))


def test_a_log_of_earlier_rules_stands_as_it_did() -> None:
    """L5R-TIME: a rule of rules 2."""
    day = Day(4)
    match = in_time(day)
    day.do(Report(match, counted(1)))
    event = day.log[-1].event
    assert isinstance(event, ResultReported)
    facts = {**event.result.facts, "leader": (2, 2)}
    event = msgspec.structs.replace(
        event, result=msgspec.structs.replace(event.result, facts=facts)
    )
    day.tournament = day.folded(day.log[:-1])
    assert "plays this match" in day.refused_event(event)
    assert day.tournament.opening is not None
    opening = msgspec.structs.replace(day.tournament.opening, rules=1)
    day.tournament.opening = opening
    assert not day.refused_event(event)


def test_the_audit_finds_a_modified_win_that_nobody_counted() -> None:
    """L5R-TIME: the outcome alone can be reported, and is found."""
    day = Day(4)
    match = in_time(day)
    day.do(Report(match, StatedResult("modified loss")))
    found = [each for each in audit_of(day.log).findings if each.kind == "no-procedure"]
    assert [each.match for each in found] == [match]
    assert kind_in("no-procedure", day.tournament.ruleset).clause == "L5R-TIME"
    other = Day(4)
    match = in_time(other)
    other.do(Report(match, counted(1)))
    assert not [each for each in audit_of(other.log).findings if each.kind == "no-procedure"]
