"""Reading never keeps the day from going on: what takes long is answered by another process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.reader import QUESTION_SECONDS
from cli.serve.visitors import Lane, Turns
from ledger.books.open_log import OpenLog
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.rules.office import TakeNote
from projections import explain as explanations
from projections import matches
from projections.audit import report as audits
from projections.explain import pairings
from projections.explain.pairings import bye
from projections.processes import Companion
from projections.whatif import what_if
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, first_round, hall_open, official, player, served
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from cli.desk.session import Desk as OpenDesk
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

LONG = (
    explanations.explain,
    pairings.meeting,
    bye,
    audits.audit_of,
    matches.story_in,
    what_if,
)
"""What takes long: by the number of players, of rounds, or of events."""

QUESTIONS = (
    "/api/v1/explain/1/points",
    "/api/v1/explain-pairing/1/1",
    "/api/v1/explain-bye/1",
    "/api/v1/audit",
    "/api/v1/disputes",
    "/api/v1/match/1/1",
    "/api/v1/log",
    "/me/why/points",
    "/judge/match/1/1",
    "/judge/match/1/1?part",
)
LINES = (
    *("explain pairing 1/1", "explain 1 points", "explain bye 1", "match 1/1", "standings"),
    *("pairings", "disputes", "whatif 1/1 none", "evidence 1/1", "drop 1", "note hello"),
    *("post pairings", "undo", "unpair --reason x", "finish", "penalty 1 warning --for-what x"),
)

ORIGIN = {"origin": HERE}

day = typed_once(first_round)


def is_as_asked(browser: Browser, path: str) -> Browser:
    """Let the browser be the one whose page it is."""
    browser.who = player(1) if path.startswith("/me") else official(1)
    return browser


@pytest.fixture
def long_work_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note what takes long and is done in this process, whoever has imported it."""
    done: list[str] = []

    def noted(work: Callable[..., object]) -> Callable[..., object]:
        def called(*given: object, **named: object) -> object:
            done.append(work.__qualname__)
            return work(*given, **named)

        return called

    for work in LONG:
        wrapped = noted(work)
        for module in [each for name, each in sys.modules.items() if name.startswith("cli")]:
            for name in [name for name, value in vars(module).items() if value is work]:
                monkeypatch.setattr(module, name, wrapped)
    monkeypatch.setattr(OpenLog, "at", noted(OpenLog.at))
    return done


def test_nothing_that_takes_long_is_done_by_the_hall(
    day: Desk, long_work_is_elsewhere: list[str]
) -> None:
    """Every view, every page and every line of an official's page."""
    del day
    with hall_open() as browser:
        for path in QUESTIONS:
            answer = is_as_asked(browser, path).get(path)
            assert answer.status_code in {200, 404}, (path, answer.text)
        browser.who = official(1)
        for line in LINES:
            assert browser.post("/line/reading", data={"line": line}, headers=ORIGIN).is_success
            assert browser.line(line).status_code in {200, 404, 409}, line
    assert long_work_is_elsewhere == []


def test_an_answer_has_every_act_that_was_answered(day: Desk) -> None:
    """Whoever acts and then asks reads the act: from a page, and from another desk."""
    with hall_open(official(1)) as browser:
        for number in range(20):
            note = {"type": "TakeNote", "text": f"note {number}"}
            landed = browser.act(note, command_id=f"note-{number:04}").json()["events"][-1]["seq"]
            lines = browser.get("/api/v1/log").text.splitlines()
            assert len(lines) >= landed
            tag = browser.get("/api/v1/explain/1/points").headers["etag"]
            assert int(tag.strip('"o')) >= landed
        day.done("note", "typed at a desk")
        assert len(browser.get("/api/v1/log").text.splitlines()) == landed + 1


@pytest.mark.slow
def test_the_next_question_is_answered_when_the_reader_was_killed(day: Desk) -> None:
    """Between two questions; nobody hears of it."""
    del day
    with hall_open(official(1)) as browser:
        for _ in range(3):
            assert browser.get("/api/v1/explain/1/points").status_code == HTTPStatus.OK
            os.kill(pid := browser.hall.reader.pid, signal.SIGKILL)
            while is_running(pid):
                time.sleep(0.01)
        assert browser.get("/api/v1/explain/1/points").status_code == HTTPStatus.OK


