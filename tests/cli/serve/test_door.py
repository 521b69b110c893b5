"""The door: who gets in by which link, on how many browsers, and who does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.door import pace
from cli.serve.door.keeper import agent_in_words
from cli.serve.door.pace import ADDRESSES_MAX, BURST, LINK_MAX, WINDOW_SECONDS, Guesses
from cli.serve.refusals import TooMany
from cli.serve.visitors import Visitor
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, first_round, opened, proof, secret_of, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1 <script>"


day = typed_once(first_round)


@pytest.fixture
def links(day: Desk) -> dict[str, dict[str, Any]]:
    """Everybody's link, by whose it is."""
    found = day.done("links", "print", "--json").json["links"]
    found += day.done("links", "print", "o1", "s3", "--json").json["links"]
    return {each["of"]: each for each in found}


def browser(path: str = HERE) -> TestClient:
    return TestClient(app_of(opened()), base_url=path, client=LOOPBACK, follow_redirects=False)


@pytest.fixture
def phone(links: object) -> Iterator[TestClient]:
    del links
    with browser() as asking:
        yield asking


def signed_in(client: TestClient, secret: str = "", code: str = "") -> Response:
    return sign_in(client, secret or code, **{"user-agent": PHONE})


def report(client: TestClient, command_id: str, match: int = 1) -> Response:
    command = {"type": "Report", "match": match, "result": {"outcome": "win"}}
    sent = {"id": command_id, "command": command}
    return client.post("/api/v1/acts", json=sent, headers={"origin": HERE})


def called(client: TestClient, command_id: str) -> Response:
    """A judge is called with the page's form."""
    fields = {"id": command_id, "reason": command_id, "to": "/me", "at": "/me"}
    return client.post("/do/call", data=fields, headers={"origin": HERE})


def players_at(day: Desk, table: int) -> list[int]:
    found: list[int] = day.done("pairings", "--json").json[table - 1]["players"]
    return found


