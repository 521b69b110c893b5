"""Whoever hears the room's Wi-Fi: sessions of every kind, sent again as they were or changed.

A listener has every byte that went over the air: cookies, nonces, proofs, marks, bodies. Nothing of
it lands an act, from any link, any browser, and through any proxy.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.verbs.day.report import line_reader
from ledger.books.links import acts_key
from tests.support.cli_desk import typed_once
from tests.support.files.format_lists import sample_list
from tests.support.hall import (
    A_PHONE,
    HERE,
    LOOPBACK,
    WIFI,
    Phone,
    hidden_in,
    opened,
    proof,
    secret_of,
    sign_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk

LISTENER = ("192.168.1.66", 50_000)
SECURE = HERE.replace("http", "https")


class Heard(NamedTuple):
    """A request as it went over the air."""

    path: str
    body: bytes
    headers: dict[str, str]

    def again(self, client: TestClient, **other: str) -> int:
        """Send it as it was, but for some headers."""
        headers = {**self.headers, **{name.replace("_", "-"): text for name, text in other.items()}}
        answer = client.post(self.path, content=self.body, headers=headers)
        return answer.status_code


class Air:
    """A listener beside the phones of a hall: hears what every one of them posts."""

    def __init__(self, app: Guard) -> None:
        self.app, self.heard = app, list[Heard]()

    def phone(self, portal: Any) -> Phone:  # noqa: ANN401 - anyio's
        """A phone that is listened to."""
        phone = Phone(self.app)
        phone.portal = portal
        phone.event_hooks = {"request": [self._hear]}
        return phone

    def _hear(self, request: Any) -> None:  # noqa: ANN401 - of the client's library
        kept = {"content-type", "cookie", "origin", "tourney-mark"}
        headers = {name: text for name, text in request.headers.items() if name in kept}
        if request.method == "POST":
            self.heard.append(Heard(request.url.path, request.content, headers))


@typed_once
def day(desk: Desk) -> Desk:
    """Four players, a round that runs, officials, and a poster."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat", "--role", "judge")
    desk.done("official", "add", "Sky", "--role", "scorekeeper")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("links", "plain-http", "allow", "--reason", "so that officials are heard, too")
    return desk


@pytest.fixture
def links(day: Desk) -> dict[str, str]:
    """The secret of every link, by whose it is."""
    found = day.done("links", "print", "--json").json["links"]
    others = ("o1", "o2", "o3", "e1", "s3")
    found += day.done("links", "print", *others, "--json").json["links"]
    return {each["of"]: secret_of(each) for each in found}


@pytest.fixture
def air(links: dict[str, str]) -> Iterator[tuple[Air, TestClient]]:
    del links
    app = app_of(opened(), reader=line_reader())
    with TestClient(app, base_url=WIFI, client=LISTENER, follow_redirects=False) as listener:
        yield Air(app), listener


def players_at(day: Desk, table: int) -> list[int]:
    found: list[int] = day.done("pairings", "--json").json[table - 1]["players"]
    return found


def sessions(day: Desk, air: Air, portal: Any, links: dict[str, str]) -> None:  # noqa: ANN401 - anyio's
    """Let every kind of visitor do what it does, one after the other."""
    one, two = players_at(day, 1)
    seen = len(day.log().splitlines())
    phone = air.phone(portal)
    assert phone.enter(links[f"p{one}"]).status_code == 200
    report = {"id": "report-one", "match": "1", "outcome": "win", "seen": seen, "to": "/me"}
    assert phone.marked("/do/report", report).status_code == 303
    call = {"id": "call-one-1", "reason": "a question", "to": "/me"}
    assert phone.wrap("/do/call", call).status_code == 303
    early = {"id": "too-early-1", "match": "1", "to": "/me", "reason": "x", "outcome": "win"}
    assert phone.marked("/do/dispute", {**early, "match": "99"}).status_code >= 400
    other = air.phone(portal)
    assert other.enter(links[f"p{two}"]).status_code == 200
    assert other.marked("/do/confirm", {"id": "confirm-one", "match": "1", "to": "/"}).is_redirect
    program = air.phone(portal)
    assert program.enter(links[f"p{players_at(day, 2)[0]}"]).status_code == 200
    command = {"type": "Report", "match": 2, "result": {"outcome": "win"}}
    act = {"id": "by-a-program", "command": {**command, "seen": {"matches": [2], "seq": seen}}}
    assert program.marked("/api/v1/acts", act).status_code == 200
    nothing = {"id": "nothing-new", "command": {"type": "ConfirmResult", "match": 1}}
    program.marked("/api/v1/acts", nothing)
    newcomer = air.phone(portal)
    assert newcomer.enter(links["e1"]).status_code == 200
    assert newcomer.marked("/do/join", {"id": "join-one-1", "name": "Late Larry"}).is_redirect
    screen = air.phone(portal)
    assert screen.enter(links["s3"]).status_code == 200
    screen.marked("/screens", {"id": "by-a-screen", "screen": "3", "content": "text", "text": "!"})
    officials(air, portal, links)
    carried(day, air, portal, links)
    phone.marked("/out", {"id": "signs-out-1"})


