"""Names in any script: each is isolated on every page, and no score next to one is reordered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.render.elements import with_isolates
from cli.serve.pages import frame
from cli.serve.visitors import NOBODY
from cli.terminal.visible import NAME_BEGINS, NAME_ENDS, isolated, marking_names, visible
from tests.support.cli_desk import typed_once
from tests.support.days.many_scripts import (
    BROKEN_WORDS,
    HEBREW,
    loose_names,
    paths_of,
    play,
    show_on_screens,
)
from tests.support.hall import HERE, hall_open, official, player, served
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

day = typed_once(play)
ROLES = {"official": official(1), "player": player(2), "nobody": NOBODY}
LINES = (
    "list",
    "explain pairing 2/1",
    "standings",
    "whatif 2/2 #1",
    "drop #1 --unable",
    "rule 2/1 x --stands",
    "penalty #2 warning --for-what slow",
    "report 2/2 #99",
)
"""Lines typed at the desk: answers, forecasts and refusals that name players."""


@pytest.mark.parametrize("role", ROLES)
def test_every_page_isolates_every_name(day: Desk, role: str) -> None:
    count = 0
    show_on_screens(day)
    with hall_open(ROLES[role]) as browser:
        for path in paths_of(browser.hall):
            answer = browser.get(path)
            if answer.headers["content-type"].startswith("text/html"):
                loose, isolates = loose_names(answer.text)
                assert loose == [], path
                count += isolates
    assert count > (200 if role == "official" else 100)


def test_what_a_line_answers_isolates_every_name(day: Desk) -> None:
    del day
    with hall_open(official(1)) as browser:
        for line in LINES:
            loose, _ = loose_names(browser.line(line).text)
            assert loose == [], line
        reading = browser.post(
            "/line/reading", data={"line": "drop #2", "seen": "1"}, headers={"origin": HERE}
        )
    assert "\u2068" in reading.text
    assert NAME_BEGINS not in reading.text


@pytest.mark.parametrize(
    "line", [f'note "{HEBREW} played 10-2"', "penalty #1 warning --for-what slow"]
)
def test_an_act_of_a_line_has_no_mark_of_a_page(day: Desk, line: str) -> None:
    before = day.log()
    with hall_open(official(1)) as browser:
        browser.confirm(browser.line(line))
    assert len(day.log()) > len(before)
    assert not re.search(f"[{NAME_BEGINS}{NAME_ENDS}\u2068\u2069]|ufdd[01]|u206[89]", day.log())
    assert HEBREW in day.done("log").out


FILES = {
    "pairings": ("pairings", "--print", "-o"),
    "slips": ("pairings", "--slips", "-o"),
    "standings": ("standings", "--print", "-o"),
    "bracket": ("bracket", "--print", "-o"),
    "clock": ("round", "--print", "-o"),
    "evidence": ("evidence", "2/1", "-o"),
    "audit": ("audit", "--html"),
    "links": ("links", "print", "--address", "http://10.0.0.1:8600/", "-o"),
    "receipt": ("receipt", "1/1", "--slips"),
    "timeline": ("match", "2/1", "--html"),
}


def test_every_page_in_a_file_isolates_every_name(day: Desk) -> None:
    for name, words in FILES.items():
        day.done(
            *words, *(() if words[-1] in {"-o", "--html", "--slips"} else ("-o",)), f"{name}.html"
        )
    day.done("publish", "public")
    files = [*day.folder.glob("*.html"), *day.folder.glob("public/*.html")]
    assert len(files) > len(FILES) + 5
    for file in files:
        loose, _ = loose_names(file.read_text("utf-8"))
        assert loose == [], file.name


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("<p>{a}</p>", "<p><bdi>a</bdi></p>"),
        ("<p>{a</p><p>b</p>", "<p><bdi>a</bdi></p><p>b</p>"),
        ("<p>{a<b>1</b>c} 2</p>", "<p><bdi>a<b>1</b>c</bdi> 2</p>"),
        ("<pre>{a\n{b}</pre>", "<pre><bdi>a</bdi>\n<bdi>b</bdi></pre>"),
        ("<p>a}</p>", "<p>a</p>"),
        ("<title>{a} b</title><p>{a}</p>", "<title>\u2068a\u2069 b</title><p><bdi>a</bdi></p>"),
        ('<a title="{a}" href="{a}">b</a>', '<a title="\u2068a\u2069" href="a">b</a>'),
    ],
)
def test_marks_become_elements_that_are_closed(marked: str, shown: str) -> None:
    made = marked.replace("{", NAME_BEGINS).replace("}", NAME_ENDS)
    assert with_isolates(made) == shown


def test_a_page_of_a_part_is_not_searched_for_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each phone of a hall asks for such a page, and its part has its elements already."""
    has_marks: list[bool] = []

    def noted(html: str) -> str:
        has_marks.append(NAME_BEGINS in html)
        return with_isolates(html)

    heading, part = frame.EventHeading(f"{HEBREW} Cup"), b"<p><bdi>Ann</bdi> 2-0</p>"
    first = frame.page(heading, frame.PartShown("pairings", part), 1)
    monkeypatch.setattr(frame, "with_isolates", noted)
    assert frame.page(heading, frame.PartShown("pairings", part), 1) == first
    assert has_marks == [False]
    assert f"<h1><bdi>{HEBREW} Cup</bdi></h1>" in first


