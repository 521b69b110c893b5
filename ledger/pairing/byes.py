"""Where not everything can be had: the best bye that is left, the fewest rematches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.pairing.exact import least_cost
from ledger.pairing.exact import matched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.draws import Draws
    from ledger.pairing.board import Bans
    from ledger.pairing.board import Board
    from ledger.pairing.board import Tables


def best_bye(players: Sequence[int], bans: Bans, bye_order: Sequence[int]) -> int:
    """Find the bye that leaves the fewest rematches; of several such, the first in the order.

    `players` are an odd number; what comes back is the place in the order.
    """
    bye = len(players)
    rematch = len(bye_order)
    node = {player: at for at, player in enumerate(players)}
    edges = [(node[player], bye, place) for place, player in enumerate(bye_order)]
    edges += [(a, b, rematch * banned) for a, b, banned in _games(players, bans)]
    opponent = {b: a for a, b in matched(bye + 1, edges)}
    return bye_order.index(players[opponent[bye]])


def fewest_rematches(board: Board, draws: Draws) -> Tables:
    """Pair the board with the fewest rematches, then at the least gap."""
    players = [player for group in board.groups for player in group]
    rematch = len(players) * len(board.groups) ** 2
    edges = (
        (a, b, rematch * banned + (board.group_at[b] - board.group_at[a]) ** 2)
        for a, b, banned in _games(players, board.bans)
    )
    return [(players[a], players[b]) for a, b in least_cost(len(players), edges, draws)]


def _games(players: Sequence[int], bans: Bans) -> Iterator[tuple[int, int, bool]]:
    """List any two players, by their places, and whether they must not meet."""
    for a, player in enumerate(players):
        for b in range(a + 1, len(players)):
            yield a, b, players[b] in bans[player]