@pytest.mark.slow
def test_a_reader_that_hangs_stops_nobody_else(
    day: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who asked is told when to ask again; acts and pages go on; the next question is answered."""
    del day
    path = "/api/v1/explain/1/points"
    with hall_open(official(1)) as browser:
        assert browser.get(path).status_code == HTTPStatus.OK
        reader = browser.hall.reader
        reader.seconds = 8.0
        hung = reader.pid
        os.kill(hung, signal.SIGSTOP)

        async def both() -> tuple[bool, object]:
            hall = browser.hall
            question = asyncio.create_task(hall.asked(nothing_at_all))
            await asyncio.sleep(0.1)
            await hall.act(official(1), "hang-0001", TakeNote("still here"))
            acted = not question.done()
            with suppress(LedgerError):
                return acted, await question
            return acted, None

        assert browser.portal is not None
        acted, answer = browser.portal.call(both)
        assert acted, "an act waits for the reader"
        reader.seconds = 2.0
        assert answer is None
        assert not is_running(hung)
        assert "a new process answers" in capsys.readouterr().err
        assert browser.get(path).status_code == HTTPStatus.OK
        os.kill(reader.pid, signal.SIGSTOP)
        late = browser.get(path)
        assert late.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert int(late.headers["retry-after"]) > 0
        assert late.json()["problems"][0]["code"] == "serve.busy"
        reader.seconds = QUESTION_SECONDS  # a slow machine takes longer than 2 s
        assert browser.get(path).status_code == HTTPStatus.OK
        os.kill(reader.pid, signal.SIGSTOP)
        page = browser.get("/judge/match/1/1")
        assert page.status_code == HTTPStatus.OK
        assert "cannot be shown now" in page.text


@pytest.mark.slow
def test_the_reader_changes_nothing_and_has_no_key_of_a_link(day: Desk) -> None:
    """The database refuses it every change; links, browsers and drafts are not handed to it."""
    day.done("links", "print", "--json")
    with hall_open(official(1)) as browser:
        hall = browser.hall

        def asked(work: Callable[..., object]) -> object:
            assert browser.portal is not None
            return browser.portal.call(hall.asked, work)

        names = asked(names_of_secrets)
        assert isinstance(names, list)
        assert names
        assert [each for each in names if each.startswith(("links", "browser", "draft"))] == []
        before = day.log()
        for work in (writes_a_line, writes_a_secret, destroys_a_secret):
            with pytest.raises(StoreUnavailable):
                asked(work)
        with pytest.raises(Refused):
            asked(acts)
        assert day.log() == before


def test_the_reader_ends_with_the_server(day: Desk) -> None:
    """Also with one that is killed, and with no time to end anything."""
    with served(day, free_port()) as address:
        with urlopen(f"{address}api/v1/explain/1/points") as answer:  # noqa: S310 - our own
            assert answer.status == HTTPStatus.OK
        (server,) = children(os.getpid(), b"serve")
        (reader,) = children(server, b"spawn_main")
        os.kill(server, signal.SIGKILL)
        end = time.monotonic() + 600
        while is_running(reader):
            assert time.monotonic() < end, "the reader outlives its server"
            time.sleep(0.05)


def test_a_large_question_to_a_companion_that_hangs_is_given_up() -> None:
    """One that is larger than the system takes at once would be waited for without end."""
    companion = Companion(hears_nothing)
    try:
        with pytest.raises((OSError, EOFError)):
            companion.ask(b"x" * 4_000_000, 1.0)
    finally:
        companion.close()


def test_turns_go_round_among_those_who_ask() -> None:
    """Sixty questions of one asker make another wait for one; acts wait for none of them."""
    turns: Turns[str] = Turns()
    for number in range(60):
        turns.add(f"flood {number}", "address 10.0.0.9", Lane.OTHERS)
    turns.add("a player's", "link 7", Lane.OTHERS)
    turns.add("an official's", "link 1", Lane.OFFICIALS)
    turns.add("an act", "the hall", Lane.WRITING)
    first = [turns.take() for _ in range(4)]
    assert first == ["an act", "an official's", "flood 0", "a player's"]
    assert [turns.take() for _ in range(59)][-1] == "flood 59"
    with pytest.raises(LookupError):
        turns.take()


def is_running(process: int) -> bool:
    """Return whether a thread of a process has not ended; nobody needs to have waited for it."""
    with suppress(OSError):
        stats = (each.read_text("ascii") for each in Path(f"/proc/{process}/task").glob("*/stat"))
        return any(" Z " not in stat.rpartition(")")[2][:4] for stat in stats)
    return False


def children(parent: int, word: bytes) -> list[int]:
    """The processes that a process started and whose line has a word."""
    found = Path(f"/proc/{parent}/task").glob("*/children")
    numbers = {int(each) for file in found for each in file.read_text("ascii").split()}
    return [each for each in numbers if word in Path(f"/proc/{each}/cmdline").read_bytes()]


def nothing_at_all(desk: OpenDesk) -> int:
    """A question that takes no time."""
    return desk.book.tournament.seq


def names_of_secrets(desk: OpenDesk) -> list[str]:
    """What the reader gets of the vault."""
    return sorted(desk.store().vault_items(desk.book.stream))


def writes_a_line(desk: OpenDesk) -> None:
    """Try to append."""
    desk.store().transact(desk.book.stream, len(desk.book.lines), lambda _: [("Note", b"{}")])


def writes_a_secret(desk: OpenDesk) -> None:
    """Try to keep a secret."""
    desk.store().vault_put(desk.book.stream, "links-key", b"x")


def destroys_a_secret(desk: OpenDesk) -> None:
    """Try to destroy one."""
    desk.store().vault_delete(desk.book.stream, names_of_secrets(desk)[0])


def acts(desk: OpenDesk) -> None:
    """Try to act."""
    desk.act(TakeNote("from the reader"))


def hears_nothing(connection: Connection) -> None:
    """The work of a companion that hangs."""
    del connection
    time.sleep(60)
