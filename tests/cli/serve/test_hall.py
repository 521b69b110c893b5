"""What everybody may see of the event in hand: the same as the verbs say, and nothing twice."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

import httpx2
from starlette.testclient import TestClient

from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.serve import stream
from cli.serve.app import app_of
from cli.serve.door.guard import is_own_host
from cli.serve.parts import PARTS, RUNNING, digest_of, rendered_part, rendered_value
from cli.serve.ports import server
from cli.serve.visitors import Asker
from cli.wording.page_words import public_view
from ledger.errors import NotFound, Refused
from ledger.exchange import replay
from ledger.fold import evolve
from ledger.lines.line import decode
from ledger.tournament.state import Tournament
from projections.standings.table import ranking
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, Crowd, opened
from tests.support.paths import ROOT
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

DAYS = sorted((ROOT / "sample_logs" / "days").glob("*.jsonl"))
STRANGE = '<script>alert("x")</script>&<img src=x onerror=1>\x1b[31m'


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, the first round running with one result."""
    whole = ("--organizer", "Kim Larsen", "--public-names", "full")
    desk.done("new", f"Night {STRANGE}", "--ruleset", "l5r", *whole)
    for name in (f"Ann {STRANGE}", "Ben", "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2", "--cut", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("report", "1", first_at(desk, 1))
    return desk


def first_at(desk: Desk, table: int) -> str:
    """Who sits first at a table, as it is typed."""
    player: int = desk.done("pairings", "--json").json[table - 1]["players"][0]
    return f"#{player}"


@pytest.fixture
def client(day: Desk) -> Iterator[TestClient]:
    del day
    with TestClient(app_of(opened()), base_url=HERE) as asking:
        yield asking


def until(client: TestClient, path: str, words: str) -> str:
    """What a page says as soon as it has some words in it."""
    for _ in range(200):
        text: str = client.get(path).text
        if words in text:
            return text
        time.sleep(0.02)
    raise AssertionError(path, words)


@pytest.mark.parametrize(("name", "verb"), [("pairings", "pairings"), ("standings", "standings")])
def test_a_program_gets_what_the_verb_gives(
    day: Desk, client: TestClient, name: str, verb: str
) -> None:
    answer = client.get(f"/api/v1/{name}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == day.done(verb, "--json").json


def test_every_page_names_everybody_and_escapes_what_they_are_called(client: TestClient) -> None:
    for path in ("/", "/pairings", "/standings"):
        text = client.get(path).text
        assert text.count("<script src=") == text.count("<script") == 4
        assert "<img" not in text
        assert "\x1b" not in text
        assert {"Ben", "Cleo", "Dana"} <= set(re.findall(r">([^<>]+)<", text))
        assert "Ann &lt;script&gt;" in text


@pytest.mark.slow
def test_no_hostile_name_reaches_a_page_as_it_is(desk: Desk) -> None:
    names = [each for each in texts_to_try() if each.strip()]
    sheet = "name\n" + "".join(f'"{each.replace(chr(34), chr(34) * 2)}"\n' for each in names)
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim", "--public-names", "full")
    desk.type("register", "--file", "-", stdin=sheet)
    for name in names[:300]:
        desk.type("register", "--", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    with TestClient(app_of(opened()), base_url=HERE) as asking:
        for path in ("/pairings", "/standings", "/parts/pairings"):
            text = asking.get(path).text
            inside = text[text.index("<tbody") :].partition("</main>")[0]
            assert len(inside) > 10_000
            assert set(re.findall(r"<(/?[a-z0-9]+)", inside)) <= {
                *("tbody", "tr", "td", "th", "table", "main", "body", "html", "p", "thead"),
                *("/tbody", "/tr", "/td", "/th", "/table", "/main", "/body", "/html"),
                *("bdi", "/bdi"),
            }
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", inside)


def test_a_part_is_sent_again_when_it_is_other(day: Desk, client: TestClient) -> None:
    first = client.get("/parts/standings")
    known = {"if-none-match": first.headers["etag"]}
    assert client.get("/parts/standings", headers=known).status_code == 304
    day.done("report", "2", first_at(day, 2))
    until(client, "/standings", "after 1 round")
    second = client.get("/parts/standings", headers=known)
    assert second.status_code == 200
    assert second.headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize(
    ("taken", "is_packed"),
    [("gzip, deflate, br", True), ("identity", False), ("gzip;q=0", False), ("", False)],
)
def test_a_part_is_packed_for_who_takes_it_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, taken: str, *, is_packed: bool
) -> None:
    monkeypatch.setattr("cli.serve.parts.PACKED_FROM", 10)
    for path in ("/parts/standings", "/api/v1/standings", "/parts/clock"):
        answer = client.get(path, headers={"accept-encoding": taken})
        assert (answer.headers.get("content-encoding") == "gzip") == is_packed
        assert answer.headers["vary"].startswith("accept-encoding")
        assert len(answer.content) > 100
        if path != "/parts/clock":
            plain = client.get(path, headers={"accept-encoding": "identity"})
            assert plain.content == answer.content
            known = {"if-none-match": answer.headers["etag"]}
            assert client.get(path, headers=known).status_code == 304


def test_styles_and_scripts_are_kept_for_a_while(client: TestClient) -> None:
    first = client.get("/static/outbox.js")
    assert "max-age" in first.headers["cache-control"]
    again = client.get("/static/outbox.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_clock_is_never_kept(client: TestClient) -> None:
    clock = client.get("/api/v1/clock")
    assert clock.headers["cache-control"] == "no-store"
    assert clock.json()["minutes_left"] <= 60
    assert clock.json()["open"] == [2]


def test_what_is_not_there_yet_is_said(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim")
    with TestClient(app_of(opened()), base_url=HERE) as asking:
        page = asking.get("/")
        assert page.status_code == 200
        assert "no round is paired yet" in page.text
        answer = asking.get("/api/v1/pairings")
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"] == "no round is paired yet"
        assert answer.json()["problems"][0]["code"]
        assert asking.get("/nowhere").status_code == 404
        assert asking.get("/api/v1/nothing").json()["status"] == 404
        assert asking.get("/static/../app.py").status_code == 404


def test_who_asks_in_another_name_or_to_change_gets_nothing(client: TestClient) -> None:
    """A page of somebody else, whose name points here, reads nothing."""
    for host in ("evil.example", "127.0.0.1.evil.example", "local", "", "evil.local.example"):
        assert client.get("/", headers={"host": host}).status_code == 421, host
    for host in ("127.0.0.1:8600", "192.168.1.7:80", "[::1]:8600", "localhost", "desk.local:8600"):
        assert is_own_host(host), host
    assert client.post("/pairings").status_code == 403
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert client.request(method, "/pairings").status_code == 405
    assert client.get(f"/{'a' * 500}").status_code == 414


def test_every_answer_carries_its_policy(client: TestClient) -> None:
    for path in ("/", "/parts/clock", "/api/v1/standings", "/static/hall.js", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_news_says_which_parts_changed(day: Desk) -> None:
    """Whoever knew the log to a position learns once what is other since; long ago: everything."""

    async def watched() -> list[tuple[int, set[str]]]:
        hall = opened()
        await hall.open()
        known, following = hall.position, asyncio.create_task(hall.follow())
        found: list[tuple[int, set[str]]] = []

        async def after(*words: str) -> None:
            before = hall.position  # the hall may hear of it before this goes on
            await asyncio.to_thread(day.done, *words)
            news = await hall.news_after(before, 10)
            assert news is not None
            found.append((news.position - known, set(news.parts)))

        await after("note", "nobody listens")
        with hall.listening():
            await after("note", "the first that is listened to")
            await after("round", "extend", "2", "5", "--reason", "late")
            await after("note", "quiet")
        longer = await hall.news_after(known - 3, 10)
        assert longer is not None
        assert set(longer.parts) == set(PARTS)
        await hall.close()
        await following
        return found

    every = set(PARTS)
    assert asyncio.run(watched()) == [(1, every), (2, every), (3, {"clock"}), (4, set())]


def steady(name: str, tournament: Tournament) -> bytes:
    value = b"" if name in RUNNING else rendered_value(name, tournament).content
    return digest_of(name, tournament, value)


def shown_and_steady(name: str, tournament: Tournament) -> tuple[bytes, bytes]:
    """The part of a page at a moment that stands still, and what says that it has changed."""
    try:
        html = rendered_part(name, lambda: PARTS[name].html(tournament)).content
        return html, steady(name, tournament)
    except NotFound:
        return b"", b""


@pytest.mark.parametrize("log", DAYS, ids=lambda path: path.stem)
def test_a_part_that_shows_something_else_is_news(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every event of a day: rounds that start, stop and close, a result, the finish."""
    monkeypatch.setattr("cli.outside.now", lambda: "2030-01-01T00:00:00.000Z")
    tournament, before, changed = Tournament(), dict.fromkeys(PARTS, (b"", b"")), set()
    for _, line in replay(log, ranking).entries:
        recorded = decode(line)
        evolve(tournament, recorded)
        seen = public_view(tournament)
        for name in PARTS:
            html, digest = shown_and_steady(name, seen)
            if html != before[name][0]:
                assert digest != before[name][1], (name, recorded)
                changed.add(name)
            before[name] = html, digest
    assert {"pairings", "standings", "clock"} <= changed


def test_time_that_goes_by_is_no_news(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    del day
    tournament = public_view(Session(Options(), []).book.tournament)
    digests = {}
    for now in ("2026-03-14T10:00:00.000Z", "2031-03-14T10:00:00.000Z"):
        monkeypatch.setattr("cli.outside.now", lambda now=now: now)
        digests[now] = [steady(name, tournament) for name in ("pairings", "standings", "clock")]
    first, second = digests.values()
    assert first == second


def test_open_streams_end_with_the_hall(day: Desk) -> None:
    del day

    async def read() -> list[bytes]:
        hall = opened()
        await hall.open()
        found: list[bytes] = []

        async def reading() -> None:
            found.extend([each async for each in stream.messages(hall, hall.position)])

        task = asyncio.create_task(reading())
        await asyncio.sleep(0.05)
        await hall.close()
        await asyncio.wait_for(task, 2)
        return found

    assert asyncio.run(read())[0] == b"retry: 2000\n\n"


def test_a_silent_stream_says_that_it_is_there(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    del day
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.01)

    async def second() -> bytes:
        hall = opened()
        await hall.open()
        sent = stream.messages(hall, hall.position)
        await anext(sent)
        said = await anext(sent)
        await hall.close()
        return said

    assert asyncio.run(second()) == stream.BEAT


def test_one_address_cannot_open_every_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "ADDRESS_MAX", 2)

    async def opening() -> None:
        streams = stream.Streams()
        with streams.one_more("a"), streams.one_more("a"):
            with pytest.raises(Refused, match="too many"):
                streams.check(Asker("a"))
            streams.check(Asker("b"))
        streams.check(Asker("a"))

    asyncio.run(opening())


def test_streams_that_come_at_once_are_counted_and_refused_in_words(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is let in between the look at how many there are and the first byte."""
    monkeypatch.setattr(stream, "ADDRESS_MAX", 20)

    async def crowd() -> Crowd:
        hall, asking = opened(), Crowd(60)
        await hall.open()
        app = app_of(hall)
        await asyncio.wait_for(asyncio.gather(*(asking.ask(app) for _ in range(60))), 20)
        again = Crowd(1)
        await again.ask(app)
        assert again.statuses == {200: 1}  # the others have gone
        await hall.close()
        return asking

    asking = asyncio.run(crowd())
    assert asking.statuses == {200: 20, 429: 40}
    assert asking.said.count(b"too many pages are open at once: close some") >= 40
    del day


def test_a_port_that_is_taken_is_one_line(day: Desk) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert f"port {port} cannot be used" in day.refused("serve", "--port", port).err
    assert "from 0 to 65535" in day.refused("serve", "--port", "70000").err


def test_what_needs_a_tournament_is_refused_before_a_port_is_taken(desk: Desk) -> None:
    answer = desk.type("serve", "--port", "0", "--publish", "public")
    assert answer.code == 2
    assert "there is none here yet" in answer.err


def test_the_address_is_text_and_a_code() -> None:
    (*code, at, end) = server.lines_for(["http://127.0.0.1:8600/"])
    assert at == "The tournament is at http://127.0.0.1:8600/"
    assert "Ctrl-C" in end
    assert len(code) > 10
    assert all(set(line) <= set(" █▀▄") for line in code)


@pytest.mark.slow
def test_a_real_server_answers_and_ends_at_ctrl_c(day: Desk, tmp_path: Path) -> None:
    """Also while a page is open."""
    del tmp_path
    words = [sys.executable, "-m", "cli", "serve", "--port", "0"]
    with subprocess.Popen(words, cwd=day.folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = next(each for each in running.stdout if each.startswith("The tournament is at "))
        address = line.split()[-1]
        with httpx2.stream("GET", f"{address}api/v1/stream?after=0", timeout=20) as news:
            assert next(news.iter_lines()) == "retry: 2000"
            assert len(httpx2.get(f"{address}api/v1/standings", timeout=20).json()) == 4
            running.send_signal(signal.SIGINT)
            assert running.wait(10) == 0
