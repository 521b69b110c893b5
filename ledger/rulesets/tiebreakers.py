"""Tiebreakers as declarations: which terms there are, what each is worth, and how they reduce."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ledger.events.base import Points
from ledger.rulesets.outcomes import Letter
from ledger.rulesets.words import Clause, Code, Key, Line, Part

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
