"""The named questions of a season, one file of SQL each, and what each says of itself.

A file begins with a header in TOML, as comments, and goes on with one SELECT over the season's
tables: it can be asked as it stands, by any tool that knows the words of `macros.sql`. A question
may read the variable `person`: whom it is asked about, NULL for everybody. Every answer has one
order for all, by its own columns.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

_FOLDER = Path(__file__).parent.parent / "questions"
_COMMENT = "--"

Unit = Literal["text", "person", "day", "count", "number", "share", "points", "minutes", "place"]
"""What a column counts in; a share is between 0 and 1, a person a pseudonym."""

Kind = Literal["intervals", "grid", "stack", "columns", "bars", "lines", "diagonal"]


class AnswerColumn(NamedTuple):
    """A column of an answer: its name, unit and meaning."""

    name: str
    unit: Unit
    meaning: str


class Plot(Struct, frozen=True, forbid_unknown_fields=True):
    """How an answer is drawn; from x to facet, a member names a column.

    `intervals`: a dot for `value` from `low` to `high` (what lies `between` them), a line for each
    `y`, with what `also` says beside it; `grid`: `value` as the colour of a cell; `stack`: `parts`
    as shares of a bar for each `y`; `columns`: `parts` upon another over `x`; `bars`: `value` as a
    bar for each `y`; `lines`: `value` over `x`, a chart for each `color`; `diagonal`: `value`
    against the `x` that was expected. `counts`: what a mark rests on. `facet`: one picture for
    each of its values. `middle`: where nobody is ahead.
    """

    kind: Kind
    x: str = ""
    y: str = ""
    also: str = ""
    value: str = ""
    low: str = ""
    high: str = ""
    parts: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    color: str = ""
    facet: str = ""
    middle: float | None = None
    between: str = "with 95 % interval"


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A named question: what it asks, what its columns mean, and how to draw the answer."""

    title: str
    answers: str
    columns: tuple[AnswerColumn, ...]
    plot: Plot | None = None
    minimum: int = 0
    """A row of fewer games says little; 0: no row rests on games."""
    name: str = ""
    select: str = ""
    """What gives the rows, in any order."""
    order: str = ""
    """What the rows are ordered by."""

    @property
    def sql(self) -> str:
        """The question as it can be asked."""
        return f"{self.select}\nORDER BY {self.order}"

    @property
    def asks_of_person(self) -> bool:
        """Whether it can be asked about one person."""
        return "getvariable('person')" in self.select


@cache
def questions() -> tuple[Question, ...]:
    """List every question, by name."""
    return tuple(map(_read, sorted(_FOLDER.glob("*/*.sql"), key=lambda path: path.name)))


def _read(path: Path) -> Question:
    header, _, asked = path.read_text("utf-8").partition("\n\n")
    lines = (line.removeprefix(_COMMENT).removeprefix(" ") for line in header.splitlines())
    question = msgspec.toml.decode("\n".join(lines), type=Question)
    select, _, order = asked.rstrip().rpartition("\nORDER BY ")
    return msgspec.structs.replace(question, name=path.stem, select=select, order=order)
