"""Who meets whom in an elimination: the first round of a cut or of an event, and every later one.

A round is a list of games `(a, b)`; a game's number is its place, counted from 1. Nobody is 0 and
stands second: `(a, 0)` is a's bye, `(0, 0)` a game that nobody is left for. All functions are
pure; only the opening of an event that starts with elimination draws.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
