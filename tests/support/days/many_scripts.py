"""A played day of names in several scripts, and every page of the hall that shows it.

The pages are listed from the application's routes: a page that is new is tested without a change of
the tests, and a path with a new word in it fails until a sample of the word is given here.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import product
from typing import TYPE_CHECKING

from cli.serve.app import app_of
from cli.serve.pages.showing import Screens
from cli.serve.parts import PARTS
from cli.verbs.day.report import line_reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.serve.hall import Hall
    from tests.support.cli_desk import Desk

ARABIC, HEBREW, PERSIAN, LATIN = "محمد عبدالله", "שרה 10-2 לוי", "رضا پهلوانی 7", "Zebedeus Qvist"
LONG = "Maximiliana-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst"
OFFICIAL = "عمر Kim"
SHOWN = ("--public-names", "full")
NAMES = (ARABIC, HEBREW, PERSIAN, LATIN, "דוד כהן", "أحمد (3) خالد", "Øyvind Å", LONG)
MARKS = ("محمد", "שרה", "رضا", "Zebedeus", "כהן", "أحمد", "Øyvind", "Maximiliana", "عمر")
"""One word of each name that occurs in no other text."""

SAMPLES = {
    "round": ("1", "2"),
    "table": ("1", "2"),
    "number": ("1", "2", "3", "4"),
    "column": ("points", "SOS", "record"),
    "label": ("FFG-DROP",),
    "name": tuple(PARTS),
    "of": ("p1",),
    "sheet": ("pairings", "names", "slips", "standings", "bracket"),
    "player": ("p1",),
}
"""Words of the paths of pages."""

OTHERS = re.compile(
    r"/api/|/static/|.*/stream$|.*\.tlog-proof$|/judge/(match|player)$|/screen$|/desk/print/style/"
)
"""Paths that give no page: values, files, streams of news, and those that lead to another path."""

ON_SCREENS = ("pairings", "standings", "bracket", "clock")


def play(desk: Desk) -> Desk:
    """Play a round of Swiss and half of the cut: calls, a dispute, a ruling, a paused clock."""
    desk.done("new", "كأس 10-1", "--ruleset", "l5r", "--organizer", OFFICIAL, *SHOWN)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("register", "--file", "-", stdin="name\n" + "".join(f"{name}\n" for name in NAMES))
    desk.done("start", "custom", "--rounds", "1", "--cut", "4")
    desk.done("pair")
    desk.done("post", "pairings")
    desk.done("round", "start")
    desk.report_all()
    first, second = desk.seats(1)
    desk.done("dispute", "1", f"#{second}", "--for", str(second), "--reason", "רעש 3-2")
    desk.done("rule", "1", "the slip counts", "--as", "pat", "--stands")
    desk.done("round", "close")
    desk.done("cut")
    desk.done("pair")
    desk.done("round", "start")
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    desk.done("dispute", "1", f"#{second}", "--for", str(second), "--reason", "רעש")
    desk.done("call", "2", "محمد is late")
    desk.done("round", "extend", "2", "5", "--reason", "late judge")
    desk.done("note", "a note that goes on and on, " * 8 + "W" * 90)
    desk.done("penalty", str(second), "warning", "--for-what", "slow play")
    desk.done("round", "pause", "--reason", "fire")
    return desk


def show_on_screens(desk: Desk) -> None:
    """Let each of the first screens show other content, before a hall reads what they show."""
    event: str = desk.done("tournaments", "--json").json[0]["tournament"]
    screens = Screens(lambda: event)
    for number, content in enumerate(ON_SCREENS, 1):
        screens.assign(number, content, "")


def paths_of(hall: Hall) -> list[str]:
    """Return the path of every page that a browser can ask for, with samples of its words."""
    app = app_of(hall, reader=line_reader())
    routes = app._app.routes  # type: ignore[attr-defined] # the one list of them
    asked = [route.path for route in routes if "GET" in route.methods]
    return [path for each in asked if not OTHERS.match(each) for path in _filled(each)]


def _filled(path: str) -> Iterator[str]:
    words = re.findall(r"{(\w+)(?::\w+)?}", path)
    for chosen in product(*(SAMPLES[word] for word in words)):
        filled = path
        for word in chosen:
            filled = re.sub(r"{\w+(?::\w+)?}", word, filled, count=1)
        yield filled


_WITH_CHARACTERS = {"title", "option", "text"}


class _Texts(HTMLParser):
    """Collects texts that have a word of a name outside of a `bdi` and of isolate characters."""

    def __init__(self, marks: Iterable[str]) -> None:
        super().__init__()
        self.marks, self.open, self.loose, self.found = tuple(marks), list[str](), list[str](), 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"base", "meta", "link", "input", "br", "img", "hr"}:
            self.open.append(tag)
        for name, value in attrs:
            if name in {"aria-label", "title", "alt"}:
                self._read(value or "", in_characters=True)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if "bdi" not in self.open and self.open[-1:] not in (["style"], ["script"]):
            own = self.open[-1] if self.open else ""
            whole_option = own == "option" and data in NAMES
            self._read("" if whole_option else data, in_characters=own in _WITH_CHARACTERS)
        else:
            self.found += any(mark in data for mark in self.marks)

    def _read(self, text: str, *, in_characters: bool) -> None:
        if "\\u{" in text or "\ufdd0" in text or "\ufdd1" in text:
            self.loose.append(text)
        if in_characters:
            self.found += "\u2068" in text
            text = re.sub("\u2068[^\u2069]*\u2069", "", text)
        self.loose += [text for mark in self.marks if mark in text]


def loose_names(html: str) -> tuple[list[str], int]:
    """Return texts of a page with a name that is not isolated, and how many names are isolated."""
    texts = _Texts(MARKS)
    texts.feed(html)
    texts.close()
    return texts.loose, texts.found


BROKEN_WORDS = r"""() => {
  const broken = [];
  const room = document.documentElement.clientWidth;
  const unseen = "svg, select, datalist, textarea, details:not([open]) > :not(summary)";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const boxesOf = (node, at, length) => {
    range.setStart(node, at);
    range.setEnd(node, at + length);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const widthOf = (boxes) => boxes.reduce((sum, { width }) => sum + width, 0);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const head = node.parentElement.closest("thead");
    const isClipped = head && getComputedStyle(head).position === "absolute";
    if (isClipped || node.parentElement.closest(unseen)) continue;
    for (const word of node.data.matchAll(/\S+/g)) {
      if (widthOf(boxesOf(node, word.index, word[0].length)) > room - 40) continue;
      if (word[0].length > 24 || /.{12}…$/.test(word[0])) continue;
      for (const part of word[0].matchAll(/[^\/-]+[\/-]*/g)) {
        const boxes = boxesOf(node, word.index + part.index, part[0].length);
        const lines = new Set(boxes.map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(`${part[0]} in: ${node.data}`);
      }
    }
  }
  const wide = document.documentElement.scrollWidth;
  return { broken, wide: wide === room ? 0 : wide };
}"""
"""Words that a page breaks although the screen has room for them, and the width that it scrolls to.

A word may be broken after a hyphen or a slash, and where it is wider than the screen, longer than
24 letters, or a long one that was cut short already.
"""
