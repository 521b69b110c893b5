"""The fewest results that would have to be others for somebody else to be in a cut, by points.

A cut by rank is another one as soon as one who is out stands above one who is in. For such a pair,
of each match the most that another result of it can move them towards each other is known; a game
between the two moves both. So the fewest matches whose moves together reach the gap between them
are a bound that no other set of results goes below, whatever the tiebreakers. Where the moves go
beyond the gap, that many are enough as well. A cut by points is another one as soon as somebody
crosses the line.

Byes, pairings and who left stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

Score = tuple[int, int]


class ScoredGame(Struct, frozen=True):
    """A match with a slip: who played it, and what it was worth to each, by its result alone."""

    match: int
    players: tuple[int, int]
    score: Score


class CutRecord(Struct, frozen=True):
    """Who is in a cut, who is out, and the results that this goes by.

    `scores` is every score that a match may have. `line` is the number of points that a cut by
    points asks for, 0 where it goes by rank.
    """

    points: Mapping[int, int]
    inside: Sequence[int]
    outside: Sequence[int]
    games: Sequence[ScoredGame]
    scores: Sequence[Score]
    line: int = 0


class Shift(NamedTuple):
    """How far another result of a match moves a pair towards each other at the most."""

    gain: int
    match: int


class Crossing(NamedTuple):
    """How few changes bring one who is out up to one who is in.

    `leaver` or `entrant` is 0 where nobody's place is taken. `is_enough`: these changes carry the
    entrant past them, by points alone; else they come level, and tiebreakers say more. `moves` are
    all that can be had, the greatest first, `gap` what is to be reached.
    """

    changes: int
    is_enough: bool
    leaver: int
    entrant: int
    gap: int
    moves: Sequence[Shift]


class Moves:
    """What each match of a record can move, by player."""

    def __init__(self, record: CutRecord, free: Collection[int] = ()) -> None:
        self.record = record
        self.free = frozenset(free)
        self._least = [min(score[side] for score in record.scores) for side in (0, 1)]
        self._most = [max(score[side] for score in record.scores) for side in (0, 1)]
        self._swing = [max(s[1 - side] - s[side] for s in record.scores) for side in (0, 1)]
        self._played: dict[int, list[tuple[ScoredGame, int]]] = {}
        self.widest = 0
        for game in record.games:
            for side, player in enumerate(game.players):
                self._played.setdefault(player, []).append((game, side))
                had, other = game.score[side], game.score[1 - side]
                lost, won = had - self._least[side], self._most[side] - had
                self.widest = max(self.widest, lost, won, had - other + self._swing[side])

    def lost_by(self, player: int) -> list[Shift]:
        """What each match of a player can take from them, the most first."""
        return _sorted(self._down(player).values())

    def won_by(self, player: int) -> list[Shift]:
        """What each match of a player can give them, the most first."""
        return _sorted(self._up(player).values())

    def of_pair(self, leaver: int, entrant: int) -> list[Shift]:
        """What each match of two can move them towards each other, the most first."""
        possible = self._down(leaver) | self._up(entrant)
        for game, side in self._played.get(leaver, ()):
            if game.players[1 - side] == entrant:
                apart = game.score[side] - game.score[1 - side]
                possible[game.match] = Shift(apart + self._swing[side], game.match)
        return _sorted(possible.values())

    def _down(self, player: int) -> dict[int, Shift]:
        return {
            game.match: Shift(game.score[side] - self._least[side], game.match)
            for game, side in self._played.get(player, ())
        }

    def _up(self, player: int) -> dict[int, Shift]:
        return {
            game.match: Shift(self._most[side] - game.score[side], game.match)
            for game, side in self._played.get(player, ())
        }

    def goes_further(self, gap: int, count: int) -> bool:
        """Return whether a gap takes more than that many changes, of any two players.

        `widest` is the most that one result moves any two: a game between them moves both.
        """
        return not self.free and gap > count * self.widest


def _sorted(moves: Collection[Shift]) -> list[Shift]:
    return sorted((each for each in moves if each.gain > 0), key=lambda each: (-each.gain, each[1]))


def crossings(record: CutRecord, free: Collection[int] = ()) -> Iterator[Crossing]:
    """Yield for everyone who could cross a line, or each pair that could change places, how few.

    The results of `free` matches may be anything: they count for nothing. Who cannot be brought
    there by any results is left out.
    """
    moves = Moves(record, free)
    yield from _by_line(record, moves) if record.line else _by_rank(record, moves)


def fewest(record: CutRecord, free: Collection[int] = ()) -> int:
    """Return how few wrong results it takes at least to change who is in.

    One more than there are games, where nothing changes that.
    """
    beyond = len(record.games) + 1
    return min((each.changes for each in crossings(record, free)), default=beyond)


def _by_line(record: CutRecord, moves: Moves) -> Iterator[Crossing]:
    for player in record.inside:
        found = _crossing(moves, record.points[player] - record.line + 1, moves.lost_by(player))
        if found is not None:
            yield found._replace(leaver=player, is_enough=True)
    for player in record.outside:
        found = _crossing(moves, record.line - record.points[player], moves.won_by(player))
        if found is not None:
            yield found._replace(entrant=player, is_enough=True)


def _by_rank(record: CutRecord, moves: Moves) -> Iterator[Crossing]:
    """Yield the pairs; those that are further apart than the fewest so far can bridge left out."""
    lowest = len(record.games) + 1
    outside = sorted(record.outside, key=lambda each: -record.points[each])
    for leaver in sorted(record.inside, key=lambda each: record.points[each]):
        for entrant in outside:
            gap = record.points[leaver] - record.points[entrant]
            if moves.goes_further(gap, lowest):
                break
            found = _crossing(moves, gap, moves.of_pair(leaver, entrant))
            if found is not None:
                lowest = min(lowest, found.changes)
                yield found._replace(leaver=leaver, entrant=entrant)


def _crossing(moves: Moves, gap: int, possible: list[Shift]) -> Crossing | None:
    """Take the greatest moves until the gap is reached; what is free comes first."""
    left = gap - sum(each.gain for each in possible if each.match in moves.free)
    costly = [each for each in possible if each.match not in moves.free]
    if left < 0 or (left == 0 and moves.free):
        return Crossing(0, left < 0, 0, 0, left, costly)
    reached = count = 0
    while count < len(costly) and (reached < left or not count):
        reached += costly[count].gain
        count += 1
    if reached < left:
        return None
    return Crossing(max(count, 1), reached > left, 0, 0, left, costly)


def level_sets(
    record: CutRecord, moves: Sequence[Shift], changes: int
) -> Iterator[tuple[Shift, ...]]:
    """Yield the sets of matches whose greatest moves bring a pair level with so few changes.

    If two are level and nothing moves them, any match may move the tiebreakers.
    """
    if not moves:
        yield from ((Shift(0, game.match),) for game in record.games)
        return
    last = moves[min(changes, len(moves)) - 1].gain
    first = tuple(move for move in moves if move.gain > last)
    others = [move for move in moves if move.gain == last]
    for chosen in combinations(others, min(changes, len(moves)) - len(first)):
        yield (*first, *chosen)
