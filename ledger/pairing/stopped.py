"""A round as it was made, and the cheapest seats of the players whose tables are stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import inf

from msgspec import Struct

from ledger.pairing.board import Board, mutual_bans
from ledger.pairing.shuffling import Draws

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
