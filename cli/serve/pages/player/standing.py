"""Where a player stands; each number leads to the exact terms that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.render.game_tables import counted_in_words, standings_columns
from cli.render.trees import phrase
from cli.serve.parts import TABLES
from cli.serve.refusals import NotSignedIn
from cli.terminal.visible import visible
from ledger.problems import problem
from projections.explain import explain

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.visit import Visit
    from ledger.tournament.state import Tournament
    from projections.explain import Explanation
    from projections.standings.table import Standings

_LEFT_OUT = frozenset({"#", "player", "byes", ""})
_COLUMN = {"W-L-D": "record"}
LEVELS = 12
"""How deep a number is taken apart on a page."""

NODES_MAX = 2_000


class _Latest:
    """The table as it was made last: everybody who asks after one act reads the same."""

    def __init__(self) -> None:
        self._key: tuple[str, int] = ("", 0)
        self._table: Standings | None = None

    def of(self, tournament: Tournament) -> Standings:
        key = (tournament.opening.tournament if tournament.opening else "", tournament.seq)
        if self._table is None or key != self._key:
            self._table, self._key = TABLES.everyone(tournament), key
        return self._table


_LATEST = _Latest()


def my_standing(tournament: Tournament, player: int) -> Node:
    """Return the player's row of the standings, each number a link to how it is made up."""
    if not tournament.rounds:
        return None
    table = _LATEST.of(tournament)
    row = next((each for each in table.rows if each.player == player), None)
    if row is None:
        return None
    columns = [
        each
        for each in standings_columns(tournament, table)
        if each.only != "program" and each.title not in _LEFT_OUT
    ]
    return htpy.section[
        htpy.h2["My standing"],
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        htpy.ul(class_="numbers")[
            (
                htpy.li[
                    htpy.a(href=f"/me/why/{_COLUMN.get(each.title, each.title)}")[
                        htpy.span[visible(each.title)], " ", htpy.strong[each.text_of(row)]
                    ]
                ]
                for each in columns
            )
        ],
    ]


def why(visit: Visit) -> Node:
    """Return a number of the player's taken apart; NotFound where there is no such number."""
    player = visit.visitor.player
    if not player:
        text = "this page is a player's own: open the code on your badge or slip"
        raise NotSignedIn(problem("serve.no_player", text))
    root = explain(visit.tournament, player, visit.words["column"])
    left = [NODES_MAX]
    return [
        htpy.p[htpy.a(href="/me")["Back to my table"]],
        htpy.ul(class_="terms")[_node(root, None, visit.tournament, left, 0)],
    ]


def _node(
    node: Explanation,
    parent: Explanation | None,
    tournament: Tournament,
    left: list[int],
    level: int,
) -> Node:
    """Return a term and, folded under it, its own terms; no more of them than a phone holds."""
    left[0] -= 1
    text = visible(phrase(node, parent, tournament))
    events = "".join(f", event {seq}" for seq in node.seqs) if not node.terms else ""
    if not node.terms or level >= LEVELS or left[0] <= 0:
        return htpy.li[f"{text}{events}"]
    terms = [_node(each, node, tournament, left, level + 1) for each in node.terms]
    return htpy.li[htpy.details(open=level < 1)[htpy.summary[text], htpy.ul(class_="terms")[terms]]]
