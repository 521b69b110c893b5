"""The desk's page of the log: every act, filtered, and the whole day at any of its moments.

The reader makes this page, because a filter reads every event. With `at` it shows the
tournament after that event, read only.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import htpy

from cli.input.find_people import plain
from cli.input.moments import time_in
from cli.languages.speaking import marked, tr, tr_many, tr_of
from cli.render.elements import records_table, table_of, tr_nodes
from cli.render.game_tables import counted_in_words, pairing_columns, standings_columns
from cli.serve.pages.frame import moment_in_words, way_to
from cli.serve.pages.organizer.desk import desk_round, tabbed
from cli.serve.pages.organizer.lines import DIGITS_MAX
from cli.serve.pages.organizer.steps import stepper
from cli.terminal.tables import Column, prose
from cli.terminal.visible import visible
from cli.wording.event_words import in_words
from cli.wording.phrases import result_in_words, source
from ledger.errors import LedgerError
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.tournament.progress import find_match, latest_round
from projections.standings.table import everyone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from htpy import Node

    from cli.serve.pages.organizer.lines import Sight
    from ledger.books.open_log import OpenLog
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

ROWS = 100
"""Events on one page."""

KINDS = (
    ("", marked("all acts")),
    ("result", marked("results")),
    ("correct", marked("corrections")),
    ("round", marked("rounds and pairings")),
    ("player", marked("players")),
    ("dispute", marked("disputes, rulings and penalties")),
    ("posted", marked("postings")),
    ("official", marked("officials, links and keys")),
)
"""Kinds of events that the filter offers."""

IN_TYPE = {
    "result": ("Result",),
    "correct": ("ResultCorrected", "Withdrawn", "Amended", "Renamed"),
    "round": (
        *("Round", "Seat", "Table", "Time", "Pace", "Structure", "Started", "Finished"),
        *("Cut", "Qualifier", "Replacement", "Forfeited", "Drawn", "Chosen", "Side", "Terrain"),
    ),
    "player": ("Player", "Person", "Registr", "CheckIn", "CheckedIn", "List", "Deck", "Exclusive"),
    "dispute": (
        *("Dispute", "Ruling", "Appeal", "Penalty", "Conduct", "Disqualif", "Note"),
        *("JudgeCalled", "CallAnswered"),
    ),
    "posted": ("Posted",),
    "official": ("Official", "Link", "Key", "PlainHttp", "Names", "Fork", "Head", "Desk"),
}
"""Parts of the names of a kind's event types."""


def log_page(sight: Sight) -> Node:
    """Return the page: the filter, the moment, and the events, newest first."""
    words, book = sight.words, sight.desk.book
    size = len(book.lines)
    at = min(_number(words.get("at", "")), size)
    tournament = book.at(at) if at else sight.tournament
    return tabbed(
        sight,
        "/desk/log",
        htpy.form(method="get", action="desk/log", class_="filter row", role="search")[
            _field("who", tr("Person"), words),
            _field("table", tr("Table (4 or 2/7)"), words),
            htpy.label(class_="field")[
                htpy.span[tr("Kind")],
                htpy.select(name="kind")[
                    (
                        htpy.option(value=kind, selected=kind == words.get("kind", ""))[tr(title)]
                        for kind, title in KINDS
                    )
                ],
            ],
            htpy.button(type="submit")[tr_of("button", "Filter")],
        ],
        _slider(book, at, tournament),
        _moment(book, at, tournament) if at else _events(sight, size),
    )


def _number(words: str) -> int:
    is_number = words.isascii() and words.isdecimal() and len(words) < DIGITS_MAX
    return int(words) if is_number else 0


def _field(name: str, label: str, words: Mapping[str, str]) -> Node:
    value = words.get(name, "")
    return htpy.label(class_="field")[
        htpy.span[label],
        htpy.input(type="text", name=name, value=visible(value), size="10", autocomplete="off"),
    ]


def _slider(book: OpenLog, at: int, tournament: Tournament) -> Node:
    """Return the slider that leads to a moment; without a script its button does.

    `at` is 0 for now; `tournament` is as it was at the moment.
    """
    size = len(book.lines)
    moment = at or size
    clock = time_in(tournament, book.recorded_at(moment).at)
    return htpy.form(method="get", action="desk/log", class_="moment row", id="moment")[
        htpy.label(class_="field wide")[
            htpy.span[
                tr_nodes(
                    "The day up to event number {number}",
                    number=htpy.output(id="moment-at")[str(moment)],
                )
            ],
            htpy.span[moment_in_words(moment, _round_number(tournament), clock)],
            htpy.input(type="range", name="at", min="1", max=str(size), value=str(moment)),
        ],
        htpy.button(type="submit")[tr("Show this moment")],
        htpy.a(class_="button", href="desk/log")[tr("Now")] if at else None,
    ]


