"""Every kind of chart, each as a Vega-Lite chart without its heading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from projections.season.asking.questions import Plot
from projections.season.pictures import frame
from projections.season.pictures.frame import Rows, Spec, alone, amounts, facets, lines, titled


def _point(**looks: object) -> Spec:
    return {"type": "point", "filled": True, **looks}


def _intervals(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    where = amounts(plot.value, units[plot.value], {"zero": False, "nice": True})
    where["title"] += f", {plot.between}"
    if plot.also:
        rows = [{**row, plot.y: f"{row[plot.y]}, {plot.also} {row[plot.also]}"} for row in rows]
    line = lines(plot.y, units[plot.y])
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": frame.BLUE},
            "encoding": {"y": line, "x": {**where, "field": plot.low}, "x2": {"field": plot.high}},
        },
        {"mark": _point(size=70, opacity=1, color=frame.BLUE), "encoding": {"y": line, "x": where}},
    ]
    if plot.middle is not None:
        even = {"mark": {"type": "rule", "strokeDash": [4, 4], "color": frame.GREY}}
        layers.append({**even, "encoding": {"x": {"datum": plot.middle}}})
    return facets(plot, rows, {"height": {"step": frame.ROW}, "layer": layers})


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
        "scale": {"domain": [0, 0.5, 1], "range": list(frame.BALANCE), "clamp": True},
        "legend": {"format": "%", "orient": "bottom"},
    }
    rows = [{**row, "percent": f"{100 * row[plot.value]:.0f}"} for row in rows]
    far = f"abs(datum.{plot.value} - 0.5) > 0.4"
    layers = [
        {"mark": {"type": "rect", "stroke": "white"}, "encoding": {**cell, "color": color}},
        {
            "mark": {"type": "text", "fontSize": frame.LETTERS - 2},
            "encoding": {
                **cell,
                "text": {"field": "percent", "type": "nominal"},
                "color": {"condition": {"test": far, "value": "white"}, "value": "black"},
            },
        },
    ]
    return facets(plot, rows, {"height": {"step": frame.ROW + 4}, "layer": layers}, "independent")


def _parts(plot: Plot, rows: Rows, along: str) -> Rows:
    """One row for each part that a bar is made of, in the order of the parts."""
    return [
        {along: row[along], "part": part.replace("_", " "), "count": row[part], "order": order}
        for row in rows
        for order, part in enumerate(plot.parts)
    ]


def _in_parts(plot: Plot, parts: Rows, axes: Spec, height: int | Spec) -> Spec:
    """Bars made of parts, each part in its colour."""
    order = [part.replace("_", " ") for part in plot.parts]
    color = {
        "field": "part",
        "type": "nominal",
        "title": None,
        "sort": order,
        "scale": {"domain": order, "range": list(frame.PALETTE[: len(order)])},
        "legend": {"orient": "top"},
    }
    mark = {"type": "bar", "stroke": "white"}
    encoding = {**axes, "color": color, "order": {"field": "order"}}
    return alone(parts, {"height": height, "mark": mark, "encoding": encoding})


def _stack(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    axes = {
        "y": lines(plot.y, units[plot.y]),
        "x": {**amounts("count", "share"), "stack": "normalize", "title": "share of games"},
    }
    return _in_parts(plot, _parts(plot, rows, plot.y), axes, {"step": frame.ROW + 8})


def _columns(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    summed: dict[tuple[Any, int], dict[str, Any]] = {}
    for part in _parts(plot, rows, plot.x):
        summed.setdefault((part[plot.x], part["order"]), {**part, "count": 0})["count"] += part[
            "count"
        ]
    along = lines(plot.x, units[plot.x])
    axes = {
        "x": {**along, "axis": {**along["axis"], "labelAngle": -40}},
        "y": {**amounts("count", "count"), "title": "entries"},
    }
    return _in_parts(plot, [summed[place] for place in sorted(summed)], axes, frame.HEIGHT)


def _bars(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    amount = {**amounts(plot.value, units[plot.value]), "aggregate": "sum"}
    encoding = {"y": lines(plot.y, units[plot.y]), "x": amount}
    mark = {"type": "bar", "color": frame.BLUE, "stroke": "white"}
    return facets(plot, rows, {"height": {"step": frame.ROW}, "mark": mark, "encoding": encoding})


def _trends(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    color = {"field": plot.color, "type": "nominal", "title": titled(plot.color, "")}
    encoding = {
        "x": {**lines(plot.x, units[plot.x]), "axis": {"labelAngle": 0}},
        "y": amounts(plot.value, units[plot.value]),
        "color": color,
    }
    layers = [
        {"mark": {"type": "line", "strokeWidth": 2}},
        {"mark": _point(size=80, opacity=1), "encoding": {"shape": color}},
    ]
    return facets(plot, rows, {"height": frame.HEIGHT, "encoding": encoding, "layer": layers})


def _diagonal(plot: Plot, rows: Rows, units: Mapping[str, str]) -> Spec:
    """What was foretold against what came; on the line, both are equal."""
    ends = [{plot.x: 0, plot.value: 0}, {plot.x: 1, plot.value: 1}]
    encoding = {
        name: amounts(column, units[column], {"domain": [0, 1]})
        for name, column in (("x", plot.x), ("y", plot.value))
    }
    size = {"field": plot.also, "type": "quantitative", "title": titled(plot.also, "")}
    line = {"type": "line", "strokeDash": [4, 4], "color": frame.GREY}
    dots = {**encoding, "size": {**size, "scale": {"rangeMin": 40}}}
    layers = [
        {"data": {"values": ends}, "mark": line, "encoding": encoding},
        {"data": {"values": rows}, "mark": _point(opacity=1, color=frame.BLUE), "encoding": dots},
    ]
    side = frame.HEIGHT + frame.HEIGHT // 3
    return {"width": side, "height": side, "layer": layers}


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
