"""The style of the hall: contrast of its colours, bytes of a page, and widths of a window."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin

import pytest

from cli.render.elements import page_style
from cli.render.printed_pages import links_page
from cli.serve.app import static_files
from tests.support.cli_desk import typed_once
from tests.support.days.many_scripts import play
from tests.support.hall import served_to_owner
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request

    from tests.support.cli_desk import Desk

PAGE_MAX = 60_000
"""Bytes of style and script of one page, not packed."""

UNSEEN = {
    *("owner.js", "check.js", "trees.js"),  # a page that leads on at once, and pages that are files
    *("warnings.js", "succession.js"),  # what is seldom to be said of a log
    *("restored.js", "receipts.js", "answered.js"),  # what follows a loss, or a player's own act
    "moved.js",  # what a page fetches later, see below
    *("hall.svg", "hall-news.svg", "words.txt"),
}
"""Files of the hall that are no style and no script of a page that was measured."""

CONTRAST_MIN = 4.5
"""Ratio that WCAG 2.2 AA asks for text of any size."""

WIDTHS = (320, 360, 600, 768, 1200, 1920)
PUBLIC = ("pairings", "standings", "bracket", "clock", "in", "head", "clause/FFG-DROP", "nothing")
DESK = ("", "/players", "/players?player=1", "/round", "/standings", "/bracket", "/log", "/print")
MORE_OF_DESK = ("/settings", "/lines", "/lines?form=correct")
STAFF = (
    *(f"desk{path}" for path in (*DESK, *MORE_OF_DESK)),
    *("judge", "judge/match/1/1", "judge/match/2/1", "judge/player/p1"),
)
SHEETS = ("pairings", "names", "slips", "standings", "bracket")
PLAYER = ("me", "me/list", "me/why/SOS", "me/receipt")
OWNER = ("/events", "/events/new", "/events/look")
"""Pages outside of a tournament, at the root of the address."""

PAIRS = (
    *(("ink", ground) for ground in ("paper", "band")),
    *(("quiet", ground) for ground in ("paper", "band")),
    *(("accent", ground) for ground in ("paper", "band", "accent-tint")),
    *(("alarm", ground) for ground in ("paper", "band", "alarm-tint")),
    *(("warn", ground) for ground in ("paper", "band", "warn-tint")),
    *(("good", ground) for ground in ("paper", "band", "good-tint")),
    *(("ink", f"{kind}-tint") for kind in ("accent", "alarm", "warn", "good")),
    *(("quiet", f"{kind}-tint") for kind in ("accent", "alarm", "warn", "good")),
)
"""Every colour of a text with the grounds that it is on; a button has them the other way round."""


def colours(theme: str) -> dict[str, str]:
    """Return the colours of a theme: those of the light one, and what the dark one changes."""
    light, dark = re.findall(r":root\{(.*?)\}", page_style(), re.DOTALL)[:2]
    blocks = (light, dark) if theme == "dark" else (light,)
    named = re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", " ".join(blocks))
    return dict(named)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    digits = colour[1:] if len(colour) > 4 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_has_contrast(theme: str, text: str, ground: str) -> None:
    named = colours(theme)
    low, high = sorted(luminance(named[name]) for name in (text, ground))
    assert (high + 0.05) / (low + 0.05) >= CONTRAST_MIN


@typed_once
def day(desk: Desk) -> Desk:
    """Names of several scripts, one of 68 letters; a dispute, a call, a paused clock, a cut."""
    return play(desk)


@pytest.fixture
def pages(chromium: Browser, day: Desk) -> Iterator[list[tuple[Page, str, tuple[str, ...]]]]:
    """Browsers of a stranger, a player, an official and the owner, with the pages of each."""
    port = free_port()
    here = ("--address", f"http://127.0.0.1:{port}/")
    links = day.done("links", "print", "1", "o1", "e1", "--json", *here).json["links"]
    with served_to_owner(day, port) as (address, owner):
        opened: list[tuple[Page, str, tuple[str, ...]]] = []
        stranger = chromium.new_context().new_page()
        opened.append((stranger, address, (*PUBLIC, "screen/1")))
        for link, paths in zip(links, (PLAYER, STAFF, ("join",)), strict=True):
            page = chromium.new_context().new_page()
            page.goto(link["address"])
            page.wait_for_url(re.compile(r"/(me|desk|join)$"))
            opened.append((page, address, paths))
        page = chromium.new_context().new_page()
        page.goto(owner)
        page.wait_for_url("**/desk")
        opened.append((page, address, OWNER))
        yield opened
        for page, _, _ in opened:
            page.context.close()


def test_script_and_style_of_a_page_are_small(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """Whatever a page has loaded when it rests; no file comes from another host."""
    seen: set[str] = set()
    for page, address, paths in pages:
        for path in paths:
            fresh = page.context.new_page()
            fresh.route(
                "**/static/*", lambda route: route.continue_()
            )  # without the browser's cache
            asked: list[Request] = []
            fresh.on("requestfinished", partial(list.append, asked))
            fresh.goto(urljoin(address, path))
            fresh.wait_for_timeout(400)
            sizes = _sizes(asked)
            assert any(name.endswith("hall.css") for name in sizes), (path, sizes)
            assert all(name.startswith(urljoin(address, "/")) for name in sizes), path
            assert sum(sizes.values()) < PAGE_MAX, (path, sizes)
            seen |= {name.rpartition("/")[2] for name in sizes}
            fresh.close()
    assert set(static_files()) - seen == UNSEEN


LATER_MAX = 22_800
"""Bytes that a page fetches once it has rested: what it needs after its desk was lost."""


def test_what_a_page_fetches_later_is_small(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """Pages that people leave open; a screen fetches nothing more."""
    for place, path in ((0, "pairings"), (0, "screen/1"), (1, "me"), (2, "desk")):
        context, address = pages[place][0].context, pages[place][1]
        fresh = context.new_page()
        fresh.route("**/static/*", lambda route: route.continue_())
        fresh.goto(urljoin(address, path))
        fresh.wait_for_timeout(1_000)
        asked: list[Request] = []
        fresh.on("requestfinished", partial(list.append, asked))
        fresh.wait_for_timeout(4_000)
        sizes = _sizes(asked)
        names = {name.rpartition("/")[2] for name in sizes}
        is_left_open = path in {"pairings", "me", "desk"}
        assert names == ({"moved.js", "succession.js", "warnings.js"} if is_left_open else set())
        assert sum(sizes.values()) < LATER_MAX, (path, sizes)
        fresh.close()


WAITING_FORM = """(log) => sessionStorage.setItem(`tourney-forms-${log}`, JSON.stringify([{
    id: "abcdefgh1", path: "/pairings", method: "get", body: "find=Ann", summary: "Ann", by: "p1",
    at: Date.now(), sentAt: Date.now() }]))"""


def test_a_players_page_is_as_small_while_a_form_of_another_page_waits(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """The page says that the form waits, and does not load what sends it."""
    page, address, _ = next(each for each in pages if each[2] == PLAYER)
    page.route("**/static/*", lambda route: route.continue_())
    page.evaluate(WAITING_FORM, page.evaluate("document.documentElement.dataset.log"))
    asked: list[Request] = []
    page.on("requestfinished", partial(list.append, asked))
    for path in PLAYER:
        page.wait_for_load_state("networkidle")
        asked.clear()
        page.goto(urljoin(address, path))
        page.locator("#outbox li").wait_for()
        assert "Waiting for the desk: Ann." in page.locator("#outbox").inner_text()
        page.wait_for_timeout(400)
        sizes = _sizes(asked)
        assert sum(sizes.values()) < PAGE_MAX, (path, sizes)
        assert not any(name.endswith("forms.js") for name in sizes), path


def _sizes(asked: list[Request]) -> dict[str, int]:
    """Return the bytes of each file of script or style that a page asked for."""
    files = (request for request in asked if request.resource_type in {"script", "stylesheet"})
    answers = ((request.url, request.response()) for request in files)
    return {address: len(answer.body()) for address, answer in answers if answer}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_every_width(
    pages: list[tuple[Page, str, tuple[str, ...]]], scheme: Literal["light", "dark"]
) -> None:
    """No sideways scrolling from 320 to 1920 pixels; 600 at a zoom of 200 % is a phone's width."""
    for page, address, paths in pages:
        page.emulate_media(color_scheme=scheme)
        for path in paths:
            page.goto(urljoin(address, path))
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


