"""A walk-in's own phone becomes theirs when the desk approves, and nobody else's."""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from cli.serve.app import app_of
from tests.support.cli_desk import typed_once
from tests.support.hall import A_PHONE, WIFI, Phone, hidden_in, opened, secret_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk


@typed_once
def day(desk: Desk) -> Desk:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "Ben")
    return desk


class Room(NamedTuple):
    """The hall's application, and the secret of the poster, which everybody in the room has."""

    app: Guard
    poster: str
    first: Phone

    def phone(self, host: str) -> Phone:
        """Return a phone that has opened the poster's link."""
        phone = Phone(self.app, WIFI, (host, 50_000))
        phone.portal = self.first.portal  # all phones are served in one loop
        assert phone.enter(self.poster).status_code == 200
        return phone


@pytest.fixture
def room(day: Desk) -> Iterator[Room]:
    (link,) = day.done("links", "print", "e1", "--json").json["links"]
    app = app_of(opened())
    with Phone(app, WIFI, A_PHONE) as first:
        yield Room(app, secret_of(link), first)


class Pair:
    """The keys that a phone draws."""

    def __init__(self) -> None:
        self.secret = X25519PrivateKey.generate()
        self.key = self.secret.public_key().public_bytes_raw().hex()
        self.id = sha256(self.key.encode()).hexdigest()[:24]

    def opened(self, answer: dict[str, Any]) -> str:
        """Open what the hall sealed; "" if it is not sealed to this phone."""
        point = X25519PublicKey.from_public_bytes(bytes.fromhex(answer["point"]))
        about = f"claim\n{answer['log']}\n{answer['request']}\n{self.key}\n{answer['point']}"
        key = hmac.digest(self.secret.exchange(point), about.encode(), "sha256")
        tag = hmac.digest(key, f"tag\n{answer['sealed']}".encode(), "sha256").hex()
        if tag != answer["tag"]:
            return ""
        mask = hmac.digest(key, b"mask", "sha256")
        sealed = bytes.fromhex(answer["sealed"])
        return bytes(one ^ other for one, other in zip(sealed, mask, strict=False)).decode()


def ask(phone: Phone, name: str, pair: Pair, **more: str) -> Response:
    fields = hidden_in(phone.get("/join").text, "join")
    data = {**fields, "name": name, "claim": pair.key, "id": pair.id, **more}
    return phone.wrap("/do/join", data)


def claim(phone: Phone, pair: Pair) -> Response:
    return phone.get(f"/api/v1/claim?key={pair.key}")


def approved(day: Desk) -> None:
    (waiting,) = (each for each in day.done("requests", "--json").json)
    day.done("requests", "approve", str(waiting["request"]))


def test_the_phone_becomes_the_players(day: Desk, room: Room) -> None:
    phone, pair = room.phone("192.168.1.23"), Pair()
    assert claim(phone, pair).status_code == 404
    assert ask(phone, "Zoe", pair).status_code == 303
    answer = claim(phone, pair).json()
    (waiting,) = day.done("requests", "--json").json
    assert (answer["state"], answer["request"]) == ("waiting", waiting["request"])
    assert answer["sealed"] == ""
    approved(day)
    answer = claim(phone, pair).json()
    assert answer["state"] == "sealed"
    secret = pair.opened(answer)
    assert secret not in str(answer)
    assert phone.enter(secret).json()["to"] == "/me"
    assert "Zoe" in phone.get("/me").text
    again = pair.opened(claim(phone, pair).json())
    assert again == secret
    assert len(re.findall(r"link \d+ for", day.done("log").out)) <= 2
    day.done("verify")


def test_a_stranger_gets_nothing_from_what_crosses_the_wire(day: Desk, room: Room) -> None:
    """The stranger has the poster, hears every request and answer, and sends what they like."""
    phone, stranger = room.phone("192.168.1.23"), room.phone("192.168.1.66")
    pair, theirs = Pair(), Pair()
    ask(phone, "Zoe", pair)
    ask(stranger, "Zoe", theirs, id=pair.id)  # the same request again, with another key
    assert claim(stranger, theirs).status_code == 404
    ask(stranger, "Mallory", pair)  # another request with the key that was heard
    approved(day)
    heard = claim(stranger, pair).json()
    assert theirs.opened(heard) == ""
    assert claim(stranger, theirs).status_code == 404
    assert phone.enter(pair.opened(claim(phone, pair).json())).status_code == 200
    assert stranger.get("/me").status_code == 401
    assert "Mallory" not in day.done("list").out


def test_a_request_without_a_key_is_not_claimed_later(day: Desk, room: Room) -> None:
    phone, stranger, theirs = room.phone("192.168.1.23"), room.phone("192.168.1.66"), Pair()
    fields = hidden_in(phone.get("/join").text, "join")
    assert fields["claim"] == ""
    phone.wrap("/do/join", {**fields, "name": "Zoe"})
    ask(stranger, "Zoe", theirs, id=fields["id"])
    approved(day)
    assert claim(stranger, theirs).status_code == 404


def test_a_refused_request_opens_nothing(day: Desk, room: Room) -> None:
    phone, pair = room.phone("192.168.1.23"), Pair()
    ask(phone, "Zoe", pair)
    (waiting,) = day.done("requests", "--json").json
    day.done("requests", "refuse", str(waiting["request"]), "--reason", "full")
    answer = claim(phone, pair).json()
    assert (answer["state"], answer["sealed"]) == ("refused", "")


def test_a_phone_that_was_lost_gets_no_further_link(day: Desk, room: Room) -> None:
    """A link that the desk replaced or revoked is not handed out again by the old key."""
    phone, pair = room.phone("192.168.1.23"), Pair()
    ask(phone, "Zoe", pair)
    approved(day)
    assert claim(phone, pair).json()["state"] == "sealed"
    number = next(
        each["player"] for each in day.done("list", "--json").json if each["name"] == "Zoe"
    )
    day.done("links", "new", f"#{number}")
    answer = claim(phone, pair).json()
    assert (answer["state"], answer["sealed"]) == ("badge", "")


def test_a_badge_that_was_printed_before_stays_valid(day: Desk, room: Room) -> None:
    phone, pair = room.phone("192.168.1.23"), Pair()
    ask(phone, "Zoe", pair)
    approved(day)
    number = next(
        each["player"] for each in day.done("list", "--json").json if each["name"] == "Zoe"
    )
    (badge,) = day.done("links", "print", f"#{number}", "--json").json["links"]
    assert pair.opened(claim(phone, pair).json()) == secret_of(badge)


@pytest.mark.parametrize("key", ["", "x", "0" * 64, "ff" * 33, "Z" * 64])
def test_a_key_that_is_none_is_refused(room: Room, key: str) -> None:
    phone = room.phone("192.168.1.23")
    assert phone.get(f"/api/v1/claim?key={key}").status_code == 400
    pair = Pair()
    pair.key = key
    pair.id = sha256(key.encode()).hexdigest()[:24]
    assert ask(phone, "Zoe", pair).status_code == 303
