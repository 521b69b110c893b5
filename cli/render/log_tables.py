"""Tables of events, rulings, conduct, recommendations, penalties and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cli.desk.session import Desk
from cli.input.find_people import labelled, with_names
from cli.input.moments import time_in
from cli.languages.speaking import marked, tr, tr_of
from cli.render.game_tables import person_columns
from cli.render.records import show_records
from cli.terminal.output import say
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import how_many
from cli.wording.dispute_words import result_ruled
from cli.wording.event_words import about_in_words, in_words
from cli.wording.phrases import entered_by, official_in_words, table_in_words, who
from ledger.facts.office import NoteTaken
from ledger.tournament.state import Tournament
from projections.disputes import steps_in

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.tournament.table_records import Ruling


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
        Column(marked("table"), value=lambda each: table_in_words(tournament, each.match)),
        Column(marked("event"), right=True, value=lambda each: each.recorded.seq),
        Column(marked("time"), yields=1, value=lambda each: time_in(tournament, each.recorded.at)),
        Column(
            marked("entered by"),
            yields=2,
            flexible=True,
            value=lambda each: entered_by(each.recorded, tournament),
        ),
        prose(marked("what"), lambda each: in_words(each.recorded.event, tournament)),
    ]


def log_columns(tournament: Tournament, what: Callable[[Recorded], str]) -> list[Column]:
    """Return the columns of an event; `what` says it in words."""
    return [
        Column(marked("seq"), right=True),
        Column(marked("time"), yields=2, key="at", text=lambda each: time_in(tournament, each.at)),
        for_program("by"),
        Column(
            marked("who"), yields=1, flexible=True, value=lambda each: entered_by(each, tournament)
        ),
        for_program("type"),
        prose(marked("what"), what),
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


_EVENT = Column(marked("event"), right=True, key="seq")


def show_rulings(desk: Desk) -> None:
    """Print every ruling."""
    from projections.disputes import is_due, rulings_as_json, state_of

    tournament = desk.book.tournament
    columns = (
        _EVENT,
        Column(
            marked("table"),
            value=lambda each: (
                table_in_words(tournament, each.made.match) if each.made.match else ""
            ),
        ),
        Column(
            marked("official"),
            flexible=True,
            yields=1,
            value=lambda each: official_in_words(tournament, each.made.official),
        ),
        Column(marked("clause"), yields=2, value=lambda each: each.made.clause),
        prose(
            marked("ruling"),
            lambda each: f"{each.made.ruling}{result_ruled(each.made, tournament)}",
        ),
        Column(
            marked("state"),
            value=lambda each: ruling_state(state_of(each), each, is_due=is_due(tournament, each)),
        ),
    )
    rulings = tournament.floor.rulings
    if show_records(
        desk,
        columns,
        rulings,
        json=lambda: [with_names(tournament, each) for each in rulings_as_json(tournament)],
    ):
        say(how_many(len(rulings), "ruling"))


RULING_STATES = (marked("final"), marked("review asked"), marked("open to review"))
"""States of a ruling without a review."""


def ruling_state(state: str, ruling: Ruling, *, is_due: bool = False) -> str:
    """Say how far a ruling has come; `state` is how far its review has."""
    if is_due:
        return tr_of("state", "correction due")
    if ruling.reviewed_by:
        return tr("reviewed by {seq}", seq=ruling.reviewed_by)
    return tr_of("state", state)


def show_conduct(desk: Desk) -> None:
    """Print everything noted of conduct."""
    from projections.disputes import conduct_as_json

    by_default = desk.book.tournament.ruleset.floor.conduct.clause
    clause = Column(marked("clause"), yields=1, value=lambda row: row["clause"] or by_default)
    spectator = prose(marked("spectator"))._replace(optional=True)
    listed = conduct_as_json(desk.book.tournament)
    _show_on_players(
        desk,
        listed,
        spectator,
        Column(marked("kind"), text=lambda row: tr(row["kind"])),
        clause,
        prose(marked("remedy")),
    )


def show_recommendations(desk: Desk) -> None:
    """Print every recommended disqualification, and whether the organizer has carried it out."""
    from projections.disputes import recommendations_as_json

    listed = recommendations_as_json(desk.book.tournament)
    clause, why = Column(marked("clause"), yields=1), prose(marked("why"), key="reason")
    _show_on_players(desk, listed, clause, why, Column(marked("state")))


def show_penalties(desk: Desk) -> None:
    """Print every penalty."""
    from projections.disputes import penalties_as_json

    listed = penalties_as_json(desk.book.tournament)
    penalty, clause = (
        Column(marked("penalty"), key="kind", text=lambda row: tr(row["kind"])),
        Column(marked("clause"), yields=1),
    )
    _show_on_players(desk, listed, penalty, clause, prose(marked("for"), key="infraction"))


def _show_on_players(desk: Desk, listed: list[dict[str, object]], *columns: Column) -> None:
    """Print what is on record about players."""
    tournament = desk.book.tournament
    about = person_columns(tournament, itemgetter("player"), text=_player_or_spectator)
    records = [with_names(tournament, each) for each in listed]
    if show_records(desk, (_EVENT, *about, *columns), records):
        say(tr("{count} on record", count=len(listed)))


def _player_or_spectator(tournament: Tournament, number: int) -> str:
    return labelled(tournament, number) if number else tr("spectator")


def show_notes(desk: Desk) -> None:
    """Print every note, whole."""
    from projections.disputes import notes_as_json

    tournament = desk.book.tournament
    notes = notes_of(tournament)
    if show_records(
        desk,
        note_columns(tournament),
        notes,
        json=lambda: [with_names(tournament, each) for each in notes_as_json(tournament)],
    ):
        say(how_many(len(notes), "note"))


def notes_of(tournament: Tournament) -> list[Recorded]:
    """List the notes."""
    return [each for each in tournament.floor.notes if isinstance(each.event, NoteTaken)]


def note_columns(tournament: Tournament) -> list[Column]:
    """Return the columns of a note: its event, who took it, what it is on, what it says."""
    return [
        _EVENT,
        for_program("at"),
        for_program("by"),
        Column(marked("who"), flexible=True, yields=1, value=lambda each: who(each.by, tournament)),
        Column(
            marked("on"),
            flexible=True,
            value=lambda each: about_in_words(tournament, each.event.match, each.event.player),
        ),
        prose(marked("note"), lambda each: each.event.text),
    ]
