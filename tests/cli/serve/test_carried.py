"""A player's act as a code that the desk scans: theirs alone, once, and no more than they may."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from cli.serve.visitors import Visitor
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

ID = "abcdefgh12345678"


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("links", "print", "-o", "badges.html", "--address", HERE)
    return desk


@pytest.fixture
def hall(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open(official(1)) as browser:
        yield browser


def phone_of(browser: Browser, day: Desk, number: int) -> dict[str, str]:
    """What a player's browser marks codes with."""
    found = day.done("links", "--json").json
    link = next(each["link"] for each in found if each["of"] == f"p{number}")
    before, browser.who = browser.who, Visitor(f"p{number}", player=number, link=link)
    value: dict[str, str] = browser.get("/api/v1/carry").json()
    browser.who = before
    return value


def code(phone: dict[str, str], form: str = "report", **fields: object) -> str:
    said = urlencode({"do": form, "link": phone["link"], "id": ID, **fields})
    mark = hmac.digest(bytes.fromhex(phone["key"]), said.encode(), "sha256").hex()[:32]
    return f"{said}&mark={mark}"


def first_at(day: Desk, table: int) -> int:
    return day.seats(table)[0]


def enter(browser: Browser, held: str) -> Response:
    data, headers = {"act": held}, {"origin": HERE}
    return browser.post("/carried", data=data, headers=headers, follow_redirects=False)


def test_the_desk_enters_what_a_players_phone_shows(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    held = code(phone_of(hall, day, number), match=1, outcome="win")
    page = hall.get(f"/carried?{held}")
    assert page.status_code == 200
    assert f"From the phone of player {number}" in page.text
    assert "10-1" in page.text
    before = day.log()
    assert enter(hall, held).status_code == 303
    line = day.log().removeprefix(before)
    assert f'"by":"o1/p{number}"' in line
    assert "entered already" in hall.get(f"/carried?{held}").text
    assert f'"id":"w{number}-{ID}"' in line


def test_it_lands_once_whichever_is_first(day: Desk, hall: Browser) -> None:
    """The phone sends it as well, before the desk scans it or after."""
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    player = Visitor(f"p{number}", player=number, link=int(phone["link"]))
    assert enter(hall, held).status_code == 303
    after = day.log()
    hall.who = player
    assert hall.do("report", ID, match="1", outcome="win", to="/").status_code == 303
    assert day.log() == after
    other = hall.do("report", ID, match="1", outcome="loss", to="/")
    assert other.status_code == 409
    assert day.log() == after
    second = first_at(day, 2)
    phone = phone_of(hall, day, second)
    hall.who = Visitor(f"p{second}", player=second, link=int(phone["link"]))
    assert hall.do("report", ID, match="2", outcome="win", to="/").status_code == 303
    after, hall.who = day.log(), official(1)
    held = code(phone, match=2, outcome="win")
    assert "entered already" in hall.get(f"/carried?{held}").text
    assert enter(hall, held).status_code in {303, 409}
    assert day.log() == after


def test_a_code_that_is_not_theirs_is_refused(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    other = phone_of(hall, day, first_at(day, 2))
    wrong = [
        held.replace("outcome=win", "outcome=loss"),
        held.replace(f"link={phone['link']}", f"link={other['link']}"),
        held[:-1] + ("0" if held[-1] != "0" else "1"),
        held.partition("&mark=")[0],
        code(other, match=1, outcome="win"),  # another table's
        code(phone | {"link": "9999"}, match=1, outcome="win"),
        code(phone, "nothing", match=1),
        "",
        "\udcff",
        "do=report&link=\u0663&id=abcdefgh&mark=" + "0" * 32,
        f"do=report&link={'9' * 5_000}&id=abcdefgh&mark=" + "0" * 32,
        f"{held.partition('&mark=')[0]}&mark=\u00e9",
    ]
    before = day.log()
    for each in wrong:
        data = each.encode("utf-8", "surrogateescape").decode("latin-1")
        answer = enter(hall, data)
        assert answer.status_code in {400, 403, 404, 409}, each
        assert 'role="alert"' in answer.text
    assert day.log() == before
    day.done("links", "revoke", f"#{number}", "--reason", "badge lost")
    assert enter(hall, held).status_code == 403
    assert "ended since" in enter(hall, held).text


def test_only_an_official_enters_it_and_only_what_the_player_may(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    before = day.log()
    for who in (Visitor(), Visitor(f"p{number}", player=number, link=int(phone["link"]))):
        hall.who = who
        assert hall.get(f"/carried?{held}").status_code == 401
        assert enter(hall, held).status_code == 401
    assert day.log() == before
    hall.who = official(1)
    elsewhere = code(phone, match=2, outcome="win")  # the desk may report there, this player not
    assert enter(hall, elsewhere).status_code == 409
    assert day.log() == before


def test_only_a_players_browser_is_given_what_marks_codes(day: Desk, hall: Browser) -> None:
    del day
    assert hall.get("/api/v1/carry").status_code == 204
    hall.who = Visitor()
    assert hall.get("/api/v1/carry").status_code == 204
