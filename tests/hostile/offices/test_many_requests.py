"""Hundreds of requests to be registered from one phone: few are open, one act refuses them all."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.forms import OWN_MAX
from cli.serve.pages.organizer.waiting import REQUESTS_SHOWN
from ledger.rules.opening import (
    REQUESTS_MAX,
    REQUESTS_MAX_BEFORE,
    AskRegistration,
    RefuseRegistrations,
)
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, LOOPBACK, hall_open, official, opened, sign_in
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

    from tests.support.cli_desk import Desk

PAGE_MAX = 60_000
"""Bytes of the desk's page, whatever was asked."""


@typed_once
def day(desk: Desk) -> Desk:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    return desk


@contextmanager
def phone(day: Desk) -> Iterator[TestClient]:
    """Open the poster's link in a browser."""
    (link,) = day.done("links", "print", "e1", "--json").json["links"]
    app = app_of(opened())
    with TestClient(app, base_url=HERE, client=LOOPBACK, follow_redirects=False) as asking:
        assert sign_in(asking, link["address"].partition("#")[2]).status_code == 200
        yield asking


def ask(browser: TestClient, number: int) -> Response:
    data = {"id": f"request-{number:04}", "name": f"Person {number}", "to": "/join", "at": "/join"}
    return browser.post("/do/join", data=data, headers={"origin": HERE})


def test_a_log_has_so_many_open_requests_at_most() -> None:
    day = Day(2)
    for number in range(REQUESTS_MAX):
        day.do(AskRegistration(f"Person {number}"))
    assert "200 requests are already pending" in day.refused(AskRegistration("One more"))
    day.do(RefuseRegistrations(day.tournament.seq))
    day.do(AskRegistration("One more"))


def test_an_earlier_log_keeps_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.rules.opening.RULES", 2)
    day = Day(2)
    for number in range(REQUESTS_MAX_BEFORE):
        day.do(AskRegistration(f"Person {number}"))
    assert "500 requests are already pending" in day.refused(AskRegistration("One more"))


def test_all_are_refused_in_one_act_that_may_be_sent_again() -> None:
    day = Day(2)
    for number in range(5):
        day.do(AskRegistration(f"Person {number}"))
    seen = day.tournament.seq
    day.do(AskRegistration("Came later"))
    refused = day.do(RefuseRegistrations(seen, "all from one phone"), command_id="refused")
    assert [each.id for each in refused] == ["refused", *(f"refused.{n}" for n in range(1, 5))]
    left = [each.made.name for each in day.tournament.floor.requests if not each.answered]
    assert left == ["Came later"]
    assert day.do(RefuseRegistrations(seen)) == []


def test_one_browser_has_a_few_open_requests(day: Desk) -> None:
    with phone(day) as browser:
        answers = [ask(browser, number).status_code for number in range(OWN_MAX + 20)]
        assert answers == [303] * OWN_MAX + [409] * 20
        assert ask(browser, 0).status_code == 303, "sent again"
        (first, *_) = day.done("requests", "--json").json
        day.done("requests", "refuse", str(first["request"]))
        assert ask(browser, 900).status_code == 303


@pytest.mark.slow
def test_the_page_of_the_desk_stays_small(day: Desk) -> None:
    with hall_open(official(1)) as browser:
        for number in range(REQUESTS_MAX):
            browser.act({"type": "AskRegistration", "name": f"Person {number}"}, f"req-{number:04}")
        page = browser.get("/desk").text
        assert f"Waiting ({REQUESTS_MAX})" in page
        assert len(re.findall("Registration request ", page)) == REQUESTS_SHOWN
        assert f"{REQUESTS_MAX - REQUESTS_SHOWN} more" in page
        assert len(page) < PAGE_MAX
        browser.confirm(browser.line("requests refuse --all --reason flood"))
        assert "Registration request " not in browser.get("/desk").text
    assert day.done("requests", "--json").json == []


def test_refusing_all_destroys_the_names(day: Desk) -> None:
    for name in ("Zoe", "Yves"):
        day.done("requests", "add", name)
    day.done("requests", "refuse", "--all")
    assert "Zoe" not in day.done("log").out
    assert day.done("requests", "refuse", "--all").code == 0
    assert day.type("requests", "refuse").code == 2
    assert day.type("requests", "refuse", "5", "--all").code == 2
