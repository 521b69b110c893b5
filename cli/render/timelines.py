"""The timeline of a match as a picture: who entered each event, and who learned of it.

Each player, the desk, the judges and the public have a row. Every event is a numbered mark: filled
in the row of its author, a ring in the rows of those it reached. The list below the picture has the
same numbers, with the time, the text and the names: it is the picture's alternative in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import cut_name, labels
from cli.input.moments import time_in
from cli.languages.speaking import tr
from cli.render.dispute_tables import event_of_match, heading_of
from cli.render.elements import unbroken, web_page
from cli.terminal.visible import isolated, marking_names, visible
from projections.matches import DESK, JUDGE, PUBLIC, timeline_of

if TYPE_CHECKING:
    from htpy import Node

    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament
    from projections.matches import TimelineStep

COLUMNS = 12
"""Number of marks side by side: as many as the width of a phone has room for."""

STEP, LEFT, LANE, TOP, RADIUS = 25, 16, 31, 14, 8
"""Distances of the picture, in its own units, which are pixels on a phone."""

WIDTH = LEFT * 2 + STEP * (COLUMNS - 1)
LABEL_CELLS = 34

TIMELINE_STYLE = """
@page { margin: 12mm; }
body { max-width: 46rem; padding-top: 1rem; }
"""


def rows_of_match(tournament: Tournament, match: Match) -> dict[str, str]:
    """Return the rows of the picture with their labels."""
    players = {f"p{player}": cut_name(tournament, player, LABEL_CELLS) for player in match.players}
    return {
        **players,
        DESK: tr("desk"),
        JUDGE: tr("judge or marshal"),
        PUBLIC: tr("public (posted)"),
    }


def timeline(tournament: Tournament, match: Match, story: Sequence[Recorded]) -> Node:
    """Return the picture of a match's story, its legend, and its events as a list."""
    steps = timeline_of(tournament, match, story)
    if not steps:
        return None
    rows = rows_of_match(tournament, match)
    return htpy.figure(class_="timeline", id="timeline")[
        (
            _picture(tournament, rows, steps[begin : begin + COLUMNS], place)
            for place, begin in enumerate(range(0, len(steps), COLUMNS))
        ),
        htpy.figcaption[
            tr(
                "Each number is an event of the list below. A filled mark is in the row of its "
                "author; if the desk entered the event for a player, the author is that player. "
                "Rings are in the rows that learned of the event by the log."
            )
        ],
        htpy.ol[(htpy.li[unbroken(_in_words(tournament, match, rows, step))] for step in steps)],
    ]


def _in_words(
    tournament: Tournament, match: Match, rows: dict[str, str], step: TimelineStep
) -> str:
    """Say an event of the picture: `13:08:11, event 223, judge, to Ann, Bob and desk: ...`."""
    when = time_in(tournament, step.recorded.at)
    reached = [label for row, label in rows.items() if row in step.reached]
    to = tr("; learned by {rows}", rows=", ".join(reached)) if reached else ""
    where = tr(
        "{time}, event {seq}, by {author}{learned}",
        time=when,
        seq=step.recorded.seq,
        author=rows[step.author],
        learned=to,
    )
    text = visible(event_of_match(step.recorded, match, tournament))
    return tr("{label}: {text}", label=where, text=text)


def _picture(
    tournament: Tournament, rows: dict[str, str], steps: Sequence[TimelineStep], place: int
) -> Node:
    """Draw up to `COLUMNS` events; a longer story has several pictures, one below the other."""
    height = TOP + LANE * len(rows) + TOP
    first, last = steps[0], steps[-1]
    about = tr(
        "Timeline: events {first} to {last} of the list below, by the rows of {count}: {rows}",
        first=first.number,
        last=last.number,
        count=len(rows),
        rows=", ".join(rows.values()),
    )
    return htpy.svg(
        {"viewBox": f"0 0 {WIDTH} {height}"},
        role="img",
        aria_label=about,
        width=str(WIDTH),
        height=str(height),
        font_size="11",
        fill="currentColor",
        class_="timeline",
    )[
        (_row(line) for line in range(len(rows))),
        (_mark(list(rows), step, column) for column, step in enumerate(steps)),
        (_label(label, line) for line, label in enumerate(rows.values())),
        _clock(time_in(tournament, first.recorded.at), LEFT - RADIUS, height, "start"),
        _clock(time_in(tournament, last.recorded.at), WIDTH - LEFT + RADIUS, height, "end")
        if last is not first
        else None,
        htpy.title[tr("Timeline, part {part}", part=place + 1)],
    ]


def _height_of(line: int) -> int:
    return TOP + LANE * line + LANE // 2 + 5


def _row(line: int) -> Node:
    height = str(_height_of(line))
    return htpy.line(
        x1=str(LEFT - RADIUS),
        x2=str(WIDTH - LEFT + RADIUS),
        y1=height,
        y2=height,
        stroke="currentColor",
        stroke_opacity=".35",
    )


def _label(label: str, line: int) -> Node:
    height = _height_of(line) - RADIUS - 4
    return htpy.text(x=str(LEFT - RADIUS), y=str(height), class_="label")[label]


def _mark(rows: Sequence[str], step: TimelineStep, column: int) -> Iterator[Node]:
    """Draw an event: a line between the rows that it touches, and a mark in each of them."""
    x = LEFT + STEP * column
    touched = [line for line, row in enumerate(rows) if row in {step.author, *step.reached}]
    yield htpy.line(
        x1=str(x),
        x2=str(x),
        y1=str(_height_of(touched[0])),
        y2=str(_height_of(touched[-1])),
        stroke="currentColor",
        stroke_dasharray="2 2",
    )
    for line in touched:
        is_author = rows[line] == step.author
        radius = RADIUS if is_author else RADIUS // 2
        yield htpy.circle(
            cx=str(x),
            cy=str(_height_of(line)),
            r=str(radius),
            stroke="currentColor",
            stroke_width="1.5",
            class_="author" if is_author else "reached",
        )
        if is_author:
            yield htpy.text(
                x=str(x), y=str(_height_of(line) + 3), text_anchor="middle", class_="number"
            )[str(step.number)]


def _clock(text: str, x: int, height: int, anchor: str) -> Node:
    return htpy.text(x=str(x), y=str(height - 2), text_anchor=anchor)[text]


@marking_names()
def timeline_page(tournament: Tournament, match: Match, story: Sequence[Recorded]) -> str:
    """Return a page with the timeline of a match."""
    opening = tournament.opening
    title = tr(
        "Timeline of {round}/{table}: {players}",
        round=match.round,
        table=match.table,
        players=labels(tournament, match.players, tr(" and ")),
    )
    name = f"{isolated(visible(opening.name))}, {opening.date}" if opening else ""
    body: list[Node] = [
        htpy.h1[visible(title)],
        htpy.p(class_="about")[unbroken(name)],
        htpy.p[unbroken(visible(heading_of(tournament, match)))],
        timeline(tournament, match, story),
    ]
    return web_page(visible(title), TIMELINE_STYLE, body)