TOUCH_MIN = 44
"""Pixels of height of what a thumb presses; a link within a sentence is as high as its line."""

LOW_TARGETS = r"""() => [...document.querySelectorAll(
      "main button, main summary, main select, main textarea, main a[href], .top a[href], "
      + "main input:not([type=hidden], [type=radio], [type=checkbox])"
    )]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("svg"))
    .filter((node) => !node.matches("a")
      || node.innerText.trim() === node.parentElement.innerText.trim())
    .filter((node) => node.getBoundingClientRect().height < TOUCH)
    .map((node) => node.outerHTML)""".replace("TOUCH", str(TOUCH_MIN - 0.5))

CROOKED_COLUMNS = r"""() => [...document.querySelectorAll("main table")].flatMap((table) => {
    const left = (cell) => cell.getBoundingClientRect().left;
    const lefts = (row) => row ? [...row.cells].map(left) : [];
    const heads = lefts(table.tHead?.rows[0]), cells = lefts(table.tBodies[0]?.rows[0]);
    return cells.length && cells.some((place, at) => Math.abs(place - heads[at]) > 1)
      ? [table.outerHTML.slice(0, 200)] : [];
  })"""


def faults_of(
    pages: list[tuple[Page, str, tuple[str, ...]]], look: str, width: int, height: int
) -> dict[str, list[str]]:
    """Return what a script finds wrong with the pages in a window of this size, by path."""
    faults: dict[str, list[str]] = {}
    for page, address, paths in pages:
        page.set_viewport_size({"width": width, "height": height})
        for path in paths:
            page.goto(urljoin(address, path))
            assert path == "nothing" or "Not here" not in page.title(), path
            if wrong := page.evaluate(look):
                faults[path] = wrong
    return faults


