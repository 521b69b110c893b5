"""A player's page: all that a phone posts, without any script, and only in its owner's name."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from html import unescape
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli import outside
from cli.serve import forms
from cli.serve.forms import TAKE_BACK_SECONDS
from cli.serve.visitors import NOBODY
from cli.terminal.visible import ordinal
from tests.hostile.secrets.test_hands import OUTPOST, gives_away
from tests.support.cli_desk import typed_once, without_isolates
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


def until(browser: Browser, number: int, words: str, path: str = "/me", gone: str = "\0") -> str:
    """Ask for a page until it says what the desk has written, and not what is gone."""
    for _ in range(200):
        page = without_isolates(page_of(browser, number, path))
        if words in page and gone not in page:
            return page
        time.sleep(0.02)
    raise AssertionError(words, page)


def send(browser: Browser, page: str, name: str, **fields: str) -> None:
    """Send a form as it stands on a page; it leads on."""
    hidden = hidden_in(page, name)
    answer = browser.do(name, hidden.pop("id"), **hidden, **fields)
    assert answer.status_code == 303, answer.text


def question(browser: Browser, number: int, name: str, **fields: str) -> str:
    """Fill in a form of the player's page, and return the question that it leads to."""
    page = page_of(browser, number)
    before = page[: page.index(f'name="ask" value="{name}"')]
    inside = page[before.rindex("<form") :].partition("</form>")[0]
    assert 'method="get"' in inside
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', inside))
    return page_of(browser, number, f"/me?{urlencode({**hidden, **fields})}")


def ask(browser: Browser, number: int, name: str, **fields: str) -> str:
    """Fill in a form, and say that it is right; returns the words of the question."""
    asked = question(browser, number, name, **fields)
    assert "Is that right?" in asked
    send(browser, asked, name)
    return unescape(re.sub("<[^>]+>", " ", asked[asked.index("Is that right?") :]))


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
    words = ask(browser, second, "dispute", outcome="loss", reason=f"no {STRANGE}")
    assert re.search(rf"You claim: .* \(#{second}\) beat .* \(#{first}\) 10-1", words)
    assert "no <script>" in words
    page = page_of(browser, first)
    decides = re.search(r"The result is in dispute: (.+?) decides\.", without_isolates(page))
    assert decides
    assert decides[1] == "Kim"
    assert "can rule" not in page
    assert re.search(r"<p>Reason: .{0,60}&lt;script&gt;", page), re.findall("Reason.{80}", page)
    send(browser, page, "call", reason="come please")
    at = re.search(r"A judge was called at \d\d:\d\d\. Raise your hand", page_of(browser, first))
    assert at
    assert at[0] in page_of(browser, second)
    assert "on the way" not in page_of(browser, first)
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
    assert "You concede: " in ask(browser, first, "concede")
    assert "by concession" in page_of(browser, second)
    send(browser, page_of(browser, first), "leave")
    page = page_of(browser, first)
    assert "You have left: dropped." in page
    assert "do/leave" not in page
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
    links = re.findall(r'href="(me/why/[^"]+)"', page)
    assert {"me/why/rank", "me/why/points", "me/why/record", "me/why/SOS"} <= set(links)
    for link in links:
        browser.who = player(second)
        answer = browser.get(f"/{link}")
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
COUNTED = {"legion": ("3:1",), "runewars": ("120:40",), "ashes": ("7:4",)}
"""The numbers in the question, the first player's first."""


@pytest.mark.parametrize("game", FACTS)
def test_a_game_asks_for_what_its_table_saw(desk: Desk, game: str) -> None:
    opened(desk, game)
    first, second = sides(desk)
    desk.done("round", "time")
    with hall_open() as browser:
        page = page_of(browser, first)
        for field in FACTS[game]:
            assert f'name="{field}"' in page, field
        words = ask(browser, first, "report", **FACTS[game])
        for numbers in COUNTED[game]:
            assert numbers in words
        assert "Your opponent reported" in page_of(browser, second)
    result = desk.done("pairings", "--json").json[0]["result"]
    assert result["outcomes"][0] == ("draw" if game == "ashes" else "win")
    assert result["facts"]


