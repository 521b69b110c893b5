"""Officials, rulings, conduct, penalties and the clock at the desk."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

import pytest

from cli import outside
from cli.render import round_clock
from cli.terminal.visible import cells
from ledger.fold import fold_lines
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Four players in round 1, which runs; Pat is a judge, Mara a marshal."""
    desk.open(4, "basic")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Mara Low", "--role", "marshal")
    desk.done("pair")
    desk.done("round", "start")
    return desk


def test_a_ruling_and_its_review(day: Desk) -> None:
    first = day.seats(1)[0]
    told = day.done(
        *("rule", "1", "the card stays", "--as", "pat", "--player", f"#{first}", "--review")
    )
    assert "Pat Jones ruled at 1/1, raised by a player" in told.err
    seq = str(day.done("rule", "--json").json[0]["seq"])
    assert "FFG-ROLE-JUDGE" in day.refused("rule", "1", "no", "--as", "pat", "--reviews", seq).err
    day.done("rule", "1", "it goes", "--as", "mara", "--reviews", seq)
    assert "reviewed by" in day.done("rule").out
    assert "(final)" in day.done("log", "-n", "1").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("rule 1", 2, "give the table and the decision"),
        ("rule 1 x", 1, "FFG-ROLE-JUDGE"),
        ("rule 1 x --player 1 --spectator", 2, "choose one of --player and --spectator"),
        ("rule 9 x", 3, "no table 9"),
        ("rule withdraw 1/1", 2, "give the ruling and the reason"),
        ("review 1/1 --upheld", 2, "give the decision"),
        ("conduct 1", 2, "give the player, the kind"),
        ("conduct 1 dancing --remedy x", 2, "known: stalling"),
        ("conduct 1 stalling --remedy x", 1, "is reserved for the marshal"),
        ("recommend 1", 2, "needs --reason"),
        ("recommend 1 --reason x", 1, "is reserved for the marshal"),
        ("penalty 1 warning", 2, "--for-what"),
        ("penalty 1 hug --for-what x", 2, "no penalty"),
        ("penalty 1 match --for-what x --as nobody", 3, "is not an official"),
        ("official pat", 2, "official has no act 'pat'"),
        ("official stand-down kim", 1, "cannot stand down"),
        ("official plays nobody 1", 3, "is not an official"),
        ("round extend 1", 2, "give TABLE|all MINUTES, not only '1'"),
        ("round extend 1 5", 2, "needs --reason"),
        ("round extend 1 x --reason y", 2, "a whole number"),
        ("round extend 1 241 --reason y", 2, "from 1 to 240"),
        ("round extra 30", 1, "has no extra time"),
        ("round extra", 1, "has no extra time"),
        ("round start now", 2, "minutes must be a whole number"),
        ("round time --left 0", 2, "from 1 to 240"),
        ("round close --left 5", 2, "--left is an option of `round time`"),
    ],
)
def test_what_is_refused(day: Desk, line: str, code: int, told: str) -> None:
    answer = day.refused(*line.split())
    assert answer.code == code, answer.err
    assert told in answer.err


def test_conduct_and_penalties_are_listed(day: Desk) -> None:
    day.done("conduct", "1", "stalling", "--remedy", "a warning", "--as", "mara")
    day.done("conduct", "1", "help-from", "--remedy", "a warning", "--as", "mara")
    assert [each["kind"] for each in day.done("conduct", "--json").json] == [
        "stalling",
        "help from spectators",
    ]
    assert "stalling" in day.done("conduct").out
    day.done("penalty", "2", "match-loss", "--for-what", "three warnings", "--as", "mara")
    assert day.done("penalty", "--json").json[0]["kind"] == "match loss"
    assert "three warnings" in day.done("penalty").out
    day.done("recommend", "1", "--reason", "stalls again", "--as", "mara")
    day.done("disqualify", "1", "--reason", "stalls again")
    assert "disqualified" in day.done("list").out


def test_standing_down_and_playing(day: Desk) -> None:
    day.done("official", "stand-down", "pat", "--as", "pat")
    assert "stood down" in day.done("official").out
    assert "FFG-ROLE-STATUS" in day.refused("round", "time", "--as", "pat").err
    day.done("official", "resume", "pat")
    assert "FFG-LEADER-TIER" in day.refused("official", "plays", "kim", "1").err
    day.done("official", "add", "Sam", "--role", "scorekeeper")
    day.done("official", "plays", "sam", "1")
    assert "plays as Player 01 (#1)" in day.done("official").out
    assert day.done("official", "--json").json[3]["player"] == 1


def test_the_clock_per_table(day: Desk) -> None:
    day.done("round", "extend", "2", "5", "--reason", "a judge was called", "--as", "pat")
    shown = day.done("round", "--json").json
    assert [table["extension"] for table in shown["tables"]] == [0, 5]
    one, two = (table["seconds_left"] for table in shown["tables"])
    assert two - one == 300
    assert "+5 min" in day.done("round").out
    day.done("round", "time", "--left", "10")
    day.done("round", "time")
    assert "nothing to change" in day.done("round", "time").err
    assert "time was called" in day.done("round").err
    assert day.done("round", "--json").json["called"] == [10, 0]


