"""The games that cover a procedure come to everything that trying all numbers comes to."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger import rulesets
from ledger.errors import LedgerError
from ledger.rulesets import Fact
from ledger.rulesets.covering import COVERING, covering
from ledger.rulesets.deriving import PROCEDURES, derive
from ledger.rulesets.procedures import MarginBand, Sum
from tests.support.accepted_results import worth_of
from tests.support.examples import seeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.rulesets import Ruleset
    from ledger.rulesets.deriving import Pair


def test_every_procedure_is_covered() -> None:
    assert set(COVERING) == {name for name, code in PROCEDURES.items() if code is not None}


def told(fact: Fact) -> list[Pair | None]:
    """Every pair of numbers, right or wrong, and nothing at all."""
    numbers = range(fact.min, fact.max + 1)
    return [None, *product(numbers, numbers)]


def come_to(rules: Ruleset, games: Iterable[tuple[str, dict[str, Pair]]]) -> set[object]:
    found: set[object] = set()
    for ending, facts in games:
        try:
            found.add(worth_of(derive(rules, ending, facts)))
        except LedgerError:
            continue
    return found


def all_games(rules: Ruleset, labels: Iterable[str]) -> Iterator[tuple[str, dict[str, Pair]]]:
    declared = rules.derives
    assert declared is not None
    names = list(labels)
    for pairs in product(*(told(declared.labels[name]) for name in names)):
        facts = {name: pair for name, pair in zip(names, pairs, strict=True) if pair is not None}
        for ending in declared.endings:
            yield ending.name, facts


def covered(rules: Ruleset) -> set[object]:
    return come_to(rules, covering(rules, lambda first, last: range(first, last + 1)))


def any_comparison(chance: random.Random) -> Ruleset:
    """A game of small numbers that are compared, with whatever a ruleset may say of them."""
    rules = rulesets.load("xwing2").ruleset
    assert rules.procedure is not None
    low = chance.randrange(2)
    score = Fact(
        "score", low, low + chance.randrange(1, 4), "score", "X", max_for_one=chance.random() < 0.3
    )
    dice = Fact("salvo", 1, 2, "dice", "X")
    drawn = Fact("drawn", 0, 1, "drawn", "X", sides="shared")
    conceded = next(fact for fact in rules.procedure.facts if fact.name == "conceded")
    weight = chance.choice([1, 2])
    margin = {"score": weight}, {"score": -weight}
    sums: tuple[tuple[dict[str, int], dict[str, int]], ...] = (
        ({"score": 1, "drawn": 1}, {"score": 1}),
        ({"salvo": 1}, {}),
        margin,
        margin,
    )
    own, other = chance.choice(sums)
    summed = Sum("mov", "X", chance.randrange(4), own, other, chance.choice(["both", "winner"]))
    procedure = replace(
        rules.procedure,
        facts=(score, dice, drawn, conceded),
        sums=(summed,),
        then=chance.choice([(), ("salvo",)]),
        numbers={"concession": chance.randrange(6)},
        endings=tuple(
            replace(each, needs=chance.choice([(), ("score",)])) for each in rules.procedure.endings
        ),
    )
    if chance.random() < 0.4:
        bands = (MarginBand(0, 3, 2, 1), MarginBand(2, 5, 0))
        scoring = replace(rules.scoring, kind="derived")
        return replace(rules, procedure=replace(procedure, bands=bands), scoring=scoring)
    return replace(rules, procedure=procedure)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(20))
def test_any_comparison_is_covered(seed: int) -> None:
    rules = any_comparison(random.Random(f"comparison {seed}"))
    every = come_to(rules, all_games(rules, ("score", "salvo", "drawn", "conceded")))
    assert covered(rules) == every


def any_battle(chance: random.Random) -> Ruleset:
    """The game of armies and objectives with small numbers, and odd ones."""
    rules = rulesets.load("runewars").ruleset
    declared = rules.procedure
    assert declared is not None
    most = {
        "score": chance.randrange(1, 5), "army": chance.randrange(1, 4),
        "objectives": chance.randrange(1, 3), "total": chance.randrange(1, 4),
        "remaining": chance.randrange(1, 3), "flurry": 1,
    }  # fmt: skip
    low = {name: 1 for name in ("army", "total", "remaining") if chance.random() < 0.2}
    numbers = {
        "destroyed": chance.randrange(1, 5), "margin-max": chance.randrange(1, 7),
        "concession-margin": chance.randrange(4), "concession-points": 8,
        "concession-destroys": chance.randrange(2),
    }  # fmt: skip
    facts = tuple(
        replace(
            fact,
            min=low.get(fact.name, 0),
            max=low.get(fact.name, 0) + most.get(fact.name, fact.max),
            repeats=min(fact.repeats, 1),
        )
        for fact in declared.facts
    )
    bands = (MarginBand(0, 6, 5, 1), MarginBand(2, 7, 4, 2), MarginBand(3, 8, 3))
    return replace(rules, procedure=replace(declared, facts=facts, numbers=numbers, bands=bands))


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(5))
def test_any_battle_is_covered(seed: int) -> None:
    rules = any_battle(random.Random(f"battle {seed}"))
    marks = ("destroyed", "conceded", "flurry-1")
    every = come_to(rules, all_games(rules, ("score", *marks)))
    every |= come_to(rules, all_games(rules, ("army", "objectives", *marks)))
    every |= come_to(rules, all_games(rules, ("total", "remaining", "objectives", "conceded")))
    every |= come_to(rules, all_games(rules, ("total", "remaining", "objectives", "destroyed")))
    assert covered(rules) == every
