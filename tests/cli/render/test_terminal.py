"""Talk and help on a terminal: broken at words there, and whole in a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cli.input.options import MEANT
from cli.main import main
from cli.terminal.output import say
from cli.verbs import VERBS

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

LONG = "next: register more, or `start`: for 24 players basic is 4 rounds and a cut to 4, and more"


@pytest.mark.parametrize("columns", [30, 50, 200])
def test_talk_is_broken_at_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    say(LONG)
    assert capsys.readouterr().err == f"{LONG}\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    say(LONG)
    said = capsys.readouterr().err
    assert max(map(len, said.splitlines())) <= columns
    assert said.split() == LONG.split()


@pytest.mark.parametrize("verb", ["register", "start"])
def test_help_is_broken_at_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], desk: Desk, verb: str
) -> None:
    whole = desk.done(verb, "--help").out
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main([verb, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.split() == whole.split()
    told = [line for line in shown.splitlines() if "tourney" not in line and "--stage" not in line]
    assert max(map(len, told)) <= 60


@pytest.mark.parametrize("verb", ["swap", "correct", "unregister", "disqualify"])
def test_help_says_which_options_are_required(desk: Desk, verb: str) -> None:
    shown = desk.done(verb, "--help").out
    assert "--reason TEXT" in shown.splitlines()[0]
    assert "Required: " in shown


def test_a_new_tournament_needs_its_game(desk: Desk) -> None:
    assert "--ruleset KEY|FILE" in desk.done("new", "--help").out.splitlines()[0]
    assert 'tourney new "Kotei Berlin" --ruleset l5r' in desk.done("new", "--help").out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("result", "report"),
        ("score", "report"),
        ("remove", "drop or unregister"),
        ("seats", "swap"),
        ("top", "cut"),
        ("end", "finish or round close"),
        ("rank", "standings"),
        ("table", "standings"),
        ("Next", "pair"),
    ],
)
def test_other_words_lead_to_the_verb(desk: Desk, typed: str, meant: str) -> None:
    assert f"did you mean {meant}?" in desk.refused(typed).err


def test_every_synonym_leads_somewhere_and_is_no_verb() -> None:
    assert not MEANT.keys() & VERBS.keys()
    assert {verb.split()[0] for verbs in MEANT.values() for verb in verbs} <= VERBS.keys()


def test_a_check_is_broken_at_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], desk: Desk
) -> None:
    desk.open(2)
    whole = desk.done("verify").out
    assert max(map(len, whole.splitlines())) > 80
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["verify"]) == 0
    shown = capsys.readouterr().out
    assert shown.split() == whole.split()
    assert max(map(len, shown.splitlines())) <= 80


def test_the_tables_titles_are_broken_at_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["query", "tables"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_a_long_name_has_one_line(desk: Desk) -> None:
    desk.open(0)
    shown = desk.done("register", "Wolfeschlegelsteinhausenbergerdorff " * 5).out
    assert len(shown.splitlines()) == 1
    assert len(shown.rstrip()) == 80
