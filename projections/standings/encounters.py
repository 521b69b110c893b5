"""Direct encounter: who is ahead among players who are level, by the games among them alone.

Where all of them met, their scores in these games order them. Where some did not, a ruleset says
what that means: `decided`, who would be ahead whatever the missing games end in is ahead;
`ignored`, the scores as they stand order them; `void`, nothing does. Those who are level again are
looked at again among themselves, as long as that parts somebody.

A player's value is how many of those who were level are behind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from msgspec import Struct

from ledger.rulesets.tiebreakers import Tiebreaker
from projections.standings.crosstable import Crosstable


class Encounter(Struct, frozen=True):
    """A game of two who are level: its round by place, who sat opposite, and what it gave."""

    place: int
    other: int
    gave: int


class Encounters:
    """The games of everybody in a table that a tiebreaker looks at.

    `most` is what a game that is missing could give at the most.
    """

    def __init__(self, one: Tiebreaker, table: Crosstable, most: int) -> None:
        self.missing, self.most = one.missing, most
        self._table, self._kinds = table, one.kinds
        self._columns = table.columns(one.source)
        self.level: dict[int, Sequence[int]] = {}
        self.values = [0] * table.size

    def games(self, player: int, among: frozenset[int]) -> Iterator[Encounter]:
        """Yield the games of a player against some others."""
        for place, against in enumerate(self._table.against):
            other = against[player]
            if not other and self._kinds != ("met",):
                kind, other = self._table.unplayed(place)[player]
                other = other if kind in self._kinds else 0
            if other in among and other:
                yield Encounter(place, other, self._columns[place][player])

    def count(self, groups: Mapping[Hashable, Sequence[int]]) -> list[int]:
        """Count for everybody who of those level with them is behind."""
        for group in groups.values():
            left = len(group)
            for part in self._parted(list(group)):
                left -= len(part)
                for player in part:
                    self.values[player], self.level[player] = left, group
        return self.values

    def behind(self, player: int) -> list[int]:
        """Who of those level with a player is behind."""
        own = self.values[player]
        return [each for each in self.level.get(player, ()) if self.values[each] < own]

    def _parted(self, group: list[int]) -> Iterator[list[int]]:
        """Yield the players level with each other, the best first, those who stay so together."""
        if len(group) == 1:
            yield group
            return
        parts = self._once(group)
        if len(parts) == 1:
            yield group
            return
        for part in parts:
            yield from self._parted(part)

    def _once(self, group: list[int]) -> list[list[int]]:
        among = frozenset(group)
        scores: dict[int, int] = {}
        open_games: dict[int, int] = {}
        for player in group:
            games = list(self.games(player, among))
            scores[player] = sum(game.gave for game in games)
            open_games[player] = len(group) - 1 - len({game.other for game in games})
        if any(open_games.values()) and self.missing != "ignored":
            return self._decided(scores, open_games) if self.missing == "decided" else [group]
        by_score: dict[int, list[int]] = {}
        for player in group:
            by_score.setdefault(scores[player], []).append(player)
        return [by_score[score] for score in sorted(by_score, reverse=True)]

    def _decided(self, scores: Mapping[int, int], open_games: Mapping[int, int]) -> list[list[int]]:
        """Who is ahead of all others whatever happens, one after the other; then the rest."""
        best = {player: score + self.most * open_games[player] for player, score in scores.items()}
        order = sorted(scores, key=lambda player: -scores[player])
        reach = 0
        reaches = []
        for player in reversed(order):
            reaches.append(reach)
            reach = max(reach, best[player])
        reaches.reverse()
        count = 0
        while count < len(order) and scores[order[count]] > reaches[count]:
            count += 1
        alone = [[player] for player in order[:count]]
        return [*alone, sorted(order[count:])] if order[count:] else alone
