"""A posting is made in the languages of the phones before its news, and in no other language."""

from __future__ import annotations

import time
from threading import Event
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.languages.choice import IN_USE_SECONDS, PEOPLE_MAX, LanguagesInUse
from cli.languages.speaking import codes, language, speaking
from cli.serve import hall
from cli.serve.pages.frame import LANGUAGE_FIELD
from cli.serve.parts import rendered_part
from cli.serve.visitors import NOBODY, Visitor
from tests.support.hall import hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from htpy import Node

    from cli.serve.parts import Rendered
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

Made = list[tuple[str, str]]
PAIRINGS = "/parts/pairings"
SCREEN = Visitor("s1", is_screen=True, screen=1)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """Every part that the hall makes, with its language, in order."""
    parts: Made = []

    def counted(name: str, html: Callable[[], Node]) -> Rendered:
        parts.append((name, language()))
        return rendered_part(name, html)

    monkeypatch.setattr(hall, "rendered_part", counted)
    monkeypatch.setattr(hall, "AHEAD_SECONDS", 20)  # a test may run on a busy computer
    return parts


@pytest.fixture
def browser(desk: Desk, made: Made) -> Iterator[Browser]:
    """Four players before the first round, two of them with a phone in Japanese."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCleo\nDana\n")
    desk.done("start", "custom", "--rounds", "2")
    with hall_open() as asking:
        for number, code in enumerate(("de", "ja", "en", "ja"), 1):
            look(asking, player(number), code)
        made.clear()
        yield asking


def look(browser: Browser, who: Visitor, code: str, path: str = "/me") -> str:
    """Open a page in a language; return the ETag of its answer."""
    browser.who = who
    answer = browser.get(path, headers={"accept-language": code})
    return str(answer.headers.get("etag", ""))


def pair(browser: Browser) -> None:
    """Pair a round as a program of the desk does, and wait for the news."""
    browser.who = official(1)
    assert browser.act({"type": "PairRound"}).status_code == 200
    until(lambda: browser.hall.position == browser.hall.newest)


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(500):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError(is_so)


def test_phones_in_three_languages_find_the_pairings_made(browser: Browser, made: Made) -> None:
    pair(browser)
    assert sorted(made[1:]) == [("pairings", "de"), ("pairings", "en")]
    assert made[0] == ("pairings", "ja"), "the most used language is first"
    tags = {code: look(browser, player(1), code, PAIRINGS) for code in ("de", "en", "ja")}
    assert len(made) == 3, "every phone is answered with what is made"
    assert len(set(tags.values())) == 3, "each language has its own ETag"


def test_a_language_that_no_phone_uses_is_made_for_the_first_who_asks(
    browser: Browser, made: Made
) -> None:
    look(browser, NOBODY, "fr", "/")
    look(browser, SCREEN, "es", "/api/v1/me")
    made.clear()
    pair(browser)
    assert not {"fr", "es", "it", "pl"} & {code for _, code in made}
    before = len(made)
    look(browser, NOBODY, "fr", PAIRINGS)
    look(browser, NOBODY, "fr", PAIRINGS)
    assert made[before:] == [("pairings", "fr")]


def test_the_language_of_the_footer_counts_at_the_next_posting(
    browser: Browser, made: Made
) -> None:
    browser.who = player(1)
    browser.get(f"/me?{LANGUAGE_FIELD}=pl", headers={"accept-language": "de"})  # leads to /me
    pair(browser)
    assert {code for _, code in made} == {"pl", "ja", "en"}


def test_only_a_posting_is_made_before_its_news(browser: Browser, made: Made) -> None:
    pair(browser)
    made.clear()
    assert browser.act({"type": "StartRound"}, "ijklmnop").status_code == 200
    until(lambda: browser.hall.position == browser.hall.newest)
    assert not made


def test_neither_acts_nor_news_wait_for_a_slow_page(
    browser: Browser, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The act is answered while its first page is being made, the news after a limited time."""
    going_on = Event()
    monkeypatch.setattr(hall, "AHEAD_SECONDS", 0.05)

    def slow(name: str, html: Callable[[], Node]) -> Rendered:
        going_on.wait(10)
        made.append((name, language()))
        return rendered_part(name, html)

    monkeypatch.setattr(hall, "rendered_part", slow)
    browser.who = official(1)
    try:
        assert browser.act({"type": "PairRound"}).status_code == 200
        until(lambda: browser.hall.position == browser.hall.newest)
        assert not made
    finally:
        going_on.set()


def test_a_change_is_the_same_in_every_language(browser: Browser) -> None:
    pair(browser)
    digests = []
    for code in codes():
        with speaking(code):
            digests.append(browser.hall._digested())
    assert all(each == digests[0] for each in digests)
    assert "pairings" in digests[0]


def test_languages_in_use_are_those_of_late_and_of_limited_memory() -> None:
    now = 0.0
    used = LanguagesInUse(lambda: now)
    used.note("p1", "de")
    now = IN_USE_SECONDS
    used.note("p2", "ja")
    assert set(used.most_used()) == {"de", "ja"}
    now += 1
    assert used.most_used() == ["ja"]
    for number in range(PEOPLE_MAX):
        used.note(f"p{number}", "pl")
    assert used.most_used() == ["pl"]
    assert len(used._latest) == PEOPLE_MAX
