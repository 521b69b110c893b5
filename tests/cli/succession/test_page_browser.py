"""A page in a real browser: it follows a take-over at its address, and tells the first computer."""

from __future__ import annotations

from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import Desk, typed_once
from tests.support.hall import first_round, served
from tests.support.store_fixtures import free_port

sync_api = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

day = typed_once(first_round)


def test_a_page_says_what_happened_and_carries_the_act(
    chromium: Browser, day: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    two: Path = tmp_path_factory.mktemp("two")
    port = free_port()
    link = day.done("links", "print", "o1", "--json").json["links"][0]["address"]
    secret = link.partition("#")[2]
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(15_000)
    said = page.locator("#witness")
    with served(day, port) as address:
        with chdir(two):
            day.done("follow", f"{address}in#{secret}", "--once")
        page.goto(address)
        sync_api.expect(said).to_contain_text("keeps the log's signed head")
        day.done("report", "1", f"#{day.seats(1)[0]}", "10-1")
        page.wait_for_timeout(5_500)
        page.goto(f"{address}standings")
        sync_api.expect(said).to_contain_text("1 event is new")
    with chdir(two):
        day.done("take-over")
        second = Desk(two, day.patch)
        with served(second, port) as address:
            page.goto(address)
            sync_api.expect(said).to_contain_text("Another computer took over Night")
            sync_api.expect(said).to_have_class("notable")
            page.goto(f"{address}standings")
            sync_api.expect(said).to_contain_text("Log checked")
    day.patch.chdir(day.folder)
    with served(day, port) as address:
        with page.expect_response("**/api/v1/taken-over") as answered:
            page.goto(address)
        assert answered.value.ok
        sync_api.expect(said).to_contain_text("took over Night from this one")
        page.goto(f"{address}standings")
        sync_api.expect(page.locator(".notice")).to_contain_text("took over this tournament")
    page.close()