def officials(air: Air, portal: Any, links: dict[str, str]) -> None:  # noqa: ANN401 - anyio's
    """An organizer, a judge and a scorekeeper: lines that are shown first, forms, a screen."""
    for of in ("o1", "o2", "o3"):
        desk = air.phone(portal)
        assert desk.enter(links[of]).status_code == 200
        line = {"id": f"line-of-{of}-1", "line": f'note "by {of}"', "at": "/desk", "seen": "99"}
        assert desk.wrap("/line", line).status_code == 200  # what it would do
        sure = {"words": json.dumps(["note", f"by {of}"]), "confirmed": "1"}
        assert desk.wrap("/line", {**line, **sure}).status_code == 303
        screen = {"id": f"screen-of-{of}", "screen": "1", "content": "clock", "text": ""}
        assert desk.wrap("/screens", screen).status_code == 303
        note = {"id": f"note-of-{of}-1", "command": {"type": "TakeNote", "text": of}}
        assert desk.marked("/api/v1/acts", note).status_code == 200


def carried(day: Desk, air: Air, portal: Any, links: dict[str, str]) -> None:  # noqa: ANN401 - anyio's
    """A code that a phone without the hall shows, and an official's phone enters."""
    phone, desk = air.phone(portal), air.phone(portal)
    assert phone.enter(links[f"p{players_at(day, 2)[1]}"]).status_code == 200
    assert desk.enter(links["o1"]).status_code == 200
    fields = {"do": "call", "link": phone.link, "browser": phone.browser, "id": "carried-call"}
    said = urlencode({**fields, "reason": "by a code"})
    act = f"{said}&mark={phone.mark('/carried', said.encode(), 'carried-call')}"
    assert desk.wrap("/carried", {"id": "enters-it-1", "act": act}).status_code == 303


@pytest.mark.slow
def test_what_was_heard_lands_nothing(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str]
) -> None:
    """Everything that was posted, sent three times as it was from the listener's machine."""
    heard, listener = air
    sessions(day, heard, listener.portal, links)
    assert {each.path for each in heard.heard} >= {
        *("/in", "/do/report", "/do/call", "/do/confirm", "/api/v1/acts", "/do/join", "/out"),
        *("/line", "/screens", "/carried"),
    }
    before = day.log()
    for _ in range(3):
        for each in heard.heard:
            each.again(listener)
    assert day.log() == before


