"""Plain English and names with a meaning: what is left may only become less.

`prose.toml` has a budget for each package. `pytest tests/house/test_prose.py --update-golden`
lowers the budgets to today's counts and raises none. `python -m tests.house.test_prose` lists the
places.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.house.prose import ODD, odd_constructions, texts, vague_names
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

BUDGETS = ROOT / "tests" / "house" / "prose.toml"
HEADING = "# The most odd constructions (prose.py lists them) and vague names that are left.\n"


def counted() -> dict[str, dict[str, int]]:
    """Return what is there now, by kind and package."""
    odd = Counter((text.kind, text.package) for text, _ in odd_constructions())
    found: dict[str, dict[str, int]] = {"messages": {}, "prose": {}}
    for (kind, package), number in sorted(odd.items()):
        found[kind][package] = number
    return {**found, "names": dict(sorted(vague_names().items()))}


def over(
    now: Mapping[str, Mapping[str, int]], budgets: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Name each budget that is exceeded."""
    return [
        f"{kind} of {package}: {number}, and {budgets[kind].get(package, 0)} at most"
        for kind, numbers in now.items()
        for package, number in numbers.items()
        if number > budgets[kind].get(package, 0)
    ]


@pytest.mark.slow
def test_odd_constructions_and_vague_names_only_become_fewer(
    request: pytest.FixtureRequest,
) -> None:
    now = counted()
    budgets: dict[str, dict[str, int]] = tomllib.loads(BUDGETS.read_text("utf-8"))
    if request.config.getoption("--update-golden"):
        budgets = {
            kind: {name: min(number, now[kind].get(name, 0)) for name, number in numbers.items()}
            for kind, numbers in budgets.items()
        }
        blocks = (
            f"\n[{kind}]\n" + "".join(f"{name} = {number}\n" for name, number in numbers.items())
            for kind, numbers in budgets.items()
        )
        BUDGETS.write_text(HEADING + "".join(blocks), "utf-8")
    assert over(now, budgets) == []


def test_a_further_odd_construction_exceeds_its_budget() -> None:
    assert over({"prose": {"cli": 3}}, {"prose": {"cli": 3}}) == []
    assert over({"prose": {"cli": 4}}, {"prose": {"cli": 3}})
    assert over({"prose": {"new": 1}}, {"prose": {"cli": 3}})


@pytest.mark.parametrize(
    "text",
    [
        "it is no number from 1",
        "What signs the head",
        "The reason of what was done",
        "An error where the file is lost",
        "the log says that play is over",
        "3 results of round 1 to come",
        "nobody waits for an official",
        "a head beside the log",
        "players alone may do that",
    ],
)
def test_an_odd_construction_is_noticed(text: str) -> None:
    assert [instead for instead, pattern in ODD.items() if pattern.search(text)]


@pytest.mark.parametrize(
    "text",
    [
        "the date must be YYYY-MM-DD",
        "Return whether a rule applies to this log.",
        "row 2, round: '2nd' is not a whole number of 1 or more",
        "3 of 4 results of round 1 are missing",
        "players cannot join an elimination stage: the bracket is fixed",
        "Which official enters the result?",
    ],
)
def test_plain_english_passes(text: str) -> None:
    assert [instead for instead, pattern in ODD.items() if pattern.search(text)] == []


if __name__ == "__main__":
    for shown, correction in odd_constructions():
        print(f"{shown.place}: {correction}: {shown.kind}: {shown.words[:160]}")  # noqa: T201
    print(sum(text.words.count(" ") + 1 for text in texts()), "words")  # noqa: T201
