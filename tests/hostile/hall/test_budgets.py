"""Budgets are per link, and per address only for strangers: a router is one address."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

import uvicorn
from uvicorn.server import ServerState

from cli.serve.door import pace
from cli.serve.door.pace import QuestionPace, ReadingPace
from cli.serve.ports import server
from cli.serve.ports.certificates import own_certificate
from cli.serve.ports.connections import CountedProtocol, config_of
from cli.serve.refusals import Busy, TooMany
from cli.serve.stream import LINK_MAX, Streams
from cli.serve.visitors import NOBODY, Asker, Visitor, asker_of
from tests.support.hall import official

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path
    from typing import Any

ROUTER = "192.168.1.1"
STRANGERS = asker_of(NOBODY, ROUTER)
WHOLE = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
SIGNED_IN = b"GET / HTTP/1.1\r\nhost: localhost\r\ncookie: link 7\r\n\r\n"


def over_link(number: int) -> Visitor:
    """A player who came over a link."""
    return Visitor(f"p{number}", player=number, link=number)


def test_who_counts_as_one() -> None:
    """Two browsers of a link do, wherever they are; two strangers behind a router do as well."""
    assert asker_of(over_link(7), ROUTER) == asker_of(over_link(7), "10.0.0.9")
    assert asker_of(over_link(7), ROUTER) != asker_of(over_link(8), ROUTER)
    newcomer = Visitor(link=3, is_newcomer=True)
    assert asker_of(newcomer, ROUTER) == STRANGERS
    assert asker_of(NOBODY, "10.0.0.9") != STRANGERS
    assert not asker_of(Visitor(link=9, is_screen=True, screen=3), ROUTER).is_stranger


def test_strangers_use_up_no_links_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind one router: with all their questions open, a phone that is signed in asks at once."""
    monkeypatch.setattr(pace, "PAUSE_SECONDS", 0.01)

    async def crowd() -> None:
        questions, all_open = QuestionPace(), asyncio.Event()
        begun = 0

        async def ask() -> None:
            nonlocal begun
            async with questions.asking(STRANGERS):
                begun += 1
                await all_open.wait()

        asked = [asyncio.create_task(ask()) for _ in range(pace.STRANGERS_AT_ONCE_MAX)]
        await asyncio.sleep(0.05)
        assert begun == pace.STRANGERS_AT_ONCE_MAX
        with pytest.raises(TooMany, match="64 questions are already open"):
            async with questions.asking(STRANGERS):
                pass
        for visitor in (over_link(7), over_link(8), official(1)):
            async with asyncio.timeout(1), questions.asking(asker_of(visitor, ROUTER)):
                pass
        all_open.set()
        await asyncio.gather(*asked)

    asyncio.run(crowd())


