"""Numbers that players have when they come: a rating, a place to start from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ledger.errors import Refused
from ledger.facts.base import Points, Whole
from ledger.problems import Phrase, Player, Problem, marked, phrase, problem, remedy
from ledger.rulesets.outcomes import COLUMNS, Field
from ledger.rulesets.toml_files import Clause, Key, Line, Part, nearest, place


class PlayerNumber(Part, frozen=True):
    """A number that each player is registered with, between a least and a most.

    Who has none has the default; without one, nobody plays without the number.
    """

    name: Key
    min: Whole
    max: Whole
    meaning: Line
    clause: Clause
    default: Whole | None = None


class Start(Part, frozen=True):
    """Points that players begin with: a number of theirs, times what one is worth."""

    clause: Clause
    number: Key
    worth: Points = 1


def number_problems(
    numbers: Sequence[PlayerNumber], fields: Sequence[Field], start: Start | None
) -> Iterator[Phrase]:
    """Yield where the numbers have one name, or an empty range, or the start has none of them."""
    taken = {*COLUMNS, *(declared.name for declared in fields)}
    for at, one in enumerate(numbers, start=1):
        where = place("numbers", at, one.name)
        if one.name in taken:
            yield phrase("{where}: the name is taken", where=where)
        taken.add(one.name)
        if not one.min <= (one.min if one.default is None else one.default) <= one.max:
            yield phrase(
                "{where}: the default {default} must be from {min} to {max}",
                where=where,
                default=str(one.default),
                min=one.min,
                max=one.max,
            )
        if one.min > one.max:
            yield phrase(
                "{where}: min {min} is more than max {max}", where=where, min=one.min, max=one.max
            )
    known = {one.name: one for one in numbers}
    if start is None:
        return
    if start.number not in known:
        yield phrase(
            "start, number: there is no number {number}; {nearest}",
            number=f"{start.number!r}",
            nearest=nearest(start.number, known),
        )
    elif known[start.number].min < 0:
        yield phrase("start, number: the min of {number} must not be below 0", number=start.number)


def value_of(declared: PlayerNumber, given: Mapping[str, int]) -> int:
    """A player's number, or what stands for it."""
    return given.get(declared.name, declared.default or 0)


def wrong_numbers(numbers: Sequence[PlayerNumber], given: Mapping[str, int]) -> Iterator[Phrase]:
    """Yield which of the numbers given are not a ruleset's, or out of its range."""
    known = {one.name: one for one in numbers}
    for name, value in given.items():
        if name not in known:
            yield phrase(
                "the ruleset has no player number {name}; {nearest}",
                name=f"{name!r}",
                nearest=nearest(name, known),
            )
        elif not known[name].min <= value <= known[name].max:
            yield phrase(
                "{name} must be from {min} to {max}, not {value}",
                name=name,
                min=known[name].min,
                max=known[name].max,
                value=value,
            )


def missing_numbers(numbers: Sequence[PlayerNumber], given: Mapping[str, object]) -> list[str]:
    """Return which numbers a player has to have and has not."""
    return [one.name for one in numbers if one.default is None and one.name not in given]


def without_numbers(player: str | Player, missing: Sequence[str], clause: str) -> Problem:
    """Say which numbers that a ruleset asks for a player has not."""
    text = marked("{player} has no {numbers}, which the ruleset requires for each player")
    what = ", ".join(missing)
    way = remedy("amend.number", player=player) if isinstance(player, Player) else ()
    return problem("numbers.missing", text, clause=clause, remedy=way, player=player, numbers=what)


def number_columns(
    numbers: Sequence[PlayerNumber], given: Sequence[Mapping[str, int]]
) -> dict[str, list[int]]:
    """Everybody's numbers by name; the place is the player's number, and place 0 is nobody's."""
    return {one.name: [0, *(value_of(one, each) for each in given)] for one in numbers}


WHOLE = re.compile(r"-?[0-9]{1,15}")

Labels = Mapping[str, str]
Parted = tuple[dict[str, str], dict[str, int]]
"""What is text about a player, and what is a number of the ruleset."""


def numbers_of_entries(
    numbers: Sequence[PlayerNumber], entries: Sequence[tuple[str, Labels]], *, asked: bool
) -> list[Parted]:
    """Part texts from numbers, for each name; Refused where one is no number.

    Where they are `asked` for, nobody comes without them.
    """
    clauses = {one.name: one.clause for one in numbers}
    problems: list[Problem] = []
    found: list[Parted] = []
    for name, labels in entries:
        texts = {label: text for label, text in labels.items() if label not in clauses}
        typed = {label: text for label, text in labels.items() if label in clauses}
        whole = {label: int(text) for label, text in typed.items() if WHOLE.fullmatch(text)}
        for label in typed.keys() - whole.keys():
            text, clause = marked("{label} must be a whole number, not {typed}"), clauses[label]
            wrong = problem("number.whole", text, clause=clause, label=label, typed=typed[label])
            problems.append(wrong)
        missing = [each for each in missing_numbers(numbers, typed) if asked]
        if missing:
            problems.append(without_numbers(name, missing, clauses[missing[0]]))
        found.append((texts, whole))
    if problems:
        raise Refused(*problems)
    return found
