"""The clock of a round, and what is said of people in a refusal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli import outside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clock", "left"),
    [
        ("10:00:00.000", 60),
        ("10:00:00.001", 60),
        ("10:01:00.000", 59),
        ("10:59:30.000", 1),
        ("11:00:00.000", 0),
        ("11:12:30.000", -12),
    ],
)
def test_minutes_left(desk: Desk, clock: str, left: int) -> None:
    desk.open(4, "basic")
    desk.done("pair")
    assert desk.done("round", "--json").json["minutes_left"] is None
    with desk.patch.context() as patch:
        patch.setattr(outside, "now", lambda: "2026-05-17T10:00:00.000Z")
        desk.done("round", "start")
        assert "nothing to change" in desk.done("round", "start").err
        patch.setattr(outside, "now", lambda: f"2026-05-17T{clock}Z")
        assert desk.done("round", "--json").json["minutes_left"] == left
        said = desk.done("round").err
        over = f"time ran out {-left} minutes ago" if left else "time is up\n"
        assert (f"{left} minute" if left > 0 else over) in said
    desk.report_all()
    desk.done("round", "close")
    assert desk.done("round", "--json").json["minutes_left"] is None


def test_the_log_shows_the_tournaments_own_time(desk: Desk) -> None:
    zone = ("--time-zone", "Asia/Tokyo", "--date", "2026-05-17")
    with desk.patch.context() as patch:
        patch.setattr(outside, "now", lambda: "2026-05-16T22:30:05.123Z")
        desk.done("new", "Night", "--ruleset", "l5r", *zone)
        patch.setattr(outside, "now", lambda: "2026-05-17T22:30:05.123Z")
        desk.done("register", "Ann Lee")
    lines = desk.done("log").out.splitlines()
    assert "07:30:05" in lines[1]
    assert "05-18 07:30" in lines[-1]


def test_readings_before_anything_is_announced(desk: Desk) -> None:
    desk.open(3)
    assert [row["rank"] for row in desk.done("standings", "--json").json] == [1, 2, 3]
    desk.done("export", "-o", "day.jsonl")
    assert "consistent with itself: 9 events" in desk.done("replay", "day.jsonl").out
    assert desk.done("replay", "day.jsonl", "--json").json["bracket"] is None


@pytest.mark.slow
def test_a_change_takes_nothing_that_it_would_not_record(desk: Desk) -> None:
    desk.open(8, "custom", "--rounds", "3", "--cut", "4", "--outline", "the league's own")
    change = ("start", "custom", "--rounds", "2", "--reason", "the hall closes")
    for further in (("--word", "heron"), ("--outline", "another")):
        answer = desk.refused(*change, *further)
        assert (answer.code, "cannot be changed with the structure" in answer.err) == (2, True)
    desk.done(*change)
    announced = [each for each in desk.log().splitlines() if "StructureAnnounced" in each]
    told = " ".join(desk.done("log").out.split()).rpartition("announced")[2]
    assert "the league's own" in told
    assert '"rounds":2' in announced[-1]


def test_a_change_keeps_to_the_choice_that_the_table_leaves(desk: Desk) -> None:
    """AOP-ROUNDS: for 33 and more at least so many rounds."""
    desk.open(34, "basic", ruleset="ashes")
    desk.done("start", "basic", "--rounds", "8", "--reason", "two days")
    announced = [each for each in desk.log().splitlines() if "StructureAnnounced" in each]
    assert '"rounds":8' in announced[-1]


SEATS = (
    ("swap", "#1", "#2", "--reason", "late"),
    ("repair-round",),
    ("repair-round", "--do", "1", "--reason", "late"),
    ("unpair",),
)


def refusals_of_seats(desk: Desk) -> Iterator[str]:
    """What swap, repair and, last since it may be done, unpair say where they cannot be."""
    for line in SEATS:
        answer = desk.type(*line)
        if answer.code:
            yield answer.err


def test_a_refusal_to_seat_anew_says_what_to_do_instead(desk: Desk) -> None:
    """Before a round, in one with a result, in one that is complete, after it, in a bracket."""
    desk.open(6, "custom", "--rounds", "2", "--cut", "2")
    said = [*refusals_of_seats(desk)]
    desk.done("pair")
    first, second = desk.seats(1)
    said.append(desk.refused("swap", f"#{first}", f"#{second}", "--reason", "late").err)
    desk.done("report", "1", f"#{first}")
    said += [desk.type(*SEATS[3]).err, desk.type(*SEATS[2]).err]
    other = desk.seats(2)[0]
    said.append(desk.refused("swap", f"#{first}", f"#{other}", "--reason", "late").err)
    desk.done("register", "Zoe Late")
    said.append(desk.refused("swap", "Zoe", f"#{other}", "--reason", "late").err)
    desk.report_all()
    said += refusals_of_seats(desk)
    desk.done("round", "close")
    said += refusals_of_seats(desk)
    desk.done("pair")
    desk.report_all()
    desk.done("cut")
    desk.done("pair")
    said += (in_bracket := [*refusals_of_seats(desk)])
    assert "fixed by the bracket" in in_bracket[0]
    assert len(said) > 12
    for text in said:
        assert "`" in text or "name players of two tables" in text, text


def test_undoing_a_swap_waives_nothing_that_it_does_not_break(desk: Desk) -> None:
    """FFG-REMATCH: the first pairing is no rematch; where it was one, the leave stays."""
    desk.open(4, "custom", "--rounds", "3")
    desk.done("pair")
    desk.report_all()
    met = {frozenset(each["players"]) for each in desk.done("pairings", "--json").json}
    desk.done("pair")
    (one, _), rest = desk.seats(1), desk.seats(2)
    other = next(each for each in rest if frozenset((one, each)) in met)
    stays = next(each for each in rest if each != other)
    desk.done("swap", f"#{desk.seats(1)[1]}", f"#{other}", "--allow-rematch", "--reason", "a twin")
    desk.done("undo")
    swaps = [json.loads(each) for each in desk.log().splitlines() if "SeatsSwapped" in each]
    assert [bool(each["data"].get("waiver")) for each in swaps] == [True, False]
    assert "(waives" not in desk.done("log").out.splitlines()[-1]
    assert stays in desk.seats(2)


def test_the_clock_of_a_file_stands_at_its_last_event(desk: Desk) -> None:
    """Whoever looks at it a month later reads what the desk read, and enters nothing."""
    desk.patch.setattr("cli.outside.now", lambda: "2026-05-17T14:00:00.000Z")
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("export", "-o", "cup.jsonl")
    then = desk.done("--log", "cup.jsonl", "round", "--json").json
    desk.patch.setattr("cli.outside.now", lambda: "2100-01-01T00:00:00.000Z")
    assert desk.done("--log", "cup.jsonl", "round", "--json").json == then
    assert desk.done("round", "--json").json != then
    assert "next:" not in desk.done("--log", "cup.jsonl", "round").err
    assert "next:" in desk.done("round").err


def test_a_start_says_where_the_table_leaves_a_choice(desk: Desk) -> None:
    """AOP-BRACKET, AOP-ANNOUNCE: the structure by its word, and how more rounds are announced."""
    desk.open(4, ruleset="ashes")
    told = desk.done("start", "advanced").err
    assert "announced advanced: 3 rounds of Swiss" in told
    assert "note: advanced is at least 3 rounds and no cut; to choose otherwise" in told
    line = ("start", "advanced", "--rounds", "4", "--reason", "more time")
    assert f"`{' '.join(line[:3])} N --reason WHY`" in told
    told = desk.done(*line).err
    assert "announced advanced: 4 rounds of Swiss" in told
    assert "note:" not in told


def test_a_structure_that_becomes_custom_is_no_surprise(desk: Desk) -> None:
    """FFG-ANNOUNCE: once a round is paired, no table of the game gives what is announced."""
    desk.open(4, "advanced", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "a test")
    told = desk.done("start", "advanced", "--rounds", "4", "--reason", "more time").err
    assert "announced custom: 4 rounds of Swiss" in told
    assert "with a round paired, a change gives a custom structure, not advanced" in told
    assert (
        "the advanced structure is fixed" in desk.refused("start", "advanced", "--stage", "x").err
    )
