"""The season's pages in a real browser, opened as files; skipped where there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.chance.random_seasons import day
from tests.support.sample_season import SCHEME
from tests.support.season import take_in, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

PAGES = (
    *("index", "events", "data", "standings-1", "metagame", "matchups", "ratings-1", "forecasts"),
    *("persons", "records"),
)
SEVERAL = ("person", "month", "metagame", "matchups", "forecasts", "ratings")
"""Kinds of which there may be several pages."""


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways_and_axe_finds_nothing(
    chromium: Browser, desk: Desk, scheme: Literal["light", "dark"], width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    logs = [write_log(desk.folder / f"{number}.jsonl", day(number)) for number in range(4)]
    take_in(desk.folder / "season.duckdb", *logs)
    (desk.folder / "points.toml").write_text(SCHEME)
    desk.done("season", "people", "name", "W" * 90, f"{8:032x}")
    (desk.folder / "agreed.txt").write_text(f"{8:032x}\n")
    desk.done("season", "site", "public", "--scheme", "points.toml", "--agreed", "agreed.txt")
    folder, refused = desk.folder / "public", list[str]()
    page = chromium.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.on("console", lambda said: refused.append(said.text))
    event = next(folder.glob("event-*.html")).stem
    others = [path.stem for kind in SEVERAL for path in folder.glob(f"{kind}-*.html")]
    for name in (*PAGES, event, *others):
        page.goto((folder / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        broken = "[...document.images].filter((each) => !each.naturalWidth).length"
        assert page.evaluate(broken) == 0, name
        found = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name
    page.goto((folder / "persons.html").as_uri())
    page.get_by_role("searchbox").fill("wwww")
    rows = [row for row in page.locator("tbody tr").all() if row.is_visible()]
    assert len(rows) <= 1
    assert axe.run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_found_from_anywhere(page, folder, event)
    page.close()
    assert refused == []


def assert_found_from_anywhere(page: Page, folder: Path, event: str) -> None:
    """An event is found on the page of match-ups, and a person without a page in the list."""
    title = re.findall("<h2>(?:<bdi>)?([^<]*)", (folder / f"{event}.html").read_text("utf-8"))[0]
    page.goto((folder / "matchups.html").as_uri())
    page.get_by_role("searchbox").fill(title.lower())
    page.locator("#hits").get_by_role("link", name=title, exact=True).click()
    assert page.locator("main h2").inner_text() == title
    label = re.findall('<tr id="([0-9a-f]+)"', (folder / "persons.html").read_text("utf-8"))[-1]
    page.get_by_role("searchbox").fill(label)
    page.locator("#hits").get_by_role("link", name=label).click()
    assert re.search(rf"persons(-\d+)?\.html#{label}$", page.url)
    assert page.locator("tr:target").inner_text().startswith(label)
