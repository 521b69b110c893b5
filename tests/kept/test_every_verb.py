"""Compare every verb's answers, the refusal codes and the hall's addresses with a list.

`every_verb.jsonl` has a row for each line of the day with every verb: its answers on two days with
the same clock and the same random bytes. Values that differ between those two days have only their
kind in the list. A sentence has only a mark, since its wording may change.

`pytest tests/kept/test_every_verb.py --update-golden` plays the days and writes the list again.
Look at the difference before you commit it: each row that changes may break a program.
"""

from __future__ import annotations

import ast
import json
import re
from datetime import UTC, datetime, timedelta
from functools import reduce
from hashlib import sha512
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cli.exits import EXITS
from cli.serve.views import SEASON_VIEWS, VIEWS
from cli.verbs import RENAMED, VERBS
from tests.house.code import SOURCES, tree_of
from tests.support.cli_desk import Desk
from tests.support.days.json_day import JsonDay

GOLDEN = Path(__file__).with_name("every_verb.jsonl")
SENTENCE, ANY_LENGTH = "a sentence", "each item"
KINDS = {str: "a text", int: "a number", float: "a number", bool: "a boolean", type(None): "null"}
DAYS = 2
"""Days that are played for the list: what differs between them is no promise."""

LEFT_OUT = {"about", "backup", "rehearse", "season export"}
"""Answers about this machine or this release."""


def shape(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a JSON value with a mark for each sentence, and numbers as they are."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    if isinstance(value, str) and re.search(r"\s", value.strip()):
        return SENTENCE
    return round(value, 9) if isinstance(value, float) else value


def common(first: Any, second: Any) -> Any:  # noqa: ANN401 - JSON
    """Return what two shapes share: equal values, and the kind of those that differ."""
    if first == second and type(first) is type(second):
        return first
    if isinstance(first, dict) and isinstance(second, dict):
        both = [name for name in first if name in second]
        return {name: common(first[name], second[name]) for name in both}
    if isinstance(first, list) and isinstance(second, list):
        if len(first) == len(second) and ANY_LENGTH not in (first + second)[:1]:
            return [common(*pair) for pair in zip(first, second, strict=True)]
        items = [each for each in first + second if each != ANY_LENGTH]
        return [ANY_LENGTH, reduce(common, items)] if items else []
    kinds = {kind_of(first), kind_of(second)}
    return " or ".join(sorted(kinds))


def kind_of(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return the kind of a value in words; a text that is a kind already stays."""
    words = {*KINDS.values(), SENTENCE}
    if isinstance(value, str) and set(value.split(" or ")) <= words:
        return value
    return KINDS.get(type(value), type(value).__name__)


def differences(now: Any, kept: Any, place: str) -> list[str]:  # noqa: ANN401 - JSON
    """Name each place where an answer is not what the list has; further members are allowed."""
    if isinstance(kept, dict) and isinstance(now, dict):
        gone = [f"{place}.{name} is missing" for name in kept if name not in now]
        shared = [name for name in kept if name in now]
        return gone + [
            text
            for name in shared
            for text in differences(now[name], kept[name], f"{place}.{name}")
        ]
    if isinstance(kept, list) and isinstance(now, list):
        if kept[:1] == [ANY_LENGTH]:
            kept = kept[1:] * len(now)
        if len(kept) == len(now):
            pairs = enumerate(zip(now, kept, strict=True))
            return [text for n, pair in pairs for text in differences(*pair, f"{place}[{n}]")]
    allowed = kept.split(" or ") if isinstance(kept, str) else ()
    if kind_of(now) in allowed or (now == kept and type(now) is type(kept)):
        return []
    return [f"{place}: {kept!r} became {now!r}"]


def read(answer: str) -> list[Any]:
    """Return the JSON values of an answer, a value for each of its lines."""
    return [shape(json.loads(line)) for line in answer.splitlines()]


def clock_after(seconds: int) -> str:
    """Return the time of day that many seconds after the day began, as a line has it."""
    at = datetime(2026, 3, 14, 9, tzinfo=UTC) + timedelta(seconds=seconds)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def answers_of_a_day(folder: Path) -> dict[str, Any]:
    """Play a day whose clock and draws are always the same; return the shapes of its answers."""
    with pytest.MonkeyPatch.context() as patch:
        drawn, seconds = count(1), count()
        patch.setattr("os.urandom", lambda size: sha512(b"%d" % next(drawn)).digest()[:size])
        patch.setattr("cli.outside.now", lambda: clock_after(next(seconds)))
        day = JsonDay(Desk(folder, patch))
        day.play()
    typed = {**{f"{verb} …": given for verb, given in day.acts.items()}, **day.given}
    return {
        line: [read(answer) for answer in given]
        for line, given in typed.items()
        if line.removesuffix(" …") not in LEFT_OUT and all(each[:1] in "[{" for each in given)
    }


def codes() -> list[str]:
    """Return the code of each refusal, as the calls of `problem` in the product name it."""
    calls = (node for path in SOURCES for node in ast.walk(tree_of(path)))
    return sorted(
        {
            str(call.args[0].value)
            for call in calls
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"problem", "Problem"}
            if call.args and isinstance(call.args[0], ast.Constant)
        }
    )


def surface() -> dict[str, Any]:
    """Return the names that programs rely on: verbs, exit codes, refusal codes, addresses."""
    return {
        "verbs": sorted({*VERBS, *RENAMED}),
        "exit codes": sorted(EXITS),
        "refusal codes": codes(),
        "addresses": sorted(view.path for view in (*VIEWS, *SEASON_VIEWS)),
    }


def kept() -> dict[str, Any]:
    """Return the list: what each line answered, and the names that programs rely on."""
    return dict(json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines())


@pytest.fixture(scope="module", autouse=True)
def _golden(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    if not request.config.getoption("--update-golden"):
        return
    days = [answers_of_a_day(tmp_path_factory.mktemp("frozen")) for _ in range(DAYS)]
    rows = {**reduce(common, days), "surface": surface()}
    GOLDEN.write_text("".join(f"{json.dumps(row)}\n" for row in rows.items()), "utf-8")


@pytest.mark.slow
def test_every_line_answers_as_in_the_list(tmp_path: Path) -> None:
    now, then = answers_of_a_day(tmp_path), kept()
    then.pop("surface")
    assert then.keys() - now.keys() == set()
    found = [text for line, known in then.items() for text in differences(now[line], known, line)]
    assert found == []


def test_names_that_programs_rely_on_remain() -> None:
    now, then = surface(), kept()["surface"]
    gone = {kind: sorted(set(names) - set(now[kind])) for kind, names in then.items()}
    assert {kind: names for kind, names in gone.items() if names} == {}


def test_a_changed_answer_is_noticed() -> None:
    known = {"seq": 4, "id": "a text", "rows": [ANY_LENGTH, {"points": 3}], "why": SENTENCE}
    same = {"seq": 4, "id": "x1", "rows": [{"points": 3}], "why": SENTENCE, "more": 1}
    assert differences(same, known, "") == []
    for wrong in (
        {**same, "seq": 5},
        {**same, "seq": "4"},
        {**same, "rows": [{"points": 3}, {"points": 4}]},
        {**same, "rows": [{}]},
        {key: value for key, value in same.items() if key != "why"},
        {**same, "why": "one-word"},
    ):
        assert differences(wrong, known, ""), wrong
