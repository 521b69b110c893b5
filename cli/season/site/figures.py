"""Pictures of a season's pages: each for a desk and for a phone, in the colours of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.season.answers import drawable
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from htpy import Node

    from projections.season.asking.questions import Question

    Files = tuple[tuple[str, bytes], ...]


class DrawnAnswer(NamedTuple):
    """A picture as a page has it, and its files."""

    node: Node
    files: Files


NO_FIGURE = DrawnAnswer(None, ())


def can_draw() -> bool:
    """Whether what draws is installed."""
    from importlib.util import find_spec

    return find_spec("vl_convert") is not None


def figure(
    name: str,
    of: str,
    question: Question,
    rows: Sequence[Sequence[Any]],
    names: Mapping[str, str],
) -> DrawnAnswer:
    """Draw an answer for a page; nothing where nothing can be drawn. `of` says what it shows."""
    from ledger.errors import Refused
    from projections.season.chart_frame import NARROW, WIDE, page
    from projections.season.charts import Subject, picture, themed_svg

    if question.plot is None or not can_draw():
        return NO_FIGURE
    called = {person: visible(each) for person, each in names.items()}
    subject = Subject(called, few=question.minimum)
    files, remarks = [], list[str]()
    for canvas, width in ((WIDE, "wide"), (NARROW, "narrow")):
        try:
            drawn = picture(question, question.plot, drawable(rows), subject, canvas)
        except Refused:  # nothing of it is known, or too much
            return NO_FIGURE
        svg = themed_svg(page("", (), drawn.body, canvas), canvas.width)
        files.append((f"{name}-{width}.svg", svg.encode()))
        remarks = drawn.remarks
    (wide, _), (narrow, _) = files
    said = " ".join(remarks)
    return DrawnAnswer(
        htpy.figure[
            htpy.picture[
                htpy.source(media="(min-width: 60rem)", srcset=wide),
                htpy.img(src=narrow, alt=visible(f"{of}, as in the table below")),
            ],
            htpy.figcaption[visible(said)] if said else None,
        ],
        tuple(files),
    )
