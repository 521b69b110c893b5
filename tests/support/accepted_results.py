"""What `check` accepts as the result of an open match, found by trying value by value.

Every ending is tried with every value of the facts that say how a game went, and bare outcomes with
every score of points. What comes of it is kept where `check` takes it as a report; those of one
outcome, one score and the same fields are one.
"""

from __future__ import annotations

import os
import random
from functools import cache
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from ledger import rulesets
from ledger.errors import LedgerError
from ledger.facts.results import ResultReported, by_facts
from ledger.facts.shared import Result, Stage
from ledger.lines.recorded import record
from ledger.rules import check
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rulesets import Procedure, Ruleset

RULESETS = ("l5r", "swiss", "mtg", "xwing2", "ashes", "legion", "netrunner", "runewars")

NARROWED = {
    "l5r": (),
    "swiss": (),
    "legion": (),
    "mtg": (("max = 9", "max = 1"),),
    "netrunner": (("points_max = 6", "points_max = 2"), ("points = 6", "points = 2")),
    "ashes": (
        ("numbers = { destroyed = 25 }", "numbers = { destroyed = 2 }"),
        (
            'min = 0\nmax = 25\nmeaning = "wounds that',
            'min = 0\nmax = 2\nmeaning = "wounds that',
        ),
        ("fields = { blood = 25 }", "fields = { blood = 2 }"),
    ),
    "xwing2": (
        ("concession = 200", "concession = 3"),
        ("max = 200", "max = 3"),
        ("base = 200", "base = 3"),
        ("mov = 300", "mov = 4"),
    ),
    "runewars": (
        ("destroyed = 200, margin-max = 200, concession-margin = 70",
         "destroyed = 4, margin-max = 4, concession-margin = 2"),
        ("margin_max = 29", "margin_max = 0"),
        ("margin_min = 30, margin_max = 69", "margin_min = 1, margin_max = 1"),
        ("margin_min = 70, margin_max = 109", "margin_min = 2, margin_max = 2"),
        ("margin_min = 110, margin_max = 149", "margin_min = 3, margin_max = 3"),
        ("margin_min = 150", "margin_min = 4"),
        ("mov = 70", "mov = 2"),
        ("max = 400", "max = 6"),
        (
            'max = 200\nmeaning = "army',
            'max = 4\nmeaning = "army',
        ),
        (
            'max = 200\nmeaning = "points from',
            'max = 2\nmeaning = "points from',
        ),
        (
            "max = 200\nmeaning = \"the player's own army",
            "max = 4\nmeaning = \"the player's own army",
        ),
        (
            "max = 200\nmeaning = \"the player's own units",
            "max = 4\nmeaning = \"the player's own units",
        ),
    ),
}  # fmt: skip
"""Each ruleset with smaller numbers: so few results that all combinations can be played."""

TOLD = {
    "mtg": (("games", "drawn"),),
    "xwing2": (("score",),),
    "ashes": (("wounds",),),
    "legion": (),
    "l5r": (),
    "runewars": (("score",), ("army", "objectives"), ("total", "remaining")),
}
"""The facts of wide range that are told together, tried at every value.

Where one fact alone has more pairs of values than `PAIRS_MAX`, or a second one is told beside it,
it is tried at its ends and at random.
"""

LONG = int(os.environ.get("TOURNEY_SWEEPS", "0"))
PAIRS_MAX = 50_000 if LONG else 5_000
AT_RANDOM = 1_000

BREAKS = {"salvo", "flurry-1"}
"""Facts that break a tie of the others: tried as more, less and equal."""


def text_of(ruleset: str, *, narrowed: bool) -> str:
    """The ruleset's text, with smaller numbers where asked for."""
    text = rulesets.text_of(ruleset)
    for before, after in NARROWED[ruleset] if narrowed else ():
        assert text.count(before) >= 1, before
        text = text.replace(before, after, 1)
    return text


def _pairs(declared: Procedure, label: str, most: int) -> list[tuple[int, int]]:
    fact = declared.labels[label]
    numbers = range(fact.min, fact.max + 1)
    if fact.sides == "shared":
        return [(number, number) for number in numbers]
    if len(numbers) ** 2 <= most:
        return list(product(numbers, numbers))
    chance, ends = random.Random(label), (fact.min, fact.max)
    some = {
        (chance.choice(numbers), chance.choice(numbers)) for _ in range(min(most, AT_RANDOM) - 4)
    }
    if most >= AT_RANDOM // 4:  # with every margin
        some |= {pair for number in numbers for pair in ((number, fact.min), (fact.min, number))}
    return sorted(some | {(one, other) for one in ends for other in ends})


