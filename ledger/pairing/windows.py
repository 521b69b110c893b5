"""The blocks that resisted the quick path, solved exactly with what the proof needs around them.

A window is a run of blocks around one or more suspects (blocks without a legal line found), and
has an allowance A, an even number, 0 at first. What is matched exactly is the window with

*   A/2 good blocks on either side of the suspects, or all there are,
*   tables of at most d steps, d(d - 1) <= A,
*   of a large group only A + 2D + 4 random players, D being the most bans that anybody has; the
    others keep the legal tables inside their group that the quick path gave them.

If the least excess X found is at most A, no better round exists, and every best one could have
come up; otherwise the window is solved again with a larger allowance. Why:

*   A table of d steps has by itself an excess of d(d - 1); a border crossed by k tables more than
    it must be adds k. So in a best round of the window no table has more steps, and at most A + 2
    players of a group meet somebody outside it.
*   Where only a part of the group is there, other players of this part can take the places of
    these A + 2, one after the other, each having at most D bans; the 2D + 2 or more who are left
    can be paired among themselves, since each may meet at least half of them (Dirac's theorem).
    So the part does as well as the group.
*   An even border is crossed by no table or by two at least, an excess of 2. Blocks tied together
    by tables across their borders have a suspect among them, or each would be better off by
    itself. So tables that lead out of a window cross its own border and the A/2 borders between
    the good blocks and up to the suspects: an excess of A + 2, more than the X <= A that solving
    the window by itself costs. Where they tie windows together, each window's own A/2 borders pay
    for its X, and the border between is to spare. So no best round leaves a window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import isqrt

from msgspec import Struct

from ledger.pairing.board import Board, Tables
from ledger.pairing.exact import Edge, least_cost
from ledger.pairing.shuffling import Draws


class Window(Struct):
    """The blocks from `first` to `last`, both suspects.

    `tables` are those that replace tables of the line; None until they are proven.
    """

    first: int
    last: int
    allowance: int = 0
    tables: Tables | None = None

    def blocks(self, board: Board) -> range:
        """Span the blocks of the window, the good ones at its sides included."""
        reach = self.allowance // 2
        return range(max(0, self.first - reach), min(len(board.blocks), self.last + reach + 1))


def settle(board: Board, line: list[int], suspects: list[int], draws: Draws) -> list[Window] | None:
    """Solve the suspect blocks; None if there is no legal round.

    `line` is the quick path's, with nothing but legal tables outside the suspects.
    """
    windows = [Window(first=block, last=block) for block in suspects]
    while unproven := [window for window in windows if window.tables is None]:
        if not _solve(unproven[0], board, line, draws):
            return None
        windows = _merged(windows, board)
    return windows


def _solve(window: Window, board: Board, line: list[int], draws: Draws) -> bool:
    """Solve a window, and prove it or raise its allowance; False if there is no legal round."""
    allowance = window.allowance
    blocks = window.blocks(board)
    groups = range(board.blocks[blocks[0]].start, board.blocks[blocks[-1]].stop)
    part = allowance + 2 * board.most_bans + 4
    loose = _loosened(board, groups, part)
    steps_max = (1 + isqrt(1 + 4 * allowance)) // 2
    pairs = least_cost(len(loose), _edges(board, line, loose, steps_max), draws)
    everything = len(loose) == len(line) and steps_max >= len(board.groups) - 1
    if 2 * len(pairs) < len(loose):
        window.allowance = 4 * allowance + 2
        return not everything
    tables = [(line[loose[a]], line[loose[b]]) for a, b in pairs]
    excess = board.gap(tables) - board.bound(groups)
    if everything or excess <= allowance:
        window.tables = tables
    else:
        window.allowance = min(excess, max(2, 4 * allowance))
    return True


def _loosened(board: Board, groups: range, part: int) -> list[int]:
    """List the places of the line to match again.

    Of each group these are all, or at least as many as `part` says: those of its first tables,
    which are random ones, as the line is in random order. The tables that stay are legal, since
    in so large a group the quick path always finds an exchange.
    """
    loose: list[int] = []
    inside: dict[int, list[int]] = {}
    for table in range(board.starts[groups.start], board.starts[groups.stop], 2):
        at = board.group_at[table]
        if at != board.group_at[table + 1] or len(board.groups[at]) <= part:
            loose += (table, table + 1)
        else:
            inside.setdefault(at, []).append(table)
    taken = Counter(board.group_at[place] for place in loose)
    for at, tables in inside.items():
        missing = max(0, (part - taken[at] + 1) // 2)
        loose += [place for table in tables[:missing] for place in (table, table + 1)]
    return sorted(loose)


def _edges(board: Board, line: list[int], loose: list[int], steps_max: int) -> Iterator[Edge]:
    players = [line[place] for place in loose]
    groups = [board.group_at[place] for place in loose]
    for a, player in enumerate(players):
        bans = board.bans[player]
        for b in range(a + 1, len(players)):
            steps = groups[b] - groups[a]
            if steps > steps_max:
                break
            if players[b] not in bans:
                yield a, b, steps * steps


def _merged(windows: list[Window], board: Board) -> list[Window]:
    """Make one unproven window of those that overlap."""
    merged: list[Window] = []
    for window in windows:
        latest = window
        while merged and merged[-1].blocks(board).stop > latest.blocks(board).start:
            left = merged.pop()
            allowance = max(left.allowance, latest.allowance)
            latest = Window(first=left.first, last=latest.last, allowance=allowance)
        merged.append(latest)
    return merged
