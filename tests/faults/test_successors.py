"""A follower is killed, or its disk fails, at any call: it still takes over, with what it had.

Every call on the files of the second computer fails once: while it follows and while it takes over.
Then it follows again, or the first desk is dead; in both cases `take-over` completes, once.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger.store import open_store
from tests.faults.disk import read_tree
from tests.faults.server import Request, serving
from tests.faults.test_system_calls import ERRORS, STRIDE, badly_ended, written
from tests.support.hall import first_round, links_of, served
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.faults.server import Outcome, Server
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow


class Try(NamedTuple):
    """The line whose call fails, and whether the first desk is dead afterwards."""

    words: tuple[str, ...]
    fail: int
    error: str
    is_dead: bool


class TwoLaptops:
    """A desk that is served, and what a computer that follows it has on its disk."""

    def __init__(self, server: Server, desk: Desk, address: str, secret: str) -> None:
        self._server = server
        self.follow = ("follow", address, "--once")
        with written({}) as folder:
            self._type(folder, "follow", f"{address}in#{secret}", "--once")
            self.early = read_tree(folder)
            desk.report_all()
            calls = self._type(folder, *self.follow).calls
            self.late = read_tree(folder)
            self.tries = [*self._tries(self.follow, calls)]
            self.size = _size(folder)
            calls = self._type(folder, "take-over").calls
            self.tries += self._tries(("take-over",), calls)

    def _tries(self, words: tuple[str, ...], calls: int) -> Iterator[Try]:
        for fail in range(1, calls + 1):
            for error in ERRORS:
                yield Try(words, fail, error, is_dead=bool(fail % 2))

    def _type(self, folder: Path, *words: str) -> Outcome:
        outcome = self._server.run(Request(str(folder), list(words)))
        assert outcome.code == 0, (words, outcome.err)
        return outcome

    def lost(self, run: Slice, tried: Try) -> Iterator[str]:
        """Let a call fail, take over, and say what is wrong afterwards."""
        is_following = tried.words == self.follow
        with written(self.early if is_following else self.late) as folder:
            before = _size(folder)
            request = Request(
                str(folder), list(tried.words), fail=tried.fail, error=ERRORS[tried.error]
            )
            outcome = self._server.run(request)
            run.count(tried.error)
            yield from badly_ended(outcome, tried.error)
            if is_following and not tried.is_dead:
                outcome = self._server.run(Request(str(folder), list(self.follow)))
                if outcome.code or _size(folder) != self.size:
                    yield f"it does not follow again: {outcome.err}"
            size = _size(folder) if is_following else self.size
            yield from self._taken_over(folder, max(size, before))

    def _taken_over(self, folder: Path, size: int) -> Iterator[str]:
        for words in (("take-over",), ("verify",), ("take-over",)):
            outcome = self._server.run(Request(str(folder), list(words)))
            if outcome.code:
                yield f"`{words[0]}` ends with {outcome.code}: {outcome.err}"
        if _size(folder) != size + 1:
            yield f"{_size(folder)} lines, not {size + 1}"
        if list(folder.rglob("follower-*.key")) or not list(folder.rglob("log-*.key")):
            yield "its key is not the log's"


def _size(folder: Path) -> int:
    with open_store(str(folder / "tourney.db"), create=False) as store:
        (stream,) = store.streams()
        return store.size(stream)


@contextmanager
def laptops(desk: Desk, weakened: str = "") -> Iterator[TwoLaptops]:
    """Open the first desk, and let a second computer follow it."""
    port = free_port()
    first_round(desk)
    (link,) = links_of(desk, port, "o1")
    with serving(weakened) as server, served(desk, port) as address:
        yield TwoLaptops(server, desk, address, link.partition("#")[2])


def try_all(run: Slice, two: TwoLaptops, tries: list[Try]) -> None:
    """Let another call fail in each case."""
    for case in run:
        tried = tries[case * STRIDE % len(tries)]
        if lost := list(two.lost(run, tried)):
            words = f"call {tried.fail} of `{tried.words[0]}` ends with {tried.error}"
            run.lose(case, f"{words}: {'; '.join(lost[:3])}")


def test_a_follower_takes_over_whatever_stopped_it(begin: Begin, desk: Desk) -> None:
    run = begin("successors", short=24, long=3_200)
    with laptops(desk) as two:
        try_all(run, two, two.tries)
    assert not run.lost, run.report()


def test_without_the_head_that_came_before_its_lines_it_does_not(begin: Begin, desk: Desk) -> None:
    """A laptop that was killed while it followed, and a desk that is dead."""
    run = begin("successors-headless", short=200, must_lose="a take-over continues the lines")
    with laptops(desk, "successor") as two:
        killed = [each for each in two.tries if each.words == two.follow and each.error == "KILL"]
        try_all(run, two, [each for each in killed if each.is_dead])
    assert run.is_shown, run.report()
