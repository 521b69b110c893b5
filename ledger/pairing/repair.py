"""Mending a round that is paired but not played: the fewest tables stopped, the best round left.

What a round costs, in this order: its rematches; the place of the bye in the order of who should
have it; its gap. For every number of tables stopped, from none, the least cost that any repair
reaches; a number that reaches no less than a smaller one is left out. A repair seats the players
of the stopped tables anew among themselves without a rematch; the bye may move, which stops the
table of its new holder. The last choice is the best round there is, with the fewest tables
stopped for it: that one matching proves. Between, every set of tables is looked at, by the kinds
of tables (which two score groups meet): a set can not cost less than its players would without
bans, side by side in the order of their groups. Numbers of tables that have more than `SETS_MAX`
sets of kinds, four in a large field, are offered only as the last choice.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec may resolve the annotations
from collections.abc import Sequence  # noqa: TC003 - as above
from itertools import combinations
from itertools import combinations_with_replacement
from itertools import product
from math import comb
from math import isqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.pairing.board import Board
from ledger.pairing.board import mutual_bans
from ledger.pairing.exact import least_cost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.draws import Draws

SETS_MAX = 200_000
"""How many sets of kinds of tables are looked at for one number of tables."""

Game = tuple[int, int]


class Made(Struct, frozen=True):
    """A round as it was made, by what is known now.

    `games` are its tables in order, `(player, 0)` the bye. Those in `fixed` (their places) can
    not be stopped. `score`, `met` and `bye_order` are as in `Field`; in the order are those who
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


class Choice(Struct, frozen=True):
    """So many tables stopped, and what the round then costs.

    `seats` are the new games by the place of the table, a bye that moves included; `stopped`
    counts the tables at which two were sitting.
    """

    stopped: int
    cost: Cost
    seats: dict[int, Game]


class _Case:
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


def repairs(made: Made, draws: Draws) -> list[Choice]:
    """List the choices, from none stopped to the best round that can be reached."""
    holder = next((max(game) for game in made.games if 0 in game), 0)
    order = list(made.bye_order)
    place = order.index(holder) if holder in order else 0
    stays = _Case(made, holder, place)
    found = [Choice(0, stays.cost(stays.as_made()), {})]
    for at, candidate in enumerate(order[:place]):
        if _can_be_stopped(made, candidate):
            found += _choices(_Case(made, candidate, at), draws, None)
    found += _choices(stays, draws, stays.as_made())
    best: list[Choice] = []
    for choice in sorted(found, key=lambda one: (one.stopped, one.cost)):
        if not best or choice.cost < best[-1].cost:
            best.append(choice)
    return best


def _can_be_stopped(made: Made, player: int) -> bool:
    return any(player in game and at not in made.fixed for at, game in enumerate(made.games))


def _choices(case: _Case, draws: Draws, as_made: int | None) -> list[Choice]:
    """The choices with this holder of the bye; `as_made`: what has to be undercut."""
    whole = _best_of_all(case, draws, as_made)
    if whole is None:
        return []
    found = []
    least = as_made
    kinds = _kinds(case, draws)
    fewer = len(whole) - len(case.moved)
    for count in range(fewer):
        if comb(len(kinds) + count - 1, count) > SETS_MAX:
            break
        total, seats = _best_of(case, kinds, count, least)
        if seats is not None:
            found.append(_choice(case, total, seats))
            least = total
    total = _total(case, whole)
    if least is None or total < least:
        found.append(_choice(case, total, whole))
    return found


def _choice(case: _Case, total: int, seats: dict[int, Game]) -> Choice:
    return Choice(len(seats), case.cost(total), seats | case.moved)


def _total(case: _Case, seats: dict[int, Game]) -> int:
    kept = (game for at, game in case.tables.items() if at not in seats)
    return sum(map(case.cost_of, (*kept, *seats.values())))


def _best_of_all(case: _Case, draws: Draws, as_made: int | None) -> dict[int, Game] | None:
    """The round of least cost, with the fewest tables stopped for it; None: no better, or none."""
    players = [player for game in case.open.values() for player in game]
    players += case.loose or ()
    at_home = {frozenset(game) for game in case.open.values()}
    stop = len(case.open) + 1
    # Where no rematch has to go, no table of a better round has a gap of its own above this one's.
    is_legal = as_made is not None and as_made < case.whole
    steps_max = isqrt(as_made or 0) if is_legal else len(players)
    edges = []
    for (a, one), (b, other) in combinations(enumerate(players), 2):
        kept = frozenset((one, other)) in at_home
        steps = abs(case.board.group_of[one] - case.board.group_of[other])
        if kept or (other not in case.bans[one] and steps <= steps_max):
            edges.append((a, b, case.cost_of((one, other)) * stop + (not kept)))
    pairs = [(players[a], players[b]) for a, b in least_cost(len(players), edges, draws)]
    if 2 * len(pairs) < len(players):
        return None
    seats = _seated(case, [game for game in pairs if frozenset(game) not in at_home])
    return seats if as_made is None or _total(case, seats) < as_made else None