def test_what_a_thumb_presses_is_high_enough(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    assert faults_of(pages, LOW_TARGETS, 360, 740) == {}


CUT_PANELS = """() => [...document.querySelectorAll(".side:not([data-key])")]
    .filter((node) => node.scrollHeight > node.clientHeight + 1).map((node) => node.className)"""

BUTTONS_OF_TWO_LINES = """() => [...document.querySelectorAll("main button, main a.button")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => {
      const text = document.createRange();
      text.selectNodeContents(node);
      return text.getBoundingClientRect().height > 40;
    }).map((node) => node.textContent)"""


def test_no_panel_of_acts_is_cut_at_the_height_of_the_window(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """The page scrolls; only what needs an official stays beside the tables of a long round."""
    assert faults_of(pages, CUT_PANELS, 1200, 600) == {}


def test_a_button_has_one_line_at_a_desk(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    officials = [each for each in pages if "desk/settings" in each[2]]
    assert faults_of(officials, BUTTONS_OF_TWO_LINES, 1200, 800) == {}


def test_the_head_of_a_table_stands_over_its_columns(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    assert faults_of(pages, CROOKED_COLUMNS, 1200, 800) == {}


@pytest.mark.parametrize("path", ["pairings", "standings", "desk/log"])
def test_the_head_of_a_long_table_stays_in_view(
    pages: list[tuple[Page, str, tuple[str, ...]]], path: str
) -> None:
    page, address = next((page, address) for page, address, paths in pages if path in paths)
    page.set_viewport_size({"width": 1200, "height": 240})
    page.goto(f"{address}{path}")
    top = "document.querySelector('tbody tr:nth-child(4)').getBoundingClientRect().top"
    page.evaluate(f"scrollBy(0, {top})")
    head = page.locator("thead th").first.bounding_box()
    assert head is not None
    assert 0 <= head["y"] < 2


def test_a_name_in_the_standings_of_a_phone_has_the_room_of_a_long_word(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """A name of 12 letters, large and bold, is about 150 pixels wide."""
    page, address, _ = pages[0]
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto(f"{address}standings")
    for box in (row.bounding_box() for row in page.locator("tbody th").all()):
        assert box is not None
        assert box["width"] > 160


def test_tabs_and_steps_leave_a_phone_to_the_tables(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """The pages are one line, the tabs two, and of the steps those around the current one."""
    page, address = next((page, address) for page, address, paths in pages if "desk" in paths)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}desk")
    for place, lines in ((".top nav", 1), (".tabs", 2), (".stepper", 1)):
        box = page.locator(place).first.bounding_box()
        assert box is not None
        assert box["height"] < (lines + 0.5) * TOUCH_MIN, place


@pytest.mark.parametrize("width", [320, 360])
def test_the_owners_way_to_all_tournaments_is_beside_the_name(
    pages: list[tuple[Page, str, tuple[str, ...]]], width: int
) -> None:
    """Not alone in a second line of pages; also beside a name of two lines."""
    page, address, _ = next(each for each in pages if each[2] == OWNER)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{address}desk")
    for name in ("Night", "A name that is so long that it has two lines or more"):
        page.evaluate("name => document.querySelector('.top h1').textContent = name", name)
        link, heading, nav = (
            page.locator(each).bounding_box() for each in (".top .now", ".top h1", ".top nav")
        )
        assert link is not None
        assert heading is not None
        assert nav is not None
        assert nav["height"] < 1.5 * TOUCH_MIN
        assert heading["y"] - TOUCH_MIN < link["y"] < heading["y"] + heading["height"]
        assert link["x"] + link["width"] <= width


def test_a_phone_leads_from_a_dispute_to_the_form_of_its_ruling(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """Where the form is below the history; beside it on a wide window no link is needed."""
    page, address = next((page, address) for page, address, paths in pages if "desk" in paths)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}judge/match/2/1")
    link = page.get_by_role("link", name="Go to the ruling")
    link.click()
    form = page.locator("#rule").bounding_box()
    assert form is not None
    assert -1 < form["y"] < 740
    page.set_viewport_size({"width": 1200, "height": 800})
    assert not link.is_visible()


def test_a_printed_sheet_has_a_main_part_and_a_heading(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    page, address = next((page, address) for page, address, paths in pages if "desk" in paths)
    for sheet in SHEETS:
        page.goto(f"{address}desk/print/{sheet}")
        assert page.locator("main").count() == 1, sheet
        assert page.locator("main h1").count() >= 1, sheet
    badges = links_page("Kotei", [])
    assert re.search("<main><h1[^>]*>.*Kotei.*</h1>.*</main>", badges, re.DOTALL)
    page.emulate_media(media="print")
    page.goto(f"{address}desk/print/standings")
    heights = page.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => row.getBoundingClientRect().height)"
    )
    page.goto(f"{address}desk/print/bracket")
    drawn = page.locator("svg.bracket").first.bounding_box()
    section = page.locator("section").first.bounding_box()
    assert drawn is not None
    assert section is not None
    assert min(heights) < 28, "a sheet has 34 rows of large letters"
    assert drawn["width"] > 0.95 * section["width"]


def test_a_clock_that_is_past_its_time_by_hours_fits_a_phone(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    page, address, _ = pages[0]
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto(f"{address}clock")
    page.locator(".digits").evaluate("(digits) => { digits.textContent = '-186:40'; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_number_of_an_event_is_one_line(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """Also of a log with thousands of them."""
    page, address = next((page, address) for page, address, paths in pages if "desk" in paths)
    for width in (768, 1200):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{address}desk/log")
        link = page.locator("tbody .number a").first
        link.evaluate("(link) => { link.textContent = '10594'; }")
        lines = "(link) => { const text = document.createRange(); text.selectNodeContents(link);"
        assert link.evaluate(f"{lines} return text.getClientRects().length; }}") == 1, width


def test_a_table_that_answers_a_line_has_a_line_for_each_row(
    pages: list[tuple[Page, str, tuple[str, ...]]],
) -> None:
    """From the width of a tablet on, whatever the line asks."""
    page, address = next((page, address) for page, address, paths in pages if "desk" in paths)
    page.set_viewport_size({"width": 768, "height": 800})
    page.goto(f"{address}desk")
    page.keyboard.press("Control+k")
    page.keyboard.type("standings")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    table = page.locator(".said pre")
    rows = table.inner_text().rstrip("\n").count("\n") + 1
    line = float(table.evaluate("(pre) => parseFloat(getComputedStyle(pre).lineHeight)"))
    box = table.bounding_box()
    assert box is not None
    assert rows > 4
    assert box["height"] < (rows + 1) * line


def test_a_log_that_is_looked_at_stays_at_the_moment_that_the_slider_is_moved_to(
    pages: list[tuple[Page, str, tuple[str, ...]]], day: Desk, tmp_path: Path
) -> None:
    """The check comes first; a name that is read from the right moves no number of its row."""
    page = next(page for page, _, paths in pages if paths == OWNER)
    address = next(address for _, address, paths in pages if paths == OWNER)
    sent = tmp_path / "day.jsonl"
    sent.write_text(day.done("export").out, encoding="utf-8")
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(urljoin(address, "/events/look"))
    page.set_input_files("input[type=file]", sent)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_url(re.compile("file="), timeout=60_000)  # four processes check it
    heads = page.locator("main h2").all_inner_texts()
    assert heads[0] == "The check of the whole log"
    assert page.locator("pre.terminal bdi").count() >= 3
    slider = page.locator("#moment input[type=range]")
    slider.focus()
    with page.expect_navigation():
        slider.press("ArrowLeft")
    form = page.locator("#moment").bounding_box()
    assert form is not None
    assert -1 < form["y"] < 800
    assert page.locator("#moment-at").inner_text() == slider.input_value()
