"""Tiebreakers as declarations: what is summed, over whom, and which end of the order is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from ledger.rulesets.outcomes import COLUMNS, Field
from ledger.rulesets.words import Clause, Code, Line, Part, nearest, place

TIEBREAKERS_MAX = 12
"""Tiebreakers in one ruleset: a mean of means multiplies denominators at each step."""

PER_FIELD_MAX = 20
"""The most that a divisor may count in one match, which keeps common denominators short."""

Source = Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9-]{0,63}\Z")]
"""A column (points, rounds, a declared field) or the code of an earlier tiebreaker."""


class Tiebreaker(Part, frozen=True):
    """How one tiebreaker is computed from a player's own rounds, or over the opponents met.

    A player's term is the total of `source`, divided by the total of `per` times `scale` where
    `per` is given (0 where that is 0), and no less than `floor`. Over `own` rounds the term is
    the tiebreaker; over `opponents` it is the sum or the mean of their terms, an opponent met
    twice counted twice, and 0 without any. The random rank is always the last, and not declared
    (FFG-TIEBREAK-RANDOM).
    """

    code: Code
    name: Line
    clause: Clause
    over: Literal["own", "opponents"]
    source: Source
    reduction: Literal["sum", "mean"]
    per: Source | None = None
    scale: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    floor: Annotated[str, Meta(pattern=r"\A[0-9]{1,6}/[1-9][0-9]{0,5}\Z")] | None = None
    order: Literal["descending", "ascending"] = "descending"

    @property
    def least(self) -> Fraction | None:
        """The floor of a term as an exact fraction."""
        return None if self.floor is None else Fraction(self.floor)


def whole_numbers(tiebreakers: tuple[Tiebreaker, ...]) -> tuple[bool, ...]:
    """Return which are always whole: sums of whole numbers that nothing divides."""
    whole: dict[str, bool] = {}
    for one in tiebreakers:
        divided = one.per or one.floor or one.reduction == "mean"
        whole[one.code] = not divided and whole.get(one.source, True)
    return tuple(whole.values())


def tiebreaker_problems(
    tiebreakers: tuple[Tiebreaker, ...], fields: tuple[Field, ...]
) -> Iterator[str]:
    """Yield where a tiebreaker's code, source or reduction cannot be used."""
    if len(tiebreakers) > TIEBREAKERS_MAX:
        yield f"tiebreakers: {len(tiebreakers)} are more than {TIEBREAKERS_MAX}"
    sources = {one.code: one.source for one in tiebreakers}
    columns = (*COLUMNS, *(declared.name for declared in fields))
    earlier: set[str] = set()
    for number, one in enumerate(tiebreakers, start=1):
        where = place("tiebreakers", number, one.code)
        if one.code in earlier:
            yield f"{where}, code: is listed twice"
        yield from _source_problems(where, one, earlier, sources, *columns)
        yield from _ratio_problems(where, one, fields)
        earlier.add(one.code)


def _source_problems(
    where: str, one: Tiebreaker, earlier: set[str], sources: Mapping[str, str], *columns: str
) -> Iterator[str]:
    if one.over == "own" and one.source in sources:
        yield f"{where}, source: over own rounds a column is summed; use {' or '.join(columns)}"
    elif one.source in columns or one.source in earlier:
        return
    elif one.source not in sources:
        known = nearest(one.source, (*columns, *sorted(earlier)))
        yield f"{where}, source: {one.source!r} is no column and no tiebreaker; {known}"
    elif cycle := _cycle(one.code, sources):
        yield f"{where}, source: a cycle, {' from '.join(cycle)}"
    else:
        yield f"{where}, source: {one.source} comes later; move it up"


def _cycle(code: str, sources: Mapping[str, str]) -> list[str]:
    path = [code]
    while (following := sources.get(path[-1])) is not None and following not in path:
        path.append(following)
    return [*path, code] if following == code else []


def _ratio_problems(where: str, one: Tiebreaker, fields: tuple[Field, ...]) -> Iterator[str]:
    if one.over == "own" and one.reduction == "mean":
        yield f'{where}, reduction: over own rounds use "sum" with per = "rounds" for a mean'
    if one.per is None:
        if one.scale != 1:
            yield f"{where}, scale: has no meaning without per"
        return
    divisors = {declared.name: declared for declared in fields}
    declared = divisors.get(one.per)
    if one.per != "rounds" and declared is None:
        known = nearest(one.per, ("rounds", *divisors))
        yield f"{where}, per: {one.per!r} is no column to divide by; {known}"
    elif declared is not None and not 0 <= declared.min <= declared.max <= PER_FIELD_MAX:
        yield f"{where}, per: {one.per} must lie in 0 to {PER_FIELD_MAX} to be divided by"
