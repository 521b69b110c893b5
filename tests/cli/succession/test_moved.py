"""The code of an address, the answer to pages of another address, and who is let in there."""

from __future__ import annotations

import hmac
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.machine.keyring import LOG, key_path, unlocked
from cli.serve.app import app_of
from cli.serve.door.guard import MOVING_POLICY, POLICY, is_left_open
from cli.serve.door.moved import address_text
from cli.serve.parts import PARTS
from cli.serve.ports import server
from cli.serve.ports.numbers import _TYPED as TYPED
from cli.serve.ports.numbers import check_letters, code_for_phones, typed_address
from cli.verbs.day.report import line_reader
from ledger.books.links import acts_key
from ledger.proof.formats import is_signed, unbase64
from tests.support.cli_desk import typed_once
from tests.support.hall import LOOPBACK, WIFI, Phone, first_round, opened, secret_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk

NEW = "http://192.168.1.9:8600"
NEW_TLS = "https://192.168.1.9:8601"
NONCE = "0123456789abcdef" * 2
WORD = "content-security-policy"

day = typed_once(first_round)


@pytest.fixture
def secrets(day: Desk) -> dict[str, str]:
    """Everybody's secret, by whose it is."""
    found = day.done("links", "print", "--json").json["links"]
    found += day.done("links", "print", "o1", "--json").json["links"]
    return {link["of"]: secret_of(link) for link in found}


@contextmanager
def phone_at(where: str = NEW) -> Iterator[Phone]:
    """Open a server of the tournament, as one that was started on another computer."""
    hall = opened()
    hall.public_address = lambda: f"{where}/"
    with Phone(app_of(hall), where) as phone:
        yield phone


def test_an_address_is_short_and_its_code_names_all_that_differs() -> None:
    assert typed_address("http://192.168.1.9:8600/") == "192.168.1.9-NF"
    assert typed_address("http://192.168.1.9:8600") == "192.168.1.9-NF"
    assert typed_address("https://Desk.example:8443/") == "https://desk.example:8443-ZB"
    assert code_for_phones("http://127.0.0.1:8600/") == code_for_phones("") == ""
    assert server.code_lines("http://127.0.0.1:8600/") == []
    (line,) = server.code_lines("http://192.168.1.9:8600/")
    assert line.endswith("192.168.1.9-NF")
    lines = server.lines_for(["http://192.168.1.9:8600/"], None, "http://192.168.1.9:8600/")
    assert line in lines


@pytest.mark.parametrize(
    "short", ["192.168.1.9", "10.0.0.255:65535", "https://a-long.name.example:1"]
)
def test_every_single_error_and_every_swap_of_neighbours_changes_the_check(short: str) -> None:
    right = check_letters(short)
    for place, letter in enumerate(short):
        rest = short[place + 1 :]
        for other in TYPED.replace(letter, ""):
            assert check_letters(short[:place] + other + rest) != right
        if rest and rest[0] != letter:
            assert check_letters(short[:place] + rest[0] + letter + rest[1:]) != right


def asked(phone: Phone, origin: str = WIFI, nonce: str = NONCE, kept: int = 5) -> Response:
    path = f"/api/v1/moved?kept={kept}&nonce={nonce}"
    answer: Response = phone.get(path, headers={"origin": origin})
    return answer


def test_the_desk_signs_the_address_of_its_code_and_no_other(day: Desk) -> None:
    del day
    with phone_at() as phone:
        answer = asked(phone)
        value = answer.json()
        phone.base_url = "http://192.168.1.66:8600"  # a stranger's, who passes on what is asked
        passed_on = asked(phone).json()
    assert value["address"] == passed_on["address"] == f"{NEW}/"
    stream = value["log"]["origin"].removeprefix("tourney/")
    key = unlocked(key_path(LOG, stream)).key.public
    signature = unbase64(value["sig"])
    text = address_text(stream, value["address"], NONCE)
    assert is_signed(key, signature, text)
    for address, nonce in ((f"{NEW}0/", NONCE), (value["address"], NONCE[::-1])):
        assert not is_signed(key, signature, address_text(stream, address, nonce))
    assert value["log"]["signed_in"] is False
    assert value["log"]["proof"]


def test_a_desk_that_cannot_sign_or_has_no_address_signs_none(day: Desk) -> None:
    del day
    hall = opened()
    with Phone(app_of(hall), NEW) as phone:
        assert asked(phone).json()["sig"] == ""
    key_path(LOG, hall.event).unlink()
    with phone_at() as phone:
        assert asked(phone).json()["sig"] == ""


