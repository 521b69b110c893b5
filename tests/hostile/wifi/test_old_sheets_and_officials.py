"""What may only read in the open: officials, earlier browsers, codes of eight letters."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.door import pace
from cli.verbs.day.report import line_reader
from ledger.books import links as link_secrets
from ledger.books.links import LINKS_KEY, SignedIn, browser_item
from ledger.store import open_store
from tests.support.cli_desk import typed_once
from tests.support.hall import A_PHONE, HERE, LOOPBACK, WIFI, Phone, opened, secret_of, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.door.guard import Guard
    from tests.support.cli_desk import Desk

SECURE = HERE.replace("http", "https")
NOTE = {"type": "TakeNote", "text": "seen"}


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("links", "print", "-o", "badges.html")
    return desk


def secret(day: Desk, of: str) -> str:
    (link,) = day.done("links", "print", of.replace("p", "#"), "--json").json["links"]
    return secret_of(link)


def app() -> Guard:
    return app_of(opened(), reader=line_reader())


@contextmanager
def phone(where: str = WIFI, client: tuple[str, int] = A_PHONE) -> Iterator[Phone]:
    with Phone(app(), where, client) as opened_phone:
        yield opened_phone


def test_an_official_reads_over_plain_http_and_is_shown_where_to_act(day: Desk) -> None:
    own = secret(day, "o2")
    with phone() as judge:
        assert judge.enter(own).status_code == 200
        assert judge.get("/api/v1/me").json()["only_reads"] == "plain"
        for page in ("/desk", "/judge"):
            shown = judge.get(page)
            assert shown.status_code == 200
            assert "an official can only read over it" in shown.text
        before = day.log()
        answers = [
            judge.marked("/api/v1/acts", {"id": "note-by-judge", "command": NOTE}),
            judge.marked("/line", {"id": "line-by-judge", "line": "note x", "at": "/desk"}),
            judge.wrap("/screens", {"id": "a-screen-1", "screen": "1", "content": "text"}),
            judge.marked("/do/call", {"id": "call-by-judge", "reason": "x", "to": "/"}),
            judge.marked("/carried", {"id": "carried-1", "act": "x"}),
        ]
        assert [each.status_code for each in answers] == [401] * 5
        assert day.log() == before


def test_a_copied_cookie_signs_no_official_out(day: Desk) -> None:
    """An official who may only read here has a key, and signs out with a mark."""
    own = secret(day, "o2")
    with phone() as judge:
        assert judge.enter(own).status_code == 200
        assert judge.get("/api/v1/me").json()["only_reads"] == "plain"
        assert judge.post("/out", data={"x": ""}, headers={"origin": WIFI}).status_code == 303
        judge.cookies.clear()
        assert judge.enter(own).status_code == 200
        assert [len(each["browsers"]) for each in _links_of(day, "o2")] == [2]
        assert judge.marked("/out", {"id": "signs-out-1"}).status_code == 303
    assert [len(each["browsers"]) for each in _links_of(day, "o2")] == [1]


def _links_of(day: Desk, of: str) -> list[dict[str, Any]]:
    return [each for each in day.done("links", "--json").json if each["of"] == of]


@pytest.mark.parametrize("where", [HERE, SECURE])
def test_an_official_acts_over_loopback_and_tls(day: Desk, where: str) -> None:
    own = secret(day, "o2")
    with phone(where, LOOPBACK if where == HERE else A_PHONE) as judge:
        assert judge.enter(own).status_code == 200
        act = {"id": "note-by-judge", "command": NOTE}
        plain = judge.post("/api/v1/acts", json=act, headers={"origin": where})
        assert plain.status_code == 200, plain.text
        assert judge.marked("/api/v1/acts", act | {"id": "note-marked-1"}).status_code == 200


def test_the_organizer_alone_allows_plain_http_and_it_is_on_record(day: Desk) -> None:
    own = secret(day, "o2")
    assert "organizer" in day.refused("links", "plain-http", "allow", "--as", "o2").err
    assert "reason" in day.refused("links", "plain-http", "allow").err
    day.done("links", "plain-http", "allow", "--reason", "no certificate on the phones")
    assert "officials act in the hall over plain HTTP too: no" in day.done("log").out
    assert day.done("links", "plain-http", "allow", "--reason", "x").err.startswith(
        "nothing to change"
    )
    with phone() as judge:
        assert judge.enter(own).status_code == 200
        act = {"id": "note-by-judge", "command": NOTE}
        unmarked = judge.post("/api/v1/acts", json=act, headers={"origin": WIFI})
        assert unmarked.status_code == 401
        assert judge.marked("/api/v1/acts", act).status_code == 200
        day.done("links", "plain-http", "refuse")
        before = day.log()
        late = judge.marked("/api/v1/acts", act | {"id": "note-too-late"})
        assert late.status_code == 401
        assert day.log() == before
    day.done("verify")


def test_a_cookie_of_tls_is_no_cookie_without_it(day: Desk) -> None:
    """Its name is another one, which a browser sends over TLS alone and no other page can set."""
    own, served = secret(day, "o2"), app()
    with TestClient(served, base_url=SECURE, client=A_PHONE) as judge:
        assert sign_in(judge, own).status_code == 200
        ((name, value),) = judge.cookies.items()
        assert name.startswith("__Host-")
        other = TestClient(served, base_url=WIFI, client=A_PHONE)
        other.portal = judge.portal
        assert other.get("/api/v1/me", headers={"cookie": f"{name}={value}"}).json()["by"] == ""
        act = {"id": "note-by-judge", "command": NOTE}
        for cookie in (f"{name}={value}", f"{name.removeprefix('__Host-')}={value}"):
            headers = {"origin": WIFI, "cookie": cookie}
            assert other.post("/api/v1/acts", json=act, headers=headers).status_code == 401


def earlier_browser(of: str) -> dict[str, str]:
    """The cookie of a browser that signed in with a release that had no marks."""
    with open_store("tourney.db") as store:
        (stream,) = store.streams()
        book_links = opened()._desk.book.tournament.floor.links
        link = next(each for each in book_links.values() if each.of == of)
        key, browser = store.vault_get(stream, LINKS_KEY) or b"", "00112233aabbccdd"
        signed_in = SignedIn(browser, "2026-01-01T10:00:00.000Z", "Safari, iPhone")
        store.vault_put(stream, browser_item(link.number, browser), msgspec.json.encode(signed_in))
        mark = link_secrets._follows(key, f"cookie {link.digest} {browser}").hex()[:40]
        return {f"hall_{stream[:8]}": f"{link.number}.{browser}.{mark}"}


@pytest.mark.parametrize(
    ("where", "client"), [(WIFI, A_PHONE), (HERE, LOOPBACK)], ids=["wifi", "loopback"]
)
def test_a_browser_of_before_reads_until_it_opens_its_link_again(
    day: Desk, where: str, client: tuple[str, int]
) -> None:
    own, cookies = secret(day, "p1"), earlier_browser("p1")
    with phone(where, client) as browser:
        browser.cookies.update(cookies)
        page = browser.get("/me")
        assert page.status_code == 200
        assert "open the link on your badge in it again" in page.text
        before = day.log()
        fields = {"id": "from-before-1", "reason": "x", "to": "/me"}
        refused = browser.post("/do/call", data=fields, headers={"origin": where})
        assert refused.status_code == 401
        assert "open the link on your badge in it again" in refused.text
        assert day.log() == before
        assert browser.enter(own).status_code == 200
        assert browser.marked("/do/call", fields).status_code == 303
        assert day.log() != before
    assert len(day.done("links", "--json").json[0]["browsers"]) == 1  # it was the same browser


@pytest.fixture
def sheet(day: Desk, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The codes of eight letters on a sheet that an earlier release printed."""

    def as_before(key: bytes, command_id: str, of: str) -> str:
        return link_secrets._as_secret(link_secrets._follows(key, f"link {command_id} {of}"))

    with monkeypatch.context() as patch:
        patch.setattr(link_secrets, "secret_of", as_before)
        day.done("links", "new", "#1", "#2", "o1", "o2")
    desk = opened()._desk
    key = desk.store().vault_get(desk.book.stream, LINKS_KEY) or b""
    links = [each for each in desk.book.tournament.floor.links.values() if not each.until]
    found = {each.of: link_secrets.short_code_of(key, each) for each in links}
    desk.close()
    assert {of: len(code) for of, code in found.items()} == {
        "p1": 8,
        "p2": 8,
        "o1": 8,
        "o2": 8,
        "p3": 0,
        "p4": 0,  # their links are of today
    }
    return found


