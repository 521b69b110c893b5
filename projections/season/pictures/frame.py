"""What every chart is made of: its frame, its axes, and several side by side.

Colours are Okabe and Ito's, which colour-blind readers can tell apart, and go from orange to blue
where a middle is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from projections.season.asking.questions import Plot

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
BLUE, GREY = PALETTE[0], "#767676"
BALANCE = (PALETTE[5], "#F2F2F2", BLUE)
"""From less than half over half to more."""

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
Spec = dict[str, Any]
Rows = list[dict[str, Any]]


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


def alone(rows: Rows, layers: Spec) -> Spec:
    """One chart of all rows."""
    return {"data": {"values": rows}, "width": WIDTH, **layers}


def facets(plot: Plot, rows: Rows, layers: Spec, along: str = "shared") -> Spec:
    """One chart for each value of the facet, two side by side; one chart where there is but one.

    `along`: whether amounts have one scale in all of them.
    """
    heads = sorted({row[plot.facet] for row in rows}) if plot.facet else []
    if len(heads) < 2:  # noqa: PLR2004 - a chart alone needs no others beside it
        return alone(rows, layers)
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


def amounts(name: str, unit: str, scale: Spec | None = None) -> Spec:
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


def lines(name: str, unit: str) -> Spec:
    """An axis with a line for each category."""
    kind = "ordinal" if unit in {"count", "day"} else "nominal"
    month = name == "month"  # a month is named by its first day
    label = {"labelExpr": "slice(datum.value, 0, 7)"} if month else {}
    return {
        "field": name,
        "type": kind,
        "title": titled(name, unit) if kind == "ordinal" else None,
        "sort": None,
        "axis": label,
    }