def test_a_name_cannot_have_the_marks_itself() -> None:
    assert isolated("Ann") == "Ann"
    forged = f"A{NAME_ENDS}b{NAME_BEGINS}"
    assert visible(forged) == "A\\u{fdd1}b\\u{fdd0}"
    with marking_names():
        name = isolated(visible(forged))
    assert with_isolates(f"<p>{name}</p>") == "<p><bdi>A\\u{fdd1}b\\u{fdd0}</bdi></p>"


OUT_OF_ORDER = r"""() => {
  const blocks = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const unseen = node.parentElement.closest("svg, select, datalist, details:not([open])");
    if (!node.data.trim() || unseen) continue;
    let block = node.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    if (!blocks.has(block)) blocks.set(block, []);
    const parts = blocks.get(block);
    const name = node.parentElement.closest("bdi");
    const add = (range, what) => {
      for (const box of range.getClientRects()) {
        if (box.width > 0 && box.height > 0) parts.push({ box, what, name: Boolean(name) });
      }
    };
    const range = document.createRange();
    if (name) {
      if (name.firstChild !== node) continue;
      range.selectNodeContents(name);
      add(range, name.textContent);
    } else {
      for (let at = 0; at < node.length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        if (node.data[at].trim()) add(range, node.data[at]);
      }
    }
  }
  const wrong = [];
  let scores = 0;
  for (const [block, parts] of blocks) {
    const isNamed = parts.some(({ name }) => name);
    scores += isNamed && parts.some(({ what, name }) => !name && /\d/.test(what));
    for (let at = 1; at < parts.length; at++) {
      const [before, after] = [parts[at - 1].box, parts[at].box];
      const shared = Math.min(before.bottom, after.bottom) - Math.max(before.top, after.top);
      const isOneLine = shared > Math.min(before.height, after.height) / 2;
      if (isOneLine && after.left < before.left - 0.5 && !(parts[at].name && parts[at - 1].name)) {
        wrong.push(block.textContent);
        break;
      }
    }
  }
  return { wrong, scores };
}"""


def signed_in(chromium: Browser, link: str) -> Page:
    """Open a link in a browser of its own."""
    page: Page = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(link)
    page.wait_for_url(re.compile(".*/(me|desk)$"))
    return page


def opened_pages(
    chromium: Browser, day: Desk, size: tuple[int, int], paths: list[str], folder: Path | None
) -> Iterator[tuple[Page, str]]:
    """Open each path of the hall, and each page in a folder, as a player and as an official."""
    port = free_port()
    here = ("--address", f"http://127.0.0.1:{port}/")
    seated = str(day.seats(1)[0])
    links = day.done("links", "print", seated, "o1", "--json", *here).json["links"]
    with served(day, port) as address:
        for link in links:
            page = signed_in(chromium, link["address"])
            page.set_viewport_size({"width": size[0], "height": size[1]})
            files = [file.as_uri() for file in folder.rglob("*.html")] if folder else []
            for place in (*(address.rstrip("/") + path for path in paths), *files):
                page.goto(place)
                yield page, place
            page.context.close()


@pytest.mark.parametrize("width", [320, 360, 390, 600, 660, 768])
def test_no_word_is_broken_and_no_page_scrolls_sideways(
    chromium: Browser, day: Desk, width: int
) -> None:
    """Every page that everybody, a player or an official has, and every page in a file."""
    day.done("rename", str(day.seats(1)[0]), "W" * 90)
    show_on_screens(day)
    for name, words in FILES.items():
        day.done(*words, f"{name}.html")
    day.done("publish", "public")
    with hall_open(official(1)) as browser:
        paths = [path for path in paths_of(browser.hall) if "/part" not in path]
    faults: list[tuple[str, object]] = []
    for page, place in opened_pages(chromium, day, (width, 800), paths, day.folder):
        measured = page.evaluate(BROKEN_WORDS)
        if measured["broken"] or measured["wide"]:
            faults.append((place, measured))
    assert faults == [], "\n".join(map(str, faults))


@pytest.mark.parametrize("size", [(360, 800), (1200, 800), (1920, 1080)])
def test_name_score_name_go_from_left_to_right(
    chromium: Browser, day: Desk, size: tuple[int, int]
) -> None:
    """Measured by the boxes of every letter that is in no name, and of every name, on each page."""
    show_on_screens(day)
    with hall_open(official(1)) as browser:
        paths = [path for path in paths_of(browser.hall) if not path.endswith("/part")]
    scores = 0
    for page, place in opened_pages(chromium, day, size, paths, None):
        measured = page.evaluate(OUT_OF_ORDER)
        assert measured["wrong"] == [], place
        scores += measured["scores"]
    assert scores > 60


