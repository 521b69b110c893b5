"""The desk's page: a field for typed lines, open requests, and the forms that apply now.

The field accepts all lines. Forms that depend on the moment are in the part of the page that
follows the log, and have one button. The other forms are always there: a page that is a minute old
still has them, and gets the reason of a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.desk.guide import next_step, round_in_words
from cli.input.find_people import labelled, short_name
from cli.input.reports import explained
from cli.machine.noticed import noticed
from cli.render.elements import records_table
from cli.render.round_clock import clock_state, reported_in_words, time_left
from cli.serve.pages.lines import (
    DOOR_FORMS,
    PEOPLE_FORMS,
    ROUND_FORMS,
    TABLE_FORMS,
    act_forms,
    carried,
    hidden,
    names_offered,
    with_commands,
)
from cli.serve.pages.showing import CONTENTS
from cli.serve.pages.waiting import waiting
from cli.terminal.tables import Column
from cli.terminal.visible import visible
from cli.wording.event_words import in_words
from cli.wording.phrases import who
from ledger.tournament.progress import absent_players, check_in_now, is_paused, latest_round
from ledger.tournament.round_clock import clock

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.lines import LineForm, Sight
    from ledger.lines.recorded import Recorded
    from ledger.tournament.round_clock import RoundClock, TableClock
    from ledger.tournament.state import Tournament

    Sense = Callable[[Tournament], bool]


def _stands_still(tournament: Tournament) -> bool:
    played = latest_round(tournament)
    return bool(played and played.status == "started" and is_paused(tournament, played.number))


def _is_check_in_open(tournament: Tournament) -> bool:
    check_in = check_in_now(tournament)
    return bool(check_in and not check_in.closed)


def _is_place_free(tournament: Tournament) -> bool:
    """Whether somebody left the cut, and somebody is left to ask."""
    cut = tournament.pending_cut()
    return bool(cut and cut.vacancies and cut.waiting and not cut.rounds)


ANSWERING: MappingProxyType[str, Sense] = MappingProxyType(
    {
        "resume": _stands_still,
        "cut-accept": _is_place_free,
        "cut-decline": _is_place_free,
        "check-in-close": _is_check_in_open,
    }
)
"""By the form's name, when it is one that answers to the moment."""

DUE = frozenset({"round-start", "pair", "cut", "finish"})
"""Those that are one step of the day: each is there when it is the next, and at no other time."""

_WITHOUT: MappingProxyType[str, Sense] = MappingProxyType(
    {"pause": _stands_still, "check-in-open": _is_check_in_open}
)
"""When a form would only hear that it is so already."""