def changed(act: Heard) -> Iterator[tuple[str, Heard]]:
    """Change a byte of each kind in what was heard."""
    is_json = act.headers["content-type"] == "application/json"
    own = "tourney-mark" in act.headers
    bodies: dict[str, bytes] = {}
    if is_json:
        value = json.loads(act.body)
        bodies["id"] = json.dumps({**value, "id": "another-id"}).encode()
        bodies["body"] = act.body.replace(b"win", b"loss")
        seen = {**value["command"], "seen": {"matches": [2], "seq": 10}}
        bodies["seen"] = json.dumps({**value, "command": seen}).encode()
        bodies["space"] = act.body + b" "
    else:
        fields = dict(parse_qsl(act.body.decode()))
        inner = dict(parse_qsl(fields["marked"])) if "marked" in fields else fields
        for name, text in {"id": "another-id", "seen": "10", "to": "/x", "reason": "y"}.items():
            inside = urlencode({**inner, name: text})
            outside = urlencode({**fields, "marked": inside}) if "marked" in fields else inside
            bodies[name] = outside.encode()
    for kind, other in bodies.items():
        if other != act.body:
            yield kind, act._replace(body=other)
    yield "path", act._replace(path="/do/concede" if act.path != "/do/concede" else "/do/leave")
    if own:
        mark = act.headers["tourney-mark"]
        for kind, text in (("mark", mark[:-1] + ("0" if mark[-1] != "0" else "1")), ("none", "")):
            yield kind, act._replace(headers={**act.headers, "tourney-mark": text})


@pytest.mark.slow
def test_what_was_heard_and_changed_lands_nothing(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str]
) -> None:
    heard, listener = air
    sessions(day, heard, listener.portal, links)
    before, kinds = day.log(), set[str]()
    for act in [each for each in heard.heard if each.path not in {"/in", "/out"}]:
        for kind, other in changed(act):
            kinds.add(kind)
            assert other.again(listener) >= 400, (kind, act.path)
    assert kinds >= {"id", "seen", "body", "path", "mark", "none", "to", "space"}
    assert day.log() == before


def test_a_mark_is_of_one_browser_of_one_link(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str]
) -> None:
    """The same person on another phone, another person, and a cookie with another's parts."""
    heard, listener = air
    number = players_at(day, 1)[0]
    fields = {"id": "of-one-phone", "match": "1", "outcome": "win", "to": "/"}
    body = urlencode(fields).encode()
    phones = [heard.phone(listener.portal) for _ in range(3)]
    for phone, of in zip(phones, (number, number, players_at(day, 2)[0]), strict=True):
        assert phone.enter(links[f"p{of}"]).status_code == 200
    mark = phones[0].mark("/do/report", body, "of-one-phone")
    before = day.log()
    for other in phones[1:]:
        headers = {"origin": WIFI, "tourney-mark": mark, "content-type": FORM}
        assert other.post("/do/report", content=body, headers=headers).status_code == 401
    ((name, value),) = phones[0].cookies.items()
    link, browser, kind, own = value.split(".")
    pieces = (
        f"{link}.{phones[1].browser}.{kind}.{own}",
        f"{phones[2].link}.{browser}.{kind}.{own}",
        f"{link}.{browser}.private.{own}",
        f"{link}.{browser}.{own}",
        f"{link}.{browser}.reading.{own}",
    )
    for piece in pieces:
        headers = {"origin": WIFI, "tourney-mark": mark, "content-type": FORM}
        listener.cookies.clear()
        sent = {**headers, "cookie": f"{name}={piece}"}
        assert listener.post("/do/report", content=body, headers=sent).status_code == 401
    assert day.log() == before
    assert phones[0].marked("/do/report", fields).status_code == 303  # and its own phone may


FORM = "application/x-www-form-urlencoded"
PROXIES = (
    ("forwarded", "for=127.0.0.1"),
    ("x-forwarded-for", "127.0.0.1"),
    ("x-forwarded-proto", "https"),
    ("X-Forwarded-Host", "127.0.0.1"),
    ("via", "1.1 cache"),
    ("x-real-ip", "127.0.0.1"),
)


@pytest.mark.parametrize("base", [HERE, SECURE], ids=["loopback", "tls"])
@pytest.mark.parametrize(("name", "text"), PROXIES, ids=[each[0] for each in PROXIES])
def test_what_a_proxy_passes_on_is_not_private(
    day: Desk, links: dict[str, str], base: str, name: str, text: str
) -> None:
    """A cookie that was given over loopback or TLS needs a mark as soon as a proxy is between."""
    with TestClient(app_of(opened()), base_url=base, client=LOOPBACK) as own:
        assert sign_in(own, links["p1"]).status_code == 200
        before = day.log()
        fields = {"id": "forwarded-1", "reason": "help", "to": "/me"}
        headers = {"origin": base, name: text}
        assert own.post("/do/call", data=fields, headers=headers).status_code == 401
        assert day.log() == before
        del headers[name]
        own.post("/do/call", data=fields, headers=headers)
        assert day.log() != before


