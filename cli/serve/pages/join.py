"""Registration by the link of the event: who is not in it yet asks, and the desk answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.serve.pages.form_fields import act_form, button, choice, text_field
from cli.serve.pages.frame import Surroundings
from cli.serve.pages.visit import HallPage
from cli.serve.refusals import NotSignedIn
from ledger.problems import problem

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.visit import Visit

HERE = "/join"
ASKED = "asked"
NAME_MAX = 200


def join(visit: Visit) -> Node:
    """Return the form by which somebody asks to be registered, or that they have asked."""
    if not visit.visitor.is_newcomer:
        text = "to be registered open the code of the event, which hangs at the desk"
        raise NotSignedIn(problem("serve.no_newcomer", text))
    if visit.words.get(ASKED):
        return [
            htpy.p(class_="done")["The desk has your name, and registers you when you are there."],
            htpy.p["You then get a badge of your own, with a code that opens your table."],
            htpy.p[htpy.a(href=HERE)["Ask for somebody else"]],
        ]
    return [
        htpy.h2["Ask to be registered"],
        htpy.p["Your name is kept in cipher, and destroyed if you are not registered."],
        act_form(
            "join",
            text_field("Your name", "name", visit.fields.get("name", ""), longest=NAME_MAX),
            _faction(visit),
            text_field(
                "League id (if you have one)",
                "league_id",
                visit.fields.get("league_id", ""),
                longest=64,
            ),
            button("Ask", kind="main"),
            to=f"{HERE}?{ASKED}=1",
            at=HERE,
        ),
    ]


def _faction(visit: Visit) -> Node:
    """Return the factions of the game to choose from; a game without any asks for none."""
    factions = visit.tournament.ruleset.factions
    if not factions:
        return None
    options = [("", "not said"), *((each, each) for each in factions)]
    return choice("What you play", "faction", options, visit.fields.get("faction", ""))


PAGES = (HallPage(HERE, "Registration", join, Surroundings(styles=("hall", "player"))),)
