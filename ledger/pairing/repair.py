"""Mending a round that is paired but not played: the fewest tables stopped, the best round left.

What a round costs, in this order: its rematches; the place of the bye in the order of who should
have it; its gap. For every number of tables stopped, from none, the least cost that any repair
reaches; a number that reaches no less than a smaller one is left out. A repair seats the players
of the stopped tables again among themselves without a rematch; the bye may move, which stops the
table of its new holder. The last choice is the best round there is, with the fewest tables
stopped for it: that one matching proves. Between, every set of tables is looked at, by the kinds
of tables (which two score groups meet): a set cannot cost less than its players would without
bans, side by side in the order of their groups. Numbers of tables that have more than `SETS_MAX`
sets of kinds, four in a large field, are offered only as the last choice.

That one matching needs few games. A border between two score groups with an odd number of players
above it is crossed by a table, so no round has a gap under the number of such borders; one with a
table of d steps has d(d - 1) above that. A round of the same players drawn by itself says how far
above it the best one is at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, isqrt

from msgspec import Struct

from ledger.errors import Refused
from ledger.pairing.exact import least_cost
from ledger.pairing.field import Field
from ledger.pairing.shuffling import Draws
from ledger.pairing.stopped import (
    ByeCase,
    Cost,
    Game,
    Made,
    best_of,
    kinds_of,
    seated_at,
    two_by_two,
)
from ledger.pairing.swiss import pair_swiss

SETS_MAX = 200_000
"""How many sets of kinds of tables are looked at for one number of tables."""


class RepairChoice(Struct, frozen=True):
    """A number of tables stopped, and what the round then costs.

    `seats` are the new games by the place of the table, a bye that moves included; `stopped`
    counts the tables at which two were sitting.
    """

    stopped: int
    cost: Cost
    seats: dict[int, Game]


def repairs(made: Made, draws: Draws) -> list[RepairChoice]:
    """List the choices, from none stopped to the best round that can be reached."""
    holder = next((max(game) for game in made.games if 0 in game), 0)
    order = list(made.bye_order)
    place = order.index(holder) if holder in order else 0
    stays = ByeCase(made, holder, place)
    found = [RepairChoice(0, stays.cost(stays.as_made()), {})]
    open_games = (game for at, game in enumerate(made.games) if at not in made.fixed)
    movable = {player for game in open_games for player in game}
    for at, candidate in enumerate(order[:place]):
        if candidate in movable:
            found += _choices(ByeCase(made, candidate, at), draws, None)
    found += _choices(stays, draws, stays.as_made())
    best: list[RepairChoice] = []
    for choice in sorted(found, key=lambda one: (one.stopped, one.cost)):
        if not best or choice.cost < best[-1].cost:
            best.append(choice)
    return best


def _choices(case: ByeCase, draws: Draws, as_made: int | None) -> list[RepairChoice]:
    """The choices with this holder of the bye; `as_made`: what has to be undercut."""
    whole = _best_of_all(case, draws, as_made)
    if whole is None:
        return []
    found = []
    least = as_made
    kinds = kinds_of(case, draws)
    fewer = len(whole) - len(case.moved)
    for count in range(fewer):
        if comb(len(kinds) + count - 1, count) > SETS_MAX:
            break
        total, seats = best_of(case, kinds, count, least)
        if seats is not None:
            found.append(_choice(case, total, seats))
            least = total
    total = _total(case, whole)
    if least is None or total < least:
        found.append(_choice(case, total, whole))
    return found


def _choice(case: ByeCase, total: int, seats: dict[int, Game]) -> RepairChoice:
    return RepairChoice(len(seats), case.cost(total), seats | case.moved)


def _total(case: ByeCase, seats: dict[int, Game]) -> int:
    kept = (game for at, game in case.tables.items() if at not in seats)
    return sum(map(case.cost_of, (*kept, *seats.values())))


def _best_of_all(case: ByeCase, draws: Draws, as_made: int | None) -> dict[int, Game] | None:
    """The round of least cost, with the fewest tables stopped for it; None: no better, or none."""
    group = case.board.group_of
    seated = [player for game in (*case.open.values(), case.loose or ()) for player in game]
    players = sorted(seated, key=lambda player: (group[player], player))
    at_home = {frozenset(game) for game in case.open.values()}
    stop = len(case.open) + 1
    steps_max = _steps_max(case, players, draws)
    edges = []
    for a, one in enumerate(players):
        for b in range(a + 1, len(players)):
            other = players[b]
            if group[other] - group[one] > steps_max:
                break
            kept = frozenset((one, other)) in at_home
            if kept or other not in case.bans[one]:
                edges.append((a, b, case.cost_of((one, other)) * stop + (not kept)))
    pairs = [(players[a], players[b]) for a, b in least_cost(len(players), edges, draws)]
    if 2 * len(pairs) < len(players):
        return None
    seats = seated_at(case, [game for game in pairs if frozenset(game) not in at_home])
    return seats if as_made is None or _total(case, seats) < as_made else None


def _steps_max(case: ByeCase, players: Sequence[int], draws: Draws) -> int:
    """How many steps a table of the best round has at most; any, where no round is legal.

    `players` stand in the order of their groups.
    """
    group = case.board.group_of
    score = {player: -group[player] for player in players}
    try:
        drawn = pair_swiss(Field(players, score, case.bans), draws).tables
    except Refused:
        return len(case.board.groups)
    odd_borders = sum(group[two] - group[one] for one, two in two_by_two(players))
    above = case.board.gap(drawn) - odd_borders
    return (1 + isqrt(1 + 4 * above)) // 2
