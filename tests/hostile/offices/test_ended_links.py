"""Links whose holder has no place any more: every page and route answers as it does a stranger.

What a visitor may read or do follows from the office that the link's holder has now. A link ends
permanently when it is revoked, replaced, or its holder is forgotten; it rests while an official is
out of office and while a player is removed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

import msgspec
from starlette.testclient import TestClient

from cli import outside
from cli.desk.session import Desk as Session
from cli.input.arguments import Options
from cli.serve.app import app_of
from cli.serve.forms import FORMS
from cli.verbs.day.report import line_reader
from ledger.books.links import LINKS_KEY, SignedIn, browser_item, browsers_in, cookie_of
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, first_round, opened, sign_in

if TYPE_CHECKING:
    from httpx2 import Response

    from tests.support.cli_desk import Desk

WORDS = {
    "name": "pairings",
    "round": "1",
    "table": "1",
    "number": "3",
    "player": "1",
    "column": "points",
    "match": "1",
}
"""What the words in a route's path are filled with."""

STREAMS = {"/api/v1/stream", "/screen/{number:int}/stream"}
"""Answers without an end; the news in them are positions and names of parts, for everybody."""

NONCES = re.compile(rb'name="(id|at|seen)" value="[^"]*"|/screen/[0-9]+')
ACTS = (
    {"type": "Report", "match": 1, "result": {"outcome": "win"}},
    {"type": "TakeNote", "text": "from a browser"},
    {"type": "CallJudge", "match": 1},
    {"type": "Resume", "official": 2},
    {"type": "RevokeLink", "link": 1},
    {"type": "AskRegistration", "name": "Somebody"},
)
"""Commands that an official, a player or a newcomer may send while their link works."""


def _with_officials(desk: Desk) -> Desk:
    """Open a round with a judge o2, a scorekeeper o3 and a marshal o4; all have links."""
    first_round(desk)
    desk.done("official", "add", "Jo Judge", "--role", "judge")
    desk.done("official", "add", "Sam Score", "--role", "scorekeeper")
    desk.done("official", "add", "Max Marsh", "--role", "marshal")
    desk.done("links", "print", "--json")
    desk.done("links", "print", "o1", "o2", "o3", "o4", "s1", "e1", "--json")
    return desk


day = typed_once(_with_officials)


def cookies_of(of: str, browser: str = "00112233aabbccdd") -> dict[str, str]:
    """Return the cookie of a browser that is signed in by a person's link."""
    desk = Session(Options(), [])
    try:
        store, stream = desk.store(), desk.book.stream
        key = store.vault_get(stream, LINKS_KEY) or b""
        links = desk.book.tournament.floor.links.values()
        link = next(link for link in links if link.of == of and not link.until)
        signed_in = SignedIn(browser, outside.now(), "a browser")
        item = browser_item(link.number, browser)
        store.vault_put(stream, item, msgspec.json.encode(signed_in))
        return {f"hall_{stream[:8]}": cookie_of(key, link, browser, "private")}
    finally:
        desk.close()


def kept_browsers() -> list[int]:
    """Return the links whose browsers the vault keeps."""
    desk = Session(Options(), [])
    try:
        return [link for link, _ in browsers_in(desk.store().vault_items(desk.book.stream))]
    finally:
        desk.close()


def client(**cookies: str) -> TestClient:
    app = app_of(opened(), None, line_reader())
    return TestClient(app, base_url=HERE, client=LOOPBACK, follow_redirects=False, cookies=cookies)


