"""A day in Chromium in the made-up language, and labels of every language on a narrow phone."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from cli.languages.speaking import codes
from tests.cli.languages.pseudo import STANDS_FOR, Pseudo, left_in_english
from tests.support.hall import secret_of, served
from tests.support.paths import ROOT

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

SPEAKS = """
import cli.languages.speaking as speaking
from tests.cli.languages.pseudo import Pseudo
speaking.catalogue = lambda _: Pseudo()
"""
"""Runs as each process of the server begins."""

PEOPLE = ("Aki Mori", "Ben Osei", "Cleo Varga", "Dana Ito")
TYPED = "Kim Larsen Kotei Berlin Etc UTC tourney Ctrl cherry Chrome Linux Crane"
GAME = "Legend of the Five Rings: The Card Game".replace(":", "")
NAMES = frozenset(" ".join((*PEOPLE, TYPED, GAME)).split())
PHONE, LAPTOP = (360, 760), (1200, 800)
PUBLIC = ("pairings", "standings", "bracket", "clock", "head", "clause", "in", "screen/1")
OF_PLAYERS = ("me", "me/list", "me/why/points")
OF_OFFICIALS = (
    *("desk", "desk/players", "desk/round", "desk/standings", "desk/bracket", "desk/log"),
    *("desk/print", "desk/settings", "judge"),
)
CUT_OFF = """() => [...document.querySelectorAll("button, a.button, summary, label, th, h2")]
  .filter((one) => one.clientWidth && getComputedStyle(one).display !== "inline"
    && getComputedStyle(one).clipPath === "none" && one.scrollWidth > one.clientWidth + 1
    && !one.closest("thead") && !one.querySelector("input"))
  .map((one) => one.textContent.trim())"""
said = Pseudo().gettext
expect = sync_api.expect


@pytest.fixture
def day(desk: Desk) -> Desk:
    whole = ("--organizer", "Kim Larsen", "--public-names", "full")
    desk.done("new", "Kotei Berlin", "--ruleset", "l5r", *whole)
    for name in PEOPLE:
        desk.done("register", name, "--faction", "Crane")
    desk.done("start", "custom", "--rounds", "2", "--cut", "2", "--word", "cherry")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@pytest.fixture
def address(day: Desk) -> Iterator[str]:
    with served(day, 0) as found:
        yield found


@pytest.fixture
def pseudo_address(day: Desk) -> Iterator[str]:
    folder = day.folder / "speaks"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SPEAKS, "utf-8")
    day.patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(ROOT)]))
    with served(day, 0) as found:
        yield found


class Room:
    """Everybody's browser, in one language."""

    def __init__(self, chromium: Browser, day: Desk, address: str, language: str) -> None:
        self._chromium, self._day, self.address = chromium, day, address
        self._language = language

    def let_in(self, who: str, size: tuple[int, int]) -> Page:
        """Open somebody's link; nobody's is the pairings."""
        width, height = size
        context = self._chromium.new_context(
            locale=self._language, viewport={"width": width, "height": height}
        )
        page = context.new_page()
        if not who:
            page.goto(f"{self.address}pairings")
            return page
        (link,) = self._day.done("links", "new", who, "--json").json["links"]
        page.goto(f"{self.address}in#{secret_of(link)}")
        page.wait_for_url(re.compile(r"/(desk|me)"))
        return page


def all_translated(*pages: Page) -> None:
    """No page that is open has a text in English."""
    for page in pages:
        assert left_in_english(content_of(page), NAMES) == [], page.url


def content_of(page: Page) -> str:
    """Return what a page has, once a form that was sent has led to it."""
    while True:
        page.wait_for_load_state()
        try:
            return str(page.content())
        except sync_api.Error as error:
            if "navigating" not in error.message:
                raise


@pytest.mark.slow
def test_a_day_in_the_made_up_language(chromium: Browser, day: Desk, pseudo_address: str) -> None:
    """Reports, a contradiction, a call, a refusal, a ruling, and what scripts say of them."""
    room = Room(chromium, day, pseudo_address, STANDS_FOR)
    one, two = day.done("pairings", "--json").json[0]["players"]
    desk, anybody = room.let_in("o1", LAPTOP), room.let_in("", PHONE)
    first, second = (room.let_in(f"#{each}", PHONE) for each in (one, two))
    all_translated(desk, anybody, first, second)
    first.get_by_role("button", name=said("I won"), exact=True).click()
    all_translated(first)
    first.get_by_role("button", name=said("Yes, send it")).click()
    expect(second.get_by_role("button", name=said("That is right"))).to_be_visible(timeout=15_000)
    all_translated(first, second)
    second.get_by_text(said("That is wrong"), exact=True).click()
    second.get_by_role("button", name=said("I won"), exact=True).click()
    all_translated(second)
    second.get_by_role("button", name=said("Yes, send it")).click()
    desk.goto(f"{room.address}judge/match/1/1")
    all_translated(desk, first, second)
    for page, paths in ((first, OF_PLAYERS), (desk, OF_OFFICIALS), (anybody, PUBLIC)):
        for path in paths:
            page.goto(f"{room.address}{path}")
            all_translated(page)


@pytest.mark.slow
@pytest.mark.parametrize("language", codes())
def test_no_label_is_cut_off_on_a_narrow_phone(
    chromium: Browser, day: Desk, address: str, language: str
) -> None:
    room = Room(chromium, day, address, language)
    visits = (("", PUBLIC), ("#1", OF_PLAYERS), ("o1", OF_OFFICIALS))
    wrong = []
    for who, paths in visits:
        page = room.let_in(who, PHONE)
        for path in paths:
            page.goto(f"{room.address}{path}")
            width = page.evaluate("document.documentElement.scrollWidth")
            wrong += [(path, "scrolls sideways")] if width > PHONE[0] else []
            wrong += [(path, text) for text in page.evaluate(CUT_OFF)]
        page.context.close()
    assert wrong == []
