"""Every kind of chart, each as a Vega-Lite chart without its heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from projections.season.chart_frame import (
    BALANCE,
    BLUE,
    FEW,
    GREY,
    INK,
    LINE,
    NOTE,
    PALE,
    PALETTE,
    PAPER,
    Canvas,
    ChartWidths,
    Rows,
    Spec,
    Units,
    amounts,
    beside,
    counted,
    label_axis,
    labelled,
    months_between,
    notes_beside,
    parts_of,
    room_in,
    titled,
)
from projections.season.tables.definitions import Plot

COLUMNS_HEIGHT = 340
SHOWN = 0.06
"""A part of a bar that is smaller has no number in it."""

MONTH_LETTERS = 4.2
"""How much room the name of a column has, in letters; where there is less, some have none."""


def stack(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a bar for each row, made of its parts as shares of the whole.

    It has no intervals: the parts of a whole move together, so that an interval at a border would
    be read as one of either part, and the games that are counted are no draw of independent ones.
    The counts say of how much the shares are.
    """
    del units
    rows = [{**row, LINE: labelled(row[plot.y], plot.y)} for row in rows]
    notes = [counted(row, plot.counts) for row in rows]
    heading = ", ".join(plot.counts)
    room = room_in(canvas, 1, [row[LINE] for row in rows], [heading, *notes])
    pieces = _pieces(plot, rows)
    line = {"field": LINE, "type": "nominal", "sort": None, "axis": label_axis(room.label)}
    share = {**amounts("share", "share", {"domain": [0, 1]}), "title": f"share of {heading}"}
    ends = {"x": {**share, "field": "from"}, "x2": {"field": "to"}, "y": line}
    mark = {"type": "text", "baseline": "middle", "color": "#000000"}
    labels = [{LINE: row[LINE], NOTE: note} for row, note in zip(rows, notes, strict=True)]
    return {
        "data": {"values": pieces},
        "width": room.marks,
        "height": {"step": canvas.letters * 2},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "white"},
                "encoding": {**ends, "color": _part_color(plot, pieces)},
            },
            {
                "transform": [{"filter": f"datum.to - datum.from >= {SHOWN}"}],
                "mark": mark,
                "encoding": {"x": {**share, "field": "mid"}, "y": line, "text": {"field": "said"}},
            },
            *notes_beside(heading, room.marks, {"data": {"values": labels}}),
        ],
    }


def _pieces(plot: Plot, rows: Rows) -> Rows:
    """One row for each part that a bar is made of, from where to where."""
    pieces = []
    for row in rows:
        whole, start = sum(row[part] for part in plot.parts), 0
        for part in plot.parts:
            end = start + row[part]
            if row[part]:
                ends = {"from": start / whole, "to": end / whole, "mid": (start + end) / 2 / whole}
                said = f"{100 * row[part] / whole:.0f} %"
                pieces.append({LINE: row[LINE], "part": _words(part), "said": said, **ends})
            start = end
    return pieces


def _words(part: str) -> str:
    return part.replace("_", " ")


def _part_color(plot: Plot, pieces: Rows) -> Spec:
    """The colours of parts that are there; each part has its own, whatever the others are."""
    there = {piece["part"] for piece in pieces}
    looks = {_words(part): color for part, color in zip(plot.parts, STACKED, strict=False)}
    order = [part for part in looks if part in there]
    return {
        "field": "part",
        "type": "nominal",
        "title": None,
        "sort": order,
        "scale": {"domain": order, "range": [looks[part] for part in order]},
        "legend": {"orient": "top"},
    }


STACKED = (PALETTE[4], PALETTE[1], PALETTE[2], PALETTE[3])
"""Colours on which black can be read."""


