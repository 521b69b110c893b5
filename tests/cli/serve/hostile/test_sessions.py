"""Cookies that are not what they seem: planted, of another event, of a link that ended."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.desk import session
from cli.input.arguments import Options
from cli.serve.app import app_of
from cli.serve.hall import Hall
from tests.support import hall
from tests.support.hall import HERE, opened

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk

WHO = "/api/v1/me"


def links_of(desk: Desk, *event: str) -> dict[str, str]:
    """The secrets of the players' links, by whose they are."""
    found = desk.done("links", "print", "--json", *event).json["links"]
    return {each["of"]: each["address"].partition("#")[2] for each in found}


def sign_in(client: TestClient, secret: str, cookie: str = "") -> str:
    """Show a secret, and perhaps a cookie; returns the one that is given, as `name=value`."""
    client.cookies.clear()
    answer = hall.sign_in(client, secret, cookie=cookie)
    assert answer.status_code == 200
    client.cookies.clear()
    return str(answer.headers["set-cookie"].partition(";")[0])


def asked_by(client: TestClient, cookie: str) -> str:
    return str(client.get(WHO, headers={"cookie": cookie}).json()["by"])


def test_a_cookie_that_was_planted_never_becomes_somebody_elses(desk: Desk) -> None:
    """Who brings one, made up or their own, finds nobody else behind it later."""
    desk.open(4, "custom", "--rounds", "2")
    links = links_of(desk)
    with TestClient(app_of(opened()), base_url=HERE) as phone:
        own = sign_in(phone, links["p2"])
        name, _, value = own.partition("=")
        number, _, kind, mark = value.split(".")
        made_up = f"{number}.{'0' * 16}.{kind}.{mark}"
        for planted in (own, f"{name}={made_up}", f"{name}=1"):
            given = sign_in(phone, links["p1"], planted)
            assert given != planted
            kept = "p2" if planted == own else ""  # a copied cookie must sign nobody out
            assert (asked_by(phone, planted), asked_by(phone, given)) == (kept, "p1")


def test_two_events_in_one_browser_know_nothing_of_each_other(desk: Desk) -> None:
    events = {}
    for name in ("One", "Two"):
        desk.done("new", name, "--ruleset", "swiss", "--organizer", "Kim")
        desk.done("register", "Ann")
        desk.done("register", "Ben")
        events[name] = desk.done("tournaments", "--json").json[-1]["tournament"]
    secrets = {name: links_of(desk, "-t", event) for name, event in events.items()}
    apps = {name: app_of(Hall(_desk(event))) for name, event in events.items()}
    with (
        TestClient(apps["One"], base_url=HERE) as one,
        TestClient(apps["Two"], base_url=HERE) as two,
    ):
        first = sign_in(one, secrets["One"]["p1"])
        second = sign_in(two, secrets["Two"]["p2"], first)
        both = f"{first}; {second}"
        assert (asked_by(one, both), asked_by(two, both)) == ("p1", "p2")
        names, values = zip(*(each.split("=") for each in (first, second)), strict=True)
        assert names[0] != names[1]
        for client, name, value in ((two, names[1], values[0]), (one, names[0], values[1])):
            assert asked_by(client, f"{name}={value}") == ""


def _desk(event: str) -> session.Desk:
    return session.Desk(Options(tournament=event), [])


class OpenStream:
    """The news, as somebody with a cookie hears them."""

    def __init__(self, app: Guard, cookie: str) -> None:
        path, headers = "/api/v1/stream", [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode())]
        self._scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode()}
        self._scope |= {"query_string": b"", "headers": headers, "scheme": "http"}
        self._app, self._said = app, asyncio.Queue[bytes]()

    async def run(self) -> None:
        """Listen until the hall closes."""

        async def nothing() -> dict[str, Any]:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def sent(message: MutableMapping[str, Any]) -> None:
            self._said.put_nowait(message.get("body", b""))

        await self._app({**self._scope, "client": ("10.0.0.9", 1)}, nothing, sent)

    async def until(self, words: bytes) -> bytes:
        """Return the message that has some words."""
        while words not in (said := await asyncio.wait_for(self._said.get(), 10)):
            pass
        return said


def test_a_stream_that_stays_open_says_no_more_than_everybody_hears(desk: Desk) -> None:
    """Its link has ended meanwhile: the page's next question is nobody's."""
    desk.open(4, "custom", "--rounds", "2")
    secret = links_of(desk)["p1"]

    async def day() -> tuple[bytes, list[str]]:
        event = opened()
        app = app_of(event)
        await event.open()
        following = asyncio.create_task(event.follow())
        client = TestClient(app, base_url=HERE)
        cookie = await asyncio.to_thread(sign_in, client, secret)
        news = OpenStream(app, cookie)
        listening = asyncio.create_task(news.run())
        await news.until(b"retry")
        found = [asked_by(client, cookie)]
        desk.done("links", "revoke", "#1", "--reason", "stolen")
        said = await news.until(b"data: {")
        found.append(asked_by(client, cookie))
        await event.close()
        await asyncio.gather(listening, following)
        return said, found

    said, found = asyncio.run(day())
    assert found == ["p1", ""]
    assert said.startswith(b"id: ")
    assert set(said.decode().split("data: ")[1].split('"')[1::2]) <= {
        *("position", "parts", "pairings", "standings", "bracket", "clock")
    }
