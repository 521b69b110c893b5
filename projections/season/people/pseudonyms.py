"""Who is who where people look: names where they are known, pseudonyms cut short, nobody twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

LETTERS = 12
TOURNAMENT_LETTERS = 8


def cut_short(person: str) -> str:
    """The beginning of a pseudonym; of a guest's tournament and number, which has no other."""
    tournament, slash, player = person.partition("/")
    return f"{tournament[:TOURNAMENT_LETTERS]}/{player}" if slash else person[:LETTERS]


def labels_of(persons: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """What to call each person; who would be called like another has the pseudonym, too."""
    labels = {person: names.get(person) or cut_short(person) for person in persons}
    for shown in (cut_short, str):
        bearers = Counter(labels.values())
        labels = {
            person: label if bearers[label] == 1 else _with(names.get(person), shown(person))
            for person, label in labels.items()
        }
    return labels


def _with(name: str | None, pseudonym: str) -> str:
    return f"{name} ({pseudonym})" if name else pseudonym
