"""The served hall in a test: a browser that asks and posts as a person would, and who it is."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.testclient import TestClient

from cli.desk import session
from cli.input.arguments import Options
from cli.serve.app import app_of
from cli.serve.hall import Hall
from cli.serve.visitors import NOBODY, Visitor
from cli.verbs.day.report import line_reader
from ledger.books.links import CODE_LETTERS, MarkedAct, acts_key, mark_of, proof_of, typed_code

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from httpx2 import Response

    from cli.serve.door.guard import Guard
    from cli.serve.views import SeasonSource
    from ledger.formats import CardFile
    from tests.support.cli_desk import Desk

_CARRIED = re.compile(r'name="(id|at|seen)" value="([^"]*)"')
_CONFIRMED = re.compile(r'<form method="post" action="line">(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'name="(\w+)" value="([^"]*)"')
_HIDDEN = re.compile(r'<input type="hidden" name="([\w.-]+)" value="([^"]*)"')
HERE = "http://127.0.0.1:8600"
LOOPBACK = ("127.0.0.1", 50_000)
"""Where a browser on this machine asks from."""

WIFI, A_PHONE = "http://192.168.1.7:8600", ("192.168.1.23", 50_000)
"""The hall as phones of the room see it, and where one of them asks from."""


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
    app = app_of(hall, visitors, line_reader(), season=season)
    browser = Browser(app, base_url=HERE, client=LOOPBACK)
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


def secret_of(link: dict[str, Any]) -> str:
    """The secret in the address of a link, as `links print --json` gives it."""
    return str(link["address"].partition("#")[2])


def proof(client: TestClient, secret: str) -> dict[str, str]:
    """What a browser posts in the place of a secret, for a nonce that it asks for."""
    nonce = client.get("/api/v1/nonce").json()["nonce"]
    digest = sha256(secret.encode()).hexdigest()
    return {"digest": digest, "nonce": nonce, "proof": proof_of(secret, nonce)}


def sign_in(client: TestClient, secret: str, **headers: str) -> Response:
    """Sign in as a browser's script does, by a link's secret or a code of 16 letters."""
    secret = typed_code(secret) if "-" in secret and len(secret) == CODE_LETTERS + 3 else secret
    base = client.base_url
    headers = {"origin": f"{base.scheme}://{base.netloc.decode()}", **headers}
    data = proof(client, secret)
    return client.post("/in", data=data, headers=headers, follow_redirects=False)


class Phone(TestClient):
    """A browser on the room's Wi-Fi, which marks what it posts once it has signed in."""

    secret = log = browser = ""
    link = 0

    def __init__(self, app: Any, where: str = WIFI, client: tuple[str, int] = A_PHONE) -> None:  # noqa: ANN401 - an ASGI app
        super().__init__(app, base_url=where, client=client, follow_redirects=False)
        self.where = where

    def enter(self, secret: str) -> Response:
        """Open a link: prove its secret, and keep what the key follows from."""
        answer = sign_in(self, secret)
        if answer.status_code == HTTPStatus.OK:
            value = answer.json()
            self.secret = typed_code(secret) if len(secret) == CODE_LETTERS + 3 else secret
            self.log, self.link, self.browser = (value[each] for each in ("log", "link", "browser"))
        return answer

    def mark(self, path: str, body: bytes, command_id: str = "", seen: str = "") -> str:
        """Mark an act as this browser's."""
        key = acts_key(self.secret, self.log, self.link, self.browser)
        act = MarkedAct(path, command_id, seen, body)
        return mark_of(key, self.log, self.link, self.browser, act)

    def marked(self, path: str, fields: dict[str, Any], **headers: str) -> Response:
        """Post a form as the outbox does, or JSON under `/api/`, with its mark in a header."""
        if path.startswith("/api/"):
            body, kind = json.dumps(fields).encode(), "application/json"
            seen = str((fields["command"].get("seen") or {}).get("seq", ""))
        else:
            body, kind = urlencode(fields).encode(), "application/x-www-form-urlencoded"
            seen = str(fields.get("seen", ""))
        mark = self.mark(path, body, str(fields.get("id", "")), seen)
        sent = {"origin": self.where, "content-type": kind, "tourney-mark": mark, **headers}
        return self.post(path, content=body, headers=sent)

    def wrap(self, path: str, fields: dict[str, Any]) -> Response:
        """Post a form as a page does: what is marked is one field, the mark the other."""
        body = urlencode(fields)
        own, seen = str(fields.get("id", "")), str(fields.get("seen", ""))
        data = {"marked": body, "mark": self.mark(path, body.encode(), own, seen)}
        return self.post(path, data=data, headers={"origin": self.where})


def hidden_in(page: str, name: str) -> dict[str, str]:
    """The hidden fields of the first form of a name on a page."""
    inside = page[page.index(f'action="do/{name}"') :]
    found = _HIDDEN.findall(inside[: inside.index("</form>")])
    return {field: unescape(value) for field, value in found}


