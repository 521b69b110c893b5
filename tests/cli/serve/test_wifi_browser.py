"""A player and an official on the room's Wi-Fi, in a real browser: not on this machine's loopback.

The pages come from this machine's own number in its network, as a phone sees them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve.ports.numbers import LOOPBACK, own_numbers
from tests.support.hall import served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Request

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.skipif(
    own_numbers() == [LOOPBACK], reason="this machine is in no network but its own"
)
expect = sync_api.expect


class Room:
    """The hall on the network, everybody's link, and all that goes over the air."""

    def __init__(self, chromium: Browser, desk: Desk, port: int) -> None:
        self.chromium, self.desk = chromium, desk
        self.plain, self.secure = (
            f"{scheme}://{own_numbers()[0]}:{number}/"
            for scheme, number in (("http", port), ("https", port + 1))
        )
        found = desk.done("links", "print", "--json").json["links"]
        found += desk.done("links", "print", "o1", "--json").json["links"]
        self.links: dict[str, dict[str, Any]] = {each["of"]: each for each in found}
        self.air: list[str] = []

    def page(self) -> Page:
        """A browser of its own, which is listened to."""
        context = self.chromium.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("request", self._heard)
        return page

    def _heard(self, request: Request) -> None:
        headers = f"{request.all_headers()}" if request.method == "POST" else ""
        self.air.append(f"{request.url.partition('#')[0]} {request.post_data} {headers}")

    def let_in(self, of: str, where: str) -> Page:
        """Open a link by the code for a camera."""
        page = self.page()
        page.goto(f"{where}in#{self.links[of]['address'].partition('#')[2]}")
        page.wait_for_url(re.compile(r"/(desk|me)"))
        return page


@pytest.fixture
def room(chromium: Browser, desk: Desk) -> Iterator[Room]:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    port = free_port()
    with served(desk, port, "--lan", "--tls"):
        yield Room(chromium, desk, port)


def test_a_players_day_on_the_wifi(room: Room) -> None:
    """Sign in by the camera and by the typed code, report, confirm, call, be refused, sign out."""
    one, two = (f"p{each}" for each in room.desk.seats(1))
    first = room.let_in(one, room.plain)
    first.get_by_role("button", name="I won", exact=True).click()
    first.get_by_role("button", name="Yes, send it").click()
    expect(first.locator("#outbox")).to_be_hidden()
    second = room.page()
    second.goto(f"{room.plain}in")
    code = room.links[two]["code"]
    second.get_by_label("The code on your badge").fill(code.lower())
    second.get_by_role("button", name="Sign in").click()
    second.wait_for_url("**/me")
    second.get_by_role("button", name="That is right").click()
    expect(second.locator("main").get_by_text("both sides agree").first).to_be_visible()
    second.get_by_text("Call a judge", exact=True).click()
    second.get_by_label("Why? (optional)").fill("may I look?")
    second.get_by_role("button", name="Call", exact=True).click()
    expect(
        second.get_by_text("A judge was called")
    ).to_be_visible()  # its page has come: none is on the way
    log = room.desk.log()
    for kind in ("ResultReported", "ResultConfirmed", "JudgeCalled"):
        assert log.count(f'"{kind}"') == 1, kind
    assert first.evaluate("localStorage.length") > 0
    kept = str(first.evaluate("JSON.stringify({...localStorage})"))
    secrets = [room.links[of]["address"].partition("#")[2] for of in (one, two)]
    said = "\n".join(room.air)
    for text in (*secrets, code, code.replace("-", ""), code.lower()):
        assert text not in said
        assert text not in kept
    assert "tourney-mark" in said
    second.goto(f"{room.plain}in")
    second.get_by_role("button", name="Sign out on this browser").click()
    expect(second.get_by_label("The code on your badge")).to_be_visible()
    assert "p2" not in str(second.evaluate("localStorage.getItem('tourney-keys')"))
    assert len(room.desk.done("links", "--json").json[int(two[1:]) - 1]["browsers"]) == 0


def test_a_browser_that_lost_its_key_reads_and_says_so(room: Room) -> None:
    of = f"p{room.desk.seats(1)[0]}"
    page = room.let_in(of, room.plain)
    page.evaluate("localStorage.removeItem('tourney-keys')")
    page.reload()
    expect(page.get_by_text("This browser can only read")).to_be_visible()
    before = room.desk.log()
    page.get_by_role("button", name="I won", exact=True).click()
    page.get_by_role("button", name="Yes, send it").click()
    expect(page.locator("#outbox")).to_contain_text("Sign in again to send it.")
    assert room.desk.log() == before
    page.goto(f"{room.plain}in#{room.links[of]['address'].partition('#')[2]}")
    page.wait_for_url("**/me")
    expect(page.locator("#outbox")).to_be_hidden()
    assert room.desk.log().count('"ResultReported"') == 1


def test_an_official_reads_on_the_wifi_and_acts_over_tls(room: Room) -> None:
    """And over plain HTTP once the organizer has allowed it, with marks on every form."""
    plain = room.let_in("o1", room.plain)
    expect(plain.get_by_text("an official can only read over it")).to_be_visible()
    assert room.secure in plain.locator("#part > .problems").inner_text()
    before = room.desk.log()
    type_line(plain, "note over the air")
    assert "can only read" in plain.content()
    assert room.desk.log() == before
    secure = room.let_in("o1", room.secure)
    note(secure, "over TLS")
    assert '"by":"o1"' in room.desk.log().splitlines()[-1]
    room.desk.done("links", "plain-http", "allow", "--reason", "a test of the forms")
    plain.goto(f"{room.plain}desk")
    note(plain, "by a marked form")
    plain.get_by_label("Screen 1 shows")
    names = {each["name"] for each in secure.context.cookies() if each["name"] != ""}
    assert {each.partition("hall_")[0] for each in names} == {"__Host-"}


def type_line(page: Page, line: str) -> None:
    """Type a line into the desk's field."""
    page.locator("#palette").evaluate("field => { field.open = true; }")
    page.locator("#line").fill(line)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def note(page: Page, text: str) -> None:
    """Put a note on record, as it is shown first and then done."""
    type_line(page, f'note "{text}"')
    with page.expect_navigation():
        page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("status", name="Done")).to_be_visible()
