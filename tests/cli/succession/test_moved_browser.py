"""A phone whose desk has died goes to another address by its code, with what it carries."""

from __future__ import annotations

import json
import re
from contextlib import chdir
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from cli.serve.door.moved import address_text
from cli.serve.ports.numbers import _TYPED as TYPED
from cli.serve.ports.numbers import typed_address
from ledger.proof.notes import base64_of, signer, vkey
from tests.support.cli_desk import Desk, typed_once
from tests.support.hall import first_round, links_of, served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Request, Route

NOTHING = "Nothing was sent there."
CARRIED = """() => {
  const log = document.documentElement.dataset.log;
  const read = (name) => JSON.parse(localStorage.getItem(name) || "{}");
  const who = read(`tourney-carry-${log}`);
  return { log: who.log, heads: read("tourney-heads"), own: read("tourney-keys")[who.log] };
}"""

day = typed_once(first_round)


class Laptops:
    """The desk that dies, the computer that followed it, and a phone of player 1's table."""

    def __init__(self, chromium: Browser, desk: Desk, two: Path, *, reports: bool = False) -> None:
        """`reports`: the event that only the phone sees is its own; else it is of the desk."""
        self.one, self.folder = desk, two
        self.ports = free_port(), free_port()
        self.player = desk.seats(1)[0]
        self.asked: list[Request] = []
        links = links_of(desk, self.ports[0], "o1", str(self.player))
        with served(desk, self.ports[0]) as address:
            self.address = address
            self.phone = self._phone(chromium, links[1])
            with chdir(two):
                desk.done("follow", f"{address}in#{links[0].partition('#')[2]}", "--once")
            if reports:
                self.report()
                self.phone.wait_for_url("**/me")
            else:
                desk.done("report", "2", f"#{desk.seats(2)[0]}", "10-1")
            self.phone.wait_for_timeout(5_500)
            self.phone.reload()
            said = self.phone.locator("#witness")
            sync_api.expect(said).to_contain_text("Log checked")
            sync_api.expect(self.phone.locator("#moved")).to_have_count(0)
            self.phone.wait_for_timeout(3_500)
        self.phone.on("request", partial(list.append, self.asked))

    def _phone(self, chromium: Browser, link: str) -> Page:
        phone = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
        phone.set_default_timeout(15_000)
        phone.goto(link)
        phone.wait_for_url("**/me")
        phone.wait_for_load_state("networkidle")
        return phone

    def second(self, *words: str) -> Desk:
        """Type a line at the second computer, if one is given, and return its desk."""
        two = Desk(self.folder, self.one.patch)
        if words:
            two.done(*words)
        return two

    def report(self) -> None:
        """Report a result on the phone."""
        self.phone.get_by_role("button", name="I won").click()
        self.phone.get_by_role("button", name="Yes, send it").click()

    def say_offline(self) -> None:
        """Report a result, which waits."""
        self.report()
        sync_api.expect(self.phone.locator("#outbox")).to_contain_text("Waiting to be sent")

    def type_code(self, code: str) -> None:
        """Type a code into the field, which appears once the desk was away for some seconds."""
        self.phone.get_by_label("The desk has another address?").fill(code)
        self.phone.get_by_role("button", name="Go there").click()

    def carried(self) -> dict[str, Any]:
        """Return what the phone keeps, on the page that it shows."""
        found: dict[str, Any] = self.phone.evaluate(CARRIED)
        return found

    def posted(self) -> list[str]:
        """Return all that the phone has sent since the desk died: addresses and bodies."""
        return [f"{request.url} {request.post_data or ''}" for request in self.asked]


@pytest.fixture
def laptops(
    chromium: Browser, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Laptops]:
    found = Laptops(chromium, day, tmp_path_factory.mktemp("two"))
    yield found
    found.phone.context.close()


def test_a_phone_goes_to_the_new_address_and_its_act_lands_once(laptops: Laptops) -> None:
    """The new desk lost an event that the phone saw; nothing is believed of it but its act."""
    phone = laptops.phone
    laptops.say_offline()
    own = laptops.carried()["own"]
    two = laptops.second("take-over")
    with served(two, laptops.ports[1]) as address:
        phone.context.clear_cookies()  # a cookie belongs to a host, and both ports are of one
        code = typed_address(address)
        laptops.type_code(code[:-1] + ("2" if code[-1] != "2" else "3"))
        sync_api.expect(phone.locator("#moved-said")).to_contain_text("This code is not right")
        assert not any(f":{laptops.ports[1]}/" in each for each in laptops.posted())
        laptops.type_code(code.lower())
        question = phone.locator("#moved.report")
        sync_api.expect(question).to_contain_text(re.compile(r"as \W*(Ann|Ben|Cleo|Dana)"))
        sync_api.expect(question).to_contain_text("1 entry that waits")
        assert phone.url.endswith("/in")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
        question.get_by_role("button", name="Yes, that is me").click()
        phone.wait_for_url(f"{address}**/me")
        sync_api.expect(phone.locator("#outbox")).to_be_hidden()
        sync_api.expect(phone.locator("#part")).to_contain_text("You reported")
        assert laptops.carried()["own"] == own
        sync_api.expect(phone.locator("#witness")).to_contain_text("Log checked")
    (line,) = [each for each in two.log().splitlines() if '"ResultReported"' in each]
    assert f'"by":"p{laptops.player}"' in line
    assert not any(own["key"] in each for each in laptops.posted()), "it never leaves the phone"