def requests_of(app: Any) -> list[tuple[str, str, dict[str, Any]]]:  # noqa: ANN401 - a Guard
    """Return each route of the hall as method, path and body; what posts comes last."""
    asked: list[tuple[str, str, dict[str, Any]]] = []
    for route in app._app.routes:
        if route.path in STREAMS or route.path == "/api/v1/nonce":  # always another answer
            continue
        path = re.sub(r"\{(\w+)(:\w+)?\}", lambda word: WORDS.get(word[1], "1"), route.path)
        if "GET" in route.methods:
            asked.append(("GET", path, {}))
        elif path not in {"/in", "/out", "/api/v1/acts", "/line", "/line/reading", "/do/pairings"}:
            asked.append(("POST", path, {}))
    asked += [("GET", f"{path}?part", {}) for path in ("/desk", "/judge", "/judge/match/1/1")]
    asked += [("GET", "/api/v1/disputes?all", {}), ("GET", "/api/v1/log?after=3", {})]
    asked += [("GET", f"/parts/{name}", {}) for name in ("standings", "clock", "bracket")]
    lines = ("note from a browser", "1 draw", "undo", "links revoke o1", "official resume o2")
    for line in lines:
        data = {"line": line, "id": "abcdefgh", "at": "/desk", "seen": "5"}
        asked += [("POST", at, {"data": data}) for at in ("/line", "/line/reading")]
    for name in FORMS:
        data = {"id": "abcdefgh", "match": "1", "to": "/me", "at": "/me", "name": "Zed"}
        asked.append(("POST", f"/do/{name}", {"data": data}))
    for command in ACTS:
        asked.append(("POST", "/api/v1/acts", {"json": {"id": "abcdefgh", "command": command}}))
    return asked


def seen_by(browser: TestClient) -> dict[str, tuple[object, ...]]:
    """Return what each route answers: status, headers and body, without nonces."""
    return {
        f"{method} {path} {more}": _plain(
            browser.request(method, path, headers={"origin": HERE}, **more)
        )
        for method, path, more in requests_of(browser.app)
    }


def _plain(answer: Response) -> tuple[object, ...]:
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    if "location" in headers:
        headers["location"] = NONCES.sub(b"", headers["location"].encode()).decode()
    return answer.status_code, headers, NONCES.sub(b"", answer.content)


ENDINGS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "stood down": ("o2", (("official", "stand-down", "o2"),)),
    "handed over": ("o1", (("official", "hand-over", "o4"),)),
    "handed over for now": ("o1", (("official", "hand-over", "o4", "--for-now"),)),
    "disqualified": ("p1", (("disqualify", "#1", "--reason", "cheating"),)),
    "official forgotten": ("o2", (("forget", "o2", "--yes"),)),
    "player forgotten": ("p1", (("forget", "#1", "--yes"),)),
    "official's link revoked": ("o2", (("links", "revoke", "o2"),)),
    "player's link revoked": ("p1", (("links", "revoke", "#1"),)),
    "screen's link revoked": ("s1", (("links", "revoke", "s1"),)),
    "poster's link revoked": ("e1", (("links", "revoke", "e1"),)),
    "official's link replaced": ("o2", (("links", "new", "o2"),)),
    "player's link replaced": ("p1", (("links", "new", "#1"),)),
}
"""Whose link it is, and the lines that end it or let it rest."""


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_route_answers_an_ended_link_as_it_does_a_stranger(day: Desk, ending: str) -> None:
    of, lines = ENDINGS[ending]
    cookies = cookies_of(of)
    with client(**cookies) as browser:
        assert browser.get("/api/v1/me").json()["link"], "the link works before"
    for line in lines:
        day.done(*line)
    _as_a_stranger(day, cookies)


@pytest.mark.slow
def test_a_player_who_is_unregistered_is_a_stranger(desk: Desk) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCleo\n")
    desk.done("links", "print", "--json")
    cookies = cookies_of("p1")
    desk.done("unregister", "#1", "--reason", "by mistake")
    _as_a_stranger(desk, cookies)


@pytest.mark.slow
def test_an_official_without_a_role_is_a_stranger(day: Desk) -> None:
    cookies, organizer = cookies_of("o2"), cookies_of("o1")
    command = {"type": "AppointOfficial", "name": "", "roles": [], "official": 2}
    with client(**organizer) as browser:
        act = {"id": "abcdefgh", "command": command}
        done = browser.post("/api/v1/acts", json=act, headers={"origin": HERE})
        assert done.status_code == 200, done.text
    _as_a_stranger(day, cookies)


