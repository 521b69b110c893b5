"""A day of sixteen: six phones in six languages, the desk in German, and a computer that dies.

The wall has Japanese and English. A second computer follows the first one and takes over after
round 1; nobody opens another address.
"""

from __future__ import annotations

import re
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from cli.languages.speaking import codes, speaking, tr_of
from tests.support.cli_desk import Desk
from tests.support.hall import served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLAYERS, PHONES = 16, ("en", "es", "fr", "it", "ja", "pl")
TOOK_OVER = "Another computer took over {name}; this browser knew its key before."
PHONE, LAPTOP, WALL = (360, 760), (1280, 800), (1920, 1080)
expect = sync_api.expect


def said(language: str, text: str, context: str = "") -> str:
    """Return a text of a page in a language."""
    with speaking(language):
        return tr_of(context, text)


class Hall:
    """The browsers of everybody, which stay open all day."""

    def __init__(self, chromium: Browser, day: Desk, port: int) -> None:
        self._chromium, self._day = chromium, day
        self.address = f"http://127.0.0.1:{port}/"

    def page(self, language: str, size: tuple[int, int], path: str) -> Page:
        """Open a page in a browser of its own."""
        context = self._chromium.new_context(
            locale=language, viewport={"width": size[0], "height": size[1]}
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{self.address}{path}")
        return page

    def let_in(self, of: str, language: str, size: tuple[int, int]) -> Page:
        """Open somebody's link."""
        (link,) = self._day.done("links", "print", of, "--json").json["links"]
        page = self.page(language, size, f"in#{link['address'].partition('#')[2]}")
        page.wait_for_url(re.compile(r"/(desk|me)"))
        return page


def report_by_phone(phone: Page, language: str, address: str) -> None:
    """The player of a phone reports a win, and reads that it counts."""
    phone.goto(f"{address}me")
    phone.get_by_role("button", name=said(language, "I won"), exact=True).click()
    phone.get_by_role("button", name=said(language, "Yes, send it")).click()
    expect(phone.get_by_role("button", name=said(language, "I won"), exact=True)).to_have_count(0)


def line(desk: Page, address: str, typed: str) -> None:
    """Type a line on the desk's page."""
    desk.goto(f"{address}desk")
    desk.keyboard.press("Control+k")
    expect(desk.locator("#line")).to_be_focused()
    desk.keyboard.type(typed)
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    ahead = desk.get_by_role("button", name=said("de", "Do it", "button"))
    if ahead.count():
        with desk.expect_navigation():
            ahead.click()
    expect(desk.locator("section.said[role=status]")).to_be_visible()


def play_round(hall: Hall, day: Desk, desk: Page, phones: dict[int, tuple[Page, str]]) -> None:
    """One of each table has a phone and reports, or the desk types the slip."""
    for table, players in enumerate(pairings(day), start=1):
        with_phone = next((player for player in players if player in phones), 0)
        if with_phone:
            report_by_phone(*phones[with_phone], hall.address)
        else:
            line(desk, hall.address, f"{table} #{players[0]}")


def pairings(day: Desk) -> list[list[int]]:
    return [each["players"] for each in day.done("pairings", "--json").json]


def opened(day: Desk) -> Desk:
    """Sixteen players and two rounds, announced."""
    whole = ("--organizer", "Kim Larsen", "--public-names", "full")
    day.done("new", "Kotei Berlin", "--ruleset", "l5r", *whole)
    day.done("register", "--file", "-", stdin="\n".join(["name", *map(name_of, range(PLAYERS))]))
    day.done("start", "custom", "--rounds", "2")
    return day


def name_of(place: int) -> str:
    return f"{'ABCDEFGHIJKLMNOP'[place]}ki Mori"


@pytest.mark.slow
def test_a_day_of_sixteen_outlives_its_first_computer(
    chromium: Browser, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert {*PHONES, "de"} <= set(codes())
    day, two, port = opened(desk), tmp_path_factory.mktemp("two"), free_port()
    hall = Hall(chromium, day, port)
    with served(day, port) as address:
        pages = let_everybody_in(hall, day)
        line(pages.desk, hall.address, "pair")
        line(pages.desk, hall.address, "round start")
        expect(pages.wall.locator("main")).to_contain_text("卓")
        expect(pages.wall.locator("main")).to_contain_text("table")
        play_round(hall, day, pages.desk, pages.phones)
        secret = day.done("links", "print", "o1", "--json").json["links"][0]["address"]
        with chdir(two):
            day.done("follow", f"{address}in#{secret.partition('#')[2]}", "--once")
        reported = day.done("standings", "--json").json
        for phone, _ in pages.phones.values():
            phone.goto("about:blank")  # else it may have been told before it is looked at
    with chdir(two):
        day.done("take-over")
        second = Desk(two, day.patch)
        assert second.done("standings", "--json").json == reported
        with served(second, port):
            all_are_told(pages, hall)
            line(pages.desk, hall.address, "pair")
            line(pages.desk, hall.address, "round start")
            play_round(hall, second, pages.desk, pages.phones)
            line(pages.desk, hall.address, "finish")
            second.done("verify")
            points = [row["points"] for row in second.done("standings", "--json").json]
    assert len(points) == PLAYERS
    assert sum(row["points"] for row in reported) < sum(points)


class Pages:
    """The pages that stay open: the desk, the wall, and the phones by player, with languages."""

    def __init__(self, desk: Page, wall: Page, phones: dict[int, tuple[Page, str]]) -> None:
        self.desk, self.wall, self.phones = desk, wall, phones


def let_everybody_in(hall: Hall, day: Desk) -> Pages:
    """Open every page; the organizer chooses the languages of screens."""
    desk = hall.let_in("o1", "de", LAPTOP)
    desk.goto(f"{hall.address}desk/settings")
    form = desk.locator("form", has=desk.get_by_label("日本語"))
    form.get_by_label("日本語").check()
    form.get_by_label("English").check()
    form.get_by_role("button", name=said("de", "Use these languages")).click()
    day.done("links", "new", *(f"#{player}" for player in range(1, len(PHONES) + 1)))
    phones = {
        player: (hall.let_in(f"#{player}", language, PHONE), language)
        for player, language in enumerate(PHONES, start=1)
    }
    return Pages(desk, hall.page("en", WALL, "screen/1"), phones)


def all_are_told(pages: Pages, hall: Hall) -> None:
    """Every phone says in its own language that another computer took over."""
    for phone, language in pages.phones.values():
        phone.goto(f"{hall.address}me")
        words = said(language, TOOK_OVER)
        expect(phone.locator("#witness")).to_contain_text(words.partition("{")[0].strip())