def test_a_result_is_proven_to_its_player_alone(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    browser.who = player(first)
    none_yet = browser.get("/me/receipt")
    assert none_yet.status_code == 404
    assert "<p>Your latest match has no result yet: the receipt follows" in none_yet.text
    main = none_yet.text.partition("<main")[2].partition("</main>")[0]
    assert '<a href="me" class="button main">My table</a>' in main
    assert "pairings" not in main
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    assert "me/receipt" in page_of(browser, first)
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
            hidden = hidden_in(page, "call") if "do/call" in page else {}
            if hidden:
                browser.do("call", hidden.pop("id"), **hidden, reason=text)
            for each in (page, page_of(browser, number), page_of(browser, number, "/me/why/rank")):
                inside = each[each.index("<main") :]
                assert "<script" not in inside
                values = re.sub(r'="[^"]*"', "=", re.sub(r">[^<]*<", "><", inside))
                assert set(re.findall(r"\son\w+=", values)) == set()
                assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", inside)


def test_who_answered_a_call_is_named(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    send(browser, page_of(browser, first), "call")
    assert "do/call" in page_of(browser, second)
    day.done("call", "answer", "1")
    for number in (first, second):
        page = until(browser, number, "Kim is on the way.")
        assert "A judge was called" not in page
        assert "do/call" in page  # for another question
    day.done("undo")
    assert "Kim" not in until(browser, first, "A judge was called")
    day.done("call", "answer", "1")
    until(browser, first, "Kim is on the way.")
    day.done("report", "1", f"#{first}")
    assert "on the way" not in until(browser, first, "Entered at the desk")


def test_a_ruling_is_shown_before_and_after_it_is_entered(day: Desk, browser: Browser) -> None:
    day.done("official", "add", "Pat Jones", "--role", "judge")
    first, second = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    ask(browser, second, "dispute", outcome="loss", reason="I won")
    assert "The result is in dispute" in page_of(browser, first)
    clause = ("--clause", "L5R-TIME", "--as", "pat")
    day.done("rule", "1", "the last counter counts", "--result", f"#{second}", *clause)
    due = "The desk must still enter"
    for state, gone in ((due, "in dispute"), ("Ruled: ", due)):
        for number in (first, second):
            page = until(browser, number, state, gone=gone)
            ruled = page[page.index("Ruled: ") :].split("</p>")
            assert f"(#{second}) beat" in ruled[0]
            assert "Pat Jones: the last counter counts (L5R-TIME)" in ruled[1]
            assert "in dispute" not in page
            assert "That is wrong" not in page
        assert "<bdi>the last counter counts</bdi>" in page_of(browser, first)
        day.type("correct", "--ruling", "1")
    assert day.done("pairings", "--json").json[0]["result"]["outcomes"] == ["loss", "win"]


@pytest.mark.parametrize("stands", [True, False])
def test_the_ruled_result_is_the_one_in_words(day: Desk, browser: Browser, stands: bool) -> None:  # noqa: FBT001
    """An appeal does not hide what was ruled."""
    for name, role in (("Pat Jones", "judge"), ("Mara Low", "marshal")):
        day.done("official", "add", name, "--role", role)
    first, second = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    ask(browser, second, "dispute", outcome="loss")
    day.done(
        "rule",
        "1",
        "so it was",
        "--as",
        "pat",
        *(["--stands"] if stands else ["--result", f"#{second}"]),
    )
    page = until(browser, first, "Ruled: ")
    winner = f"(#{first if stands else second}) beat"
    assert winner in page[page.index("Ruled: ") :].split("</p>")[0]
    day.done("appeal", "1", "--for", f"#{second}", "--reason", "no")
    page = until(browser, second, "The ruling is appealed")
    assert winner in page[page.index("Ruled: ") :].split("</p>")[0]


def play(desk: Desk) -> None:
    """Play one round; the first player of each table wins."""
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()


def test_each_player_learns_how_the_tournament_ended(desk: Desk) -> None:
    """The cut with the own place, then the winner and each final place."""
    desk.open(5, "custom", "--rounds", "1", "--cut", "2")
    play(desk)
    desk.done("round", "close")
    standings = [row["player"] for row in desk.done("standings", "--json").json]
    desk.done("cut")
    with hall_open() as browser:
        for place, number in ((3, standings[2]), (5, standings[4])):
            text = f"You did not make the cut: {place}{'rd' if place == 3 else 'th'}; the cut is 2."
            assert text in page_of(browser, number)
        assert "did not make the cut" not in page_of(browser, standings[0])
        play(desk)
        desk.done("finish")
        order = desk.done("standings", "--json").json
        names = {row["player"]: row["name"] for row in order}
        champion = order[0]["player"]
        assert "You won the tournament." in until(browser, champion, "You won")
        for row, final in zip(order[1:], ("2nd", "3rd", "4th", "5th"), strict=True):
            page = without_isolates(page_of(browser, row["player"]))
            assert f"{names[champion]} won the tournament. You finished {final}." in page
            assert "You won" not in page


def test_a_disqualified_player_reads_so(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    play(desk)
    desk.done("disqualify", "#1", "--reason", "x")
    with hall_open() as browser:
        assert "You were disqualified." in page_of(browser, 1)


def test_places_have_their_english_ending() -> None:
    places = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th"}
    places |= {21: "21st", 102: "102nd", 111: "111th", 1_001: "1,001st"}
    assert {number: ordinal(number) for number in places} == places


def test_every_form_of_a_result_asks_once(day: Desk, browser: Browser) -> None:
    """No form of a player's page posts a result, a dispute or a concession at once."""
    first, second = sides(day)
    assert not re.search(r'action="do/(report|dispute|concede)"', page_of(browser, first))
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    page = page_of(browser, second)
    assert 'name="ask" value="dispute"' in page
    assert not re.search(r'action="do/(report|dispute|concede)"', page)
    log = day.log()
    words = question(browser, second, "dispute", reason="the slip")
    assert "You claim: the reported result is wrong." in words
    assert day.log() == log


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"outcome": "none"}, "none"),
        ({"match": "2", "outcome": "win"}, "your table has changed"),
        ({"points1": "x", "points2": "3"}, "points1 must be a whole number"),
    ],
)
def test_a_question_that_states_no_result_shows_the_form_again(
    day: Desk, browser: Browser, fields: dict[str, str], why: str
) -> None:
    first, _ = sides(day)
    page = page_of(browser, first, f"/me?{urlencode({'ask': 'report', 'match': '1', **fields})}")
    assert why in page[page.index('class="problems"') :].split("</div>")[0]
    assert "How did it end?" in page
    assert "Is that right?" not in page


