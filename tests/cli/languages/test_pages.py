"""Every page in a made-up language: no text passes by the catalogues."""

from __future__ import annotations

from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.languages.speaking import codes, speaking, tr
from cli.serve.hall import Hall
from cli.serve.pages.organizer.staff import STAFF_PAGES
from cli.serve.views import VIEWS
from cli.serve.visitors import NOBODY, Visitor
from tests.cli.languages.pseudo import STANDS_FOR, left_in_english, speak_pseudo
from tests.support.days.table_day import day_of_states
from tests.support.hall import first_round, hall_open, official

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.desk.session import Desk as Session
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

NAMES = frozenset(
    [
        "so",
        "Etc",
        "UTC",
        "Night",
        "Kim",
        "Ann",
        "Bea",
        "Cas",
        "Dan",
        "Eve",
        "Fay",
        "Pat",
        "Jones",
        "tourney",
        "no",
        "was",
        "not",
        "it",
        "call",
        "Legend",
        "Five",
        "Rings",
        "Living",
        "Card",
        "Game",
    ]
)
"""Names and words that people of the day typed, and names of games."""

PUBLIC = ("/", "/standings", "/bracket", "/clock", "/head", "/clause", "/in", "/screen/1", "/no")
OF_PLAYERS = ("/me", "/me/list", "/me/why/points", "/me/why/SOS", "/me/receipt")
DESK = tuple(page.path for page in STAFF_PAGES if "{" not in page.path)
OF_OFFICIALS = (*DESK, "/judge/match/1/1", "/judge/player/1", "/desk/players?player=p1")


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak the made-up language here, and let this process answer what takes long."""
    speak_pseudo(monkeypatch)

    async def answered(
        hall: Hall, work: Callable[..., object], *given: object, is_kept: bool = False
    ) -> object:
        del is_kept

        def at_desk(desk: Session) -> object:
            return work(desk, *given)

        return await hall.at_desk(at_desk)

    monkeypatch.setattr(Hall, "asked", answered)


def visits() -> Iterator[tuple[Visitor, tuple[str, ...]]]:
    yield NOBODY, PUBLIC
    yield Visitor("p1", player=1, link=1), (*PUBLIC[:3], *OF_PLAYERS)
    yield official(1), OF_OFFICIALS


def left_on(browser: Browser, path: str) -> list[str]:
    page = browser.get(path, headers={"accept-language": STANDS_FOR})
    return left_in_english(page.text, NAMES)


@pytest.mark.slow
@pytest.mark.usefixtures("pseudo")
def test_no_text_of_a_page_passes_by_the_catalogues(desk: Desk) -> None:
    left = dict[str, str]()
    for state in day_of_states(desk):
        with hall_open() as browser:
            for who, paths in visits():
                if who.player and state == "empty":
                    continue
                browser.who = who
                for path in paths:
                    for text in left_on(browser, path):
                        left.setdefault(text, f"{path}, {state}")
    assert not left, "\n".join(f"{place}: {text}" for text, place in left.items())


@pytest.mark.slow
@pytest.mark.usefixtures("pseudo")
def test_programs_get_the_same_bytes_whatever_they_accept(desk: Desk) -> None:
    asked = [view.path.format(round=1, table=1, player=1, column="SOS") for view in VIEWS]
    paths = [f"/api/v1{path}" for path in (*asked, "/pairings", "/standings", "/bracket", "/me")]
    answered = set[str]()
    for _ in day_of_states(desk):
        with hall_open(official(1)) as browser:
            for path in paths:
                english, other = (
                    browser.get(path, headers={"accept-language": language})
                    for language in ("en", STANDS_FOR)
                )
                if english.status_code == HTTPStatus.OK and "disputes" not in path:
                    assert other.content == english.content, path
                    answered.add(path)
    assert len(answered) == len(paths) - 1  # an open dispute has its age


def test_the_page_of_the_head_is_in_the_language_of_whoever_asks(desk: Desk) -> None:
    """Its code is drawn once; its words are not those of the first who asked."""
    first_round(desk)
    with hall_open() as browser:
        for code in (*codes(), *codes()):
            page = browser.get("/head", headers={"accept-language": code}).text
            with speaking(code):
                assert tr("Six words below each page") in unescape(page)


def test_a_clause_page_that_asks_for_none_refuses_nothing(desk: Desk) -> None:
    first_round(desk)
    with hall_open() as browser:
        assert "No clause fits" not in browser.get("/clause").text
        assert "No clause fits “xyzzy”." in browser.get("/clause/xyzzy").text


@pytest.mark.usefixtures("pseudo")
def test_a_text_in_english_is_found() -> None:
    assert left_in_english("<p>αβ <bdi>Ann</bdi> wins</p>", NAMES) == ["wins"]
    assert left_in_english('<p aria-label="A name">αβ</p><code>pair</code>', NAMES) == ["A name"]
