"""Pictures of answers: Vega-Lite charts with headings, as PNG, SVG or a page without network."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ledger.errors import Refused
from ledger.files.access import write_whole
from ledger.problems import Phrase, phrase
from projections.season.chart_frame import (
    BLUE,
    FEW,
    GREY,
    GRID,
    INK,
    PALE,
    PAPER,
    WIDE,
    Canvas,
    Rows,
    Spec,
    page,
)
from projections.season.chart_kinds import KINDS
from projections.season.for_readers import labels_of
from projections.season.tables.definitions import Plot, Question

MARKS_MAX = 5_000
"""More rows are no picture."""

SHOWN_MAX = {"grid": 20, "lines": 12}
"""How many of the kinds that have a line or a chart of their own are drawn, those of most first."""


class Subject(NamedTuple):
    """How an answer is looked at: names for pseudonyms, what it is of in words, how few is few."""

    names: Mapping[str, str] = MappingProxyType({})
    of: str = ""
    few: int = 0


class Picture(NamedTuple):
    """A chart without its heading, and what is to be said of it."""

    body: Spec
    remarks: list[Phrase | str]


def chart(
    question: Question,
    plot: Plot,
    answered: Sequence[Sequence[Any]],
    subject: Subject = Subject(),  # noqa: B008 - a tuple
) -> Spec:
    """Draw an answer as its question says, under what it answers; Refused as below."""
    drawn = picture(question, plot, answered, subject)
    about = [question.answers, *([subject.of] if subject.of else []), *map(str, drawn.remarks)]
    return page(question.title, about, drawn.body, WIDE)


def picture(
    question: Question,
    plot: Plot,
    answered: Sequence[Sequence[Any]],
    subject: Subject,
    canvas: Canvas = WIDE,
) -> Picture:
    """Draw an answer on a canvas.

    Raises:
        Refused: it has no row, or too many for a picture.
    """
    heads = [each.name for each in question.columns]
    rows: Rows = [dict(zip(heads, map(_value, row), strict=True)) for row in answered]
    name = question.name or question.title
    if not any(not plot.value or row[plot.value] is not None for row in rows):
        raise Refused(phrase("{name}: there is nothing to draw", name=name))
    if len(rows) > MARKS_MAX:
        raise Refused(
            phrase(
                "{name}: {rows} rows are too many for a picture: ask for fewer",
                name=name,
                rows=f"{len(rows):,}",
            )
        )
    if plot.value and plot.kind != "intervals":  # which says of a line that nothing is known
        rows = [row for row in rows if row[plot.value] is not None]
    units = {each.name: each.unit for each in question.columns}
    for person in (name for name in heads if units[name] == "person"):
        labels = labels_of((str(row[person]) for row in rows), subject.names)
        rows = [{**row, person: labels[str(row[person])]} for row in rows]
    few = subject.few if question.minimum else 0
    rows = [{**row, FEW: bool(few) and (row["games"] or 0) < few} for row in rows]
    kept, left_out = _most(plot, rows)
    remarks: list[Phrase | str] = [*_remarks(plot, kept, few), *left_out]
    return Picture(KINDS[plot.kind](plot, kept, units, canvas), remarks)


def _most(plot: Plot, rows: Rows) -> tuple[Rows, list[str]]:
    """Keep the rows of those that most is counted of, and say what is left out."""
    most, of = SHOWN_MAX.get(plot.kind), plot.color or plot.y
    if most is None or not plot.counts:
        return rows, []
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        sums[_part(plot, row), str(row[of])] += row[plot.counts[0]] or 0
    ranks: Counter[str] = Counter()
    kept: set[tuple[str, str]] = set()
    for (part, name), _ in sums.most_common():
        ranks[part] += 1
        if ranks[part] <= most:
            kept.add((part, name))
    if len(kept) == len(sums):
        return rows, []
    sides = [of, plot.x] if plot.kind == "grid" else [of]
    some = [
        row for row in rows if all((_part(plot, row), str(row[side])) in kept for side in sides)
    ]
    each = " of each game" if len(ranks) > 1 else ""
    return some, [f"The {most} {of}s{each} with the most {plot.counts[0]}, of {len(sums)}."]


def _part(plot: Plot, row: Mapping[str, Any]) -> str:
    return str(row[plot.facet]) if plot.facet else ""


def _remarks(plot: Plot, rows: Rows, few: int) -> Iterator[Phrase]:
    """Say what its marks mean, of those that are there."""
    if plot.kind == "grid":
        yield phrase(
            "Percent, 95 % interval if it fits, and games. Bold: 50 % is outside the interval."
        )
    if plot.kind == "lines" and plot.low:
        partly = any(row[plot.low] is None for row in rows)
        is_wider = plot.between.endswith("conservative")
        yield phrase(
            "Pale: {interval}, if there is enough data for it." if partly else "Pale: {interval}.",
            interval=phrase("95 % interval, conservative" if is_wider else "95 % interval"),
        )
    if any(row[FEW] for row in rows):
        yield phrase(
            "Grey: fewer than {count} game.", plural="Grey: fewer than {count} games.", count=few
        )
    known = (row for row in rows if plot.low and row[plot.value] is not None)
    if plot.kind in {"intervals", "diagonal"} and any(row[plot.low] is None for row in known):
        yield phrase("Ring: too little data for an interval.")


def _value(value: object) -> object:
    """A value as Vega reads it; a text that is empty says so."""
    if value is None or isinstance(value, int | float):
        return value
    return str(value) or "(none)"


SUFFIXES = (".png", ".svg", ".html")

_NUMBERED = re.compile(r'((?:id="|="url\(#)(?:gradient_|clip))(\d+)')
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d. ]+"')
_PAPER = re.compile(rf'<rect width="[\d.]+" height="[\d.]+" fill="{PAPER}"/>')

_SHEET_OUT = re.compile(rf'<rect width="100%" height="100%" fill="{PAPER}"/>')
_NAMES = {INK: "ink", PAPER: "paper", GREY: "quiet", GRID: "line", PALE: "pale", BLUE: "mark"}
_STYLE = (
    "<style>svg{--ink:#1b1b1b;--paper:#fff;--quiet:#595959;--line:#ddd;--pale:#d5dae0;--mark:#0072b2}"
    "@media (prefers-color-scheme:dark){svg{--ink:#ececec;--paper:#16181c;--quiet:#b4b4b4;"
    "--line:#42464e;--pale:#525b68;--mark:#56b4e9}}</style>"
)
"""The colours of a picture in a page, as the page's own style has them."""

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
        raise Refused(
            phrase(
                "a picture file must end in {join}: {name} does not",
                join=", ".join(SUFFIXES),
                name=f"{path.name!r}",
            )
        )


