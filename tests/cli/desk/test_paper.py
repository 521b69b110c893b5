"""Pages for a browser's print dialog, and the same as text files."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    """Five players, one of whom is called what a page would take for a script."""
    desk.open(5, "custom", "--rounds", "3")
    desk.done("rename", "1", "<script>alert(1)</script> & Sons")
    desk.done("pair", "--table", "1", "2", "--reason", "so that neither has the bye")
    desk.done("round", "start")
    return desk


LINES = (
    ("pairings", "--print"),
    ("pairings", "--slips"),
    ("standings", "--print"),
    ("round", "--print"),
)


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_page_is_written_for_a_browser_and_as_text(day: Desk, line: tuple[str, ...]) -> None:
    answer = day.done(*line, "-o", "page.html")
    assert "page.html: open this file" in answer.err
    page = (day.folder / "page.html").read_text("utf-8")
    assert "<script" not in page
    assert "default-src" in page
    text = page.replace("<!doctype html>", "").replace("&nbsp;", " ")
    for void in ("meta",):
        text = _closed(text, void)
    tree = ET.fromstring(text)  # noqa: S314 - our own
    shown = "".join(tree.itertext())
    assert "Library Night" in shown
    if line[0] != "round":
        assert "alert(1)" in shown
    day.done(*line, "-o", "page.txt")
    assert "Library Night" in (day.folder / "page.txt").read_text("utf-8")


def _closed(text: str, name: str) -> str:
    """Close elements that HTML leaves open."""
    parts = text.split(f"<{name} ")
    return parts[0] + "".join(f"<{name} " + part.replace(">", "/>", 1) for part in parts[1:])


def test_pairings_stand_by_table_and_by_name(day: Desk) -> None:
    day.done("pairings", "--print", "-o", "wall.html")
    page = (day.folder / "wall.html").read_text("utf-8")
    assert page.count("<section") == 2
    assert page.count("<thead") == 2
    assert page.count("Player 02") == 3  # by table; by name as a player and as an opponent
    assert "ends " in day.done("round", "--print").out


def test_a_file_is_for_what_is_printed(day: Desk) -> None:
    assert "-o is only for --print" in day.refused("pairings", "-o", "x.html").err
    assert "-o writes one file" in day.refused("pairings", "--print", "--slips", "-o", "x.html").err
    assert "-o is only for --print" in day.refused("standings", "-o", "x.html").err
    assert "-o is only for --print" in day.refused("round", "-o", "x.html").err
    assert not (day.folder / "x.html").exists()
    (day.folder / "there").mkdir()
    assert day.type("pairings", "--print", "-o", "there").code


def test_slips_are_cut_as_one_stack(desk: Desk) -> None:
    """Ten tables on three sheets: the piles, laid on one another, are in the tables' order."""
    desk.open(20, "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("pairings", "--slips", "-o", "slips.html")
    page = (desk.folder / "slips.html").read_text("utf-8")
    sheets = [re.findall(r"Table (\d+)<", each) for each in page.split('class="sheet"')[1:]]
    assert [len(each) for each in sheets] == [4, 3, 3]
    piles = [each[place] for place in range(4) for each in sheets if place < len(each)]
    assert piles == [str(table) for table in range(1, 11)]
    assert page.count("drops out") == 20
    assert page.count('class="box"') > 20