def _seated(case: _Case, games: Sequence[Game]) -> dict[int, Game]:
    """Put games on the tables that their players leave, the highest scores first."""
    players = {player for game in games for player in game}
    places = [at for at, game in case.open.items() if players.intersection(game)]
    if case.loose_at >= 0:
        places.append(case.loose_at)
    group = case.board.group_of
    turned = [game if group[game[0]] <= group[game[1]] else game[::-1] for game in games]
    ordered = sorted(turned, key=lambda game: (group[game[0]] + group[game[1]], game))
    return dict(zip(sorted(places), ordered, strict=True))


def _kinds(case: _Case, draws: Draws) -> dict[tuple[int, int, bool], list[int]]:
    """The tables that can be stopped by their two groups and whether they are a rematch."""
    kinds: dict[tuple[int, int, bool], list[int]] = {}
    for at in draws.shuffled(case.open):
        game = case.open[at]
        low, high = sorted(case.board.group_of[player] for player in game)
        kinds.setdefault((low, high, game[1] in case.bans[game[0]]), []).append(at)
    return kinds


def _best_of(
    case: _Case,
    kinds: dict[tuple[int, int, bool], list[int]],
    count: int,
    least: int | None,
) -> tuple[int, dict[int, Game] | None]:
    """The best repair that stops just so many tables, if it undercuts `least`."""
    best, seats = least, None
    for bound, sets in _by_bound(case, kinds, count, least):
        if best is not None and bound >= best:
            break
        for chosen in product(*sets):
            places = [at for group in chosen for at in group]
            games = _least_among(case, [case.open[at] for at in places])
            if games is None:
                continue
            trial = _seated(case, games) if games else {}
            total = _total(case, trial)
            if best is None or total < best:
                best, seats = total, trial
            if total == bound:
                break
    return best or 0, seats


def _by_bound(
    case: _Case,
    kinds: dict[tuple[int, int, bool], list[int]],
    count: int,
    least: int | None,
) -> list[tuple[int, list[list[tuple[int, ...]]]]]:
    """The kinds of tables to stop, by the least that they could cost, where that undercuts."""
    whole = case.as_made()
    group = case.board.group_of
    loose = [group[player] for player in case.loose or ()]
    found = []
    for chosen in combinations_with_replacement(sorted(kinds), count):
        counts = {kind: chosen.count(kind) for kind in chosen}
        if any(number > len(kinds[kind]) for kind, number in counts.items()):
            continue
        gone = sum((high - low) ** 2 + case.whole * again for low, high, again in chosen)
        places = sorted([*loose, *(at for low, high, _ in chosen for at in (low, high))])
        bound = whole - gone + _side_by_side(places)
        if least is None or bound < least:
            found.append((bound, counts))
    found.sort(key=lambda each: each[0])
    return [
        (bound, [list(combinations(kinds[kind], number)) for kind, number in counts.items()])
        for bound, counts in found
    ]


def _side_by_side(groups: list[int]) -> int:
    """The gap of players in the order of their groups, two by two: none is less."""
    return sum((groups[at + 1] - groups[at]) ** 2 for at in range(0, len(groups), 2))


def _least_among(case: _Case, stopped: Sequence[Game]) -> list[Game] | None:
    """The cheapest legal games of the players of a few tables, no two of them as they sat."""
    players = [player for game in stopped for player in game]
    players += case.loose or ()
    sat = {frozenset(game) for game in stopped}
    best: tuple[int, list[Game]] | None = None
    for games in _matchings(players):
        if any(frozenset(game) in sat or game[1] in case.bans[game[0]] for game in games):
            continue
        total = sum(map(case.cost_of, games))
        if best is None or total < best[0]:
            best = (total, games)
    return None if best is None else best[1]


def _matchings(players: Sequence[int]) -> Iterator[list[Game]]:
    if not players:
        yield []
        return
    first, *rest = players
    for at, other in enumerate(rest):
        for games in _matchings([*rest[:at], *rest[at + 1 :]]):
            yield [(first, other), *games]