def test_pages_of_halls_read_it_and_no_site_of_the_internet(secrets: dict[str, str]) -> None:
    word = "access-control-allow-origin"
    with phone_at() as phone:
        phone.enter(secrets["p1"])
        for origin in (WIFI, "http://desk.local:8600", "http://[fe80::1]:8600", "http://localhost"):
            answer = asked(phone, origin)
            assert answer.headers[word] == origin
            assert answer.json()["log"]["signed_in"] is False
        strange = ("http://[", "http://]", "http://[::1", "http://a@192.168.1.7", "//192.168.1.7")
        sites = ("https://evil.example", "null", "", "http://192.168.1.7.evil.example")
        for origin in (*sites, *strange):
            assert word not in asked(phone, origin).headers
        for path in (
            "/api/v1/witness?kept=5",
            "/api/v1/carry",
            "/api/v1/nonce",
            "/me",
            "/pairings",
        ):
            assert word not in phone.get(path, headers={"origin": WIFI}).headers
        assert asked(phone, nonce="0").status_code == asked(phone, nonce="").status_code == 400
        assert phone.get(f"/api/v1/moved?nonce={NONCE}").status_code == 400


def test_only_pages_that_people_leave_open_may_ask_elsewhere(secrets: dict[str, str]) -> None:
    with phone_at() as phone:
        phone.enter(secrets["p1"])
        for path in ("/", *(f"/{name}" for name in PARTS), "/me", "/me/list", "/desk", "/desk/x"):
            assert phone.get(path).headers[WORD] == MOVING_POLICY, path
        others = ("/in", "/head", "/screen/1", "/clause/X", "/join", "/static/hall.js")
        for path in (*others, "/api/v1/me", "/no", "/mean", "/me2", "/desks", "/judge2"):
            assert phone.get(path).headers[WORD] == POLICY, path
    assert not is_left_open("/e/12345678/desk")
    assert MOVING_POLICY.count("http:") == 1
    assert "script-src 'self';" in MOVING_POLICY


def held(phone: Phone, key: bytes, of: Phone, *, nonce: str = "", **more: str) -> Response:
    """Sign in as a browser does that comes from another address."""
    nonce = nonce or phone.get("/api/v1/nonce").json()["nonce"]
    proof = hmac.digest(key, nonce.encode(), "sha256").hex()
    data = {"held": f"{of.link}.{of.browser}", "nonce": nonce, "proof": proof, **more}
    answer: Response = phone.post("/in", data=data, headers={"origin": phone.where})
    return answer


def key_of(phone: Phone) -> bytes:
    return acts_key(phone.secret, phone.log, phone.link, phone.browser)


def who(phone: Phone) -> str:
    return str(phone.get("/api/v1/me").json()["by"])


@contextmanager
def both(secret: str) -> Iterator[tuple[Phone, Phone]]:
    """A phone that signed in at the former address, and the same phone at the new one."""
    with phone_at(WIFI) as old, phone_at() as new:
        assert old.enter(secret).status_code == 200
        yield old, new


def test_a_browser_is_let_in_by_the_key_that_it_kept(day: Desk, secrets: dict[str, str]) -> None:
    with both(secrets["p1"]) as (old, new):
        asking = held(new, key_of(old), old, ask="1")
        assert asking.json() == {"by": "p1", "name": "Ann"}
        assert "set-cookie" not in asking.headers
        assert who(new) == ""
        answer = held(new, key_of(old), old)
        assert answer.status_code == 200
        assert {name: answer.json()[name] for name in ("by", "link", "browser", "log")} == {
            "by": "p1",
            "link": old.link,
            "browser": old.browser,
            "log": old.log,
        }
        assert who(new) == "p1"
        fields = {"id": "called-once", "reason": "a question", "to": "/me", "at": "/me"}
        assert new.post("/do/call", data=fields, headers={"origin": NEW}).status_code == 401
        new.secret, new.log, new.link, new.browser = old.secret, old.log, old.link, old.browser
        for phone in (new, old, new):
            assert phone.marked("/do/call", fields).status_code == 303
    assert day.log().count('"reason"') >= 1
    assert sum('"JudgeCalled"' in line for line in day.log().splitlines()) == 1


