"""The loop takes the whole slip: who leaves, what was wrong, what a time result hangs on."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cli.desk import questions
from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.input.reports import explained
from cli.verbs.day import leaving
from cli.verbs.day.report import report_lines
from ledger.rulesets import load, names
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk

    Loop = Callable[..., tuple[str, str]]


class Keyboard(io.StringIO):
    """A terminal that somebody types at."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@typed_once
def paired(desk: Desk) -> Desk:
    """Eight players at four tables, with the names of the tables: `A1` against `B1`."""
    desk.open(8, "basic")
    desk.done("pair")
    for table in (1, 2, 3, 4):
        for side, player in zip("AB", desk.seats(table), strict=True):
            desk.done("rename", str(player), f"{side}{table}x")
    return desk


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Loop:
    """What is answered to lines that are typed at the prompt."""

    def typed(*lines: str) -> tuple[str, str]:
        monkeypatch.setattr(leaving, "is_asked", lambda: True)
        monkeypatch.setattr(sys, "stdin", Keyboard("".join(f"{line}\n" for line in (*lines, "q"))))
        session = Session(Options(), ("report",))
        assert report_lines(session) == 0
        session.close()
        out, err = capsys.readouterr()
        return out, err

    return typed


def result(desk: Desk, table: int) -> dict[str, Any]:
    recorded: dict[str, Any] = desk.done("pairings", "--json").json[table - 1]["result"]
    return recorded


def test_verbs_of_the_slip_are_typed_in_the_loop(paired: Desk, loop: Loop) -> None:
    _, err = loop(
        "1 a1x",
        'correct 1 b1x --reason "misread"',
        "no-show b2x",
        "drop a3x",
        "c",
        "undo",
        "drop a4x b4x",
        "dispute 1 a1x --for a1x --reason no",
    )
    assert "1/1 corrected" in err
    assert result(paired, 1)["outcomes"] == ["loss", "win"]
    assert result(paired, 2)["manner"] == "no-show"
    assert result(paired, 3) is None
    assert (result(paired, 4)["manner"], result(paired, 4)["outcomes"]) == (
        "departure",
        ["loss", "loss"],
    )
    assert paired.done("disputes", "--json").json


@pytest.mark.parametrize("typed", ["cancel", "clear", "px", "no", "quite"])
def test_only_an_answer_that_was_offered_ends_a_game(paired: Desk, loop: Loop, typed: str) -> None:
    loop("drop a1x", typed, "q")
    assert result(paired, 1) is None
    assert all(each["status"] == "active" for each in paired.done("list", "--json").json)
    _, err = loop("drop a1x", "CONC")
    assert "by concession" in err
    assert result(paired, 1)["manner"] == "concession"


def test_who_leaves_after_the_game_has_won_it(paired: Desk, loop: Loop) -> None:
    """FFG-DROP: a match that was played to its end is not conceded."""
    _, err = loop("drop a1x", "x", "p", "nobody", "a1x mw")
    assert err.count("conceded by A1x, or played?") == 2
    assert result(paired, 1)["outcomes"] == ["modified win", "modified loss"]
    assert [
        each["name"] for each in paired.done("list", "--json").json if each["status"] == "dropped"
    ] == ["A1x"]


def test_who_concedes_by_leaving_loses(paired: Desk, loop: Loop) -> None:
    loop("drop a1x", "c")
    assert result(paired, 1)["manner"] == "concession"


def test_who_leaves_before_the_start_can_be_left_out_of_the_pairing(
    paired: Desk, loop: Loop
) -> None:
    """FFG-DROP: nobody has begun, so the round is paired again, and nobody has won by that."""
    _, err = loop("drop a1x", "a", "pair")
    assert "Or pair again without A1x? [c/p/a]" in " ".join(err.split())
    games = paired.done("pairings", "--json").json
    assert sum(game["bye"] for game in games) == 1
    assert not any("A1x" in game["names"] for game in games)
    assert all(game["bye"] or game["result"] is None for game in games)


def test_once_a_table_has_a_result_nothing_is_paired_again(paired: Desk, loop: Loop) -> None:
    """FFG-DROP: others play already."""
    _, err = loop("2 a2x", "drop a1x", "c")
    assert "pair again" not in err
    assert "unpair" not in err
    assert result(paired, 1)["manner"] == "concession"


