"""The clock: the length of rounds, extensions, calls, and what is left at a moment."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts.clock import TimeCalled
from ledger.facts.rounds import RoundStarted
from ledger.facts.shared import Stage
from ledger.rules.clock import AnnounceExtraTime, CallTime, ExtendTable
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.opening import AppointOfficial
from ledger.rules.rounds import CloseRound, StartRound, UnpairRound
from ledger.tournament.round_clock import clock, minutes_left, moment
from tests.support.simulate import Day

EXTRA = '\n[floor.clock]\nclause = "SWL-CLOCK"\nextra_max = 30\nwarning = 10\n'


def after(day: Day, minutes: int, seconds: int = 0) -> str:
    """So long after the round in play was started."""
    started = datetime.fromisoformat(day.tournament.rounds[-1].started_at).timestamp()
    moment = datetime.fromtimestamp(started + 60 * minutes + seconds, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def left(day: Day, minutes: int, seconds: int = 0) -> list[int | None]:
    """What is left at each table, in whole minutes."""
    shown = clock(day.tournament, day.tournament.rounds[-1], after(day, minutes, seconds))
    return [minutes_left(table.left) for table in shown.tables]


def running(floor: str = "") -> Day:
    day = Day(4, floor=floor)
    day.start(1, Stage("single", entry="top", size=4))
    day.pair()
    day.do(StartRound())
    return day


@given(st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 31)))  # noqa: DTZ001 - made UTC below
def test_moments_are_those_of_the_calendar(instant: datetime) -> None:
    whole = instant.replace(microsecond=instant.microsecond // 1000 * 1000, tzinfo=UTC)
    written = whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    since = whole - datetime(1970, 1, 1, tzinfo=UTC)
    assert moment(written) == round(since.total_seconds() * 1000)


def test_ffg_clock_counts_down_from_the_start() -> None:
    """FFG-CLOCK, L5R-CLOCK: 60 minutes, the same for every table, over and beyond the end."""
    day = running()
    assert left(day, 0) == [60, 60]
    assert left(day, 59, 59) == [1, 1]
    assert left(day, 60) == [0, 0]
    assert left(day, 75) == [-15, -15]


def test_an_extension_is_one_tables_and_a_leaders() -> None:
    """FFG-CLOCK: with a reason, by a leader, while the match is played; a player never extends."""
    day = running()
    day.do(AppointOfficial("Sam", ("scorekeeper",)))
    match = day.matches()[1].number
    wish = ExtendTable(match, 5, "a judge was called")
    assert "is reserved for" in day.refused(wish, by="o2")
    assert "is reserved for officials" in day.refused(wish, by="p1")
    assert "needs a reason" in day.refused(ExtendTable(match, 5, " "))
    assert "there is no match 99" in day.refused(ExtendTable(99, 5, "x"))
    assert "by at most 240 minutes" in day.refused(ExtendTable(match, 241, "x"))
    day.do(wish)
    day.do(ExtendTable(match, 3, "a spilled drink"))
    assert left(day, 60) == [0, 8]
    day.report(day.matches()[1])
    assert "has ended" in day.refused(wish)
    day.report_all()
    day.do(CloseRound())
    assert "1/2 is not in the round in play" in day.refused(wish)


def test_no_clock_runs_after_the_finish() -> None:
    day = Day(4)
    day.start(1)
    day.pair()
    day.do(StartRound())
    day.report_all()
    assert None not in left_without_clock(day)
    day.do(FinishTournament())
    assert left_without_clock(day) == [None, None]


def test_no_extension_before_the_round_has_started() -> None:
    day = Day(4)
    day.start(2)
    match = day.pair()[0].number
    assert "has not started" in day.refused(ExtendTable(match, 5, "x"))
    assert "not running" in day.refused(CallTime())
    assert left_without_clock(day) == [None, None]


def left_without_clock(day: Day) -> list[int | None]:
    shown = clock(day.tournament, day.tournament.rounds[-1], "2026-03-14T10:00:00.000Z")
    return [table.left for table in shown.tables]


def test_time_called_ends_the_round_but_not_an_extension() -> None:
    """FFG-CLOCK: called once; warnings count down; who has an extension plays it."""
    day = running()
    day.do(ExtendTable(day.matches()[0].number, 4, "a judge was called"))
    day.do(CallTime(10))
    assert day.do(CallTime(10)) == []
    assert '10 min left" was already called' in day.refused(CallTime(15))
    day.do(CallTime())
    assert day.do(CallTime()) == []
    assert "time has already been called" in day.refused(CallTime(5))
    called = clock(day.tournament, day.tournament.rounds[-1], after(day, 0))
    assert called.called == (10, 0)
    at = day.log[-1].at
    shown = clock(day.tournament, day.tournament.rounds[-1], at)
    assert [minutes_left(table.left) for table in shown.tables] == [4, 0]


def test_what_was_called_is_forgotten_with_the_pairing() -> None:
    day = running()
    day.do(CallTime())
    day.do(UnpairRound("the wrong list"))
    day.pair()
    day.do(StartRound())
    assert left(day, 0) == [60, 60]
    assert day.tournament.floor.calls == {}


def test_the_warning_of_aop_clock() -> None:
    """AOP-CLOCK: at 10 minutes left, neither before, nor once it was called or time is over."""
    day = running(EXTRA)
    played = day.tournament.rounds[-1]
    seen = [clock(day.tournament, played, after(day, m)).warning for m in (49, 50, 59, 60)]
    assert seen == [False, True, True, False]
    assert not clock(day.tournament, played, after(day, 49, 59)).warning
    day.do(CallTime(10))
    assert not clock(day.tournament, day.tournament.rounds[-1], after(day, 55)).warning
    plain = running()
    assert not clock(plain.tournament, plain.tournament.rounds[-1], after(plain, 55)).warning


@pytest.mark.parametrize(("minutes", "allowed"), [(0, True), (30, True), (31, False)])
def test_swl_clock_extra_time(minutes: int, allowed: bool) -> None:  # noqa: FBT001 - a case
    """SWL-CLOCK: at most 30 minutes more, announced before; the final keeps its length."""
    day = Day(4, floor=EXTRA)
    wish = AnnounceExtraTime(minutes)
    if not allowed:
        assert "at most 30 minutes" in day.refused(wish)
        return
    assert len(day.do(wish)) == (1 if minutes else 0)
    day.start(1, Stage("single", entry="top", size=4))
    assert "before the tournament begins" in day.refused(AnnounceExtraTime(5))
    lengths = []
    for _ in range(3):
        if day.tournament.rounds and not day.tournament.stages[1].cut_seq:
            day.do(CloseRound())
            day.do(MakeCut())
        day.pair()
        day.do(StartRound())
        lengths.append(day.tournament.rounds[-1].minutes)
        day.report_all()
    assert lengths == [60 + minutes, 60 + minutes, 100]


def test_extra_time_is_refused_where_the_game_has_none() -> None:
    assert "has no extra time" in Day(4).refused(AnnounceExtraTime(5))


def test_a_round_is_as_long_as_its_stage_has_it() -> None:
    """FFG-CLOCK: an event that says otherwise is not admitted."""
    day = Day(4)
    day.start(2)
    day.pair()
    assert "must be 60 minutes long, not 61" in day.refused_event(RoundStarted(1, 61))
    assert day.refused_event(RoundStarted(1, 60)) == ""
    assert "not running" in day.refused_event(TimeCalled(1, 5))


def test_reported_tables_are_counted() -> None:
    day = running()
    day.report(day.matches()[0])
    shown = clock(day.tournament, day.tournament.rounds[-1], after(day, 1))
    assert (shown.reported, len(shown.tables)) == (1, 2)
    assert [table.reported for table in shown.tables] == [True, False]