def test_no_other_key_link_or_nonce_lets_anybody_in(secrets: dict[str, str]) -> None:
    with both(secrets["p1"]) as (old, new), phone_at(WIFI) as other:
        other.enter(secrets["p2"])
        mixed = Phone(new.app, NEW)
        others = (other.link, old.browser), (old.link, other.browser), (99, old.browser)
        for link, browser in others:
            mixed.link, mixed.browser = link, browser
            assert held(new, key_of(old), mixed).status_code >= 400
        assert held(new, key_of(other), old).status_code == 409
        assert held(new, b"", old).status_code == 409
        for text in ("", "x", "1.2", f"{old.link}.{old.browser}.x", f"0.{old.browser}"):
            assert held(new, key_of(old), old, held=text).status_code == 400
        nonce = new.get("/api/v1/nonce").json()["nonce"]
        assert held(new, key_of(old), old, nonce=nonce).status_code == 200
        new.cookies.clear()
        assert held(new, key_of(old), old, nonce=nonce).status_code == 409, "a nonce is good once"
        nonce = old.get("/api/v1/nonce").json()["nonce"]
        assert held(new, key_of(old), old, nonce=nonce).status_code == 409, "of another server"
        assert who(new) == ""


@pytest.mark.parametrize("more", [{"ask": "1"}, {"ask": "1", "code": "ABCD-EFGH-JKLM-NPQR"}])
def test_a_listener_cannot_sign_in_by_the_proof_of_a_question(
    secrets: dict[str, str], more: dict[str, str]
) -> None:
    """The question crosses the open network; a listener has the TLS port, too."""
    with both(secrets["o1"]) as (old, new):
        listener = Phone(new.app, NEW_TLS)
        nonce = new.get("/api/v1/nonce").json()["nonce"]
        assert held(new, key_of(old), old, nonce=nonce, **more).json()["by"] == "o1"
        for again in ({}, more):
            assert held(listener, key_of(old), old, nonce=nonce, **again).status_code == 409
        assert who(listener) == ""


def test_a_code_that_was_typed_asks_for_no_browser(secrets: dict[str, str]) -> None:
    """Without a proof nobody comes from another address: the browser is a new one."""
    with phone_at(WIFI) as old, Phone(app_of(opened()), NEW_TLS) as new:
        old.enter(secrets["p1"])
        data = {"code": secrets["p1"], "held": f"{old.link}.{old.browser}", "ask": "1"}
        answer = new.post("/in", data=data, headers={"origin": NEW_TLS}, follow_redirects=False)
        assert "set-cookie" in answer.headers or answer.status_code >= 400


def test_a_browser_that_signed_out_or_whose_link_has_ended_stays_out(
    day: Desk, secrets: dict[str, str]
) -> None:
    with both(secrets["p1"]) as (old, new):
        assert old.wrap("/out", {}).status_code == 303
        answer = held(new, key_of(old), old)
        assert answer.status_code == 409
        assert "does not know this browser" in answer.json()["detail"]
    with both(secrets["p2"]) as (old, new):
        day.done("links", "revoke", "2")
        assert held(new, key_of(old), old).status_code == 409


def test_it_takes_no_further_place_of_the_link(secrets: dict[str, str]) -> None:
    """Five browsers of a link come to the new address one after the other, twice."""
    olds: list[Any] = []
    for _ in range(5):
        with phone_at(WIFI) as old:
            assert old.enter(secrets["p1"]).status_code == 200
            olds.append(old)
    for old in (*olds, *olds):
        with phone_at() as new:
            assert held(new, key_of(old), old).status_code == 200


def test_an_official_reads_over_plain_http_there_as_here(secrets: dict[str, str]) -> None:
    with both(secrets["o1"]) as (old, new):
        assert held(new, key_of(old), old).status_code == 200
        assert new.get("/api/v1/carry").json()["only_reads"] == "plain"
    with phone_at(WIFI) as old, Phone(app_of(opened()), "http://127.0.0.1:8600", LOOPBACK) as new:
        old.enter(secrets["o1"])
        assert held(new, key_of(old), old).status_code == 200
        assert new.get("/api/v1/carry").json()["only_reads"] == ""


def test_desk_settings_and_screens_show_the_code(secrets: dict[str, str]) -> None:
    hall = opened()
    hall.public_address = lambda: f"{NEW}/"
    with Phone(app_of(hall, reader=line_reader()), "http://127.0.0.1:8600", LOOPBACK) as desk:
        desk.enter(secrets["o1"])
        assert "192.168.1.9-NF" in desk.get("/desk/settings").text
        assert "192.168.1.9-NF" in desk.get("/screen/1").text
        assert "192.168.1.9-NF" not in desk.get("/desk").text, "nothing was taken over"