@pytest.mark.parametrize("game", ["l5r", "runewars", "ashes", "legion", "mtg", "xwing2"])
def test_through_a_pipe_a_drop_before_the_start_names_the_way_to_pair_again(
    desk: Desk, game: str
) -> None:
    """FFG-DROP: in each game, with the verbs in their order, which do what they say."""
    desk.done("new", "Day", "--ruleset", game, "--organizer", "Kim")
    for name in ("Ann", "Bob", "Cem", "Gus"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "3", "--word", "heron")
    desk.done("pair", "--unchecked", "--reason", "a test")
    told = desk.done("drop", "gus").err
    assert '`undo`, `unpair --reason WHY`, `drop "Gus"`, `pair` (FFG-DROP)' in told
    for words in (("undo",), ("unpair", "--reason", "Gus left"), ("drop", "gus")):
        desk.done(*words)
    desk.done("pair", "--unchecked", "--reason", "a test")
    assert not any("Gus" in game["names"] for game in desk.done("pairings", "--json").json)


@pytest.mark.parametrize("game", ["l5r", "runewars", "ashes", "legion", "mtg", "xwing2"])
@pytest.mark.parametrize("reason", ["no-show", "unable"])
def test_both_of_a_table_are_dropped_with_a_reason(desk: Desk, game: str, reason: str) -> None:
    """FFG-DROP: neither came, or neither can go on: no win, both dropped, as `no-show a b` has."""
    desk.done("new", "Day", "--ruleset", game, "--organizer", "Kim")
    for name in ("Ann", "Bob", "Cem", "Gus"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "3", "--word", "heron")
    desk.done("pair", "--unchecked", "--reason", "a test")
    first = desk.done("pairings", "--json").json[0]["names"]
    desk.done("drop", *first, f"--{reason}")
    played = desk.done("pairings", "--json").json[0]["result"]
    assert played["manner"] == ("no-show" if reason == "no-show" else "departure")
    gone = [
        each["name"] for each in desk.done("list", "--json").json if each["status"] == "dropped"
    ]
    assert sorted(gone) == sorted(first)


def test_through_a_pipe_who_leaves_concedes_as_before(paired: Desk) -> None:
    paired.done("drop", "a2x")
    assert result(paired, 2)["manner"] == "concession"


def test_questions_of_a_time_result(paired: Desk, loop: Loop) -> None:
    """L5R-TIME: one after the other, with the names; what does not fit is asked again."""
    paired.done("round", "start")
    paired.done("round", "time")
    _, err = loop("2 time", "three", "2 1", "10 8", "", "a2x", "both", "kim", "2 1", "9-3", "b2x")
    assert "broken, the player's own provinces that are broken: A2x and B2x, as 3 2:" in err
    assert "needs both players' numbers" in err
    facts = result(paired, 2)["facts"]
    assert facts == {
        "broken": [2, 1],
        "honor": [10, 8],
        "first": [1, 0],
        "passed": [1, 1],
        "leader": [1, 1],
        "broken-after": [2, 1],
        "honor-after": [9, 3],
        "favor-after": [0, 1],
    }
    log = paired.log()
    loop("3 time", "q")
    assert paired.log() == log


def test_the_first_time_result_without_a_clock_asks_whether_time_was_called(
    paired: Desk, loop: Loop
) -> None:
    """FFG-CLOCK: a no writes nothing, a yes records the call, and nobody is asked again."""
    told = ("2 1", "10 8", "", "a2x", "both", "kim", "2 1", "9-3", "b2x")
    log = paired.log()
    _, err = loop("2 time", *told, "n")
    assert "was time called? [y/N]" in err
    assert paired.log() == log
    loop("2 time", *told, "y")
    assert [json.loads(line)["type"] for line in paired.log().splitlines()[-2:]] == [
        "TimeCalled",
        "ResultReported",
    ]
    _, err = loop("3 time", *(word.replace("2x", "3x") for word in told))
    assert "was time called?" not in err
    assert result(paired, 3)["manner"] == "time"


@pytest.mark.usefixtures("paired")
def test_a_name_at_another_table_is_found(loop: Loop) -> None:
    _, err = loop("1 b3x")
    assert "B3x (#" in err
    assert "sits at table 3, not at this one; this table has A1x" in err


