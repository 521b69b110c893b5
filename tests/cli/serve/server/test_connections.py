"""Connections that ask for nothing end, and nobody takes all that there are."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from errno import EMFILE
from typing import TYPE_CHECKING, Any

import pytest
from uvicorn.server import ServerState

from cli.serve.ports import connections
from cli.serve.ports.connections import CountedProtocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WHOLE = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


async def answers(scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 - as ASGI
    """Answer at once; under /slow only after half a second, under /body only once all came."""
    if scope["path"] == "/slow":
        await asyncio.sleep(0.5)
    while scope["path"] == "/body" and (await receive())["more_body"]:
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@asynccontextmanager
async def listening() -> AsyncIterator[int]:
    config = connections.config_of(answers, None)  # type: ignore[arg-type] # as an application
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: CountedProtocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    async with server:
        yield server.sockets[0].getsockname()[1]


async def said(port: int, sent: bytes) -> bytes:
    """What comes until the server ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    return answer


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: loc", WHOLE, WHOLE + WHOLE[:9]])
def test_a_connection_that_asks_for_nothing_more_ends(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.05)

    async def ended() -> bytes:
        async with listening() as port:
            return await said(port, sent)

    answer = asyncio.run(ended())
    assert b"here" in answer if sent.startswith(WHOLE) else not answer


def test_an_answer_that_takes_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.05)

    async def ended() -> bytes:
        async with listening() as port:
            return await said(port, WHOLE.replace(b"/ ", b"/slow ", 1))

    assert b"here" in asyncio.run(ended())


def test_too_many_of_one_address_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of all is the most that may ask at once, and who went makes room."""
    monkeypatch.setattr(CountedProtocol, "most", 8)
    slow = WHOLE.replace(b"/ ", b"/slow ", 1)

    async def many() -> tuple[list[bytes], bytes]:
        async with listening() as port:
            opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
            for _, each in opened:
                each.write(slow)
            await asyncio.sleep(0.1)
            opened += [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            refused = [await asyncio.wait_for(reader.read(), 5) for reader, _ in opened[4:]]
            opened[0][1].close()
            await opened[0][1].wait_closed()
            await asyncio.sleep(0.05)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(WHOLE)
            answer = await asyncio.wait_for(reader.read(200), 5)
            for _, each in [*opened[1:], (reader, writer)]:
                each.close()
            return refused, answer

    refused, answer = asyncio.run(many())
    assert [b"503" in each and b"too many connections" in each for each in refused] == [True, True]
    assert b"200 OK" in answer


def test_a_shortage_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    async def short() -> None:
        shortage, loop = connections.Shortage(), asyncio.get_running_loop()
        for _ in range(2_000):
            shortage(loop, {"exception": OSError(EMFILE, "Too many open files")})

    asyncio.run(short())
    assert capsys.readouterr().err.count("no more connections") == 1


@pytest.mark.parametrize("more", [b"x" * 4_096, b"x: y\r\n" * 700])
def test_a_request_whose_beginning_does_not_end_is_given_up(more: bytes) -> None:
    """The parser would keep all of it."""

    async def flood() -> tuple[bytes, int]:
        begun, sent = WHOLE[:-2] + b"x-more: ", 0
        async with listening() as port:
            answer = await said(port, begun + more * (connections.HEAD_MAX // len(more) + 1))
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            while not (reader.at_eof() or writer.transport.is_closing()):
                writer.write(more)
                sent += len(more)
                with suppress(ConnectionError):
                    await writer.drain()
                await asyncio.sleep(0)
        return answer, sent

    answer, sent = asyncio.run(asyncio.wait_for(flood(), 10))
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"this request is too long" in answer
    assert sent < 1_000 * connections.HEAD_MAX


def test_bodies_are_of_any_length_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers holds them to what may be posted."""
    monkeypatch.setattr(connections, "HEAD_MAX", 200)
    last = WHOLE[:-2] + b"connection: close\r\n\r\n"
    body = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000\r\n\r\n" + b"x" * 9_000

    async def posted() -> bytes:
        async with listening() as port:
            return await said(port, body + last)

    assert asyncio.run(posted()).count(b"200 OK") == 2


@pytest.mark.parametrize("size", [1, 199, 201, 20_000])
def test_the_last_part_of_a_body_is_no_beginning(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """A body comes in parts, whose sizes the network decides."""
    monkeypatch.setattr(connections, "HEAD_MAX", 200)
    begun = f"POST /body HTTP/1.1\r\nhost: localhost\r\ncontent-length: {2 * size}\r\n\r\n".encode()

    async def posted() -> bytes:
        async with listening() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for part in (begun, b"x" * size, b"y" * size):
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.05)
            answer = await asyncio.wait_for(reader.read(200), 5)
            writer.close()
            return answer

    assert asyncio.run(posted()).startswith(b"HTTP/1.1 200 OK")


def test_requests_that_wait_behind_one_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 2 KB of this server: thousands of them come in one packet, behind a stream."""
    made: list[int] = []
    begin = CountedProtocol.on_message_begin

    def noted(self: CountedProtocol) -> None:
        begin(self)
        made.append(len(self.pipeline))

    monkeypatch.setattr(CountedProtocol, "on_message_begin", noted)
    slow = WHOLE.replace(b"/ ", b"/slow ", 1)

    async def crowd() -> bytes:
        async with listening() as port:
            return await said(port, slow + WHOLE * 2_000)

    assert b"400 Bad Request" in asyncio.run(crowd())
    assert max(made) <= connections.PIPELINED_MAX
    assert len(made) <= connections.PIPELINED_MAX + 2


def test_a_broken_request_is_no_line_on_the_terminal(caplog: pytest.LogCaptureFixture) -> None:
    """Strangers could send thousands of them."""

    async def asked() -> bytes:
        async with listening() as port:
            return await said(port, b"\x16\x03\x01 is not HTTP\r\n\r\n")

    assert b"400 Bad Request" in asyncio.run(asked())
    assert not caplog.records
