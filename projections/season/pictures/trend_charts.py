"""Trends: a chart for each thing that moves, with its interval; what was foretold and what came."""

from __future__ import annotations

from collections import Counter
from typing import Any

from projections.season.asking.questions import Plot
from projections.season.pictures.frame import (
    BLUE,
    FEW,
    GREY,
    NOTE,
    PALE,
    PAPER,
    Canvas,
    Rows,
    Spec,
    Units,
    amounts,
    months_between,
    titled,
)
from projections.season.pictures.panels import beside, parts_of, room_in

ACROSS = 3
HEIGHT = 130
RUN, ALONE = "its run", "is alone"
SIDE = 560


def trends(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a chart for each line and value of the facet, all of one scale."""
    several = len(parts_of(plot, rows)) > 1
    named: dict[str, Rows] = {}
    for row in rows:
        named.setdefault(_heading(plot, row, several=several), []).append(row)
    parts = [(_counted(plot, head, some), some) for head, some in sorted(named.items())]
    across = min(ACROSS if canvas.across > 1 else 1, len(parts))
    room = room_in(canvas, across, ["9,999"], [])
    x = _along(plot, rows, units, room.marks, canvas)
    y = amounts(plot.value, units[plot.value], {"domain": _span(plot, rows)})
    y["axis"] |= {"tickCount": 4, "minExtent": room.label, "maxExtent": room.label}
    y["title"] = f"{y['title']}, {plot.between}" if len(parts) == 1 and plot.low else y["title"]
    high = HEIGHT if len(parts) > 1 else HEIGHT * 2

    def drawn(some: Rows) -> Spec:
        values = _in_runs(plot, some)
        return {"data": {"values": values}, "width": room.marks, "height": high} | {
            "layer": _layers(plot, x, y)
        }

    return beside(parts, across, canvas, drawn)


def _heading(plot: Plot, row: dict[str, Any], *, several: bool) -> str:
    names = (plot.facet if several else "", plot.color)
    return ": ".join(str(row[name]) for name in names if name)


def _counted(plot: Plot, head: str, rows: Rows) -> str:
    """Say of a chart what it rests on."""
    sums = (f"{sum(row[name] or 0 for row in rows):,} {name}" for name in plot.counts)
    return ", ".join(filter(None, (head, *sums)))


def _span(plot: Plot, rows: Rows) -> list[float]:
    """From the least to the most that is drawn, from 0 where that is near."""
    names = [name for name in (plot.value, plot.low, plot.high) if name]
    found = [row[name] for row in rows for name in names if row[name] is not None]
    least, most = min(found), max(found)
    return [0 if least < most / 2 else least, most]


def _along(plot: Plot, rows: Rows, units: Units, width: int, canvas: Canvas) -> Spec:
    """The axis of time, or of rounds; with as many names as there is room for."""
    most = max(2, int(width / (canvas.letters * 5)))
    if units[plot.x] != "day":
        steps = sorted({row[plot.x] for row in rows})
        axis = {"values": steps[:: -(-len(steps) // most)], "format": "d", "grid": False}
        scale = {"domain": [steps[0], steps[-1]], "nice": False, "padding": 8}
        return {"field": plot.x, "type": "quantitative", "title": plot.x} | {
            "axis": axis,
            "scale": scale,
        }
    days = sorted({str(row[plot.x]) for row in rows})
    if plot.x == "month" or len(days) > most:
        named = months_between(days)
        form = "%Y-%m"
    else:
        named, form = days, "%Y-%m-%d"
    values = [_moment(each) for each in named[:: -(-len(named) // most)]]
    axis = {"values": values, "format": form, "grid": False, "labelFlush": False}
    scale = {"type": "utc", "domain": [_moment(days[0]), _moment(days[-1])], "padding": 8}
    return {"field": plot.x, "type": "temporal", "title": None, "axis": axis, "scale": scale}


def _moment(day: str) -> Spec:
    """A day as the drawing program has it, whatever the zone of this machine."""
    year, month, number = map(int, day.split("-"))
    return {"year": year, "month": month, "date": number, "utc": True}


def _in_runs(plot: Plot, rows: Rows) -> Rows:
    """Give each unbroken run of months a number: no line is drawn over a month without a row."""
    run, before, found = 0, None, []
    for row in rows:
        here = _place(row[plot.x]) if plot.x == "month" else None
        run += here is not None and before is not None and here != before + 1
        before = here
        found.append({**row, RUN: run})
    long = Counter(row[RUN] for row in found)
    return [{**row, ALONE: long[row[RUN]] == 1} for row in found]


def _place(month: object) -> int:
    year, number, _ = map(int, str(month).split("-"))
    return year * 12 + number


def _layers(plot: Plot, x: Spec, y: Spec) -> list[Spec]:
    detail = {"field": RUN, "type": "nominal"}
    color = {"condition": {"test": f"datum['{FEW}']", "value": GREY}, "value": BLUE}
    band = {
        "transform": [{"filter": f"isValid(datum.{plot.low})"}],
        "mark": {"type": "area", "color": PALE, "opacity": 0.8},
        "encoding": {
            "x": x,
            "y": {**y, "field": plot.low},
            "y2": {"field": plot.high},
            "detail": detail,
        },
    }
    alone = {
        **band,
        "transform": [{"filter": f"isValid(datum.{plot.low}) && datum['{ALONE}']"}],
        "mark": {"type": "rule", "color": PALE, "opacity": 0.8, "strokeWidth": 3},
    }
    return [
        *([band, alone] if plot.low else []),
        {
            "mark": {"type": "line", "strokeWidth": 2, "color": BLUE},
            "encoding": {"x": x, "y": y, "detail": detail},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 36, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": color},
        },
    ]


def diagonal(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw what was foretold against what came; on the line, both are equal."""
    ends = [{plot.x: 0, plot.value: 0}, {plot.x: 1, plot.value: 1}]
    both = {
        name: amounts(column, units[column], {"domain": [0, 1]})
        for name, column in (("x", plot.x), ("y", plot.value))
    }
    both["y"]["title"] = f"{titled(plot.value, '')}, {plot.between}"
    texts = [{**row, NOTE: f"n {row[plot.counts[0]]:,}"} for row in rows]
    line = {"type": "line", "strokeDash": [4, 4], "color": GREY}
    dot = {"condition": {"test": f"isValid(datum.{plot.low})", "value": BLUE}, "value": PAPER}
    span = {"x": both["x"], "y": {**both["y"], "field": plot.low}, "y2": {"field": plot.high}}
    label = {"type": "text", "align": "left", "dx": 8, "dy": 10, "fontSize": canvas.letters - 3}
    wide = canvas.part(1) - 6 * canvas.letters
    layers = [
        {"data": {"values": ends}, "mark": line, "encoding": both},
        {
            "transform": [{"filter": f"isValid(datum.{plot.low})"}],
            "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE},
            "encoding": span,
        },
        {
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "stroke": BLUE},
            "encoding": {**both, "fill": dot},
        },
        {"mark": label, "encoding": {**both, "text": {"field": NOTE}}},
    ]
    return {"data": {"values": texts}, "width": wide, "height": min(SIDE, wide), "layer": layers}
