"""Inputs that still have their form, with a wrong thing at a right place: JSON, lines, TOML."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.faults.inputs.mutators import NUMBERS, SIZE_MAX, TEXTS, Grammar, mutated

if TYPE_CHECKING:
    from random import Random

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**53, 2**53 + 1, -(2**63), 2**64, 1.5, -0.0, 1e308),
    *("", " ", "a", "0", "-1", "p1", "p2", "o1", "o9", "p9999", "win", "loss", "\x00", "\ud800"),
    *("2026-02-30", "9999-12-31T23:59:59.999Z", "x" * 70_000, "sealed:2:", "\u202e", "<b>", "=1"),
    *([], {}, [[]], [None], [0, 0], {"": 0}, [1] * 300, {"a": {"b": {}}}),
)
TOML_VALUES = (
    *(b"true", b"0", b"-1", b"9" * 30, b"1.5", b"nan", b"inf", b'""', b'"x"', b"[]", b"{}"),
    *(b"2026-01-01", b"[[[]]]", b"{a.b.c = 1}", b'"""', b"'''", b'["win", "loss"]', b"[1, 2, 3]"),
    *(b'"\\u0000"', b'"\\uD800"', b"0x7fffffffffffffff", b"1_000", b'[{a = 1}, {a = "b"}]'),
)
_DEPTH = 60
_ASSIGNMENT = re.compile(rb"^(\s*[\w.\"'-]+\s*=\s*)(.*)$", re.MULTILINE)


def json_mutated(grammar: Grammar, chance: Random) -> bytes:
    """Change one to three things in a JSON value; sometimes break its bytes instead."""
    if chance.random() < 0.35:
        return mutated(grammar, chance)
    value = json.loads(chance.choice(grammar.seeds))
    for _ in range(chance.choice((1, 1, 2, 3))):
        value = changed(value, grammar, chance)
    return written(value, chance)[:SIZE_MAX]


def line_mutated(grammar: Grammar, chance: Random) -> bytes:
    """Change things in one or two lines of a log, which stay lines of their form mostly."""
    if chance.random() < 0.2:
        return mutated(grammar, chance)
    lines = chance.choice(grammar.seeds).splitlines()
    for _ in range(chance.choice((1, 1, 2))):
        place = chance.randrange(len(lines))
        edit = chance.random()
        if edit < 0.7:
            lines[place] = _line_changed(lines[place], grammar, chance)
        elif edit < 0.8:
            del lines[place]
        else:
            lines.insert(chance.randrange(len(lines) + 1), lines[place])
    if chance.random() < 0.7:
        lines = [_renumbered(line, number) for number, line in enumerate(lines, start=1)]
    return b"".join(line + b"\n" for line in lines)


def toml_mutated(grammar: Grammar, chance: Random) -> bytes:
    """Give some keys of a TOML file other values, or move whole lines; or break its bytes."""
    if chance.random() < 0.35:
        return mutated(grammar, chance)
    text = chance.choice(grammar.seeds)
    for _ in range(chance.choice((1, 1, 2, 4))):
        found = list(_ASSIGNMENT.finditer(text))
        one = chance.choice(found)
        if chance.random() < 0.5:
            new = chance.choice(TOML_VALUES)
        else:
            others = _ASSIGNMENT.findall(chance.choice(grammar.seeds))
            new = chance.choice(others)[1]
        text = text[: one.start(2)] + new + text[one.end(2) :]
    return text


def _line_changed(line: bytes, grammar: Grammar, chance: Random) -> bytes:
    """Change something in what a line says; a line that is broken already is broken further."""
    try:
        value = json.loads(line)
        value["data"] = changed(value["data"], grammar, chance)
    except (ValueError, KeyError, TypeError):
        return mutated(Grammar((line,)), chance)
    return written(value, chance)


def changed(value: Any, grammar: Grammar, chance: Random) -> Any:  # noqa: ANN401 - any JSON
    """Return a value with one thing in it changed, left out, doubled, renamed or nested."""
    steps = 0
    inner, parent, place = value, None, None
    while isinstance(inner, dict | list) and inner and (steps == 0 or chance.random() < 0.75):
        parent = inner
        place = chance.choice([*inner]) if isinstance(inner, dict) else chance.randrange(len(inner))
        inner = parent[place]
        steps += 1
    if parent is None:
        return deepcopy(chance.choice(VALUES))
    _change(parent, place, grammar, chance)
    return value


def _change(parent: Any, place: Any, grammar: Grammar, chance: Random) -> None:  # noqa: ANN401
    match chance.randrange(8):
        case 0:
            del parent[place]
        case 1 if isinstance(parent, dict):
            parent[chance.choice(["", "x", f"{place}2", "\x00", *parent])] = parent.pop(place)
        case 1 | 2:
            parent[place] = [parent[place]] * chance.choice((1, 2, 300))
        case 3:
            for _ in range(chance.choice((1, 5, _DEPTH))):
                parent[place] = [parent[place]] if chance.random() < 0.5 else {"a": parent[place]}
        case 4 if isinstance(parent[place], int):
            parent[place] += chance.choice((-1, 1, 10, 2**31, 2**53))
        case 5 if isinstance(parent[place], str):
            some = mutated(Grammar((parent[place].encode("utf-8", "replace"),)), chance)
            parent[place] = some.decode("utf-8", "replace")
        case 6 if grammar.words:
            parent[place] = chance.choice(grammar.words).decode("utf-8", "replace")
        case _:
            parent[place] = deepcopy(chance.choice(VALUES))


def written(value: Any, chance: Random) -> bytes:  # noqa: ANN401 - any JSON
    """Write JSON as lines have it; sometimes with a key twice or a number that is none."""
    text = json.dumps(value, ensure_ascii=chance.random() < 0.1, separators=(",", ":"))
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.05:
        data = data.replace(b",", b',"a":1,"a":2,', 1)
    if chance.random() < 0.05:
        data = re.sub(rb":-?\d+", lambda _: b":" + chance.choice(NUMBERS), data, count=1)
    if chance.random() < 0.05:
        data = data.replace(b'":"', b'":"' + chance.choice(TEXTS), chance.randrange(1, 4))
    return data


def _renumbered(line: bytes, number: int) -> bytes:
    return re.sub(rb'^\{"seq":\d+,', b'{"seq":%d,' % number, line)
