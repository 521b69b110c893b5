"""The pages of the hall in a real browser: Chromium from the distribution, driven by Playwright.

Skipped where either is missing; `.ci/run` installs both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.cli_desk import typed_once
from tests.support.days.many_scripts import show_on_screens
from tests.support.hall import served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

PHONE, SCREEN = (390, 844), (1200, 800)
PAGES = ("pairings", "standings", "bracket", "clock")
LONG = "Maximiliana-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst"
Scheme = Literal["light", "dark"]


@typed_once
def day(desk: Desk) -> Desk:
    """Eight players, a cut played to its first game, one name that no phone has room for."""
    whole = ("--organizer", "Kim", "--public-names", "full")
    desk.done("new", "Night <i>of</i> Cards", "--ruleset", "l5r", *whole)
    for name in (LONG, "W" * 90, *(f"Player {number}" for number in range(3, 9))):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@pytest.fixture
def address(day: Desk) -> Iterator[str]:
    with served(day, 0) as found:
        yield found


def page_of(
    chromium: Browser, size: tuple[int, int], scheme: Scheme = "light", *, script: bool = True
) -> Page:
    viewport = {"width": size[0], "height": size[1]}
    page = chromium.new_page(viewport=viewport, color_scheme=scheme, java_script_enabled=script)  # type: ignore[arg-type] # its own dict type
    page.set_default_timeout(15_000)
    return page


def report(desk: Desk, table: int) -> str:
    """Report the player who sits first as the winner; returns their number."""
    first: int = desk.done("pairings", "--json").json[table - 1]["players"][0]
    desk.done("report", str(table), f"#{first}")
    return str(first)


def test_a_page_follows_the_day(chromium: Browser, day: Desk, address: str) -> None:
    """Nobody reloads it: a result, more time, the next round and the cut are shown."""
    phone = page_of(chromium, PHONE)
    phone.goto(f"{address}pairings")
    assert phone.get_by_text("won 10-1").count() == 0
    report(day, 1)
    phone.get_by_text("won 10-1").first.wait_for()
    phone.goto(f"{address}clock")
    day.done("round", "extend", "2", "5", "--reason", "late judge")
    phone.get_by_text("+5 min").wait_for()
    for table in (2, 3, 4):
        report(day, table)
    phone.get_by_text("4 of 4 tables have reported.").wait_for()
    phone.goto(f"{address}bracket")
    day.done("cut")
    day.done("pair")
    phone.locator("table").first.wait_for()


def test_a_name_is_found(chromium: Browser, address: str) -> None:
    phone = page_of(chromium, PHONE)
    phone.goto(address)
    phone.get_by_role("searchbox").fill("hohenlohe")
    shown = [row for row in phone.locator("tbody tr").all() if row.is_visible()]
    assert 1 <= len(shown) <= 2
    assert all("Hohenlohe" in (row.text_content() or "") for row in shown)


def test_the_clock_counts_on(chromium: Browser, address: str) -> None:
    screen = page_of(chromium, SCREEN)
    screen.goto(f"{address}clock")
    digits = screen.locator(".digits")
    before = digits.text_content()
    assert before
    sync_api.expect(digits).not_to_have_text(before)


def test_a_clock_that_stands_still_says_so(chromium: Browser, day: Desk) -> None:
    """On the clock, the player's page and a screen: no digit moves, and a word says why."""
    show_on_screens(day)
    day.done("round", "pause", "--reason", "fire")
    port = free_port()
    here = ("--address", f"http://127.0.0.1:{port}/")
    (link,) = day.done("links", "print", "1", "--json", *here).json["links"]
    with served(day, port) as address:
        phone = page_of(chromium, PHONE)
        phone.goto(link["address"])
        phone.wait_for_url("**/me")
        pages = [phone, page_of(chromium, PHONE), page_of(chromium, SCREEN)]
        pages[1].goto(f"{address}clock")
        pages[2].goto(f"{address}screen/4")
        digits = [each.locator(".time, .digits") for each in pages]
        still = [each.text_content() for each in digits]
        pages[0].wait_for_timeout(1_500)
        assert [each.text_content() for each in digits] == still
        for page in pages:
            box = page.get_by_text("PAUSED", exact=True).bounding_box()
            assert box is not None
            assert box["height"] > 24
            assert 0 <= box["x"] <= page.viewport_size["width"] - box["width"]  # type: ignore[index]
        day.done("round", "resume")
        for page, shown, before in zip(pages, digits, still, strict=True):
            page.get_by_text("PAUSED").wait_for(state="detached")
            sync_api.expect(shown).not_to_have_text(before or "")
        day.done("round", "time")
        for page in pages:
            page.get_by_text("TIME CALLED", exact=True).wait_for()


