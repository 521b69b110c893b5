"""Several hundred hostile names: visible on output, in the log as typed but for white space."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING
from unicodedata import category

import pytest

from cli.terminal.visible import visible
from ledger.exchange import replay
from tests.support.cli_desk import typed_once
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def hostile() -> list[str]:
    """The strings that can be names in a sheet: not blank or too long, one line, no lost letter."""
    texts = [text for text in texts_to_try() if text.strip() and len(text) <= 1_000]
    return [text for text in texts if not {"\n", "\r", "\ufffd"} & {*text}]


def recorded(names: list[str]) -> list[str]:
    """The names as they are recorded."""
    return [name.strip() for name in names]


def in_the_log(desk: Desk) -> list[str]:
    """The names that a reader of the sealed log has, by the keys that come with it."""
    desk.done("export", "-o", "day.jsonl")
    names = replay(desk.folder / "day.jsonl").tournament.names
    return [name for of, name in names.items() if of.startswith("p")]


def refuse_invisible(text: str) -> None:
    assert not [letter for letter in text if category(letter) in HIDDEN and letter not in "\n\f"]


@typed_once
def registered(desk: Desk) -> Desk:
    """A day with every hostile name, from a file."""
    desk.open(0)
    sheet = io.StringIO()
    csv.writer(sheet).writerows([["name"], *([name] for name in hostile())])
    (desk.folder / "players.csv").write_bytes(sheet.getvalue().encode())
    desk.done("register", "--file", "players.csv", "--namesake")
    return desk


@pytest.mark.slow
def test_names_from_a_file_are_exact_in_the_log_and_visible_on_output(registered: Desk) -> None:
    desk, names = registered, hostile()
    assert in_the_log(desk) == recorded(names)
    desk.done("start", "custom", "--rounds", "1")
    for line in (
        "pair",
        "list",
        "pairings",
        "pairings --print",
        "pairings --slips",
        "standings",
        "log",
        "round",
        "standings --final",
    ):
        answer = desk.done(*line.split())
        refuse_invisible(answer.out)
        refuse_invisible(answer.err)
    for verb in ("list", "pairings", "standings"):
        refuse_invisible(desk.done(verb, "--json").out)
    assert [row["name"] for row in desk.done("list", "--json").json] == recorded(names)


@pytest.mark.slow
def test_names_typed_one_by_one(desk: Desk) -> None:
    desk.open(0)
    typed = [name for name in hostile()[::7] if "\0" not in name]
    for name in typed:
        answer = desk.done("register", "--namesake", "--", name)
        refuse_invisible(answer.out + answer.err)
    assert in_the_log(desk) == recorded(typed)


@pytest.mark.slow
def test_hostile_words_in_a_refusal_stay_one_visible_line(registered: Desk) -> None:
    for words in hostile()[::11]:
        answer = registered.type("drop", "--id", "always-the-same", "--", f"{words} nobody")
        assert answer.code in {2, 3}
        assert answer.err.count("\n") == 1
        refuse_invisible(answer.err)


@pytest.mark.slow
def test_a_hostile_name_can_be_found_as_it_was_typed(registered: Desk) -> None:
    names = hostile()
    stored = recorded(names)
    for number, name in list(enumerate(names, start=1))[::13]:
        if stored.count(name.strip()) == 1 and not name.strip().strip("#").isdigit():
            answer = registered.done("rename", "--", name, f"renamed {number}")
            assert f"player {number} is renamed {number}" in answer.err


def test_the_tournaments_own_name(desk: Desk) -> None:
    name = "\x1b]0;pwned\x07\u202e[2J"
    desk.done("new", name, "--ruleset", "l5r")
    for line in ("tournaments", "use", "log"):
        answer = desk.done(*line.split())
        refuse_invisible(answer.out + answer.err)
        assert visible(name)[:6] in answer.out + answer.err