def test_a_result_that_the_new_desk_lacks_comes_along_with_its_receipt(
    chromium: Browser, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The former desk had answered; the follower had not heard of it."""
    laptops = Laptops(chromium, day, tmp_path_factory.mktemp("two"), reports=True)
    phone, two = laptops.phone, laptops.second("take-over")
    with served(two, laptops.ports[1]) as address:
        phone.context.clear_cookies()
        laptops.type_code(typed_address(address))
        phone.get_by_role("button", name="Yes, that is me").click()
        sync_api.expect(phone.locator("#offered")).to_contain_text(
            " of yours is with the desk again"
        )
    assert '"ResultReported"' not in two.log()
    phone.context.close()


def test_an_officials_page_goes_with_the_lines_that_wait_in_its_tab(
    chromium: Browser, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A line that was typed while the desk was away lands at the new one, by the same official."""
    ports, folder = (free_port(), free_port()), tmp_path_factory.mktemp("two")
    (link,) = links_of(day, ports[0], "o1")
    page = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.set_default_timeout(15_000)
    with served(day, ports[0]) as address:
        page.goto(link)
        page.wait_for_url("**/desk")
        with chdir(folder):
            day.done("follow", f"{address}in#{link.partition('#')[2]}", "--once")
        sync_api.expect(page.locator("#witness")).to_contain_text(re.compile("keeps|checked"))
        page.wait_for_timeout(3_500)
    for table in (1, 2):
        line = page.locator("#line")
        if not line.is_visible():
            page.keyboard.press("Control+k")
        line.fill(f"report {table} #{day.seats(table)[0]} 10-1")
        line.press("Enter")
        sync_api.expect(page.locator("#outbox")).to_contain_text(f"report {table}")
    two = Desk(folder, day.patch)
    two.done("take-over")
    with served(two, ports[1]) as address:
        page.context.clear_cookies()
        page.get_by_label("The desk has another address?").fill(typed_address(address))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name="Go there").click()
        question = page.locator("#moved.report")
        sync_api.expect(question).to_contain_text("2 entries that wait are sent then")
        question.get_by_role("button", name="Yes, that is me").click()
        page.wait_for_url(f"{address}**")
        for _ in range(100):
            if two.log().count('"ResultReported"') == 2:
                break
            page.wait_for_timeout(200)
        sync_api.expect(page.locator("#outbox")).to_be_hidden()
    lines = [each for each in two.log().splitlines() if '"ResultReported"' in each]
    assert ['"by":"o1"' in each for each in lines] == [True, True]
    page.context.close()


