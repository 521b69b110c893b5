"""Acts that pages of officials offer: none is refused because of the state of the day alone."""

from __future__ import annotations

from html.parser import HTMLParser
from http import HTTPStatus
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.pages.organizer.offers import REASONS
from tests.support.cli_desk import without_isolates
from tests.support.days.table_day import day_of_states
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
        self.all = games
        self.rulings = [
            str(each["seq"])
            for each in desk.done("rule", "--json").json
            if each["state"] != "final"
        ]
        self.games = [game for game in games if not game["bye"]]
        self.open = [game for game in self.games if game["result"] is None]

    def filled(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Fill a form in: its empty fields, and choices that have to fit the day."""
        first = self.active[0] if self.active else 1
        table = (self.open or self.games or [{"table": 1}])[0]["table"]
        given = {
            **dict.fromkeys(("reason", "text"), "a text"),
            **dict.fromkeys(("minutes", "left"), "7"),
            "player": f"#{first}",
            "name": "Quinn Vole",
            "table": str(table),
            "kind": "warning",
        }
        chosen = self._chosen(fields, first)
        filled = {
            name: chosen.get(name, value or given.get(name, "")) for name, value in fields.items()
        }
        return {name: value for name, value in filled.items() if name != "confirmed"}

    def variants(self, form: str) -> list[dict[str, str]]:
        """Return the people that a form is tried with, until one of them fits."""
        if form == "appeal":
            return [{"player": f"#{player}"} for player in self.players]
        if form == "swap":
            seated = [player for game in self.open for player in game["players"]]
            return [{"player": f"#{p}", "other": f"#{o}"} for p, o in combinations(seated, 2)]
        return [{}]

    def _chosen(self, fields: Mapping[str, str], first: int) -> Mapping[str, str]:
        """Return the values of a form whose fields depend on each other."""
        form = fields["form"]
        seated = [player for game in self.all for player in game["players"]]
        choices = {
            "seat": {
                "player": next((f"#{p}" for p in self.active if p not in seated), "#1"),
                "bye": "",
            },
            "start-minutes": {"minutes": "60"},
            "repair": {"stop": "0"},
            "rule": {"stands": ""},
            "check-in": {"player": f"#{next((p for p in self.active if p != first), first)}"},
            "start": {
                "structure": "custom",
                "rounds": "2",
                "cut": "4",
                "reason": "a reason" if self.is_announced else "",
            },
        }
        if form in {"correct", "whatif", "dispute"}:
            return self._of_a_result(fields)
        if form in {"appeal", "review"} and "/" not in fields["table"] and self.rulings:
            return {"table": self.rulings[-1]}
        return choices.get(form, {})

    def _of_a_result(self, fields: Mapping[str, str]) -> Mapping[str, str]:
        """Return a table that has a result, a player of it, and another result."""
        nowhere: list[dict[str, Any]] = [{"table": 1, "players": [1, 1]}]
        reported = [game for game in self.games if game["result"]]
        table = (reported or self.games or nowhere)[-1]
        place = fields.get("table", "")
        if "/" in place:
            table = next(game for game in self.first if f"1/{game['table']}" == place)
        one, other = table["players"]
        result = "" if fields["form"] == "dispute" else f"#{other}"
        return {"table": place or str(table["table"]), "player": f"#{one}", "result": result}


_OF_OTHERS = "cannot rule on this"
"""What an official is told whose roles do not include the act."""

PAGES = (
    "/desk",
    "/desk/round",
    "/desk/players",
    "/desk/print",
    "/desk/standings",
    "/judge",
)


def refused_of(browser: Browser, room: Room, forms: list[dict[str, str]]) -> dict[str, str]:
    """The refusals of forms that a page offers, by form."""
    refused = dict[str, str]()
    for fields in forms:
        for more in room.variants(fields["form"]):
            data = {**room.filled(fields), **more}
            answer = browser.post("/line", data=data, headers={"origin": HERE})
            if answer.status_code == HTTPStatus.OK:
                break
        if answer.status_code != HTTPStatus.OK and _OF_OTHERS not in answer.text:
            text = without_isolates(answer.text.partition('role="alert"')[2].partition("</div>")[0])
            refused[fields["form"]] = text
    return refused


def test_nothing_is_offered_that_the_state_refuses(desk: Desk) -> None:
    """On every page, in every state of a day."""
    wrong, offered = list[str](), set[str]()
    for state in day_of_states(desk):
        with hall_open(official(1)) as browser:
            room = Room(desk)
            cards = [f"/desk/players?player={player}" for player in room.players]
            cards += [f"/judge/player/p{player}" for player in room.players]
            tables = [f"/judge/match/1/{game['table']}" for game in room.first[:1]]
            for path in (*PAGES, *cards, *tables):
                forms = forms_on(browser.get(path).text)
                offered |= {fields["form"] for fields in forms}
                for form, text in refused_of(browser, room, forms).items():
                    wrong.append(f"{state} {path} {form}: {text}")
    assert not wrong, "\n".join(wrong)
    assert REASONS.keys() - offered == NEVER_IN_L5R, "each act has its moment"


NEVER_IN_L5R = {"confirm", "forfeit", "approve", "approve-all", "register"}
"""Acts whose moment this day does not have, or that have no form of their own."""


def test_acts_that_cannot_be_used_are_one_folded_list_with_reasons(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    with hall_open(official(1)) as browser:
        for path, title, reason in (
            ("/desk", "Stop the clock", "no round is in play"),
            ("/desk/round", "Undo the cut", "no cut is made"),
            ("/desk/round", "More time", "no round is in play"),
            ("/desk/players", "Close the check-in", "no check-in is open"),
            ("/judge", "Rule", "no round is paired"),
        ):
            page = browser.get(path).text
            folded = page.partition("<summary>Not now (")[2].partition("</details>")[0]
            assert f"<li>{title}: {reason}</li>" in folded, (path, title)
        browser.confirm(browser.line(form="check-in-open", at="/desk/players"))
        page = browser.get("/desk/players").text
        assert "Close the check-in: " not in page
        assert 'value="check-in-close"' in page


def test_a_refused_form_stays_where_the_state_has_changed_since(desk: Desk) -> None:
    """Another official was faster: the reason, and the form as it was filled in."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    with hall_open(official(1)) as browser:
        assert 'value="pause"' in browser.get("/desk/round").text
        desk.done("round", "time")
        answer = browser.line(form="pause", at="/desk/round", reason="lights out")
        assert answer.status_code == HTTPStatus.CONFLICT
        assert 'value="lights out"' in answer.text
        assert 'value="pause"' not in browser.get("/desk/round").text
