"""The desk's first page: the steps of the day, the tables of the round, and open requests.

The part that follows the log consists of pieces, each with a `data-key`, so that the script
replaces only the pieces that changed. Forms that depend on the moment are among them. This module
also has the frame of all pages of the desk, with tabs and the field for lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.desk.guide import round_in_words
from cli.input.find_people import labelled
from cli.input.reports import explained
from cli.languages.speaking import marked, tr, tr_many, tr_of
from cli.machine.noticed import noticed
from cli.render.elements import tr_nodes
from cli.render.round_clock import clock_state, reported_in_words, time_left
from cli.serve.pages.frame import from_base, way_to
from cli.serve.pages.organizer.answers import undo_form, with_undo
from cli.serve.pages.organizer.day_forms import DAY_FORMS
from cli.serve.pages.organizer.lines import (
    DIGITS_MAX,
    DOOR_FORMS,
    ROUND_FORMS,
    act_forms,
    announcement,
    carried,
    hidden,
    is_offered,
    names_offered,
    not_now,
    refilled,
)
from cli.serve.pages.organizer.results import changed_tables, rows_around, table_rows
from cli.serve.pages.organizer.steps import primary, stepper
from cli.serve.pages.organizer.waiting import match_link, waiting
from cli.serve.pages.restored.desk_page import words_panel
from cli.succession.acts_of_desks import last_take_over
from cli.wording.event_words import in_words
from cli.wording.phrases import source
from ledger.tournament.progress import (
    absent_players,
    check_in_now,
    latest_round,
    round_in_play,
)
from ledger.tournament.round_clock import clock

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.organizer.lines import LineForm, Sight
    from ledger.lines.recorded import Recorded
    from ledger.tournament.round_clock import TableClock
    from ledger.tournament.state import Round, Tournament


ANSWERING = frozenset({"resume", "cut-accept", "cut-decline", "check-in-close"})
"""Forms that answer to the moment: they are in the open whenever they can be used."""

CLOSE_FORM = DAY_FORMS["close"]

DUE = frozenset({"round-start", "pair", "cut", "finish"})
"""Those that are one step of the day: each is there when it is the next, and at no other time."""


def answering(sight: Sight, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return those forms that answer to the moment, and can be used now."""
    return [form for form in forms if form.name in ANSWERING and is_offered(sight, form)]


def lasting(forms: Iterable[LineForm]) -> list[LineForm]:
    """Return the forms of acts at any time, without the steps of the day."""
    return [form for form in forms if form.name not in ANSWERING and form.name not in DUE]


ABSENT_MAX = 40
"""Absent players who are named."""

LATEST = 8
"""Events that are shown as the latest."""

TABS = (
    ("/desk", marked("Tables")),
    ("/desk/players", marked("Players")),
    ("/desk/round", marked("Round")),
    ("/desk/standings", marked("Standings")),
    ("/desk/bracket", marked("Bracket")),
    ("/desk/log", marked("Log")),
    ("/desk/print", marked("Print")),
    ("/desk/settings", marked("Settings")),
)
"""The desk's pages, as its tabs show them."""


def tabbed(sight: Sight, current: str, *content: Node) -> Node:
    """Return a page of the desk: its tabs, the palette, the answer, and the content."""
    return [
        htpy.nav(class_="tabs", aria_label=tr("The desk"))[
            (
                htpy.a(href=from_base(path), aria_current="page" if path == current else None)[
                    tr(title)
                ]
                for path, title in TABS
            )
        ],
        palette(sight),
        htpy.div(data_key="said")[with_undo(sight)],
        content,
        names_offered(sight),
    ]


def palette(sight: Sight) -> Node:
    """Return the field for lines, folded: Ctrl-K or `/` opens it."""
    return htpy.details(id="palette", class_="palette", open=bool(sight.line))[
        htpy.summary[tr_nodes("Type a line {key}", key=htpy.kbd["Ctrl-K"])],
        _field(sight),
        way_to("desk/lines", tr("All lines, each with its form"))
        if not sight.at.startswith("/desk/lines")
        else None,
        _help(sight.tournament),
    ]