def typed(browser: TestClient, code: str, owner: str) -> Any:  # noqa: ANN401 - a response
    where = str(browser.base_url).rstrip("/")
    fields = {"code": code, "owner": owner}
    return browser.post("/in", data=fields, headers={"origin": where}, follow_redirects=False)


def test_eight_letters_act_over_loopback_and_only_read_once_they_were_heard(
    day: Desk, sheet: dict[str, str]
) -> None:
    call = {"reason": "x", "to": "/me"}
    with phone(HERE, LOOPBACK) as own:
        assert "also type the name" in typed(own, sheet["p1"], "").text
        assert typed(own, sheet["p1"], "#1").status_code == 303
        answer = own.post("/do/call", data={**call, "id": "by-eight-1"}, headers={"origin": HERE})
        assert answer.status_code == 303
    before = day.log()
    for where, client in ((WIFI, A_PHONE), (HERE, LOOPBACK), (SECURE, A_PHONE)):
        with phone(where, client) as heard:  # and then, by whoever heard it, anywhere
            assert typed(heard, sheet["p2"], "2").status_code == 303
            assert heard.get("/api/v1/me").json()["by"] == "p2"
            fields = {**call, "id": "by-eight-2"}
            answer = heard.post("/do/call", data=fields, headers={"origin": where})
            assert answer.status_code == 401
    assert day.log() == before


