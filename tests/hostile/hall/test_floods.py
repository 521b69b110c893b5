"""Many pages at once keep no act waiting: whoever asks for them, and whatever the pages are."""

from __future__ import annotations

import asyncio
from threading import Event
from time import thread_time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.door import pace
from cli.serve.door.pace import ReadingPace
from cli.serve.visitors import Lane
from tests.support.cli_desk import typed_once
from tests.support.hall import (
    A_PHONE,
    HERE,
    LOOPBACK,
    WIFI,
    Phone,
    first_round,
    opened,
    secret_of,
    sign_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk

PAGES = 60
"""Pages that wait when the act comes: the connections that a link keeps."""

day = typed_once(first_round)


async def ask(app: Guard, path: str, cookie: str = "", body: bytes = b"") -> int:
    """Ask for a page, or post an act; return the status."""
    headers = [(b"host", HERE.partition("//")[2].encode()), (b"cookie", cookie.encode())]
    if body:
        headers += [(b"origin", HERE.encode()), (b"content-type", b"application/json")]
    scope: dict[str, Any]
    scope = {"type": "http", "method": "POST" if body else "GET", "path": path, "scheme": "http"}
    scope |= {"raw_path": path.encode(), "query_string": b"", "headers": headers}
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app({**scope, "client": LOOPBACK, "server": ("127.0.0.1", 8600)}, receive, send)
    return statuses[0]


NOTE = {"type": "TakeNote", "text": "act"}
REPORT = {"type": "Report", "match": 1, "result": {"outcome": "win"}}


@pytest.mark.parametrize(
    ("flooding", "path"),
    [("strangers", "/screen/3"), ("strangers", "/clock"), ("a link", "/me"), ("a link", "/clock")],
)
@pytest.mark.parametrize("acting", ["an official", "a player"])
def test_an_act_goes_before_the_pages_that_wait(
    day: Desk, path: str, flooding: str, acting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the same address, and what the door looks up for the act goes before them as well."""
    links = {
        each["of"]: each
        for words in ([], ["o1"])
        for each in day.done("links", "print", *words, "--json").json["links"]
    }
    tables = day.done("pairings", "--json").json
    who = "o1" if acting == "an official" else f"p{tables[0]['players'][0]}"
    hall = opened()
    app = app_of(hall)

    def cookie_of(who: str) -> str:
        client.cookies.clear()
        answer = sign_in(client, secret_of(links[who]))
        return str(answer.headers["set-cookie"].partition(";")[0])

    async def flooded() -> list[Lane]:
        held, done = Event(), list[Lane]()
        do = hall._worker.do

        async def noted(work: Callable[[], Any], lane: Lane) -> object:
            def noting() -> object:
                done.append(lane)
                return work()

            return await do(noting, lane)

        holding = asyncio.create_task(do(held.wait, Lane.WRITING))
        monkeypatch.setattr(hall._worker, "do", noted)
        asking = [asyncio.create_task(ask(app, path, theirs)) for _ in range(PAGES)]
        await asyncio.sleep(0.05)
        sent = {"id": "the-act-1", "command": NOTE if who == "o1" else REPORT}
        act = ask(app, "/api/v1/acts", own, msgspec.json.encode(sent))
        asking.append(asyncio.create_task(act))
        await asyncio.sleep(0.05)
        held.set()
        assert set(await asyncio.gather(*asking)) == {200}
        await holding
        return done

    with TestClient(app, base_url=HERE, client=LOOPBACK, follow_redirects=False) as client:
        theirs = cookie_of(f"p{tables[1]['players'][0]}") if flooding == "a link" else ""
        own = cookie_of(who)
        assert client.portal is not None
        done = client.portal.call(flooded)
    assert done[0] <= Lane.ENTERING
    assert done.count(Lane.OTHERS) == PAGES


PAGES_MAX = 10
"""What an address may take of the loop's thread, which hears every act, in refusals of a path."""


def test_no_address_takes_the_thread_that_hears_acts(day: Desk) -> None:
    """Answers that take long are made once, or in another thread."""
    links = day.done("links", "print", "--json").json["links"]
    tables = day.done("pairings", "--json").json
    day.done("report", "1", f"#{tables[0]['players'][0]}")
    (own,) = (each for each in links if each["of"] == f"p{tables[0]['players'][0]}")
    app = app_of(opened())
    paths = {
        each.path.replace("{name}", "pairings").replace("{number:int}", "3")
        for each in app._app.routes  # type: ignore[attr-defined] # as the guard has it
        if "GET" in (each.methods or ()) and not each.path.endswith("/stream")
    }
    assert {"/api/v1/openapi.json", "/head", "/me/receipt", "/me"} <= paths

    async def taken(path: str, cookie: str) -> float:
        times = []
        for _ in range(4):
            begun = thread_time()
            await ask(app, path, cookie)
            times.append(thread_time() - begun)
        return min(times)

    with TestClient(app, base_url=HERE, client=LOOPBACK, follow_redirects=False) as client:
        answer = sign_in(client, secret_of(own))
        cookie = str(answer.headers["set-cookie"].partition(";")[0])
        assert client.get("/api/v1/head").status_code == 200  # which signs one
        assert client.get("/me/receipt").status_code == 200
        assert client.portal is not None
        page = client.portal.call(taken, "/nowhere", "")
        for path in sorted(paths):
            for shown in ("", cookie):
                assert client.portal.call(taken, path, shown) < PAGES_MAX * page, path


def signed_in(day: Desk, client: TestClient) -> str:
    """Sign a player in; gives the cookie."""
    (link,) = day.done("links", "print", "#1", "--json").json["links"]
    client.cookies.clear()
    answer = sign_in(client, secret_of(link))
    return str(answer.headers["set-cookie"].partition(";")[0])


@pytest.mark.parametrize("path", ["/api/v1/forks", "/api/v1/kept", "/api/v1/acts"])
def test_what_is_posted_goes_before_no_page_until_it_is_an_act(day: Desk, path: str) -> None:
    """With a cookie that was copied, and over a link: two heads are no act, and have no mark."""
    hall = opened()
    lanes = list[Lane]()
    do = hall._worker.do

    async def noted(work: Callable[[], Any], lane: Lane) -> object:
        lanes.append(lane)
        return await do(work, lane)

    app = app_of(hall)
    with TestClient(app, base_url=WIFI, client=A_PHONE, follow_redirects=False) as client:
        cookie = signed_in(day, client)
        note = client.get("/api/v1/head").json()["note"]
        body = {"/api/v1/forks": {"kept": note, "seen": note}}.get(path, {"kept": note})
        headers = {"origin": WIFI, "cookie": cookie}
        assert client.post(path, json=body, headers=headers).status_code in {200, 401}
        hall._worker.do = noted  # type: ignore[assignment] # to look at it
        client.post(path, json=body, headers=headers)
    assert Lane.OTHERS in lanes
    assert Lane.ENTERING not in lanes


def test_acts_that_are_refused_have_a_budget(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the link's own: pages over the same link, and all other links, have theirs."""
    waited: list[float] = []

    async def pause(_: ReadingPace, seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(ReadingPace, "_pause", pause)
    monkeypatch.setattr(pace, "LINK_SHARE", 1e-6)
    with Phone(app_of(opened())) as phone:
        (link,) = day.done("links", "print", "#1", "--json").json["links"]
        assert phone.enter(secret_of(link)).status_code == 200
        for number in range(5):
            fields = {"id": f"refused-{number}", "match": "99", "to": "/", "at": "/join"}
            assert phone.marked("/do/confirm", fields).status_code >= 400
        assert waited
        waited.clear()
        assert phone.get("/me/list").status_code == 200
    assert not waited
