"""What is hidden while the event runs is nowhere in the hall: every path, for everybody."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")


from cli.serve import stream
from cli.serve.parts import PARTS
from cli.serve.visitors import NOBODY, Visitor
from ledger.books.links import LINKS_KEY
from ledger.books.vault import HIDDEN_KEY, SHUFFLE_KEY
from ledger.store import open_store
from tests.hostile.secrets.test_hands import gives_away, handed_in
from tests.support.hall import hall_open, official, opened, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

EVERYBODY = {
    "nobody": NOBODY,
    "the owner": player(1),
    "an opponent": player(2),
    "the organizer": official(1),
    "a judge": official(2),
    "a screen": Visitor(link=9, is_screen=True, screen=3),
    "a newcomer": Visitor(link=8, is_newcomer=True),
}
WORDS = {
    "round": "1",
    "table": "1",
    "player": "1",
    "column": "points",
    "number": "3",
    "word": "attendance",
    "label": "SWL-HIDDEN",
    "of": "p1",
    "sheet": "pairings",
}
NAMED = {
    "/parts/{name}": PARTS,
    "/api/v1/{name}": PARTS,
    "/static/{name}": (),
    "/desk/print/style/{name}": (),
}
ASKED = {
    "/api/v1/consistency": "?from=1&to=2",
    "/api/v1/moved": f"?kept=1&nonce={32 * '0'}",
    "/judge/match": "?table=1",
    "/judge/player": "?player=1",
}
BADGES = {"/desk/print/badges", "/desk/print/badge/p1"}
"""Pages of links' codes, for who may print them, at this computer or over TLS."""

ENDLESS = {"/api/v1/stream", "/screen/{number:int}/stream"}
NOT_YET = {"/api/v1/carry", "/carried", "/me/receipt", "/me/receipt.tlog-proof", "/static/"} | {
    *("/bracket", "/parts/bracket", "/api/v1/bracket", "/api/v1/explain-bye/1"),
    *("/api/v1/claim", "/desk/print/style/", *BADGES),
    *(f"/api/v1/season/{each}" for each in ("events", "questions", "standings")),
    *(f"/api/v1/season/{each}/attendance" for each in ("questions", "standings", "ratings")),
}
"""Where there is nothing to see: no bracket, bye, result, link or season yet, no phone's code."""


@pytest.fixture
def day(desk: Desk) -> Desk:
    """Lists of two players are handed in, one is checked, one corrected; a round is played."""
    handed_in(desk)
    desk.done("pair", "--unchecked", "--reason", "the hand is mended at the table")
    desk.done("round", "start")
    return desk


def paths(browser: Browser) -> Iterator[str]:
    """Every path that is asked for with GET, its words filled in."""
    for each in browser.app._app.routes:  # type: ignore[attr-defined]
        if "GET" not in (each.methods or ()) or each.path in ENDLESS:
            continue
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda word: WORDS.get(word[1], word[0]), each.path)
        for name in NAMED.get(path, ("",)):
            yield path.replace("{name}", name) + ASKED.get(path, "")


@pytest.mark.slow
def test_no_path_gives_a_hidden_card_to_anybody(day: Desk) -> None:
    """Lists and hands of two players, by every page, part and view (SWL-HIDDEN)."""
    answered: dict[str, set[int]] = {}
    with hall_open() as browser:
        described = browser.get("/api/v1/openapi.json").json()["paths"]
        known = set(paths(browser))
        for who, visitor in EVERYBODY.items():
            browser.who = visitor
            for path in known:
                answer = browser.get(path)
                assert gives_away(f"{answer.text}{answer.headers}") == [], (who, path)
                answered.setdefault(path, set()).add(answer.status_code)
        assert "Commander Vey Tarsk" in page_of_list(browser)
    empty = {path for path, codes in answered.items() if 200 not in codes}
    assert empty <= NOT_YET, empty - NOT_YET
    assert not any("{" in path for path in known)
    assert len(known) > len([path for path, ways in described.items() if "get" in ways])
    assert gives_away(day.log()) == []


@pytest.mark.slow
def test_no_path_gives_a_secret_of_the_event(day: Desk) -> None:
    """The keys of its draws, hands and links, this machine's keys, and what lets somebody in."""
    printed = day.done("links", "print", "--json").json["links"]
    secrets = {each["address"].partition("#")[2] for each in printed}
    secrets |= {each["code"] for each in printed}
    with open_store("tourney.db") as store:
        vault = store.vault_items(store.streams()[0])
    for key in (vault[name] for name in (SHUFFLE_KEY, HIDDEN_KEY, LINKS_KEY)):
        secrets |= {key.hex(), b64encode(key).decode(), urlsafe_b64encode(key).decode()}
    for file in day.folder.glob(".tourney-keys/*.key"):
        secrets |= {line for line in file.read_text("utf-8").splitlines() if len(line) > 40}
    assert len(secrets) > 2 * len(printed) + 5
    with hall_open() as browser:
        for visitor in EVERYBODY.values():
            browser.who = visitor
            for path in paths(browser):
                answer = browser.get(path)
                assert visitor.official or path not in BADGES or answer.status_code == 401
                told = f"{answer.text}{answer.headers}"
                shown = {each for each in secrets if each in told}
                if path in BADGES and visitor.official:  # who may issue a link may show it
                    shown -= {link["code"] for link in printed}
                assert shown == set(), (path, visitor)


def page_of_list(browser: Browser) -> str:
    """The owner's own page of it: what is not hidden is there."""
    browser.who = player(1)
    return browser.get("/me/list").text


def test_no_news_holds_anything_hidden(day: Desk) -> None:
    """A message says which parts are other, from the first line of the log on."""

    async def read() -> bytes:
        hall = opened()
        await hall.open()
        news = stream.messages(hall, 0)
        first = [await anext(news) for _ in range(3)]  # of a retry, the posting, the parts
        await hall.close()
        return b"".join(first)

    told = asyncio.run(read()).decode()
    assert '"parts":' in told
    assert gives_away(told) == []
    del day
