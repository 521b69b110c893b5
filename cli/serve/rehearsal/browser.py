"""A browser as a program: one connection that is kept, a cookie, and a stream of news."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import msgspec

from ledger.books.links import MarkedAct, acts_key, mark_of, proof_of
from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from cli.serve.rehearsal.figures import Figures

PATIENCE_SECONDS = 60
"""How long an answer is waited for."""

SERVER_ERROR = 500
PAGE, ACT = "a page", "an act, from sending to the answer"


class Reply(NamedTuple):
    """What the server said."""

    status: int
    headers: dict[str, str]
    body: bytes


class _Marks(NamedTuple):
    """What a browser marks its acts with."""

    key: bytes
    log: str
    link: int
    browser: str

    def mark(self, path: str, command_id: str, body: bytes) -> str:
        """Mark an act that names no event that it had seen."""
        act = MarkedAct(path, command_id, "", body)
        return mark_of(self.key, self.log, self.link, self.browser, act)


class NoAnswer(StoreUnavailable):
    """The server closed the connection, or said nothing for too long."""


class Browser:
    """One person's browser; what it does is measured."""

    def __init__(self, port: int, figures: Figures) -> None:
        self.port, self._figures, self._cookie = port, figures, ""
        self._marks: _Marks | None = None
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, what: str = PAGE) -> Reply:
        """Fetch a page."""
        return await self._ask("GET", path, {}, b"", what)

    async def post(self, path: str, body: Mapping[str, object], what: str = ACT) -> Reply:
        """Send fields as a form, or anything else as JSON."""
        if path.startswith("/api/"):
            kind, data = "application/json", msgspec.json.encode(body)
        else:
            kind, data = "application/x-www-form-urlencoded", urlencode(body).encode()
        headers = {"Content-Type": kind}
        if self._marks:
            headers["Tourney-Mark"] = self._marks.mark(path, str(body.get("id", "")), data)
        return await self._ask("POST", path, headers, data, what)

    async def sign_in(self, secret: str) -> None:
        """Prove the secret of a link, and keep what acts are marked with."""
        given = msgspec.json.decode((await self.get("/api/v1/nonce", "a nonce")).body)
        nonce, digest = given["nonce"], sha256(secret.encode()).hexdigest()
        shown = {"digest": digest, "nonce": nonce, "proof": proof_of(secret, nonce)}
        answer = await self.post("/in", shown, "signing in")
        self._cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        if answer.status == HTTPStatus.OK:
            let_in = msgspec.json.decode(answer.body)
            log, link, browser = let_in["log"], let_in["link"], let_in["browser"]
            self._marks = _Marks(acts_key(secret, log, link, browser), log, link, browser)

    def same_person(self, other: Browser) -> None:
        """Be another window of somebody who is signed in."""
        self._cookie, self._marks = other._cookie, other._marks

    async def news(self, after: int) -> AsyncGenerator[int]:
        """Yield each position of the log that is news, until the server ends the stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head("GET", f"/api/v1/stream?after={after}", {}))
            await writer.drain()
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    yield int(line[4:])
        finally:
            await _closed(writer)

    async def close(self) -> None:
        """Close the connection."""
        if self._kept:
            await _closed(self._kept[1])
            self._kept = None

    def _head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        own = f"127.0.0.1:{self.port}"
        sent = {"Host": own, "Origin": f"http://{own}", **headers}
        if self._cookie:
            sent["Cookie"] = self._cookie
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, what: str
    ) -> Reply:
        begun = perf_counter()
        head = self._head(method, path, {**headers, "Content-Length": str(len(body))})
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):  # `wait_for` may swallow a cancellation
                answer = await self._sent(head + body)
        except (TimeoutError, OSError, EOFError, ValueError) as error:
            await self.close()
            self._figures.wrong[f"{method} {path}: {type(error).__name__}"] += 1
            raise NoAnswer(f"{path}: {error}") from None
        self._figures.took(what, perf_counter() - begun, path)
        if answer.status >= SERVER_ERROR:
            self._figures.wrong[f"{method} {path}: {answer.status}"] += 1
        return answer

    async def _sent(self, message: bytes) -> Reply:
        """Send a message and read the answer; what was kept too long is opened again."""
        if self._kept:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                return await _answer(*self._kept, message)
            await self.close()
        self._kept = await asyncio.open_connection("127.0.0.1", self.port)
        return await _answer(*self._kept, message)


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message: bytes
) -> Reply:
    writer.write(message)
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Reply(int(status.split()[1]), headers, body)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
