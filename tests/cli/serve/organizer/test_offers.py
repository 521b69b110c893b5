"""Acts that pages of officials offer: none is refused because of the state of the day alone."""

from __future__ import annotations

from html.parser import HTMLParser
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.cli_desk import without_isolates
from tests.support.days.states import day_of_states
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser


_TYPED = {"input", "textarea", "button"}


class Forms(HTMLParser):
    """The forms of a page that make lines, each with its fields as they are first."""

    def __init__(self) -> None:
        super().__init__()
        self.forms = list[dict[str, str]]()
        self._is_line, self._select = False, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, or a field of one."""
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self._is_line = given.get("action") == "line"
            self.forms += [{}] if self._is_line else []
        elif not self._is_line:
            return
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            fields = self.forms[-1]
            if not fields.get(self._select):
                fields[self._select] = given.get("value", "")
        elif tag in _TYPED and name and given.get("type") != "checkbox":
            self.forms[-1][name] = self.forms[-1].get(name) or given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form, or of a choice."""
        if tag == "form":
            self._is_line = False
        elif tag == "select":
            self._select = ""


def forms_on(page: str) -> list[dict[str, str]]:
    """The forms that a page offers; those of rows land at once, and are those of open tables."""
    parser = Forms()
    parser.feed(page)
    return [each for each in parser.forms if each.get("form") not in {None, "result"}]


class Room:
    """Who is in the room, for the fields of a form: what an official would fill in now."""

    def __init__(self, desk: Desk) -> None:
        rows = desk.done("list", "--json").json
        self.players = [row["player"] for row in rows]
        self.active = [row["player"] for row in rows if row["status"] == "active"]
        answer = desk.type("pairings", "--json")
        games = answer.json if answer.code == 0 else []
        self.is_announced = "announced" in desk.done("log").out
        first = desk.type("pairings", "--round", "1", "--json")
        self.first = first.json if first.code == 0 else []
        self.games = [game for game in games if not game["bye"]]
        self.open = [game for game in self.games if game["result"] is None]

    def filled(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Fill the empty fields of a form in."""
        form = fields["form"]
        first = self.active[0] if self.active else 1
        others = [each for each in self.active if each != first]
        nowhere: list[dict[str, Any]] = [{"table": 1, "players": [first, first]}]
        table = (self.open or self.games or nowhere)[0]
        given = {
            "reason": "a reason",
            "text": "a text",
            "minutes": "7",
            "left": "7",
            "stop": "1",
            "player": f"#{first}",
            "name": "Quinn Vole",
            "table": str(table["table"]),
            "who": "#1",
            "kind": "warning",
            "role": "judge",
            "rounds": "1",
            "structure": "custom",
        }
        if form in {"correct", "whatif", "dispute"}:
            reported = [game for game in self.games if game["result"]]
            table = (reported or self.games or nowhere)[-1]
            if "table" in fields and "/" in fields["table"]:
                table = next(game for game in self.first if f"1/{game['table']}" == fields["table"])
            given["table"] = str(table["table"])
            given["player"], given["result"] = (f"#{each}" for each in table["players"])
            given["result"] = "" if form == "dispute" else given["result"]
        if form == "seat":
            seated = [player for game in self.games for player in game["players"]]
            given["player"] = next((f"#{p}" for p in self.active if p not in seated), "#1")
        if form == "start-minutes":
            given["minutes"] = "60"
        if form == "repair":
            given["stop"] = "0"
        if form == "check-in":
            given["player"] = f"#{(others or [first])[0]}"
        filled = {name: value or given.get(name, "") for name, value in fields.items()}
        if form == "swap":
            one, other = self.open[:2]
            filled |= {"player": f"#{one['players'][0]}", "other": f"#{other['players'][0]}"}
        if form == "rule":
            filled["stands"] = ""
        if form == "start":
            filled |= {"structure": "custom", "rounds": "2", "cut": "4"}
            filled["reason"] = given["reason"] if self.is_announced else ""
        return {name: value for name, value in filled.items() if name != "confirmed"}


PAGES = (
    "/desk",
    "/desk/round",
    "/desk/players",
    "/desk/print",
    "/desk/standings",
    "/judge",
)


def refused_on(browser: Browser, room: Room, path: str) -> dict[str, str]:
    """The refusals of a page's forms, by form."""
    refused = dict[str, str]()
    for fields in forms_on(browser.get(path).text):
        data = room.filled(fields)
        answer = browser.post("/line", data=data, headers={"origin": HERE})
        if answer.status_code != HTTPStatus.OK:
            text = without_isolates(answer.text.partition('role="alert"')[2].partition("</div>")[0])
            refused[fields["form"]] = text
    return refused


def test_nothing_is_offered_that_the_state_refuses(desk: Desk) -> None:
    """On every page, in every state of a day."""
    wrong = list[str]()
    states = 0
    for state in day_of_states(desk):
        states += 1
        with hall_open(official(1)) as browser:
            room = Room(desk)
            cards = [f"/desk/players?player={player}" for player in room.players]
            cards += [f"/judge/player/p{player}" for player in room.players]
            tables = [f"/judge/match/1/{game['table']}" for game in room.first[:1]]
            for path in (*PAGES, *cards, *tables):
                for form, text in refused_on(browser, room, path).items():
                    wrong.append(f"{state} {path} {form}: {text}")
    assert states >= 7
    assert not wrong, "\n".join(wrong)
