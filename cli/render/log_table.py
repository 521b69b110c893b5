"""Events as a table: which, when, by whom, and what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.input.places import time_in
from cli.render.records import show_records
from cli.terminal.tables import Column, for_program, prose
from cli.wording.phrases import who
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


def show_log(
    desk: Desk,
    tournament: Tournament,
    log: Iterable[Recorded],
    what: Callable[[Recorded], str],
    json: Callable[[], object] | None = None,
) -> bool:
    """Show events in order; `what` says each in words. Returns whether a person reads them."""
    columns = (
        Column("seq", right=True),
        Column("time", yields=2, key="at", text=lambda each: time_in(tournament, each.at)),
        for_program("by"),
        Column("who", yields=1, flexible=True, value=lambda each: who(each.by, tournament)),
        for_program("type"),
        prose("what", what),
    )
    return show_records(desk, columns, log, json=json)
