"""The canvas, the frame and the axes of every chart, and several charts next to each other.

Colours are Okabe and Ito's, which colour-blind readers can tell apart, and go from orange to blue
if a middle is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from textwrap import wrap
from typing import Any, NamedTuple

from projections.season.tables.definitions import Plot

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
BLUE, GREY, PALE, GRID = PALETTE[0], "#767676", "#D5DAE0", "#DDDDDD"
INK, PAPER = "#1b1b1b", "#ffffff"
BALANCE = (PALETTE[5], "#F2F2F2", BLUE)
"""From less than half over half to more."""

BETWEEN = 28
"""Pixels between two charts side by side."""

LETTER = 0.58
"""How wide a letter is in the mean, of its height."""

MONTH = len("2026-01")
LINE, NOTE, FEW = "its line", "its note", "is few"
"""What is added to each row: its label, what is counted of it, whether that is too little."""

Spec = dict[str, Any]
Rows = list[dict[str, Any]]
Units = Mapping[str, str]


def in_english(text: str) -> str:
    """Return a text of a picture unchanged."""
    return text


def counted_in_english(count: int, name: str) -> str:
    """Return a count with the name of its column, such as "1,200 games"."""
    return f"{count:,} {name}"


class Canvas(NamedTuple):
    """How wide a picture is, how high its letters are, and how many charts it has side by side."""

    width: int
    letters: int
    across: int
    padding: int = 16
    words: Callable[[str], str] = in_english
    """Callback that returns the name of a column or of an interval in the reader's language."""

    amount: Callable[[int, str], str] = counted_in_english
    """Callback that returns a count with the name of its column."""

    def long(self, texts: Iterable[str]) -> int:
        """How many pixels the longest text takes."""
        return round(max(map(len, texts), default=0) * LETTER * self.letters)

    def part(self, across: int) -> int:
        """How many pixels each of that many charts side by side has."""
        return (self.width - 2 * self.padding - BETWEEN * (across - 1)) // across


WIDE = Canvas(1200, 15, 2)
NARROW = Canvas(358, 12, 1, 2)
"""Of a file of its own, or a page on a desk; of a page on a phone."""


def page(title: str, about: Iterable[str], body: Spec, canvas: Canvas) -> Spec:
    """Put a heading over a chart, if there is one, and one look on everything in it."""
    letters = canvas.letters
    line = int((canvas.width - 4 * canvas.padding) / (LETTER * 0.9 * letters))
    heading = {
        "text": title,
        "subtitle": [part for text in about for part in wrap(text, line)],
        "limit": canvas.width - 2 * canvas.padding,
        "anchor": "start",
        "frame": "bounds",
        "fontSize": letters + 5,
        "subtitleFontSize": letters,
        "subtitlePadding": 4,
        "offset": 18,
    }
    axis = {"labelFontSize": letters, "titleFontSize": letters, "titleFontWeight": 400}
    legend = {"labelFontSize": letters, "titleFontSize": letters, "symbolSize": 140}
    colored = {"labelColor": INK, "titleColor": INK}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": PAPER,
        "padding": canvas.padding,
        **({"title": heading} if title else {}),
        "config": {
            "font": "sans-serif",
            "axis": axis | colored | {"gridColor": GRID},
            "legend": legend | colored,
            "title": {"color": INK, "subtitleColor": INK},
            "text": {"color": INK, "fontSize": letters},
            "range": {"category": list(PALETTE)},
            "view": {"stroke": None},
        },
        **body,
    }


def titled(name: str, unit: str) -> str:
    """Return what an axis is called: what it counts, and in what."""
    words = name.replace("_", " ")
    return f"{words} ({unit})" if unit in {"points", "minutes"} else words


def amounts(name: str, unit: str, scale: Spec | None = None) -> Spec:
    """An axis of amounts."""
    axis: Spec = {"format": "%"} if unit == "share" else {}
    if unit == "count":
        axis = {"format": ",d", "tickMinStep": 1}
    return {
        "field": name,
        "type": "quantitative",
        "title": titled(name, unit),
        "axis": {**axis, "tickCount": 5, "labelFlush": False},
        "scale": scale or {},
    }


def labelled(value: object, name: str) -> str:
    """Return what a line or a column is called; a month by its year and number."""
    return str(value)[:MONTH] if name == "month" else str(value)


def months_between(days: Iterable[str]) -> list[str]:
    """The first day of every month from the first to the last, those without a row among them."""
    months = sorted(days)
    first, last = (int(each[:4]) * 12 + int(each[5:7]) - 1 for each in (months[0], months[-1]))
    return [f"{each // 12:04}-{each % 12 + 1:02}-01" for each in range(first, last + 1)]


def counted(row: Mapping[str, Any], names: Iterable[str]) -> str:
    """Write what is counted of a row."""
    return ", ".join(f"{row[name] or 0:,}" for name in names)


def label_axis(room: int) -> Spec:
    """The axis that names lines, so wide whatever they are called."""
    return {"labelLimit": room - 8, "minExtent": room, "maxExtent": room, "title": None}


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
