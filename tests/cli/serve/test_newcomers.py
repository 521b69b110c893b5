"""Who is not in the event yet: they ask by its link, and may do nothing else with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, opened, sign_in
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk

STRANGE = '<script>alert("x")</script>\x1b[31m Quinnowska'
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


@typed_once
def day(desk: Desk) -> Desk:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in ("Ann", "Ben"):
        desk.done("register", name)
    return desk


@pytest.fixture
def phone(day: Desk) -> Iterator[TestClient]:
    """A browser that opened the link of the event."""
    (link,) = day.done("links", "print", "e1", "--json").json["links"]
    asking = TestClient(app_of(opened()), base_url=HERE, client=LOOPBACK, follow_redirects=False)
    with asking:
        secret = link["address"].partition("#")[2]
        answer = sign_in(asking, secret)
        assert (answer.status_code, answer.json()["to"]) == (200, "/join")
        yield asking


def ask(phone: TestClient, name: str, **more: str) -> Response:
    """Fill the form in as it stands on the page."""
    hidden = dict(FIELD.findall(phone.get("/join").text))
    data = {**hidden, "name": name, **more}
    return phone.post("/do/join", data=data, headers={"origin": HERE})


def test_who_asks_waits_at_the_desk_and_is_registered(day: Desk, phone: TestClient) -> None:
    answer = ask(phone, STRANGE, faction="Crane")
    assert (answer.status_code, answer.headers["location"]) == (303, "/join?asked=1")
    assert "The desk has your name" in phone.get("/join?asked=1").text
    (waiting,) = day.done("requests", "--json").json
    assert (waiting["name"], waiting["faction"]) == (STRANGE, "Crane")
    assert b"Quinnowska" not in (day.folder / "tourney.db").read_bytes()
    assert "over link 1" in "".join(day.done("log").out.splitlines()[-2:])
    day.done("requests", "approve", str(waiting["request"]))
    assert "Quinnowska" in day.done("list").out
    day.done("verify")


def test_the_link_of_the_event_does_nothing_else(day: Desk, phone: TestClient) -> None:
    before = day.log()
    for name, fields in (
        ("check-in", {"player": "1"}),
        ("leave", {"player": "1"}),
        ("report", {"match": "1", "outcome": "win"}),
        ("list", {"player": "1", "text": "x"}),
    ):
        data = {"id": "abcdefgh", **fields}
        assert phone.post(f"/do/{name}", data=data, headers={"origin": HERE}).status_code == 401
    for command in (
        {"type": "AskRegistration", "name": "Zoe"},
        {"type": "RegisterPlayers", "entries": [{"name": "Zoe"}]},
    ):
        value = {"id": "abcdefgh", "command": command}
        answer = phone.post("/api/v1/acts", json=value, headers={"origin": HERE})
        assert answer.status_code == 401
    assert phone.get("/me").status_code == 401
    assert day.log() == before
    assert "belong to link 1" in day.refused("register", "Zoe", "--id", "w1-abcdefgh").err


def test_without_the_link_nobody_asks(phone: TestClient) -> None:
    phone.cookies.clear()
    assert phone.get("/join").status_code == 401
    data = {"id": "abcdefgh", "name": "Zoe"}
    assert phone.post("/do/join", data=data, headers={"origin": HERE}).status_code == 401


def test_a_link_that_is_revoked_takes_no_more(day: Desk, phone: TestClient) -> None:
    assert ask(phone, "Zoe").status_code == 303
    hidden = dict(FIELD.findall(phone.get("/join").text))
    day.done("links", "revoke", "e1")
    data = {**hidden, "name": "Yan"}
    answer = phone.post("/do/join", data=data, headers={"origin": HERE})
    assert answer.status_code in (401, 409)
    assert len(day.done("requests", "--json").json) == 1


def test_what_is_wrong_is_said_on_the_form(phone: TestClient) -> None:
    answer = ask(phone, "   ", league_id="<b>")
    assert answer.status_code == 409
    assert "a name must not be empty" in answer.text
    assert 'value="&lt;b&gt;"' in answer.text


@pytest.mark.slow
def test_no_hostile_name_is_markup_or_breaks_the_form(day: Desk, phone: TestClient) -> None:
    names = [name for name in texts_to_try() if name.strip()]
    taken = 0
    for first in range(0, 300, 5):  # a phone has at most five open requests
        for name in names[first : first + 5]:
            answer = ask(phone, name)
            assert answer.status_code in (303, 409), name
            if answer.status_code == 409:
                inside = answer.text[answer.text.index("<main") :]
                assert "<script" not in inside
        taken += len(day.done("requests", "--json").json)
        assert "\x1b" not in day.done("requests").out
        day.done("requests", "refuse", "--all", "--reason", "the room is full")
    assert taken > 250
