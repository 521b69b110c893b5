"""Answers of pages: refusals whose commands lead somewhere, forms sent again, and the way back."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import htpy
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.staff import STAFF_PAGES
from cli.serve.visitors import NOBODY, Visitor
from cli.verbs.day.report import line_reader
from tests.support.cli_desk import typed_once, without_isolates
from tests.support.hall import HERE, hall_open, official, player

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

_UNREAD = re.compile(r"<(pre|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
"""The text of a terminal within a page, and what is no text of it."""


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, the first round running; the organizer's last act cannot be undone."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    return desk


def text_of(page: str) -> str:
    """The text of a page that a person reads as such."""
    return _UNREAD.sub("", without_isolates(page))


def refusal_on(page: str) -> str:
    """The refusal of a page, with its elements."""
    return page.partition('role="alert"')[2].partition("</div>")[0]


REFUSED = {
    "undo": "cannot be undone",
    "finish": "no result yet",
    "pair": "no result yet",
    "backup x": "only at a terminal",
    'register "player 1"': "is already registered",
    "links print": "type it at a terminal",
    'rule 1 "so it is" --clause nothing': "is not a clause",
}


@pytest.mark.parametrize("page", [page.path for page in STAFF_PAGES if "{" not in page.path])
def test_no_page_of_officials_shows_a_backtick_in_a_refusal(
    day: Desk, browser: Browser, page: str
) -> None:
    (name,) = (each["name"] for each in day.done("list", "--json").json if each["player"] == 1)
    for line, reason in REFUSED.items():
        typed = line.replace("player 1", name)
        answer = browser.line(typed, page)
        assert reason in without_isolates(refusal_on(answer.text)), line
        assert "`" not in text_of(answer.text), line
        data = {"line": typed}
        read = browser.post("/line/reading", data=data, headers={"origin": HERE})
        assert "`" not in read.text, line


def test_no_page_shows_a_backtick_in_a_refusal(day: Desk, browser: Browser) -> None:
    """Public pages, a player's own, those of a row, and those that are not for who asks."""
    first, _ = day.seats(1)
    headers = {"origin": HERE, "tourney-row": "1"}
    row = {"id": "abcdefgh", "seen": "99", "form": "confirm", "table": "1/1"}
    shown = [browser.post("/line", data=row, headers=headers)]
    browser.who = Visitor("o1", official=1, link=1, only_reads="plain")
    shown += [browser.get("/desk"), browser.get("/desk/settings")]
    browser.who = player(first)
    shown += [
        browser.do("confirm", "abcdefgi", match="1", to="/me"),
        browser.do("list", "abcdefgj", text="x", to="/me"),
        browser.get("/desk"),
    ]
    browser.who = NOBODY
    shown += [browser.get(path) for path in ("/desk", "/judge", "/me", "/join", "/nothing")]
    shown += [browser.do("report", "abcdefgk", match="1", outcome="win")]
    shown += [browser.get(path) for path in ("/bracket", "/bracket?player=p9", "/screen/1")]
    assert "Ctrl-C" in text_of(browser.get("/desk").text) or "tourney serve" in shown[6].text
    for answer in shown:
        assert "`" not in text_of(answer.text), answer.url


HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


def shown_as(text: str) -> str:
    return str(htpy.p[with_commands(text, line_reader().verbs)])


@pytest.mark.parametrize(
    ("command", "link"),
    [
        (
            "official add NAME --role ROLE",
            '<a href="desk/lines?form=appoint">Appoint an official</a>',
        ),
        ("report TABLE WINNER", "desk/lines?form=result"),
        ("disqualify 3 --reason WHY", "desk/lines?form=disqualify&amp;player=3"),
        ("rule 2/1 TEXT --result RESULT", "desk/lines?form=rule&amp;table=2%2F1"),
        ("cut --despite-dispute --reason WHY", "desk/lines?verb=cut"),
        ("links new WHO", "desk/players"),
        ("undo 1", "desk?line=undo%201"),
        ('register "BOB RAY" --namesake', "desk?line=register%20%22BOB%20RAY%22%20--namesake"),
    ],
)
def test_a_command_leads_to_where_an_official_carries_it_out(
    browser: Browser, command: str, link: str
) -> None:
    shown = shown_as(f"use `{command}`")
    assert link in shown
    (address,) = re.findall(r'href="([^"]*)"', shown)
    page = browser.get(f"/{address}".replace("&amp;", "&"))
    assert page.status_code == 200
    if "lines?" in address:
        assert 'name="form"' in page.text.partition('class="panel"')[2].partition("</section>")[0]


