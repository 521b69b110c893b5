"""What is wrong with the tiebreakers of a ruleset, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from ledger.rulesets.outcomes import COLUMNS, Field
from ledger.rulesets.tiebreakers import WITH_OPPONENT, Steps, Tiebreaker
from ledger.rulesets.words import nearest, place, twice

TIEBREAKERS_MAX = 12
"""Tiebreakers that players are ranked by: a mean of means multiplies denominators at each step."""

DECLARED_MAX = 80
"""Tiebreakers in one file, those that are only read or shown among them."""

PER_FIELD_MAX = 20
"""The most that a divisor may count in one match, which keeps common denominators short."""

FURTHER_COLUMNS = ("earned", "begun", "held")
"""Points without those that a player began with, these alone, and the rounds that were held. A
field of such a name goes before them."""


class Nameable(Struct, frozen=True):
    """What a tiebreaker may name: fields, numbers of the players, and tables of steps."""

    fields: Sequence[Field]
    numbers: Sequence[str] = ()
    steps: Sequence[Steps] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """What is summed over rounds."""
        return (*COLUMNS, *(declared.name for declared in self.fields))

    @property
    def readable(self) -> tuple[str, ...]:
        """Every column."""
        return (*self.columns, *self.numbers, *FURTHER_COLUMNS)


def tiebreaker_problems(
    declared: Sequence[Tiebreaker], ranked_by: Sequence[str], known: Nameable
) -> Iterator[str]:
    """Yield where a tiebreaker cannot be computed, in any edition of the file."""
    count = len(ranked_by) or len({one.code for one in declared})
    if count > TIEBREAKERS_MAX:
        yield f"tiebreakers: {count} are more than {TIEBREAKERS_MAX}"
    if len(declared) > DECLARED_MAX:
        yield f"tiebreakers: {len(declared)} are more than {DECLARED_MAX}"
    for number, one in enumerate(declared, start=1):
        if (one.since or "") > (one.until or "9999-12-31"):
            yield f"{place('tiebreakers', number, one.code)}: it ends before it begins"
    codes = [one.code for one in declared]
    for code in ranked_by:
        if code not in codes:
            yield f"ranked_by: no tiebreaker {code!r}; {nearest(code, codes)}"
    yield from (f"ranked_by: {code} is listed twice" for code in twice(ranked_by))
    days = {one.since or "" for one in declared}
    found: dict[str, None] = {}
    for day in sorted(days):
        found |= dict.fromkeys(_on(day, declared, known))
    yield from found
    yield from _step_problems(known.steps)


def _on(day: str, declared: Sequence[Tiebreaker], known: Nameable) -> Iterator[str]:
    """Yield what is wrong with the tiebreakers in force from a day on."""
    numbered = [(at, one) for at, one in enumerate(declared, start=1) if one.holds(day)]
    reads = {one.code: one.reads for _, one in numbered}
    earlier: dict[str, Tiebreaker] = {}
    for number, one in numbered:
        where = place("tiebreakers", number, one.code)
        if one.code in earlier:
            yield f"{where}, code: is listed twice"
        yield from _source_problems(where, one, earlier, reads, known)
        yield from _ratio_problems(where, one, known.fields)
        yield from _further_problems(where, one, known)
        earlier[one.code] = one


def _source_problems(
    where: str,
    one: Tiebreaker,
    earlier: Mapping[str, Tiebreaker],
    reads: Mapping[str, tuple[str, ...]],
    known: Nameable,
) -> Iterator[str]:
    summed = one.over in {"own", "progress", "tied"}
    if summed and one.source in reads:
        columns = " or ".join(known.columns)
        yield f"{where}, source: over own rounds a column is summed; use {columns}"
    named = [("source", one.source), *(("plus", each) for each in one.plus)]
    named += [("minus", each) for each in one.minus]
    named += [("where", one.where.source)] if one.where else []
    named += [("virtual", one.virtual.source)] if one.virtual else []
    for entry, source in named:
        if entry == "source" and summed and source in reads:
            continue
        if source in earlier and earlier[source].over == "tied":
            yield f"{where}, {entry}: {source} orders those who are level; it is no number to use"
        elif source not in earlier and (source not in known.readable or entry in {"plus", "minus"}):
            yield _unreadable(f"{where}, {entry}", one.code, source, earlier, reads, known)


def _unreadable(
    where: str,
    code: str,
    source: str,
    earlier: Mapping[str, Tiebreaker],
    reads: Mapping[str, tuple[str, ...]],
    known: Nameable,
) -> str:
    if source not in reads:
        hint = nearest(source, (*known.readable, *sorted(earlier)))
        return f"{where}: {source!r} is no column and no tiebreaker; {hint}"
    if cycle := _cycle(code, source, reads):
        return f"{where}: a cycle, {' from '.join(cycle)}"
    return f"{where}: {source} comes later; move it up"


def _cycle(code: str, first: str, reads: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The way from a tiebreaker by what it reads back to itself; empty: there is no way."""
    ways = [[code, first]]
    seen = {first}
    while ways:
        way = ways.pop(0)
        if way[-1] == code:
            return way
        for further in reads.get(way[-1], ()):
            if further in reads and further not in seen:
                seen.add(further)
                ways.append([*way, further])
    return []