def desk_page(sight: Sight) -> Node:
    """Return the page: the steps of the day, the next act, the tables, and open requests."""
    further = lasting((*ROUND_FORMS, *DOOR_FORMS, CLOSE_FORM))
    is_open = any(refilled(sight, form) for form in further)
    return tabbed(
        sight,
        "/desk",
        htpy.div(id="now")[desk_now(sight._replace(words=_only_table(sight.words)))],
        htpy.details(class_="menu", open=is_open)[
            htpy.summary[tr("More acts of the round")],
            htpy.div(class_="row")[
                act_forms(sight, (form for form in further if form.name != "undo")),
                undo_form(sight),
            ],
            not_now(sight, further),
        ],
        announcement(sight._replace(at="/desk")),
    )


def _only_table(words: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in words.items() if name == "table"}


def desk_now(sight: Sight) -> Node:
    """Return what changes by itself, in pieces: with `after` only the rows that changed since."""
    tournament = sight.tournament
    after = sight.words.get("after", "")
    position = (
        int(after) if after.isascii() and after.isdecimal() and len(after) < DIGITS_MAX else 0
    )
    only = changed_tables(sight.desk.book, position)
    rows = table_rows(sight, outside.now(), only, sight.words.get("table", ""))
    answers = answering(sight, (*ROUND_FORMS, *DOOR_FORMS))
    return [
        htpy.div(data_key="day")[
            stepper(tournament),
            primary(sight),
            htpy.div(class_="row")[act_forms(sight, answers)] if answers else None,
        ],
        htpy.div(class_="desk")[
            htpy.div[
                htpy.div(data_key="round")[desk_round(tournament) or before_pairing(sight)],
                rows_around(sight, rows) if only is None else htpy.ol[rows],
            ],
            htpy.aside(class_="side panel", data_key="needs", aria_label=tr("Needs you"))[
                needs(sight) if latest_round(tournament) else None,
                _check_in(sight),
                htpy.h2[tr("Latest events")],
                htpy.ol(class_="latest")[
                    (_entry(tournament, each) for each in islice(_latest(sight), LATEST))
                ],
                undo_form(sight),
            ],
        ],
    ]


def before_pairing(sight: Sight) -> Node:
    """Return what counts before there are tables: who is registered, and who asks to be."""
    tournament = sight.tournament
    return [
        htpy.h2[tr("Before round 1")],
        htpy.p(class_="result")[
            tr_many(
                "{count} player registered",
                "{count} players registered",
                len(tournament.active()),
            )
        ],
        way_to("desk/players", tr("Register players, or look at them")),
        way_to("desk/settings?link=e1", tr("The tournament's own link, for players who register")),
        needs(sight),
    ]


def needs(sight: Sight) -> Node:
    """Return all that waits for an official: requests of every kind, and tables past their time."""
    late = list(_past_time(sight.tournament))
    return [
        words_panel(sight.desk),
        moved_line(sight.code) if last_take_over(sight.desk.book) else None,
        waiting(sight),
        [
            htpy.h3[tr("Tables past their time ({count})", count=len(late))],
            htpy.ul(class_="needs")[
                (
                    htpy.li[
                        match_link(sight.tournament, table.match),
                        f" {time_left(table.left)} ",
                        htpy.a(href=f"desk/round?table={table.table}")[tr("more time")],
                    ]
                    for table in late[:LATE_MAX]
                ),
                htpy.li[tr("and {count} more", count=len(late) - LATE_MAX)]
                if late[LATE_MAX:]
                else None,
            ],
        ]
        if late
        else None,
        (htpy.p(class_="about")[each] for each in noticed(sight.desk.book.stream)),
    ]


def moved_line(code: str) -> Node:
    """Return the code for pages that lost their desk; None without one."""
    if not code:
        return None
    text = tr_nodes(
        "Pages of another address, which lost their desk, take the code {code}",
        code=htpy.strong(translate="no")[htpy.bdi[code]],
    )
    return htpy.p(class_="about")[text]


