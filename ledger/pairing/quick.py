"""Blocks paired at random: every group shuffled, neighbours in the line paired.

Neighbours in the line always meet the bound of their block (see `board`), and every round that
meets it can be such a line. What may be wrong are rematches: a small block is shuffled again a few
times, which keeps all its rounds equally likely; then a player of a rematch is exchanged with a
random one of the same score group, which leaves the gap as it is.
"""

from __future__ import annotations

from ledger.pairing.board import Board
from ledger.pairing.shuffling import Draws

_SMALL = 24
_TRIES = 12


def draw_line(board: Board, draws: Draws) -> tuple[list[int], list[int]]:
    """Draw a line for the whole board; return it with the numbers of the blocks left illegal.

    The players at the places 2i and 2i + 1 of the line meet.
    """
    line: list[int] = []
    illegal = []
    for number, block in enumerate(board.blocks):
        drawn = _draw_block(board, block, draws)
        if rematches(drawn, board) and not _repair(drawn, board, block, draws):
            illegal.append(number)
        line += drawn
    return line, illegal


def rematches(line: list[int], board: Board) -> list[int]:
    """List the places of the line where two stand together who must not meet."""
    bans = board.bans
    return [at for at in range(0, len(line), 2) if line[at + 1] in bans[line[at]]]


def _draw_block(board: Board, block: range, draws: Draws) -> list[int]:
    size = board.starts[block.stop] - board.starts[block.start]
    for _ in range(_TRIES if size <= _SMALL else 1):
        line = [player for at in block for player in draws.shuffled(board.groups[at])]
        if not rematches(line, board):
            break
    return line


def _repair(line: list[int], board: Board, block: range, draws: Draws) -> bool:
    """Exchange rematches away within their score groups; tell whether none is left."""
    start = board.starts[block.start]
    for table in rematches(line, board):
        for place in (table, table + 1):
            at = board.group_at[start + place]
            span = range(board.starts[at] - start, board.starts[at + 1] - start)
            if _exchange(line, place, span, board, draws):
                break
    return not rematches(line, board)


def _exchange(line: list[int], place: int, span: range, board: Board, draws: Draws) -> bool:
    """Exchange the player at a place with a random one of the span, if both tables turn legal."""
    player, opponent = line[place], line[place ^ 1]
    turn = draws.below(len(span))
    for other in (*span[turn:], *span[:turn]):
        candidate = line[other]
        if (
            other ^ 1 != place
            and opponent not in board.bans[candidate]
            and line[other ^ 1] not in board.bans[player]
        ):
            line[place], line[other] = candidate, player
            return True
    return False