def test_a_link_lets_its_player_in_and_their_acts_say_so(
    day: Desk, phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    player = players_at(day, 1)[0]
    link = links[f"p{player}"]
    assert phone.get("/api/v1/me").json()["by"] == ""
    answer = signed_in(phone, secret=secret_of(link))
    assert (answer.status_code, answer.json()["to"]) == (200, "/me")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {each.strip() for each in cookie.split(";")}
    assert "Secure" not in cookie
    assert phone.get("/api/v1/me").json()["by"] == f"p{player}"
    done = report(phone, "first-report").json()
    assert done["id"] == f"w{link['link']}-first-report"
    assert f"over link {link['link']}" in day.done("log").out.splitlines()[-1]
    assert f"over link {link['link']}" not in day.done("log").out.splitlines()[-2]
    acts = {each["by"]: each["links"] for each in day.done("audit", "--json").json["acts"]}
    assert acts[f"p{player}"] == {str(link["link"]): 1}
    day.done("verify")


def test_the_code_on_the_badge_does_without_a_script(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    assert 'name="code"' in phone.get("/in").text
    data = {"code": links["o1"]["code"].lower()}
    answer = phone.post("/in", data=data, headers={"origin": HERE})
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk")
    assert phone.get("/api/v1/me").json() == {
        "by": "o1",
        "player": 0,
        "official": 1,
        "link": links["o1"]["link"],
        "is_screen": False,
        "screen": 0,
        "is_newcomer": False,
        "only_reads": "",
    }
    assert "Signed in as <bdi>Kim Larsen</bdi>" in phone.get("/in").text


def test_a_screen_looks_and_enters_nothing(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    signed_in(phone, secret=secret_of(links["s3"]))
    assert phone.get("/api/v1/me").json()["is_screen"]
    assert report(phone, "by-a-screen").status_code == 401


def test_a_revoked_or_replaced_link_is_out_at_once(
    day: Desk, phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    player = players_at(day, 1)[0]
    link = links[f"p{player}"]
    signed_in(phone, secret=secret_of(link))
    day.done("links", "revoke", f"#{player}", "--reason", "stolen")
    before = day.log()
    assert report(phone, "with-a-stolen-link").status_code in (401, 409)
    assert day.log() == before
    assert signed_in(phone, secret=secret_of(link)).status_code == 409
    assert phone.get("/api/v1/me").json()["by"] == ""
    new = day.done("links", "new", f"#{player}", "--json").json["links"][0]
    assert signed_in(phone, code=new["code"]).status_code == 200
    assert signed_in(phone, code=link["code"]).status_code == 409


def test_a_players_link_does_nothing_in_anothers_name(
    day: Desk, phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    other = players_at(day, 2)[0]
    signed_in(phone, secret=secret_of(links[f"p{other}"]))
    before = day.log()
    assert report(phone, "anothers-match", match=1).status_code == 409
    commands: list[dict[str, object]] = [
        {"type": "CloseRound"},
        {"type": "RevokeLink", "link": 1},
        {"type": "DropPlayer", "player": players_at(day, 1)[0]},
    ]
    for place, command in enumerate(commands):
        sent = {"id": f"not-for-players-{place}", "command": command}
        answer = phone.post("/api/v1/acts", json=sent, headers={"origin": HERE})
        assert answer.status_code == 409, answer.text
    assert day.log() == before


def test_five_browsers_and_no_sixth_also_after_a_restart(
    day: Desk, links: dict[str, dict[str, Any]]
) -> None:
    secret, cookies = secret_of(links["p1"]), []
    with browser() as first:
        for _ in range(4):
            first.cookies.clear()
            assert signed_in(first, secret=secret).status_code == 200
            cookies.append(dict(first.cookies))
        assert signed_in(first, secret=secret).status_code == 200  # the same one again
        assert len(day.done("links", "--json").json[0]["browsers"]) == 4
    with browser() as again:
        assert signed_in(again, secret=secret).status_code == 200
        again.cookies.clear()
        sixth = signed_in(again, secret=secret)
        assert sixth.status_code == 409
        assert "already open in 5 browsers" in sixth.text
        again.cookies.update(cookies[0])
        assert again.get("/api/v1/me").json()["by"] == "p1"
        assert again.post("/out", headers={"origin": HERE}, data={}).status_code in (303, 415)
    shown = day.done("links", "--json").json[0]["browsers"]
    assert {each["agent"] for each in shown} == {"Safari, iPhone"}
    assert "<script>" not in day.done("links").out


def test_signing_out_frees_the_place(day: Desk, links: dict[str, dict[str, Any]]) -> None:
    with browser() as asking:
        signed_in(asking, secret=secret_of(links["p1"]))
        asking.post("/out", headers={"origin": HERE}, data={"x": "y"})
        assert asking.get("/api/v1/me").json()["by"] == ""
    assert day.done("links", "--json").json[0]["browsers"] == []


def test_a_cookie_that_was_copied_ends_when_its_browser_signs_out_or_changes(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    def shown(cookie: str) -> str:
        found = phone.get("/api/v1/me", headers={"cookie": cookie}).json()
        return str(found["by"])

    for leave in ("/out", "/in"):
        phone.cookies.clear()
        cookie = signed_in(phone, secret=secret_of(links["p1"])).headers["set-cookie"].split(";")[0]
        assert phone.get("/api/v1/me").json()["by"] == "p1"
        data = proof(phone, secret_of(links["p2"]))
        phone.post(leave, data=data, headers={"origin": HERE})
        phone.cookies.clear()
        assert shown(cookie) == ""


def test_a_cookie_that_was_made_up_is_nobodys(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    signed_in(phone, secret=secret_of(links["p1"]))
    ((name, value),) = phone.cookies.items()
    number = links["o1"]["link"]
    for other in (f"{number}.{value.split('.', 1)[1]}", value[:-1] + "x", "x" * 4_000, "1.1.1"):
        phone.cookies.clear()
        phone.cookies.set(name, other)
        assert phone.get("/api/v1/me").json()["by"] == "", other


def test_a_page_elsewhere_cannot_sign_anybody_in(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    data = proof(phone, secret_of(links["p1"]))
    for origin in ("http://evil.example", "null"):
        assert phone.post("/in", data=data, headers={"origin": origin}).status_code == 403
    assert phone.post("/in", data=data).status_code == 403


def test_wrong_tries_close_nothing_and_are_put_on_record_once(
    day: Desk, phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    codes = [
        f"ABCD-EFGH-JKLM-NP{each:02}".replace("0", "Q").replace("1", "R") for each in range(80)
    ]
    assert {signed_in(phone, code=code).status_code for code in codes} == {409}
    assert signed_in(phone, code=links["p1"]["code"]).status_code == 200
    assert signed_in(phone, secret=secret_of(links["p2"])).status_code == 200
    (noted,) = [line for line in day.done("log").out.splitlines() if "unknown links" in line]
    assert "unknown links were tried 10 times: 127.0.0.1" in noted
    assert "guesses at links" in day.done("audit").out


def test_no_answer_and_no_line_of_the_server_has_a_secret(
    day: Desk,
    phone: TestClient,
    links: dict[str, dict[str, Any]],
    capfd: pytest.CaptureFixture[str],
) -> None:
    secret, code = secret_of(links["p1"]), links["p1"]["code"]
    answers = [
        *(signed_in(phone, secret=secret), signed_in(phone, code=code), phone.get("/in")),
        *(signed_in(phone, secret=f"{secret}x"), phone.get("/"), phone.get("/api/v1/me")),
    ]
    for answer in answers:
        told = answer.text + str(answer.headers)
        assert secret not in told
        assert code not in told
    written = capfd.readouterr()
    assert secret not in written.out + written.err
    found = b"".join(path.read_bytes() for path in day.folder.rglob("*") if path.is_file())
    assert secret.encode() not in found


def test_wrong_codes_of_eight_letters_close_those_of_their_link_alone() -> None:
    now = 0.0
    counted = Guesses(lambda: now)
    for _ in range(LINK_MAX):
        counted.check_short_code(7)
        counted.wrong_short_code(7)
    with pytest.raises(TooMany):
        counted.check_short_code(7)
    counted.check_short_code(8)
    now += WINDOW_SECONDS + 1
    counted.check_short_code(7)
    bursts = [counted.wrong("a") for _ in range(BURST + 5)]
    assert bursts == [0] * (BURST - 1) + [BURST] + [0] * 5
    for each in range(2 * ADDRESSES_MAX):
        counted.wrong(str(each))
    assert len(counted._from) <= ADDRESSES_MAX


def test_what_a_browser_calls_itself_is_two_words_of_ours() -> None:
    assert agent_in_words(PHONE) == "Safari, iPhone"
    assert agent_in_words("Mozilla/5.0 (Windows NT 10.0) Chrome/130 Edg/130") == "Edge, Windows"
    assert agent_in_words("\x1b[31m<b>") == "a browser"


def test_over_tls_the_cookie_is_secure(links: dict[str, dict[str, Any]]) -> None:
    secure = HERE.replace("http", "https")
    with browser(secure) as asking:
        data = proof(asking, secret_of(links["p1"]))
        assert asking.post("/in", data=data, headers={"origin": HERE}).status_code == 403
        answer = asking.post("/in", data=data, headers={"origin": secure})
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["set-cookie"].startswith("__Host-hall_")


def test_everybody_is_led_to_their_own_page(
    phone: TestClient, links: dict[str, dict[str, Any]]
) -> None:
    for of, path in (("s3", "/screen/3"), ("o1", "/desk"), ("p1", "/me")):
        assert signed_in(phone, secret=secret_of(links[of])).json()["to"] == path


def test_nobody_enters_more_over_a_link_than_a_person_does(
    day: Desk,
    phone: TestClient,
    links: dict[str, dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said with 429, on a page as well; the first answer is given again, and others go on."""
    monkeypatch.setattr(pace, "PLAYER_MAX", 3)
    one, two = (number for table in (1, 2) for number in players_at(day, table)[:1])
    signed_in(phone, secret=secret_of(links[f"p{one}"]))
    assert report(phone, "the-first-act").status_code == 200
    calls = [called(phone, f"a-call-{each}").status_code for each in range(4)]
    assert calls == [*[303] * 2, *[429] * 2]
    refused = called(phone, "one-call-more")
    assert "3 acts came over this link within a minute: wait" in refused.text
    again = report(phone, "the-first-act")
    assert again.status_code == 200
    before = day.log()
    late = report(phone, "one-act-more")
    assert late.status_code == 429
    assert late.json()["problems"][0]["code"] == "serve.too_fast"
    assert day.log() == before
    signed_in(phone, secret=secret_of(links[f"p{two}"]))
    assert report(phone, "anothers-act", match=2).status_code == 200


def test_a_link_is_free_again_after_a_minute() -> None:
    now = 0.0
    counted = pace.Pace(lambda: now)
    player, official = Visitor("p1", player=1, link=1), Visitor("o1", official=1, link=2)
    for _ in range(pace.PLAYER_MAX):
        counted.count(player)
    with pytest.raises(TooMany):
        counted.count(player)
    for _ in range(3 * pace.PLAYER_MAX):
        counted.count(official)
        counted.count(Visitor("o1"))
    now += pace.WINDOW_SECONDS + 1
    counted.count(player)
