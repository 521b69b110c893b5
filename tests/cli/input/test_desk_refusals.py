"""What the desk refuses of seats, registrations, clocks, slips and evidence, each in one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Five play two rounds and a cut to two; 1 plays 2, 3 plays 4, 5 has the bye; 6 came late."""
    desk.open(5, "custom", "--rounds", "2", "--cut", "2")
    desk.done("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "a test")
    desk.done("round", "start")
    desk.done("register", "Tina", "--league-id", "id-6")
    return desk


@typed_once
def drawn(desk: Desk) -> Desk:
    """Four have played a round and wait for the cut; the slips to be pulled are drawn."""
    desk.open(4, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    desk.done("audit", "begin")
    desk.done("audit", "draw", "heron")
    return desk


def test_seat_for_who_sits_already(day: Desk) -> None:
    assert "already sits at 1/1" in day.refused("late", "#1").err
    day.done("late", "tina")
    assert "already sits at 1/3" in day.refused("late", "tina").err


def test_seat_for_who_dropped(day: Desk) -> None:
    day.done("drop", "tina")
    assert "is not an active player" in day.refused("late", "tina").err


def test_seat_in_an_elimination(day: Desk) -> None:
    day.report_all()
    day.done("pair")
    day.report_all()
    day.done("cut")
    day.done("pair")
    assert "cannot join an elimination" in day.refused("late", "tina").err


def test_seat_after_the_close(day: Desk) -> None:
    day.report_all()
    day.done("round", "close")
    assert "no round is in play" in day.refused("late", "tina").err
    day.done("pair")
    day.report_all()
    for verb in ("cut", "pair"):
        day.done(verb)
    day.report_all()
    day.done("finish")
    assert day.refused("late", "tina").code


def test_amend_of_a_league_id_that_another_has(day: Desk) -> None:
    said = day.refused("amend", "#1", "--league-id", "id-6").err
    assert "league id id-6 belongs to Tina (#6)" in said


def test_a_pause_twice(day: Desk) -> None:
    """FFG-CLOCK."""
    day.done("round", "pause", "--reason", "an alarm")
    said = day.refused("round", "pause").err
    assert "is already paused" in said
    assert "`round resume`" in said
    day.done("round", "resume")
    assert "is not paused" in day.refused("round", "resume").err


def test_extend_all_after_time_was_called(day: Desk) -> None:
    """FFG-CLOCK."""
    day.done("round", "time")
    said = day.refused("round", "extend", "all", "5", "--reason", "an alarm").err
    assert "time has already been called in round 1 (FFG-CLOCK)" in said


def test_slips_that_contradict_each_other(drawn: Desk) -> None:
    drawn.done("audit", "slip", "1/1", "--agrees")
    other = f"#{drawn.seats(1)[1]}"
    said = drawn.refused("audit", "slip", "1/1", other).err
    assert "was already read" in said
    assert "--missing" in said
    drawn.done("audit", "slip", "withdraw", "1/1", "--reason", "two slips")
    drawn.done("audit", "slip", "1/1", "--missing", "--note", "two slips, two winners")
    assert "slip" in " ".join(each["kind"] for each in audited(drawn))


def audited(desk: Desk) -> list[dict[str, str]]:
    """What the audit finds."""
    found: list[dict[str, str]] = desk.done("audit", "--json").json["findings"]
    return found


def test_evidence_for_a_match_that_was_never_played(day: Desk) -> None:
    assert "round 2" in day.refused("evidence", "2/1").err
    assert "table 9" in day.refused("evidence", "1/9").err
    assert day.refused("evidence", "1/3").code, "a bye"
    assert day.refused("evidence", "1/1", "-o", "sheet.html").code
    assert not (day.folder / "sheet.html").exists()


FORGOTTEN: dict[str, Callable[[Desk], object]] = {
    "late": lambda day: day.done("late", "#6"),
    "amend": lambda day: day.refused("amend", "#6", "--faction", "Crab"),
    "pause": lambda day: day.done("round", "pause"),
    "drop": lambda day: day.done("drop", "#6"),
    "log": lambda day: day.done("log"),
    "audit": lambda day: day.done("audit"),
    "pairings": lambda day: day.done("pairings", "--print"),
}


@pytest.mark.parametrize("what", FORGOTTEN)
def test_a_person_who_is_forgotten(day: Desk, what: str) -> None:
    """Nothing brings the name back, and nothing falls over it."""
    day.done("forget", "tina", "--yes")
    answer = FORGOTTEN[what](day)
    assert "Tina" not in json.dumps(answer)


def test_slips_and_evidence_of_somebody_forgotten(drawn: Desk) -> None:
    one, _ = drawn.seats(1)
    drawn.done("forget", f"#{one}", "--yes")
    drawn.done("audit", "slip", "1/1", "--agrees")
    assert f"Player {one:02}" not in drawn.done("audit", "--slips").out
    drawn.done("evidence", "1/1", "-o", "sheet.html")
    assert f"Player {one:02}" not in (drawn.folder / "sheet.html").read_text("utf-8")
