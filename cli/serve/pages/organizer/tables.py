"""Standings and bracket as pages of the desk, and what an official may look up about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.desk import tabbed
from cli.serve.pages.organizer.lines import LOOK_FORMS, act_forms
from cli.serve.parts import PARTS
from cli.terminal.problems import reason_of
from ledger.errors import NotFound

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.organizer.lines import Sight


def standings_page(sight: Sight) -> Node:
    """Return the standings, with the questions about a number or a pairing."""
    return tabbed(sight, "/desk/standings", _part(sight, "standings"), act_forms(sight, LOOK_FORMS))


def bracket_page(sight: Sight) -> Node:
    """Return the bracket."""
    return tabbed(sight, "/desk/bracket", _part(sight, "bracket"))


def _part(sight: Sight, name: str) -> Node:
    try:
        return PARTS[name].html(sight.tournament)
    except NotFound as error:
        return htpy.p(class_="empty")[with_commands(reason_of(error), sight.verbs)]
