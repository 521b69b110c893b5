"""Pages for the print dialog in a real browser: nothing hangs over, no word is cut in two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

WIDTHS = (390, 1200)
NAMES = ("Inés Fernández-Castellanos", "Xenia O'Brien", "Katarzyna Papadopoulou-Anastasiadis")
WRITTEN = {
    "wall": ("pairings", "--print"),
    "table": ("standings", "--print"),
    "clock": ("round", "--print"),
    "case": ("evidence", "1/1"),
}


@pytest.fixture
def written(desk: Desk) -> Path:
    """A day with long names and a dispute that went up to the marshal; its pages."""
    desk.done("new", "Kotei", "--ruleset", "l5r", "--organizer", "Olga Brandt")
    for who, role in (("Pat Jones", "judge"), ("Mara Low", "marshal")):
        desk.done("official", "add", who, "--role", role)
    for name in (*NAMES, *(f"Player {number}" for number in range(4, 11))):
        desk.done("register", name, "--faction", "Scorpion")
    desk.done("start", "custom", "--rounds", "3", "--cut", "4")
    desk.done("pair", "--table", "1", "2", "--reason", "a test")
    desk.done("post", "pairings")
    desk.done("round", "start")
    desk.report_all()
    desk.done("dispute", "1", "2", "--for", "2", "--reason", "both have signed the second slip")
    desk.done("rule", "1", "the slip as it stands counts", "--as", "pat", "--stands")
    desk.done("appeal", "1", "--for", "2", "--reason", "two slips were handed in")
    desk.done("review", "1", "the later slip counts", "--result", "#2", "--as", "mara")
    desk.done("correct", "--ruling", "1")
    for name, words in WRITTEN.items():
        desk.done(*words, "-o", f"{name}.html")
    return desk.folder


def opened(chromium: Browser, folder: Path, name: str, width: int) -> Page:
    page: Page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto((folder / f"{name}.html").as_uri())
    return page


def test_printed_pages(chromium: Browser, written: Path) -> None:
    """At a phone's width and a desk's nothing is scrolled sideways; a case is one sheet of A4."""
    for name in WRITTEN:
        for width in WIDTHS:
            page = opened(chromium, written, name, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            page.close()
    page = opened(chromium, written, "case", 1200)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.close()


def test_no_word_of_the_standings_is_cut(chromium: Browser, written: Path) -> None:
    """A faction and a record stand on one line each."""
    page = opened(chromium, written, "table", 1200)
    page.emulate_media(media="print")
    for cell in ("faction", "W-L-D"):
        for each in page.locator(f'td[data-label="{cell}"]').all():
            lines = each.evaluate(
                "cell => { const all = document.createRange(); all.selectNodeContents(cell);"
                " return new Set([...all.getClientRects()].map(each => each.top)).size }"
            )
            assert lines == 1
    page.close()


@pytest.mark.parametrize("verb", ["standings", "bracket", "pairings", "round"])
def test_what_is_printed_goes_to_a_file(desk: Desk, verb: str) -> None:
    """As a page for a browser, or as text; -o alone is refused."""
    desk.open(4, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    if verb == "round":
        desk.done("round", "start")
    desk.report_all()
    if verb != "round":
        desk.done("cut")
        desk.done("pair")
        desk.report_all()
    assert "-o is only for --print" in desk.refused(verb, "-o", "x.html").err
    for name in ("page.html", "page.txt"):
        assert "open this file" in desk.done(verb, "--print", "-o", name).err
    page, text = ((desk.folder / name).read_text("utf-8") for name in ("page.html", "page.txt"))
    assert page.startswith("<!doctype html>")
    assert "Library Night" in page
    assert "Library Night" in text
    if verb == "bracket":
        assert page.count("<table>") == 2
        assert "1. <bdi>Player" in page