@pytest.mark.slow
def test_wrong_codes_close_eight_letters_of_one_link_and_nothing_else(
    day: Desk, sheet: dict[str, str]
) -> None:
    (own,) = day.done("links", "print", "#3", "--json").json["links"]
    with phone(HERE, LOOPBACK) as asking:
        wrong = [typed(asking, "ABCDEFGH", "p1").status_code for _ in range(pace.LINK_MAX + 3)]
        assert wrong == [409] * pace.LINK_MAX + [429] * 3
        assert typed(asking, sheet["p1"], "p1").status_code == 429
        for of in ("p2", "o1"):  # from the same address
            asking.cookies.clear()
            assert typed(asking, sheet[of], of).status_code == 303
        for each in range(500):
            typed(asking, f"{'ABCDEFGHJKLMNPQR'[each % 16]}" * 16, "")
        asking.cookies.clear()
        assert sign_in(asking, own["code"]).status_code == 200
        asking.cookies.clear()
        assert sign_in(asking, secret(day, "p1")).status_code == 200


def test_a_code_that_is_sent_in_the_open_lets_nobody_in(day: Desk) -> None:
    (own,) = day.done("links", "print", "#3", "--json").json["links"]
    with phone() as asking:
        assert 'name="code"' not in asking.get("/in").text
        answer = typed(asking, own["code"], "")
        assert answer.status_code == 409
        assert "sent its code unencrypted" in answer.text
        assert asking.enter(own["code"]).status_code == 200  # and proved it does
        sent = asking.post("/in", data={"secret": secret_of(own)}, headers={"origin": WIFI})
        assert sent.status_code == 400
    with phone(HERE, LOOPBACK) as here:
        assert typed(here, own["code"], "").status_code == 303