def test_nothing_is_sent_to_another_tournament_a_fork_or_a_strangers_copy(
    laptops: Laptops, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    laptops.say_offline()
    phone, said = laptops.phone, laptops.phone.locator("#moved-said")
    other = Desk(tmp_path_factory.mktemp("other"), desk.patch)
    first_round(other)
    port = free_port()
    laptops.type_code(typed_address(f"http://127.0.0.1:{port}/"))
    sync_api.expect(said).to_contain_text(f"No desk of this tournament answers at {at(port)}")
    with served(other, port) as address:
        laptops.type_code(typed_address(address))
        sync_api.expect(said).to_contain_text(f"Another tournament is at {at(port)}. {NOTHING}")
    two = laptops.second()
    with served(two, laptops.ports[1]) as address:  # it has not taken over
        laptops.type_code(typed_address(address))
        sync_api.expect(said).to_contain_text(re.compile(f"cannot sign|fewer.*{NOTHING}"))
    two = laptops.second("take-over")
    with served(two, laptops.ports[1]) as address:
        there = "**/api/v1/moved**"
        for change, words in (
            (unsigned, "has a different history of Night"),
            (replayed, "did not sign this address"),
            (with_a_key_more, "did not sign this address"),
        ):
            phone.route(there, change)
            laptops.type_code(typed_address(address))
            sync_api.expect(said).to_contain_text(words)
            sync_api.expect(said).to_contain_text(NOTHING)
            phone.unroute(there)
        stranger = free_port()
        phone.route(f"{at(stranger)}/**", passing_on(address))
        laptops.type_code(typed_address(f"{at(stranger)}/"))
        sync_api.expect(said).to_contain_text("did not sign this address")
    ports = (port, laptops.ports[1], stranger)
    sent = [
        each for each in laptops.posted() if any(f":{each_port}/" in each for each_port in ports)
    ]
    assert sent
    assert all("/api/v1/moved?kept=" in each for each in sent)
    assert phone.url.startswith(laptops.address)
    assert phone.url.endswith("/me")
    sync_api.expect(phone.locator("#outbox")).to_contain_text("Waiting to be sent")
    with served(laptops.one, free_port()) as address:  # the same laptop in another Wi-Fi
        phone.context.clear_cookies()
        laptops.type_code(typed_address(address))
        phone.get_by_role("button", name="Yes, that is me").click()
        phone.wait_for_url(f"{address}**/me")
        sync_api.expect(phone.locator("#outbox")).to_be_hidden()
    with chdir(laptops.one.folder):
        assert sum('"ResultReported"' in line for line in laptops.one.log().splitlines()) == 2


def at(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def changed(route: Route, change: dict[str, Any]) -> None:
    answer = route.fetch()
    value = answer.json()
    value["log"] |= change.pop("log", {})
    route.fulfill(response=answer, body=json.dumps(value | change))


def unsigned(route: Route) -> None:
    """A history without events that the phone saw, and without the act of a take-over."""
    changed(route, {"log": {"takeover": None}})


def replayed(route: Route) -> None:
    """A signature that was made for the nonce of another question."""
    nonce = re.sub(r"nonce=\w+", "nonce=" + "0" * 32, route.request.url)
    route.fulfill(response=route.fetch(url=nonce))


def with_a_key_more(route: Route) -> None:
    """Right in all but a further key of the log, a stranger's, that signed the address."""
    answer = route.fetch()
    value = answer.json()
    log, nonce = value["log"], route.request.url.rpartition("=")[2]
    thief = signer(log["origin"], b"t" * 32)
    log["head"]["keys"].append(vkey(thief.key))
    text = address_text(log["origin"].removeprefix("tourney/"), value["address"], nonce)
    value["sig"] = base64_of(thief.sign(text))
    route.fulfill(response=answer, body=json.dumps(value))


def passing_on(address: str) -> Any:  # noqa: ANN401 - a handler
    """A stranger's address that passes every question on to the desk."""

    def handler(route: Route) -> None:
        path = route.request.url.partition("/api/")[2]
        route.fulfill(response=route.fetch(url=f"{address}api/{path}"))

    return handler


def fragment(whole: dict[str, Any]) -> str:
    return "moved." + quote(json.dumps(whole))


def test_a_forged_fragment_signs_nobody_in_and_enters_nothing(chromium: Browser, day: Desk) -> None:
    """Made by another player, with their own key; opened by a phone that is signed in, or not."""
    port = free_port()
    thief, victim = day.seats(1)
    links = links_of(day, port, str(thief), str(victim))
    with served(day, port) as address:
        phones = [chromium.new_context().new_page() for _ in links]
        for phone, link in zip(phones, links, strict=True):
            phone.set_default_timeout(15_000)
            phone.goto(link)
            phone.wait_for_url("**/me")
            sync_api.expect(phone.locator("#witness")).to_contain_text(re.compile("keeps|checked"))
        kept, own = (phone.evaluate(CARRIED) for phone in phones)
        (entry,) = kept["heads"].values()
        head = {name: entry[name] for name in ("note", "keys", "renewed")}
        body = f"id=forged-act-1&match=1&outcome=loss&for=p{victim}"
        act = {"id": "forged-act-1", "path": "/do/report", "body": body, "to": "/me"}
        acts = [{**act, "said": "lost", "at": 1}]
        good = {"log": f"tourney/{kept['log']}", "head": head, "own": kept["own"], "acts": acts}
        good |= {"own": {name: kept["own"][name] for name in ("link", "browser", "key")}}
        form = {"id": "forged-act-2", "path": "/line", "body": "line=drop", "by": "o1", "sentAt": 0}
        forms = [{**form, "method": "post", "summary": "drop", "at": 1}]
        good |= {"by": f"p{thief}", "results": [], "forms": forms}
        stranger, signed_in = chromium.new_context().new_page(), phones[1]
        for page in (stranger, signed_in):
            page.set_default_timeout(15_000)
            page.goto("about:blank")
            page.goto(f"{address}in#{fragment(good)}")
            question = page.locator("#moved.report")
            sync_api.expect(question).to_contain_text("if this is your name")
            assert page.url == f"{address}in" or page.url.endswith("/in")
            assert "moved." not in page.evaluate("location.href")
            question.get_by_role("button", name="No, do not sign in").click()
            sync_api.expect(question).to_have_count(0)
        question = signed_in.locator("#moved.report")
        assert signed_in.evaluate(CARRIED)["own"] == own["own"]
        assert stranger.evaluate(CARRIED)["own"] is None
        for wrong, words in (
            ({**good, "log": "tourney/" + "0" * 32}, "damaged, or it is for another tournament"),
            ({**good, "acts": [{**acts[0], "path": "/in"}]}, "damaged"),
            ({**good, "acts": acts * 41}, "damaged"),
            ({**good, "forms": [{**forms[0], "path": "//elsewhere"}]}, "damaged"),
            ({**good, "forms": [{**forms[0], "path": "/out"}]}, "damaged"),
            ({**good, "by": "x" * 100_001}, "damaged"),
            ({**good, "own": {**good["own"], "key": "0" * 64}}, "no valid link"),
            ({**good, "own": {**good["own"], "browser": "0" * 16}}, "does not know this browser"),
            ({**good, "head": {**head, "note": head["note"].replace("\n\n", "\n\n\n")}}, "fit"),
        ):
            stranger.goto("about:blank")
            stranger.goto(f"{address}in#{fragment(wrong)}")
            sync_api.expect(stranger.locator("#refused")).to_contain_text(words)
            assert stranger.evaluate(CARRIED)["own"] is None
        signed_in.goto(f"{address}me")
        signed_in.wait_for_timeout(500)
        sync_api.expect(signed_in.locator("#outbox")).to_be_hidden()
        for page in (*phones, stranger):
            page.context.close()
    assert '"ResultReported"' not in day.log()


LONG = "http://[fe80::1:9]:8600/"
HOSTS = ("http://192.168.1.9:8600/", "http://10.0.0.255:80/", "https://desk-1.kotei.example:8443/")
READ = """async (codes) => {
  const { addressOf } = await import("./static/moved.js");
  return codes.map(addressOf);
}"""


def test_a_page_takes_a_code_and_no_code_with_one_error(chromium: Browser, day: Desk) -> None:
    """Each other character at each place, and swapped neighbours, for the script of the page."""
    page = chromium.new_page()
    with served(day, free_port()) as address:
        page.goto(address)
        for host in (*HOSTS, LONG):
            code, origin = typed_address(host), host.rstrip("/").removesuffix(":80")
            typed = [code, code.lower(), f" {code[:-3]}  {code[-2:]} "]
            typed += [] if host.startswith("https") else [f"http://{code}"]
            assert set(page.evaluate(READ, typed)) == {origin}, host
            for wrong in (errors_in(code), errors_in(code.lower())):
                found = page.evaluate(READ, wrong)
                assert set(found) <= {"", origin}
    page.close()


def test_an_encrypted_page_says_that_it_cannot_ask_a_plain_address(
    chromium: Browser, day: Desk
) -> None:
    page, sent = chromium.new_page(), list[str]()
    page.set_default_timeout(15_000)
    with served(day, free_port()) as address:

        def handler(route: Route) -> None:
            """Be a hall over TLS that a page can open, and whose news never come."""
            path = route.request.url.partition("desk.example/")[2]
            if "stream" in path or "hall.svg" in path:
                route.abort()
            else:
                route.fulfill(response=route.fetch(url=f"{address}{path}"))

        page.route("https://desk.example/**", handler)
        page.goto("https://desk.example/pairings")
        page.on("request", lambda request: sent.append(request.url))
        page.get_by_label("The desk has another address?").fill("192.168.1.9-NF")
        page.get_by_role("button", name="Go there").click()
        said = page.locator("#moved-said")
        sync_api.expect(said).to_contain_text("Open http://192.168.1.9:8600 yourself")
    assert not any("192.168.1.9" in each for each in sent)
    page.close()


def errors_in(code: str) -> list[str]:
    """Return a code with one other character, one more, one less, or two neighbours swapped."""
    found = set[str]()
    for place in range(len(code)):
        rest = code[place + 1 :]
        found |= {code[:place] + letter + rest for letter in f"{TYPED}{TYPED.upper()} @#?%é"}
        found.add(code[:place] + rest)
        if rest:
            found.add(code[:place] + rest[0] + code[place] + rest[1:])
    return sorted(found - {code})
