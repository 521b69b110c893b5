"""Every hostile string through every field of every page: shown as it is, and never obeyed.

Some are typed into one field together. `TOURNEY_AT_ONCE=1` types each alone into each field, and
asks for each path with it: tens of thousands of requests, in some minutes.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.door import pace
from cli.serve.door import pace as guesses
from cli.serve.forms import FORMS
from cli.serve.pages.organizer.lines import LINE_FORMS
from cli.serve.visitors import NOBODY, Visitor
from tests.cli.serve.hostile.test_hostile_staff import is_harmless
from tests.support.hall import HERE, hall_open, official, player
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from collections.abc import Sequence

    from httpx2 import Response

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

T = TypeVar("T")
NEWCOMER = Visitor(link=9, is_newcomer=True)
PLAYER, KIM = player(1), official(1)
FORM = {"to": "/me", "at": "/me", "seen": "1", "match": "1", "outcome": "win"}
JOIN = {"to": "/join", "at": "/join", "name": "Zoe"}
LINE = {"at": "/desk", "seen": "1", "line": "4 x"}
PROOF = {"digest": "0" * 64, "nonce": "in-1", "proof": "0" * 64}
SCREEN = {"screen": "2", "content": "text"}


class Field(NamedTuple):
    """Where somebody types: who, where it is posted to, beside what."""

    who: Visitor
    path: str
    name: str
    beside: dict[str, str]


FIELDS = (
    *(Field(KIM, "/line", each, LINE) for each in ("line", "at", "seen", "form", "id", "words")),
    *(Field(KIM, "/line/reading", each, LINE) for each in ("line", "words", "form")),
    *(Field(KIM, "/screens", each, SCREEN) for each in ("text", "content", "screen")),
    *(Field(KIM, "/announce", each, {"at": "/judge"}) for each in ("text", "end", "at")),
    *(Field(KIM, "/desk/links", each, {"of": "p1", "at": "/desk/print"}) for each in ("of", "at")),
    *(Field(PLAYER, "/do/report", each, FORM) for each in ("outcome", "points1", "match", "seen")),
    *(Field(PLAYER, "/do/report", each, FORM) for each in ("to", "at", "for", "id", "ending")),
    *(Field(PLAYER, f"/do/{each}", "reason", FORM) for each in ("call", "dispute")),
    *(
        Field(PLAYER, f"/do/{each}", "match", FORM)
        for each in ("call", "confirm", "concede", "take-back")
    ),
    *(Field(KIM, f"/do/{each}", "player", FORM) for each in ("leave", "check-in", "list")),
    Field(PLAYER, "/do/list", "text", {"to": "/me/list", "at": "/me/list"}),
    *(
        Field(NEWCOMER, "/do/join", each, JOIN)
        for each in ("name", "faction", "league_id", "claim")
    ),
    *(Field(NOBODY, "/in", each, {}) for each in ("code", "secret")),
    *(Field(NOBODY, "/in", each, PROOF) for each in ("digest", "nonce", "proof", "owner")),
    Field(NOBODY, "/out", "anything", {}),
    Field(KIM, "/carried", "act", {}),
    *(Field(KIM, "/desk/offered", each, {}) for each in ("what", "act-w1-abcdefgh")),
)
BY_PROGRAMS = {
    *("/api/v1/acts", "/api/v1/forks", "/api/v1/kept", "/api/v1/offers", "/api/v1/restored"),
    *("/api/v1/follow", "/api/v1/followers", "/api/v1/taken-over"),
}
"""Posted as JSON, by scripts."""

READ = (
    *((KIM, "/judge/match?table={}"), (KIM, "/desk?line={}"), (NOBODY, "/screen/1?sheet={}")),
    *((PLAYER, "/me/why/{}"), (NOBODY, "/{}"), (KIM, "/judge/match/1/{}"), (NOBODY, "/in?{}")),
    *(
        (KIM, "/judge/match/{}/1"),
        (KIM, "/carried?{}"),
        (KIM, "/desk?done={}"),
        (KIM, "/screen/{}"),
    ),
    *((NOBODY, f"/{each}/{{}}") for each in ("parts", "api/v1", "static", "api/v1/explain-bye")),
    *((NOBODY, f"/api/v1/consistency?{each}") for each in ("from={}&to=2", "from=1&to={}")),
)
SHOWN = (
    *((KIM, "/desk"), (KIM, "/judge"), (KIM, "/judge/match/1/1"), (PLAYER, "/me")),
    *((PLAYER, "/me/list"), (NEWCOMER, "/join"), (NOBODY, "/screen/2"), (NOBODY, "/pairings")),
)
AT_ONCE = int(os.environ.get("TOURNEY_AT_ONCE", "20"))
"""Strings that are typed into one field together."""

MAKING = [(form.name, field.name) for form in LINE_FORMS.values() for field in form.fields]


@pytest.fixture
def browser(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a generator's
    """Four players at two tables; nobody is told to wait."""
    for module, name in (
        *((guesses, "LINK_MAX"), (pace, "PLAYER_MAX")),
        *((pace, "EVENT_MAX"), (pace, "OFFICIAL_MAX")),
    ):
        monkeypatch.setattr(module, name, 1_000_000)
    desk.open(4, "custom", "--rounds", "2")
    desk.done("links", "print", "e1", "-o", "poster.html")
    desk.done("pair")
    with hall_open() as asking:
        yield asking


def posted(browser: Browser, field: Field, text: str, place: int) -> Response:
    browser.who = field.who
    data = {"id": f"hostile-{field.name}-{place}", **field.beside, field.name: text}
    body = urlencode(data, errors="replace")
    headers = {"origin": HERE, "content-type": "application/x-www-form-urlencoded"}
    return browser.post(field.path, content=body, headers=headers, follow_redirects=False)


def is_answered(answer: Response, text: str) -> None:
    """In words, on a page that does nothing else; nothing of ours broke."""
    assert answer.status_code < 500, (text, answer.text)
    if answer.headers.get("content-type", "").startswith("text/html"):
        is_harmless(answer.text)
    where = answer.headers.get("location", "/")
    assert where.startswith("/"), text
    assert not where.startswith(("//", "/\\")), text


def turn_of(items: Sequence[T], place: int) -> Sequence[T]:
    """The one whose turn it is; where each string goes alone, all of them."""
    return items if AT_ONCE == 1 else [items[place % len(items)]]


def shown_harmlessly(browser: Browser) -> None:
    """What was typed stands on these pages, and does nothing."""
    for who, path in SHOWN:
        browser.who = who
        is_harmless(browser.get(path).text)


@pytest.mark.slow
def test_no_string_does_anything_in_any_field(desk: Desk, browser: Browser) -> None:
    texts = [each for each in texts_to_try() if each.strip()]
    assert len(texts) > 400
    for place in range(0, len(texts), AT_ONCE):
        some = " ".join(texts[place : place + AT_ONCE])
        for field in FIELDS:
            is_answered(posted(browser, field, some, place), some)
        shown_harmlessly(browser)
    for place, text in enumerate(texts):
        for form, name in turn_of(MAKING, place):
            made = Field(KIM, "/line", name, {"form": form, "at": "/judge", "seen": "1"})
            is_answered(posted(browser, made, text, place), text)
        for who, path in turn_of(READ, place):
            browser.who = who
            asked = path.format(quote(text.encode("utf-8", "replace"), safe=""))
            is_answered(browser.get(asked, follow_redirects=False), text)
    shown_harmlessly(browser)
    desk.done("verify")


def test_every_form_has_a_field_that_is_tried(browser: Browser) -> None:
    """A form that is added is typed into as well."""
    routes = browser.app._app.routes  # type: ignore[attr-defined]
    taken = {each.path for each in routes if "POST" in (each.methods or ())} - {"/do/{name}"}
    tried = {field.path for field in FIELDS}
    assert tried | BY_PROGRAMS == taken | {f"/do/{name}" for name in FORMS}


@pytest.mark.slow
def test_no_string_does_anything_as_a_program_s_act(browser: Browser) -> None:
    browser.who = KIM
    for place, text in enumerate(texts_to_try()):
        command = {"type": "CallJudge", "match": 1, "player": 1, "reason": text}
        answer = browser.act(command, f"hostile-act-{place}")
        assert answer.status_code < 500, text
        assert answer.headers["content-type"].endswith("json"), text
        json.loads(answer.content)