@dataclass
class PageField:
    """A field that a person fills in: its kind, the value that it shows, and what it offers."""

    kind: str
    value: str
    offered: list[str]


@dataclass
class PageForm:
    """A form of a page: where it goes, what it sends unseen, what is filled in, and its buttons."""

    method: str
    action: str
    hidden: dict[str, str]
    fields: dict[str, PageField]
    buttons: list[tuple[str, str]]
    is_folded: bool

    @property
    def identity(self) -> tuple[str, ...]:
        """Return what tells the form from the others of its page."""
        own = (f"{name}={self.hidden[name]}" for name in sorted(self.hidden.keys() - CARRIED))
        return (self.action, *own)


CARRIED = {"id", "seen", "at"}
"""Fields that a form carries whatever it is for."""


class _Forms(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[PageForm] = []
        self._form: PageForm | None = None
        self._field: PageField | None = None
        """The `select` or `textarea` that is open."""

        self._folds: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "details":
            self._folds.append("open" not in given)
        elif tag == "form":
            method, action = given.get("method", "get"), given.get("action", "")
            self._form = PageForm(method, action, {}, {}, [], any(self._folds))
            self.forms.append(self._form)
        elif self._form is not None:
            self._read(self._form, tag, given)

    def _read(self, form: PageForm, tag: str, given: dict[str, str]) -> None:
        name, kind, value = given.get("name", ""), given.get("type", tag), given.get("value", "")
        if tag == "input" and kind == "hidden":
            form.hidden[name] = value
        elif tag == "input" and kind in {"radio", "checkbox"} and name:
            field = form.fields.setdefault(name, PageField(kind, "", []))
            field.offered.append(value)
            field.value = value if "checked" in given else field.value
        elif tag in {"input", "select", "textarea"} and name:
            self._field = form.fields[name] = PageField(kind, value, [])
            self._field = None if tag == "input" else self._field
        elif tag == "option" and self._field is not None:
            self._field.offered.append(value)
            if "selected" in given or len(self._field.offered) == 1:
                self._field.value = value
        elif tag == "button":
            form.buttons.append((name, value))

    def handle_data(self, data: str) -> None:
        if self._field is not None and self._field.kind == "textarea":
            self._field.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._folds.pop()
        elif tag == "form":
            self._form = None
        elif tag in {"select", "textarea"}:
            self._field = None


def forms_in(page: str) -> list[PageForm]:
    """Return the forms of a page, in their order."""
    read = _Forms()
    read.feed(page)
    return read.forms


def player(number: int) -> Visitor:
    """A player who has signed in."""
    return Visitor(f"p{number}", player=number)


def official(number: int) -> Visitor:
    """An official who has signed in."""
    return Visitor(f"o{number}", official=number)


def links_of(desk: Desk, port: int, *of: str) -> list[str]:
    """Return the links of people, as they are printed for an address."""
    here = ("--address", f"http://127.0.0.1:{port}/")
    found = desk.done("links", "print", *of, *here, "--json").json["links"]
    by_holder = {link["of"]: link["address"] for link in found}
    return [by_holder[holder if holder[0] in "op" else f"p{holder}"] for holder in of]


@contextmanager
def served(desk: Desk, port: int, *more: str) -> Iterator[str]:
    """Serve at one address, so that what a phone keeps is still its own; gives the address."""
    with _serving(desk, port, *more) as lines:
        yield _last_word(lines, "The tournament is at ")


@contextmanager
def served_to_owner(desk: Desk, port: int) -> Iterator[tuple[str, str]]:
    """Serve; gives the address, and the one by which the owner signs in once."""
    with _serving(desk, port, "--no-browser") as lines:
        address = _last_word(lines, "The tournament is at ")
        yield address, _last_word(lines, "At this computer, open ", place=-2)


@contextmanager
def _serving(desk: Desk, port: int, *more: str) -> Iterator[Iterator[str]]:
    words = [sys.executable, "-m", "cli", "serve", "--port", str(port), *more]
    with subprocess.Popen(words, cwd=desk.folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield iter(running.stdout)
        finally:
            running.terminate()


def _last_word(lines: Iterator[str], beginning: str, place: int = -1) -> str:
    line = next(line for line in lines if line.startswith(beginning))
    return line.split()[place]


class _Links(HTMLParser):
    """Reads the links of a page's content, which stands outside of navigation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self._outside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._outside += tag in _NAVIGATION
        target = dict(attrs).get("href")
        if tag == "a" and target and not self._outside:
            self.links.append(target)

    def handle_endtag(self, tag: str) -> None:
        self._outside -= tag in _NAVIGATION


_NAVIGATION = frozenset({"nav", "header", "footer"})


def links_in(page: str) -> list[str]:
    """Return the addresses of a page's links outside of its navigation, as they are written."""
    read = _Links()
    read.feed(page)
    return read.links
