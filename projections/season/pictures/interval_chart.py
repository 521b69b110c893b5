"""Intervals: a dot on a line for each row, and beside it what it rests on."""

from __future__ import annotations

from projections.season.asking.questions import Plot
from projections.season.pictures.frame import (
    BLUE,
    FEW,
    GREY,
    LINE,
    NOTE,
    PAPER,
    Canvas,
    Rows,
    Spec,
    Units,
    amounts,
    counted,
    label_axis,
    labelled,
    titled,
)
from projections.season.pictures.panels import ChartWidths, beside, notes_beside, parts_of, room_in


def intervals(plot: Plot, rows: Rows, units: Units, canvas: Canvas) -> Spec:
    """Draw the rows, a chart for each value of the facet."""
    rows = [
        {**row, LINE: _label(plot, row, units), NOTE: counted(row, plot.counts)} for row in rows
    ]
    parts = parts_of(plot, rows)
    across = min(canvas.across, len(parts))
    heading = ", ".join(name.replace("_", " ") for name in plot.counts)
    notes = [heading, *(row[NOTE] for row in rows)]
    room = room_in(canvas, across, [row[LINE] for row in rows], notes)
    where = amounts(plot.value, units[plot.value], {"zero": False, "nice": True})
    where["title"] += f", {plot.between}" if plot.low else ""
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
