"""`audit` at the desk: on a terminal, as JSON and as a page."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.truth.cuts.margin_checker import problems

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

HOSTILE = '<script>alert("x")</script>&<img src=x onerror=1>\x1b[31m'


class Page(HTMLParser):
    """The tags and the texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember a tag, and that it is open."""
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that was opened last, and no other."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember a text."""
        self.texts.append(data)


@typed_once
def day(desk: Desk) -> Desk:
    """A day with a rematch, a dispute, a late correction and hostile texts."""
    desk.done("new", f"Night {HOSTILE}", "--ruleset", "l5r", "--organizer", "Kim")
    desk.done("register", f"Ann {HOSTILE}")
    for name in ("Bob", "Cas", "Dee"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "3")
    pairs = ("--table", "1", "2", "--table", "3", "4")
    desk.done("pair", *pairs, "--reason", "a test")
    desk.report_all()
    desk.done("pair", *pairs, "--reason", f"show {HOSTILE}", "--allow-rematch")
    desk.done("correct", "1/1", "#2", "--reason", f"misread {HOSTILE}")
    desk.done("report", "1", "#1")
    desk.done("dispute", "1", "--for", "2", "--reason", HOSTILE)
    return desk


@pytest.mark.slow
def test_on_a_terminal(day: Desk) -> None:
    answer = day.done("audit")
    for part in (
        "findings:",
        "corrections:",
        "acts by person:",
        "rematch in round 2",
        "FFG-REMATCH",
    ):
        assert part in answer.out
    assert "\x1b" not in answer.out
    assert re.search(r"\d+ events: \d+ breach, 2 notable", answer.err)


def test_as_json(day: Desk) -> None:
    read = day.done("audit", "--json").json
    assert set(read) == {
        "tournament", "events", "rules", "later_rules", "finished", "acts", "corrections",
        "findings", "disputes", "notes", "format",
    }  # fmt: skip
    kinds = [each["kind"] for each in read["findings"]]
    assert kinds == ["rematch", "rematch", "late-edit", "open-dispute", "by-hand", "by-hand"]
    assert {each["severity"] for each in read["findings"]} == {"breach", "notable"}
    (correction,) = read["corrections"]
    assert {move["player"] for move in correction["moved"]} >= {1, 2}
    assert [each["by"] for each in read["acts"]] == ["o1", "o1/p2"]
    assert len(read["disputes"]) == 1


def test_the_page_needs_nothing_and_holds_no_foreign_markup(day: Desk) -> None:
    day.done("audit", "--html", "audit.html")
    text = (day.folder / "audit.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    names = {name for name, _ in page.tags}
    assert names <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "thead",
        "tbody", "tr", "th", "td", "span", "a", "bdi",
    }  # fmt: skip
    assert not any(key.startswith("on") or key == "src" for _, a in page.tags for key in a)
    links = [a["href"] for _, a in page.tags if "href" in a]
    assert links
    assert all(re.fullmatch("#event-[0-9]+", each or "") for each in links)
    shown = "".join(page.texts)
    assert '<script>alert("x")</script>' in shown
    assert "\x1b" not in text
    for part in ("Findings", "Disputes", "Corrections", "Acts by person", "Kinds of findings"):
        assert part in shown


def test_the_pages_policy_allows_its_own_style_alone(day: Desk) -> None:
    day.done("audit", "--html", "audit.html")
    text = (day.folder / "audit.html").read_text("utf-8")
    policy = next(
        a["content"] or ""
        for _, a in Page(text).tags
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{digest}'" in policy
    assert "style=" not in text


def test_the_same_log_gives_the_same_page(day: Desk) -> None:
    pages = []
    for name in ("one.html", "two.html"):
        day.done("audit", "--html", name)
        pages.append((day.folder / name).read_bytes())
    assert pages[0] == pages[1]


def test_a_page_that_can_not_be_written_is_one_line(day: Desk) -> None:
    answer = day.refused("audit", "--html", "nowhere/audit.html")
    assert "nowhere" in answer.err


def test_nothing_found(desk: Desk) -> None:
    desk.open(2)
    answer = desk.done("audit")
    assert "nothing found" in answer.err
    assert "findings:" not in answer.out


def test_every_cell_names_its_column_for_a_narrow_screen(day: Desk) -> None:
    day.done("audit", "--html", "audit.html")
    page = Page((day.folder / "audit.html").read_text("utf-8"))
    cells = [attributes["data-label"] for name, attributes in page.tags if name == "td"]
    assert cells[:4] == ["weight", "finding", "clause", "events"]
    assert None not in cells


@typed_once
def before_a_cut(desk: Desk) -> Desk:
    """Four rounds of which two players have won all, so that one result is not enough."""
    desk.open(8, "custom", "--rounds", "4", "--cut", "2", ruleset="swiss")
    for others in ("56", "65", "78", "87"):
        first, second, third, fourth = "1", others[0], "2", others[1]
        by_hand = ("--table", first, second, "--table", third, fourth, "--reason", "a test")
        desk.done("pair", *by_hand)
        for game in desk.done("pairings", "--json").json:
            one, other = game["players"]
            is_strong = {one, other} & {1, 2}
            words = [f"#{min(one, other)}"] if is_strong else ["draw"]
            desk.done("report", str(game["table"]), *words)
    return desk


def test_a_margin_is_checked_without_the_program(before_a_cut: Desk) -> None:
    """By its certificate and the standings; the words of the example change the cut."""
    day = before_a_cut
    margin = day.done("audit", "--margin", "--json").json
    standings = day.done("standings", "--json").json
    assert margin["least"] == margin["most"] == 2
    tried = day.done(*margin["whatif"].split(), "--json").json
    rank = {row["player"]: row["rank"] for row in standings}
    rank |= {row["player"]: row["after"]["rank"] for row in tried["differences"]["rows"]}
    found = list(problems(margin, standings, lambda _: sorted(rank, key=rank.__getitem__)))
    assert found == []
    assert "assumes" in margin["assumed"]
    assert margin["assumed"] in " ".join(day.done("audit", "--margin").out.split())
    (cut,) = tried["cuts"]
    assert sorted(set(cut["would_be"]) - set(cut["seeds"])) == margin["entrants"]
    for result in margin["example"]:
        assert set(result) >= {"outcomes", "points", "manner", "fields", "ending", "facts"}
        day.done("correct", *result["words"].split(), "--reason", "as the example has it")
    seeds = {row["player"] for row in day.done("standings", "--json").json if row["rank"] <= 2}
    assert seeds == {1, 2} - set(margin["leavers"]) | set(margin["entrants"])


def test_a_margin_that_is_stated_too_high_does_not_follow(before_a_cut: Desk) -> None:
    margin = before_a_cut.done("audit", "--margin", "--json").json
    standings = before_a_cut.done("standings", "--json").json
    assert list(problems(margin | {"least": 3}, standings))
    margin["certificate"]["pairs"][0]["gap"] += 1
    assert list(problems(margin, standings))
