"""The players at the tables in score groups, and the groups in blocks.

The players stand in one line from the highest score group to the lowest. Where an odd number of
players stands above a border between two groups, at least one table must reach across it; where
the number is even, none needs to. So every round's gap is at least the number of odd borders, and
reaches that bound only if each odd border is crossed by one table, by one step, and no even
border by any. A block is a run of groups between two even borders: rounds that meet the bound
pair each block by itself. What a round has above the bound is its excess, which is always even.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise

Bans = dict[int, set[int]]
"""Whom a player must not meet; mutual."""

Tables = list[tuple[int, int]]
"""Who meets whom."""


def mutual_bans(players: Collection[int], met: Mapping[int, Collection[int]]) -> Bans:
    """List everybody's bans, each for both sides."""
    bans = {player: set(met.get(player, ())) for player in players}
    for player, others in met.items():
        for other in others:
            if other in bans:
                bans[other].add(player)
    return bans


def gap_of(tables: Tables, score: Mapping[int, int] | Sequence[int]) -> int:
    """Sum the squared steps of the tables, the score groups being those of who sits there."""
    scores = sorted({score[player] for table in tables for player in table})
    group = {points: at for at, points in enumerate(scores)}
    return sum((group[score[first]] - group[score[second]]) ** 2 for first, second in tables)


class Board:
    """An even number of players in score groups.

    `groups` are from the highest score, each in the order of the players' numbers; `starts` is
    the place in the line where each group begins, with the end of the line as the last one;
    `group_at` is the group of each place in the line, `group_of` of each player.
    """

    __slots__ = ("bans", "blocks", "group_at", "group_of", "groups", "most_bans", "starts")

    def __init__(
        self, players: Collection[int], score: Mapping[int, int] | Sequence[int], bans: Bans
    ) -> None:
        groups: dict[int, list[int]] = {}
        for player in sorted(players):
            groups.setdefault(score[player], []).append(player)
        self.groups = [groups[points] for points in sorted(groups, reverse=True)]
        self.starts = [0, *accumulate(map(len, self.groups))]
        self.group_at = [at for at, group in enumerate(self.groups) for _ in group]
        self.group_of = {player: at for at, group in enumerate(self.groups) for player in group}
        self.bans = bans
        self.most_bans = max((len(bans[player]) for player in self.group_of), default=0)
        evens = [at for at, start in enumerate(self.starts) if start % 2 == 0]
        self.blocks = [range(*pair) for pair in pairwise(evens)]

    def gap(self, tables: Tables) -> int:
        """Sum the squared steps of the tables."""
        group_of = self.group_of
        return sum((group_of[first] - group_of[second]) ** 2 for first, second in tables)

    def bound(self, groups: range) -> int:
        """Count the odd borders inside a run of groups: the least gap that it can have."""
        return sum(self.starts[at] % 2 for at in groups[1:])
