"""Records and columns: from here come a person's table, a script's JSON and a spreadsheet's CSV.

A verb says which records there are and how their columns are read; which of the three is wanted
is an option of the line, and no verb's to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.languages.speaking import ENGLISH, speaking, tr
from cli.terminal.output import (
    say,
    show,
    show_csv,
    show_json,
    show_json_rows,
    show_prose,
    show_table,
)

if TYPE_CHECKING:
    from cli.terminal.tables import Column

CUT_LINE = "---"

Function = TypeVar("Function", bound="Callable[..., None]")


def shows_table(function: Function) -> Function:
    """Mark a verb that takes --csv; of any other it is refused before anything is done."""
    function.shows_table = True  # type: ignore[attr-defined] # read by `cli.main`
    return function


def show_records(  # noqa: PLR0913 - each says how a table differs from a plain one
    desk: Desk,
    columns: Sequence[Column],
    records: Iterable[Any],
    *,
    json: Callable[[], object] | None = None,
    by: Callable[[Any], str] | None = None,
    line_after: int = 0,
    quiet: Callable[[Any], bool] | None = None,
    empty: str = "",
) -> bool:
    """Print records as the line asks for them; return whether a person is to read them.

    `json` gives what a script gets, all at once or one by one; else that is the records. `by`
    gives the title above the records of a person's table that have it in common, `line_after` after
    how many rows a line is drawn; `quiet` says which rows are grey. `empty` is said to a person
    where there is no record.
    """
    if desk.json:
        with speaking(ENGLISH):
            _show_as_json(records if json is None else json())
    elif desk.options.format == "csv":
        some = [each for each in columns if each.only != "person"]
        rows = ([column.value_of(record) for column in some] for record in records)
        with speaking(ENGLISH):
            show_csv([column.name for column in some], rows)
    else:
        count = 0
        for title, group in groupby(records, by) if by else [("", records)]:
            show_prose(*([title] if title else []))
            listed = list(group)
            count += len(listed)
            read, cells = as_read(columns, listed)
            grey = [quiet(each) for each in listed] if quiet else []
            if 0 < line_after < len(cells):
                cells.insert(line_after, [CUT_LINE] * len(read))
                grey.insert(line_after, False)
            show_table(read, cells, grey)
            show(*([""] if title else []))
        if empty and not count:
            say(empty)
    return desk.options.for_person


def show_value(desk: Desk, value: object, *lines: str) -> None:
    """Print a value for a script; for anybody else the lines in its place."""
    if desk.json:
        show_json(value)
    else:
        show_prose(*lines)


def refuse_csv(desk: Desk, option: str) -> None:
    """Refuse an option that gives something else than a table.

    UsageError where a spreadsheet was asked for.
    """
    if desk.options.format == "csv":
        raise UsageError(tr("{option} and --csv: choose one", option=option))


def as_read(
    columns: Sequence[Column], records: Iterable[Any]
) -> tuple[list[Column], list[list[str]]]:
    """Return the columns that a person reads, and their cells of each record.

    The cells are bold themselves, so that the columns may be read of them once more.
    """
    some = [each for each in columns if each.only != "program"]
    rows = [[column.text_of(record) for column in some] for record in records]
    empty = {
        place
        for place, column in enumerate(some)
        if column.optional and not any(row[place] for row in rows)
    }
    if empty:
        some = [each for place, each in enumerate(some) if place not in empty]
        rows = [[cell for place, cell in enumerate(row) if place not in empty] for row in rows]
    return [each._replace(strong=None) for each in some], rows


def _show_as_json(value: object) -> None:
    if isinstance(value, Iterator):
        show_json_rows(value)
    else:
        show_json(value)
