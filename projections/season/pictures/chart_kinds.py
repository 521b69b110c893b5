"""Every kind of chart, each as a Vega-Lite chart without its heading."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from projections.season.asking.questions import Plot
from projections.season.pictures.bar_charts import bars, columns, stack
from projections.season.pictures.frame import Canvas, Rows, Spec, Units
from projections.season.pictures.grid_chart import grid
from projections.season.pictures.interval_chart import intervals
from projections.season.pictures.trend_charts import diagonal, trends

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
