"""Events as a table: which, when, by whom, and what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.places import time_in
from cli.terminal.output import show_table
from cli.terminal.tables import Column
from cli.wording.event_words import who

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.lines.line import Recorded
    from ledger.tournament.state import Tournament

_COLUMNS = (
    Column("seq", right=True),
    Column("time", yields=2),
    Column("who", yields=1, flexible=True),
    Column("what", flexible=True, wraps=True),
)


def show_log(
    tournament: Tournament, log: Iterable[Recorded], what: Callable[[Recorded], str]
) -> None:
    """Print events in order; `what` says each in words."""
    show_table(
        _COLUMNS,
        [
            [
                str(each.seq),
                time_in(tournament, each.at),
                who(each.by, tournament),
                what(each),
            ]
            for each in log
        ],
    )
