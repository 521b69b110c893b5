"""Events as a table: which, when, by whom, and what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cli.desk.session import Desk
from cli.input.places import time_in
from cli.render.records import show_records
from cli.terminal.tables import Column, for_program, prose
from cli.wording.event_words import in_words
from cli.wording.phrases import entered_by, table_in_words
from ledger.tournament.state import Tournament
from projections.matches.dispute_status import steps_in

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


class StepOfDispute(NamedTuple):
    """An event of a dispute, and the match that it is about."""

    match: int
    recorded: Recorded


def steps_of(tournament: Tournament, log: Sequence[Recorded]) -> list[StepOfDispute]:
    """List every dispute event by event, from the report to what settled it."""
    return [
        StepOfDispute(dispute.match, each)
        for dispute in tournament.floor.disputes
        for each in steps_in(tournament, dispute, log)
    ]


def step_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a dispute's events: where, when, who typed it, and what."""
    return [
        Column("table", value=lambda each: table_in_words(tournament, each.match)),
        Column("event", right=True, value=lambda each: each.recorded.seq),
        Column("time", yields=1, value=lambda each: time_in(tournament, each.recorded.at)),
        Column(
            "entered by",
            yields=2,
            flexible=True,
            value=lambda each: entered_by(each.recorded, tournament),
        ),
        prose("what", lambda each: in_words(each.recorded.event, tournament)),
    ]


def log_columns(tournament: Tournament, what: Callable[[Recorded], str]) -> list[Column]:
    """Return the columns of an event; `what` says it in words."""
    return [
        Column("seq", right=True),
        Column("time", yields=2, key="at", text=lambda each: time_in(tournament, each.at)),
        for_program("by"),
        Column("who", yields=1, flexible=True, value=lambda each: entered_by(each, tournament)),
        for_program("type"),
        prose("what", what),
    ]


def show_log(
    desk: Desk,
    tournament: Tournament,
    log: Iterable[Recorded],
    what: Callable[[Recorded], str],
    json: Callable[[], object] | None = None,
) -> bool:
    """Show events in order; `what` says each in words. Returns whether a person reads them."""
    return show_records(desk, log_columns(tournament, what), log, json=json)
