"""A player's page on two phones in a real browser: let in by their links, and agreeing or not.

Skipped where Chromium or Playwright is missing; `.ci/run` installs both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.cli_desk import typed_once
from tests.support.hall import served

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.cli_desk import Desk

    Phone = Callable[..., Page]

WIDTH, HEIGHT = 390, 844
LONG = "Maximiliana-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst"
STRANGE = '<img src=x onerror="document.title=1">' + "W" * 80
Scheme = Literal["light", "dark"]


@typed_once
def day(desk: Desk) -> Desk:
    """Four players of long and hostile names, a list each to hand in, the first round running."""
    whole = ("--organizer", "Kim", "--public-names", "full", "--format", "l5r")
    desk.done("new", "Night <i>of</i> Cards", "--ruleset", "l5r", *whole)
    for name in (LONG, STRANGE, "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@pytest.fixture
def phone(chromium: Browser, day: Desk) -> Iterator[Phone]:
    """Opens a phone that a link lets in: a player's, or the event's."""
    with served(day, 0) as address:

        def opened(of: str, scheme: Scheme = "light", *, script: bool = True) -> Page:
            answer = day.done(
                "links", "print", of.replace("p", "#"), "--json", "--address", address.rstrip("/")
            )
            (link,) = answer.json["links"]
            size = sync_api.ViewportSize(width=WIDTH, height=HEIGHT)
            context = chromium.new_context(
                viewport=size, color_scheme=scheme, java_script_enabled=script
            )
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.goto(link["address"])
            if not script:
                page.get_by_label("code").fill(link["code"])
                page.get_by_role("button", name="Sign in").click()
            page.wait_for_url(f"**/{'join' if of == 'e1' else 'me'}")
            return page

        yield opened


def sides(desk: Desk) -> tuple[str, str]:
    """Who sits at table 1, as links name them."""
    first, second = desk.done("pairings", "--json").json[0]["players"]
    return f"p{first}", f"p{second}"


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_two_phones_agree(phone: Phone, day: Desk, script: bool) -> None:  # noqa: FBT001
    one, other = (phone(each, script=script) for each in sides(day))
    one.get_by_role("button", name="I won", exact=True).click()
    one.get_by_text("Is that right?").wait_for()
    one.get_by_role("button", name="Yes, send it").click()
    one.get_by_text("You reported; it counts.").wait_for()
    if not script:
        other.reload()
    other.get_by_role("button", name="That is right").click()
    other.get_by_text("both sides agree").wait_for()
    if script:
        one.get_by_text("both sides agree").wait_for()


def test_a_question_that_was_gone_back_to_says_nothing_of_the_next_round(
    phone: Phone, day: Desk
) -> None:
    one = phone(sides(day)[0])
    one.get_by_role("button", name="I won", exact=True).click()
    one.get_by_role("button", name="Yes, send it").click()
    one.get_by_text("You reported; it counts.").wait_for()
    one.go_back()
    one.wait_for_url("**ask=report**")
    day.report_all()
    day.done("round", "close")
    day.done("pair")
    one.wait_for_url(lambda url: "ask=" not in url)
    one.get_by_text("Round 2").first.wait_for()
    sync_api.expect(one.locator("#part .problems")).to_have_count(0)
    assert "ask=" not in one.url


def test_two_phones_contradict_each_other(phone: Phone, day: Desk) -> None:
    """What one says is on the other without a reload; what is being typed is not lost to news."""
    one, other = (phone(each) for each in sides(day))
    one.get_by_role("button", name="I won", exact=True).click()
    one.get_by_role("button", name="Yes, send it").click()
    other.get_by_text("That is wrong").click()
    other.get_by_label("What is wrong?").first.fill("we played to the end, and I won")
    day.done("note", "there is news meanwhile")
    other.get_by_text("This page has changed.").wait_for()
    other.get_by_role("button", name="I won", exact=True).click()
    other.get_by_text("Is that right?").wait_for()
    other.get_by_role("button", name="Yes, send it").click()
    for each in (one, other):
        each.get_by_text("The result is in dispute").wait_for()
        each.get_by_text("we played to the end, and I won").wait_for()
    one.get_by_text("Call a judge").click()
    one.get_by_role("button", name="Call", exact=True).click()
    one.get_by_text("A judge was called at").wait_for()
    assert len(day.done("disputes", "--json").json) == 1
    day.done("verify")


def test_the_next_table_comes_by_itself(phone: Phone, day: Desk) -> None:
    one = phone(sides(day)[0])
    day.report_all()
    day.done("pair")
    one.get_by_text("round 2").first.wait_for()
    assert one.get_by_text("How did it end?").is_visible()


def test_a_double_click_is_one_act(phone: Phone, day: Desk) -> None:
    one = phone(sides(day)[0])
    one.get_by_role("button", name="I won", exact=True).click()
    one.get_by_role("button", name="Yes, send it").dblclick()
    one.get_by_text("You reported").wait_for()
    assert day.done("log").out.count("beat") == 1


def looks(page: Page, where: str) -> None:
    """Nothing sideways, nothing that axe finds or a thumb misses, and names are no markup."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for each in page.locator("details").all():
        each.evaluate("each => { each.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, where
    found = axe.run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], where
    assert page.locator("img").count() == 0, where
    for each in page.locator("main button, main summary").all():
        box = each.bounding_box()
        assert not box or not box["width"] or box["height"] >= 44, (where, each.inner_text())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_of_a_player_fits_a_phone(phone: Phone, day: Desk, scheme: Scheme) -> None:
    one, other = sides(day)
    page = phone(one, scheme)
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if said.type == "error" else None)
    address = page.url.removesuffix("me")
    looks(page, "open")
    page.goto(f"{address}me?say=win")
    looks(page, "asked again")
    day.done("report", "1", f"#{one[1:]}")
    for path in ("me", "me/list", "me/why/rank"):
        page.goto(f"{address}{path}")
        looks(page, path)
    opposite = phone(other, scheme)
    looks(opposite, "reported by the desk")
    day.done("dispute", "1", "--for", f"#{other[1:]}", "--reason", STRANGE)
    opposite.get_by_text("The result is in dispute").wait_for()
    looks(opposite, "in dispute")
    newcomer = phone("e1", scheme)
    looks(newcomer, "registration")
    newcomer.get_by_label("Your name").fill(STRANGE)
    newcomer.get_by_role("button", name="Ask").click()
    newcomer.get_by_text("The desk has your name").wait_for()
    looks(newcomer, "asked")
    assert refused == []