def due(step: str, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return the form of what comes next, where one button is all that it takes."""
    return [each for each in forms if each.name in DUE and step.startswith(f"next: {each.line}")]


def answering(tournament: Tournament, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return those forms that answer to the moment, and make sense now."""
    return [each for each in forms if each.name in ANSWERING and ANSWERING[each.name](tournament)]


def lasting(tournament: Tournament, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return the forms that are there at any time, without what is so already."""
    return [
        each
        for each in forms
        if each.name not in ANSWERING
        and each.name not in DUE
        and not (each.name in _WITHOUT and _WITHOUT[each.name](tournament))
    ]


ABSENT_MAX = 40
"""Absent players who are named."""

LATEST = 8
"""Events that are shown as the latest."""


def desk_page(sight: Sight) -> Node:
    """Return the page: field and answer first, as it is used without looking away."""
    return [
        _field(sight),
        sight.said,
        htpy.div(id="now")[desk_now(sight)],
        htpy.h2["People"],
        act_forms(sight, PEOPLE_FORMS),
        htpy.div(class_="row")[act_forms(sight, lasting(sight.tournament, DOOR_FORMS))],
        htpy.h2["Tables"],
        act_forms(sight, TABLE_FORMS),
        htpy.h2["The round"],
        htpy.div(class_="row")[act_forms(sight, lasting(sight.tournament, ROUND_FORMS))],
        _screens(sight),
        _help(sight.tournament),
        names_offered(sight),
    ]


def desk_now(sight: Sight) -> Node:
    """Return what changes by itself: where the day stands, who plays, what waits."""
    tournament = sight.tournament
    step = next_step(tournament)
    forms = [*due(step, ROUND_FORMS), *answering(tournament, (*ROUND_FORMS, *DOOR_FORMS))]
    return [
        htpy.p(class_="next", data_position=str(tournament.seq))[with_commands(step)],
        htpy.div(class_="row")[act_forms(sight, forms)] if forms else None,
        waiting(sight),
        (htpy.p(class_="about")[each] for each in noticed(sight.desk.book.stream)),
        _check_in(sight.tournament),
        _round(sight),
        htpy.h2["Latest events"],
        htpy.ol(class_="latest")[
            (_entry(tournament, each) for each in islice(_latest(sight), LATEST))
        ],
    ]


def _field(sight: Sight) -> Node:
    return htpy.form(method="post", action="line", id="line-form", class_="line")[
        hidden(carried(sight)),
        htpy.label(for_="line")["Line"],
        htpy.input(
            type="text",
            name="line",
            id="line",
            value=sight.line,
            autocomplete="off",
            autocapitalize="off",
            spellcheck="false",
            autofocus=not sight.is_asking,
            aria_describedby="reading",
        ),
        htpy.button(type="submit")["Enter"],
        htpy.p(id="reading", role="status"),
    ]


def _check_in(tournament: Tournament) -> Node:
    """Return who has not checked in, where there is a check-in; each is a line away from gone."""
    now = check_in_now(tournament)
    if now is None:
        return None
    absent = absent_players(tournament)
    players = len(tournament.active())
    state = "closed" if now.closed else "open"
    return [
        htpy.h2["Check-in"],
        htpy.p[f"{state}: {players - len(absent)} of {players} players checked in"],
        htpy.ul(class_="absent")[
            (
                htpy.li[
                    f"{labelled(tournament, each)} ", with_commands(f"`drop #{each} --no-show`")
                ]
                for each in absent[:ABSENT_MAX]
            ),
            htpy.li[f"and {len(absent) - ABSENT_MAX} more"] if absent[ABSENT_MAX:] else None,
        ]
        if absent
        else None,
    ]


def _round(sight: Sight) -> Node:
    tournament = sight.tournament
    played = latest_round(tournament)
    if played is None:
        return None
    shown = clock(tournament, played, outside.now())
    left = f", {time_left(shown.left)} left" if shown.left is not None else ""
    state = clock_state(tournament, played)
    left += f", {state}" if state else ""
    about = f"{round_in_words(tournament, played)}, {played.status}{left}; "
    return [
        htpy.h2["Open tables"],
        htpy.p(class_="about")[about + reported_in_words(shown)],
        records_table(_columns(tournament), _open(shown), heading="table")
        if _open(shown)
        else None,
    ]


def _open(shown: RoundClock) -> list[TableClock]:
    """Return the tables without a result, the ones whose time is over for longest first."""
    tables = [each for each in shown.tables if not each.reported]
    return sorted(tables, key=lambda each: (each.left or 0, each.table))


def _columns(tournament: Tournament) -> list[Column]:
    return [
        Column("table", right=True),
        Column("player", value=lambda each: short_name(tournament, each.players[0])),
        Column("against", value=lambda each: short_name(tournament, each.players[1])),
        Column("left", right=True, text=lambda each: time_left(each.left)),
        Column("", text=_mark),
    ]


def _mark(table: TableClock) -> str:
    slow = "over time" if table.left is not None and table.left < 0 else ""
    extra = f"+{table.extension} min" if table.extension else ""
    return ", ".join(filter(None, (slow, extra)))


def _latest(sight: Sight) -> Iterator[Recorded]:
    """Yield what happened, newest first, without links: they are printed by the hundred."""
    book = sight.desk.book
    links = book.tournament.floor.links.values()
    passed = {each.seq for each in links} | {each.until for each in links}
    return (book.recorded_at(seq) for seq in range(len(book.lines), 0, -1) if seq not in passed)


def _entry(tournament: Tournament, recorded: Recorded) -> Node:
    words = in_words(recorded.event, tournament)
    return htpy.li[f"{words} ", htpy.small[f"{recorded.seq}, {who(recorded.by, tournament)}"]]


def _screens(sight: Sight) -> Node:
    """Return what each screen shows, and the form that changes it."""
    known = sight.screens.known()
    return htpy.section(id="screens", aria_label="Screens")[
        htpy.h2["Screens"],
        htpy.p(class_="about")["On each screen, open ", htpy.a(href="screen")["/screen"], "."],
        (_screen(sight, each) for each in known),
    ]


def _screen(sight: Sight, number: int) -> Node:
    shown = sight.screens.showing(number)
    is_there = "" if sight.screens.is_there(number) else ", not connected"
    return htpy.form(method="post", action="screens", class_="screen")[
        hidden({"screen": str(number)}),
        htpy.a(href=f"screen/{number}")[f"Screen {number}{is_there}"],
        htpy.select(name="content", aria_label=f"Screen {number} shows")[
            (htpy.option(value=each, selected=each == shown.content)[each] for each in CONTENTS)
        ],
        htpy.input(
            type="text",
            name="text",
            value=visible(shown.text),
            aria_label=f"Text on screen {number}",
        ),
        htpy.button(type="submit")["Show it"],
    ]


def _help(tournament: Tournament) -> Node:
    lines = explained(tournament.ruleset)
    return htpy.details[htpy.summary["What you can type"], htpy.pre(tabindex="0")["\n".join(lines)]]
