"""Several charts side by side: one for each value of the facet, all in one width."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from projections.season.asking.questions import Plot
from projections.season.pictures.frame import BETWEEN, GREY, INK, LINE, NOTE, Canvas, Rows, Spec

LABEL_SHARE = 0.34
"""How much of a chart's width the names of its lines have at most."""

NOTE_GAP = 10


class ChartWidths(NamedTuple):
    """The pixels of one chart: for the names of its lines, for marks, for what is counted."""

    label: int
    marks: int
    note: int


def room_in(canvas: Canvas, across: int, labels: list[str], notes: list[str]) -> ChartWidths:
    """Share out the width of a chart."""
    whole = canvas.part(across)
    label = min(canvas.long(labels) + 14, round(whole * LABEL_SHARE))
    note = canvas.long(notes) + NOTE_GAP if any(notes) else 0
    return ChartWidths(label, whole - label - note, note)


def notes_beside(heading: str, marks: int, data: Spec) -> list[Spec]:
    """Write what each line rests on beside it, that many pixels on, under what that is.

    `data` are the rows with their notes, where the chart's own are others.
    """
    if not heading:
        return []
    mark = {"type": "text", "align": "left", "baseline": "middle"}
    beyond = {"value": marks + NOTE_GAP}
    line = {"field": LINE, "type": "nominal", "sort": None}
    text = {"field": NOTE}
    return [
        {**data, "mark": mark, "encoding": {"x": beyond, "y": line, "text": text}},
        {
            "data": {"values": [{NOTE: heading}]},
            "mark": {**mark, "color": GREY},
            "encoding": {"x": beyond, "y": {"value": -10}, "text": text},
        },
    ]


def parts_of(plot: Plot, rows: Rows) -> list[tuple[str, Rows]]:
    """Split the rows by the facet; one part without a name where there is but one value."""
    heads = sorted({str(row[plot.facet]) for row in rows}) if plot.facet else []
    if len(heads) < 2:  # noqa: PLR2004 - a chart alone needs no heading
        return [("", rows)]
    return [(head, [row for row in rows if str(row[plot.facet]) == head]) for head in heads]


def beside(
    parts: list[tuple[str, Rows]],
    across: int,
    canvas: Canvas,
    drawn: Callable[[Rows], Spec],
    resolve: Spec | None = None,
) -> Spec:
    """Draw each part, that many of them side by side."""
    charts = []
    for head, rows in parts:
        chart = drawn(rows)
        if head:
            limit = canvas.part(across) - BETWEEN
            looks = {"fontSize": canvas.letters + 1, "limit": limit, "color": INK}
            chart = {"title": {"text": head, "anchor": "start", **looks}, **chart}
        charts.append(chart)
    if len(charts) == 1 and "title" not in charts[0]:  # else its heading would be the page's
        return charts[0]
    return {
        "concat": charts,
        "columns": across,
        "spacing": BETWEEN,
        "resolve": resolve or {"scale": {}},
    }
