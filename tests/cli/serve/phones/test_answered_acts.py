"""Acts that a desk answered just before it was lost land again, for what they were meant."""

from __future__ import annotations

from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve import heads
from tests.cli.serve.phones.offered import copied, first_round_of_eight, phone_of, receipts, report
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, hidden_in

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

day = typed_once(first_round_of_eight)
AGAIN = "again"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)
    monkeypatch.setattr(heads, "RECEIPT_SECONDS", 0.0)


def other_side(browser: Browser, player: int) -> int:
    browser.who = phone_of(browser, player)
    matches = browser.hall._tournament.rounds[-1].matches
    match = next(each for each in matches if player in (each.first, each.second))
    return match.second if match.first == player else match.first


def send(browser: Browser, player: int, name: str, fields: dict[str, str], how: str = "1") -> Any:  # noqa: ANN401 - an answer
    """Post a form as a phone's script does; `how` is `again` for one that was sent before."""
    browser.who = phone_of(browser, player)
    headers = {"origin": HERE, "tourney-outbox": how}
    return browser.post(f"/do/{name}", data=fields, headers=headers, follow_redirects=False)


def form_of(browser: Browser, player: int, name: str, own: str) -> dict[str, str]:
    browser.who = phone_of(browser, player)
    return hidden_in(browser.get("/me").text, name) | {"id": own}


def test_a_confirmation_waits_for_the_report_that_it_answers(day: Desk, tmp_path: Path) -> None:
    """It lands at another place of the log, and holds up nothing until then."""
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        two = other_side(browser, 1)
        report(browser, 1, "win", "abcdefgh1")
        agreed = form_of(browser, two, "confirm", "abcdefgh2")
        done = send(browser, two, "confirm", agreed)
        assert (done.status_code, done.headers["tourney-events"]) == (204, "1")
    with chdir(copy), hall_open() as browser:
        sent = browser.hall
        before = sent._tournament.seq
        early = send(browser, two, "confirm", agreed, AGAIN)
        assert early.status_code == 425
        assert "has no result yet" in early.text
        assert send(browser, two, "confirm", agreed).status_code == 409
        assert sent._tournament.seq == before
        for player in set(range(1, 9)) - {1, two}:  # other tables are first this time
            report(browser, player, "win", f"abcdefgh{player + 2}")
        report(browser, 1, "win", "abcdefgh1")
        done = send(browser, two, "confirm", agreed, AGAIN)
        assert (done.status_code, done.headers["tourney-events"]) == (204, "1")
        browser.who = phone_of(browser, two)
        assert receipts(browser, two)["acts"], "and has a receipt as any other"
        again = send(browser, two, "confirm", {**agreed, "id": "abcdefgh99"})
        assert (again.status_code, again.headers["tourney-events"]) == (204, "0")


def test_an_answer_lands_on_no_other_result(day: Desk, tmp_path: Path) -> None:
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        two = other_side(browser, 1)
        report(browser, 1, "win", "abcdefgh1")
        agreed = form_of(browser, two, "confirm", "abcdefgh2")
        asking = f"/me?ask=dispute&match={agreed['match']}"
        asked = browser.get(asking).text
        disputed = hidden_in(asked, "dispute") | {"id": "abcdefgh3"}
        assert disputed["answers"] == agreed["answers"]
    with chdir(copy), hall_open() as browser:
        report(browser, 1, "loss", "abcdefgh1")
        before = browser.hall._tournament.seq
        for name, fields in (("confirm", agreed), ("dispute", disputed)):
            refused = send(browser, two, name, fields, AGAIN)
            assert refused.status_code == 409
            assert "your table has changed" in refused.text
        assert browser.hall._tournament.seq == before


@pytest.mark.usefixtures("day")
def test_who_leaves_gives_up_no_match_against_another_opponent() -> None:
    with hall_open() as browser:
        two = other_side(browser, 1)
        leave = form_of(browser, 1, "leave", "abcdefgh1")
        assert leave["against"] == str(two)
        other = next(each for each in range(2, 9) if each != two)
        refused = send(browser, 1, "leave", {**leave, "against": str(other)}, AGAIN)
        assert refused.status_code == 409
        assert "your table has changed" in refused.text
        assert send(browser, 1, "leave", leave, AGAIN).status_code == 204
        assert send(browser, 1, "leave", leave, AGAIN).status_code == 204, "the same act"
