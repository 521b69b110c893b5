"""The clock of a round: its length, pauses, and minutes for the whole hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from cli.render.round_clock import digits, page_of
from ledger.errors import Refused
from ledger.facts.clock import RoundExtended, RoundPaused, RoundResumed, TimeCalled
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundStarted
from ledger.facts.shared import Stage
from ledger.facts.undo import ActWithdrawn
from ledger.fold import fold_lines
from ledger.rules.clock import CallTime, ExtendRound, ExtendTable, PauseRound, ResumeRound
from ledger.rules.elimination import MakeCut
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound, UnpairRound
from ledger.rules.undo import Undo
from ledger.tournament.round_clock import MS_A_MINUTE, clock, moment
from projections.audit.report import audit_of
from tests.support.forging import against
from tests.support.sample_rules import begun_by_rules
from tests.support.season import opened, take_in, write_log
from tests.support.simulate import Day
from tests.support.staff import appoint
from tests.truth.season_truth import check_against_the_fold, rows

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.lines.recorded import Recorded

AT = "2026-03-14T{}:00.000Z"


def running(ruleset: str = "l5r", minutes: int = 0) -> Day:
    day = Day(6, ruleset=ruleset)
    day.start(3)
    day.pair()
    day.do(StartRound(minutes))
    return day


def left(day: Day, at: str) -> int | None:
    """Minutes left at a time of day."""
    found = clock(day.tournament, day.tournament.rounds[-1], AT.format(at)).left
    return None if found is None else found // MS_A_MINUTE


def at(day: Day, command: object, time: str) -> list[Recorded]:
    day._clock = lambda: AT.format(time)  # type: ignore[method-assign] # a time of the test's
    return day.do(command)  # type: ignore[arg-type] # a command


SCORES = StatedResult(facts={"score": (107, 49)}, ending="time")


def by_time(day: Day, time: str, table: int = 1) -> str:
    """Report a game that ended by time at a time of day; return the code of a refusal."""
    match = day.tournament.rounds[-1].matches[table - 1].number
    try:
        at(day, Report(match, SCORES), time)
    except Refused as refusal:
        return refusal.problems[0].code
    return ""


def test_a_game_ends_by_time_once_its_clock_has_run_out() -> None:
    """FFG-CLOCK, RW-CLOCK: the clock of the table, with its extension and the round's pause."""
    day = running("runewars")
    ends = clock(day.tournament, day.tournament.rounds[-1], AT.format("08:35")).ends
    assert ends is not None
    start = moment(AT.format("00:00"))
    minute = -(-(ends - start) // MS_A_MINUTE)
    hour = "{:02}:{:02}".format
    assert by_time(day, hour(*divmod(minute - 1, 60))) == "result.before_time"
    at(day, ExtendTable(day.matches()[1].number, 5, "a ruling"), "09:00")
    at(day, PauseRound("a fire alarm"), "09:10")
    assert by_time(day, hour(*divmod(minute + 20, 60))) == "result.before_time"
    at(day, ResumeRound(), "09:20")
    assert by_time(day, hour(*divmod(minute + 9, 60))) == "result.before_time"
    assert by_time(day, hour(*divmod(minute + 10, 60))) == ""
    assert by_time(day, hour(*divmod(minute + 14, 60)), 2) == "result.before_time"
    assert by_time(day, hour(*divmod(minute + 15, 60)), 2) == ""
    assert "before-time" not in [each.kind for each in audit_of(day.log).findings]


def test_a_game_ends_by_time_once_time_was_called() -> None:
    """FFG-CLOCK: also where a scorekeeper reports it, who cannot call time."""
    day = running("runewars")
    appoint(day, "Sam", "scorekeeper")
    match = day.matches()[0].number
    assert "90 min left" in day.refused(Report(match, SCORES))
    called = Report(match, SCORES, time_called=True)
    assert "FFG-CLOCK" in day.refused(called, by="o2")
    day.do(called)
    assert [type(each.event) for each in day.log[-2:]] == [TimeCalled, ResultReported]
    assert by_time(day, "08:40", 2) == ""
    told = day.refused_event(ActWithdrawn(day.log[-3].seq, "a slip"))
    assert "1/1 ended by time, so its time call stays" in told


@pytest.mark.parametrize("started", [True, False])
def test_where_no_clock_runs_the_call_alone_ends_a_game_by_time(*, started: bool) -> None:
    """FFG-CLOCK: a round without a length, or one whose start nobody recorded."""
    day = Day(4, ruleset="mtg" if started else "runewars")
    if started:
        day.start(1, Stage("single", entry="top", size=2))
        day.pair()
        for played in day.matches():
            day.do(Report(played.number, StatedResult("win", facts={"games": (2, 0)})))
        day.do(CloseRound())
        day.do(MakeCut())
        day.pair()
        day.do(StartRound())
        result = StatedResult("win", facts={"games": (1, 0)}, ending="time")
    else:
        day.start(1)
        day.pair()
        result = SCORES
        assert "is not running" in day.refused(CallTime())
    match = day.matches()[0].number
    told = day.refused(Report(match, result))
    assert ("its clock is not running" in told) == started
    day.do(Report(match, result, time_called=True))
    assert day.tournament.matches[match].result
    if not started:
        assert "its clock cannot start" in day.refused(StartRound())


def test_the_audit_finds_a_game_that_ended_by_time_too_early() -> None:
    """FFG-CLOCK: a correction, which is not refused, and a log of earlier rules."""
    day = running("runewars")
    match = day.matches()[0].number
    day.do(Report(match, StatedResult(facts={"score": (107, 49)}, ending="rounds")))
    at(day, Correct(match, SCORES, "the slip says so"), "23:00")
    assert [each.kind for each in audit_of(day.log).findings if each.kind == "before-time"] == [
        "before-time"
    ]
    court = running()
    court.do(Report(court.matches()[0].number, StatedResult("modified win")))
    assert "before-time" in [each.kind for each in audit_of(court.log).findings]
    with begun_by_rules(3):
        earlier = running("runewars")
    earlier.do(Report(match, SCORES))
    assert "before-time" in [each.kind for each in audit_of(earlier.log).findings]


def test_a_start_whose_time_is_none_does_not_break_the_audit() -> None:
    """FFG-CLOCK: such a time is a finding of its own, and the game by time is read past it."""
    day = running("runewars")
    day.do(Report(day.matches()[0].number, SCORES, time_called=True))
    log = [
        replace(recorded, at="once") if isinstance(recorded.event, RoundStarted) else recorded
        for recorded in day.log
        if not isinstance(recorded.event, TimeCalled)
    ]
    log = [replace(recorded, seq=place) for place, recorded in enumerate(log, 1)]
    kinds = [each.kind for each in audit_of(log).findings]
    assert "no-clock" in kinds
    assert "before-time" not in kinds


def test_a_time_call_stays_under_a_result_that_waits_to_be_confirmed() -> None:
    """FFG-CLOCK: where the opponent confirms, as under one that counts."""
    changed = ('confirmation = "none"', 'confirmation = "opponent"')
    day = Day(4, ruleset="runewars", changed=changed)
    day.start(1)
    day.pair()
    day.do(StartRound())
    day.do(CallTime())
    call, match = day.log[-1].seq, day.matches()[0]
    day.do(Report(match.number, SCORES), by=f"p{match.first}")
    assert match.number in day.tournament.floor.unconfirmed
    assert "ended by time" in day.refused_event(ActWithdrawn(call, "a slip"))


def test_minutes_where_the_rules_leave_them_to_the_organizer() -> None:
    day = running("swiss", 50)
    assert day.tournament.rounds[0].minutes == 50
    day = Day(6)
    day.start(3)
    day.pair()
    with pytest.raises(Refused, match="must be 60 minutes long, not 50"):
        day.do(StartRound(50))
    day.do(StartRound(60))
    assert day.do(StartRound()) == []
    day = running("swiss")
    assert "has no clock" in day.refused(ExtendRound(5, "alarm"))


def test_a_round_that_was_started_without_minutes_is_started_again() -> None:
    """Until something was played in it; what is advised is not refused."""
    day = running("swiss")
    for command in (StartRound(50), PauseRound(), ExtendRound(5, "alarm")):
        told = day.refused(command)
        assert "was started without minutes" in told
        assert "[undo]" in told
    day.do(Undo())
    day.do(StartRound(50))
    assert day.tournament.rounds[0].minutes == 50
    day = running("swiss")
    day.report(day.matches()[0])
    assert "[undo]" not in day.refused(StartRound(50))


def test_no_time_passes_while_the_clock_stands_still() -> None:
    """FFG-CLOCK."""
    day = Day(6)
    day.start(3)
    day.pair()
    at(day, StartRound(), "10:00")
    assert left(day, "10:20") == 40
    at(day, PauseRound("fire alarm"), "10:20")
    assert left(day, "10:45") == 40
    assert clock(day.tournament, day.tournament.rounds[0], AT.format("10:45")).paused
    with pytest.raises(Refused, match="is already paused"):
        day.do(PauseRound())
    at(day, ResumeRound(), "10:50")
    assert left(day, "11:00") == 30
    with pytest.raises(Refused, match="is not paused"):
        day.do(ResumeRound())
    at(day, ExtendRound(5, "the doors"), "10:55")
    assert left(day, "11:00") == 35
    match = day.tournament.rounds[0].matches[0]
    at(day, ExtendTable(match.number, 2, "a judge"), "10:56")
    tables = clock(day.tournament, day.tournament.rounds[0], AT.format("11:00")).tables
    assert [each.left and each.left // MS_A_MINUTE for each in tables] == [37, 35, 35]
    at(day, CallTime(), "11:10")
    with pytest.raises(Refused, match="time has already been called"):
        day.do(ExtendRound(5, "too late"))
    with pytest.raises(Refused, match="time has already been called"):
        day.do(PauseRound())
    assert fold_lines(day.lines) == day.tournament


def test_an_extension_of_a_pairing_that_was_undone_stays() -> None:
    day = running()
    judge = f"o{appoint(day, 'Jun Hayashi', 'marshal', 'judge')}"
    (longer,) = day.do(ExtendRound(5, "the doors"), by=judge)
    day.do(UnpairRound("a late player"))
    day.pair()
    day.do(StartRound())
    assert "round 1 is not in play" in against(day, ActWithdrawn(longer.seq, "x"))
    assert "round 1 is not in play" in day.refused(Undo(), by=judge)


def test_acts_on_the_clock_are_taken_back_last_first() -> None:
    day = running()
    (paused,) = day.do(PauseRound("alarm"))
    (resumed,) = day.do(ResumeRound())
    assert "not the latest change to the clock" in against(day, ActWithdrawn(paused.seq, "x"))
    day.do(Undo())
    assert day.tournament.floor.pauses[1][0].until == ""
    assert "cannot be withdrawn" in against(day, ActWithdrawn(resumed.seq, "x"))
    day.do(ResumeRound())
    day.do(ExtendRound(5, "alarm"))
    day.do(Undo())
    assert day.tournament.floor.longer == {1: 0}
    assert fold_lines(day.lines) == day.tournament


def test_a_clock_that_is_not_running_is_left_alone() -> None:
    day = Day(6)
    day.start(3)
    day.pair()
    for event in (RoundPaused(1), RoundResumed(1), RoundExtended(1, 5, "x")):
        assert "is not running" in against(day, event)
    day.do(StartRound())
    assert "needs a reason" in against(day, RoundExtended(1, 5, " "))
    assert "at most" in against(day, RoundExtended(1, 240, "x")) or not against(
        day, RoundExtended(1, 240, "x")
    )
    assert "is reserved for officials" in against(day, RoundPaused(1), by="p1")
    day.do(ExtendRound(200, "a long lunch"))
    assert "at most 240 minutes" in against(day, RoundExtended(1, 41, "x"))
    day.do(PauseRound())
    day.do(UnpairRound("a name was missing"))
    day.pair()
    assert (day.tournament.floor.pauses, day.tournament.floor.longer) == ({}, {})
    day.report_all()
    day.do(CloseRound())
    assert "is not running" in against(day, RoundPaused(1))


def test_the_season_knows_how_long_a_clock_stood_still(tmp_path: Path) -> None:
    day = Day(4)
    day.start(2)
    day.pair()
    at(day, StartRound(), "10:00")
    for stopped, gone_on in (("10:05", "10:10"), ("10:20", "10:40")):
        at(day, PauseRound(), stopped)
        at(day, ResumeRound(), gone_on)
    at(day, ExtendRound(5, "the doors"), "10:50")
    at(day, PauseRound("not ended"), "10:55")
    take_in(tmp_path / "s.duckdb", write_log(tmp_path / "day.jsonl", day.lines))
    with opened(tmp_path / "s.duckdb") as connection:
        check_against_the_fold(connection, day.lines)
        found = rows(connection, "SELECT longer_minutes, pauses, paused_seconds FROM clocks")
    assert found == [(5, 3, 25 * 60)]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 10), (200, 60), (10, 3)])
def test_digits_fit(width: int, height: int) -> None:
    lines = digits("-104:59", width, max(height - 12, 1))
    assert all(len(line) <= max(width, 30) for line in lines)
    assert digits("paired", width, height) == ["paired".center(width).rstrip()]


def test_pages_turn() -> None:
    lines = [str(number) for number in range(10)]
    pages = [page_of(lines, 4, turn) for turn in range(4)]
    assert [page for page, _ in pages] == [lines[:4], lines[4:8], lines[8:], lines[:4]]
    assert pages[2][1] == "3 of 3"
    assert page_of(lines, 10, 7) == (lines, "")
