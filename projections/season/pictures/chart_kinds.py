"""Every kind of chart, each as a Vega-Lite chart without its heading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby

from projections.season.asking.questions import Plot
from projections.season.pictures.chart_parts import (
    BLUE,
    GREY,
    HEIGHT,
    LETTERS,
    ORANGE,
    PALE,
    PALETTE,
    ROW,
    WIDTH,
    Rows,
    Spec,
    amounts,
    facets,
    lines,
    titled,
)


def _intervals(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    where = amounts(plot.value, units[plot.value], {"zero": False, "nice": True})
    where["title"] += f", {plot.between}"
    if plot.also:
        rows = [{**row, plot.y: f"{row[plot.y]}, {plot.also} {row[plot.also]}"} for row in rows]
    line = lines(plot.y, units[plot.y])
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": BLUE},
            "encoding": {"y": line, "x": {**where, "field": plot.low}, "x2": {"field": plot.high}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": BLUE},
            "encoding": {"y": line, "x": where},
        },
    ]
    if plot.middle is not None:
        even = {"mark": {"type": "rule", "strokeDash": [4, 4], "color": GREY}}
        layers.append({**even, "encoding": {"x": {"datum": plot.middle}}})
    return facets(plot, rows, {"height": {"step": ROW}, "layer": layers})


def _grid(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    order = sorted({row[side] for row in rows for side in (plot.x, plot.y)})
    cell = {
        "x": {**lines(plot.x, "text"), "title": plot.x, "axis": {"labelAngle": -40}},
        "y": {**lines(plot.y, "text"), "title": plot.y},
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
    return facets(plot, rows, {"height": {"step": ROW + 4}, "layer": layers}, "independent")


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
    amount = amounts("count", "share")
    return {
        "data": {"values": _parts(plot, rows, plot.y)},
        "width": WIDTH,
        "height": {"step": ROW + 8},
        "mark": {"type": "bar", "stroke": "white"},
        "encoding": {
            "y": lines(plot.y, units[plot.y]),
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
    along = lines(plot.x, units[plot.x])
    return {
        "data": {"values": summed},
        "width": WIDTH,
        "height": HEIGHT,
        "mark": {"type": "bar", "stroke": "white"},
        "encoding": {
            "x": {**along, "axis": {**along["axis"], "labelAngle": -40}},
            "y": {**amounts("count", "count"), "title": "entries"},
            "color": _part_color(plot),
            "order": {"field": "order"},
        },
    }


def _bars(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    amount = {**amounts(plot.value, units[plot.value]), "aggregate": "sum"}
    encoding = {"y": lines(plot.y, units[plot.y]), "x": amount}
    mark = {"type": "bar", "color": BLUE, "stroke": "white"}
    return facets(plot, rows, {"height": {"step": ROW}, "mark": mark, "encoding": encoding})


def _trends(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    color = {"field": plot.color, "type": "nominal", "title": titled(plot.color, "")}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": HEIGHT,
        "encoding": {
            "x": {**lines(plot.x, units[plot.x]), "axis": {"labelAngle": 0}},
            "y": amounts(plot.value, units[plot.value]),
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
        name: amounts(column, units[column], {"domain": [0, 1]})
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


KINDS: Mapping[str, Callable[[Plot, Rows, Mapping[str, str]], Spec]] = {
    "intervals": _intervals,
    "grid": _grid,
    "stack": _stack,
    "columns": _columns,
    "bars": _bars,
    "lines": _trends,
    "diagonal": _diagonal,
}
"""What draws rows, by the kind of their plot; handed the unit of each column."""