@pytest.mark.parametrize(
    ("base", "client"),
    [
        (WIFI, A_PHONE),
        (WIFI, LOOPBACK),  # through a tunnel that says nothing of itself
        (HERE, A_PHONE),  # a name that points to the hall's machine
        ("http://localhost:8600", ("::ffff:192.168.1.66", 1)),
        ("http://[::1]:8600", ("fe80::1", 1)),
    ],
)
def test_only_both_ends_and_the_host_make_a_loopback(
    day: Desk, links: dict[str, str], base: str, client: tuple[str, int]
) -> None:
    with TestClient(app_of(opened()), base_url=base, client=client) as phone:
        assert sign_in(phone, links["p1"]).status_code == 200
        before = day.log()
        fields = {"id": "unmarked-1", "reason": "help", "to": "/me"}
        assert phone.post("/do/call", data=fields, headers={"origin": base}).status_code == 401
        assert day.log() == before


def test_a_cookie_of_the_air_enters_nothing_over_loopback_or_tls(
    day: Desk, links: dict[str, str]
) -> None:
    """A listener carries a copied cookie to the port of officials, or to the machine itself."""
    app = app_of(opened())
    with TestClient(app, base_url=WIFI, client=A_PHONE) as phone:
        assert sign_in(phone, links["o1"]).status_code == 200
        ((name, value),) = phone.cookies.items()
        before = day.log()
        for base, cookie in ((HERE, name), (SECURE, name), (SECURE, f"__Host-{name}")):
            other = TestClient(app, base_url=base, client=LOOPBACK)
            other.portal = phone.portal
            headers = {"origin": base, "cookie": f"{cookie}={value}"}
            act = {"id": "with-a-cookie", "command": {"type": "TakeNote", "text": "x"}}
            assert other.post("/api/v1/acts", json=act, headers=headers).status_code == 401
        assert day.log() == before


def test_no_byte_over_the_air_is_a_secret_a_code_or_a_key(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str]
) -> None:
    heard, listener = air
    sessions(day, heard, listener.portal, links)
    requests = (f"{each.path} {each.headers}".encode() + each.body for each in heard.heard)
    said = b"".join(requests)
    number = players_at(day, 1)[0]
    (link,) = day.done("links", "print", f"#{number}", "--json").json["links"]
    phone = heard.phone(listener.portal)
    answer = phone.enter(links[f"p{number}"])
    key = acts_key(phone.secret, phone.log, phone.link, phone.browser).hex()
    answers = [answer, *(phone.get(path) for path in ("/api/v1/carry", "/me", "/in", "/api/v1/me"))]
    said += b"".join(each.content + str(each.headers).encode() for each in answers)
    for secret in (*links.values(), link["code"], link["code"].replace("-", ""), key):
        assert secret.encode() not in said


def test_a_nonce_lets_in_once_and_for_a_minute(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str]
) -> None:
    del day
    heard, listener = air
    phone = heard.phone(listener.portal)
    assert phone.enter(links["p1"]).status_code == 200
    (signing_in,) = heard.heard
    assert signing_in.again(listener) == 409
    data = proof(phone, links["p1"])
    for other in (
        {**data, "nonce": data["nonce"][:-1] + "x"},
        {**data, "nonce": proof(phone, links["p1"])["nonce"]},
        {**data, "proof": data["proof"][:-2] + "zz"},
        {**data, "digest": proof(phone, links["p2"])["digest"]},
        {**data, "nonce": "in-ffffffff-" + "0" * 32 + "-" + "0" * 32},
    ):
        assert listener.post("/in", data=other, headers={"origin": WIFI}).status_code == 409
    assert listener.post("/in", data=data, headers={"origin": WIFI}).status_code == 200
    assert listener.post("/in", data=data, headers={"origin": WIFI}).status_code == 409