def _round_number(tournament: Tournament) -> int:
    played = latest_round(tournament)
    return played.number if played else 0


def _moment(book: OpenLog, at: int, tournament: Tournament) -> Node:
    """Return the tournament after an event."""
    recorded = book.recorded_at(at)
    played = latest_round(tournament)
    return htpy.section(class_="past", aria_label=tr("The day after event {number}", number=at))[
        htpy.h2[
            tr(
                "After event {number}, {time}: read only",
                number=at,
                time=time_in(tournament, recorded.at),
            )
        ],
        htpy.p[in_words(recorded.event, tournament)],
        stepper(tournament),
        desk_round(tournament),
        records_table(
            pairing_columns(tournament, for_players=True), played.matches, heading="player"
        )
        if played
        else None,
        _standings(tournament),
        htpy.p(class_="about")[
            tr_many("{count} player in play", "{count} players in play", len(tournament.active()))
        ],
    ]


def _standings(tournament: Tournament) -> Node:
    try:
        table = everyone(tournament)
    except LedgerError:
        return None
    if not table.rows or not tournament.rounds:
        return None
    return [
        htpy.h3[tr("Standings")],
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        records_table(standings_columns(tournament, table), table.rows, heading="player"),
    ]


def _events(sight: Sight, size: int) -> Node:
    """Return the newest events that fit the filter."""
    words, book, tournament = sight.words, sight.desk.book, sight.tournament
    before = _number(words.get("before", "")) or size + 1
    fits = _filter(sight)
    events = (book.recorded_at(seq) for seq in range(min(before, size + 1) - 1, 0, -1))
    recent = list(islice((recorded for recorded in events if fits(recorded)), ROWS + 1))
    rows = recent[:ROWS]
    columns = [
        Column(marked("event"), right=True, value=lambda recorded: str(recorded.seq)),
        Column(marked("time"), value=lambda recorded: time_in(tournament, recorded.at)),
        Column(
            marked("entered by"), flexible=True, value=lambda recorded: source(recorded, tournament)
        ),
        prose(marked("what"), lambda recorded: in_words(recorded.event, tournament)),
        prose(marked("before"), lambda recorded: _before(book, tournament, recorded)),
    ]
    filtered = {name: words[name] for name in ("who", "table", "kind") if words.get(name)}
    older = urlencode({**filtered, "before": str(rows[-1].seq)}) if recent[ROWS:] else ""
    return [
        htpy.p(class_="about")[
            tr_many("{count} event on record", "{count} events on record", size)
        ],
        table_of(
            columns,
            [[column.text_of(recorded) for column in columns] for recorded in rows],
            heading="event",
            cell=_linked_cell,
        ),
        way_to(f"desk/log?{older}", tr("Older events")) if older else None,
        None if rows else htpy.p[tr("No event fits.")],
    ]


def _linked_cell(title: str, text: str) -> Node:
    if title == "event":
        return htpy.a(href=f"desk/log?at={text}", title=tr("Show the day up to here"))[text]
    return text


def _before(book: OpenLog, tournament: Tournament, recorded: Recorded) -> str:
    """Return what a correction replaced; empty for another event."""
    event = recorded.event
    if not isinstance(event, ResultCorrected):
        return ""
    replaced = book.recorded_at(event.corrects).event
    match = find_match(tournament, event.match)
    if match is None or not isinstance(replaced, ResultReported | ResultCorrected):
        return ""
    return result_in_words(tournament, match, replaced.result)


def _filter(sight: Sight) -> Callable[[Recorded], bool]:
    """Return whether an event fits the person, the table and the kind of the filter."""
    tournament, words = sight.tournament, sight.words
    person, table = plain(words.get("who", "")).split(), words.get("table", "").strip()
    types = IN_TYPE.get(words.get("kind", ""), ())
    matches = set(_matches(tournament, table)) if table else set[int]()

    def fits(recorded: Recorded) -> bool:
        if types and not any(part in recorded.type for part in types):
            return False
        if table and getattr(recorded.event, "match", 0) not in matches:
            return False
        if not person:
            return True
        text = f"{in_words(recorded.event, tournament)} {source(recorded, tournament)}"
        plain_text = plain(text)
        return all(word in plain_text for word in person)

    return fits


def _matches(tournament: Tournament, words: str) -> Iterator[int]:
    """Yield the matches at a table: of one round as `2/7`, else of all rounds."""
    round_, _, table = words.rpartition("/")
    for played in tournament.rounds:
        if round_ in ("", str(played.number)):
            yield from (match.number for match in played.matches if str(match.table) == table)
