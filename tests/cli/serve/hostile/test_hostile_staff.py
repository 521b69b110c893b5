"""Hostile names, texts and lines on the pages of officials and on screens: shown, never obeyed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.cli_desk import without_isolates
from tests.support.hall import HERE, hall_open, official
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
TYPED = re.compile(r'value="[^"]*"')
"""What somebody typed is in its field again as it was: another text would be sent from there."""

HERE_OF_EVENT = f"{HERE}/e/1a2b3c4d/"
OURS = {
    *(
        "html",
        "head",
        "base",
        "meta",
        "title",
        "link",
        "script",
        "body",
        "code",
        "header",
        "h1",
        "h2",
        "h3",
    ),
    *("nav", "a", "aside", "kbd", "code"),
    *("main", "p", "div", "section", "form", "label", "span", "input", "button", "select"),
    *("option", "textarea", "fieldset", "legend", "details", "summary", "table", "thead", "tbody"),
    *("tr", "th", "td", "ul", "ol", "li", "dl", "dt", "dd", "small", "strong", "pre", "datalist"),
    *("footer", "noscript", "figure", "figcaption", "svg", "line", "circle", "path", "text", "bdi"),
}


class Tags(HTMLParser):
    """What a browser would see on a page beside its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.wrong: list[tuple[str, str | None]] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, and what of its attributes could run."""
        self.tags.add(tag)
        self.scripts += tag == "script"
        for name, value in attrs:
            if name.startswith("on") or name in {"style", "srcdoc"}:
                self.wrong.append((name, value))
            place = urljoin(HERE_OF_EVENT, str(value))  # also of //elsewhere and javascript:
            is_here = place.startswith(f"{HERE}/") and "\\" not in str(value)
            if name in {"href", "action", "src"} and not is_here:
                self.wrong.append((name, value))


def is_harmless(page: str) -> None:
    found = Tags()
    found.feed(page)
    assert found.tags <= OURS, found.tags - OURS
    assert found.wrong == []
    assert found.scripts <= 4
    assert not STEERING.search(TYPED.sub("", without_isolates(page)))


@pytest.mark.slow
def test_no_hostile_text_does_anything_on_officials_pages(desk: Desk) -> None:
    names = [each for each in texts_to_try() if each.strip()]
    sheet = "name\n" + "".join(f'"{each.replace(chr(34), chr(34) * 2)}"\n' for each in names)
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim", "--public-names", "full")
    desk.type("register", "--file", "-", stdin=sheet)
    for name in names[::5]:
        desk.type("register", "--", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}", "--for", str(first))
    reason = names[-1][:900]
    desk.done("dispute", "1", f"#{second}", "--for", str(second), f"--reason={reason}")
    for name in names[::7]:
        desk.type("call", "2", name[:900])
        desk.type("requests", "add", "--", name)
    with hall_open(official(1)) as browser:
        for path in ("/desk", "/judge", "/judge/match/1/1", "/judge/match/1/2"):
            is_harmless(browser.get(path).text)
        for sheet_number in range(12):
            is_harmless(browser.get(f"/screen/1?sheet={sheet_number}").text)
        for name in names[::6]:
            carried = {"id": "abcdefgh", "at": "/desk", "seen": "1", "line": name}
            is_harmless(browser.post("/line", data=carried, headers={"origin": HERE}).text)
            answer = browser.post("/line/reading", data=carried, headers={"origin": HERE})
            assert answer.headers["content-type"].startswith("text/plain")
        for name in names[::12]:
            shown = {"screen": "2", "content": "text", "text": name}
            is_harmless(browser.post("/screens", data=shown, headers={"origin": HERE}).text)
            is_harmless(browser.get("/screen/2").text)
            assert browser.get("/desk", params={"line": name[:90]}).status_code in {200, 414}
