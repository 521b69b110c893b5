"""Bars: of one amount, of parts of a whole, and of parts upon another over time."""

from __future__ import annotations

from collections import Counter
from typing import Any

from projections.season.asking.questions import Plot
from projections.season.pictures.frame import (
    BLUE,
    LINE,
    NOTE,
    PALETTE,
    Canvas,
    Rows,
    Spec,
    Units,
    amounts,
    counted,
    label_axis,
    labelled,
    months_between,
)
from projections.season.pictures.panels import beside, notes_beside, parts_of, room_in

HEIGHT = 340
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
        "height": HEIGHT,
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
