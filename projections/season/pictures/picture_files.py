"""Charts as files: PNG, SVG or a page that needs no network. Written whole or not at all."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import msgspec

from ledger.errors import Refused
from ledger.files.access import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from projections.season.pictures.chart_parts import Spec

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
    """Refuse a file that is no picture, before anything is asked.

    Raises:
        Refused: its suffix is not among `SUFFIXES`.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise Refused(f"a picture is a file in {', '.join(SUFFIXES)}, not {path.name!r}")


def write_plot(path: Path, spec: Spec) -> None:
    """Write a chart as what the file's suffix says.

    Raises:
        Refused: the suffix is not among `SUFFIXES`, what draws is not installed, or as `replacing`.
    """
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