def test_watch_without_a_terminal_is_one_snapshot(day: Desk) -> None:
    day.patch.setattr(outside, "now", lambda: "2026-05-17T10:00:00.000Z")
    assert day.done("round", "watch").out == day.done("round").out


@pytest.mark.parametrize("size", [(80, 24), (20, 6), (8, 3), (1, 1)])
def test_a_small_terminal_shows_the_time_first(
    desk: Desk, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FFG-CLOCK: no line is wider than the screen and none too many; what is left stands first."""
    width, height = size
    _at_ten(desk)
    tournament = fold_lines(desk.log().encode().splitlines())
    with monkeypatch.context() as patch:  # not for pytest, which asks for the size as well
        patch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size(size))
        lines = round_clock._screen(tournament)
    assert len(lines) <= max(height - 1, 1)
    assert all(cells(line) <= max(width - 1, 0) for line in lines)
    if width >= 8:
        assert lines[0].startswith("60:00")


def _at_ten(desk: Desk) -> None:
    """Start a round of 60 minutes at ten."""
    desk.open(4, "basic")
    desk.done("pair")
    desk.patch.setattr(outside, "now", lambda: "2026-05-17T10:00:00.000Z")
    desk.done("round", "start")


def test_time_called_early_is_told_and_taken_back(desk: Desk) -> None:
    """FFG-CLOCK: a call with most of the round to go may be a slip."""
    _at_ten(desk)
    assert "the clock showed 60 minutes" in desk.done("round", "time").err
    assert desk.done("round", "--json").json["minutes_left"] == 0
    assert "undoing: called time in round 1" in desk.done("undo").err
    assert desk.done("round", "--json").json["minutes_left"] == 60
    desk.patch.setattr(outside, "now", lambda: "2026-05-17T10:49:30.000Z")
    assert "the clock showed" not in desk.done("round", "time", "--left", "10").err


def test_a_match_loss_between_rounds_says_that_it_changed_nothing(day: Desk) -> None:
    """AOP-PENALTY: the penalty is on record, the result is the desk's to correct."""
    day.report_all()
    told = day.done("penalty", "1", "match-loss", "--for-what", "late", "--as", "mara").err
    assert "no result has changed: to make them lose a match, use `correct`" in told


@pytest.mark.slow
@pytest.mark.usefixtures("heard_ctrl_c")
def test_watch_in_a_terminal_leaves_cleanly(day: Desk) -> None:
    """It shows the progress, follows what other desks report, and ends with Ctrl-C."""
    terminal, inner = pty.openpty()
    command = [sys.executable, "-m", "cli.main", "round", "watch"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, cwd=day.folder, env=environment
    )
    os.close(inner)
    try:
        seen = _read_until(terminal, b"0 of 2 reported")
        assert b"\x1b[?1049h" in seen
        day.done("report", "1", f"#{day.seats(1)[0]}")
        _read_until(terminal, b"1 of 2 reported")
        process.send_signal(signal.SIGINT)
        rest = _read_until(terminal, b"\x1b[?25h\x1b[?1049l")
        assert b"Traceback" not in rest
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _read_until(terminal: int, sought: bytes) -> bytes:
    """What the terminal is sent, up to what is sought; the screen changes once a second."""
    seen = b""
    for _ in range(100):
        assert wait([terminal], 60), seen
        seen += os.read(terminal, 65_536)
        if sought in seen:
            return seen
    raise AssertionError(seen)


def test_a_lone_number_of_an_extension_may_be_either_word(day: Desk) -> None:
    """FFG-CLOCK: the table may be missing as well as the minutes, so both are named."""
    told = day.refused("round", "extend", "5", "--reason", "a judge was called").err
    assert "round extend: give TABLE|all MINUTES, not only '5'" in told


@pytest.mark.parametrize("note", [("--note", "a headache"), ("--note=a headache",)])
def test_why_a_player_leaves_is_a_reason_as_everywhere(day: Desk, note: tuple[str, ...]) -> None:
    """The old name still works, and says the new one."""
    told = day.done("drop", "4", "--conceded", *note)
    assert "`--note` is `--reason` now" in told.err
    assert "dropped: a headache" in told.err
    told = day.done("drop", "3", "--conceded", "--reason", "a train")
    assert " now" not in told.err
    assert "dropped: a train" in told.err


def test_the_office_of_organizer_is_handed_over_after_a_question(day: Desk) -> None:
    """FFG-ROLE-ORGANIZER: at a terminal; not if it changes nothing, is refused, or has --yes."""
    day.done("official", "add", "Coco", "--role", "judge")
    before, words = day.log(), ("official", "hand-over", "coco")
    with day.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        answer = day.type(*words, stdin="n\n")
        assert (answer.code, day.log()) == (1, before)
        assert "the organizer until they hand it over themselves? [y/N]" in answer.err
        answer = day.type(*words, "--for-now", stdin="\n")
        assert (answer.code, day.log()) == (1, before)
        assert "the organizer until you resume? [y/N]" in answer.err
        assert "[y/N]" not in day.type(*words, "--as", "coco", stdin="y\n").err
        assert day.log() == before
        assert "[y/N]" not in day.done(*words, "--for-now", "--yes").err
        day.done("official", "resume", "kim", "--as", "coco", "--yes")
        assert "[y/N]" in day.done(*words, stdin="y\n").err
        assert "[y/N]" not in day.done(*words, "--as", "coco", stdin="").err