def test_what_no_page_takes_is_code() -> None:
    for command in ("serve --tls", "--fact wounds=4:3", "--overrules words", "nothing of it"):
        assert shown_as(f"`{command}`") == f"<p><code>{command}</code></p>"


# --- the way back


def test_undo_is_offered_only_for_an_act_that_can_be_undone(day: Desk, browser: Browser) -> None:
    """And the advice about one that cannot leads to the form that helps."""
    places = ("/desk", "/desk?part=")
    for path in places:
        assert 'value="undo"' not in browser.get(path).text, path
    refused = refusal_on(browser.line("undo").text)
    assert "appointing an official (event" in refused
    assert "cannot be undone" in refused
    assert 'href="desk/lines?form=appoint"' in refused
    done = browser.confirm(browser.line("note quiet"))
    assert 'value="undo"' in done.text.partition('data-key="said"')[2].partition("</div>")[0]
    for path in places:
        assert 'value="undo"' in browser.get(path).text, path
    browser.confirm(browser.line(form="undo"))
    for path in places:
        assert 'value="undo"' not in browser.get(path).text, path
    day.done("report", "1", f"#{day.seats(1)[0]}")
    assert 'value="undo"' in browser.get("/desk").text
    browser.who = official(2)
    assert 'value="undo"' not in browser.get("/desk").text, "this official has done nothing"


