"""Procedures as a ruleset declares them: from the facts of a table to a result, by constants.

A table sees an ending (how the game ended) and facts (a number for each side). Which ones exist,
what they may be and what each ending needs is data; the procedure named here does the arithmetic
(`ledger.rulesets.deriving`). `REQUIRED` lists what a procedure must find in the file; everything
that is wrong with a declaration is found here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ledger.facts.base import Points, Whole
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import (
    Clause,
    Key,
    Line,
    Name,
    Part,
    Word,
    nearest,
    place,
    span,
    span_problems,
    twice,
)

ProcedureName = Literal[
    "outcome@1",
    "comparison@1",
    "comparison@2",
    "runewars@1",
    "ashes@1",
    "ashes@2",
    "legion@1",
    "l5r-time@1",
]

REPEATS_MAX = 20


class Fact(Part, frozen=True):
    """A number that the table saw on each side, between a least and a most.

    `sides`: `each` has its own; `one` side has it (1) and the other not (0); at `most-one` has
    it; `shared` is one number for both. `repeats` makes it a row of rolls, `flurry-1` and on.
    Only one side may have `max` where it is `max_for_one`; `official` numbers a person in office.
    `recorded`: it must agree with what was recorded at the table.
    """

    name: Key
    min: Whole
    max: Whole
    meaning: Line
    clause: Clause
    sides: Literal["each", "one", "most-one", "shared"] = "each"
    repeats: Annotated[int, Meta(ge=0, le=REPEATS_MAX)] = 0
    max_for_one: bool = False
    official: bool = False
    recorded: Literal["", "first", "chooser", "blue"] = ""
    titles: tuple[Word, ...] = ()
    """What else a spreadsheet calls its column, without the side (wins for games won)."""

    def names(self) -> tuple[str, ...]:
        """The labels under which a result holds it."""
        rows = tuple(f"{self.name}-{number}" for number in range(1, self.repeats + 1))
        return rows or (self.name,)


class Ending(Part, frozen=True):
    """How a game can end; the first one listed is the default.

    `needs` are facts that must be reported. `marks` is a fact of one side that naming the winner
    at the desk sets on the other side: who was destroyed, who conceded. `asks` are facts that
    every act which ends a Swiss game in this way asks for, because points or tiebreakers follow
    from them; a log may be without them if they were unknown.
    """

    name: Name
    manner: Literal["played", "time", "concession", "declared"]
    meaning: Line
    clause: Clause
    needs: tuple[Key, ...] = ()
    asks: tuple[Key, ...] = ()
    marks: Key = ""
    typed: tuple[Word, ...] = ()

    def unanswered(self, facts: Mapping[str, object]) -> list[str]:
        """Return the facts that this ending asks for, and that are not among those given."""
        return [name for name in self.asks if name not in facts]


class MarginBand(Part, frozen=True):
    """What a margin in a range is worth; without a maximum the range has no end."""

    margin_min: Points
    winner: Points
    loser: Points
    margin_max: Points | None = None
    outcome: Name | None = None


class Sum(Part, frozen=True):
    """A field as a sum of a base and of both sides' facts, each times a weight.

    It is held to the field's range. `winner`: the other side has 0, and both on a draw.
    """

    field: Key
    clause: Clause
    base: Whole = 0
    own: dict[Key, Whole] = msgspec.field(default_factory=dict)
    other: dict[Key, Whole] = msgspec.field(default_factory=dict)
    side: Literal["both", "winner"] = "both"


class Procedure(Part, frozen=True, dict=True):
    """The procedure's name, the endings and facts that a table reports, and its constants.

    `main` is the fact that `107-49` gives, `third` the one that `2-1-1` adds, `then` is compared
    while the main fact is equal. `bare`: an outcome alone may be reported, without facts.
    """

    name: ProcedureName
    clause: Clause
    main: Key = ""
    third: Key = ""
    then: tuple[Key, ...] = ()
    bare: bool = False
    endings: tuple[Ending, ...] = ()
    facts: tuple[Fact, ...] = ()
    numbers: dict[Key, Whole] = msgspec.field(default_factory=dict)
    bands: tuple[MarginBand, ...] = ()
    sums: tuple[Sum, ...] = ()

    @cached_property
    def labels(self) -> dict[str, Fact]:
        """Each fact by every label that it has in a result."""
        return {label: fact for fact in self.facts for label in fact.names()}

    def ending(self, name: str) -> Ending | None:
        """Find the ending of that name; without a name, the first one."""
        return next((one for one in self.endings if name in {"", one.name}), None)

    def by_manner(self, manner: str) -> Ending | None:
        """Find the first ending of that manner."""
        return next((one for one in self.endings if one.manner == manner), None)

    def band(self, margin: int) -> MarginBand:
        """Find what a margin is worth; the bands have no gap and no end."""
        return next(one for one in reversed(self.bands) if one.margin_min <= margin)


class Required(Struct, frozen=True):
    """What a procedure looks up by name, and so must find in the file."""

    endings: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    """Endings that the file may leave out."""

    facts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    """Numbers that the file may leave out."""

    fields: tuple[str, ...] = ()
    bands: bool | None = False
    """Whether there must be bands of margins; None where there may be."""

    sums: bool = False


_COMPARISON = Required(optional=("concession",), bands=None, sums=True)
_ASHES = Required(
    endings=("destroyed", "time", "concession", "forfeit", "declared", "declared draw"),
    facts=("wounds", "destroyed", "active", "lost"),
    numbers=("destroyed",),
    fields=("blood",),
)

REQUIRED: Mapping[str, Required] = {
    "outcome@1": Required(),
    "comparison@1": _COMPARISON,
    "comparison@2": _COMPARISON,
    "runewars@1": Required(
        endings=("destroyed", "mutual destruction", "rounds", "time", "concession"),
        further=("imposed loss",),
        facts=("score", "army", "objectives", "total", "remaining", "destroyed", "conceded",
               "flurry", "melee"),
        numbers=("destroyed", "margin-max", "concession-margin", "concession-points",
                 "concession-destroys"),
        fields=("mov",),
        bands=True,
    ),
    "ashes@1": _ASHES,
    "ashes@2": _ASHES,
    "legion@1": Required(
        endings=("defeated", "mutual destruction", "rounds", "time", "command phase",
                 "concession"),
        further=("imposed loss",),
        facts=("tokens", "score", "blue", "defeated", "conceded"),
        numbers=("defeated",),
    ),
    "l5r-time@1": Required(
        endings=("victory", "time", "concession", "lost card"),
        further=("imposed loss",),
        facts=("broken", "honor", "favor", "broken-after", "honor-after", "favor-after", "first",
               "chooser", "passed", "conceded", "defeated", "leader"),
        numbers=("province", "provinces-max", "honor", "favor", "lead"),
    ),
}  # fmt: skip
"""Every procedure that a ruleset can name."""


def procedure_problems(
    declared: Procedure | None, kind: str, fields: Iterable[str], outcomes: Iterable[str]
) -> Iterator[Phrase]:
    """Yield where the procedure lacks what it needs, or names what is not declared."""
    if (declared is not None and bool(declared.bands)) != (kind == "derived"):
        yield (
            phrase(
                'procedure, bands: required with scoring of kind = "derived", and not allowed '
                "otherwise"
            )
        )
    elif declared is None and kind == "derived":
        yield phrase("procedure: missing, but the points are derived")
    if declared is None:
        return
    labels = [label for fact in declared.facts for label in fact.names()]
    yield from (
        phrase("procedure, facts: {label} is listed twice", label=f"{label!r}")
        for label in twice(labels)
    )
    words = [word for one in declared.endings for word in {one.name, *one.typed}]
    yield from (
        phrase("procedure, endings: {word} is listed twice", word=f"{word!r}")
        for word in twice(words)
    )
    yield from _required(declared)
    yield from _references(declared)
    yield from _sum_problems(declared, tuple(fields))
    yield from _band_problems(declared.bands, tuple(outcomes))
    for fact in declared.facts:
        if fact.min > fact.max:
            yield phrase(
                "procedure, facts, {name}: min {min} is more than max {max}",
                name=fact.name,
                min=fact.min,
                max=fact.max,
            )


def _required(declared: Procedure) -> Iterator[Phrase]:
    needed = REQUIRED[declared.name]
    for what, names, known in (
        ("endings", needed.endings, {ending.name for ending in declared.endings}),
        ("facts", needed.facts, {fact.name for fact in declared.facts}),
        ("numbers", needed.numbers, set(declared.numbers)),
    ):
        for name in names:
            if name not in known:
                yield phrase(
                    "procedure, {entry}: {name} needs {missing}",
                    entry=what,
                    name=declared.name,
                    missing=f"{name!r}",
                )
    if needed.bands is False and declared.bands:
        yield phrase("procedure, bands: not allowed with {name}", name=declared.name)
    if not needed.sums and declared.sums:
        yield phrase("procedure, sums: not allowed with {name}", name=declared.name)
    if declared.name != "outcome@1" and not (declared.endings and declared.facts):
        yield phrase("procedure: {name} needs endings and facts", name=declared.name)
    elif declared.name != "outcome@1" and not (declared.main or declared.bare):
        yield phrase("procedure: {name} needs a main fact, or bare = true", name=declared.name)
    if needed is _COMPARISON and not declared.main:
        yield phrase("procedure: {name} needs a main fact", name=declared.name)
    yield from _useless(declared, needed)


def _useless(declared: Procedure, needed: Required) -> Iterator[Phrase]:
    numbers = (*needed.numbers, *needed.optional)
    for name in declared.numbers:
        if name not in numbers:
            hint = nearest(name, numbers)
            yield phrase(
                "procedure, numbers: {name} does not use {number}; {known}",
                name=declared.name,
                number=f"{name!r}",
                known=hint,
            )
    endings = (*needed.endings, *needed.further)
    for ending in declared.endings if needed.endings else ():
        if ending.name not in endings:
            hint = nearest(ending.name, endings)
            yield phrase(
                "procedure, endings: {name} has no {ending}; {known}",
                name=declared.name,
                ending=f"{ending.name!r}",
                known=hint,
            )


def _references(declared: Procedure) -> Iterator[Phrase]:
    facts = {fact.name: fact for fact in declared.facts}
    for what, name in (
        ("main", declared.main),
        ("third", declared.third),
        *(("then", one) for one in declared.then),
        *(("endings, needs", one) for ending in declared.endings for one in ending.needs),
        *(("endings, asks", one) for ending in declared.endings for one in ending.asks),
        *(("endings, marks", ending.marks) for ending in declared.endings),
    ):
        if name and name not in facts:
            yield phrase(
                "procedure, {entry}: no fact {name} is declared; {nearest}",
                entry=what,
                name=f"{name!r}",
                nearest=nearest(name, facts),
            )
        elif name and what == "endings, marks" and (facts[name].min, facts[name].max) != (0, 1):
            yield phrase(
                "procedure, {entry}: {name} must be a fact from 0 to 1", entry=what, name=name
            )
    for ending in declared.endings:
        is_comparison = REQUIRED[declared.name] is _COMPARISON
        if is_comparison and ending.manner == "concession" and not ending.marks:
            yield phrase(
                "procedure, endings, {name}: marks must name the conceding side", name=ending.name
            )


def _sum_problems(declared: Procedure, fields: tuple[str, ...]) -> Iterator[Phrase]:
    facts = {fact.name for fact in declared.facts}
    for name in REQUIRED[declared.name].fields:
        if name not in fields:
            yield phrase("fields: {name} needs {field}", name=declared.name, field=f"{name!r}")
    for number, one in enumerate(declared.sums, start=1):
        where = place("procedure, sums", number, one.field)
        if one.field not in fields:
            yield phrase(
                "{where}: no field {field} is declared; {nearest}",
                where=where,
                field=f"{one.field!r}",
                nearest=nearest(one.field, fields),
            )
        for name in (*one.own, *one.other):
            if name not in facts:
                yield phrase(
                    "{where}: no fact {name} is declared; {nearest}",
                    where=where,
                    name=f"{name!r}",
                    nearest=nearest(name, facts),
                )


def _band_problems(bands: tuple[MarginBand, ...], outcomes: tuple[str, ...]) -> Iterator[Phrase]:
    spans = [(band.margin_min, band.margin_max) for band in bands]
    yield from span_problems("procedure, band", spans, start=0)
    for number, band in enumerate(bands, start=1):
        if band.outcome is not None and band.outcome not in outcomes:
            where = place("procedure, band", number, span(*spans[number - 1]))
            yield phrase(
                "{where}: no outcome {outcome}; {nearest}",
                where=where,
                outcome=f"{band.outcome!r}",
                nearest=nearest(band.outcome, outcomes),
            )
