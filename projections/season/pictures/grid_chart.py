"""A grid: how everything fares against everything else, with what each cell rests on."""

from __future__ import annotations

from typing import Any

from projections.season.asking.questions import Plot
from projections.season.pictures.frame import (
    BALANCE,
    FEW,
    INK,
    PALE,
    Canvas,
    Rows,
    Spec,
    Units,
    label_axis,
    titled,
)
from projections.season.pictures.panels import ChartWidths, beside, parts_of, room_in

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
        "x": _side(plot.x, order, {"labelAngle": -40, "title": plot.x}),
        "y": _side(plot.y, order, {**label_axis(room.label), "title": None}),
    }
    texts = [{**row, "cell lines": _words(plot, row, lines)} for row in rows]
    return {
        "data": {"values": texts},
        "width": room.marks,
        "height": {"step": high},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white"},
                "encoding": {**cell, "color": _color(plot, units)},
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


def _words(plot: Plot, row: dict[str, Any], lines: int) -> list[str]:
    """What a cell says: the score, its interval where there is room, and of how much."""
    percent = f"{100 * row[plot.value]:.0f} %" if lines > 2 else f"{100 * row[plot.value]:.0f}"  # noqa: PLR2004
    low, high = row[plot.low], row[plot.high]
    sure = f"{100 * low:.0f}-{100 * high:.0f}" if low is not None else "-"
    count = f"{row[plot.counts[0]]:,}"
    return [percent, sure, f"n {count}"] if lines > 2 else [percent, count]  # noqa: PLR2004


def _color(plot: Plot, units: Units) -> Spec:
    middle = plot.middle or 0.0
    return {
        "condition": {"test": f"datum['{FEW}']", "value": PALE},
        "field": plot.value,
        "type": "quantitative",
        "title": titled(plot.value, units[plot.value]),
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
