"""Results one after another: from a pipe, and at a prompt."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.verbs.day.report import report_lines
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def paired(desk: Desk) -> Desk:
    """Eight players at four tables."""
    desk.open(8, "basic")
    desk.done("pair")
    return desk


def results(desk: Desk) -> list[bool]:
    return [game["result"] is not None for game in desk.done("pairings", "--json").json]


def outcomes(desk: Desk) -> list[str]:
    """What table 1 has for its two players."""
    told: list[str] = desk.done("pairings", "--json").json[0]["result"]["outcomes"]
    return told


def test_what_is_refused_is_named_and_the_rest_lands(paired: Desk) -> None:
    one, four = paired.seats(1)[0], paired.seats(4)[1]
    lines = f"1 #{one}\n\n# a remark\n9 #{one}\n2 nobody\n1 #{four}\n4 #{four} mw\nundone\n"
    answer = paired.type("report", stdin=lines)
    assert answer.code == 1
    assert results(paired) == [True, False, False, True]
    told = answer.err.splitlines()
    assert [line.partition(": ")[2].partition(":")[0] for line in told[:4]] == [
        "line 4",
        "line 5",
        "line 6",
        "line 8",
    ]
    assert len(answer.out.splitlines()) == 2


def test_line_n_has_the_ids_number_n_and_is_done_once(paired: Desk) -> None:
    one, two = paired.seats(1)[0], paired.seats(2)[1]
    lines = f"# first\n1 #{one}\n2 #{two}\nundo\n2 #{two} modified\n"
    paired.done("report", "--id", "desk-1", stdin=lines)
    log = paired.log()
    ids = [json.loads(line)["id"] for line in log.splitlines()]
    assert ids[-4:] == ["desk-1-2", "desk-1-3", "desk-1-4", "desk-1-5"]
    paired.done("report", "--id", "desk-1", stdin=lines)
    assert paired.log() == log


def test_the_same_pipe_again_changes_nothing_after_the_next_round(paired: Desk) -> None:
    """The words of a line are looked up in the tournament as it was when the line landed."""
    lines = "".join(f"{table} #{paired.seats(table)[0]}\n" for table in (1, 2, 3, 4))
    paired.done("report", "--id", "desk-1", stdin=lines)
    paired.done("pair")
    log = paired.log()
    paired.done("report", "--id", "desk-1", stdin=lines)
    assert paired.log() == log
    assert results(paired) == [False] * 4


def test_the_same_result_again_is_already_so(paired: Desk) -> None:
    one = paired.seats(1)[0]
    answer = paired.done("report", stdin=f"1 #{one}\n1 #{one}\n")
    assert "nothing to change" in answer.out.splitlines()[1]


def test_names_of_several_words_need_no_quotes(paired: Desk) -> None:
    one, other = paired.seats(1)
    paired.done("rename", str(one), "Siobhán O'Neill")
    paired.done("rename", str(other), 'Dwayne "The Rock" Lee')
    paired.done("report", stdin="1 siobhan o'neill modified\n")
    assert outcomes(paired) == ["modified win", "modified loss"]
    paired.done("undo")
    paired.done("report", stdin='1 "dwayne" mw\n')
    assert outcomes(paired) == ["modified loss", "modified win"]


def test_json_is_one_object_a_line(paired: Desk) -> None:
    lines = "".join(f"{table} #{paired.seats(table)[0]}\n" for table in (1, 2))
    answer = paired.done("report", "--json", "--id", "a", stdin=lines)
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == ["a-1", "a-2"]


def test_q_ends_a_pipe(paired: Desk) -> None:
    one = paired.seats(1)[0]
    paired.done("report", stdin=f"q\n1 #{one}\n")
    assert results(paired) == [False] * 4


def test_an_endless_line_is_refused_and_the_next_one_lands(paired: Desk) -> None:
    one = paired.seats(1)[0]
    answer = paired.type("report", stdin="1 " + "x" * 100_000 + f"\n1 #{one}\n")
    assert answer.code == 1
    assert answer.err.startswith("tourney: line 1: a result must be shorter than 10,000 characters")
    assert results(paired) == [True, False, False, False]


def test_bytes_that_are_no_text_are_refused(paired: Desk) -> None:
    one = paired.seats(1)[0]
    answer = paired.type("report", stdin=f"2 \udcff\udcfe\n1 #{one}\n")
    assert answer.code == 1
    assert "line 1: " in answer.err
    assert results(paired) == [True, False, False, False]


class Keyboard(io.StringIO):
    """A terminal that somebody types at."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def test_at_a_prompt(
    paired: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = paired.seats(3)[1]
    monkeypatch.setattr(sys, "stdin", Keyboard(f"?\n3 #{one} mw\n\n9 x\nundo\nq\n"))
    session = Session(Options(), ("report",))
    assert report_lines(session) == 0
    session.close()
    out, err = capsys.readouterr()
    assert "round 1, open: 1 2 3 4 > " in err
    assert "round 1, open: 1 2 4 > " in err
    assert "outcomes: win, modified win, loss, modified loss" in err
    assert "round 1 has no table 9" in err
    assert len(out.splitlines()) == 2
    assert results(paired) == [False] * 4


def test_end_of_input_ends_the_prompt(
    paired: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard(""))
    session = Session(Options(), ("report",))
    assert report_lines(session) == 0
    session.close()
    assert capsys.readouterr().err.endswith("report (4 of 4 results of round 1 missing)\n")
    assert results(paired) == [False] * 4


def typed_at_the_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *lines: str
) -> tuple[str, str]:
    """What the loop answers to lines that are typed at it: stdout, and stderr without breaks."""
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", Keyboard("".join(f"{line}\n" for line in (*lines, "q"))))
    session = Session(Options(), ("report",))
    assert report_lines(session) == 0
    session.close()
    out, err = capsys.readouterr()
    return out, " ".join(err.split())


@pytest.mark.usefixtures("paired")
def test_what_is_only_looked_at_is_no_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = typed_at_the_prompt(monkeypatch, capsys, "list", "log", "clause FFG-DROP")
    assert "no player" not in err
    assert "Player 08" in out
    assert "paired round 1" in out


def test_a_verb_of_the_shell_is_named_with_its_place(
    paired: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = paired.log()
    _, err = typed_at_the_prompt(monkeypatch, capsys, "official hand-over kim", "tourney export")
    assert "`official hand-over` cannot be typed here: type q first" in err
    assert "then `tourney export`" in err
    assert "no player" not in err
    assert paired.log() == log
    _, err = typed_at_the_prompt(monkeypatch, capsys, "tables")
    assert "'tables' is not a player or a verb; did you mean pairings?" in err
    refused = paired.type("report", stdin="export\n")
    assert "line 1: `export` cannot be typed here" in refused.err


def test_a_result_may_begin_with_its_verb(paired: Desk) -> None:
    one, two = paired.seats(1)[0], paired.seats(2)[0]
    paired.done("report", stdin=f"report 1 #{one}\ntourney report 2 #{two}\n")
    assert results(paired) == [True, True, False, False]


@pytest.mark.usefixtures("paired")
def test_a_line_that_is_refused_again_is_refused_in_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = typed_at_the_prompt(monkeypatch, capsys, "zz", "zz", "9 zz", "zz")
    assert err.count('no player "zz"') == 2
    assert err.count("refused as before; ? shows the lines to type, q quits") == 1


@pytest.mark.usefixtures("paired")
def test_an_arrow_key_is_no_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = typed_at_the_prompt(monkeypatch, capsys, "\x1b[A", "1 \x1bOD")
    assert err.count("arrow keys and the like do nothing here") == 2
    assert "\x1b" not in err
