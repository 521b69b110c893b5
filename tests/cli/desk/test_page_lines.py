"""A page takes the lines that the loop takes: the same words come to the same events."""

from __future__ import annotations

import io
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from cli import outside
from cli.desk.consequences import forecast
from cli.desk.in_hand import recall, remember
from cli.desk.session import Desk as Session
from cli.desk.session import ReadingDesk
from cli.input.arguments import Options, UsageError
from cli.verbs.day.report import line_read, words_of
from ledger.errors import LedgerError, NotFound, Refused
from ledger.rules.results import Report
from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.consequences import Forecast
    from tests.support.cli_desk import Desk

ALL = 10**6


@typed_once
def named(desk: Desk) -> Desk:
    """Eight players at four tables, called `A1x` against `B1x` and so on; table 4 is reported."""
    desk.open(8, "custom", "--rounds", "3", "--cut", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    for table in (1, 2, 3, 4):
        for side, player in zip("AB", desk.seats(table), strict=True):
            desk.done("rename", str(player), f"{side}{table}x")
    desk.done("round", "start")
    desk.done("report", "4", "a4x")
    return desk


@pytest.fixture
def session(named: Desk) -> Iterator[Session]:
    del named
    opened = Session(Options(), ())
    yield opened
    opened.close()


def events() -> list[tuple[str, object]]:
    """What is on record in the folder, and who entered it."""
    opened = Session(Options(), ())
    recorded: list[tuple[str, object]] = [(each.by, each.event) for each in opened.book.recorded()]
    opened.close()
    return recorded


LINES = (
    "1 a1x",
    "1 a1x modified",
    "1/2 b2x",
    "a3x a3x",
    "no-show b2x",
    "2 no-show a2x b2x",
    "drop a1x",
    "drop a1x b1x",
    "DROP a2x --no-show",
    'correct 4 b4x --reason "the slip says so"',
    "dispute 4 b4x --for b4x",
    "confirm 4 --for b4x",
    "concede a1x",
    "undo",
    'note "lights out" ',
    "round extend 2 5 --reason late",
    "post pairings",
    'swap a1x a2x --reason "one car"',
    "dispute 4 b4x --for b4x --reason no",
)


@pytest.mark.parametrize("line", LINES)
def test_a_page_and_the_loop_read_a_line_alike(
    named: Desk, session: Session, line: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In two copies of one day, of one official."""
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(named.folder, other, dirs_exist_ok=True)
    before = len(events())
    reading = ReadingDesk.beside(session, 1, ALL)
    found = line_read(reading, words_of(line))
    assert found.command is not None
    session.book.act(found.command, by=found.by, command_id="page", at=outside.now())
    there = events()[before:]
    named.patch.chdir(other)
    named.done("report", stdin=f"{line}\n")
    assert events()[before:] == there
    assert there


def ahead(session: Session, line: str, official: int = 1) -> Forecast:
    reading = ReadingDesk.beside(session, official, ALL)
    found = line_read(reading, words_of(line))
    assert found.command is not None
    return forecast(reading, found.command)


def test_what_a_line_would_do_is_said_and_nothing_is_done(named: Desk, session: Session) -> None:
    before = named.log()
    (act,) = ahead(session, "1 a1x").acts
    assert "A1x" in act
    assert "2 of 4 results" in ahead(session, "1 a1x").next
    fixed = ahead(session, 'correct 4 b4x --reason "misread"')
    assert any("was: A4x" in each for each in fixed.besides)
    assert not ahead(session, "4 a4x").acts
    assert named.log() == before


def test_a_draw_is_not_shown_before_it_is_made(named: Desk, session: Session) -> None:
    """Who saw it first could choose it; nor is the key shown that the end reveals."""
    named.report_all()
    session.book.refresh()
    shown = " ".join(ahead(session, "pair").acts)
    assert "drawn when you confirm" in shown
    assert "x (#" not in shown.replace("round 1", "")
    for _ in range(2):
        named.done("pair")
        named.report_all()
    named.done("cut")
    named.done("pair")
    named.report_all()
    session.book.refresh()
    end = " ".join(ahead(session, "finish").acts)
    assert "finished" in end
    assert "revealed" not in end


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("1 x", NotFound, "could be both"),
        ("drop x", NotFound, "could be"),
        ("9 a1x", NotFound, "no table 9"),
        ("1", UsageError, "give the table and the winner"),
        ("frobnicate", NotFound, "no player"),
        ("pairings --print -o wall.html", UsageError, "can be used only at a terminal"),
        ("register --file=/etc/passwd", Refused, "a page cannot use files: omit '/etc/passwd'"),
        ("--store x.db 1 a1x", LedgerError, ""),
        ("drop a1x --store x.db", UsageError, "omit --store"),
        ("drop a1x --as 2", Refused, "its own official"),
        ("backup x", UsageError, "backup can be used only at a terminal"),
        ("correct 4 b4x", UsageError, "needs --reason"),
    ],
)
def test_what_cannot_be_read_is_said(
    named: Desk, session: Session, line: str, kind: type[Exception], text: str
) -> None:
    before = named.log()
    reading = ReadingDesk.beside(session, 1, ALL)
    with (
        pytest.raises(kind, match=text)
        if kind is not LedgerError
        else pytest.raises((LedgerError, UsageError))
    ):
        line_read(reading, words_of(line))
    assert named.log() == before
    assert not list(named.folder.glob("wall*"))


def test_a_page_of_the_round_before_hits_no_table(named: Desk, session: Session) -> None:
    known = session.book.tournament.seq
    named.report_all()
    named.done("pair")
    session.book.refresh()
    reading = ReadingDesk.beside(session, 1, known)
    player = session.book.tournament.rounds[1].matches[0].first
    with pytest.raises(Refused, match="last showed round 1, but now it is round 2"):
        line_read(reading, ["1", f"#{player}"])


def test_undo_hits_no_act_that_the_page_has_not_shown(named: Desk, session: Session) -> None:
    known = session.book.tournament.seq
    named.done("note", "of the other desk")
    session.book.refresh()
    reading = ReadingDesk.beside(session, 1, known)
    with pytest.raises(Refused, match="since this page was loaded"):
        line_read(reading, ["undo"])


def test_what_only_looks_is_shown(session: Session) -> None:
    shown = line_read(ReadingDesk.beside(session, 1, ALL), ["match", "4"])
    assert shown.command is None
    assert "A4x" in shown.shown


def test_it_is_the_officials_own_act(session: Session) -> None:
    found = line_read(ReadingDesk.beside(session, 2, ALL), words_of('rule 4 "it stands"'))
    assert found.by == "o2"
    assert found.command is not None
    assert getattr(found.command, "official", 0) == 2


def test_a_table_is_held_to_what_was_seen(session: Session) -> None:
    found = line_read(ReadingDesk.beside(session, 1, ALL), ["1", "a1x"])
    assert isinstance(found.command, Report)
    assert found.command.seen is not None
    assert found.command.seen.matches == (1,)


def test_what_a_page_shows_is_not_what_this_folder_was_shown(named: Desk, session: Session) -> None:
    memory = named.folder / ".tourney"
    forgetful = structs.replace(recall(), shown={})
    remember(forgetful)
    before = memory.read_bytes()
    for line in ("pairings", "round", "1 a1x"):
        line_read(ReadingDesk.beside(session, 1, ALL), words_of(line))
    assert memory.read_bytes() == before


def test_nobody_is_asked_at_the_terminal_that_serves(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hall was started from one, and nobody sits there for a page."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, terminal)
    for line in ("drop a1x", 'swap a1x a2x --reason "one car"', "disqualify a1x --reason no"):
        found = line_read(ReadingDesk.beside(session, 1, ALL), words_of(line))
        assert found.command is not None
