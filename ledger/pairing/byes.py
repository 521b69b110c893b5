"""Where not everything can be had: the best bye that is left, the fewest rematches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.pairing.board import Bans, Board, Tables
from ledger.pairing.draws import Draws
from ledger.pairing.exact import least_cost, matched


def best_bye(players: Sequence[int], bans: Bans, bye_order: Sequence[int], spare: Bans) -> int:
    """Find the bye that leaves the fewest rematches, then the fewest games to be spared.

    `players` are an odd number; what comes back is the place in the order, of several such byes
    the first.
    """
    bye = len(players)
    node = {player: at for at, player in enumerate(players)}
    edges = [(node[player], bye, place) for place, player in enumerate(bye_order)]
    edges += ((a, b, len(bye_order) * weight) for a, b, weight in _games(players, bans, spare))
    opponent = {b: a for a, b in matched(bye + 1, edges)}
    return bye_order.index(players[opponent[bye]])


def fewest_rematches(board: Board, draws: Draws, spare: Bans) -> Tables:
    """Pair the board with the fewest rematches and games to be spared, then at the least gap."""
    players = [player for group in board.groups for player in group]
    unit = len(players) * len(board.groups) ** 2
    edges = (
        (a, b, unit * weight + (board.group_at[b] - board.group_at[a]) ** 2)
        for a, b, weight in _games(players, board.bans, spare)
    )
    return [(players[a], players[b]) for a, b in least_cost(len(players), edges, draws)]


def _games(players: Sequence[int], bans: Bans, spare: Bans) -> Iterator[tuple[int, int, int]]:
    """List any two players, by their places, and what is against their game.

    That is 0 for nothing, 1 where it should be spared, and more than all such games of a round
    for a rematch.
    """
    rematch = len(players) if spare else 1
    for a, player in enumerate(players):
        banned, spared = bans[player], spare.get(player, ())
        for b in range(a + 1, len(players)):
            other = players[b]
            yield a, b, rematch * (other in banned) or int(other in spared)
