"""Pictures of answers, as Vega-Lite charts."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.errors import Refused
from projections.season.people.pseudonyms import labels_of
from projections.season.pictures.chart_kinds import KINDS
from projections.season.pictures.chart_parts import Spec, page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from projections.season.questions import Plot, Question

MARKS_MAX = 5_000
"""More rows are no picture."""


def chart(
    question: Question,
    plot: Plot,
    answered: Sequence[Sequence[Any]],
    names: Mapping[str, str] = MappingProxyType({}),
    of: str = "",
) -> Spec:
    """Draw an answer as its question says, with names for pseudonyms where they are known.

    `of` says in words what was looked at, and stands under the title.

    Raises:
        Refused: it has no row, or too many for a picture.
    """
    heads = [each.name for each in question.columns]
    rows = [dict(zip(heads, map(_value, row), strict=True)) for row in answered]
    drawn = [row for row in rows if not plot.value or row[plot.value] is not None]
    if not drawn:
        raise Refused(f"{question.name or question.title}: there is nothing to draw")
    if len(drawn) > MARKS_MAX:
        raise Refused(
            f"{question.name or question.title}: {len(drawn):,} rows are no picture: narrow it down"
        )
    units = {each.name: each.unit for each in question.columns}
    for person in (name for name in heads if units[name] == "person"):
        labels = labels_of((str(row[person]) for row in drawn), names)
        drawn = [{**row, person: labels[str(row[person])]} for row in drawn]
    about = [question.answers, of] if of else [question.answers]
    return page(question.title, about, KINDS[plot.kind](plot, drawn, units))


def _value(value: object) -> object:
    """A value as Vega reads it; a text that is empty says so."""
    if value is None or isinstance(value, int | float):
        return value
    return str(value) or "(none)"