LATE_MAX = 8
"""Tables past their time that are named."""


def _past_time(tournament: Tournament) -> Iterator[TableClock]:
    played = round_in_play(tournament)
    if played is None or played.status != "started":
        return
    tables = clock(tournament, played, outside.now()).tables
    late = [table for table in tables if not table.reported and (table.left or 0) < 0]
    yield from sorted(late, key=lambda each: each.left or 0)


def _field(sight: Sight) -> Node:
    return htpy.form(method="post", action="line", id="line-form", class_="line")[
        hidden(carried(sight)),
        htpy.label(for_="line")[tr("Line")],
        htpy.input(
            type="text",
            name="line",
            id="line",
            value=sight.line,
            autocomplete="off",
            autocapitalize="off",
            spellcheck="false",
            autofocus=bool(sight.line) and not sight.is_asking,
            aria_describedby="reading",
        ),
        htpy.button(type="submit")[tr_of("button", "Enter")],
        htpy.p(id="reading", role="status"),
    ]


def _check_in(sight: Sight) -> Node:
    """Return who has not checked in, where there is a check-in; each is a line away from gone."""
    tournament = sight.tournament
    now = check_in_now(tournament)
    if now is None:
        return None
    absent = absent_players(tournament)
    players = len(tournament.active())
    state = (
        marked("closed: {count} of {players} players checked in")
        if now.closed
        else marked("open: {count} of {players} players checked in")
    )
    return [
        htpy.h2[tr("Check-in")],
        htpy.p[tr(state, count=players - len(absent), players=players)],
        htpy.ul(class_="absent")[
            (
                htpy.li[
                    f"{labelled(tournament, each)} ",
                    htpy.a(href=f"desk?line=drop%20%23{each}%20--no-show")[tr("drop as a no-show")],
                ]
                for each in absent[:ABSENT_MAX]
            ),
            htpy.li[tr("and {count} more", count=len(absent) - ABSENT_MAX)]
            if absent[ABSENT_MAX:]
            else None,
        ]
        if absent
        else None,
    ]


def desk_round(tournament: Tournament) -> Node:
    """Return the round with its clock, and how many tables have a result."""
    played = latest_round(tournament)
    if played is None:
        return None
    shown = clock(tournament, played, outside.now())
    state = clock_state(tournament, played)
    seconds = None if shown.left is None or shown.paused else str(-(-shown.left // 1_000))
    return [
        htpy.h2[round_in_words(tournament, played)],
        htpy.p(class_="about")[
            tr("{state}; {reported}", state=_status(played), reported=reported_in_words(shown)),
            tr_nodes(", {time} left", time=htpy.strong(data_left=seconds)[time_left(shown.left)])
            if shown.left is not None
            else None,
            f", {tr(state)}" if state else None,
        ],
    ]


def _status(played: Round) -> str:
    """Return in a word how far a round is."""
    words = {
        "paired": tr_of("round", "paired"),
        "started": tr_of("round", "started"),
        "closed": tr_of("round", "closed"),
    }
    return words[played.status]


def _latest(sight: Sight) -> Iterator[Recorded]:
    """Yield what happened, newest first, without links: they are printed by the hundred."""
    book = sight.desk.book
    links = book.tournament.floor.links.values()
    passed = {link.seq for link in links} | {link.until for link in links}
    return (book.recorded_at(seq) for seq in range(len(book.lines), 0, -1) if seq not in passed)


def _entry(tournament: Tournament, recorded: Recorded) -> Node:
    words = in_words(recorded.event, tournament)
    return htpy.li[f"{words} ", htpy.small[f"{recorded.seq}, {source(recorded, tournament)}"]]


def _help(tournament: Tournament) -> Node:
    lines = explained(tournament.ruleset)
    return htpy.details[
        htpy.summary[tr("Words of a line")], htpy.pre(tabindex="0")["\n".join(lines)]
    ]