def test_a_missing_winner_is_asked_for_by_its_field(desk: Desk) -> None:
    """The first ending of Ashes with wounds, as a form has it before anything is chosen."""
    opened(desk, "ashes")
    wounds = {"ending": "destroyed", "fact.wounds.1": "25", "fact.wounds.2": "12"}
    with hall_open() as browser:
        first = sides(desk)[0]
        page = question(browser, first, "report", **wounds, outcome="")
        assert "choose one under Who won" in page
        assert 'name="fact.wounds.1" min="0" max="25" value="25"' in page
        assert "25:12" in ask(browser, first, "report", **wounds, outcome="win")


def test_a_report_is_taken_back_before_it_is_answered(day: Desk, browser: Browser) -> None:
    first, second = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    page = page_of(browser, first)
    assert 0 < int(re.findall(r'data-until="(\d+)"', page)[0]) <= TAKE_BACK_SECONDS
    assert "do/take-back" not in page_of(browser, second)
    hidden = hidden_in(page, "take-back")
    browser.who = player(second)
    assert browser.do("take-back", "of-another", match="1").status_code == 409
    browser.who = player(first)
    own = hidden.pop("id")
    for _ in range(2):  # as a phone does that heard no answer
        assert browser.do("take-back", own, **hidden).status_code == 303
    assert "How did it end?" in page_of(browser, first)
    assert day.done("pairings", "--json").json[0]["result"] is None
    assert day.log().count('"ActWithdrawn"') == 1
    assert f'"by":"o1/p{first}"' in day.log().splitlines()[-1]
    send(browser, page_of(browser, first, "/me?say=loss"), "report")
    assert day.done("pairings", "--json").json[0]["result"]["outcomes"] == ["loss", "win"]
    day.done("verify")


def _later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    then = outside.moment() + timedelta(seconds=seconds)
    monkeypatch.setattr(forms, "moment", lambda: then)


def test_after_a_minute_a_report_stays(
    day: Desk, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    hidden = hidden_in(page_of(browser, first), "take-back")
    own = hidden.pop("id")
    _later(monkeypatch, TAKE_BACK_SECONDS + 1)
    assert "do/take-back" not in page_of(browser, first)
    answer = browser.do("take-back", own, **hidden)
    assert answer.status_code == 409
    assert "you can undo a report for 60 seconds" in answer.text
    assert '"ActWithdrawn"' not in day.log()


@pytest.mark.parametrize("answer", ["confirm", "dispute", "close"])
def test_an_answered_report_is_not_taken_back(day: Desk, browser: Browser, answer: str) -> None:
    first, second = sides(day)
    send(browser, page_of(browser, first, "/me?say=win"), "report")
    hidden = hidden_in(page_of(browser, first), "take-back")
    own = hidden.pop("id")
    if answer == "confirm":
        send(browser, page_of(browser, second), "confirm")
    elif answer == "dispute":
        ask(browser, second, "dispute", outcome="loss")
    else:
        day.report_all()
        day.done("round", "close")
        until(browser, first, ", closed")
    assert "do/take-back" not in page_of(browser, first)
    assert browser.do("take-back", own, **hidden).status_code == 409
    assert '"ActWithdrawn"' not in day.log()


def test_only_an_own_report_of_play_is_taken_back(day: Desk, browser: Browser) -> None:
    first, _ = sides(day)
    ask(browser, first, "concede")
    assert "do/take-back" not in page_of(browser, first)
    third, _ = sides(day, 2)
    day.done("report", "2", f"#{third}")
    assert "do/take-back" not in until(browser, third, "Entered at the desk")
    browser.who = player(third)
    assert browser.do("take-back", "of-the-desk", match="2").status_code == 409
    assert '"ActWithdrawn"' not in day.log()