@pytest.mark.usefixtures("paired")
def test_after_the_last_result_it_says_what_comes_next(loop: Loop) -> None:
    out, err = loop("1 a1x", "2 a2x", "3 a3x", "4 a4x", "pair")
    assert "next: pair (round 2); type it here, or q to quit" in err
    assert "round 1 complete > " in err
    assert "round 2, open: 1 2 3 4 > " in err
    assert len(out.splitlines()) > 4


def test_a_pipe_takes_them_too_and_asks_nothing(paired: Desk) -> None:
    lines = "1 a1x\ndrop a2x\ncorrect 1 b1x --reason misread\n3 time\nno-show a4x\n"
    answer = paired.type("report", "--id", "pipe", stdin=lines)
    assert answer.code == 1
    assert "line 4: " in answer.err
    log = paired.log()
    ids = [json.loads(line)["id"] for line in log.splitlines()]
    assert {"pipe-1", "pipe-2", "pipe-3", "pipe-5"} <= set(ids)
    paired.type("report", "--id", "pipe", stdin=lines)
    assert paired.log() == log


@pytest.mark.parametrize("key", names())
def test_the_loop_offers_what_the_game_takes(key: str) -> None:
    rules = load(key).ruleset
    text = "\n".join(explained(rules))
    assert ("7 draw" in text) == any(outcome.record == "D" for outcome in rules.outcomes)
    assert ("--fact" in text) == (rules.derives is not None)
    assert all(len(line) < 80 for line in explained(rules) if not line.startswith("--"))
    assert questions.QUESTIONS_MAX


def test_what_the_program_shows_is_typed(paired: Desk) -> None:
    paired.done("report", "1", "10-1")
    paired.done("report", "2", "b2x", "6-0")
    assert result(paired, 1)["outcomes"] == ["win", "loss"]
    assert result(paired, 2)["outcomes"] == ["modified loss", "modified win"]
    assert "results of l5r are outcomes, not points" in paired.refused("report", "3", "7-2").err
    assert "draw" not in paired.type("report", "3").err


def test_a_number_that_cannot_be_is_asked_for_again(paired: Desk, loop: Loop) -> None:
    """L5R-TIME: what was answered before it is not lost."""
    paired.done("round", "start")
    paired.done("round", "time")
    _, err = loop(
        "2 time", "7 1", "2 1", "10 8", "", "3 0", "a2x", "both", "kim", "2 1", "9-3", "b2x"
    )
    assert "broken must be from 0 to 5" in err
    assert "first must be from 0 to 1" in err
    assert result(paired, 2)["manner"] == "time"
    assert "honor: A2x and B2x, as 3 2:" in err


