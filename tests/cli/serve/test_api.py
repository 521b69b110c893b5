"""The interface for programs: views as the verbs give them, and a description that is complete."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")


from cli.serve.views import VIEWS
from cli.serve.visitors import Visitor
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser


@typed_once
def day(desk: Desk) -> Desk:
    """Five players, one result disputed."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in ("Ann Lee", "Ben Moor", "Cleo", "Dana", "Eve"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    first, second = desk.done("pairings", "--json").json[0]["players"]
    desk.done("report", "1", f"#{first}")
    desk.done("dispute", "1", "--for", f"#{second}", "--reason", "no")
    return desk


@pytest.fixture
def browser(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open() as asking:
        yield asking


def test_a_view_is_what_the_verb_gives(day: Desk, browser: Browser) -> None:
    browser.who = official(1)
    pairs = {
        "audit": ("audit",),
        "disputes": ("disputes",),
        "disputes?all=": ("disputes", "--all"),
        "match/1/1": ("match", "1/1"),
        "explain/1/points": ("explain", "#1", "points"),
        "explain-pairing/1/1": ("explain", "pairing", "1/1"),
        "explain-bye/1": ("explain", "bye", "1"),
    }
    for path, words in pairs.items():
        answer = browser.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.text
        assert answer.json() == day.done(*words, "--json").json, path
    assert {f"/{path.partition('/')[0].partition('?')[0]}" for path in pairs} == {
        f"/{each.path.split('/')[1]}" for each in VIEWS
    }
    assert browser.get("/api/v1/log").text == day.done("log", "--json").out
    last = day.done("log", "--json").out.splitlines()[-1]
    assert browser.get(f"/api/v1/log?after={day.log().count(chr(10)) - 1}").text == f"{last}\n"


def test_the_clock_is_what_round_gives(day: Desk, browser: Browser) -> None:
    value = browser.get("/api/v1/clock").json()
    typed = day.done("round", "--json").json
    assert value.keys() == typed.keys()
    assert {**value, "tables": 0} == {**typed, "tables": 0}
    assert [each.keys() for each in value["tables"]] == [each.keys() for each in typed["tables"]]


def test_words_about_people_are_for_officials(day: Desk, browser: Browser) -> None:
    del day
    for who in (browser.who, player(1)):
        browser.who = who
        for path in ("audit", "disputes", "match/1/1"):
            assert browser.get(f"/api/v1/{path}").status_code == 401, path
        assert browser.get("/api/v1/explain/1/points").status_code == 200
    browser.who = official(1)
    assert browser.get("/api/v1/audit").headers["cache-control"] == "no-store"


def test_names_that_are_not_shown_are_in_no_view(day: Desk, browser: Browser) -> None:
    browser.who = official(1)
    browser.act({"type": "ChoosePublicNames", "shown": "number"}, "numbers-alone")
    paths = [each.path for each in VIEWS if not each.for_officials]
    words = {"{round}": "1", "{table}": "1", "{player}": "1", "{column}": "points"}
    for path in (*paths, "/pairings", "/standings", "/clock", "/log"):
        for word, value in words.items():
            path = path.replace(word, value)  # noqa: PLW2901 - filled in
        for who in (Visitor(), player(1)):
            browser.who = who
            answer = browser.get(f"/api/v1{path}")
            assert answer.status_code == 200, path
            assert "Ann Lee" not in answer.text
            assert "Kim Larsen" not in answer.text
    browser.who = official(1)
    assert "Ann Lee" in browser.get("/api/v1/explain-pairing/1/1").text + day.done("list").out


def test_a_view_is_sent_again_when_the_log_is_other(day: Desk, browser: Browser) -> None:
    first = browser.get("/api/v1/explain/1/points")
    known = {"if-none-match": first.headers["etag"]}
    assert browser.get("/api/v1/explain/1/points", headers=known).status_code == 304
    browser.who = official(1)
    browser.act({"type": "TakeNote", "text": "x"}, "a-new-note")
    assert browser.get("/api/v1/explain/1/points", headers=known).status_code == 200
    del day


def test_what_is_not_there_is_said(browser: Browser) -> None:
    browser.who = official(1)
    for path in ("match/9/9", "explain/x/points", "explain/1/nothing", "explain-bye/7", "nothing"):
        answer = browser.get(f"/api/v1/{path}")
        assert answer.status_code in (400, 404), path
        assert answer.json()["problems"], path


def test_the_description_has_every_path_and_resolves(browser: Browser) -> None:
    described: dict[str, Any] = browser.get("/api/v1/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    routes = browser.app._app.routes  # type: ignore[attr-defined]
    known = {
        (re.sub(r"{(\w+)(:\w+)?}", r"{\1}", each.path), method.lower())
        for each in routes
        for method in (each.methods or set()) - {"HEAD"}
        if each.path.startswith("/api/")
    }
    operations = {
        (path, method): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    assert set(operations) == known
    assert {"/api/v1/acts", "/api/v1/stream", "/api/v1/{name}"} <= set(described["paths"])
    ids = [each["operationId"] for each in operations.values()]
    assert len(set(ids)) == len(ids)
    for (path, method), operation in operations.items():
        assert operation["summary"].endswith("."), path
        named = [each["name"] for each in operation["parameters"] if each["in"] == "path"]
        assert named == re.findall(r"{(\w+)}", path)
        assert ("requestBody" in operation) == (method == "post"), path
        assert "200" in operation["responses"]
    schemas = described["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)):
        assert name in schemas
    assert {"Report", "ConfirmResult", "DropPlayer", "ProblemDetails"} <= set(schemas)
    acts = schemas["SentAct"]["properties"]
    assert set(acts) == {"id", "command", "for"}
