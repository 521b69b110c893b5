"""A phone whose hall is away, in a real browser: what it says waits, and lands once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.hall import free_port, served

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

PORT = free_port()
WAITS = "Waiting to be sent"
KNOWN = """new Promise((done) => {
  const look = () => (localStorage.getItem("tourney-carry") ? done() : setTimeout(look, 20));
  look();
})"""
"""Until the phone knows whose it is, and with what it marks its codes."""


@pytest.fixture
def links(desk: Desk) -> dict[str, str]:
    """Everybody's link, on the first round of four players."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    here = ("--address", f"http://127.0.0.1:{PORT}")
    found = desk.done("links", "print", *here, "--json").json["links"]
    found += desk.done("links", "new", "o1", *here, "--json").json["links"]
    return {each["of"]: each["address"] for each in found}


def phone_at(chromium: Browser, address: str) -> Page:
    """A phone of its own that has opened a link."""
    phone = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.set_default_timeout(15_000)
    phone.goto(address)
    phone.wait_for_url("**/me" if "/in#" in address else "**")
    phone.evaluate(KNOWN)
    return phone


def say_yes(phone: Page) -> None:
    """Press the button once the page's scripts have run: before, a browser sends a plain form."""
    button = phone.get_by_role("button", name="Yes, send it")
    button.wait_for()
    phone.wait_for_load_state()
    button.click()


def reports(desk: Desk) -> list[Any]:
    return [each for each in desk.log().splitlines() if '"ResultReported"' in each]


def test_a_report_waits_for_the_hall_and_lands_once(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """The server is stopped, a result is said, the phone is loaded again, the server is back."""
    number = desk.seats(1)[0]
    with served(desk, PORT):
        phone = phone_at(chromium, links[f"p{number}"])
    outbox = phone.locator("#outbox")
    phone.get_by_role("button", name="I won").click()
    say_yes(phone)
    sync_api.expect(outbox).to_contain_text(f"{WAITS}: I won")
    phone.get_by_text("Show as a code").click()
    assert outbox.locator("svg").bounding_box()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert reports(desk) == []
    with served(desk, PORT):
        phone.evaluate("window.dispatchEvent(new Event('online'))")
        sync_api.expect(outbox).to_be_hidden()
        phone.evaluate("window.dispatchEvent(new Event('online'))")
        phone.reload()
        sync_api.expect(outbox).to_be_hidden()
    (line,) = reports(desk)
    assert f'"by":"p{number}"' in line
    assert '"id":"w' in line


def test_what_waits_is_still_there_after_the_phone_slept(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """The page is closed and opened again; without the network, then with it."""
    number = desk.seats(1)[0]
    with served(desk, PORT) as address:
        phone = phone_at(chromium, links[f"p{number}"])
        phone.context.set_offline(offline=True)
        phone.get_by_role("button", name="I won").click()
        say_yes(phone)
        sync_api.expect(phone.locator("#outbox")).to_contain_text(WAITS)
        assert reports(desk) == []
        context = phone.context
        phone.close()
        context.set_offline(offline=False)
        again = context.new_page()
        again.goto(f"{address}me")
        sync_api.expect(again.locator("#outbox")).to_be_hidden()
        again.get_by_text("10-1").first.wait_for()
    assert len(reports(desk)) == 1


def test_the_desk_enters_what_a_phone_shows_and_the_phone_sends_it_too(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    number = desk.seats(1)[0]
    with served(desk, PORT):
        phone = phone_at(chromium, links[f"p{number}"])
        scanner = chromium.new_page()
        scanner.goto(links["o1"])
        scanner.wait_for_url("**/desk")
        phone.context.set_offline(offline=True)
        phone.get_by_role("button", name="I won").click()
        say_yes(phone)
        waiting = "JSON.parse(localStorage.getItem('tourney-outbox'))[0]"
        shown = phone.evaluate(f"import('/static/outbox.js').then(own => own.codeFor({waiting}))")
        scanner.goto(shown)
        scanner.get_by_role("button", name="Enter it").click()
        scanner.wait_for_url("**/")
        phone.context.set_offline(offline=False)
        sync_api.expect(phone.locator("#outbox")).to_be_hidden()
    (line,) = reports(desk)
    assert f'"by":"o1/p{number}"' in line


def test_what_is_refused_is_said_on_the_phone(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """The pairing was taken back meanwhile."""
    number = desk.seats(1)[0]
    with served(desk, PORT):
        phone = phone_at(chromium, links[f"p{number}"])
        phone.context.set_offline(offline=True)
        phone.get_by_role("button", name="I won").click()
        say_yes(phone)
        desk.done("unpair", "--reason", "a wrong list")
        phone.context.set_offline(offline=False)
        sync_api.expect(phone.locator("#outbox")).to_contain_text("Refused: I won")
        phone.get_by_role("button", name="OK").click()
        sync_api.expect(phone.locator("#outbox")).to_be_hidden()
    assert reports(desk) == []


PORTALS: dict[str, dict[str, Any]] = {
    "a redirect": {"status": 302, "headers": {"location": "http://127.0.0.1:9/sign-in"}},
    "a redirect to where the form leads": {"status": 303, "headers": {"location": "/me"}},
    "a page": {"status": 200, "content_type": "text/html", "body": "<main>Welcome</main>"},
    "nothing": {"status": 204},
    "a refusal": {"status": 403, "content_type": "text/html", "body": "<main>No</main>"},
    "a page for networks": {"status": 511, "content_type": "text/html", "body": "Sign in"},
}
"""What the sign-in page of a network, or a proxy, answers in the place of the hall."""


@pytest.mark.parametrize("portal", PORTALS)
def test_only_the_hall_says_that_an_act_landed(
    chromium: Browser, desk: Desk, links: dict[str, str], portal: str
) -> None:
    number = desk.seats(1)[0]
    with served(desk, PORT):
        phone = phone_at(chromium, links[f"p{number}"])
        phone.get_by_role("button", name="I won").click()
        phone.route("**/do/*", lambda route: route.fulfill(**PORTALS[portal]))
        say_yes(phone)
        outbox = phone.locator("#outbox")
        sync_api.expect(outbox).to_contain_text("Another program answered")
        sync_api.expect(outbox).to_contain_text(WAITS)
        assert reports(desk) == []
        phone.unroute("**/do/*")
        phone.evaluate("window.dispatchEvent(new Event('online'))")
        sync_api.expect(outbox).to_be_hidden()
    assert len(reports(desk)) == 1