SAME, FIRST = "Zoe Quinn", 11
"""A name that the players 11 and 12 have; no table and no seed has such a number."""

NUMBERED = re.compile(
    rf"\b1[12](?: is)?\W+{SAME}|{SAME}\W{{0,3}}#1[12]\b|{SAME}\W{{0,3}}\((?:#|name ends)?1[12]\)"
)
VIEWS = (
    "list",
    "lists",
    "check-in",
    "call",
    "component",
    "conduct",
    "penalty",
    "note",
    "requests",
    "prize",
    "pairings",
    "pairings --print",
    "pairings --slips",
    "scenario",
    "draft",
    "firstfive",
    "round",
    "confirm",
    "disputes",
    "rule",
    "match 1/1",
    "standings",
    "standings --print",
    "standings --final",
    "explain #11 sos",
    "explain pairing 2/1",
    "compare 1 2",
    "whatif 1/1 none",
    "whatif --sweep 2/1",
    "audit",
    "log",
    "bracket",
    "bracket --print",
    "postings",
)


def play_namesakes(desk: Desk) -> Desk:
    """Play a day with two players of one name who both reach the cut."""
    desk.done("new", "Cup", "--ruleset", "l5r", "--organizer", "Kim", "--public-names", "full")
    for number in range(1, FIRST):
        desk.done("register", f"Player {number:02}")
    desk.done("register", SAME)
    desk.done("register", SAME, "--namesake")
    desk.done("check-in", "open")
    desk.done("start", "custom", "--rounds", "2", "--cut", "4")
    for _ in range(2):
        desk.done("pair", "--yes")
        desk.done("round", "start")
        desk.done("call", "#11", "a question", "--as", "p11")
        desk.done("penalty", "#12", "warning", "--for-what", "slow")
        for game in desk.done("pairings", "--json").json:
            wins = max(game["players"], key=lambda player: (player >= FIRST, player))
            desk.done("report", str(game["table"]), f"#{wins}")
        desk.done("round", "close")
    desk.done("cut")
    desk.done("pair")
    return desk


namesakes = typed_once(play_namesakes)


def unnumbered(text: str) -> list[str]:
    """Return the lines and cells that name one of two namesakes without the number."""
    return [line for line in text.splitlines() if SAME in NUMBERED.sub("", line)]


def test_each_view_numbers_namesakes(namesakes: Desk) -> None:
    """They cannot be told apart otherwise; who has a name alone needs no number."""
    count = 0
    for line in VIEWS:
        answer = namesakes.type(*line.split())
        text = answer.out + answer.err
        assert unnumbered(text) == [], line
        count += text.count(SAME)
        assert not re.search(r"Player \d\d #", text), line
    assert count > 30


def test_a_table_with_a_column_of_numbers_has_a_number_once(namesakes: Desk) -> None:
    """At a terminal, however narrow, and on pages: `12  Zoe Quinn`, without `#12` behind it."""
    rows = namesakes.done("standings").out.splitlines()
    in_column = [row for row in rows if re.search(rf"\b1[12]  +{SAME}", row)]
    assert len(in_column) == 2
    assert not any("#1" in row for row in in_column)
    with hall_open(NOBODY) as browser:
        page = re.sub(r"[\u2068\u2069]|</?bdi>", "", browser.get("/standings").text)
        assert re.findall(rf">1[12]</td><th [^>]*>{SAME}</th>", page), "the number is in its column"
        assert f"{SAME} #1" not in page
        wall = browser.get("/screen/1/part").text
        assert re.search(rf"{SAME}(?:<[^>]*>)* #1[12]", wall), "a wall has no such column"


def test_each_page_numbers_namesakes(namesakes: Desk) -> None:
    namesakes.done("publish", "public")
    pages = {file.name: file.read_text("utf-8") for file in namesakes.folder.glob("public/*.html")}
    for role in (official(1), player(12), NOBODY):
        with hall_open(role) as browser:
            for path in paths_of(browser.hall):
                answer = browser.get(path)
                if answer.headers["content-type"].startswith("text/html"):
                    pages[f"{role} {path}"] = answer.text
    shown = {name: texts_of(html) for name, html in pages.items()}
    assert {name: lines for name, text in shown.items() if (lines := unnumbered(text))} == {}
    assert sum(text.count(SAME) for text in shown.values()) > 60


def texts_of(html: str) -> str:
    """Return what a page shows: a row of a table is one line, and so is each other block."""
    body = re.sub(r"(?s)<(style|script|datalist).*?</\1>", "", html)
    body = re.sub(r"</(?:tr|p|h\d|li|option|title|section|div|label|button)>", "\n", body)
    return re.sub(r"[\u2068\u2069]|<[^>]*>", " ", body)
