"""The served hall in a test: a browser that asks and posts as a person would, and who it is."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from html import unescape
from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from cli.desk import session
from cli.desk.effects.reading_desk import LineReader
from cli.input.arguments import Options
from cli.serve.app import app_of
from cli.serve.hall import Hall
from cli.serve.visitors import NOBODY, Visitor
from cli.verbs.day.lines import kind_of, line_read, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from httpx2 import Response

    from cli.serve.api.season_views import SeasonSource
    from cli.serve.door.guard import Guard
    from ledger.formats import CardFile
    from tests.support.cli_desk import Desk

_CARRIED = re.compile(r'name="(id|at|seen)" value="([^"]*)"')
_CONFIRMED = re.compile(r'<form method="post" action="/line">(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'name="(\w+)" value="([^"]*)"')
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
HERE = "http://127.0.0.1:8600"


def opened(cards: CardFile | None = None) -> Hall:
    """The event in hand in this directory."""
    return Hall(session.Desk(Options(), []), cards)


class Browser(TestClient):
    """Asks and posts; `who` is taken for whoever asks."""

    who: Visitor = NOBODY
    hall: Hall

    def act(self, command: dict[str, Any], command_id: str = "abcdefgh", **more: str) -> Response:
        """Send an act as a program does."""
        value = {"id": command_id, "command": command, **more}
        return self.post("/api/v1/acts", json=value, headers={"origin": HERE})

    def do(self, name: str, command_id: str = "abcdefgh", **fields: str) -> Response:
        """Post a form as a page does; where it leads to is not followed."""
        data = {"id": command_id, **fields}
        headers = {"origin": HERE}
        return self.post(f"/do/{name}", data=data, headers=headers, follow_redirects=False)

    def line(self, line: str = "", at: str = "/desk", **fields: str) -> Response:
        """Post a line, or the `form` that makes one, from a page as it is now."""
        carried = dict(_CARRIED.findall(self.get(at).text))
        data = {**carried, "line": line, **fields}
        return self.post("/line", data=data, headers={"origin": HERE})

    def confirm(self, page: Response) -> Response:
        """Post what a page says that it would do."""
        (form,) = _CONFIRMED.findall(page.text)
        data = {name: unescape(value) for name, value in _FIELD.findall(form)}
        return self.post("/line", data=data, headers={"origin": HERE})


@contextmanager
def hall_open(
    who: Visitor = NOBODY, season: SeasonSource | None = None, cards: CardFile | None = None
) -> Iterator[Browser]:
    """Open the event in hand to a browser, of a visitor who needs no link."""

    async def visitors(_: object) -> Visitor:
        return browser.who

    hall = opened(cards)
    app = app_of(hall, visitors, LineReader(words_of, line_read, kind_of), season=season)
    browser = Browser(app, base_url=HERE)
    browser.who, browser.hall = who, hall
    with browser:
        yield browser


def first_round(desk: Desk) -> Desk:
    """Four players, the first round running."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCleo\nDana\n")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    return desk


class Crowd:
    """Programs that ask for the news at the same moment, and go when all have an answer."""

    def __init__(self, size: int, address: str = "10.0.0.9") -> None:
        self.size, self.statuses, self.said = size, Counter[int](), b""
        self._address, self._all_answered = address, asyncio.Event()

    async def ask(self, app: Guard) -> None:
        """Ask, as one address; it ends when everybody has an answer."""
        path = "/api/v1/stream"
        scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode()}
        scope |= {"query_string": b"", "headers": [(b"host", b"127.0.0.1")], "scheme": "http"}
        await app({**scope, "client": (self._address, 1)}, self._receive, self._send)

    async def _receive(self) -> dict[str, object]:
        await self._all_answered.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.statuses[message["status"]] += 1
            if self.statuses.total() == self.size:
                self._all_answered.set()
        self.said += message.get("body", b"")


def hidden_in(page: str, name: str) -> dict[str, str]:
    """The hidden fields of the first form of a name on a page."""
    inside = page[page.index(f'action="/do/{name}"') :]
    return dict(_HIDDEN.findall(inside[: inside.index("</form>")]))


def player(number: int) -> Visitor:
    """A player who has signed in."""
    return Visitor(f"p{number}", player=number)


def official(number: int) -> Visitor:
    """An official who has signed in."""
    return Visitor(f"o{number}", official=number)


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def served(desk: Desk, port: int, *more: str) -> Iterator[str]:
    """Serve at one address, so that what a phone keeps is still its own; gives the address."""
    words = [sys.executable, "-m", "cli", "serve", "--port", str(port), *more]
    with subprocess.Popen(words, cwd=desk.folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = next(each for each in running.stdout if each.startswith("The event is at "))
        try:
            yield line.split()[-1]
        finally:
            running.terminate()
