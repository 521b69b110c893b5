"""Brackets: who meets whom in an elimination, and how far each player came.

A round is a list of games `(a, b)`; the number of a game is its place, counted from 1. The number 0
is no player and comes second: `(a, 0)` is a's bye, `(0, 0)` a game without players. The functions
that make games are pure; only the opening of an event that starts with elimination draws.

How far a player came follows from the losses, the depth of games and who is out, whatever the shape
of the elimination. Games are given round by round as `(one, other, winner)`; no player, and no
winner yet, is the empty value of the players' type (0 or ""). The depth of a game is 1 + the
greatest depth of its two players' earlier games, a bye being a game: so it does not matter in which
round a game of a double elimination was played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

from ledger.pairing.shuffling import Draws

Game = tuple[int, int]
"""Two players, or a player and 0, or 0 and 0."""


def from_cut(seeds: Sequence[int]) -> list[Game]:
    """List the first games after a cut: best against worst, and so on inwards (FFG-ELIM-CUT).

    `seeds` are the players from the best to the worst. A number that is no power of two is filled
    up with nobodies at the bottom, so the best seeds have byes. One player alone has no game.
    """
    nobodies = [0] * (_bracket_size(len(seeds)) - len(seeds))
    return _ends_inwards([*seeds, *nobodies])


def next_round(winners: Sequence[int]) -> list[Game]:
    """List the games of the winners: first against last, and so on inwards (FFG-ELIM-NEXT).

    `winners` are in the order of their games, 0 where a game has none left: the winner opposite
    then has a bye. Of an odd number of games, which only a bracket set by hand can have, the
    winner of the middle one has a bye as the last game. After the final there is no game.
    """
    games = _ends_inwards(winners)
    if len(winners) % 2 and len(winners) > 1:
        games.append((winners[len(winners) // 2], 0))
    return games


def opening(players: Collection[int], draws: Draws) -> list[Game]:
    """Draw the first round of an event that starts with elimination (FFG-ELIM-OPEN).

    As many random byes as the players are short of a power of two, the others paired at random,
    and the game numbers in random order over byes and pairings. The order of `players` does not
    matter; one player alone has no game.
    """
    line = draws.shuffled(sorted(players))
    byes = _bracket_size(len(line)) - len(line)
    games = [(player, 0) for player in line[:byes]]
    games += zip(line[byes::2], line[byes + 1 :: 2], strict=False)
    return draws.shuffled(games)


def _bracket_size(players: int) -> int:
    """Return the least power of two that is not less; one player alone needs no bracket."""
    return 1 << (players - 1).bit_length() if players > 1 else players


def _ends_inwards(places: Sequence[int]) -> list[Game]:
    half = len(places) // 2
    return [
        (first, second) if first else (second, 0)
        for first, second in zip(places[:half], reversed(places), strict=False)
    ]


Name = TypeVar("Name", int, str)

SINGLE = 1
DOUBLE = 2


class Run(Struct):
    """One player's way: losses so far, the depth of the last game, and of each lost one."""

    losses: int = 0
    depth: int = 0
    waiting: bool = False
    """The last game is paired and has no winner yet."""
    lost_at: list[int] = field(default_factory=list)


class Knockout(Struct, Generic[Name]):
    """Everybody's run; a loss of that number ends one: 1, 2, or 0 while nothing shows which."""

    limit: int
    runs: dict[Name, Run]

    def is_out(self, player: Name) -> bool:
        """Whether the player lost as often as the elimination allows."""
        return 0 < self.limit <= self.runs[player].losses

    def exit_depth(self, player: Name) -> int:
        """The depth of the game that put the player out."""
        return self.runs[player].lost_at[self.limit - 1]

    def earliest_exit(self, player: Name) -> int:
        """The least depth at which a player who is still in can go out."""
        run = self.runs[player]
        spare = max(self.limit, SINGLE) - run.losses - 1
        return run.depth + spare + (0 if run.waiting else 1)

    @property
    def is_decided(self) -> bool:
        """Whether exactly one player is left."""
        return self.limit > 0 and sum(not self.is_out(player) for player in self.runs) == 1


def knockout(
    entrants: Iterable[Name], rounds: Sequence[Iterable[tuple[Name, Name, Name]]], limit: int = 0
) -> Knockout[Name]:
    """Follow an elimination; without `limit` its games show whether one loss or two end a run.

    It is double as soon as somebody plays on after a loss; single as soon as a round begins
    without the losers of an earlier one, or at most one player is left unbeaten.
    """
    runs = {player: Run() for player in entrants}
    played_on = False
    first_loss = last = 0
    for last, games in enumerate(rounds, start=1):
        for one, other, winner in games:
            sides = [runs.setdefault(player, Run()) for player in (one, other) if player]
            played_on = played_on or any(run.losses for run in sides)
            _play(runs, one, other, winner)
            if winner and one and other:
                first_loss = first_loss or last
    if not limit:
        unbeaten = sum(not run.losses for run in runs.values())
        if played_on:
            limit = DOUBLE
        elif first_loss and (last > first_loss or unbeaten <= 1):
            limit = SINGLE
    return Knockout(limit, runs)


def _play(runs: dict[Name, Run], one: Name, other: Name, winner: Name) -> None:
    sides = [player for player in (one, other) if player]
    depth = 1 + max((runs[player].depth for player in sides), default=0)
    for player in sides:
        run = runs[player]
        run.depth = depth
        run.waiting = not winner
        if winner and player != winner:
            run.losses += 1
            run.lost_at.append(depth)
