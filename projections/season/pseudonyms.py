"""Who is who where people look: names where they are known, pseudonyms cut short, nobody twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping

LETTERS = 12
TOURNAMENT_LETTERS = 8


def cut_short(person: str) -> str:
    """The beginning of a pseudonym; of a guest's tournament and number, which has no other."""
    tournament, slash, player = person.partition("/")
    return f"{tournament[:TOURNAMENT_LETTERS]}/{player}" if slash else person[:LETTERS]


def labels_of(persons: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """What to call each person; who shares a name with another has the pseudonym behind it."""
    called = {person: names.get(person) or cut_short(person) for person in persons}
    bearers = Counter(called.values())
    return {
        person: label if bearers[label] == 1 else f"{label} ({_told_apart(person, label)})"
        for person, label in called.items()
    }


def _told_apart(person: str, label: str) -> str:
    short = cut_short(person)
    return person if short == label else short
