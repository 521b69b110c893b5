"""A line from a page reaches no file of the server: any verb, any parameter, any spelling."""

from __future__ import annotations

import json
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from cli.desk.machine_files import Files
from cli.desk.session import ReadingDesk
from cli.input.options import files_in
from cli.outside import TO_TERMINAL
from cli.serve.pages.organizer.lines import LINE_FORMS
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from cli.verbs.on_pages import FIRST_WORDS
from tests.hostile.gate.served_day import OFFICIALS, ORGANIZER, SCOREKEEPER, Sender, is_unharmed
from tests.hostile.gate.spelled_lines import SpelledLine, lines_with, lines_with_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


NOT_GRANTED = ("a page cannot use files", "a page cannot run")


def lines_for(folder: Path) -> list[SpelledLine]:
    """Return every line, in turn about a secret file, a new file, a folder and another store."""
    values = [str(folder / name) for name in ("creds.env", "new.html", "", "other.db")]
    by_value = [list(lines_with(value)) for value in values]
    return [by_value[place % len(values)][place] for place in range(len(by_value[0]))]


@pytest.mark.slow
def test_no_line_opens_another_store(sender: Sender, stranger: Path) -> None:
    """The options that every verb has, on each verb of a page."""
    lines = [*lines_with_store(str(stranger / "other.db"))]
    sent_by_turns(sender, lines[::7])
    assert is_unharmed(sender, stranger)


def sent_by_turns(sender: Sender, lines: Sequence[SpelledLine]) -> None:
    """Send lines while they are typed, each by another official."""
    for who, line in zip(cycle(OFFICIALS), lines, strict=False):
        sender.send("/line/reading", who, line=line.typed)


@pytest.mark.slow
def test_no_line_reaches_a_file(sender: Sender, stranger: Path) -> None:
    """Every verb, every parameter, every spelling."""
    sent_by_turns(sender, lines_for(stranger))
    assert is_unharmed(sender, stranger)


@pytest.mark.slow
def test_no_line_of_a_sample_reaches_a_file(sender: Sender, stranger: Path) -> None:
    sent_by_turns(sender, lines_for(stranger)[::17])
    assert is_unharmed(sender, stranger)


def test_a_parameter_that_names_a_file_is_refused(sender: Sender, stranger: Path) -> None:
    """By both routes: as a line while it is typed, and as the words that a form confirms."""
    lines = [line for line in lines_for(stranger) if line.names_file and line.is_for_pages]
    refused = set()
    for who, line in zip(cycle(OFFICIALS), lines, strict=False):
        answer = sender.send("/line/reading", who, line=line.typed)
        assert "press Enter to see" not in answer, line
        refused |= {line.path} if any(each in answer for each in NOT_GRANTED) else set()
    for who, line in zip(cycle(OFFICIALS), lines[::7], strict=False):
        sender.send("/line", who, words=json.dumps(line.words), confirmed="1")
    assert refused == {
        path
        for path, verb in VERBS.items()
        if path.split()[0] in FIRST_WORDS and files_in(function_of(verb))
    }
    assert is_unharmed(sender, stranger)


def test_no_field_of_a_form_reaches_a_file(sender: Sender, stranger: Path) -> None:
    """Not even a field that is read as an option."""
    secret = str(stranger / "creds.env")
    for form in LINE_FORMS.values():
        for field in form.fields:
            for value in (secret, f"--output={secret}", f"-o{secret}", f"--file={secret}"):
                filled = {each.name: "1" for each in form.fields} | {field.name: value}
                sender.send("/line/reading", ORGANIZER, form=form.name, **filled)
    assert is_unharmed(sender, stranger)


def test_a_verb_that_holds_the_terminal_is_refused(sender: Sender) -> None:
    """`round watch` would keep the hall's only thread until Ctrl-C on the server."""
    assert NOT_GRANTED[1] in sender.send("/line/reading", SCOREKEEPER, line="round watch")
    assert NOT_GRANTED[1] in sender.send("/line", SCOREKEEPER, line="round watch --big")


@pytest.mark.parametrize(
    "line", ["evidence 1/1 -o{}", "evidence 1/1 --output={}", "lists submit #1 {}"]
)
def test_this_test_notices_a_desk_with_files(
    sender: Sender, stranger: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """The control: a page's desk that is given the terminal's files."""
    monkeypatch.setattr(ReadingDesk, "files", Files())
    monkeypatch.setattr(ReadingDesk, "grants", TO_TERMINAL)
    place = stranger / ("new.html" if "evidence" in line else "creds.env")
    sender.send("/line", SCOREKEEPER, line=line.format(place))
    with pytest.raises(AssertionError):
        is_unharmed(sender, stranger)
