"""The desk's page of the round: its clock, who sits where, repairs, and the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import short_name
from cli.languages.speaking import marked, tr, tr_of
from cli.render.game_tables import table_to_sit_at
from cli.serve.pages.organizer.day_forms import DAY_FORMS, START_FORM, SWAP_FORM
from cli.serve.pages.organizer.desk import desk_round, tabbed
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    PEOPLE_FORMS,
    TABLE_FORMS,
    act_forms,
    carried,
    hidden,
    is_offered,
    labelled_field,
    not_now,
    refilled,
    title_of,
)
from cli.serve.pages.organizer.steps import primary, stepper
from cli.terminal.visible import visible
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.organizer.lines import LineForm, Sight

MINUTES = ("3", "5", "10")
"""Minutes that a table gets by one button."""

_SEAT = next(form for form in PEOPLE_FORMS if form.name == "seat")
_CLOCK = ("time", "pause", "resume")
_POSTING = ("post-pairings", "post-standings")
_REPAIR = ("repair-look", "repair")
_CUT = ("cut-accept", "cut-decline")
_OF_CUT = ("close", "forfeit", "take-back-cut")
_LENGTHS = ("left", "start-minutes")
_REPAIR_HINT = marked(
    "The preview lists the tables to pair again. Nothing changes before you repair."
)


def round_page(sight: Sight) -> Node:
    """Return the page: the clock first, then seats, repairs and what is seldom needed."""
    is_announced = sight.tournament.announced is not None
    change = [START_FORM._replace(title=marked("Change the structure"))] if is_announced else []
    clock = [LINE_FORMS[name] for name in _CLOCK] + [DAY_FORMS[name] for name in _LENGTHS]
    cut = [DAY_FORMS[name] for name in _OF_CUT] + [LINE_FORMS[name] for name in _CUT] + change
    seats = [SWAP_FORM, _SEAT, LINE_FORMS["unpair"]]
    repairs = [DAY_FORMS[name] for name in _REPAIR]
    postings = [LINE_FORMS[name] for name in _POSTING]
    return tabbed(
        sight,
        "/desk/round",
        htpy.div(id="now")[round_now(sight)],
        htpy.div(class_="columns")[
            _panel(tr("Clock"), _forms(sight, clock), _more_time(sight)),
            _panel(tr("Seats"), _swap(sight), *act_forms(sight, seats[1:])),
            _panel(tr("Repair after a correction"), _forms(sight, repairs), hint=tr(_REPAIR_HINT)),
            _panel(tr("A table"), *act_forms(sight, TABLE_FORMS)),
            _panel(tr("The cut and postings"), _forms(sight, postings), _forms(sight, cut)),
            not_now(sight, [*clock, *seats, *repairs, *TABLE_FORMS, *postings, *cut]),
        ],
    )


def _panel(title: str, *forms: Node, hint: str = "") -> Node:
    """Return the forms of a subject below its title; None if all of them are None."""
    offered = [form for form in forms if form is not None]
    if not offered:
        return None
    return htpy.section(class_="panel", aria_label=title)[
        htpy.h2[title], htpy.p(class_="hint")[hint] if hint else None, offered
    ]


def round_now(sight: Sight) -> Node:
    """Return what changes by itself: the step of the day, and the clock."""
    return [stepper(sight.tournament), primary(sight), desk_round(sight.tournament)]


def _forms(sight: Sight, forms: list[LineForm]) -> Node:
    offered = act_forms(sight, forms)
    return htpy.div(class_="row")[offered] if offered else None


def _more_time(sight: Sight) -> Node:
    """Return the form of an extension, with a button for each usual number of minutes."""
    filled = refilled(sight, LINE_FORMS["extend"])
    if not (filled or is_offered(sight, LINE_FORMS["extend"])):
        return None
    table = filled.get("table", sight.words.get("table", ""))
    reason = filled.get("reason", tr("a judge was called"))
    form = htpy.form(method="post", action="line", class_="act")[
        hidden({"form": "extend", **carried(sight)}),
        htpy.label[
            htpy.span[tr("Table, or all")],
            htpy.input(
                type="text",
                name="table",
                value=visible(table[:9]),
                required=True,
                autocomplete="off",
            ),
        ],
        htpy.label[
            htpy.span[tr("Why")],
            htpy.input(type="text", name="reason", required=True, value=visible(reason)),
        ],
        htpy.div(class_="row")[
            (
                htpy.button(type="submit", name="minutes", value=minutes)[
                    tr("+{minutes} minutes", minutes=minutes)
                ]
                for minutes in MINUTES
            )
        ],
    ]
    return [htpy.h3[tr("More time")], form]


def _swap(sight: Sight) -> Node:
    """Return the form that swaps two players, each chosen from the tables of the round."""
    tournament = sight.tournament
    played = latest_round(tournament)
    if played is None:
        return None
    filled = refilled(sight, SWAP_FORM)
    if not (filled or is_offered(sight, SWAP_FORM)):
        return None
    seated = [
        (player, f"{table_to_sit_at(match) or tr('bye')}: {short_name(tournament, player)}")
        for match in played.matches
        for player in match.players
    ]

    def chosen(name: str, label: str) -> Node:
        return htpy.label[
            htpy.span[label],
            htpy.select(name=name, required=True)[
                htpy.option(value="")[tr("choose a player")],
                (
                    htpy.option(value=f"#{player}", selected=filled.get(name) == f"#{player}")[text]
                    for player, text in seated
                ),
            ],
        ]

    return htpy.details(class_="act", open=bool(filled))[
        htpy.summary[title_of(SWAP_FORM)],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": SWAP_FORM.name, **carried(sight)}),
            chosen("player", tr("This player")),
            chosen("other", tr("takes the seat of")),
            labelled_field(SWAP_FORM.fields[-1], filled),
            htpy.button(type="submit")[tr_of("button", "Swap")],
        ],
    ]
