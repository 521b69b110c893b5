"""What a procedure must find in a ruleset, and everything that is wrong with one's declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.rulesets.words import nearest, place, span, span_problems, twice

if TYPE_CHECKING:
    from ledger.rulesets.procedures import MarginBand, Procedure


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


REQUIRED: Mapping[str, Required] = {
    "outcome@1": Required(),
    "comparison@1": Required(optional=("concession",), bands=None, sums=True),
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
    "ashes@1": Required(
        endings=("destroyed", "time", "concession", "forfeit", "declared", "declared draw"),
        facts=("wounds", "destroyed", "active", "lost"),
        numbers=("destroyed",),
        fields=("blood",),
    ),
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
) -> Iterator[str]:
    """Yield where the procedure lacks what it needs, or names what is not declared."""
    if (declared is not None and bool(declared.bands)) != (kind == "derived"):
        yield 'procedure, bands: they go with scoring of kind = "derived", and only with it'
    elif declared is None and kind == "derived":
        yield "procedure: missing, though the points are derived"
    if declared is None:
        return
    labels = [label for fact in declared.facts for label in fact.names()]
    yield from (f"procedure, facts: {label!r} is listed twice" for label in twice(labels))
    words = [word for one in declared.endings for word in {one.name, *one.typed}]
    yield from (f"procedure, endings: {word!r} is listed twice" for word in twice(words))
    yield from _required(declared)
    yield from _references(declared)
    yield from _sum_problems(declared, tuple(fields))
    yield from _band_problems(declared.bands, tuple(outcomes))
    for fact in declared.facts:
        if fact.min > fact.max:
            yield f"procedure, facts, {fact.name}: min {fact.min} is more than max {fact.max}"


def _required(declared: Procedure) -> Iterator[str]:
    needed = REQUIRED[declared.name]
    for what, names, known in (
        ("endings", needed.endings, {ending.name for ending in declared.endings}),
        ("facts", needed.facts, {fact.name for fact in declared.facts}),
        ("numbers", needed.numbers, set(declared.numbers)),
    ):
        for name in names:
            if name not in known:
                yield f"procedure, {what}: {declared.name} needs {name!r}"
    if needed.bands is False and declared.bands:
        yield f"procedure, bands: {declared.name} has none"
    if not needed.sums and declared.sums:
        yield f"procedure, sums: {declared.name} has none"
    if declared.name != "outcome@1" and not (declared.endings and declared.facts):
        yield f"procedure: {declared.name} needs endings and facts"
    elif declared.name != "outcome@1" and not (declared.main or declared.bare):
        yield f"procedure: {declared.name} needs a main fact, or bare = true"
    if declared.name == "comparison@1" and not declared.main:
        yield "procedure: comparison@1 compares the main fact, and none is named"
    yield from _useless(declared, needed)


def _useless(declared: Procedure, needed: Required) -> Iterator[str]:
    numbers = (*needed.numbers, *needed.optional)
    for name in declared.numbers:
        if name not in numbers:
            hint = nearest(name, numbers)
            yield f"procedure, numbers: {declared.name} has no use for {name!r}; {hint}"
    endings = (*needed.endings, *needed.further)
    for ending in declared.endings if needed.endings else ():
        if ending.name not in endings:
            hint = nearest(ending.name, endings)
            yield f"procedure, endings: {declared.name} has no {ending.name!r}; {hint}"


def _references(declared: Procedure) -> Iterator[str]:
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
            yield f"procedure, {what}: no fact {name!r} is declared; {nearest(name, facts)}"
        elif name and what == "endings, marks" and (facts[name].min, facts[name].max) != (0, 1):
            yield f"procedure, {what}: {name} must be a fact from 0 to 1"
    for ending in declared.endings:
        if declared.name == "comparison@1" and ending.manner == "concession" and not ending.marks:
            yield f"procedure, endings, {ending.name}: marks must name who concedes"


def _sum_problems(declared: Procedure, fields: tuple[str, ...]) -> Iterator[str]:
    facts = {fact.name for fact in declared.facts}
    for name in REQUIRED[declared.name].fields:
        if name not in fields:
            yield f"fields: {declared.name} needs {name!r}"
    for number, one in enumerate(declared.sums, start=1):
        where = place("procedure, sums", number, one.field)
        if one.field not in fields:
            yield f"{where}: no field {one.field!r} is declared; {nearest(one.field, fields)}"
        for name in (*one.own, *one.other):
            if name not in facts:
                yield f"{where}: no fact {name!r} is declared; {nearest(name, facts)}"


def _band_problems(bands: tuple[MarginBand, ...], outcomes: tuple[str, ...]) -> Iterator[str]:
    spans = [(band.margin_min, band.margin_max) for band in bands]
    yield from span_problems("procedure, band", spans, start=0)
    for number, band in enumerate(bands, start=1):
        if band.outcome is not None and band.outcome not in outcomes:
            where = place("procedure, band", number, span(*spans[number - 1]))
            yield f"{where}: no outcome {band.outcome!r}; {nearest(band.outcome, outcomes)}"
