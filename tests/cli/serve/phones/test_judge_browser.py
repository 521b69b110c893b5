"""The judge's pages on a phone in a real browser: nothing sideways, and what axe finds.

Skipped where Chromium or Playwright is missing; `.ci/run` installs both.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.cli_desk import typed_once
from tests.support.hall import served

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

    Phone = Callable[..., Page]

LONG = "Maximiliana-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst"
STRANGE = '<img src=x onerror="document.title=1">' + "W" * 80
Scheme = Literal["light", "dark"]
PICTURES = os.environ.get("TOURNEY_PICTURES", "")
"""Folder for pictures of the pages, to be looked at; none without it."""

NARROW = """() => [...document.querySelectorAll("main th, main td, main p, main li, main span")]
    .filter((node) => node.getClientRects().length && node.innerText.trim().length > 4)
    .filter((node) => node.getBoundingClientRect().width < 40
        && node.getBoundingClientRect().height > 60)
    .map((node) => node.outerHTML)"""
"""Nodes that are so narrow that their text breaks letter by letter."""


@typed_once
def day(desk: Desk) -> Desk:
    """Four players of long and hostile names; a dispute, a call, a penalty, a past round."""
    whole = ("--organizer", "Kim", "--public-names", "full", "--format", "l5r")
    desk.done("new", "Night <i>of</i> Cards", "--ruleset", "l5r", *whole)
    desk.done("official", "add", "Pat", "--role", "judge")
    for name in (LONG, STRANGE, "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    desk.done("penalty", "#1", "warning", "--for-what", "drew a card too many")
    desk.done("pair")
    desk.done("round", "start")
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}", "--for", f"#{first}")
    desk.done("dispute", "1", f"#{second}", "--for", f"#{second}", "--reason", STRANGE)
    desk.done("call", "2", "who acts first?")
    return desk


@pytest.fixture
def phone(chromium: Browser, day: Desk) -> Iterator[Phone]:
    """Open a phone of a width that a link lets in."""
    with served(day, 0) as address:

        def opened(of: str, width: int = 360, scheme: Scheme = "light") -> Page:
            words = ("links", "print", of.replace("p", "#"), "--json")
            (link,) = day.done(*words, "--address", address.rstrip("/")).json["links"]
            context = chromium.new_context(
                viewport={"width": width, "height": 740}, color_scheme=scheme
            )
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.goto(link["address"])
            page.wait_for_url(f"**/{'me' if of.startswith('p') else 'desk'}")
            return page

        yield opened


def root_of(page: Page) -> str:
    return page.url.removesuffix("desk").removesuffix("me")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360])
def test_every_page_of_a_judge_fits_a_phone(phone: Phone, width: int, scheme: Scheme) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = phone("o2", width, scheme)
    root = root_of(page)
    for path in (
        "judge",
        "judge/match/2/1",
        "judge/match/2/2",
        "judge/match/1/1",
        "judge/player/p1",
    ):
        page.goto(f"{root}{path}")
        if PICTURES:
            name = f"{path.replace('/', '-')}-{width}-{scheme}"
            page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)
        for each in page.locator("details").all():
            each.evaluate("each => { each.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(NARROW) == [], path
        violations = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == [], path
        assert page.locator("img").count() == 0, path
        for each in page.locator("main .tap button, main .table-links a, main .sides a").all():
            box = each.bounding_box()
            assert box is not None
            assert box["height"] >= 44, (path, each.inner_text())
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"{name}-open.png", full_page=True)


def test_from_the_call_to_the_ruling_by_taps(phone: Phone, day: Desk) -> None:
    """A judge goes, gives time, rules on the dispute, and both phones show it by themselves."""
    first, second = day.seats(1)
    phones = [phone(f"p{first}"), phone(f"p{second}")]
    pat = phone("o2")
    pat.goto(f"{root_of(pat)}judge")
    pat.get_by_role("button", name="I am going").click()
    pat.get_by_role("link", name="2/2", exact=True).first.wait_for(state="detached")
    pat.locator(".table-links a").filter(has_text="2").first.click()
    pat.get_by_role("button", name="+5 min").click()
    pat.get_by_text("with 5 minutes added").wait_for()
    pat.get_by_role("button", name="Undo this").click()
    pat.get_by_text("with 5 minutes added").wait_for(state="detached")
    pat.get_by_role("link", name="All that waits").click()
    pat.get_by_role("link", name="2/1", exact=True).first.click()
    pat.get_by_role("radio", name="as disputed").check()
    pat.get_by_label("Decision and reason").first.fill("both slips say so")
    pat.get_by_role("button", name="Rule", exact=True).click()
    pat.get_by_role("button", name="Do it").click()
    for each in phones:
        each.get_by_text("both slips say so").wait_for()
        assert each.get_by_text("must still enter").count() == 0
    assert day.done("disputes", "--json").json == []


def test_an_announcement_is_on_open_phones_and_screens_at_once(
    chromium: Browser, phone: Phone, day: Desk
) -> None:
    """No page is loaded again; what was typed in one stays."""
    del day
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    one, pat = phone("p3"), phone("o2", scheme="dark")
    wall = chromium.new_context(viewport={"width": 1920, "height": 1080}).new_page()
    wall.goto(f"{root_of(one)}screen/1")
    public = one.context.new_page()
    public.goto(f"{root_of(one)}pairings")
    pat.goto(f"{root_of(pat)}judge")
    pat.locator("#announcement summary").click()
    pat.get_by_label("Line on every page and screen").fill("Lunch until 14:00 <b>sharp</b>")
    pat.get_by_role("button", name="Announce", exact=True).click()
    for page in (one, public, wall, pat):
        page.locator("#notice", has_text="Lunch until 14:00 <b>sharp</b>").wait_for()
        assert page.locator("#notice b").count() == 0
        violations = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]
    height = wall.evaluate("[document.documentElement.scrollHeight, innerHeight]")
    assert height[0] <= height[1] + 1
    if PICTURES:
        for name, page in {"me": one, "pairings": public, "wall": wall, "pat": pat}.items():
            page.screenshot(path=Path(PICTURES) / f"notice-{name}.png", full_page=True)
    pat.get_by_role("button", name="Take it back").click()
    for page in (one, public, wall, pat):
        page.locator("#notice").wait_for(state="hidden")
