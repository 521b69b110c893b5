"""A player's page: all that a phone posts, without any script, and only in its owner's name."""

from __future__ import annotations

import re
import time
from itertools import product
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.visitors import NOBODY
from tests.hostile.secrets.test_hands import OUTPOST, gives_away
from tests.support.cli_desk import typed_once
from tests.support.hall import Browser, hall_open, hidden_in, official, player
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

STRANGE = '<script>alert("x")</script>&<img src=x onerror=1>\x1b[31m'


def opened(desk: Desk, ruleset: str, *more: str) -> Desk:
    """Four players, one of a hostile name, the first round running; whole names are shown."""
    desk.done("new", f"Night {STRANGE}", "--ruleset", ruleset, "--organizer", "Kim", *more)
    for name in (f"Ann {STRANGE}", "Ben", "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("names", "full")
    desk.done("start", "custom", "--rounds", "3")
    desk.done("pair", "--unchecked", "--reason", "no deck is looked at tonight")
    desk.done("round", "start")
    return desk


@typed_once
def day(desk: Desk) -> Desk:
    return opened(desk, "l5r")


@pytest.fixture
def browser(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open() as asking:
        yield asking


def sides(desk: Desk, table: int = 1) -> tuple[int, int]:
    """Who sits at a table."""
    first, second = desk.done("pairings", "--json").json[table - 1]["players"]
    return first, second


def page_of(browser: Browser, number: int, path: str = "/me") -> str:
    browser.who = player(number)
    text: str = browser.get(path).text
    return text


def until(browser: Browser, number: int, words: str, path: str = "/me") -> str:
    """Ask for a page until it says what the desk has written meanwhile."""
    for _ in range(200):
        if words in (page := page_of(browser, number, path)):
            return page
        time.sleep(0.02)
    raise AssertionError(words, page)


def send(browser: Browser, page: str, name: str, **fields: str) -> None:
    """Send a form as it stands on a page; it leads on."""
    hidden = hidden_in(page, name)
    answer = browser.do(name, hidden.pop("id"), **hidden, **fields)
    assert answer.status_code == 303, answer.text


def test_two_phones_agree(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    page = page_of(browser, first)
    assert "Table <strong>1</strong>" in page
    assert 'name="say" value="win"' in page
    asked = page_of(browser, first, "/me?say=win")
    assert "Is that right?" in asked
    send(browser, asked, "report")
    assert "You reported; it counts." in page_of(browser, first)
    page = page_of(browser, second)
    assert "Your opponent reported" in page
    send(browser, page, "confirm")
    assert "both sides agree" in page_of(browser, second)
    assert day.done("pairings", "--json").json[0]["result"]["outcomes"] == ["win", "loss"]
    day.done("verify")


def test_two_phones_contradict_each_other_and_a_judge_is_called(
    day: Desk, browser: Browser
) -> None:
    first, second = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    page = page_of(browser, second)
    send(browser, page, "dispute", outcome="loss", reason=f"no {STRANGE}")
    page = page_of(browser, first)
    assert "The result is in dispute" in page
    assert "no &lt;script&gt;" in page
    send(browser, page, "call", reason="come please")
    assert "A judge has been called" in page_of(browser, first)
    (waiting,) = day.done("call", "--json").json
    assert (waiting["table"], waiting["reason"]) == (1, "come please")
    (dispute,) = day.done("disputes", "--json").json
    assert [each["player"] for each in dispute["claims"]] == [first, second]
    send(browser, page_of(browser, second), "confirm")
    assert day.done("disputes", "--json").json == []


def test_a_refusal_stands_on_the_page_with_what_was_typed(day: Desk, browser: Browser) -> None:
    """A form of before the round has changed does nothing."""
    first, second = sides(day)
    old = page_of(browser, first, "/me?say=win")
    day.done("swap", f"#{second}", f"#{sides(day, 2)[1]}", "--reason", "so it is")
    hidden = hidden_in(old, "report")
    answer = browser.do("report", hidden.pop("id"), **hidden)
    assert answer.status_code == 409
    assert 'class="problems"' in answer.text
    assert "`" not in answer.text[answer.text.index('class="problems"') :].split("</div>")[0]
    assert "Table <strong>1</strong>" in answer.text


def test_whoever_is_no_player_is_told_so(browser: Browser) -> None:
    for path in ("/me", "/me/list", "/me/why/rank"):
        answer = browser.get(path)
        assert answer.status_code == 401, path
        assert "scan the code on your badge" in answer.text


def test_a_player_concedes_and_leaves(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    send(browser, page_of(browser, first), "concede")
    assert "by concession" in page_of(browser, second)
    send(browser, page_of(browser, first), "leave")
    page = page_of(browser, first)
    assert "You have left: dropped." in page
    assert "/do/leave" not in page
    assert day.done("list", "--all", "--json").json[first - 1]["status"] == "dropped"


def test_a_clock_that_stands_still_is_not_counted_on(day: Desk, browser: Browser) -> None:
    number = sides(day)[0]
    day.type("round", "start")
    assert "data-left=" in until(browser, number, "left")
    day.done("round", "pause")
    assert "data-left=" not in until(browser, number, "PAUSED")


def test_a_number_leads_to_its_terms(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    day.done("report", "1", f"#{first}")
    page = until(browser, first, "Entered at the desk")
    links = re.findall(r'href="(/me/why/[^"]+)"', page)
    assert {"/me/why/rank", "/me/why/points", "/me/why/record", "/me/why/SOS"} <= set(links)
    for link in links:
        browser.who = player(second)
        answer = browser.get(link)
        assert answer.status_code == 200, link
        assert "<script>alert" not in answer.text
    assert "the sum of 1 round" in page_of(browser, first, "/me/why/points")
    assert browser.get("/me/why/nothing").status_code == 404


def test_who_is_here_says_so(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim")
    for name in ("Ann", "Ben"):
        desk.done("register", name)
    with hall_open() as browser:
        assert "I am here" not in page_of(browser, 1)
        desk.done("check-in", "open")
        send(browser, until(browser, 1, "I am here"), "check-in")
        assert "You are checked in" in page_of(browser, 1)
        desk.done("check-in", "close")
        until(browser, 2, "tell the desk that you have arrived")
    assert [each["here"] for each in desk.done("check-in", "--json").json] == [False, True]


LIST = "Player: Ann\nProvinces:\n1 A Province\n"


def test_a_list_is_handed_in_with_its_findings(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim", "--format", "l5r")
    for name in ("Ann", "Ben"):
        desk.done("register", name)
    with hall_open() as browser:
        assert "not submitted yet" in page_of(browser, 1)
        send(browser, page_of(browser, 1, "/me/list"), "list", text=LIST)
        page = page_of(browser, 1, "/me/list")
        assert "1 A Province" in page
        assert "to fix before play starts" in page
        assert "A Province" not in page_of(browser, 2, "/me/list")
        hidden = hidden_in(page, "list")
        wrong = "Player: Ben\nProvinces:\n1 A <b>Province\n"
        browser.who = player(1)
        answer = browser.do("list", hidden.pop("id"), **hidden, text=wrong)
        assert answer.status_code == 409
        assert "1 A &lt;b&gt;Province" in answer.text
        desk.done("start", "custom", "--rounds", "3")
        until(browser, 1, "Lists are closed", "/me/list")
    assert desk.done("lists", "--json").json[0]["seq"]


def test_what_is_hidden_of_a_list_is_on_no_page(desk: Desk) -> None:
    """Not even on its owner's own, nor in a line, once it is handed in (SWL-HIDDEN)."""
    desk.done("new", "Night", "--ruleset", "legion", "--organizer", "Kim", "--format", "legion")
    for name in ("Ann", "Ben"):
        desk.done("register", name)
    paths = ("/", "/me", "/me/list", "/me/why/rank", "/head", "/api/v1/log", "/api/v1/standings")
    with hall_open() as browser:
        send(browser, page_of(browser, 1, "/me/list"), "list", text=OUTPOST)
        page = page_of(browser, 1, "/me/list")
        assert "Commander Vey Tarsk" in page
        assert "The rest is sealed" in page
        for who, path in product((player(1), player(2), NOBODY), paths):
            browser.who = who
            assert gives_away(browser.get(path).text) == [], (who, path)
    assert gives_away(desk.log()) == []
    assert desk.done("lists", "--json").json[0]["seq"]


FACTS = {
    "legion": {"ending": "rounds", "fact.tokens.1": "3", "fact.tokens.2": "1", "has.blue": "1"},
    "runewars": {"ending": "rounds", "fact.score.1": "120", "fact.score.2": "40"},
    "ashes": {"ending": "time", "fact.wounds.1": "7", "fact.wounds.2": "4"},
}


@pytest.mark.parametrize("game", FACTS)
def test_a_game_asks_for_what_its_table_saw(desk: Desk, game: str) -> None:
    opened(desk, game)
    first, second = sides(desk)
    desk.done("round", "time")
    with hall_open() as browser:
        page = page_of(browser, first)
        for field in FACTS[game]:
            assert f'name="{field}"' in page, field
        send(browser, page, "report", **FACTS[game])
        assert "Your opponent reported" in page_of(browser, second)
    result = desk.done("pairings", "--json").json[0]["result"]
    assert result["outcomes"][0] == ("draw" if game == "ashes" else "win")
    assert result["facts"]


def test_a_result_is_proven_to_its_player_alone(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    browser.who = player(first)
    assert "so there is no receipt" in browser.get("/me/receipt").text
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    assert "/me/receipt" in page_of(browser, first)
    browser.get("/api/v1/head")  # signs it
    page = page_of(browser, second, "/me/receipt")
    assert "<svg" in page
    assert " beat " in page
    kept = day.folder / "mine.tlog-proof"
    kept.write_bytes(browser.get("/me/receipt.tlog-proof").content)
    (day.folder / "policy").write_text(day.done("checkpoint", "--policy").out, "utf-8")
    verified = day.done("verify", "mine.tlog-proof", "--policy", "policy").out
    assert "ResultReported" in verified
    for who in (official(1), NOBODY):
        browser.who = who
        assert browser.get("/me/receipt").status_code in (401, 403)


def test_names_are_as_the_event_shows_them_now(day: Desk, browser: Browser) -> None:
    """They are cut once for everybody who asks, and again when they or the choice are other."""
    first, second = sides(day)
    day.done("rename", f"#{second}", "Zoe Quinn")
    until(browser, first, "Zoe Quinn")
    day.done("names", "short")
    page = until(browser, first, "Zoe Q.")
    assert "Zoe Quinn" not in page
    day.done("rename", f"#{second}", "Zoe Ray")
    until(browser, first, "Zoe R.")
    day.done("names", "number")
    assert "Zoe" not in until(browser, first, f"player {second}")


def test_an_official_enters_it_on_a_players_word(day: Desk, browser: Browser) -> None:
    first, _ = sides(day)
    browser.who = official(1)
    about = {"match": "1", "outcome": "win", "for": f"p{first}", "to": "/pairings"}
    assert browser.do("report", "by-the-desk", **about).status_code == 303
    assert f'"by":"o1/p{first}"' in day.log()


@pytest.mark.slow
def test_no_hostile_text_is_markup_on_a_players_page(desk: Desk) -> None:
    """Of every name and every reason of the list of naughty strings."""
    desk.done("new", "Night", "--ruleset", "swiss", "--organizer", "Kim", "--open-names")
    names = [each for each in texts_to_try() if each.strip()]
    for name in names:
        desk.type("register", "--", name)
    desk.done("names", "full")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    with hall_open() as browser:
        for number, text in zip(range(1, 150), names, strict=False):
            page = page_of(browser, number)
            browser.who = player(number)
            hidden = hidden_in(page, "call") if "/do/call" in page else {}
            if hidden:
                browser.do("call", hidden.pop("id"), **hidden, reason=text)
            for each in (page, page_of(browser, number), page_of(browser, number, "/me/why/rank")):
                inside = each[each.index("<main") :]
                assert "<script" not in inside
                assert set(re.findall(r"\son\w+=", re.sub(r">[^<]*<", "><", inside))) == set()
                assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", inside)