def _wide(ruleset: str, declared: Procedure) -> Iterator[dict[str, tuple[int, int]]]:
    """Yield the facts of wide range: none of them, or those that are told together."""
    yield {}
    for names in TOLD[ruleset]:
        for leading in names:
            most = PAIRS_MAX if len(names) == 1 else AT_RANDOM if LONG else AT_RANDOM // 4
            told = [_pairs(declared, name, most if name == leading else 4) for name in names]
            for pairs in product(*told):
                yield dict(zip(names, pairs, strict=True))


def _games(
    ruleset: str, declared: Procedure
) -> Iterator[tuple[set[str], dict[str, tuple[int, int]]]]:
    """Yield what a table may have seen, wide facts with narrow ones, and the endings for it."""
    wide = set(chain.from_iterable(TOLD[ruleset]))
    marks = [
        label
        for label, fact in declared.labels.items()
        if (fact.min, fact.max) == (0, 1) and label not in wide
    ]
    marking: dict[str, set[str]] = {label: set() for label in marks}
    for ending in declared.endings:
        if ending.marks:
            marking[ending.marks].add(ending.name)
    unmarked = {ending.name for ending in declared.endings if not ending.marks}
    marked = [
        (
            set().union(unmarked, *(marking[name] for name in names)),
            dict(zip(names, pairs, strict=True)),
        )
        for size in (0, 1, 2)
        for names in combinations(marks, size)
        for pairs in product([(0, 1), (1, 0), (1, 1)], repeat=size)
        if size < 2 or ruleset == "ashes"
    ]
    several = len(marks) > 1
    broken = [
        {label: pair}
        for label in sorted(BREAKS & declared.labels.keys())
        for pair in ((1, 0), (0, 1), (1, 1))
    ]
    for facts in _wide(ruleset, declared):
        for endings, mark in marked:
            yield (endings if several or not mark else endings - unmarked), facts | mark
        if all(one == other for one, other in facts.values()):
            yield from ((unmarked, facts | one) for one in broken)


def _tried(ruleset: str, rules: Ruleset) -> Iterator[Result]:
    """Yield what may be said of a match, whether or not it is taken."""
    least, most = rules.scoring.points_min, rules.scoring.points_max
    worth = {
        each for one in rules.outcomes if (each := one.points) is not None
    } | set(range(least, most + 1))  # fmt: skip
    for one, other in product(rules.outcomes, rules.outcomes):
        for points in product(sorted(worth), sorted(worth)):
            for manner in ("played", "time", "concession", "declared"):
                yield Result((one.name, other.name), points, manner)
    declared = rules.derives
    if declared is None:
        return
    for endings, facts in _games(ruleset, declared):
        for ending in endings:
            try:
                yield by_facts(rules, ending, facts)
            except LedgerError:
                continue


def worth_of(result: Result) -> tuple[object, ...]:
    """What the standings read of a result."""
    return result.outcomes, result.points, tuple(sorted(result.fields.items()))


@cache
def accepted_by_check(ruleset: str, *, narrowed: bool) -> tuple[Result, ...]:
    """Every result of another worth that `check` takes as the report of an open match."""
    day = day_of(ruleset, 4, 1, narrowed=narrowed)
    day.start(1, Stage("single", entry="top", size=2))
    match = day.pair()[0]
    found: dict[object, Result] = {}
    refused: set[object] = set()
    for result in _tried(ruleset, day.tournament.ruleset):
        worth = worth_of(result)
        if worth in found or (not result.ending and (worth, result.manner) in refused):
            continue
        event = ResultReported(match.number, result)
        if not any(check(day.tournament, record(day.tournament.seq + 1, "x", "", "o1", event))):
            found[worth] = result
        else:
            refused.add((worth, result.manner))
    return tuple(found.values())


def day_of(ruleset: str, players: int, seed: int, *, narrowed: bool) -> Day:
    """A day with so many players, and nothing done yet."""
    text = (text_of(ruleset, narrowed=False), text_of(ruleset, narrowed=narrowed))
    return Day(players, ruleset=ruleset, shuffle_key=seed.to_bytes(32, "big"), changed=text)
