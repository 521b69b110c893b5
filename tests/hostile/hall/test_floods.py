"""Many pages at once keep no act waiting: whoever asks for them, and whatever the pages are."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.visitors import Lane
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, first_round, opened, secret_of, sign_in

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
