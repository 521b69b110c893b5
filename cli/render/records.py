"""Records and columns: from here come a person's table, a script's JSON and a spreadsheet's CSV.

A verb says which records there are and how their columns are read; which of the three is wanted
is an option of the line, and no verb's to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from cli.terminal.output import show, show_csv, show_json, show_json_rows, show_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cli.desk.session import Desk
    from cli.terminal.tables import Column

Function = TypeVar("Function", bound="Callable[..., None]")


def shows_table(function: Function) -> Function:
    """Mark a verb that takes --csv; of any other it is refused before anything is done."""
    function.shows_table = True  # type: ignore[attr-defined] # read by `cli.main`
    return function


def show_records(
    desk: Desk,
    columns: Sequence[Column],
    records: Iterable[Any],
    *,
    json: Callable[[], object] | None = None,
    by: Callable[[Any], str] | None = None,
) -> bool:
    """Print records as the line asks for them; return whether a person is to read them.

    `json` gives what a script gets, all at once or one by one; else that is the records. `by`
    gives the title above the records of a person's table that have it in common.
    """
    if desk.options.json:
        _show_as_json(records if json is None else json())
    elif desk.options.csv:
        some = [each for each in columns if each.only != "person"]
        rows = ([column.value_of(record) for column in some] for record in records)
        show_csv([column.name for column in some], rows)
    else:
        some = [each for each in columns if each.only != "program"]
        for title, group in groupby(records, by) if by else [("", records)]:
            show(*([title] if title else []))
            show_table(some, ([column.text_of(record) for column in some] for record in group))
            show(*([""] if title else []))
    return desk.options.for_person


def _show_as_json(value: object) -> None:
    if isinstance(value, Iterator):
        show_json_rows(value)
    else:
        show_json(value)