def columns(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a column for each month from the first to the last, made of its parts, with its sum.

    These are amounts of all who came, not shares of some: there is nothing to be unsure of.
    """
    del units
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for part in plot.parts:
            sums[str(row[plot.x]), part] += row[part]
    along = months_between([first for first, _ in sums])
    order = {part: place for place, part in enumerate(plot.parts)}
    pieces: Rows = [
        {LINE: labelled(at, plot.x), "part": _words(part), "count": count, "order": order[part]}
        for (at, part), count in sums.items()
        if count
    ]
    names = [labelled(each, plot.x) for each in along]
    room = room_in(canvas, 1, ["99,999"], [])
    every = max(1, -(-len(names) * canvas.letters * MONTH_LETTERS // room.marks))
    axis = {"values": names[:: int(every)], "labelAngle": 0, "title": plot.x, "labelFlush": False}
    if every > 1:
        axis["labelOverlap"] = False
    x = {"field": LINE, "type": "ordinal", "sort": None, "scale": {"domain": names}, "axis": axis}
    y = {**amounts("count", "count"), "title": "entries"}
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "stroke": "white"},
            "encoding": {
                "x": x,
                "y": y,
                "color": _part_color(plot, pieces),
                "order": {"field": "order"},
            },
        }
    ]
    if room.marks / len(names) > canvas.letters * 1.6:
        layers.append(
            {
                "mark": {"type": "text", "dy": -8, "fontSize": canvas.letters - 2},
                "encoding": {"x": x, "y": {**y, "aggregate": "sum"}, "text": _sum()},
            }
        )
    return {
        "data": {"values": pieces},
        "width": room.marks,
        "height": COLUMNS_HEIGHT,
        "layer": layers,
    }


def _sum() -> Spec:
    return {"field": "count", "type": "quantitative", "aggregate": "sum", "format": ",d"}


def bars(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a bar for each line, with its amount behind it."""
    parts = parts_of(plot, rows)
    across = min(canvas.across, len(parts))
    names = [str(row[plot.y]) for row in rows]
    room = room_in(canvas, across, names, ["99,999"])
    amount = {**amounts(plot.value, units[plot.value]), "aggregate": "sum"}
    text: dict[str, Any] = {"field": plot.value, "type": "quantitative", "aggregate": "sum"}

    def drawn(some: Rows) -> Spec:
        axis = label_axis(room.label)
        line = {"field": plot.y, "type": "nominal", "sort": None, "axis": axis}
        both = {"y": line, "x": amount}
        mark = {"type": "text", "align": "left", "dx": 5, "baseline": "middle"}
        return {
            "data": {"values": some},
            "width": room.marks,
            "height": {"step": round(canvas.letters * 1.7)},
            "layer": [
                {"mark": {"type": "bar", "color": BLUE, "stroke": "white"}, "encoding": both},
                {"mark": mark, "encoding": {**both, "text": {**text, "format": ",d"}}},
            ],
        }

    return beside(parts, across, canvas, drawn, {"scale": {"x": "shared"}})


FAR = 0.25
"""From the middle on, a cell has the whole colour."""

DARK = 0.93
"""Beyond that much of the way a cell is so blue that white is read better on it than black."""

SIZED = 70
"""A cell that has that many pixels holds its interval, too."""

LETTERS_MIN = 8
ON_COLOR = "#000000"


def grid(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a grid for each value of the facet, one below the other."""
    parts = parts_of(plot, rows)
    names = [str(row[side]) for row in rows for side in (plot.x, plot.y)]
    room = room_in(canvas, 1, names, [])
    resolve = {"scale": {"x": "independent", "y": "independent", "color": "shared"}}
    return beside(parts, 1, canvas, lambda some: _grid(plot, some, units, canvas, room), resolve)


def _grid(plot: Plot, rows: Rows, units: Units, canvas: Canvas, room: ChartWidths) -> Spec:
    order = sorted({str(row[side]) for row in rows for side in (plot.x, plot.y)})
    size = room.marks / len(order)
    letters = max(LETTERS_MIN, min(canvas.letters, round(size / 3.4)))
    lines = 3 if size >= SIZED else 2
    high = round(letters * 1.25 * (lines + 0.6))
    cell = {
        "x": _side(plot.x, order, {"labelAngle": -40, "title": canvas.words(plot.x)}),
        "y": _side(plot.y, order, {**label_axis(room.label), "title": None}),
    }
    texts = [{**row, "cell lines": _cell_words(plot, row, lines)} for row in rows]
    return {
        "data": {"values": texts},
        "width": room.marks,
        "height": {"step": high},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white"},
                "encoding": {**cell, "color": _color(plot, units, canvas)},
            },
            *(_text(plot, cell, place, lines, letters) for place in range(lines)),
        ],
    }


def _side(name: str, order: list[str], axis: Spec) -> Spec:
    return {
        "field": name,
        "type": "nominal",
        "title": axis["title"],
        "sort": order,
        "scale": {"domain": order},
        "axis": axis,
    }


def _cell_words(plot: Plot, row: dict[str, Any], lines: int) -> list[str]:
    """What a cell says: the score, its interval where there is room, and of how much."""
    percent = f"{100 * row[plot.value]:.0f} %" if lines > 2 else f"{100 * row[plot.value]:.0f}"  # noqa: PLR2004
    low, high = row[plot.low], row[plot.high]
    sure = f"{100 * low:.0f}-{100 * high:.0f}" if low is not None else "-"
    count = f"{row[plot.counts[0]]:,}"
    return [percent, sure, f"n {count}"] if lines > 2 else [percent, count]  # noqa: PLR2004


def _color(plot: Plot, units: Units, canvas: Canvas) -> Spec:
    middle = plot.middle or 0.0
    return {
        "condition": {"test": f"datum['{FEW}']", "value": PALE},
        "field": plot.value,
        "type": "quantitative",
        "title": canvas.words(titled(plot.value, units[plot.value])),
        "scale": {
            "domain": [middle - FAR, middle, middle + FAR],
            "range": list(BALANCE),
            "clamp": True,
        },
        "legend": {"format": "%", "orient": "bottom", "direction": "horizontal"},
    }


def _text(plot: Plot, cell: Spec, place: int, lines: int, letters: int) -> Spec:
    """One line of every cell; the score is heavy where its interval leaves the middle out."""
    sure = f"(datum.{plot.low} > {plot.middle} || datum.{plot.high} < {plot.middle})"
    heavy = f"isValid(datum.{plot.low}) && {sure}"
    dark = f"!datum['{FEW}'] && datum.{plot.value} > {(plot.middle or 0) + FAR * DARK}"
    color = {
        "condition": [
            {"test": dark, "value": "white"},
            {"test": f"datum['{FEW}']", "value": INK},
        ],
        "value": ON_COLOR,
    }
    return {
        "transform": [{"calculate": f"datum['cell lines'][{place}]", "as": "said"}],
        "mark": {
            "type": "text",
            "fontSize": letters if not place else max(LETTERS_MIN, letters - 2),
            "dy": round((place - (lines - 1) / 2) * letters * 1.2),
            **({"fontWeight": {"expr": f"{heavy} ? 'bold' : 'normal'"}} if not place else {}),
        },
        "encoding": {**cell, "text": {"field": "said"}, "color": color},
    }


def intervals(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw the rows, a chart for each value of the facet."""
    rows = [
        {**row, LINE: _label(plot, row, units), NOTE: counted(row, plot.counts)} for row in rows
    ]
    parts = parts_of(plot, rows)
    across = min(canvas.across, len(parts))
    heading = ", ".join(canvas.words(name.replace("_", " ")) for name in plot.counts)
    notes = [heading, *(row[NOTE] for row in rows)]
    room = room_in(canvas, across, [row[LINE] for row in rows], notes)
    where = amounts(plot.value, units[plot.value], {"zero": False, "nice": True})
    where["title"] = _with_interval(plot, where["title"], canvas)
    where["axis"]["tickCount"] = 5 if room.marks > 240 else 3  # noqa: PLR2004 - pixels

    def drawn(some: Rows) -> Spec:
        layers = [*_marks(plot, where, _lines(some, room)), *notes_beside(heading, room.marks, {})]
        return {
            "data": {"values": some},
            "width": room.marks,
            "height": {"step": round(canvas.letters * 1.7)},
            "layer": layers,
        }

    return beside(parts, across, canvas, drawn, {"scale": {"x": "shared"}})


def _with_interval(plot: Plot, title: str, canvas: Canvas) -> str:
    """Return the title of an axis, followed by the name of its interval."""
    words = canvas.words(title)
    return f"{words}, {canvas.words(plot.between)}" if plot.low else words


def _label(plot: Plot, row: dict[str, object], units: Units) -> str:
    label = labelled(row[plot.y], plot.y)
    if units[plot.y] == "count":
        label = f"{titled(plot.y, '')} {label}"
    return f"{label}, {plot.also} {row[plot.also]}" if plot.also else label


def _lines(rows: Rows, room: ChartWidths) -> Spec:
    order = list(dict.fromkeys(row[LINE] for row in rows))
    return {
        "field": LINE,
        "type": "nominal",
        "sort": None,
        "scale": {"domain": order},
        "axis": label_axis(room.label),
    }


def _marks(plot: Plot, where: Spec, line: Spec) -> list[Spec]:
    """The line of each interval with its dot; a ring without one; all grey of too few."""
    color = {"condition": {"test": f"datum['{FEW}']", "value": GREY}, "value": BLUE}
    known = f"isValid(datum.{plot.value})"
    sure = f"isValid(datum.{plot.low})" if plot.low else "true"
    both = {"y": line, "color": color}
    layers: list[Spec] = []
    if plot.middle is not None:
        even = {"mark": {"type": "rule", "strokeDash": [4, 4], "color": GREY}}
        layers.append({**even, "encoding": {"x": {"datum": plot.middle}}})
    reach = {
        "transform": [{"filter": f"{known} && {sure}"}],
        "mark": {"type": "rule", "strokeWidth": 2.5},
        "encoding": {**both, "x": {**where, "field": plot.low}, "x2": {"field": plot.high}},
    }
    return [
        *layers,
        *([reach] if plot.low else []),
        {
            "transform": [{"filter": f"{known} && {sure}"}],
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
            "encoding": {**both, "x": where},
        },
        {
            "transform": [{"filter": f"{known} && !{sure}"}],
            "mark": {"type": "point", "filled": True, "fill": PAPER, "size": 70, "opacity": 1},
            "encoding": {"y": line, "x": where, "stroke": color},
        },
    ]


ACROSS = 3
TREND_HEIGHT = 130
RUN, ALONE = "its run", "is alone"
SIDE = 560


def trends(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw a chart for each line and value of the facet, all of one scale."""
    several = len(parts_of(plot, rows)) > 1
    named: dict[str, Rows] = {}
    for row in rows:
        named.setdefault(_heading(plot, row, several=several), []).append(row)
    parts = [(_counted(plot, head, some, canvas), some) for head, some in sorted(named.items())]
    across = min(ACROSS if canvas.across > 1 else 1, len(parts))
    room = room_in(canvas, across, ["9,999"], [])
    x = _along(plot, rows, units, room.marks, canvas)
    y = amounts(plot.value, units[plot.value], {"domain": _span(plot, rows)})
    y["axis"] |= {"tickCount": 4, "minExtent": room.label, "maxExtent": room.label}
    alone = len(parts) == 1
    y["title"] = _with_interval(plot, y["title"], canvas) if alone else canvas.words(y["title"])
    high = TREND_HEIGHT if len(parts) > 1 else TREND_HEIGHT * 2

    def drawn(some: Rows) -> Spec:
        values = _in_runs(plot, some)
        return {"data": {"values": values}, "width": room.marks, "height": high} | {
            "layer": _layers(plot, x, y)
        }

    return beside(parts, across, canvas, drawn)


def _heading(plot: Plot, row: dict[str, Any], *, several: bool) -> str:
    names = (plot.facet if several else "", plot.color)
    return ": ".join(str(row[name]) for name in names if name)


def _counted(plot: Plot, head: str, rows: Rows, canvas: Canvas) -> str:
    """Say of a chart what it rests on."""
    sums = (canvas.amount(sum(row[name] or 0 for row in rows), name) for name in plot.counts)
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


KINDS: Mapping[str, Callable[[Plot, Rows, Units, Canvas], Spec]] = {
    "intervals": intervals,
    "grid": grid,
    "stack": stack,
    "columns": columns,
    "bars": bars,
    "lines": trends,
    "diagonal": diagonal,
}
"""What draws rows, by the kind of their plot; handed the unit of each column, and the canvas."""
