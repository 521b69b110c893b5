"""Pictures of answers, as Vega-Lite charts.

Colours are Okabe and Ito's, which colour-blind readers can tell apart, and go from orange to blue
where a middle is meant.
"""

from __future__ import annotations

from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.errors import Refused
from projections.season.people.pseudonyms import labels_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from projections.season.questions import Plot, Question

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
BLUE, GREY, PALE, ORANGE = PALETTE[0], "#767676", "#F2F2F2", PALETTE[5]
WIDTH = 560
"""Of one chart without its labels, in pixels: with them it stays within 800."""

WIDEST = 760
"""How long a line of the heading may be."""

HALF = 250
"""Of each of two charts side by side."""

LABEL, LABEL_BESIDE = 150, 96
"""How long a label of an axis may be, in one chart and in each of two."""

ROW = 22
"""The height of one line of a chart with a line for each category."""

HEIGHT = 300
LETTERS = 13
MARKS_MAX = 5_000
"""More rows are no picture."""

Spec = dict[str, Any]
Rows = list[dict[str, Any]]


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
    told = [question.answers, of] if of else [question.answers]
    return page(question.title, told, _KINDS[plot.kind](plot, drawn, units))


def page(title: str, about: Sequence[str], body: Spec) -> Spec:
    """Put a heading over a chart, and one look on everything in it."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "padding": 16,
        "title": {
            "text": title,
            "subtitle": list(about),
            "limit": WIDEST,
            "anchor": "start",
            "frame": "group",
            "fontSize": LETTERS + 5,
            "subtitleFontSize": LETTERS,
            "subtitlePadding": 4,
            "offset": 14,
        },
        "config": {
            "font": "sans-serif",
            "axis": {
                "labelFontSize": LETTERS,
                "labelLimit": LABEL_BESIDE if "concat" in body else LABEL,
                "titleFontSize": LETTERS,
                "titleFontWeight": 400,
            },
            "legend": {"labelFontSize": LETTERS, "titleFontSize": LETTERS, "symbolSize": 140},
            "range": {"category": list(PALETTE)},
            "view": {"stroke": None},
        },
        **body,
    }


def titled(name: str, unit: str) -> str:
    """Return what an axis is called: what it counts, and in what."""
    words = name.replace("_", " ")
    return f"{words} ({unit})" if unit in {"points", "minutes"} else words


def _value(value: object) -> object:
    """A value as Vega reads it; a text that is empty says so."""
    if value is None or isinstance(value, int | float):
        return value
    return str(value) or "(none)"


def _facets(plot: Plot, rows: Rows, layers: Spec, along: str = "shared") -> Spec:
    """One chart for each value of the facet, two side by side; one chart where there is but one.

    `along`: whether amounts have one scale in all of them.
    """
    heads = sorted({row[plot.facet] for row in rows}) if plot.facet else []
    if len(heads) < 2:  # noqa: PLR2004 - a chart alone needs no others beside it
        return {"data": {"values": rows}, "width": WIDTH, **layers}
    charts = [
        {
            "title": {"text": head, "fontSize": LETTERS + 1},
            "data": {"values": [row for row in rows if row[plot.facet] == head]},
            "width": HALF,
            **layers,
        }
        for head in heads
    ]
    return {"concat": charts, "columns": 2, "resolve": {"scale": {"x": along}}}


def _amounts(name: str, unit: str, scale: Spec | None = None) -> Spec:
    """An axis of amounts."""
    axis: Spec = {"format": "%"} if unit == "share" else {}
    if unit == "count":
        axis = {"format": ",d", "tickMinStep": 1}
    return {
        "field": name,
        "type": "quantitative",
        "title": titled(name, unit),
        "axis": {**axis, "tickCount": 5, "gridColor": "#DDDDDD", "labelFlush": False},
        "scale": scale or {},
    }


def _lines(name: str, unit: str) -> Spec:
    """An axis with a line for each category."""
    kind = "ordinal" if unit in {"count", "day"} else "nominal"
    month = name == "month"  # a month is told by its first day
    label = {"labelExpr": "slice(datum.value, 0, 7)"} if month else {}
    return {
        "field": name,
        "type": kind,
        "title": titled(name, unit) if kind == "ordinal" else None,
        "sort": None,
        "axis": label,
    }


def _intervals(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    where = _amounts(plot.value, units[plot.value], {"zero": False, "nice": True})
    where["title"] += f", {plot.between}"
    if plot.also:
        rows = [{**row, plot.y: f"{row[plot.y]}, {plot.also} {row[plot.also]}"} for row in rows]
    line = _lines(plot.y, units[plot.y])
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": BLUE},
            "encoding": {
                "y": line,
                "x": {**where, "field": plot.low},
                "x2": {"field": plot.high},
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": BLUE},
            "encoding": {"y": line, "x": where},
        },
    ]
    if plot.middle is not None:
        even = {"mark": {"type": "rule", "strokeDash": [4, 4], "color": GREY}}
        layers.append({**even, "encoding": {"x": {"datum": plot.middle}}})
    return _facets(plot, rows, {"height": {"step": ROW}, "layer": layers})


def _grid(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    order = sorted({row[side] for row in rows for side in (plot.x, plot.y)})
    cell = {
        "x": {**_lines(plot.x, "text"), "title": plot.x, "axis": {"labelAngle": -40}},
        "y": {**_lines(plot.y, "text"), "title": plot.y},
    }
    cell = {side: {**axis, "sort": order} for side, axis in cell.items()}
    color = {
        "field": plot.value,
        "type": "quantitative",
        "title": titled(plot.value, units[plot.value]),
        "scale": {"domain": [0, 0.5, 1], "range": [ORANGE, PALE, BLUE], "clamp": True},
        "legend": {"format": "%", "orient": "bottom"},
    }
    rows = [{**row, "percent": f"{100 * row[plot.value]:.0f}"} for row in rows]
    far = f"abs(datum.{plot.value} - 0.5) > 0.4"
    layers = [
        {"mark": {"type": "rect", "stroke": "white"}, "encoding": {**cell, "color": color}},
        {
            "mark": {"type": "text", "fontSize": LETTERS - 2},
            "encoding": {
                **cell,
                "text": {"field": "percent", "type": "nominal"},
                "color": {"condition": {"test": far, "value": "white"}, "value": "black"},
            },
        },
    ]
    return _facets(plot, rows, {"height": {"step": ROW + 4}, "layer": layers}, "independent")


def _parts(plot: Plot, rows: Rows, along: str) -> Rows:
    """One row for each part that a bar is made of, in the order of the parts."""
    return [
        {along: row[along], "part": part.replace("_", " "), "count": row[part], "order": order}
        for row in rows
        for order, part in enumerate(plot.parts)
    ]


def _part_color(plot: Plot) -> Spec:
    order = [part.replace("_", " ") for part in plot.parts]
    return {
        "field": "part",
        "type": "nominal",
        "title": None,
        "sort": order,
        "scale": {"domain": order, "range": list(PALETTE[: len(order)])},
        "legend": {"orient": "top"},
    }


def _stack(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    amount = _amounts("count", "share")
    return {
        "data": {"values": _parts(plot, rows, plot.y)},
        "width": WIDTH,
        "height": {"step": ROW + 8},
        "mark": {"type": "bar", "stroke": "white"},
        "encoding": {
            "y": _lines(plot.y, units[plot.y]),
            "x": {**amount, "stack": "normalize", "title": "share of games"},
            "color": _part_color(plot),
            "order": {"field": "order"},
        },
    }


def _columns(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    summed = [
        {**each, "count": sum(part["count"] for part in parts)}
        for _, group in groupby(
            sorted(_parts(plot, rows, plot.x), key=lambda row: (row[plot.x], row["order"])),
            key=lambda row: (row[plot.x], row["order"]),
        )
        for parts in [list(group)]
        for each in parts[:1]
    ]
    along = _lines(plot.x, units[plot.x])
    return {
        "data": {"values": summed},
        "width": WIDTH,
        "height": HEIGHT,
        "mark": {"type": "bar", "stroke": "white"},
        "encoding": {
            "x": {**along, "axis": {**along["axis"], "labelAngle": -40}},
            "y": {**_amounts("count", "count"), "title": "entries"},
            "color": _part_color(plot),
            "order": {"field": "order"},
        },
    }


def _bars(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    amount = {**_amounts(plot.value, units[plot.value]), "aggregate": "sum"}
    encoding = {"y": _lines(plot.y, units[plot.y]), "x": amount}
    mark = {"type": "bar", "color": BLUE, "stroke": "white"}
    return _facets(plot, rows, {"height": {"step": ROW}, "mark": mark, "encoding": encoding})


def _trends(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    color = {"field": plot.color, "type": "nominal", "title": titled(plot.color, "")}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": HEIGHT,
        "encoding": {
            "x": {**_lines(plot.x, units[plot.x]), "axis": {"labelAngle": 0}},
            "y": _amounts(plot.value, units[plot.value]),
            "color": color,
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}},
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": {"shape": color},
            },
        ],
    }


def _diagonal(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    """What was foretold against what came; on the line, both are equal."""
    ends = [{plot.x: 0, plot.value: 0}, {plot.x: 1, plot.value: 1}]
    encoding = {
        name: _amounts(column, units[column], {"domain": [0, 1]})
        for name, column in (("x", plot.x), ("y", plot.value))
    }
    size = {"field": plot.also, "type": "quantitative", "title": titled(plot.also, "")}
    return {
        "width": HEIGHT + HEIGHT // 3,
        "height": HEIGHT + HEIGHT // 3,
        "layer": [
            {
                "data": {"values": ends},
                "mark": {"type": "line", "strokeDash": [4, 4], "color": GREY},
                "encoding": encoding,
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "opacity": 1, "color": BLUE},
                "encoding": {**encoding, "size": {**size, "scale": {"rangeMin": 40}}},
            },
        ],
    }


_KINDS: Mapping[str, Callable[[Plot, Rows, Mapping[str, str]], Spec]] = {
    "intervals": _intervals,
    "grid": _grid,
    "stack": _stack,
    "columns": _columns,
    "bars": _bars,
    "lines": _trends,
    "diagonal": _diagonal,
}