def test_a_new_table_is_announced(phone: Phone, day: Desk) -> None:
    """The title and the icon change until the page is touched; sound is a choice on the phone."""
    one = phone(sides(day)[0])
    toggle = one.get_by_label("Sound and vibration for a new table")
    assert not toggle.is_checked()
    assert one.locator("#table-news").inner_text() == ""
    assert "●" not in one.title()
    toggle.check()
    one.reload()
    assert toggle.is_checked()
    one.get_by_role("heading", name="My standing").wait_for()
    one.locator("main").click(position={"x": 2, "y": 2})
    day.report_all()
    day.done("pair")
    sync_api.expect(one).to_have_title(re.compile("^● Round 2: "))
    assert one.locator("#table-news").inner_text().startswith("Round 2: ")
    assert one.locator("#table-news").get_attribute("aria-live") == "polite"
    assert "hall-news.svg" in (one.locator("link[rel=icon]").get_attribute("href") or "")
    sync_api.expect(one.locator("body")).to_have_attribute("data-played", "1")
    one.locator("main").click(position={"x": 2, "y": 2})
    assert "●" not in one.title()
    assert "hall-news" not in (one.locator("link[rel=icon]").get_attribute("href") or "")
    one.reload()
    one.get_by_text("round 2").first.wait_for()
    assert "●" not in one.title()


