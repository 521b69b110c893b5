"""Desks and a server on one machine: the times of the lines are in the order of the lines."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

from cli import outside
from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from ledger.books.book import Sent, open_book
from ledger.rules.office import TakeNote
from ledger.store import open_store
from projections.standings.table import ranking
from tests.ledger.books.test_books import STREAM, in_play
from tests.support.cli_desk import typed_once
from tests.support.hall import first_round

if TYPE_CHECKING:
    import pytest

    from ledger.store import Store
    from tests.support.cli_desk import Desk

DESKS = 6
NOTES = 30

day = typed_once(first_round)


def times_of(desk: Desk) -> list[str]:
    return [json.loads(line)["at"] for line in desk.log().splitlines()]


def test_desks_that_write_at_once_lose_nothing_and_have_their_times_in_order(day: Desk) -> None:
    lines = "".join(f"note {number}\n" for number in range(NOTES))
    before = len(times_of(day))
    desks = [
        subprocess.Popen(
            [sys.executable, "-m", "cli", "report"],
            cwd=day.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(DESKS)
    ]
    for desk in desks:
        assert desk.stdin is not None
        desk.stdin.write(lines)
        desk.stdin.flush()
    said = [desk.communicate()[1] for desk in desks]
    assert [desk.returncode for desk in desks] == [0] * DESKS, said
    times = times_of(day)
    assert len(times) == before + DESKS * NOTES
    assert times == sorted(times)
    assert "clock" not in {each["kind"] for each in day.done("audit", "--json").json["findings"]}


def test_the_clock_is_read_behind_the_last_line_of_the_store(day: Desk) -> None:
    """A line that another desk wrote after an act was sent has an earlier time than the act."""
    session = Session(Options(), [])
    try:
        sent = [
            Sent(TakeNote("sent first"), "o1", "sent-first", outside.now),
            Sent(TakeNote("sent with it"), "o1", "sent-with-it", outside.now),
        ]
        book = session.book
        day.done("note", "lands first")
        book.act_all(sent)
    finally:
        session.close()
    times = times_of(day)
    assert times == sorted(times)


def test_an_act_that_is_decided_again_reads_the_clock_again(
    store: Store, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL an act is decided before the lock, and again if another desk was faster."""
    seconds = count()

    def clock() -> str:
        return f"2026-03-14T09:30:{next(seconds):02}.000Z"

    mine = in_play(store)
    whole, is_first = type(mine)._answered, True

    def answered(book: Any, *words: Any) -> object:  # noqa: ANN401 - handed on
        nonlocal is_first
        answer = whole(book, *words)
        if is_first and book is mine and "postgres" in location:
            is_first = False
            with open_store(location) as other:
                theirs = open_book(other, STREAM, ranking)
                theirs.act(TakeNote("theirs"), by="o1", command_id="theirs", at=clock)
        return answer

    monkeypatch.setattr(type(mine), "_answered", answered)
    mine.act(TakeNote("mine"), by="o1", command_id="mine", at=clock)
    times = [json.loads(line)["at"] for line in mine.lines]
    assert times == sorted(times)
    assert mine.lines == store.lines(STREAM)


def test_an_act_sent_again_keeps_its_first_time(day: Desk) -> None:
    first = day.done("note", "once", "--id", "the-same-id", "--json").json
    day.done("note", "meanwhile")
    before = day.log()
    assert day.done("note", "once", "--id", "the-same-id", "--json").json == first
    assert day.log() == before
