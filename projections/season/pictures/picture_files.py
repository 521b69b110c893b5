"""Charts as files: PNG, SVG, or a page that needs no network."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from math import ceil
from pathlib import Path

import msgspec

from ledger.errors import Refused
from ledger.files.access import write_whole
from projections.season.pictures.frame import BLUE, GREY, GRID, INK, PALE, PAPER, WIDE, Spec

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
        raise Refused(f"a picture is a file in {', '.join(SUFFIXES)}, not {path.name!r}")


def write_plot(path: Path, spec: Spec) -> None:
    """Write a chart as what the file's suffix says; Refused without what draws or leave to."""
    refuse_suffix(path)
    try:
        import vl_convert  # noqa: PLC0415 - an extra, and 100 ms that other commands save
    except ImportError:
        raise Refused("pictures need the extra: pip install '.[plots]'") from None
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
