"""A player's own pages, made for a phone: their table, their number in the standings, their list.

me.py         the page of the day
table.py      the table in the round, what is said of its result, and what can be done
reporting.py  how a result is entered, as the ruleset asks for it
standing.py   where they stand, and each number down to its events
own_list.py   their list, with what was found in it
"""

from __future__ import annotations

from cli.serve.pages.frame import Surroundings
from cli.serve.pages.player.me import me
from cli.serve.pages.player.own_list import own_list
from cli.serve.pages.player.standing import why
from cli.serve.pages.visit import HallPage

AROUND = Surroundings("me", script="player", styles=("hall", "player"))
PAGES = (
    HallPage("/me", "My table", me, AROUND),
    HallPage("/me/list", "My list", own_list, AROUND._replace(here="")),
    HallPage(
        "/me/why/{column}", "How it is made up", why, AROUND._replace(here=""), takes_long=True
    ),
)