def write_plot(path: Path, spec: Spec) -> None:
    """Write a chart as what the file's suffix says; Refused without what draws or leave to."""
    refuse_suffix(path)
    try:
        import vl_convert  # noqa: PLC0415 - an extra, and 100 ms that other commands save
    except ImportError:
        raise Refused(
            phrase("pictures need the extra: pip install 'tourney-ledger[plots]'")
        ) from None
    drawn: Mapping[str, Callable[[], str | bytes]] = {
        ".png": lambda: vl_convert.svg_to_png(svg_of(spec, WIDE.width), scale=1.0, ppi=72),
        ".svg": lambda: svg_of(spec, WIDE.width),
        ".html": lambda: _page(spec, vl_convert.javascript_bundle()),  # type: ignore[call-arg] # the stub
    }
    made = drawn[path.suffix.lower()]()
    write_whole(path, [made if isinstance(made, bytes) else made.encode()])


def svg_of(spec: Spec, width: int) -> str:
    """Draw a chart exactly so wide: a narrower one with paper beside it, a wider one smaller."""
    import vl_convert  # noqa: PLC0415 - as above

    svg = _numbered_again(vl_convert.vegalite_to_svg(spec))
    found = _SIZE.search(svg)
    if found is None:
        return svg
    wide, high = float(found[1]), float(found[2])
    room = max(wide, width)
    tall = ceil(high * width / room)
    size = f'width="{width}" height="{tall}" viewBox="0 0 {room:g} {tall * room / width:g}"'
    sized = f"{svg[: found.start()]}{size}{svg[found.end() :]}"
    return _PAPER.sub(f'<rect width="100%" height="100%" fill="{PAPER}"/>', sized, count=1)


def _numbered_again(svg: str) -> str:
    """Number gradients and clips from 0: the library counts over all pictures of a process."""
    numbers: dict[str, int] = {}

    def again(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[2], len(numbers))}"

    return _NUMBERED.sub(again, svg)


def themed_svg(spec: Spec, width: int) -> str:
    """Draw a chart whose colours are those of the page around it, by day and by night."""
    svg = _SHEET_OUT.sub("", svg_of(spec, width), count=1)
    for color, name in _NAMES.items():
        svg = svg.replace(f'"{color}"', f'"var(--{name})"')
    return svg.replace(">", f">{_STYLE}", 1)


def _page(spec: Spec, library: str) -> str:
    """A page that draws the chart; no text of the chart can end the script that holds it."""
    text = msgspec.json.encode(spec).decode().replace("<", "\\u003c")
    separators = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.format(title=escape(spec["title"]["text"]), library=library, spec=separators)
