"""A phone whose hall is away, in a real browser: what it says waits, and lands once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.hall import served, served_to_owner
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

PORT = free_port()
WAITS = "Waiting to be sent"
KNOWN = """new Promise((done) => {
  const name = `tourney-carry-${document.documentElement.dataset.log}`;
  const look = () => (localStorage.getItem(name) ? done() : setTimeout(look, 20));
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


def sends_again(page: Page) -> None:
    """Send what was not answered once more; it lands, and nothing waits any longer."""
    page.get_by_role("button", name="Send it again").click()
    page.get_by_role("status", name="Done").wait_for()
    sync_api.expect(page.locator("#outbox")).to_be_hidden()


def said_offline(chromium: Browser, address: str) -> Page:
    """Return a phone without a network on which a player has said that they won."""
    phone = phone_at(chromium, address)
    phone.context.set_offline(offline=True)
    phone.get_by_role("button", name="I won").click()
    say_yes(phone)
    sync_api.expect(phone.locator("#outbox")).to_contain_text(WAITS)
    return phone


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
    sync_api.expect(outbox).to_contain_text(f"{WAITS}: won 10-1 against")
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
        phone = said_offline(chromium, links[f"p{number}"])
        assert reports(desk) == []
        context = phone.context
        phone.close()
        context.set_offline(offline=False)
        again = context.new_page()
        again.goto(f"{address}me")
        sync_api.expect(again.locator("#outbox")).to_be_hidden()
        again.get_by_text("10-1").first.wait_for()
    assert len(reports(desk)) == 1


LOADED = "performance.getEntriesByType('resource').map((file) => file.name.split('/').pop())"


def test_a_page_for_everybody_sends_what_waits_and_else_loads_nothing_for_it(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """A stranger has no acts and an official none that wait: neither loads how acts are kept."""
    number = desk.seats(1)[0]
    with served(desk, PORT) as address:
        phone = said_offline(chromium, links[f"p{number}"])
        phone.context.route("**/do/*", lambda route: route.abort())
        phone.context.set_offline(offline=False)
        again = phone.context.new_page()
        again.goto(f"{address}pairings")
        again.get_by_text("Show as a code").click()
        assert again.locator("#outbox svg").bounding_box()
        phone.close()
        again.context.unroute("**/do/*")
        again.reload()
        sync_api.expect(again.locator("#outbox")).to_be_hidden()
        again.reload(wait_until="networkidle")
        loaded = set(again.evaluate(LOADED))
        official = chromium.new_context().new_page()
        official.goto(links["o1"])
        official.wait_for_url("**/desk")
        of_official = set(official.evaluate(LOADED))
    assert "forms.js" in loaded & of_official
    assert not {"acts.js", "qr.js"} & (loaded | of_official)
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
        name = "`tourney-outbox-${document.documentElement.dataset.log}`"
        waiting = f"JSON.parse(localStorage.getItem({name}))[0]"
        shown = phone.evaluate(
            f"import(`${{document.baseURI}}static/acts.js`).then(own => own.codeFor({waiting}))"
        )
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
        sync_api.expect(phone.locator("#outbox")).to_contain_text("Refused: won 10-1 against")
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
        phone.route("**/do/*", lambda route: route.fulfill(**PORTALS[portal]))
        phone.get_by_role("button", name="I won").click()
        say_yes(phone)
        outbox = phone.locator("#outbox")
        sync_api.expect(outbox).to_contain_text("Another program answered")
        sync_api.expect(outbox).to_contain_text(WAITS)
        assert reports(desk) == []
        phone.unroute("**/do/*")
        phone.evaluate("window.dispatchEvent(new Event('online'))")
        sync_api.expect(outbox).to_be_hidden()
    assert len(reports(desk)) == 1


AWAY = "The desk cannot be reached"
AWAY_AT_DESK = "The computer that serves this tournament does not answer"


def official_at(chromium: Browser, address: str) -> Page:
    """Open a desk of its own by an official's link."""
    page = chromium.new_context(viewport={"width": 360, "height": 780}).new_page()
    page.set_default_timeout(15_000)
    page.goto(address)
    page.wait_for_url("**/desk")
    page.evaluate(KNOWN)
    return page


def type_line(page: Page, line: str) -> None:
    page.locator("#palette").evaluate("field => { field.open = true; }")
    page.locator("#line").fill(line)
    page.keyboard.press("Enter")


def test_the_banner_goes_and_the_result_is_sent_when_the_hall_is_back(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """Nothing is done on the phone after the restart."""
    number = desk.seats(1)[0]
    with served(desk, PORT):
        phone = phone_at(chromium, links[f"p{number}"])
        idle = phone_at(chromium, links[f"p{desk.seats(2)[0]}"])
    banners = [page.locator("#news") for page in (phone, idle)]
    for banner in banners:
        sync_api.expect(banner).to_contain_text(AWAY)
    phone.get_by_role("button", name="I won").click()
    say_yes(phone)
    sync_api.expect(phone.locator("#outbox")).to_contain_text(WAITS)
    with served(desk, PORT):
        for banner in banners:
            sync_api.expect(banner).to_be_hidden(timeout=10_000)
        sync_api.expect(phone.locator("#outbox")).to_be_hidden(timeout=10_000)
        assert len(reports(desk)) == 1
        desk.done("report", "2", f"#{desk.seats(2)[0]}")
        idle.get_by_text("Entered at the desk").wait_for()


CLOSED = "This tournament was closed at the desk"


def test_pages_of_a_closed_tournament_say_so_and_come_back(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """On phones, a wall and public pages; what a player sends meanwhile lands once, later."""
    with served_to_owner(desk, PORT) as (address, token):
        owner = chromium.new_context().new_page()
        owner.goto(token)
        owner.wait_for_url("**/desk")
        phone = phone_at(chromium, links[f"p{desk.seats(1)[0]}"])
        idle = phone_at(chromium, links[f"p{desk.seats(2)[0]}"])
        pages = [phone, idle]
        for path in ("pairings", "clock", "screen/1"):
            pages.append(chromium.new_context().new_page())
            pages[-1].goto(f"{address}{path}")
        banners = [page.locator("#news") for page in pages]
        owner.goto(f"{address}events")
        owner.get_by_text("Close it").click()
        owner.get_by_role("button", name="Do it").click()
        owner.get_by_role("button", name="Open it").wait_for()
        for banner in banners:
            sync_api.expect(banner).to_have_text(
                f"{CLOSED}. This page comes back when it is opened again."
            )
        phone.get_by_role("button", name="I won").click()
        say_yes(phone)
        sync_api.expect(phone.locator("#outbox")).to_contain_text(WAITS)
        phone.evaluate("wake()")
        idle.evaluate("wake()")
        for banner in banners:
            sync_api.expect(banner).to_contain_text(CLOSED)
        sync_api.expect(idle.locator("main")).to_contain_text("Table 2")
        assert idle.locator("#witness").evaluate("line => line.className") != "notable"
        assert reports(desk) == []
        owner.get_by_role("button", name="Open it").click()
        owner.wait_for_url("**/desk")
        for banner in banners:
            sync_api.expect(banner).to_be_hidden(timeout=10_000)
        sync_api.expect(phone.locator("#outbox")).to_be_hidden(timeout=10_000)
        assert len(reports(desk)) == 1
        pages[2].get_by_text("won 10-1").first.wait_for()


def test_an_owner_whose_server_was_started_again_reads_that_they_are_signed_out(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """What they sent stays in the tab until they have signed in, and lands once."""
    del links
    line = f"1 #{desk.seats(1)[0]}"
    with served_to_owner(desk, PORT) as (_, token):
        page = chromium.new_context().new_page()
        page.set_default_timeout(15_000)
        page.goto(token)
        page.wait_for_url("**/desk")
        page.wait_for_load_state("load")
    sync_api.expect(page.locator("#news")).to_contain_text("start it again")
    with served_to_owner(desk, PORT) as (_, token):
        sync_api.expect(page.locator("#news")).to_be_hidden(timeout=10_000)
        type_line(page, line)
        outbox = page.locator("#outbox")
        sync_api.expect(outbox).to_contain_text(f"Sent, but not answered: {line}")
        sync_api.expect(outbox).to_contain_text("You are signed out: sign in, then send it again.")
        page.goto(token)
        page.wait_for_url("**/desk")
        sync_api.expect(outbox).not_to_contain_text("signed out")
        sends_again(page)
    assert len(reports(desk)) == 1


def test_an_official_whose_link_ended_reads_it_as_well_and_keeps_the_line(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    line = f"1 #{desk.seats(1)[0]}"
    here = ("--address", f"http://127.0.0.1:{PORT}")
    with served(desk, PORT):
        page = official_at(chromium, links["o1"])
        (again,) = desk.done("links", "new", "o1", *here, "--json").json["links"]
        type_line(page, line)
        outbox = page.locator("#outbox")
        sync_api.expect(outbox).to_contain_text("You are signed out: sign in, then send it again.")
        page.goto(again["address"])
        page.wait_for_url("**/desk")
        sends_again(page)
    assert len(reports(desk)) == 1


def test_a_line_of_the_desk_waits_for_the_hall_and_lands_once(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    with served(desk, PORT):
        page = official_at(chromium, links["o1"])
    sync_api.expect(page.locator("#news")).to_contain_text(AWAY_AT_DESK)
    line, outbox = f"1 #{desk.seats(1)[0]}", page.locator("#outbox")
    for _ in range(2):
        type_line(page, line)
        sync_api.expect(outbox).to_contain_text(f"Waiting for the desk: {line}")
    type_line(page, 'note "it was dark"')
    sync_api.expect(outbox).to_contain_text("it was dark")
    assert outbox.locator("li").count() == 2
    assert page.url.endswith("/desk")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with served(desk, PORT):
        page.get_by_role("button", name="Do it").wait_for()  # the note asks, the result does not
        sync_api.expect(outbox).to_be_hidden()
        assert len(reports(desk)) == 1
        page.get_by_role("button", name="Do it").click()
        page.get_by_role("status", name="Done").wait_for()
    assert desk.log().count('"NoteTaken"') == 1


def test_what_the_hall_took_without_an_answer_is_entered_once(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    """The hall dies between the line and its page."""
    with served(desk, PORT):
        page = official_at(chromium, links["o1"])
        page.route("**/line", lambda route: (route.fetch(), route.abort()))
        line = f"1 #{desk.seats(1)[0]}"
        with page.expect_event("requestfailed"):
            type_line(page, line)
        page.unroute("**/line")
        page.goto(f"http://127.0.0.1:{PORT}/desk")
        outbox = page.locator("#outbox")
        sync_api.expect(outbox).to_contain_text(f"Sent, but not answered: {line}")
        sends_again(page)
    assert len(reports(desk)) == 1


def test_a_judge_of_a_hall_that_is_away_keeps_what_was_typed(
    chromium: Browser, desk: Desk, links: dict[str, str]
) -> None:
    with served(desk, PORT) as address:
        page = official_at(chromium, links["o1"])
        page.goto(f"{address}judge")
    sync_api.expect(page.locator("#news")).to_contain_text(AWAY_AT_DESK)
    page.get_by_label("Table (4 or 2/7) or player").fill("2")
    page.get_by_role("button", name="Open the table").click()
    sync_api.expect(page.locator("#outbox")).to_contain_text(
        "Waiting for the desk: Open the table: 2"
    )
    page.get_by_role("button", name="Do not send").click()
    sync_api.expect(page.locator("#outbox")).to_be_hidden()
    page.get_by_role("button", name="Open the table").click()
    with served(desk, PORT):
        page.wait_for_url("**/judge/match/1/2")


@pytest.fixture
def ashes(desk: Desk) -> str:
    """The address of the link of the first player of a match of Ashes, which counts wounds."""
    desk.open(2, "custom", "--rounds", "1", ruleset="ashes")
    desk.done("pair", "--unchecked", "--reason", "a test")
    desk.done("round", "start")
    here = ("--address", f"http://127.0.0.1:{PORT}")
    (link,) = desk.done("links", "print", f"#{desk.seats(1)[0]}", *here, "--json").json["links"]
    return str(link["address"])


def test_numbers_are_asked_and_named_without_the_hall(
    chromium: Browser, desk: Desk, ashes: str
) -> None:
    """The question and the outbox hold the wounds, and the hall enters them."""
    with served(desk, PORT):
        phone = phone_at(chromium, ashes)
    phone.get_by_label("Who won").select_option("I won")
    phone.get_by_label("mine").first.fill("25")
    phone.get_by_label("Player").first.fill("12")
    phone.get_by_role("button", name="Send", exact=True).click()
    asked = phone.locator(".report .result")
    words = re.compile(r"I won against Player \d+; destroyed; wounds: mine 25, Player \d+ 12")
    sync_api.expect(asked).to_contain_text(words)
    phone.get_by_role("button", name="No, go back").click()
    sync_api.expect(phone.get_by_label("mine").first).to_have_value("25")
    phone.get_by_role("button", name="Send", exact=True).click()
    say_yes(phone)
    outbox = phone.locator("#outbox")
    sync_api.expect(outbox).to_contain_text(re.compile(f"{WAITS}: I won against .*wounds: mine 25"))
    with served(desk, PORT):
        sync_api.expect(outbox).to_be_hidden(timeout=15_000)
        phone.get_by_text("You reported").wait_for()  # the page is not held by what was typed
    facts = desk.done("pairings", "--json").json[0]["result"]["facts"]
    assert facts["wounds"] == [25, 12]


def test_the_sentences_of_a_refusal_are_apart(chromium: Browser, desk: Desk, ashes: str) -> None:
    """Neither the wounds nor the winner are stated: two reasons."""
    with served(desk, PORT):
        phone = phone_at(chromium, ashes)
        phone.context.set_offline(offline=True)
        phone.get_by_role("button", name="Send", exact=True).click()
        say_yes(phone)
        phone.context.set_offline(offline=False)
        outbox = phone.locator("#outbox")
        reasons = re.compile(r"the fact wounds is missing.*\); .*the fact destroyed is missing")
        sync_api.expect(outbox).to_contain_text(reasons)
