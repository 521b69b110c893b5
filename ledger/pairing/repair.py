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

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb, inf, isqrt

from msgspec import Struct

from ledger.errors import Refused
from ledger.pairing.shuffling import Draws
from ledger.pairing.swiss import Board, Field, least_cost, mutual_bans, pair_swiss

Game = tuple[int, int]

Kind = tuple[int, int, bool]
"""The two score groups of a table, and whether it is a rematch."""


class Made(Struct, frozen=True):
    """A round as it was made, by what is known now.

    `games` are its tables in order, `(player, 0)` the bye. Those in `fixed` (their places) can
    never be stopped. `score`, `met` and `bye_order` are as in `Field`; in the order are those who
    may have the bye, who stands before its holder should rather have it.
    """

    games: Sequence[Game]
    fixed: frozenset[int]
    score: Mapping[int, int] | Sequence[int]
    met: Mapping[int, set[int]]
    bye_order: Sequence[int] = ()


class Cost(Struct, frozen=True, order=True):
    """What a round costs, the weightiest first."""

    rematches: int
    bye_place: int
    gap: int


class ByeCase:
    """One holder of the bye: the tables left, and the two who then have no opponent."""

    def __init__(self, made: Made, holder: int, place: int) -> None:
        self.place = place
        self.bans = mutual_bans([player for game in made.games for player in game], made.met)
        tables = {at: game for at, game in enumerate(made.games) if 0 not in game}
        byes = {at: game for at, game in enumerate(made.games) if 0 in game}
        self.moved = {at: (holder, 0) for at, game in byes.items() if max(game) != holder}
        self.loose: Game | None = None
        self.loose_at = -1
        if self.moved:
            self.loose_at = next(at for at, game in tables.items() if holder in game)
            one, other = tables.pop(self.loose_at)
            former = max(next(iter(byes.values())))
            self.loose = (former, other if one == holder else one)
        players = [player for game in tables.values() for player in game]
        self.board = Board([*players, *(self.loose or ())], made.score, self.bans)
        self.open = {at: game for at, game in tables.items() if at not in made.fixed}
        self.tables = tables
        self.whole = (len(tables) + 1) * len(self.board.groups) ** 2 + 1
        """What a rematch weighs beside the gap."""

    def cost_of(self, game: Game) -> int:
        """What a table costs: its gap, and more than any gap if it is a rematch."""
        steps = self.board.group_of[game[0]] - self.board.group_of[game[1]]
        return steps * steps + self.whole * (game[1] in self.bans[game[0]])

    def as_made(self) -> int:
        """What the tables cost as they are, without the two who have no opponent."""
        return sum(self.cost_of(game) for game in self.tables.values())

    def cost(self, total: int) -> Cost:
        """Put a total in the round's terms."""
        return Cost(total // self.whole, self.place, total % self.whole)


def seated_at(case: ByeCase, games: Sequence[Game]) -> dict[int, Game]:
    """Put games on the tables that their players leave, the highest scores first."""
    players = {player for game in games for player in game}
    places = [at for at, game in case.open.items() if players.intersection(game)]
    if case.loose_at >= 0:
        places.append(case.loose_at)
    group = case.board.group_of
    turned = [game if group[game[0]] <= group[game[1]] else game[::-1] for game in games]
    ordered = sorted(turned, key=lambda game: (group[game[0]] + group[game[1]], game))
    return dict(zip(sorted(places), ordered, strict=True))


def kinds_of(case: ByeCase, draws: Draws) -> dict[Kind, list[int]]:
    """The tables that can be stopped by their two groups and whether they are a rematch."""
    kinds: dict[Kind, list[int]] = {}
    for at in draws.shuffled(case.open):
        game = case.open[at]
        low, high = sorted(case.board.group_of[player] for player in game)
        kinds.setdefault((low, high, game[1] in case.bans[game[0]]), []).append(at)
    return kinds


def best_of(
    case: ByeCase, kinds: dict[Kind, list[int]], count: int, least: int | None
) -> tuple[int, dict[int, Game] | None]:
    """The best repair that stops just that number of tables, if it undercuts the least so far."""
    best, seats = least, None
    whole = case.as_made()
    for bound, sets in _by_bound(case, kinds, count, least):
        if best is not None and bound >= best:
            break
        for chosen in product(*sets):
            stopped = [case.open[at] for group in chosen for at in group]
            kept = whole - sum(map(case.cost_of, stopped))
            seated = [player for game in (*stopped, case.loose or ()) for player in game]
            players = sorted(seated, key=lambda player: (case.board.group_of[player], player))
            under = inf if best is None else best - kept
            found = _cheapest(case, players, set(map(frozenset, stopped)), under)
            if found is None:
                continue
            best, seats = kept + found[0], seated_at(case, found[1])
            if best == bound:
                break
    return best or 0, seats


def _by_bound(
    case: ByeCase, kinds: dict[Kind, list[int]], count: int, least: int | None
) -> list[tuple[int, list[list[tuple[int, ...]]]]]:
    """The kinds of tables to stop, by the least that they could cost, where that undercuts."""
    whole = case.as_made()
    group = case.board.group_of
    loose = [group[player] for player in case.loose or ()]
    costs = {kind: (kind[1] - kind[0]) ** 2 + case.whole * kind[2] for kind in kinds}
    dearest = sorted(((costs[kind], kind, len(kinds[kind])) for kind in kinds), reverse=True)
    found = []
    for counts in _sets_of(dearest, count, -1 if least is None else whole - least):
        gone = sum(costs[kind] * number for kind, number in counts)
        groups = [at for (low, high, _), number in counts for at in (low, high) * number]
        bound = whole - gone + side_by_side(sorted([*loose, *groups]))
        if least is None or bound < least:
            found.append((bound, sorted(counts)))
    return [
        (bound, [list(combinations(kinds[kind], number)) for kind, number in counts])
        for bound, counts in sorted(found)
    ]


def _sets_of(
    dearest: Sequence[tuple[int, Kind, int]], count: int, over: int
) -> Iterator[list[tuple[Kind, int]]]:
    """Sets of `count` tables by their kinds, those sets alone that cost more than `over`.

    `dearest` has what a table of each kind costs, the kind, and how many such tables there are.
    """
    if not count:
        if over < 0:
            yield []
        return
    for at, (cost, kind, available) in enumerate(dearest):
        if count * cost <= over:
            return
        for number in range(1, min(count, available) + 1):
            rest = _sets_of(dearest[at + 1 :], count - number, over - number * cost)
            yield from ([(kind, number), *others] for others in rest)


def side_by_side(groups: Sequence[int]) -> int:
    """The gap of players in the order of their groups, two by two: none is less."""
    return sum((other - one) ** 2 for one, other in two_by_two(groups))


def two_by_two(ordered: Sequence[int]) -> Iterator[Game]:
    """Yield the first with the second, the third with the fourth, and so on."""
    return zip(ordered[::2], ordered[1::2], strict=True)


def _cheapest(
    case: ByeCase, players: Sequence[int], sat: set[frozenset[int]], under: float
) -> tuple[int, list[Game]] | None:
    """The cheapest legal games of players in the order of their groups, no two of them as they sat.

    `sat` are the games that they left. None: there are none that cost less than `under`.
    """
    if not players:
        return (0, []) if under > 0 else None
    best = None
    first, *rest = players
    for at, other in enumerate(rest):
        game = (first, other)
        cost = case.cost_of(game)
        left = [*rest[:at], *rest[at + 1 :]]
        if cost + side_by_side([case.board.group_of[player] for player in left]) >= under:
            continue
        if frozenset(game) in sat or other in case.bans[first]:
            continue
        found = _cheapest(case, left, sat, under - cost)
        if found is not None:
            under = cost + found[0]
            best = (cost + found[0], [game, *found[1]])
    return best


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