def test_undo_is_not_offered_where_later_acts_depend_on_it(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    with hall_open(official(1)) as browser:
        assert 'value="undo"' in browser.get("/desk").text
        first = desk.seats(1)[0]
        browser.who = player(first)
        assert browser.do("report", match="1", outcome="win", to="/me").status_code == 303
        browser.who = official(1)
        assert 'value="undo"' not in browser.get("/desk").text
        assert "play has begun" in refusal_on(browser.line("undo").text)


# --- a form that is sent again


TICK = re.compile(r'<input type="checkbox" name="namesake" value="--namesake"[^>]*>')


def test_another_person_of_the_same_name_is_registered_by_a_tick(day: Desk) -> None:
    """The form has it only after that refusal, with all that was typed."""
    name = "Ann Lee"
    day.done("rename", "#1", name)
    at, fields = "/desk/players", {"name": name.upper(), "faction": "Crab", "league": "L-7"}
    with hall_open(official(1)) as browser:
        assert not TICK.search(browser.get(at).text)
        page = browser.line(form="register-player", at=at, **fields).text
        refused = without_isolates(refusal_on(page))
        assert f"is already registered ({name} (#1))" in refused, "officials read whole names"
        assert "--namesake" not in refused
        assert "tick “Another person of the same name”" in refused
        (box,) = TICK.findall(page)
        assert "checked" not in box
        form = page.partition('value="register-player"')[2].partition("</form>")[0]
        assert box in form
        for field, value in fields.items():
            assert re.search(rf'name="{field}"[^>]* value="{value}"', form), field
        ticked = {**fields, "namesake": "--namesake"}
        taken = browser.line(form="register-player", at=at, **{**ticked, "league": "L-8"})
        browser.confirm(taken)
        again = browser.line(form="register-player", at=at, **{**ticked, "league": "L-8"}).text
        assert "league id" in refusal_on(again)
        (box,) = TICK.findall(again)
        assert "checked" in box, "what was ticked stays ticked"
        other = browser.line(form="register-player", at=at, name="Zoe", league="L-8").text
        assert not TICK.search(other), "nobody else is called so"
    (last,) = (each for each in day.done("list", "--json").json if each["league_id"] == "L-8")
    assert (last["name"], last["faction"]) == (name.upper(), "Crab")


@pytest.mark.parametrize("at", ["/desk", "/judge"])
def test_a_request_of_the_same_name_is_accepted_by_a_tick(day: Desk, at: str) -> None:
    (name,) = (each["name"] for each in day.done("list", "--json").json if each["player"] == 1)
    asked = [
        day.done("requests", "add", each, "--json").json["events"][0]["seq"]
        for each in (name, "Zoe Quinn")
    ]
    with hall_open(official(1)) as browser:
        assert not TICK.search(browser.get(at).text)
        page = browser.line(form="approve", request=str(asked[0]), at=at).text
        assert "tick “Another person of the same name”" in refusal_on(page)
        (place,) = (match.start() for match in TICK.finditer(page))
        form = page[page.rindex("<form", 0, place) : place]
        assert f'name="request" value="{asked[0]}"' in form
        fields = {"request": str(asked[0]), "namesake": "--namesake"}
        browser.confirm(browser.line(form="approve", at=at, **fields))
    assert [each["name"] for each in day.done("list", "--json").json].count(name) == 2


def test_a_name_is_corrected_to_that_of_another_person_by_a_tick(day: Desk) -> None:
    (name,) = (each["name"] for each in day.done("list", "--json").json if each["player"] == 1)
    at, fields = "/desk/players?player=2", {"player": "#2", "name": name}
    with hall_open(official(1)) as browser:
        page = browser.line(form="rename", at=at, **fields).text
        assert len(TICK.findall(page)) == 1
        browser.confirm(browser.line(form="rename", at=at, namesake="--namesake", **fields))
    assert [each["name"] for each in day.done("list", "--json").json].count(name) == 2


def field_of(page: str, form: str, name: str) -> str:
    """The value that a field of a form is filled in with."""
    inside = page.partition(f'value="{form}"')[2].partition("</form>")[0]
    (field,) = re.findall(rf'<input[^>]*name="{name}"[^>]*>', inside)
    value = re.search('value="([^"]*)"', field)
    return value[1] if value else ""


def test_a_correction_begins_with_what_is_on_record(day: Desk) -> None:
    day.done("amend", "#2", "--faction", "Crab", "--league-id", "L-7")
    (name,) = (each["name"] for each in day.done("list", "--json").json if each["player"] == 2)
    at = "/desk/players?player=2"
    with hall_open(official(1)) as browser:
        page = browser.get(at).text
        assert field_of(page, "rename", "name") == name
        assert field_of(page, "amend", "faction") == "Crab"
        assert field_of(page, "amend", "league") == "L-7"
        refused = browser.line(form="rename", player="#2", name="", at=at).text
        assert field_of(refused, "rename", "name") == "", "what was sent stays"
        fields = {"player": "#2", "faction": "", "league": "L-9", "attribute": ""}
        browser.confirm(browser.line(form="amend", at=at, **fields))
        assert field_of(browser.get(at).text, "amend", "faction") == ""
    (row,) = (each for each in day.done("list", "--json").json if each["player"] == 2)
    assert (row["faction"], row["league_id"]) == ("", "L-9")


@pytest.mark.parametrize(
    ("game", "example"),
    [("l5r", ""), ("swiss", ""), ("legion", ""), ("ashes", "wounds=12:8"), ("mtg", "games=1:1")],
)
def test_numbers_of_a_game_are_asked_for_only_where_an_ended_game_has_some(
    desk: Desk, game: str, example: str
) -> None:
    """Penalties, drops and disqualifications, with an example that the game understands."""
    desk.open(2, "custom", "--rounds", "3", ruleset=game)
    pages = ("/desk/players?player=1", "/judge", "/judge/player/p1", "/desk/lines?form=penalty")
    with hall_open(official(1)) as browser:
        for path in pages:
            page = browser.get(path).text
            assert ('name="fact"' in page) == bool(example), path
            assert ("Of the game in play" in page) == bool(example), path
            assert example in page, path
            assert game == "ashes" or "wounds" not in page, path
        if game == "mtg":
            desk.done("pair")
            desk.done("round", "start")
            fields = {"player": "#1", "kind": "match-loss", "reason": "late", "fact": example}
            answer = browser.line(form="penalty", **fields)
            assert "This would be recorded" in answer.text, refusal_on(answer.text)


# --- an act that was shown, and not confirmed


NOT_RECORDED = re.compile(r'aria-label="Not recorded">(.*?)</section>', re.DOTALL)


def next_of(browser: Browser, page: str, **fields: str) -> str:
    """Post the form of a new player as this page has it; return the next page."""
    form = page.rpartition('name="form" value="register-player"')[2].partition("</form>")[0]
    carried = {name: unescape(value) for name, value in HIDDEN.findall(form)}
    data = {"form": "register-player", **carried, **fields}
    return without_isolates(browser.post("/line", data=data, headers={"origin": HERE}).text)


def test_an_act_that_is_left_unconfirmed_is_named_until_it_is_recorded(desk: Desk) -> None:
    """With the way back; also after the next act is recorded or refused."""
    desk.open(2)
    with hall_open(official(1)) as browser:
        page = browser.get("/desk/players").text
        page = next_of(browser, page, name="Bob Raye", faction="Crab")
        assert not NOT_RECORDED.search(page), "it is shown, and asked for"
        page = next_of(browser, page, name="Zoe Quinn")
        (left,) = NOT_RECORDED.findall(page)
        assert "Not recorded: <strong>Register: Crab, Bob Raye</strong>" in left
        refused = next_of(browser, page, name="player 01")
        assert "is already registered" in refused
        (both,) = NOT_RECORDED.findall(refused)
        assert [name in both for name in ("Bob Raye", "Zoe Quinn")] == [True, True]
        (do_it,) = re.findall(r'<form method="post" action="line">(.*?)</form>', page, re.DOTALL)
        data = {name: unescape(value) for name, value in HIDDEN.findall(do_it)}
        landed = without_isolates(browser.post("/line", data=data, headers={"origin": HERE}).text)
        assert "registered Zoe Quinn" in landed
        (left,) = NOT_RECORDED.findall(landed)
        assert "Zoe" not in left
        back = {name: unescape(value) for name, value in HIDDEN.findall(left)}
        assert back["name"] == "Bob Raye"
        again = browser.post("/line", data=back, headers={"origin": HERE})
        assert "This would be recorded" in again.text
        assert not NOT_RECORDED.search(again.text)
        done = browser.confirm(again).text
        assert not NOT_RECORDED.search(done)
        assert not NOT_RECORDED.search(browser.get("/desk/players").text)
    names = [row["name"] for row in desk.done("list", "--json").json]
    assert names[2:] == ["Zoe Quinn", "Bob Raye"]


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize("left", ["[", "[1]", "x" * 300, '[{"line": 1}]'])
def test_an_address_with_something_else_in_it_shows_the_page(left: str) -> None:
    with hall_open(official(1)) as browser:
        answer = browser.get("/desk", params={"left": left})
        assert answer.status_code == 200
        assert not NOT_RECORDED.search(answer.text)


@pytest.mark.usefixtures("day")
def test_an_address_confirms_nothing() -> None:
    """What it names is shown again, and asked for."""
    left = '[{"line": "note x", "confirmed": "1", "words": "[]"}]'
    with hall_open(official(1)) as browser:
        (shown,) = NOT_RECORDED.findall(browser.get("/desk", params={"left": left}).text)
        assert "confirmed" not in shown
        assert 'name="words"' not in shown


def test_many_acts_that_are_left_make_no_address_too_long(desk: Desk) -> None:
    """The latest of them are named after the next act lands."""
    desk.open(2)
    with hall_open(official(1)) as browser:
        page = browser.get("/desk/players").text
        for number in range(6):
            page = next_of(browser, page, name=f"Person With A Long Name {number}")
        (do_it,) = re.findall(r'<form method="post" action="line">(.*?)</form>', page, re.DOTALL)
        data = {name: unescape(value) for name, value in HIDDEN.findall(do_it)}
        landed = browser.post("/line", data=data, headers={"origin": HERE})
        assert landed.status_code == 200
        (left,) = NOT_RECORDED.findall(landed.text)
        assert "Person With A Long Name 4" in left