def test_a_phone_without_permission_stays_silent(phone: Phone, day: Desk) -> None:
    one = phone(sides(day)[0])
    one.locator("main").click(position={"x": 2, "y": 2})
    day.report_all()
    day.done("pair")
    sync_api.expect(one).to_have_title(re.compile("^● Round 2: "))
    assert one.evaluate("document.body.dataset.played || ''") == ""


def test_a_walk_ins_own_phone_becomes_theirs(phone: Phone, day: Desk) -> None:
    """The phone that asked opens the player's table by itself; a second phone gets nothing."""
    one, other = phone("e1"), phone("e1")
    one.get_by_label("Your name").fill("Late Larry")
    assert one.get_by_label("This is my own phone").is_checked()
    one.get_by_role("button", name="Ask", exact=True).click()
    one.get_by_text("Your request has the number").wait_for()
    (waiting,) = day.done("requests", "--json").json
    assert f"number {waiting['request']}:" in one.locator("#claim").inner_text()
    one.get_by_role("link", name="Ask to register another person").click()
    one.get_by_text("Your request has the number").wait_for()
    assert not one.get_by_label("This is my own phone").is_visible()
    day.done("requests", "approve", str(waiting["request"]))
    one.wait_for_url("**/me")
    one.get_by_text("Late Larry").first.wait_for()
    assert "#" not in one.url
    assert other.url.endswith("/join")
    name = "`tourney-claim-${document.documentElement.dataset.log}`"
    assert one.evaluate(f"localStorage.getItem({name})") is None
    looks(one, "a walk-in")
    looks(other, "join")


SLOWLY = """() => {
  const real = window.fetch;
  window.fetch = async (path, options) => {
    const answer = await real(path, options);
    if (String(path).includes("claim")) await new Promise((done) => setTimeout(done, 2500));
    return answer;
  };
}"""
"""Lets the answers about a claim come late, as over a slow network."""


def asked_to_come(phone: Phone, day: Desk) -> tuple[Page, str]:
    """Return a walk-in's own phone that waits for the desk, and the number of its request."""
    one = phone("e1")
    one.get_by_label("Your name").fill("Late Larry")
    one.get_by_role("button", name="Ask", exact=True).click()
    one.get_by_text("Your request has the number").wait_for()
    (waiting,) = day.done("requests", "--json").json
    return one, str(waiting["request"])


def test_news_that_comes_twice_signs_a_walk_in_in_once(phone: Phone, day: Desk) -> None:
    """Two answers that both have the link, as of a slow network, make one browser of the link."""
    one, request = asked_to_come(phone, day)
    one.evaluate(SLOWLY)
    signed_in: list[str] = []
    one.on("request", lambda each: signed_in.append(each.url) if each.method == "POST" else None)
    day.done("requests", "approve", request)
    for text in ("it is dark", "it is light"):
        one.wait_for_timeout(300)
        day.done("note", text)
    one.wait_for_url("**/me")
    one.get_by_text("Late Larry").first.wait_for()
    assert [url.rpartition("/")[2] for url in signed_in if url.endswith("/in")] == ["in"]


def test_a_phone_that_was_refused_is_not_told_to_come(phone: Phone, day: Desk) -> None:
    one, request = asked_to_come(phone, day)
    day.done("requests", "refuse", request, "--reason", "it is full")
    one.get_by_text("was refused").wait_for()
    assert not one.get_by_text("will register you").is_visible()


def test_a_phone_that_is_not_their_own_stays_what_it_was(phone: Phone, day: Desk) -> None:
    one = phone("e1")
    one.get_by_label("Your name").fill("Late Larry")
    one.get_by_label("This is my own phone").uncheck()
    one.get_by_role("button", name="Ask", exact=True).click()
    one.get_by_text("The desk has your name").wait_for()
    (waiting,) = day.done("requests", "--json").json
    day.done("requests", "approve", str(waiting["request"]))
    one.reload()
    one.get_by_text("The desk has your name").wait_for()
    assert one.url.endswith("/join?asked=1")
