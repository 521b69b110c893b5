"""Tables of rulings, conduct, recommendations, penalties and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.people import labelled, with_names
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json, show_table
from cli.terminal.tables import Column
from cli.terminal.visible import visible
from cli.wording.event_words import who
from cli.wording.floor_words import about_in_words, official_in_words, result_ruled, table_in_words
from ledger.events.office import NoteTaken

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

_RULINGS = (
    Column("event", right=True),
    Column("table"),
    Column("official", flexible=True, yields=1),
    Column("clause", yields=2),
    Column("ruling", flexible=True, wraps=True),
    Column("state"),
)
_CONDUCT = (
    Column("event", right=True),
    Column("player", flexible=True),
    Column("kind"),
    Column("remedy", flexible=True, wraps=True),
)
_RECOMMENDED = (
    Column("event", right=True),
    Column("player", flexible=True),
    Column("clause", yields=1),
    Column("why", flexible=True, wraps=True),
    Column("state"),
)
NOTES = (
    Column("event", right=True),
    Column("who", flexible=True, yields=1),
    Column("on", flexible=True),
    Column("note", flexible=True, wraps=True),
)
_PENALTIES = (
    Column("event", right=True),
    Column("player", flexible=True),
    Column("penalty"),
    Column("clause", yields=1),
    Column("for", flexible=True, wraps=True),
)


def show_rulings(tournament: Tournament, *, json: bool) -> None:
    """Print every ruling."""
    from projections.matches.rulings import is_due, rulings_as_json, state_of

    if json:
        show_json([with_names(tournament, each) for each in rulings_as_json(tournament)])
        return
    made = tournament.floor.rulings
    rows = [
        [
            str(each.seq),
            table_in_words(tournament, each.made.match) if each.made.match else "",
            official_in_words(tournament, each.made.official),
            each.made.clause,
            f"{each.made.ruling}{result_ruled(each.made, tournament)}",
            "correction due" if is_due(tournament, each) else state_of(each),
        ]
        for each in made
    ]
    show_table(_RULINGS, rows)
    say(how_many(len(made), "ruling"))


def show_conduct(tournament: Tournament, *, json: bool) -> None:
    """Print everything noted of conduct."""
    from projections.matches.rulings import conduct_as_json

    noted = conduct_as_json(tournament)
    _show(tournament, noted, _CONDUCT, ("kind", "remedy"), json=json)


def show_recommendations(tournament: Tournament, *, json: bool) -> None:
    """Print every recommended disqualification, and whether the organizer has carried it out."""
    from projections.matches.rulings import recommendations_as_json

    given = recommendations_as_json(tournament)
    _show(tournament, given, _RECOMMENDED, ("clause", "reason", "state"), json=json)


def show_penalties(tournament: Tournament, *, json: bool) -> None:
    """Print every penalty."""
    from projections.matches.rulings import penalties_as_json

    given = penalties_as_json(tournament)
    _show(tournament, given, _PENALTIES, ("kind", "clause", "infraction"), json=json)


def show_notes(tournament: Tournament, *, json: bool) -> None:
    """Print every note, whole."""
    from projections.matches.rulings import notes_as_json

    if json:
        show_json([with_names(tournament, each) for each in notes_as_json(tournament)])
        return
    rows = note_rows(tournament)
    if rows:
        show_table(NOTES, rows)
    say(how_many(len(rows), "note"))


def note_rows(tournament: Tournament) -> list[list[str]]:
    """Make a row of each note: its event, who took it, what it is on, what it says."""
    return [
        [
            str(each.seq),
            who(each.by, tournament),
            about_in_words(tournament, each.event.match, each.event.player),
            visible(each.event.text),
        ]
        for each in tournament.floor.notes
        if isinstance(each.event, NoteTaken)
    ]


def _show(
    tournament: Tournament,
    listed: list[dict[str, object]],
    columns: tuple[Column, ...],
    members: tuple[str, ...],
    *,
    json: bool,
) -> None:
    if json:
        show_json([with_names(tournament, each) for each in listed])
        return
    rows = [
        [str(each["seq"]), labelled(tournament, int(str(each["player"])))]
        + [str(each[name]) for name in members]
        for each in listed
    ]
    show_table(columns, rows)
    say(f"{len(listed)} on the record")
