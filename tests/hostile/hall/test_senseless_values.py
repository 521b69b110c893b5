"""Commands and forms with values that no page sends: one refusal, nothing on the server's stderr.

Each member of each command gets every value of its type that is a limit or says nothing, as an
organizer, a scorekeeper and a player send it.
"""

from __future__ import annotations

from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import inspect

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve import hall
from cli.serve.commands import SENT
from cli.serve.forms import FORMS
from tests.hostile.gate.served_day import ORGANIZER, SCOREKEEPER, type_day
from tests.support.cli_desk import once
from tests.support.hall import HERE, hall_open, official, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.command import Command
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

TEXTS = (
    *(
        "",
        " ",
        "p",
        "o",
        "p0",
        "p²",
        "p1",
        "p9999",
        "o1",
        "x1",
        "p" + "9" * 5_000,
        "-1",
        "²",
        "0x1",
    ),
    *("p1\n", "1e999", "NaN", "\0", "\x1b[2J", "\u202e", "\U0001f600", "a" * 300, "w1-abcdefgh"),
    *("8-z", "tournament", "__class__", "{}", "{match}", "%s", "../..", "2026-02-30", "24:61"),
)
NUMBERS = (0, 1, -1, 2, 9_999, 2**31, 2**63 - 1, -(2**63))
OTHERS = (official(SCOREKEEPER), player(1))


def values(kind: inspect.Type) -> Iterator[Any]:
    """Yield values of a type, and some that are not of it."""
    if isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from values(each)
    elif isinstance(kind, inspect.StructType):
        yield from _structs(kind)
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.FrozenSetType):
        inner = list(islice(values(kind.item_type), 30))
        yield from ([], *([each] for each in inner), *([each, each] for each in inner[:9]))
    elif isinstance(kind, inspect.TupleType):
        yield [next(values(each)) for each in kind.item_types]
    elif isinstance(kind, inspect.DictType):
        inner = list(islice(values(kind.value_type), 12))
        yield from ({}, *({text: inner[0]} for text in TEXTS[:12]))
        yield from ({"deck": each} for each in inner)
    else:
        yield from _plain(kind)


def _structs(kind: inspect.StructType) -> Iterator[dict[str, Any]]:
    required = [each for each in kind.fields if each.required]
    others = {each.encode_name: next(values(each.type), None) for each in required}
    for each in kind.fields:
        yield from (others | {each.encode_name: value} for value in values(each.type))


def _plain(kind: inspect.Type) -> Iterator[Any]:
    if isinstance(kind, inspect.LiteralType):
        yield from (*kind.values, "x")
    elif isinstance(kind, inspect.BoolType):
        yield from (True, False)
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        yield from NUMBERS
    elif isinstance(kind, inspect.StrType):
        yield from TEXTS


def plain(kind: inspect.Type) -> Any:  # noqa: ANN401 - whatever the type takes
    """Return a value that an event of four players may have."""
    if isinstance(kind, inspect.StrType):
        return "p1" if kind.pattern and "p" in kind.pattern else "a reason"
    if isinstance(kind, inspect.IntType):
        return 1
    return next(values(kind), None)


def commands(command: type[Command]) -> Iterator[dict[str, Any]]:
    """Yield the command with each value in each of its members."""
    info = inspect.type_info(command)
    assert isinstance(info, inspect.StructType)
    whole = {each.encode_name: plain(each.type) for each in info.fields if each.required}
    for each in info.fields:
        for value in values(each.type):
            yield {"type": info.tag, **whole, each.encode_name: value}
    if not info.fields:
        yield {"type": info.tag}


@pytest.fixture
def browser(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    once(desk, "senseless values", type_day)
    said: list[str] = []
    monkeypatch.setattr(hall, "say", said.append)
    with hall_open() as asking:
        yield asking
    assert not said, said


def send(browser: Browser, path: str, number: int, **body: Any) -> None:  # noqa: ANN401 - of httpx
    """Post something as the organizer and as another."""
    for browser.who in (OTHERS[number % len(OTHERS)], official(ORGANIZER)):
        answer = browser.post(path, headers={"origin": HERE}, follow_redirects=False, **body)
        assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, (path, body, answer.text)


@pytest.mark.parametrize("command", SENT, ids=lambda command: command.__name__)
def test_a_senseless_command_is_refused_in_one_line(
    browser: Browser,
    command: type[Command],
) -> None:
    for number, value in enumerate(commands(command)):
        act = {"id": f"abcdefg{number:06}", "command": value}
        send(browser, "/api/v1/acts", number, json=act)


FIELDS = ("match", "player", "seen", "outcome", "name", "of", "for", "number", "minutes", "link")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_senseless_form_is_refused_in_one_line(
    browser: Browser,
    form: str,
) -> None:
    for number, text in enumerate(TEXTS):
        for field in (*FIELDS, "id", "to", "at"):
            fields = {"id": f"abcdefg{number:06}", "match": "1", field: text}
            send(browser, f"/do/{form}", number, data=fields)
