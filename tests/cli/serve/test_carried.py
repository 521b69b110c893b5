"""A player's act as a code that the desk scans: theirs alone, once, and no more than they may."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from cli.serve.visitors import Visitor
from ledger.books.links import acts_key
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, Phone, hall_open, official, secret_of

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


def phone_of(browser: Browser, day: Desk, number: int) -> Phone:
    """A player's phone that is signed in, at the same hall."""
    (link,) = day.done("links", "print", f"#{number}", "--json").json["links"]
    phone = Phone(browser.app)
    phone.portal = browser.portal
    assert phone.enter(secret_of(link)).status_code == 200
    return phone


def code(phone: Phone, form: str = "report", **fields: object) -> str:
    who = {"link": phone.link, "browser": phone.browser}
    said = urlencode({"do": form, **who, "id": ID, **fields})
    return f"{said}&mark={phone.mark('/carried', said.encode(), ID, str(fields.get('seen', '')))}"


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
    assert "already entered" in hall.get(f"/carried?{held}").text
    assert f'"id":"w{number}-{ID}"' in line


def test_it_lands_once_whichever_is_first(day: Desk, hall: Browser) -> None:
    """The phone sends it as well, before the desk scans it or after."""
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    player = Visitor(f"p{number}", player=number, link=phone.link)
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
    hall.who = Visitor(f"p{second}", player=second, link=phone.link)
    assert hall.do("report", ID, match="2", outcome="win", to="/").status_code == 303
    after, hall.who = day.log(), official(1)
    held = code(phone, match=2, outcome="win")
    assert "already entered" in hall.get(f"/carried?{held}").text
    assert enter(hall, held).status_code in {303, 409}
    assert day.log() == after


def test_a_code_that_is_not_theirs_is_refused(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    other = phone_of(hall, day, first_at(day, 2))
    wrong = [
        held.replace("outcome=win", "outcome=loss"),
        held.replace(f"link={phone.link}", f"link={other.link}"),
        held[:-1] + ("0" if held[-1] != "0" else "1"),
        held.partition("&mark=")[0],
        code(other, match=1, outcome="win"),  # another table's
        held.replace(phone.browser, other.browser),
        held.replace(f"browser={phone.browser}", "browser=x"),
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
    assert "no longer valid" in enter(hall, held).text


def test_only_an_official_enters_it_and_only_what_the_player_may(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    before = day.log()
    for who in (Visitor(), Visitor(f"p{number}", player=number, link=phone.link)):
        hall.who = who
        assert hall.get(f"/carried?{held}").status_code == 401
        assert enter(hall, held).status_code == 401
    assert day.log() == before
    hall.who = official(1)
    elsewhere = code(phone, match=2, outcome="win")  # the desk may report there, this player not
    assert enter(hall, elsewhere).status_code == 409
    assert day.log() == before


def test_no_answer_has_what_codes_are_marked_with(day: Desk, hall: Browser) -> None:
    assert hall.get("/api/v1/carry").status_code == 204
    phone = phone_of(hall, day, 1)
    value = phone.get("/api/v1/carry").json()
    assert value["browser"] == phone.browser
    key = acts_key(phone.secret, phone.log, phone.link, phone.browser)
    assert "key" not in value
    assert key.hex() not in str(value)


def test_a_code_of_a_phone_that_signed_out_is_refused(day: Desk, hall: Browser) -> None:
    number = first_at(day, 1)
    phone = phone_of(hall, day, number)
    held = code(phone, match=1, outcome="win")
    phone.post("/out", data={"id": ID}, headers={"origin": phone.where})
    before = day.log()
    assert enter(hall, held).status_code == 403
    assert day.log() == before