def test_what_comes_next_is_typed_in_the_loop_up_to_the_end(desk: Desk, loop: Loop) -> None:
    """Whatever the loop says comes next, and says to type here."""
    desk.open(4, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    winners = [f"#{desk.seats(table)[0]}" for table in (1, 2)]
    _, err = loop(*(f"{table} {player}" for table, player in enumerate(winners, 1)), "cut", "pair")
    assert "next: cut; type it here" in err
    assert "no player" not in err
    (final,) = desk.done("pairings", "--json").json
    _, err = loop(f"1 #{final['players'][0]}", "tourney finish")
    assert "next: finish; type it here" in err
    assert "no player" not in err
    assert '"TournamentFinished"' in desk.log()


def test_a_game_by_time_is_refused_before_anything_is_asked(paired: Desk, loop: Loop) -> None:
    """FFG-CLOCK: while the clock runs."""
    paired.done("round", "start")
    log = paired.log()
    _, err = loop("2 time")
    assert "time is not over at 1/2" in err
    assert "honor" not in err.split("time is not over")[0].rpartition("> ")[2]
    assert paired.log() == log


def test_an_answer_that_does_not_fit_the_others_is_asked_for_again(
    paired: Desk, loop: Loop
) -> None:
    """L5R-TIME: Enter for somebody who must have passed costs no other answer."""
    paired.done("round", "start")
    paired.done("round", "time")
    _, err = loop("2 time", "2 1", "10 8", "", "a2x", "", "both", "kim", "2 1", "9-3", "b2x")
    assert err.count("passed, who passed the opportunity to concede") == 2
    assert result(paired, 2)["manner"] == "time"


@pytest.fixture
def ashes(desk: Desk) -> Desk:
    """Two tables of Ashes, with the names of the tables; time was called."""
    desk.open(4, "basic", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "a test")
    for table in (1, 2):
        for side, player in zip("AB", desk.seats(table), strict=True):
            desk.done("rename", str(player), f"{side}{table}x")
    desk.done("round", "start")
    desk.done("round", "time")
    return desk


def flat(text: str) -> str:
    """What a text says, however its lines are broken."""
    return " ".join(text.split())


def test_nobody_is_offered_only_where_a_result_follows(ashes: Desk, loop: Loop) -> None:
    """AOP-OUTCOME: without a Phoenixborn destroyed, the game ended by time or a declared draw."""
    _, err = loop("1 destroyed", "12 3", "none", "", "b1x")
    asked = "the player's own Phoenixborn was destroyed: A1x or B1x, or both?"
    assert flat(err).count(asked) == 3
    assert "none?" not in flat(err)
    assert "if none was, the game ended by time, or the organizer declared a draw" in flat(err)
    assert "`report TABLE --ended time`" in flat(err)
    assert result(ashes, 1)["outcomes"] == ["win", "loss"]
    _, err = loop("2 time", "25 3", "none")
    assert "destroyed: A2x or B2x, both or none?" in flat(err)
    assert result(ashes, 2)["outcomes"] == ["draw", "draw"]


def test_a_draw_with_a_loser_is_refused_before_anything_is_asked(ashes: Desk, loop: Loop) -> None:
    """AOP-OUTCOME: the message, the help and the page of the loop say how a draw is typed."""
    log = ashes.log()
    _, err = loop("?", "1 draw")
    assert "a draw ends by time, declared draw (AOP-OUTCOME)" in flat(err)
    assert "`report 1/1 draw --ended time`" in flat(err)
    assert "wounds that the player dealt" not in flat(err)
    assert "\n7 draw time " in err
    assert ashes.log() == log
    assert "TABLE draw time or" in ashes.refused("report", "1").err
    loop("1 draw time", "12 3")
    assert result(ashes, 1)["outcomes"] == ["draw", "draw"]


def test_who_did_not_pass_is_asked_who_conceded(paired: Desk, loop: Loop) -> None:
    """L5R-TIME: the first player concedes before anybody passes; a wrong name is asked again."""
    paired.done("round", "start")
    paired.done("round", "time")
    _, err = loop("2 time", "2 1", "10 8", "", "a2x", "?", "none", "b2x", "a2x")
    assert "answer with a word of the question; q quits" in flat(err)
    assert "do not give the result yet: it depends on who conceded" in flat(err)
    assert "both or none?" in flat(err)
    assert "the first player must concede or pass before the other player" in flat(err)
    assert result(paired, 2)["facts"]["conceded"] == [1, 0]


@pytest.mark.parametrize("line", ["1 a1x time", "1 time", "1 draw"])
def test_a_result_that_is_there_is_named_before_anything_is_asked(
    ashes: Desk, loop: Loop, line: str
) -> None:
    """FFG-RULING: at the prompt, in a pipe and on the line, for any incomplete report."""
    ashes.done("report", "1", "b1x", "--ended", "destroyed", "--fact", "wounds=25:3")
    log = ashes.log()
    _, err = loop(line)
    told = (flat(err), ashes.type("report", stdin=f"{line}\n").err)
    for text in (*told, ashes.refused("report", *line.split()).err):
        assert "1/1 already has a result" in flat(text)
        assert "use `correct 1/1`" in flat(text)
    assert "wounds that" not in flat(err)
    assert ashes.log() == log


def test_another_player_may_still_dispute_an_incomplete_report(ashes: Desk) -> None:
    """FFG-RULING: for a player who has said nothing yet, the numbers are what is missing."""
    first, second = ashes.seats(1)
    told = ("report", "1", f"#{first}", "--ended", "time")
    ashes.done("report", "1", "14-3", "--ended", "time", "--for", str(first))
    assert "fact wounds is missing" in ashes.refused(*told, "--for", str(second)).err
    assert "already has a result" in ashes.refused(*told, "--for", str(first)).err
