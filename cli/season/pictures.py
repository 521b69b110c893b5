"""Pictures of answers, with what they show of which tournaments under the title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.counting import first_of, how_many
from cli.terminal.visible import visible
from ledger.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from projections.season.asking.filters import Extent, Filters
    from projections.season.questions import Question


def tournaments_in_words(filters: Filters, seen: Extent) -> str:
    """Which tournaments were looked at, and how many they are."""
    asked = filters.in_words() or "all of the season"
    several = f" to {seen.last}" if seen.last != seen.first else ""
    days = f", {seen.first}{several}" if seen.first else ""
    counted = f"{how_many(seen.tournaments, 'tournament')}, {how_many(seen.games, 'game')} played"
    return f"{asked[0].upper()}{asked[1:]}: {counted}{days}"


def rows_in_words(shown: int, count: int, thing: str) -> str:
    """What is added to that where a picture is of the first rows alone."""
    return f"; {first_of(shown, count, thing)}" if shown < count else ""


def draw(
    path: Path,
    question: Question,
    rows: Sequence[Sequence[object]],
    names: Mapping[str, str],
    of: str,
) -> None:
    """Draw an answer into a file, with a line on what was looked at.

    Raises:
        Refused: there is no picture of such an answer, or none of these rows.
    """
    from projections.season.pictures.charts import chart
    from projections.season.pictures.picture_files import write_plot

    if question.plot is None:
        name = question.name or question.title
        raise Refused(f"{name} is read better as a table: there is no picture of it")
    # What draws ends the whole program over a control character.
    shown = [[visible(each) if isinstance(each, str) else each for each in row] for row in rows]
    called = {person: visible(name) for person, name in names.items()}
    write_plot(path, chart(question, question.plot, shown, called, visible(of)))