def _as_a_stranger(desk: Desk, cookies: dict[str, str]) -> None:
    before, now = desk.log(), outside.now()
    desk.patch.setattr(outside, "now", lambda: now)
    with client(**cookies) as browser:
        answers = seen_by(browser)
    with client() as stranger:
        expected = seen_by(stranger)
    assert {path for path in expected if answers[path] != expected[path]} == set()
    assert len(expected) > 60
    assert desk.log() == before


def test_an_official_at_work_is_out_with_the_next_request(day: Desk) -> None:
    with client(**cookies_of("o2")) as browser:
        assert browser.get("/desk").status_code == 200
        day.done("official", "stand-down", "o2")
        assert browser.get("/desk").status_code == 401
        assert browser.get("/api/v1/audit").status_code == 401
        day.done("official", "resume", "o2")
        assert browser.get("/desk").status_code == 200


@pytest.mark.slow
def test_a_link_that_rests_works_again_and_one_that_ended_does_not(day: Desk) -> None:
    cookies = cookies_of("o2")
    day.done("official", "stand-down", "o2")
    day.done("links", "revoke", "o2")
    day.done("official", "resume", "o2")
    _as_a_stranger(day, cookies)


def test_who_has_left_may_read_their_own_page_and_enter_nothing(day: Desk) -> None:
    cookies = cookies_of("p1")
    day.done("drop", "#1", "--no-show")
    with client(**cookies) as browser:
        page = browser.get("/me")
        assert page.status_code == 200
        assert "You have left" in page.text
        act = {"id": "abcdefgh", "command": ACTS[0]}
        answer = browser.post("/api/v1/acts", json=act, headers={"origin": HERE})
        assert answer.status_code == 409


@pytest.mark.parametrize("line", [("forget", "o2", "--yes"), ("links", "revoke", "o2")])
def test_the_browsers_of_an_ended_link_are_deleted_from_the_vault(
    day: Desk, line: tuple[str, ...]
) -> None:
    cookies_of("o2")
    cookies_of("p1")
    kept = kept_browsers()
    day.done(*line)
    assert len(kept_browsers()) == len(kept) - 1


def test_a_page_that_revokes_a_link_deletes_its_browsers_too(day: Desk) -> None:
    organizer = cookies_of("o1")
    cookies_of("p2", "ffffffffffffffff")
    link = next(each["link"] for each in day.done("links", "--json").json if each["of"] == "p2")
    assert link in kept_browsers()
    with client(**organizer) as browser:
        act = {"id": "abcdefgh", "command": {"type": "RevokeLink", "link": link}}
        done = browser.post("/api/v1/acts", json=act, headers={"origin": HERE})
        assert done.status_code == 200, done.text
    with client(**organizer) as browser:
        browser.get("/api/v1/me")
    assert link not in kept_browsers()


def test_the_list_of_links_says_which_ones_rest(day: Desk) -> None:
    assert "not now" not in day.done("links").out
    day.done("official", "stand-down", "o2")
    works = {each["of"]: each["works"] for each in day.done("links", "--json").json}
    assert [of for of in works if not works[of]] == ["o2"]
    assert "not now" in day.done("links").out


def test_who_is_signed_in_and_opens_the_poster_stays_signed_in(day: Desk) -> None:
    address = day.done("links", "print", "e1", "--json").json["links"][0]["address"]
    for of in ("p1", "o2"):
        cookies = cookies_of(of)
        with client(**cookies) as browser:
            opened_poster(browser, address)
            assert browser.get("/api/v1/me").json()["by"] == of
    day.done("links", "revoke", "o2")
    with client(**cookies) as browser:
        opened_poster(browser, address)
        assert browser.get("/api/v1/me").json()["is_newcomer"]


def opened_poster(browser: TestClient, address: str) -> None:
    """Open the address on a poster, as its page's script does."""
    secret = address.partition("#")[2]
    answer = sign_in(browser, secret)
    assert answer.status_code == 200, answer.text