def test_an_act_that_left_no_event_is_not_looked_at_again(day: Desk, links: dict[str, str]) -> None:
    """A refusal, and a wish that was so already, heard before and sent when they would land."""
    number = players_at(day, 1)[0]
    confirm = {"id": "early-confirm", "match": "1", "to": "/me"}
    app = app_of(opened())
    with TestClient(app, base_url=WIFI, client=LISTENER, follow_redirects=False) as listener:
        air = Air(app)
        phone = air.phone(listener.portal)
        assert phone.enter(links[f"p{number}"]).status_code == 200
        assert phone.marked("/do/confirm", confirm).status_code == 409  # nothing is reported yet
        third = players_at(day, 2)[0]
        leaving = air.phone(listener.portal)
        leaving.enter(links[f"p{third}"])
        for own in ("leaves-once-1", "leaves-twice-2"):
            leaving.marked("/do/leave", {"id": own, "to": "/me"})
        day.done("rejoin", f"#{third}")
        opponent = players_at(day, 1)[1]
        other = air.phone(listener.portal)
        other.enter(links[f"p{opponent}"])
        report = {"id": "the-report-1", "match": "1", "outcome": "win", "to": "/"}
        assert other.marked("/do/report", report).status_code == 303
        before = day.log()
        for act in air.heard:
            act.again(listener)
        assert day.log() == before
    with TestClient(app_of(opened()), base_url=WIFI, client=LISTENER) as listener:
        for act in air.heard:  # the server has been started again
            act.again(listener)
        assert day.log() == before


@pytest.mark.parametrize("victim", ["p1", "o1", "e1"])
def test_a_copied_cookie_signs_nobody_out(
    day: Desk, air: tuple[Air, TestClient], links: dict[str, str], victim: str
) -> None:
    """Neither at `/out`, nor by a listener's own link that is opened beside the cookie."""
    del day
    heard, listener = air
    phone = heard.phone(listener.portal)
    assert phone.enter(links[victim]).status_code == 200
    before = phone.get("/api/v1/me").json()
    ((name, value),) = phone.cookies.items()
    copied = {"origin": WIFI, "cookie": f"{name}={value}"}
    for own in ("p2", "s3", "e1"):
        data = proof(heard.phone(listener.portal), links[own])
        assert listener.post("/in", data=data, headers=copied).status_code == 200
        listener.cookies.clear()
        assert phone.get("/api/v1/me").json() == before
    assert listener.post("/out", headers={**copied, "content-type": FORM}).status_code == 303
    assert phone.get("/api/v1/me").json() == before


def test_what_is_kept_back_lands_only_in_what_its_page_had_shown(desk: Desk) -> None:
    """A check-in of the morning is none for the afternoon, and a list replaces no newer one."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim", "--format", "l5r")
    desk.done("register", "Ann Lee")
    desk.done("register", "Ben")
    desk.done("check-in", "open")
    (link,) = desk.done("links", "print", "#1", "--json").json["links"]
    older, newer = (sample_list("l5r").replace("matte", each) for each in ("glossy", "matte"))
    with Phone(app_of(opened()), client=A_PHONE) as phone:
        assert phone.enter(secret_of(link)).status_code == 200
        own_list = hidden_in(phone.get("/me/list").text, "list")
        assert phone.marked("/do/list", {**own_list, "text": newer}).status_code == 303
        before = desk.log()
        kept_back = {**own_list, "id": "kept-back-1", "text": older}
        assert phone.marked("/do/list", kept_back).status_code == 409
        assert desk.log() == before
        here = hidden_in(phone.get("/me").text, "check-in")
        desk.done("check-in", "close")
        desk.done("start", "custom", "--rounds", "2")
        for line in ("pair", "round start", "report 1 #1", "round close"):
            desk.done(*line.split())
        desk.done("check-in", "open")
        before = desk.log()
        assert phone.marked("/do/check-in", here).status_code == 409
        assert desk.log() == before
        now = hidden_in(phone.get("/me").text, "check-in")
        assert phone.marked("/do/check-in", now).status_code == 303
