"""Pictures of answers as Vega-Lite charts, with what is said above them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ledger.errors import Refused
from projections.season.asking.questions import Plot, Question
from projections.season.people.pseudonyms import labels_of
from projections.season.pictures.chart_kinds import KINDS
from projections.season.pictures.frame import FEW, WIDE, Canvas, Rows, Spec, page

MARKS_MAX = 5_000
"""More rows are no picture."""

SHOWN_MAX = {"grid": 20, "lines": 12}
"""How many of the kinds that have a line or a chart of their own are drawn, those of most first."""


class Subject(NamedTuple):
    """How an answer is looked at: names for pseudonyms, what it is of in words, how few is few."""

    names: Mapping[str, str] = MappingProxyType({})
    of: str = ""
    few: int = 0


class Picture(NamedTuple):
    """A chart without its heading, and what is to be said of it."""

    body: Spec
    remarks: list[str]


def chart(
    question: Question,
    plot: Plot,
    answered: Sequence[Sequence[Any]],
    subject: Subject = Subject(),  # noqa: B008 - a tuple
) -> Spec:
    """Draw an answer as its question says, under what it answers; Refused as below."""
    drawn = picture(question, plot, answered, subject)
    about = [question.answers, *([subject.of] if subject.of else []), *drawn.remarks]
    return page(question.title, about, drawn.body, WIDE)


def picture(
    question: Question,
    plot: Plot,
    answered: Sequence[Sequence[Any]],
    subject: Subject,
    canvas: Canvas = WIDE,
) -> Picture:
    """Draw an answer on a canvas.

    Raises:
        Refused: it has no row, or too many for a picture.
    """
    heads = [each.name for each in question.columns]
    rows: Rows = [dict(zip(heads, map(_value, row), strict=True)) for row in answered]
    name = question.name or question.title
    if not any(not plot.value or row[plot.value] is not None for row in rows):
        raise Refused(f"{name}: there is nothing to draw")
    if len(rows) > MARKS_MAX:
        raise Refused(f"{name}: {len(rows):,} rows are no picture: narrow it down")
    if plot.value and plot.kind != "intervals":  # which says of a line that nothing is known
        rows = [row for row in rows if row[plot.value] is not None]
    units = {each.name: each.unit for each in question.columns}
    for person in (name for name in heads if units[name] == "person"):
        labels = labels_of((str(row[person]) for row in rows), subject.names)
        rows = [{**row, person: labels[str(row[person])]} for row in rows]
    few = subject.few if question.minimum else 0
    rows = [{**row, FEW: bool(few) and (row["games"] or 0) < few} for row in rows]
    kept, left_out = _most(plot, rows)
    remarks = [*_remarks(plot, kept, few), *left_out]
    return Picture(KINDS[plot.kind](plot, kept, units, canvas), remarks)


def _most(plot: Plot, rows: Rows) -> tuple[Rows, list[str]]:
    """Keep the rows of those that most is counted of, and say what is left out."""
    most, of = SHOWN_MAX.get(plot.kind), plot.color or plot.y
    if most is None or not plot.counts:
        return rows, []
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        sums[_part(plot, row), str(row[of])] += row[plot.counts[0]] or 0
    ranks: Counter[str] = Counter()
    kept: set[tuple[str, str]] = set()
    for (part, name), _ in sums.most_common():
        ranks[part] += 1
        if ranks[part] <= most:
            kept.add((part, name))
    if len(kept) == len(sums):
        return rows, []
    sides = [of, plot.x] if plot.kind == "grid" else [of]
    some = [
        row for row in rows if all((_part(plot, row), str(row[side])) in kept for side in sides)
    ]
    each = " of each game" if len(ranks) > 1 else ""
    return some, [f"The {most} {of}s{each} with the most {plot.counts[0]}, of {len(sums)}."]


def _part(plot: Plot, row: Mapping[str, Any]) -> str:
    return str(row[plot.facet]) if plot.facet else ""


def _remarks(plot: Plot, rows: Rows, few: int) -> Iterator[str]:
    """Say what its marks mean, of those that are there."""
    if plot.kind == "grid":
        yield "Percent, 95 % interval where it fits, and games; heavy: 50 % is outside of it."
    if plot.kind == "lines" and plot.low:
        partly = any(row[plot.low] is None for row in rows)
        why = ", where there is enough for one" if partly else ""
        yield f"Pale: {plot.between.removeprefix('with ')}{why}."
    if any(row[FEW] for row in rows):
        yield f"Grey: fewer than {few} games."
    known = (row for row in rows if plot.low and row[plot.value] is not None)
    if plot.kind in {"intervals", "diagonal"} and any(row[plot.low] is None for row in known):
        yield "A ring: too few for an interval."


def _value(value: object) -> object:
    """A value as Vega reads it; a text that is empty says so."""
    if value is None or isinstance(value, int | float):
        return value
    return str(value) or "(none)"
