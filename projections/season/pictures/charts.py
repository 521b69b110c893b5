"""Pictures of answers: Vega-Lite charts, as PNG, SVG or a page that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.files.access import write_whole
from projections.season.asking.questions import Plot, Question
from projections.season.people.pseudonyms import labels_of
from projections.season.pictures.chart_kinds import KINDS
from projections.season.pictures.frame import Spec, page

MARKS_MAX = 5_000
"""More rows are no picture."""


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
    name = question.name or question.title
    if not drawn:
        raise Refused(f"{name}: there is nothing to draw")
    if len(drawn) > MARKS_MAX:
        raise Refused(f"{name}: {len(drawn):,} rows are no picture: narrow it down")
    units = {each.name: each.unit for each in question.columns}
    for person in (name for name in heads if units[name] == "person"):
        labels = labels_of((str(row[person]) for row in drawn), names)
        drawn = [{**row, person: labels[str(row[person])]} for row in drawn]
    about = [question.answers, of] if of else [question.answers]
    return page(question.title, about, KINDS[plot.kind](plot, drawn, units))


def _value(value: object) -> object:
    """A value as Vega reads it; a text that is empty says so."""
    if value is None or isinstance(value, int | float):
        return value
    return str(value) or "(none)"


SUFFIXES = (".png", ".svg", ".html")

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<script>{library}</script>
</head>
<body>
<div id="chart"></div>
<script>vegaEmbed("#chart", {spec}, {{"renderer": "svg"}});</script>
</body>
</html>
"""
"""The browser must load nothing, whatever a chart says."""


def refuse_suffix(path: Path) -> None:
    """Refuse a file whose suffix is not among `SUFFIXES`, before anything is asked."""
    if path.suffix.lower() not in SUFFIXES:
        raise Refused(f"a picture is a file in {', '.join(SUFFIXES)}, not {path.name!r}")


def write_plot(path: Path, spec: Spec) -> None:
    """Write a chart as what the file's suffix says; Refused without what draws or leave to."""
    refuse_suffix(path)
    try:
        import vl_convert  # noqa: PLC0415 - an extra, and 100 ms that other commands save
    except ImportError:
        raise Refused("pictures need the extra: pip install '.[plots]'") from None
    drawn: Mapping[str, Callable[[], str | bytes]] = {
        ".png": lambda: vl_convert.vegalite_to_png(spec, scale=1.0, ppi=72),
        ".svg": lambda: vl_convert.vegalite_to_svg(spec),
        ".html": lambda: _page(spec, vl_convert.javascript_bundle()),  # type: ignore[call-arg] # the stub
    }
    picture = drawn[path.suffix.lower()]()
    write_whole(path, [picture if isinstance(picture, bytes) else picture.encode()])


def _page(spec: Spec, library: str) -> str:
    """A page that draws the chart; no text of the chart can end the script that holds it."""
    text = msgspec.json.encode(spec).decode().replace("<", "\\u003c")
    separators = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.format(title=escape(spec["title"]["text"]), library=library, spec=separators)
