"""Tiebreakers as declarations: terms, the worth of each, how they reduce, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from ledger.facts.base import Points
from ledger.problems import Phrase, phrase
from ledger.rulesets.outcomes import COLUMNS, Field, Letter
from ledger.rulesets.toml_files import (
    Clause,
    Code,
    Key,
    Line,
    Part,
    both,
    either,
    nearest,
    place,
    twice,
)

Source = Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9-]{0,63}\Z")]
"""A column (points, rounds, a field, a number of the players) or the code of a tiebreaker."""

Ratio = Annotated[str, Meta(pattern=r"\A[0-9]{1,6}/[1-9][0-9]{0,5}\Z")]
"""A fraction as it is written: "1/3"."""

Factor = Annotated[int, Meta(ge=1, le=1_000_000)]
Cuts = Annotated[int, Meta(ge=0, le=100)]
Day = Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]

Kind = Literal["met", "bye", "asked", "won", "lost", "absent"]
"""What a round was to a player.

`met`: a game of two; `bye`: nobody was left to play; `asked`: a bye that was asked for; `won`: the
opponent did not come; `lost`: the player did not; `absent`: not paired at all.
"""

KINDS: tuple[Kind, ...] = ("met", "bye", "asked", "won", "lost", "absent")
WITH_OPPONENT = frozenset(("met", "won", "lost"))
"""The kinds of rounds in which somebody sat opposite, or should have."""


class Cut(Part, frozen=True):
    """How many terms are left out at either end, one after the other.

    The lowest is the least term; by the `source` it is the term of the weakest opponent, the least
    of those. A round of a kind in `first` goes before it, the least of them, where its term is no
    less. The highest are the greatest terms of those that are left.
    """

    low: Cuts = 0
    high: Cuts = 0
    by: Literal["term", "source"] = "term"
    first: tuple[Kind, ...] = ()


class Virtual(Part, frozen=True):
    """An opponent who is made up for rounds that were not played, and what they are worth.

    That is the player's own total of `source`; at most `most` for each round announced, but of a
    match that one side did not come to, with `scheduled`, no more than who was to be met is worth.
    """

    rounds: tuple[Kind, ...]
    source: Source = "points"
    most: Ratio | None = None
    scheduled: bool = False


class Further(Part, frozen=True):
    """What a round adds to the worth of who was met: a field, less another, both times a factor.

    As the stones of a handicap in go: who gave them has them on top of the opponent's score.
    """

    plus: Source
    minus: Source | None = None
    times: Factor = 1


class Trailing(Part, frozen=True):
    """What a round is worth instead, of these kinds and with no others to follow.

    Those in `before` may follow as well.
    """

    rounds: tuple[Kind, ...]
    points: Points
    before: tuple[Kind, ...] = ()


class Where(Part, frozen=True):
    """Which opponents count: whose total, divided as a term is, lies between two fractions."""

    source: Source = "points"
    per: Source | None = None
    scale: Factor = 1
    min: Ratio | None = None
    max: Ratio | None = None


class Tiebreaker(Part, frozen=True):
    """How one tiebreaker is computed, from terms of a player's rounds or of the opponents met.

    A player's value is the total of `source`, divided by the total of `per` times `scale` where
    `per` is given (0 where that is 0), and no less than `floor`. Over `own` rounds that is the
    tiebreaker; over `opponents` each round gives the value of who was met as a term, with what the
    round has `beside` it, `times` what the round gave the player, and the tiebreaker is their sum,
    their mean, or the `performance`: the lowest number whose results against them, as `steps`
    expect them, are no less than what the player had. Over `progress` the terms are the running
    totals after each round. Over `tied` it is how many of those level so far are behind by the
    games among them.

    `rounds`, `records`, `seat` and `worth` say which rounds count. What follows, follows in this
    order: `divide`, `rounding`, `steps`, `plus` and `minus`. The random rank is always the last
    tiebreaker, and not declared (FFG-TIEBREAK-RANDOM).
    """

    code: Code
    name: Line
    clause: Clause
    over: Literal["own", "opponents", "progress", "tied"]
    source: Source
    reduction: Literal["sum", "mean", "performance"]
    per: Source | None = None
    scale: Factor = 1
    floor: Ratio | None = None
    order: Literal["descending", "ascending"] = "descending"
    rounds: tuple[Kind, ...] = ()
    records: tuple[Letter, ...] = ()
    seat: Literal["first", "second"] | None = None
    worth: Points = 0
    times: Source | None = None
    beside: Further | None = None
    where: Where | None = None
    cut: Cut | None = None
    virtual: Virtual | None = None
    trailing: Trailing | None = None
    missing: Literal["decided", "ignored", "void"] = "decided"
    last_drawn: Points | None = None
    divide: Factor = 1
    rounding: Literal["half-up"] | None = None
    steps: Key | None = None
    plus: tuple[Code, ...] = ()
    minus: tuple[Code, ...] = ()
    since: Day | None = None
    until: Day | None = None

    @property
    def least(self) -> Fraction | None:
        """The floor of a term as an exact fraction."""
        return None if self.floor is None else Fraction(self.floor)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of rounds that count; of opponents, where nothing is said, those met."""
        over_all = self.over in {"own", "progress"}
        return self.rounds or (KINDS if over_all else ("met",))

    def with_forfeits(self) -> Tiebreaker:
        """Return it with opponents of forfeits counted as opponents met, none of them made up."""
        if self.over not in {"opponents", "tied"} or "met" not in self.kinds:
            return self
        rounds = tuple(kind for kind in KINDS if kind in self.kinds or kind in WITH_OPPONENT)
        made_up = self.virtual.rounds if self.virtual else ()
        left = tuple(kind for kind in made_up if kind not in WITH_OPPONENT)
        virtual = replace(self.virtual, rounds=left) if self.virtual and left else None
        return replace(self, rounds=rounds, virtual=virtual)

    @property
    def picks(self) -> bool:
        """Whether not every round counts that could."""
        return bool(self.records or self.seat or self.worth) or set(self.kinds) != set(
            KINDS if self.over in {"own", "progress"} else ("met",)
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is a sum or a mean of all own rounds or opponents, and nothing else."""
        further = (self.times, self.where, self.cut, self.virtual, self.trailing, self.steps)
        after = self.beside, self.rounding, self.plus, self.minus, self.last_drawn
        return (
            self.over in {"own", "opponents"}
            and self.divide == 1
            and not (self.picks or any(further) or any(after) or self.last_drawn == 0)
        )

    @property
    def reads(self) -> tuple[str, ...]:
        """Every column and tiebreaker that it is made of."""
        named = (self.source, self.per, self.times, *self.plus, *self.minus)
        inner = (self.where, self.virtual)
        further = (each.source for each in inner if each is not None)
        per = self.where.per if self.where else None
        stones = (self.beside.plus, self.beside.minus) if self.beside else ()
        return tuple(filter(None, (*named, *further, per, *stones)))

    def holds(self, day: str) -> bool:
        """Whether it is in force on a day."""
        return (self.since or "") <= day <= (self.until or "9999-12-31")


class Steps(Part, frozen=True):
    """A table that a number is looked up in: it is worth what the last step at or below it has.

    Before that it is multiplied by `times` and rounded to a whole number, half up. Below the first
    step it is worth the first.
    """

    name: Key
    clause: Clause
    at: tuple[Annotated[int, Meta(ge=-1_000_000, le=1_000_000)], ...]
    values: tuple[Annotated[int, Meta(ge=-1_000_000, le=1_000_000)], ...]
    times: Factor = 1


def whole_numbers(
    tiebreakers: tuple[Tiebreaker, ...], ranked: tuple[Tiebreaker, ...] | None = None
) -> tuple[bool, ...]:
    """Return which of them, or of those ranked by, are always whole: nothing divides them."""
    whole: dict[str, bool] = {}
    for one in tiebreakers:
        most = one.virtual and one.virtual.most
        parted = one.per or one.floor or one.reduction == "mean" or most or one.divide != 1
        made_of = all(whole.get(each, True) for each in (*one.plus, *one.minus))
        whole[one.code] = made_of and (
            one.over == "tied"
            or bool(one.rounding or one.steps)
            or not (parted or not all(whole.get(each, True) for each in one.reads))
        )
    return tuple(whole[one.code] for one in ranked or tiebreakers)


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
) -> Iterator[Phrase]:
    """Yield where a tiebreaker cannot be computed, in any edition of the file."""
    count = len(ranked_by) or len({one.code for one in declared})
    if count > TIEBREAKERS_MAX:
        yield phrase(
            "tiebreakers: at most {most} are allowed, not {count}",
            most=TIEBREAKERS_MAX,
            count=count,
        )
    if len(declared) > DECLARED_MAX:
        yield phrase(
            "tiebreakers: at most {most} can be declared, not {count}",
            most=DECLARED_MAX,
            count=len(declared),
        )
    for number, one in enumerate(declared, start=1):
        if (one.since or "") > (one.until or "9999-12-31"):
            yield phrase(
                "{place}: it ends before it begins", place=place("tiebreakers", number, one.code)
            )
    codes = [one.code for one in declared]
    for code in ranked_by:
        if code not in codes:
            yield phrase(
                "ranked_by: no tiebreaker {code}; {nearest}",
                code=f"{code!r}",
                nearest=nearest(code, codes),
            )
    yield from (phrase("ranked_by: {code} is listed twice", code=code) for code in twice(ranked_by))
    days = {one.since or "" for one in declared}
    found: dict[str, Phrase] = {}
    for day in sorted(days):
        found |= {str(each): each for each in _on(day, declared, known)}
    yield from found.values()
    yield from _step_problems(known.steps)


def _on(day: str, declared: Sequence[Tiebreaker], known: Nameable) -> Iterator[Phrase]:
    """Yield what is wrong with the tiebreakers in force from a day on."""
    numbered = [(at, one) for at, one in enumerate(declared, start=1) if one.holds(day)]
    reads = {one.code: one.reads for _, one in numbered}
    earlier: dict[str, Tiebreaker] = {}
    for number, one in numbered:
        where = place("tiebreakers", number, one.code)
        if one.code in earlier:
            yield phrase("{where}, code: is listed twice", where=where)
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
) -> Iterator[Phrase]:
    summed = one.over in {"own", "progress", "tied"}
    if summed and one.source in reads:
        columns = either(known.columns)
        yield phrase(
            "{where}, source: only a column can be summed over own rounds; use {columns}",
            where=where,
            columns=columns,
        )
    named = [("source", one.source), *(("plus", each) for each in one.plus)]
    named += [("minus", each) for each in one.minus]
    named += [("where", one.where.source)] if one.where else []
    named += [("virtual", one.virtual.source)] if one.virtual else []
    for entry, source in named:
        if entry == "source" and summed and source in reads:
            continue
        if source in earlier and earlier[source].over == "tied":
            yield phrase(
                "{where}, {entry}: {source} only orders tied players and is not a number",
                where=where,
                entry=entry,
                source=source,
            )
        elif source not in earlier and (source not in known.readable or entry in {"plus", "minus"}):
            yield _unreadable(f"{where}, {entry}", one.code, source, earlier, reads, known)


def _unreadable(
    where: str,
    code: str,
    source: str,
    earlier: Mapping[str, Tiebreaker],
    reads: Mapping[str, tuple[str, ...]],
    known: Nameable,
) -> Phrase:
    if source not in reads:
        hint = nearest(source, (*known.readable, *sorted(earlier)))
        return phrase(
            "{where}: {source} is neither a column nor a tiebreaker; {hint}",
            where=where,
            source=f"{source!r}",
            hint=hint,
        )
    if cycle := _cycle(code, source, reads):
        return phrase("{where}: a cycle, {cycle}", where=where, cycle=" from ".join(cycle))
    return phrase("{where}: {source} comes later; move it up", where=where, source=source)


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


def _ratio_problems(where: str, one: Tiebreaker, fields: Sequence[Field]) -> Iterator[Phrase]:
    if one.over == "own" and one.reduction == "mean":
        yield phrase(
            '{where}, reduction: for a mean over own rounds, use "sum" with per = "rounds"',
            where=where,
        )
    if one.per is None and one.scale != 1:
        yield phrase("{where}, scale: not allowed without per", where=where)
    yield from _per_problems(f"{where}, per", one.per, fields)
    if one.where is not None:
        yield from _per_problems(f"{where}, where, per", one.where.per, fields)


def _per_problems(where: str, per: str | None, fields: Sequence[Field]) -> Iterator[Phrase]:
    divisors = {declared.name: declared for declared in fields}
    declared = divisors.get(per or "")
    if per is not None and per not in {"rounds", "held"} and declared is None:
        yield phrase(
            "{where}: {per} cannot be a divisor; {nearest}",
            where=where,
            per=f"{per!r}",
            nearest=nearest(per, ("rounds", *divisors)),
        )
    elif declared is not None and not 0 <= declared.min <= declared.max <= PER_FIELD_MAX:
        yield phrase(
            "{where}: {per} must be from 0 to {most} to be a divisor",
            where=where,
            per=str(per),
            most=PER_FIELD_MAX,
        )


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


def _further_problems(where: str, one: Tiebreaker, known: Nameable) -> Iterator[Phrase]:
    """Yield what cannot go together in one tiebreaker."""
    for entry, over in NEEDS.items():
        if getattr(one, entry) is not None and one.over not in over:
            yield phrase(
                "{where}, {entry}: not allowed over {over}; only over {allowed}",
                where=where,
                entry=entry,
                over=one.over,
                allowed=both(over),
            )
    numbers = (*known.columns, *FURTHER_COLUMNS)
    if one.times is not None and one.times not in numbers:
        yield phrase(
            "{where}, times: {times} is not a column; {nearest}",
            where=where,
            times=f"{one.times!r}",
            nearest=nearest(one.times, numbers),
        )
    yield from _beside_problems(where, one, [declared.name for declared in known.fields])
    if one.over in {"opponents", "tied"} and (without := set(one.rounds) - WITH_OPPONENT):
        yield phrase(
            "{where}, rounds: there is no opponent in {rounds}; see virtual",
            where=where,
            rounds=tuple(sorted(without)),
        )
    if one.virtual and (real := set(one.virtual.rounds) & set(one.kinds)):
        yield phrase(
            "{where}, virtual: {rounds} already has a real opponent",
            where=where,
            rounds=tuple(sorted(real)),
        )
    if one.cut is not None and not (one.cut.low or one.cut.high):
        yield phrase("{where}, cut: cuts nothing; give low or high", where=where)
    if one.reduction == "performance" and not (one.over == "opponents" and one.steps and one.times):
        yield phrase(
            '{where}, reduction: performance needs over = "opponents", steps, times = "points"',
            where=where,
        )
    tables = [each.name for each in known.steps]
    if one.steps is not None and one.steps not in tables:
        yield phrase(
            "{where}, steps: no table {steps}; {nearest}",
            where=where,
            steps=f"{one.steps!r}",
            nearest=nearest(one.steps, tables),
        )


def _beside_problems(where: str, one: Tiebreaker, fields: Sequence[str]) -> Iterator[Phrase]:
    for field in (one.beside.plus, one.beside.minus) if one.beside else ():
        if field is not None and field not in fields:
            yield phrase(
                "{where}, beside: {field} is not a field; {nearest}",
                where=where,
                field=f"{field!r}",
                nearest=nearest(field, fields),
            )


def _step_problems(steps: Sequence[Steps]) -> Iterator[Phrase]:
    yield from (
        phrase("steps: {name} is listed twice", name=name)
        for name in twice(each.name for each in steps)
    )
    for number, one in enumerate(steps, start=1):
        where = place("steps", number, one.name)
        if not one.at or len(one.at) != len(one.values):
            yield (
                phrase(
                    "{where}: at has length {at}, values has length {values}; "
                    "give both the same length",
                    where=where,
                    at=len(one.at),
                    values=len(one.values),
                )
            )
        if any(first >= second for first, second in pairwise(one.at)):
            yield phrase(
                "{where}, at: each number must be greater than the previous one", where=where
            )


def cut_problems(
    tiebreakers: Sequence[Tiebreaker], rounds: int, what: Phrase | str
) -> Iterator[Phrase]:
    """Yield which tiebreakers would cut more terms than there are rounds."""
    for one in tiebreakers:
        cut = one.cut.low + one.cut.high if one.cut else 0
        if rounds and cut > rounds:
            yield phrase(
                "{code} cuts {cut} terms, more than the rounds of {what} ({rounds})",
                code=one.code,
                cut=cut,
                what=what,
                rounds=rounds,
            )