def test_without_javascript_it_is_the_same_page(chromium: Browser, address: str) -> None:
    plain, whole = (page_of(chromium, PHONE, script=script) for script in (False, True))
    for name in PAGES[:2]:
        tables = []
        for page in (plain, whole):
            page.goto(f"{address}{name}")
            tables.append(page.locator("#part").inner_text())
        assert tables[0] == tables[1]
        assert LONG in tables[0]


def test_a_desk_that_is_away_is_said(chromium: Browser, address: str) -> None:
    phone = page_of(chromium, PHONE)
    phone.goto(address)
    phone.context.set_offline(offline=True)
    phone.evaluate("wake()")
    phone.get_by_text("The desk cannot be reached").wait_for()
    phone.context.set_offline(offline=False)
    phone.evaluate("wake()")
    phone.get_by_text("The desk cannot be reached").wait_for(state="hidden")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=["phone", "screen"])
def test_no_page_scrolls_sideways_and_axe_finds_nothing(
    chromium: Browser, day: Desk, address: str, size: tuple[int, int], scheme: Scheme
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    report(day, 1)
    page = page_of(chromium, size, scheme)
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if said.type == "error" else None)
    for name in (*PAGES, "in"):
        page.goto(f"{address}{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        found = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name
    assert refused == []


def test_a_link_lets_a_phone_in_and_its_secret_goes_nowhere(
    chromium: Browser, day: Desk, address: str
) -> None:
    """Also where the page of codes is open already; no address and no Referer has the secret."""
    words = ("links", "print", "#3", "--address", address.rstrip("/"), "--json")
    (link,) = day.done(*words).json["links"]
    secret = link["address"].partition("#")[2]
    phone = page_of(chromium, PHONE)
    sent: list[str] = []
    phone.on("request", lambda asked: sent.append(f"{_sent(asked.url)} {asked.headers}"))
    phone.goto(f"{address}in")
    phone.goto(link["address"])
    phone.wait_for_url("**/me")
    phone.get_by_role("link", name="Standings").click()
    phone.wait_for_url("**/standings")
    phone.go_back()
    phone.go_back()
    assert secret not in phone.url
    assert sent
    assert not [each for each in sent if secret in each]


def _sent(url: str) -> str:
    """What of an address a browser sends: all but its fragment."""
    return url.partition("#")[0]


def test_without_javascript_a_code_lets_a_phone_in(
    chromium: Browser, day: Desk, address: str
) -> None:
    (link,) = day.done("links", "print", "#3", "--json").json["links"]
    phone = page_of(chromium, PHONE, script=False)
    phone.goto(f"{address}in")
    phone.get_by_label("The code on your badge").fill(link["code"].lower())
    phone.get_by_role("button", name="Sign in").click()
    phone.wait_for_url("**/me")


def test_all_of_a_badge_is_on_it(chromium: Browser, day: Desk) -> None:
    day.done("links", "print", "-o", "badges.html", "--address", "https://hall.example.org:8600")
    page = page_of(chromium, SCREEN)
    page.goto((day.folder / "badges.html").as_uri())
    for badge in page.locator(".badge").all():
        around = badge.bounding_box()
        for part in (badge.locator("svg"), badge.locator(".code"), badge.locator(".where")):
            inside = part.bounding_box()
            assert around
            assert inside
            assert inside["y"] + inside["height"] <= around["y"] + around["height"]
            assert inside["x"] + inside["width"] <= around["x"] + around["width"]


NARROW_CELLS = """() => [...document.querySelectorAll("main tbody th, main tbody td")]
    .filter((cell) => cell.innerText.trim().length > 4)
    .filter((cell) => cell.clientWidth < 2 * parseFloat(getComputedStyle(cell).fontSize))
    .map((cell) => cell.outerHTML)"""
"""Cells that are so narrow that their text has one letter in a line."""


def test_no_cell_is_narrower_than_its_words(chromium: Browser, day: Desk, address: str) -> None:
    """On the pages of officials, too: they have a style sheet of their own."""
    (link,) = day.done("links", "print", "o1", "--json", "--address", address).json["links"]
    report(day, 1)
    page = page_of(chromium, (360, 740))
    page.goto(link["address"])
    page.get_by_text("Open tables").wait_for()
    for path in ("desk", "judge", "judge/match/1/1", *PAGES):
        page.goto(f"{address}{path}")
        assert page.evaluate(NARROW_CELLS) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