@pytest.mark.parametrize(
    ("asker", "most"),
    [
        (asker_of(over_link(7), ROUTER), pace.QUESTIONS_MAX),
        (asker_of(official(1), ROUTER), pace.OFFICIAL_QUESTIONS_MAX),
        (STRANGERS, pace.STRANGERS_QUESTIONS_MAX),
    ],
)
def test_questions_beyond_the_budget_wait_for_their_turn(
    asker: Asker, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute's questions are answered at once, the others at the rate of the budget."""
    now = 1_000.0
    waited: list[float] = []

    async def pause(_: QuestionPace, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(QuestionPace, "_pause", pause)

    async def flood() -> None:
        nonlocal now
        questions = QuestionPace(lambda: now)
        for _ in range(most + 3):
            async with questions.asking(asker):
                pass
        each = pace.WINDOW_SECONDS / most
        assert waited == pytest.approx([each, 2 * each, 3 * each])
        now += pace.WINDOW_SECONDS + 1
        async with questions.asking(asker):
            pass
        assert len(waited) == 3

    asyncio.run(flood())


def test_a_question_that_waits_ends_with_the_hall() -> None:
    """So that closing takes no longer than it has to."""

    async def closing() -> None:
        questions = QuestionPace(lambda: 0.0)
        for _ in range(pace.QUESTIONS_MAX):
            async with questions.asking(asker_of(over_link(7), ROUTER)):
                pass

        async def one_more() -> None:
            async with questions.asking(asker_of(over_link(7), ROUTER)):
                pass

        waiting = asyncio.create_task(one_more())
        await asyncio.sleep(0.01)
        questions.end()
        with pytest.raises(Busy):
            await asyncio.wait_for(waiting, 1)

    asyncio.run(closing())


def test_addresses_that_asked_long_ago_are_forgotten() -> None:
    """What is kept in mind does not grow with every address that there is."""
    now = 0.0

    async def flood() -> None:
        nonlocal now
        questions = QuestionPace(lambda: now)
        for number in range(3 * pace.ASKERS_MAX):
            now += 1
            async with questions.asking(Asker(f"address {number}")):
                pass
        assert len(questions._askers) <= pace.ASKERS_MAX

    asyncio.run(flood())


def test_strangers_leave_a_signed_in_phone_its_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind one router, and also with all streams taken; a link has not more than it needs."""
    monkeypatch.setattr("cli.serve.stream.ADDRESS_MAX", 30)

    async def crowd() -> None:
        streams, phone = Streams(streams_max=60), asker_of(over_link(7), ROUTER)
        with ExitStack() as opened:
            for _ in range(30):
                opened.enter_context(streams.one_more(STRANGERS.name))
            with pytest.raises(TooMany):
                streams.check(STRANGERS)
            for _ in range(LINK_MAX):
                streams.check(phone)
                opened.enter_context(streams.one_more(phone.name))
            with pytest.raises(TooMany):
                streams.check(phone)
            streams.check(asker_of(over_link(8), ROUTER))

    asyncio.run(crowd())


async def answers(scope: dict[str, Any], _receive: object, send: Any) -> None:  # noqa: ANN401 - as ASGI
    """Take whom the cookie names for signed in."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            scope["signed_in"](value.decode())
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/large":
        await send({"type": "http.response.body", "body": b"x" * 8_000_000, "more_body": True})
    await send({"type": "http.response.body", "body": b"here"})


@asynccontextmanager
async def listening() -> AsyncIterator[int]:
    """A server that counts its connections."""
    config = uvicorn.Config(answers, http=CountedProtocol, log_config=None, timeout_keep_alive=20)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: CountedProtocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    async with server:
        yield server.sockets[0].getsockname()[1]


def test_silent_connections_of_strangers_close_the_hall_to_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From the address of the phones: whoever comes next gets in, and who is signed in stays in."""
    monkeypatch.setattr(CountedProtocol, "most", 16)

    async def crowd() -> tuple[bytes, bytes]:
        async with listening() as port:
            phone = await asyncio.open_connection("127.0.0.1", port)
            phone[1].write(SIGNED_IN)
            first = await asyncio.wait_for(phone[0].read(200), 5)
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
            late = await asyncio.open_connection("127.0.0.1", port)
            late[1].write(WHOLE)
            answer = await asyncio.wait_for(late[0].read(200), 5)
            phone[1].write(SIGNED_IN)
            again = await asyncio.wait_for(phone[0].read(200), 5)
            for _, each in [*silent, phone, late]:
                each.close()
            assert b"here" in first
            return answer, again

    answer, again = asyncio.run(crowd())
    assert b"200 OK" in answer
    assert b"200 OK" in again


@asynccontextmanager
async def both_ports(folder: Path) -> AsyncIterator[tuple[int, int]]:
    """A plain port and one over TLS, as a hall serves them."""
    loop, state, ports = asyncio.get_running_loop(), ServerState(), list[int]()
    servers = []
    for cert in (None, own_certificate(folder / "hall-tls.pem", ["localhost"])):
        config = config_of(answers, cert)  # type: ignore[arg-type] # as an application

        def made(config: uvicorn.Config = config) -> Any:  # noqa: ANN401 - a protocol
            kind: Any = config.http_protocol_class
            return kind(config=config, server_state=state, app_state={})

        servers.append(await loop.create_server(made, "127.0.0.1", 0, ssl=config.ssl))
        ports.append(servers[-1].sockets[0].getsockname()[1])
    try:
        yield ports[0], ports[1]
    finally:
        for each in servers:
            each.close()


def test_connections_that_come_to_no_tls_close_the_hall_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are counted with all others, on both ports, and the oldest of them give way."""
    monkeypatch.setattr(CountedProtocol, "most", 16)
    context = ssl._create_unverified_context()  # noqa: S323 - a certificate of this test

    async def crowd() -> tuple[int, list[bytes]]:
        async with both_ports(tmp_path) as (plain, secure):
            silent = [await asyncio.open_connection("127.0.0.1", secure) for _ in range(60)]
            await asyncio.sleep(0.3)
            ended = sum(reader.at_eof() for reader, _ in silent)
            given = []
            for port, tls in ((plain, None), (secure, context), (plain, None)):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
                writer.write(WHOLE)
                given.append(await asyncio.wait_for(reader.read(200), 5))
                writer.close()
            for _, each in silent:
                each.close()
            return ended, given

    ended, given = asyncio.run(crowd())
    assert ended >= 60 - CountedProtocol.most
    assert all(b"200 OK" in each for each in given)


def test_a_server_without_a_file_left_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot ask for its address, it asks again later, and does not end."""

    def none_left() -> list[str]:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(server, "own_numbers", none_left)
    seen = ["192.168.1.7"]
    server.look_at_numbers(seen)
    assert seen == ["192.168.1.7"]


LARGE = WHOLE.replace(b"/ ", b"/large ", 1)


def unread(port: int) -> socket.socket:
    """Ask for more than the system takes, and read nothing of it."""
    asking = socket.socket()
    asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    asking.connect(("127.0.0.1", port))
    asking.sendall(LARGE)
    return asking


def ends_noted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Note every connection that has ended."""
    ended: list[object] = []
    lost = CountedProtocol.connection_lost

    def noted(self: CountedProtocol, exc: Exception | None) -> None:
        ended.append(self)
        lost(self, exc)

    monkeypatch.setattr(CountedProtocol, "connection_lost", noted)
    return ended


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that a server does soon."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.02)


def test_who_reads_nothing_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their answers are kept for nobody else's sake: whoever comes next gets in."""
    monkeypatch.setattr(CountedProtocol, "most", 16)
    ended = ends_noted(monkeypatch)

    async def crowd() -> bytes:
        async with listening() as port:
            asked = []
            for _ in range(40):
                asked.append(unread(port))
                await asyncio.sleep(0.01)
            # and the system has them back
            await until(lambda: len(ended) >= 40 - CountedProtocol.most)
            late = await asyncio.open_connection("127.0.0.1", port)
            late[1].write(WHOLE)
            answer = await asyncio.wait_for(late[0].read(200), 5)
            late[1].close()
            for each in asked:
                each.close()
            return answer

    assert b"200 OK" in asyncio.run(crowd())


def test_an_answer_that_nobody_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would lie in this server and in the system for as long as the other end likes."""
    monkeypatch.setattr("cli.serve.ports.connections.UNREAD_SECONDS", 0.2)
    given_up = ends_noted(monkeypatch)

    async def waiting() -> None:
        async with listening() as port:
            asked = [unread(port) for _ in range(5)]
            await until(lambda: len(given_up) == 5)
            for each in asked:
                each.close()

    asyncio.run(waiting())


def test_a_link_keeps_no_more_connections_than_its_browsers_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that is signed in a hundred times over closes the hall to nobody either."""
    monkeypatch.setattr(CountedProtocol, "most", 16)
    monkeypatch.setattr("cli.serve.ports.connections.LINK_MAX", 4)

    async def crowd() -> list[bytes]:
        async with listening() as port:
            given, opened = [], []
            for _ in range(30):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(SIGNED_IN)
                opened.append(writer)
                await asyncio.wait_for(reader.read(200), 5)
            for number in (8, 9):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(SIGNED_IN.replace(b"7", b"%d" % number))
                opened.append(writer)
                given.append(await asyncio.wait_for(reader.read(200), 5))
            for each in opened:
                each.close()
            return given

    assert all(b"200 OK" in answer for answer in asyncio.run(crowd()))


@pytest.mark.parametrize(
    ("asker", "share"),
    [
        (asker_of(over_link(7), ROUTER), pace.LINK_SHARE),
        (asker_of(official(1), ROUTER), pace.OFFICIAL_SHARE),
        (STRANGERS, pace.STRANGERS_SHARE),
    ],
)
def test_pages_beyond_the_budget_wait_and_are_never_refused(
    asker: Asker, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three thousand at once: the share of a moment is made at once, the others in their time."""
    waited: list[float] = []

    async def pause(_: ReadingPace, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(ReadingPace, "_pause", pause)
    page = 0.002

    async def flood() -> None:
        reading = ReadingPace(lambda: 1_000.0)
        for _ in range(3_000):
            async with reading.reading(asker) as took:
                took(page)
        at_once = pace.READING_WINDOW * share / page
        assert 3_000 - len(waited) == pytest.approx(at_once, rel=0.05)
        assert waited == sorted(waited)
        assert waited[-1] == pytest.approx((3_000 - at_once) * page / share, rel=0.05)
        waited.clear()
        for number in range(1_000):  # each of a room's phones has its own link
            async with reading.reading(asker_of(over_link(100 + number), ROUTER)) as took:
                took(page)
        assert not waited

    asyncio.run(flood())


def test_a_page_that_took_long_delays_no_part_that_is_made() -> None:
    """What is charged is what was taken: a thousand phones ask after one part that took long."""

    async def room() -> None:
        reading = ReadingPace(lambda: 1_000.0)
        async with reading.reading(STRANGERS) as took:
            took(0.3)

        async def phone() -> None:
            async with reading.reading(STRANGERS) as took:
                await asyncio.sleep(0)
                took(0.00001)

        async with asyncio.timeout(5):
            await asyncio.gather(*(phone() for _ in range(1_000)))

    asyncio.run(room())


def test_a_room_of_strangers_opens_its_pages_at_once() -> None:
    """A thousand phones behind one router, at a clock's part: 0.2 ms each."""

    async def room() -> None:
        reading = ReadingPace(lambda: 1_000.0)
        async with asyncio.timeout(1):
            for _ in range(1_000):
                async with reading.reading(STRANGERS) as took:
                    took(0.0002)

    asyncio.run(room())


def test_addresses_that_read_long_ago_are_forgotten() -> None:
    """What is kept in mind does not grow with every address that there is."""
    now = 0.0

    async def flood() -> None:
        nonlocal now
        reading = ReadingPace(lambda: now)
        for number in range(3 * pace.ASKERS_MAX):
            now += 1
            async with reading.reading(Asker(f"address {number}")) as took:
                took(0.001)
        assert len(reading._askers) <= pace.ASKERS_MAX

    asyncio.run(flood())
