"""Two phones in a browser: the desk is killed, and an older backup restored at the same address."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import Desk
from tests.support.hall import served
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
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    port = free_port()
    here = ("--address", f"http://127.0.0.1:{port}/")
    found = desk.done("links", "print", "1", "2", "o1", *here, "--json").json["links"]
    links = {each["of"]: each["address"] for each in found}
    copy: Path = tmp_path_factory.mktemp("copies") / "copy"
    with served(desk, port):
        one, two = (phone_at(chromium, links[each]) for each in ("p1", "p2"))
        shutil.copytree(desk.folder, copy)
        wall = chromium.new_context().new_page()
        wall.goto(f"http://127.0.0.1:{port}/screen/1")
        one.get_by_role("button", name="I won").click()
        one.get_by_role("button", name="Yes, send it").click()
        one.wait_for_url("**/me")
        one.evaluate(KEPT)
        two.reload()
        sync_api.expect(two.locator("#witness")).to_contain_text(re.compile("Log checked|keeps"))
        two.wait_for_timeout(6_000)  # the next head covers the result
        two.reload()
        two.wait_for_load_state("networkidle")
        wall.reload()
        wall.wait_for_load_state("networkidle")
    second = Desk(copy, desk.patch)
    with served(second, port):
        for page in (one, two, wall):
            said = page.locator("#beyond")
            sync_api.expect(said).to_contain_text("An older copy", timeout=SAID_MS)
            sync_api.expect(said).to_contain_text("was restored at the desk")
        sync_api.expect(one.locator("#restored")).to_contain_text("Compare these six words")
        sync_api.expect(two.locator("#restored")).to_contain_text("Compare these six words")
        words = one.locator("#restored strong").inner_text()
        official = phone_at(chromium, links["o1"])
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
