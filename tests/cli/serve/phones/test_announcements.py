"""The organizer's line to everybody, and screens that share the alphabet."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.pages.frame import Notice
from cli.serve.pages.showing import Screens, Showing, sheets_of
from cli.serve.stream import messages
from ledger.errors import Refused
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, first_round, hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx2 import Response

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

STRANGE = 'Lunch <b>until</b> 14:00 "sharp"'
PUBLIC = ("/pairings", "/standings", "/clock", "/clause?words=missed")


@typed_once
def day(desk: Desk) -> Desk:
    return first_round(desk)


@pytest.fixture
def kim(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(1)) as asking:
        yield asking


def announce(browser: Browser, text: str, **more: str) -> Response:
    data = {"text": text, "at": "/judge", **more}
    headers = {"origin": HERE}
    return browser.post("/announce", data=data, headers=headers, follow_redirects=False)


def notice_on(page: str) -> str:
    (notice,) = re.findall(r'<p class="notice"[^>]*>.*?</p>', page)
    return str(notice)


def test_a_line_is_on_every_page_and_screen_until_it_is_taken_back(day: Desk, kim: Browser) -> None:
    before = day.log()
    assert " hidden" in notice_on(kim.get("/pairings").text)
    answer = announce(kim, STRANGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/judge")
    kim.who = player(1)
    for path in (*PUBLIC, "/me", "/screen/1"):
        notice = notice_on(kim.get(path).text)
        assert "Lunch &lt;b&gt;until&lt;/b&gt; 14:00" in notice, path
        assert " hidden" not in notice, path
        assert re.search(r"<small>\d\d:\d\d</small>", notice), path
    kim.who = official(1)
    assert announce(kim, "", end="1").status_code == 303
    for path in (*PUBLIC, "/desk", "/judge", "/screen/1"):
        assert " hidden" in notice_on(kim.get(path).text), path
    assert day.log() == before


def test_only_an_official_announces(kim: Browser) -> None:
    kim.who = player(1)
    assert announce(kim, "I have won").status_code == 401
    assert " hidden" in notice_on(kim.get("/pairings").text)
    kim.who = official(1)
    assert announce(kim, "x" * 201).status_code == 409
    assert " hidden" in notice_on(kim.get("/pairings").text)
    elsewhere = announce(kim, "Lunch", at="https://example.com/")
    assert elsewhere.headers["location"] == "/"


def test_a_restart_keeps_the_line(day: Desk, kim: Browser) -> None:
    announce(kim, "Lunch")
    with hall_open(official(1)) as again:
        assert "Lunch" in notice_on(again.get("/pairings").text)
    day.done("note", "the log goes on")


def test_a_line_of_another_tournament_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "screens"
    Screens(lambda: "one", file).announce("Lunch", "12:00")
    assert Screens(lambda: "one", file).notice() == Notice("Lunch", "12:00", 1)
    assert Screens(lambda: "two", file).notice() == Notice()
    with pytest.raises(Refused, match="200 characters"):
        Screens(lambda: "one", file).announce("x" * 201, "12:00")


def test_an_open_page_hears_of_the_line_at_once(kim: Browser) -> None:
    announce(kim, STRANGE)

    async def heard() -> list[bytes]:
        sent = messages(kim.hall, kim.hall.position)
        lines = [await anext(sent), await anext(sent)]
        await sent.aclose()  # type: ignore[attr-defined]
        return lines

    _, notice = asyncio.run(heard())
    assert notice.startswith(b"event: notice\n")
    assert b"Lunch <b>until</b>" in notice


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_screens_share_the_alphabet(day: Desk, parts: int) -> None:
    names = ("Ann", "Ben", "Cleo", "Dana")
    with hall_open() as browser:
        state = browser.portal.call(browser.hall.view, lambda tournament: tournament)  # type: ignore[union-attr]
        shown = [
            sheets_of(state, Showing(f"pairings {part} of {parts}"), is_whole=True)[0]  # type: ignore[arg-type]
            for part in range(1, parts + 1)
        ]
    listed = [
        re.findall(r"<th[^>]*scope=\"row\"[^>]*>(.*?)</th>", str(each.content)) for each in shown
    ]
    found = [re.sub("<.*?>|[^A-Za-z]", "", name) for part in listed for name in part]
    assert [name for name in found if name] == list(names)
    assert shown[0].title.rpartition(", ")[2].startswith("A")
    del day