def _ratio_problems(where: str, one: Tiebreaker, fields: Sequence[Field]) -> Iterator[str]:
    if one.over == "own" and one.reduction == "mean":
        yield f'{where}, reduction: over own rounds use "sum" with per = "rounds" for a mean'
    if one.per is None and one.scale != 1:
        yield f"{where}, scale: has no meaning without per"
    yield from _per_problems(f"{where}, per", one.per, fields)
    if one.where is not None:
        yield from _per_problems(f"{where}, where, per", one.where.per, fields)


def _per_problems(where: str, per: str | None, fields: Sequence[Field]) -> Iterator[str]:
    divisors = {declared.name: declared for declared in fields}
    declared = divisors.get(per or "")
    if per is not None and per not in {"rounds", "held"} and declared is None:
        yield f"{where}: {per!r} is no column to divide by; {nearest(per, ('rounds', *divisors))}"
    elif declared is not None and not 0 <= declared.min <= declared.max <= PER_FIELD_MAX:
        yield f"{where}: {per} must lie in 0 to {PER_FIELD_MAX} to be divided by"


NEEDS = {
    "times": ("opponents",),
    "beside": ("opponents",),
    "where": ("opponents",),
    "virtual": ("opponents",),
    "cut": ("opponents", "progress"),
    "trailing": ("own",),
    "last_drawn": ("own", "opponents"),
    "per": ("own", "opponents"),
    "floor": ("own", "opponents"),
    "steps": ("own", "opponents"),
}
"""Over what each entry says something."""


def _further_problems(where: str, one: Tiebreaker, known: Nameable) -> Iterator[str]:
    """Yield what cannot go together in one tiebreaker."""
    for entry, over in NEEDS.items():
        if getattr(one, entry) is not None and one.over not in over:
            yield f"{where}, {entry}: says nothing over {one.over}; it is for {' and '.join(over)}"
    numbers = (*known.columns, *FURTHER_COLUMNS)
    if one.times is not None and one.times not in numbers:
        yield f"{where}, times: {one.times!r} is no column; {nearest(one.times, numbers)}"
    yield from _beside_problems(where, one, [declared.name for declared in known.fields])
    if one.over in {"opponents", "tied"} and (without := set(one.rounds) - WITH_OPPONENT):
        yield f"{where}, rounds: nobody sat opposite in {', '.join(sorted(without))}; see virtual"
    if one.virtual and (both := set(one.virtual.rounds) & set(one.kinds)):
        yield f"{where}, virtual: {', '.join(sorted(both))} already has a real opponent"
    if one.cut is not None and not (one.cut.low or one.cut.high):
        yield f"{where}, cut: cuts nothing; give low or high"
    if one.reduction == "performance" and not (one.over == "opponents" and one.steps and one.times):
        yield f'{where}, reduction: a performance is over opponents, by steps and times = "points"'
    tables = [each.name for each in known.steps]
    if one.steps is not None and one.steps not in tables:
        yield f"{where}, steps: no table {one.steps!r}; {nearest(one.steps, tables)}"


def _beside_problems(where: str, one: Tiebreaker, fields: Sequence[str]) -> Iterator[str]:
    for field in (one.beside.plus, one.beside.minus) if one.beside else ():
        if field is not None and field not in fields:
            yield f"{where}, beside: {field!r} is no field; {nearest(field, fields)}"


def _step_problems(steps: Sequence[Steps]) -> Iterator[str]:
    yield from (f"steps: {name} is listed twice" for name in twice(each.name for each in steps))
    for number, one in enumerate(steps, start=1):
        where = place("steps", number, one.name)
        if not one.at or len(one.at) != len(one.values):
            yield f"{where}: {len(one.at)} at and {len(one.values)} values; as many of both"
        if any(first >= second for first, second in pairwise(one.at)):
            yield f"{where}, at: each is more than the one before"


def cut_problems(tiebreakers: Sequence[Tiebreaker], rounds: int, what: str) -> Iterator[str]:
    """Yield which tiebreakers would cut more terms than there are rounds."""
    for one in tiebreakers:
        cut = one.cut.low + one.cut.high if one.cut else 0
        if rounds and cut > rounds:
            yield f"{one.code} cuts {cut} terms, of {rounds} rounds of {what}"
