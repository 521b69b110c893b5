"""Phones of players in a hall whose log was lost: what they keep, and what they offer."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from cli.serve.visitors import Visitor
from ledger.store import open_store
from tests.support.hall import HERE, official

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

PLAYERS = 8
POST = {"origin": HERE}


def first_round_of_eight(desk: Desk) -> Desk:
    """Begin a day of eight players, whose badges are printed."""
    desk.open(PLAYERS, "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("links", "print", "-o", "badges.html")
    return desk


def phone_of(browser: Browser, number: int) -> Visitor:
    """A player's phone, let in by the link of their badge."""
    links = browser.hall.links.values()
    link = next(each.number for each in links if each.of == f"p{number}" and not each.until)
    return Visitor(f"p{number}", player=number, link=link)


def report(browser: Browser, player: int, outcome: str, own: str) -> Any:  # noqa: ANN401 - an answer
    browser.who = phone_of(browser, player)
    tournament = browser.hall._tournament
    match = next(
        each for each in tournament.rounds[-1].matches if player in (each.first, each.second)
    )
    result = {"outcome": outcome} if player == match.first else {"outcome": _other(outcome)}
    return browser.act({"type": "Report", "match": match.number, "result": result}, own)


def _other(outcome: str) -> str:
    return {"win": "loss", "loss": "win"}[outcome]


def receipts(browser: Browser, player: int, have: str = "") -> Any:  # noqa: ANN401 - an answer
    browser.who = phone_of(browser, player)
    return browser.get(f"/api/v1/receipts?have={have}").json()


def offer(browser: Browser, player: int, acts: list[Any], nonce: str = "abcdefgh") -> Any:  # noqa: ANN401
    browser.who = phone_of(browser, player)
    value = {"nonce": nonce, "acts": acts}
    return browser.post("/api/v1/offers", json=value, headers=POST)


def take(browser: Browser, what: str = "all", *ids: str) -> Any:  # noqa: ANN401 - an answer
    browser.who = official(1)
    data = {"id": "takeitall", "what": what, **{f"act-{each}": "1" for each in ids}}
    return browser.post("/desk/offered", data=data, headers=POST)


def copied(desk: Desk, to: Path) -> Path:
    return shutil.copytree(desk.folder, to, dirs_exist_ok=True)


def browser_text(browser: Browser, path: str) -> str:
    browser.who = official(1)
    return browser.get(path).text


def do(browser: Browser, player: int, form: str, own: str, **fields: object) -> None:
    """Post a form of a player's phone, which must be done."""
    browser.who = phone_of(browser, player)
    answer = browser.do(form, own, to="/me", **{name: str(fields[name]) for name in fields})
    assert answer.status_code == 303, answer.text


def lines_of(act: Any) -> list[Any]:  # noqa: ANN401 - JSON
    return [json.loads(each["line"]) for each in (act, *act["rest"])]


def json_here() -> list[Any]:
    """The lines of the store here, as JSON."""
    store = open_store("tourney.db")
    try:
        (stream,) = store.streams()
        return [json.loads(each) for each in store.lines(stream)]
    finally:
        store.close()
