"""The page "Add your game": its examples are a ruleset, and it leaves no table and key out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
import pytest
from msgspec import Struct

from ledger import rulesets
from ledger.errors import InvalidRuleset
from ledger.rulesets import Ruleset, parse
from ledger.rulesets.procedures import REQUIRED
from tests.truth.test_sixth_games import SEVENTH

PAGE = (Path(rulesets.__file__).parent / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def keys_of(kind: Any, found: set[str]) -> set[str]:  # noqa: ANN401 - a type of any form
    """Every key that a file can hold, at any depth."""
    for member in get_args(kind) if isinstance(kind, UnionType) else (kind,):
        if get_origin(member) is tuple:
            keys_of(get_args(member)[0], found)
        elif isinstance(member, type) and issubclass(member, Struct):
            for field in msgspec.structs.fields(member):
                found.add(field.encode_name)
                keys_of(field.type, found)
    return found


def test_every_table_and_key_has_an_example() -> None:
    examples = "\n".join(EXAMPLES)
    missing = [key for key in keys_of(Ruleset, set()) if not re.search(rf"\b{key}\b", examples)]
    assert [key for key in missing if f"`{key}" not in PAGE] == []


def test_every_procedure_is_named() -> None:
    assert [name for name in REQUIRED if f"`{name}`" not in PAGE] == []
    assert set(rulesets.names()) >= set(re.findall(r"\| `([a-z0-9]+)` \|$", PAGE, re.MULTILINE))


def test_the_examples_together_are_a_ruleset() -> None:
    """A stranger who pastes them all has a file that can be used."""
    *whole, bands = EXAMPLES
    assert "margin_min" in bands
    text = "\n".join(whole)
    text += (
        '\n[[outcomes]]\nclause = "GG-SCORE"\nname = "loss"\nagainst = "win"\nrecord = "L"\n'
        "points = 0\n"
    )
    ruleset = parse(text)
    assert ruleset.derives is not None
    assert tomllib.loads(bands)["bands"][1]["winner"] == 5


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('main = "square"', 'main = "squad"', "procedure, main: no fact 'squad' is declared; did"),
        ('main = "square"', "", "procedure: comparison@1 needs a main fact, or bare = true"),
        ("margin_min = 10", "margin_min = 11", "procedure, band 2 (11-): there is a gap before it"),
        ("margin_min = 10", "margin_min = 9", "procedure, band 2 (9-): overlaps the previous one"),
        ("margin_min = 0", "margin_min = 1", "procedure, band 1 (1-9): there is a gap before it"),
        (", margin_max = 9", "", "procedure, band 2 (10-): overlaps the previous one, which"),
        ('"narrow win" }', '"wide win" }', "procedure, band 1 (0-9): no outcome 'wide win'; known"),
        ('kind = "derived"', 'kind = "outcome"', "outcomes 1 (win): points are missing"),
        ('field = "lead"', 'field = "led"', "procedure, sums 1 (led): no field 'led' is declared"),
        ("own = { square = 1 }", "own = { squares = 1 }", "procedure, sums 1 (lead): no fact 'squ"),
        ('needs = ["square"]', 'needs = ["dice"]', "procedure, endings, needs: no fact 'dice' is"),
        ('needs = ["square"]', 'marks = "square"', "procedure, endings, marks: square must be a"),
        ('"comparison@1"', '"comparison@9"', "procedure, name: unknown value 'comparison@9'"),
        ('"comparison@1"', '"runewars@1"', "procedure, endings: runewars@1 needs 'destroyed'"),
        ('"comparison@1"', '"legion@1"', "procedure, endings: legion@1 needs 'defeated'"),
        ('main = "square"', 'main = "square"\nnumbers = { hit = 1 }', "procedure, numbers: compa"),
        ('min = 0\nmax = 63\nmeaning = "where', 'min = 64\nmax = 63\nmeaning = "where',
         "procedure, facts, square: min 64 is more than max 63"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_procedure_and_where(old: str, new: str, problem: str) -> None:
    assert SEVENTH.count(old) == 1, old
    with pytest.raises(InvalidRuleset) as caught:
        parse(SEVENTH.replace(old, new))
    assert any(each.startswith(problem) for each in caught.value.sentences), caught.value.sentences


def test_each_ruleset_that_ships_lacks_nothing_that_its_procedure_needs() -> None:
    """Leave out any fact, ending or number, and the file says so."""
    for key in ("runewars", "ashes", "legion", "l5r"):
        ruleset = rulesets.load(key).ruleset
        declared = ruleset.procedure
        assert declared is not None
        for what in ("facts", "endings"):
            for place in range(len(getattr(declared, what))):
                entries = getattr(declared, what)
                if getattr(entries[place], "name", "") in REQUIRED[declared.name].further:
                    continue  # which may be left out
                fewer = msgspec.structs.replace(
                    declared, **{what: entries[:place] + entries[place + 1 :]}
                )
                assert list(msgspec.structs.replace(ruleset, procedure=fewer).problems())
        for name in declared.numbers:
            left = {each: value for each, value in declared.numbers.items() if each != name}
            fewer = msgspec.structs.replace(declared, numbers=left)
            assert list(msgspec.structs.replace(ruleset, procedure=fewer).problems())
