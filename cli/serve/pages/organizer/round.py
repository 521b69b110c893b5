"""The desk's page of the round: its clock, who sits where, repairs, and the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import short_name
from cli.render.game_tables import table_to_sit_at
from cli.serve.pages.organizer.day_forms import DAY_FORMS, MORE_ROUND_FORMS, START_FORM, SWAP_FORM
from cli.serve.pages.organizer.desk import answering, desk_round, lasting, tabbed
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    PEOPLE_FORMS,
    ROUND_FORMS,
    TABLE_FORMS,
    act_form,
    act_forms,
    carried,
    hidden,
    labelled_field,
    refilled,
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


def round_page(sight: Sight) -> Node:
    """Return the page: the clock first, then seats, repairs and what is seldom needed."""
    tournament = sight.tournament
    now = [*answering(tournament, ROUND_FORMS), *lasting(tournament, ROUND_FORMS)]
    offered = {form.name: form for form in now}
    return tabbed(
        sight,
        "/desk/round",
        htpy.div(id="now")[round_now(sight)],
        htpy.div(class_="columns")[
            htpy.section(class_="panel", aria_label="Clock")[
                htpy.h2["Clock"],
                _forms(sight, [offered[name] for name in _CLOCK if name in offered]),
                act_form(sight, DAY_FORMS["left"]),
                act_form(sight, DAY_FORMS["start-minutes"]),
                htpy.h3["More time"],
                _more_time(sight),
            ],
            htpy.section(class_="panel", aria_label="Seats")[
                htpy.h2["Seats"], _swap(sight), act_form(sight, _SEAT), _unpair(sight)
            ],
            htpy.section(class_="panel", aria_label="Repair")[
                htpy.h2["Repair after a correction"],
                htpy.p(class_="hint")[
                    "The preview lists the tables to pair again. Nothing changes before you repair."
                ],
                _forms(sight, [DAY_FORMS[name] for name in _REPAIR]),
            ],
            htpy.section(class_="panel", aria_label="Tables")[
                htpy.h2["A table"], act_forms(sight, TABLE_FORMS)
            ],
            htpy.section(class_="panel", aria_label="The cut and postings")[
                htpy.h2["The cut and postings"],
                _forms(sight, [LINE_FORMS[name] for name in _POSTING]),
                _forms(sight, [offered[name] for name in _CUT if name in offered]),
                _forms(
                    sight,
                    [form for form in MORE_ROUND_FORMS if form.name in {"close", "forfeit"}],
                ),
                act_form(sight, DAY_FORMS["take-back-cut"]),
                act_form(sight, START_FORM._replace(title="Change the structure")),
            ],
        ],
    )


def round_now(sight: Sight) -> Node:
    """Return what changes by itself: the step of the day, and the clock."""
    return [stepper(sight.tournament), primary(sight), desk_round(sight.tournament)]


def _forms(sight: Sight, forms: list[LineForm]) -> Node:
    return htpy.div(class_="row")[act_forms(sight, forms)] if forms else None


def _more_time(sight: Sight) -> Node:
    """Return the form of an extension, with a button for each usual number of minutes."""
    filled = refilled(sight, LINE_FORMS["extend"])
    table = filled.get("table", sight.words.get("table", ""))
    reason = filled.get("reason", "a judge was called")
    return htpy.form(method="post", action="line", class_="act")[
        hidden({"form": "extend", **carried(sight)}),
        htpy.label[
            htpy.span["Table, or all"],
            htpy.input(
                type="text",
                name="table",
                value=visible(table[:9]),
                required=True,
                autocomplete="off",
            ),
        ],
        htpy.label[
            htpy.span["Why"],
            htpy.input(type="text", name="reason", required=True, value=visible(reason)),
        ],
        htpy.div(class_="row")[
            (
                htpy.button(type="submit", name="minutes", value=minutes)[f"+{minutes} minutes"]
                for minutes in MINUTES
            )
        ],
    ]


def _swap(sight: Sight) -> Node:
    """Return the form that swaps two players, each chosen from the tables of the round."""
    tournament = sight.tournament
    played = latest_round(tournament)
    if played is None:
        return None
    filled = refilled(sight, SWAP_FORM)
    seated = [
        (player, f"{table_to_sit_at(match) or 'bye'}: {short_name(tournament, player)}")
        for match in played.matches
        for player in match.players
    ]

    def chosen(name: str, label: str) -> Node:
        return htpy.label[
            htpy.span[label],
            htpy.select(name=name, required=True)[
                htpy.option(value="")["choose a player"],
                (
                    htpy.option(value=f"#{player}", selected=filled.get(name) == f"#{player}")[text]
                    for player, text in seated
                ),
            ],
        ]

    return htpy.details(class_="act", open=bool(filled))[
        htpy.summary[SWAP_FORM.title],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": SWAP_FORM.name, **carried(sight)}),
            chosen("player", "This player"),
            chosen("other", "takes the seat of"),
            labelled_field(SWAP_FORM.fields[-1], filled),
            htpy.button(type="submit")["Swap"],
        ],
    ]


def _unpair(sight: Sight) -> Node:
    return act_form(sight, LINE_FORMS["unpair"])
