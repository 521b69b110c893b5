"""The evidence sheet of a match, and how rulings are said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import once, without_isolates

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.fixture
def reviewed(desk: Desk) -> Desk:
    """A result that was disputed, ruled on, appealed and overturned while others play."""
    once(desk, ("reviewed",), _play)
    return desk


def _play(desk: Desk) -> None:
    desk.open(0)
    for name, role in (("Pat", "judge"), ("Mara", "marshal")):
        desk.done("official", "add", name, "--role", role)
    for name in ("Ann", "Bob", "Cas", "Dee", "<b>Eve", "Fay"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2", "--cut", "2")
    desk.done("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "known")
    desk.done("post", "pairings")
    desk.done("report", "1", "ann")
    desk.done("dispute", "1", "bob", "--for", "bob", "--reason", "the slip shows it")
    desk.done("rule", "1", "the slip is torn", "--stands", "--as", "pat", "--clause", "FFG-RULING")
    desk.done("appeal", "1", "--for", "bob", "--reason", "there are two slips")


def test_a_table_is_enough_to_appeal_and_review(reviewed: Desk) -> None:
    """As for `rule 1`; what stands now is said, and that it is not entered yet, until it is."""
    said = reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara").err
    assert "Mara overturned ruling" in said
    assert "the result is now: Bob (#2) beat Ann (#1) 10-1" in said
    assert "not yet entered: `correct --ruling 1/1`" in said
    assert "not yet entered: `correct --ruling 1/1`" in reviewed.done("report", "2", "cas").err
    assert "not yet entered" not in reviewed.done("correct", "--ruling", "1/1").err


def test_upheld_and_overturned_without_another_result(reviewed: Desk) -> None:
    said = reviewed.done("review", "1", "it is as Pat says", "--upheld", "--as", "mara").err
    assert "Mara upheld ruling" in said
    assert "the reported result counts: Ann (#1) beat Bob (#2) 10-1" in said


def test_a_number_that_is_a_ruling_and_a_table_is_asked_about(reviewed: Desk) -> None:
    assert "no ruling at that table" in reviewed.refused("appeal", "2", "--for", "cas").err
    seq = reviewed.done("rule", "--json").json[0]["seq"]
    assert "has already been requested" in reviewed.refused("appeal", str(seq), "--for", "ann").err


def test_who_is_refused_hears_who_ruled(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat", "--role", "judge")
    desk.done("official", "add", "Mara", "--role", "marshal")
    desk.done("pair")
    desk.report_all()
    desk.done("rule", "1", "the other one won", "--result", f"#{desk.seats(1)[1]}", "--as", "pat")
    said = desk.refused("rule", "1", "again", "--result", f"#{desk.seats(1)[0]}", "--as", "pat").err
    assert "by Pat, and a player may appeal" in said


def test_the_sheet_has_the_whole_case(reviewed: Desk) -> None:
    reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara")
    answer = reviewed.done("evidence", "1/1", "-o", "case.html")
    assert "case.html: 1/1 on one page" in answer.err
    page = without_isolates((reviewed.folder / "case.html").read_text("utf-8"))
    for part in (
        "Evidence on 1/1: Ann (#1) and Bob (#2)",
        "the slip shows it",
        "Kim Larsen for Bob (#2)",
        "Mara overturned ruling",
        "FFG-RULING",
        "table 1: Ann (#1) and Bob (#2)",
        "not yet entered",
        "the cut to 2 (stage 2, not made yet)",
        "<svg",
        "whose root is",
    ):
        assert part in page, part
    posted = next(
        each for each in reviewed.done("log", "--json").out.splitlines() if '"Posted"' in each
    )
    sha256 = re.findall(r'"sha256":"([0-9a-f]{64})"', posted)[0]
    assert sha256 in page


def test_the_sheet_ends_with_a_line_to_sign(reviewed: Desk) -> None:
    reviewed.done("evidence", "1/1", "-o", "case.html")
    page = (reviewed.folder / "case.html").read_text("utf-8")
    end = page[page.rindex("<section") :]
    assert re.findall(r"<span>([^<]+)</span>", end) == ["Name", "Office", "Date", "Signature"]
    assert page.index("The code is the receipt") < page.index(end)
    rule = re.search(r"([^{}]*)\{ break-inside: avoid; \}\s*\.signature", page)
    assert rule is not None
    assert {"tr", "li", ".signature"} <= set(map(str.strip, rule[1].split(",")))


def test_no_score_is_broken(reviewed: Desk) -> None:
    """A browser breaks a line after a hyphen, and a terminal may not within a score either."""
    reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara")
    reviewed.done("evidence", "1/1", "-o", "case.html")
    reviewed.done("match", "1/1", "--html", "timeline.html")
    for name in ("case.html", "timeline.html"):
        page = (reviewed.folder / name).read_text("utf-8")
        assert ".score{white-space: nowrap;}" in page
        body = page[page.index("<body") :]
        bare = re.sub(r'<span class="score">[^<]*</span>|<[^>]*>', " ", body)
        assert not re.search(r"\b\d+-\d+\b", bare), name
        assert '<span class="score">10-1</span>' in body
    for width in range(40, 90, 7):
        reviewed.patch.setenv("COLUMNS", str(width))
        shown = reviewed.done("match", "1/1").out
        assert not re.search(r"\d-\s*\n", shown), shown
        assert "10-1" in shown


def test_the_timeline_shows_who_learned_what(reviewed: Desk) -> None:
    """Each event is a mark with its number, and the list has the same numbers in words."""
    reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara")
    reviewed.done("correct", "--ruling", "1/1")
    reviewed.done("report", "2", "cas")
    reviewed.done("report", "3", "5")
    reviewed.done("post", "standings")
    answer = reviewed.done("match", "1/1", "--html", "timeline.html")
    assert "the timeline of 1/1" in answer.err
    page = (reviewed.folder / "timeline.html").read_text("utf-8")
    listed = [re.sub("<[^>]*>", "", each) for each in re.findall(r"<li>(.*?)</li>", page)]
    marks = re.findall(r'class="number"[^>]*>(\d+)<', page)
    assert sorted(map(int, marks)) == list(range(1, len(listed) + 1))
    for row in ("Ann", "Bob", "desk", "judge or marshal", "public (posted)"):
        assert f">{row}</text>" in without_isolates(page)
    for part in (
        "by Bob; learned by desk: 1/1: Bob (#2) disputes",
        "by judge or marshal; learned by Ann, Bob, desk: Pat ruled",
        "by Bob; learned by desk, judge or marshal: Bob (#2) appeals",
        "by judge or marshal; learned by Ann, Bob, desk: Mara overturned",
        "learned by Ann, Bob, public (posted): posted the standings",
    ):
        assert any(part in line for line in listed), (part, listed)
    order = [int(re.search(r"event (\d+)", line)[1]) for line in listed]  # type: ignore[index]
    assert order == sorted(order)
    assert 'role="img"' in page
    assert "<b>Eve" not in page
    assert "choose one" in reviewed.refused("match", "1/1", "--html", "timeline.html", "--csv").err


def test_a_long_story_has_several_pictures(reviewed: Desk) -> None:
    """A phone has room for twelve marks side by side."""
    for _ in range(8):
        reviewed.done("call", "1", "--for", "ann")
        reviewed.done("call", "answer", "1", "--as", "pat")
    reviewed.done("match", "1/1", "--html", "timeline.html")
    page = (reviewed.folder / "timeline.html").read_text("utf-8")
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 2
    assert pictures[0].count('class="number"') == 12
    assert all(float(x) <= 320 for x in re.findall(r'[ c]x[12]?="([\d.]+)"', page))


def test_every_text_on_the_sheet_is_escaped(reviewed: Desk) -> None:
    reviewed.done("report", "3", "5")
    reviewed.done("evidence", "1/3", "-o", "case.html")
    page = (reviewed.folder / "case.html").read_text("utf-8")
    assert "<b>Eve" not in page
    assert "&lt;b&gt;Eve" in page


def test_a_match_that_nobody_played_has_no_evidence(desk: Desk) -> None:
    desk.open(5, "custom", "--rounds", "2")
    assert "no round 1" in desk.refused("evidence", "1/1", "-o", "case.html").err
    desk.done("pair")
    assert (
        "1/1 has no report: it was not played" in desk.refused("evidence", "1", "-o", "e.html").err
    )
    assert "1/3 is a bye: it was not played" in desk.refused("evidence", "3", "-o", "e.html").err
    desk.report_all()
    assert "name it with -o" in desk.refused("evidence", "1/1").err
    assert not (desk.folder / "e.html").exists()


def test_a_forgotten_person_is_not_on_the_sheet(reviewed: Desk) -> None:
    """Their name and what was said of them are gone; places, times and results are not."""
    reviewed.done("forget", "bob")
    reviewed.done("evidence", "1/1", "-o", "case.html")
    page = (reviewed.folder / "case.html").read_text("utf-8")
    assert "Bob" not in page
    assert "the slip shows it" not in page
    assert "Ann (#1)" in page
    assert reviewed.done("audit", "--html", "audit.html").code == 0
    assert "Bob" not in (reviewed.folder / "audit.html").read_text("utf-8")


def test_the_whole_story_of_each_dispute(reviewed: Desk) -> None:
    """Judge, clause, text, appeal, review, correction, and who typed it, in every view."""
    reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara")
    reviewed.done("correct", "--ruling", "1/1")
    for shown in (
        reviewed.done("disputes", "--all").out,
        reviewed.done("audit").out,
        reviewed.done("match", "1/1").out,
    ):
        said = " ".join(shown.split())
        for part in (
            "Kim Larsen for Bob (#2)",
            "the slip shows it",
            "(FFG-RULING)",
            "the slip is torn",
            "there are two slips",
            "Mara overturned",
            "both slips say Bob",
            "corrected (was event",
        ):
            assert part in said or part.replace(" ", "") in shown.replace(" ", ""), (part, shown)
    listed = reviewed.done("disputes", "--all", "--json").json[0]["events"]
    assert len(listed) == 6
    assert listed == sorted(listed)


def test_the_numbers_on_the_page_lead_to_the_log_on_it(reviewed: Desk) -> None:
    reviewed.done("review", "1", "both slips say Bob", "--result", "bob", "--as", "mara")
    reviewed.done("audit", "--html", "audit.html")
    page = (reviewed.folder / "audit.html").read_text("utf-8")
    lines = reviewed.done("log", "--json").out.count("\n")
    assert re.findall(r'<tr id="event-(\d+)">', page) == [str(1 + n) for n in range(lines)]
    linked = set(re.findall(r'href="#event-(\d+)"', page))
    assert linked <= {str(1 + n) for n in range(lines)}
    assert set(map(str, reviewed.done("disputes", "--all", "--json").json[0]["events"])) <= linked
    assert "<b>Eve" not in page


def test_a_slip_audit_is_in_the_audit(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2", "--cut", "2")
    for _ in range(2):
        desk.done("pair")
        desk.report_all()
    before = desk.done("audit", "--slips", "--risk", "10%").out
    assert "before the audit begins: at a risk of 10 %" in before
    assert "4 slips (N)" in before
    assert "--risk must be a share" in desk.refused("audit", "--slips", "--risk", "60%").err
    assert "choose one of --slips" in desk.refused("audit", "--slips", "--margin").err
    assert "would change who makes the cut" in desk.done("audit", "--margin").out
    assert (
        "slips can be read only after"
        in desk.done("audit", "begin").err + desk.refused("audit", "slip", "1/1", "--agrees").err
    )
    desk.done("audit", "draw", "blue", "heron")
    desk.done("audit", "slip", "1/1", "--missing", "--note", "two slips, two winners")
    contradicted = desk.refused("audit", "slip", "1/1", "--agrees").err
    assert "audit slip withdraw 1/1" in contradicted
    shown = desk.done("audit", "--slips").out
    assert 'the word is "blue heron"' in shown
    assert "the slip is missing" in shown
    said = desk.done("audit").out
    assert "the slip is missing" in said
    kinds = {each["kind"] for each in desk.done("audit", "--json").json["findings"]}
    assert {"slip-differs", "slips-open"} <= kinds
    desk.done("audit", "--html", "audit.html")
    assert "Slips compared with the log" in (desk.folder / "audit.html").read_text("utf-8")
    desk.done("audit", "slip", "withdraw", "1/1", "--reason", "found under the table")
    for table in ("1/1", "1/2", "2/1", "2/2"):
        desk.done("audit", "slip", table, "--agrees")
    assert "every slip is read" in desk.done("audit", "--slips").out
    kinds = {each["kind"] for each in desk.done("audit", "--json").json["findings"]}
    assert kinds.isdisjoint({"slip-differs", "slips-open"})
