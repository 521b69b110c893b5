"""What a match can end in and what that is worth, as a ruleset declares it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import field

from ledger.facts.base import Points, Whole
from ledger.problems import Phrase, marked, phrase
from ledger.rulesets.toml_files import Clause, Key, Line, Name, Part, Word, nearest, place

Letter = Literal["W", "L", "D"]

COLUMNS = ("points", "rounds")
"""The columns that every ruleset has: no field can have their names."""

_SAID = re.compile(r"(?P<whole>[0-9]{1,7})?(?P<half>½|[.,][05])?")
"""Points as people say them: 2, 2½, ½, 2.5."""

OPPOSITE: dict[Letter, Letter] = {"W": "L", "L": "W", "D": "D"}


class Scoring(Part, frozen=True):
    """Where a side's points come from.

    `outcome`: the table reports an outcome, which is worth its points. `reported`: the table
    reports each side's points, from `points_min` to `points_max`, and more points are the win.
    `derived`: the procedure gives them by its bands, for all but a draw.
    """

    kind: Literal["outcome", "reported", "derived"]
    clause: Clause
    points_min: Points = 0
    points_max: Points = 0
    halves: bool = False
    """Whether points are counted in halves: what the file has as 2 is typed and shown as 1."""

    @property
    def scale(self) -> int:
        """How many of what the file counts in make one point as people say it."""
        return 2 if self.halves else 1

    def counted(self, text: str) -> int | None:
        """Return points that people say, as 2½ or 2.5, as the file counts; None for no such."""
        found = _SAID.fullmatch(text)
        if not text or found is None or (found["half"] and not self.halves):
            return None
        return int(found["whole"] or 0) * self.scale + (found["half"] in {"½", ".5", ",5"})

    def shown(self, points: int) -> str:
        """Say points as people do: 5 halves are 2½."""
        return in_points(points, self.scale)


def in_points(counted: int, scale: int) -> str:
    """Say points as people do, by how many make one: 5 halves are 2½."""
    whole, rest = divmod(abs(counted), scale)
    sign, half = "-" if counted < 0 else "", "½" if rest else ""
    return f"{sign}{whole or ('' if rest else 0)}{half}"


class Outcome(Part, frozen=True):
    """How a match ended for one side, and what the other side then has.

    `advances` says who goes on in an elimination. `points` are absent where they are reported.
    `ending` is the only one that it follows from, where a result may be reported without one.
    """

    name: Name
    against: Name
    record: Letter
    clause: Clause
    points: Points | None = None
    advances: bool = False
    typed: tuple[Word, ...] = ()
    ending: Name | None = None


class Field(Part, frozen=True):
    """A further number that the table reports for each side, between a least and a most.

    What is `before` play, as a handicap, is nothing that a game can end in.
    """

    name: Key
    min: Whole
    max: Whole
    meaning: Line
    clause: Clause
    before: bool = False


class Worth(Part, frozen=True):
    """What a round is worth that was not played: points, and fields other than 0."""

    points: Points
    clause: Clause
    fields: dict[Key, Whole] = field(default_factory=dict)

    def field_problems(self, table: str, fields: tuple[Field, ...]) -> Iterator[Phrase]:
        """Yield where it has a field that is not declared, or out of range."""
        ranges = {declared.name: declared for declared in fields}
        for name, value in self.fields.items():
            declared = ranges.get(name)
            if declared is None:
                yield phrase(
                    "{table}, fields: no field {name} is declared; {nearest}",
                    table=table,
                    name=f"{name!r}",
                    nearest=nearest(name, ranges),
                )
            elif not declared.min <= value <= declared.max:
                yield phrase(
                    "{table}, fields: {name} must be from {min} to {max}, not {value}",
                    table=table,
                    name=name,
                    min=declared.min,
                    max=declared.max,
                    value=value,
                )


class ForfeitWorth(Part, frozen=True):
    """Points, and fields other than 0, that a side has of a match that was not played."""

    points: Points
    fields: dict[Key, Whole] = field(default_factory=dict)


class Forfeit(Part, frozen=True):
    """What a match counts for that was not played because a side did not come.

    What is left out is as it is without the section: `absent` a round that was missed, `present`
    the bye of the round. With `met` the opponent of a forfeit is an opponent for tiebreakers.
    """

    clause: Clause
    absent: ForfeitWorth | None = None
    present: ForfeitWorth | None = None
    met: bool = False

    def worth(self, *, is_absent: bool) -> Worth | None:
        """Return what a side has of a forfeit, or None if the section leaves it out."""
        given = self.absent if is_absent else self.present
        return Worth(given.points, self.clause, given.fields) if given else None

    def worth_problems(self, fields: tuple[Field, ...]) -> Iterator[Phrase]:
        """Yield where it declares nothing, or has a field that is not declared or out of range."""
        if self.absent is None and self.present is None and not self.met:
            yield phrase("forfeit: declares nothing; give absent, present or met = true")
        for name, is_absent in (("absent", True), ("present", False)):
            if worth := self.worth(is_absent=is_absent):
                yield from worth.field_problems(f"forfeit.{name}", fields)


class NamedBye(Worth, frozen=True, kw_only=True):
    """A bye that is not the round's: half a point for who asked for it, or a full one as a prize.

    Of kind `asked` it is a round that the player chose not to play.
    """

    name: Name
    kind: Literal["asked", "bye"] = "asked"


def outcome_problems(
    scoring: Scoring, outcomes: tuple[Outcome, ...], fields: tuple[Field, ...]
) -> Iterator[Phrase]:
    """Yield where scoring, outcomes and fields contradict each other."""
    yield from _scoring_problems(scoring, outcomes)
    yield from _word_problems(outcomes)
    yield from _field_problems(fields)


def _scoring_problems(scoring: Scoring, outcomes: tuple[Outcome, ...]) -> Iterator[Phrase]:
    """Yield where the way of scoring and the outcomes do not fit together."""
    reported = scoring.kind == "reported"
    if reported and scoring.points_min >= scoring.points_max:
        yield phrase("scoring: points_max must be more than points_min")
    if not reported and scoring.points_max:
        yield phrase('scoring: points_min and points_max need kind = "reported"')
    for number, outcome in enumerate(outcomes, start=1):
        where = place("outcomes", number, outcome.name)
        derived = scoring.kind == "derived" and outcome.record != "D"
        if (reported or derived) and outcome.points is not None:
            reports = marked("{where}: has points, but the table reports them; omit them")
            gives = marked("{where}: has points, but the procedure gives them; omit them")
            yield phrase(reports if reported else gives, where=where)
        if not (reported or derived) and outcome.points is None:
            yield phrase("{where}: points are missing", where=where)
    letters = Counter(outcome.record for outcome in outcomes)
    if reported and (letters["W"], letters["L"]) != (1, 1):
        yield phrase("outcomes: reported points need exactly one outcome of record W and one of L")
    if reported and letters["D"] > 1:
        yield phrase("outcomes: reported points can have at most one outcome of record D")


def _word_problems(outcomes: tuple[Outcome, ...]) -> Iterator[Phrase]:
    """Yield where outcomes share a word, or are no pairs of two sides."""
    if not any(outcome.record == "W" and outcome.advances for outcome in outcomes):
        yield phrase("outcomes: no outcome of record W advances, so an elimination could never end")
    by_name = {outcome.name: outcome for outcome in outcomes}
    words: dict[str, str] = {}
    for number, outcome in enumerate(outcomes, start=1):
        where = place("outcomes", number, outcome.name)
        for word in (outcome.name, *outcome.typed):
            if word in words:
                yield phrase(
                    "{where}: {word} already means {outcome}",
                    where=where,
                    word=f"{word!r}",
                    outcome=words[word],
                )
            words.setdefault(word, outcome.name)
        yield from _pair_problems(where, outcome, by_name)


def _pair_problems(where: str, outcome: Outcome, by_name: dict[str, Outcome]) -> Iterator[Phrase]:
    other = by_name.get(outcome.against)
    if other is None:
        hint = nearest(outcome.against, by_name)
        yield phrase(
            "{where}, against: no outcome {against}; {known}",
            where=where,
            against=f"{outcome.against!r}",
            known=hint,
        )
        return
    if other.against != outcome.name:
        yield phrase(
            "{where}, against: {name} must name {outcome}, not {against}",
            where=where,
            name=other.name,
            outcome=f"{outcome.name!r}",
            against=f"{other.against!r}",
        )
    if other.record != OPPOSITE[outcome.record]:
        yield phrase(
            "{where}, record: {record} cannot go with {other}",
            where=where,
            record=outcome.record,
            other=other.record,
        )
    if outcome.advances and other.advances:
        yield phrase("{where}, advances: both sides of the match would advance", where=where)


def _field_problems(fields: tuple[Field, ...]) -> Iterator[Phrase]:
    """Yield where fields have one name, a reserved name or an empty range."""
    taken = set(COLUMNS)
    for number, declared in enumerate(fields, start=1):
        where = place("fields", number, declared.name)
        if declared.name in taken:
            yield phrase("{where}: the name is taken", where=where)
        taken.add(declared.name)
        if declared.min > declared.max:
            yield phrase(
                "{where}: min {min} is more than max {max}",
                where=where,
                min=declared.min,
                max=declared.max,
            )
