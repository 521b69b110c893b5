"""Two phones in a browser: the desk is killed, and an older backup restored at the same address."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import Desk
from tests.support.hall import links_of, served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

SAID_MS = 10_000
"""Within which a phone says what happened, once the desk is there again."""

KEPT = """async () => {
  const name = `tourney-acts-${document.documentElement.dataset.log}`;
  const has = () => JSON.parse(localStorage.getItem(name) || "{}").acts?.length;
  while (!has()) await new Promise((done) => setTimeout(done, 50));
}"""
"""Until the phone has the receipt of its act."""


SENT = """async (count) => {
  const name = `tourney-acts-${document.documentElement.dataset.log}`;
  const kept = () => JSON.parse(localStorage.getItem(name) || "{}").sent || [];
  for (let tries = 0; kept().length < count && tries < 200; tries += 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return kept();
}"""
"""The acts that the phone keeps until their receipts come, once there are as many."""


def begin_round(desk: Desk) -> None:
    """Start a round of four players."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")


def phone_at(chromium: Browser, address: str) -> Page:
    phone = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.set_default_timeout(15_000)
    phone.goto(address)
    phone.wait_for_url(re.compile(r"/(me|desk)$"))
    phone.wait_for_load_state("networkidle")
    return phone


def test_phones_say_what_happened_and_their_result_comes_back(
    chromium: Browser, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    port = free_port()
    begin_round(desk)
    *players, officials = links_of(desk, port, "1", "2", "o1")
    copy: Path = tmp_path_factory.mktemp("copies") / "copy"
    with served(desk, port):
        one, two = (phone_at(chromium, link) for link in players)
    shutil.copytree(desk.folder, copy)
    with served(desk, port):
        for page in (one, two):
            reload_whole(page)
        wall = chromium.new_context().new_page()
        wall.goto(f"http://127.0.0.1:{port}/screen/1")
        one.get_by_role("button", name="I won").click()
        one.get_by_role("button", name="Yes, send it").click()
        one.wait_for_url("**/me")
        one.evaluate(KEPT)
        two.reload()
        sync_api.expect(two.locator("#witness")).to_contain_text(re.compile("Log checked|keeps"))
        two.wait_for_timeout(6_000)  # the next head covers the result
        reload_whole(two)
        reload_whole(wall)
    second = Desk(copy, desk.patch)
    with served(second, port):
        for page in (one, two, wall):
            said = page.locator("#beyond")
            sync_api.expect(said).to_contain_text("An older copy", timeout=SAID_MS)
            sync_api.expect(said).to_contain_text("was restored at the desk")
        sync_api.expect(one.locator("#restored")).to_contain_text("Compare these six words")
        sync_api.expect(two.locator("#restored")).to_contain_text("Compare these six words")
        words = one.locator("#restored strong").inner_text()
        official = phone_at(chromium, officials)
        sync_api.expect(official.locator(".six")).to_have_text(words)
        sync_api.expect(one.locator("#offered")).to_have_count(0)
        one.get_by_role("button", name="The words are the same").click()
        sync_api.expect(one.locator("#offered")).to_contain_text("1 act of yours is with")
        sync_api.expect(one.locator("#witness")).to_contain_text("words of it were compared")
        official.goto(f"http://127.0.0.1:{port}/desk")
        official.get_by_role("link", name="1 act was entered after this backup").click()
        official.get_by_role("button", name="Take all that fit (1)").click()
        sync_api.expect(official.locator(".done")).to_contain_text("1 act taken")
        one.goto(f"http://127.0.0.1:{port}/me")
        sync_api.expect(one.locator("#part")).to_contain_text("You reported; it counts.")
        sync_api.expect(one.locator("#restored")).to_have_count(0)
    assert sum('"ResultReported"' in each for each in second.log().splitlines()) == 1
    for page in (one, two, wall, official):
        page.context.close()


def test_acts_that_were_answered_just_before_the_desk_died_are_sent_again(
    chromium: Browser, desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Their receipts did not come any more: the phones have kept the acts, without names.

    The confirmation comes back first, and waits for the report; a call for a judge does not wait.
    """
    port = free_port()
    begin_round(desk)
    links = links_of(desk, port, *map(str, desk.seats(1)))
    copy: Path = tmp_path_factory.mktemp("copies") / "copy"
    with served(desk, port):
        phone, other = (phone_at(chromium, link) for link in links)
    shutil.copytree(desk.folder, copy)
    with served(desk, port):
        for each in (phone, other):
            each.route("**/api/v1/receipts*", lambda route: route.abort())
            reload_whole(each)
        phone.get_by_role("button", name="I won").click()
        phone.get_by_role("button", name="Yes, send it").wait_for()
        phone.wait_for_load_state("networkidle")  # the page's script keeps what is sent
        phone.get_by_role("button", name="Yes, send it").click()
        sync_api.expect(phone.locator("#part")).to_contain_text("You reported")
        kept = phone.evaluate(SENT, 1)
        assert [each["path"] for each in kept] == ["/do/report"]
        assert "Player" not in json.dumps(kept)
        reload_whole(other)
        other.get_by_role("button", name="That is right").click()
        sync_api.expect(other.locator("#part")).to_contain_text("both sides agree")
        other.wait_for_load_state("networkidle")
        other.get_by_text("Call a judge").click()
        other.get_by_role("button", name="Call").click()
        sync_api.expect(other.locator("#part")).to_contain_text("A judge")
        paths = [each["path"] for each in other.evaluate(SENT, 2)]
        assert paths == ["/do/confirm", "/do/call"]
    other.unroute("**/api/v1/receipts*")  # no desk is there
    second = Desk(copy, desk.patch)
    with served(second, port):
        arrived(second, "JudgeCalled", other)
        waiting = other.locator("#outbox")
        sync_api.expect(waiting).to_contain_text("has no result yet")
        assert "ResultReported" not in second.log()
        phone.unroute("**/api/v1/receipts*")
        phone.reload()
        arrived(second, "ResultReported", phone)
        arrived(second, "ResultConfirmed", other)
        sync_api.expect(waiting).to_be_hidden()
        phone.reload()
        sync_api.expect(phone.locator("#part")).to_contain_text("You reported")
        sync_api.expect(phone.locator("#outbox")).to_be_hidden()
    for kind in ("ResultReported", "ResultConfirmed", "JudgeCalled"):
        assert sum(f'"{kind}"' in each for each in second.log().splitlines()) == 1
    for each in (phone, other):
        each.context.close()


def test_a_result_that_was_sent_before_the_scripts_ran_has_its_receipt_kept(
    chromium: Browser, desk: Desk
) -> None:
    port = free_port()
    begin_round(desk)
    (link,) = links_of(desk, port, "1")
    with served(desk, port):
        phone = phone_at(chromium, link)
        phone.route("**/outbox.js", lambda route: route.abort())
        phone.reload()
        phone.get_by_role("button", name="I won").click()
        phone.get_by_role("button", name="Yes, send it").click()
        sync_api.expect(phone.locator("#part")).to_contain_text("You reported")
        phone.unroute("**/outbox.js")
        phone.reload()
        phone.evaluate(KEPT)
        phone.context.close()


def reload_whole(page: Page) -> None:
    """Load a page again, and wait until its scripts have done their first work."""
    page.reload()
    page.wait_for_load_state("networkidle")


def arrived(desk: Desk, kind: str, phone: Page) -> None:
    """Wait until an event of a kind is in the log; say yes if the phone asks about six words."""
    same = phone.get_by_role("button", name="The words are the same")
    for _ in range(3 * SAID_MS // 200):
        if f'"{kind}"' in desk.log():
            return
        if same.is_visible():
            same.click()
        phone.wait_for_timeout(200)
    raise AssertionError(kind)
