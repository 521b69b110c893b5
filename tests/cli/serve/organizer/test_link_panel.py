"""Links on the organizer's pages: who sees one, who issues one, and where it leads."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

import htpy
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.render.elements import told
from cli.serve.pages.organizer.links import NO_PHONES, base_for
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, WIFI, hall_open, official, player

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, and a judge besides the organizer."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    return desk


def test_a_judge_sees_no_link_that_another_official_issued(day: Desk, browser: Browser) -> None:
    """Whoever sees a link can act as its holder: each showing is on record as an issuing."""
    (link,) = day.done("links", "print", "#3", "--address", HERE, "--json").json["links"]
    at = "/desk/players?player=3"
    assert link["code"] in browser.get(at).text
    browser.who = official(2)
    page = browser.get(at).text
    assert link["code"] not in page
    assert "only they and the organizer can see it" in page
    for path in ("/desk/print/badge/p3", "/desk/print/badges"):
        answer = browser.get(path)
        assert answer.status_code == HTTPStatus.FORBIDDEN, path
        assert link["code"] not in answer.text
        assert "issue new links" in answer.text
    before = len(day.log().splitlines())
    carried = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', page))
    data = {**carried, "of": "p3", "at": at}
    shown = browser.post("/desk/links", data=data, headers={"origin": HERE}).text
    (code,) = re.findall(r'class="typed">([A-Z2-9-]{19})<', shown)
    assert code != link["code"]
    assert code in browser.get("/desk/print/badge/p3").text
    (issued,) = day.log().splitlines()[before:]
    assert '"type":"LinkIssued"' in issued
    assert '"by":"o2"' in issued
    browser.who = official(1)
    assert code in browser.get(at).text
    day.done("links", "new", "e1", "s1", "--address", HERE, "--json")
    browser.who = official(2)
    for of in ("e1", "s1"):
        assert "big-code" in browser.get(f"/desk/settings?link={of}").text, of


def test_a_link_that_is_not_there_says_what_it_is_for(browser: Browser) -> None:
    page = browser.get("/desk/settings?link=e1").text
    assert "No link for registration yet." in page
    assert "players ask on their own phones to be registered" in page
    assert "Issue a link" in page
    assert "No link for screen 3 yet." in browser.get("/desk/settings?link=s3").text
    assert "the player&#39;s own page" in browser.get("/desk/players?player=3").text


def test_players_leads_to_the_code_for_phones_while_registration_is_possible(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    way = '<a href="desk/settings?link=e1">Let players register with their phones</a>'
    with hall_open(official(1)) as browser:
        assert way in browser.get("/desk/players").text
        assert 'id="link"' in browser.get("/desk/settings?link=e1").text
        desk.done("pair")
        assert way not in browser.get("/desk/players").text, "the last round is paired"


def test_a_link_is_issued_and_shown_to_who_may_see_it(day: Desk, browser: Browser) -> None:
    at = "/desk/players?player=3"
    carried = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', browser.get(at).text))
    data = {**carried, "of": "p3", "at": at}
    answer = browser.post("/desk/links", data=data, headers={"origin": HERE})
    assert answer.url.path == "/desk/players"
    shown = answer.text
    assert "big-code" in shown
    (code,) = re.findall(r'class="typed">([A-Z2-9-]{19})<', shown)
    (link,) = day.done("links", "print", "#3", "--address", HERE, "--json").json["links"]
    assert link["code"] == code
    browser.who = official(2)
    assert "cannot see the link" in browser.get("/desk/settings?link=o1").text
    refused = browser.post(
        "/desk/links", data={**data, "id": "ijklmnop", "of": "o1"}, headers={"origin": HERE}
    )
    assert refused.status_code == HTTPStatus.CONFLICT
    browser.who = player(1)
    assert browser.post("/desk/links", data=data, headers={"origin": HERE}).status_code == 401


@pytest.mark.parametrize(
    ("asked", "of", "where"),
    [
        ("http://127.0.0.1:8600/", "p3", "http://192.0.2.7:8600"),
        ("http://hall.example/", "p3", "http://hall.example"),
        ("https://192.0.2.7:8601/", "p3", "http://192.0.2.7:8600"),
        ("https://192.0.2.7:8601/", "o2", "https://192.0.2.7:8601"),
        ("http://127.0.0.1:8600/", "o2", "https://192.0.2.7:8601"),
    ],
)
def test_a_link_leads_to_an_address_that_its_holder_can_open(
    browser: Browser, asked: str, of: str, where: str
) -> None:
    hall = browser.hall
    hall.public_address = lambda: "http://192.0.2.7:8600/"
    hall.private_address = "https://192.0.2.7:8601/"
    assert base_for(hall, asked, of) == where
    hall.public_address, hall.private_address = str, ""
    assert base_for(hall, asked, of) == asked.rstrip("/")


def test_the_answer_to_a_form_shows_the_same_link_and_address(day: Desk, browser: Browser) -> None:
    day.done("links", "print", "#3", "--address", HERE, "--json")
    at = "/desk/settings?link=p3"
    page = browser.get(at).text
    carried = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', page))
    data = {**carried, "at": at, "line": "drop #4"}
    answer = browser.post("/line", data=data, headers={"origin": HERE}).text
    assert "This would be recorded" in answer
    for text in (
        *re.findall(r'class="typed">[A-Z2-9-]{19}<', page),
        str(htpy.fragment[told(NO_PHONES)]),
    ):
        assert text in page
        assert text in answer


def test_a_link_is_never_sent_where_others_hear_it(day: Desk) -> None:
    day.done("links", "print", "#3", "--address", HERE, "--json")
    with hall_open(official(1)) as browser:
        browser.base_url = WIFI
        for path in ("/desk/players?player=3", "/desk/print/badges", "/desk/print/badge/p3"):
            answer = browser.get(path)
            assert "/in#" not in answer.text
            assert "over TLS" in answer.text


def test_missing_links_are_issued_with_an_answer(day: Desk, browser: Browser) -> None:
    day.done("links", "new", "#1", "--address", HERE, "--json")
    for answer in ("issued link 2 to", "already on record; nothing was written"):
        page = browser.get("/desk/players").text
        carried = dict(re.findall(r'name="(id|at|seen)" value="([^"]*)"', page))
        data = {**carried, "of": "all"}
        shown = browser.post("/desk/links", data=data, headers={"origin": HERE})
        assert shown.url.path == "/desk/players"
        assert answer in shown.text
