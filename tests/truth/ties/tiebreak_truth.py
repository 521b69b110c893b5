"""A second implementation of the tie-breaks of chess and go, from what was published of them.

It knows neither declarations nor columns: an event is, for each player, what each round was. Points
are as published, one for a win.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.support.chance.random_held_events import Held, HeldEvent

HALF = Fraction(1, 2)
VOLUNTARY = ("asked", "lost", "absent")
UNPLAYED = ("bye", "asked", "won", "lost", "absent")


def whole(value: Fraction) -> Fraction:
    """To a whole number, half up."""
    return Fraction(floor(value + HALF))


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


class Rounds:
    """What was published of both games, of one event."""

    def __init__(self, event: HeldEvent) -> None:
        self.event = event
        self.players = range(1, len(event.tournament.players))

    def of(self, player: int) -> list[Held]:
        """A player's rounds."""
        return self.event.of(player)

    def points(self, player: int) -> Fraction:
        """Points, without those to start from."""
        return sum((HALF * each.points for each in self.of(player)), Fraction(0))

    def met(self, player: int) -> list[Held]:
        """The games."""
        return [each for each in self.of(player) if each.kind == "met"]

    def number(self, player: int, name: str) -> Fraction:
        """A number that the player has."""
        return Fraction(self.event.numbers[player][name])

    def count(self, player: int, counts: Callable[[Held], bool]) -> Fraction:
        """How many rounds are so."""
        return Fraction(sum(map(counts, self.of(player))))

    def running(self, player: int, start: Fraction = Fraction(0)) -> list[Fraction]:
        """The total after each round."""
        totals, so_far = [], start
        for each in self.of(player):
            so_far += HALF * each.points
            totals.append(so_far)
        return totals

    def level(self, kinds: tuple[str, ...], points: Callable[[int], Fraction]) -> dict[int, int]:
        """How many of those with the same points are behind, by the games among them."""
        groups: dict[Fraction, list[int]] = {}
        for player in self.players:
            groups.setdefault(points(player), []).append(player)
        found = dict.fromkeys(self.players, 0)
        for group in groups.values():
            left = len(group)
            for part in self._parted(group, kinds):
                left -= len(part)
                found |= dict.fromkeys(part, left)
        return found

    def _parted(self, group: list[int], kinds: tuple[str, ...]) -> Iterable[list[int]]:
        order = self._ordered(group, kinds)
        if len(order) == 1:
            return order
        return [part for each in order for part in self._parted(each, kinds)]

    def _ordered(self, group: list[int], kinds: tuple[str, ...]) -> list[list[int]]:
        score = dict.fromkeys(group, Fraction(0))
        met: set[frozenset[int]] = set()
        for player in group:
            for each in self.of(player):
                if each.kind in kinds and each.other in group:
                    score[player] += HALF * each.points
                    met.add(frozenset((player, each.other)))
        pairs = {frozenset((a, b)) for a in group for b in group if a != b}
        if pairs == met:
            return [
                [player for player in group if score[player] == one]
                for one in sorted(set(score.values()), reverse=True)
            ]
        placed: list[list[int]] = []
        rest = list(group)
        while rest and (first := self._certain(rest, score, pairs - met)):
            placed.append([first])
            rest.remove(first)
        return [*placed, rest] if rest else placed

    def _certain(
        self, rest: list[int], score: dict[int, Fraction], missing: set[frozenset[int]]
    ) -> int:
        """Who of the rest is ahead of all others, whatever the missing games end in."""
        for player in rest:
            theirs = [pair for pair in missing if pair & set(rest) - {player}]
            if len(theirs) > 9:
                best = {one: score[one] + sum(one in pair for pair in missing) for one in rest}
                if all(score[player] > best[one] for one in rest if one != player):
                    return player
                continue
            if all(
                self._ahead(player, rest, score, dict(zip(theirs, ends, strict=True)))
                for ends in product((0, 1), repeat=len(theirs))
            ):
                return player
        return 0

    @staticmethod
    def _ahead(
        player: int, rest: list[int], score: dict[int, Fraction], ends: dict[frozenset[int], int]
    ) -> bool:
        after = dict(score)
        for pair, end in ends.items():
            winner = sorted(pair)[end]
            after[winner] += 1
        return all(after[player] > after[one] for one in rest if one != player)


class Chess(Rounds):
    """C.07, in the edition of 2026 or the one before."""

    def __init__(self, event: HeldEvent, *, is_new: bool, fore: bool = False) -> None:
        super().__init__(event)
        self.is_new, self.fore = is_new, fore

    def of(self, player: int) -> list[Held]:
        """The rounds; for fore Buchholz the last one with all games drawn."""
        rounds = super().of(player)
        is_over = len(self.event.rounds) == self.event.planned
        if self.fore and is_over and rounds and rounds[-1].other:
            rounds[-1] = rounds[-1]._replace(kind="met", points=1, letter="D")
        return rounds

    def credited(self, player: int) -> Fraction:
        """What opponents are credited with: byes asked for at the end of the day are draws."""
        total, rounds = Fraction(0), self.of(player)
        at_the_end = True
        for each in reversed(rounds):
            at_the_end = at_the_end and each.kind in VOLUNTARY
            is_draw = at_the_end and each.kind in {"asked", "absent"}
            total += HALF if is_draw else HALF * each.points
        return total

    def made_up(self, player: int, held: Held) -> Fraction:
        """What an opponent is worth for a round not played."""
        own = self.points(player)
        if not self.is_new:
            return own
        if held.other:
            return min(own, self.credited(held.other))
        return min(own, HALF * self.event.planned)

    def terms(self, player: int) -> list[tuple[Fraction, Fraction, str]]:
        """Worth of the opponent, result, kind."""
        found = []
        for each in self.of(player):
            if each.kind == "open":
                continue
            worth = self.credited(each.other) if each.kind == "met" else self.made_up(player, each)
            found.append((worth, HALF * each.points, each.kind))
        return found

    def buchholz(self, player: int, low: int = 0, high: int = 0) -> Fraction:
        """Without so many of the lowest, and of the highest."""
        terms = self.terms(player)
        unplayed = sorted(worth for worth, _, kind in terms if kind in VOLUNTARY)
        others = sorted(worth for worth, _, kind in terms if kind not in VOLUNTARY)
        kept = sorted([*unplayed, *others][low:])
        return sum(kept[: max(0, len(kept) - high)], Fraction(0))

    def sonneborn(self, player: int, *, cut: bool = False) -> Fraction:
        """Worth times result; without the least significant one."""
        terms = [(worth, worth * result, kind) for worth, result, kind in self.terms(player)]
        total = sum((value for _, value, _ in terms), Fraction(0))
        if not cut or not terms:
            return total
        least = min(terms)[1]
        unplayed = [value for _, value, kind in terms if kind in VOLUNTARY]
        return total - (max(least, min(unplayed)) if unplayed else least)

    def with_forfeits(self, player: int) -> list[tuple[Fraction, Fraction]]:
        """Worth and result, forfeits as games."""
        rounds = [each for each in self.of(player) if each.kind in {"met", "won", "lost"}]
        return [(self.points(each.other), HALF * each.points) for each in rounds]

    def koya(self, player: int) -> Fraction:
        """Points against who has half or more."""
        half = HALF * len(self.event.rounds)
        found = self.with_forfeits(player)
        return sum((result for worth, result in found if worth >= half), Fraction(0))

    def ratings(self, player: int) -> list[Fraction]:
        """Of those met who have one."""
        every = (self.number(each.other, "rating") for each in self.met(player))
        return [rating for rating in every if rating]

    def rated(self, player: int) -> list[Held]:
        """Return the games against opponents with a rating."""
        return [each for each in self.met(player) if self.number(each.other, "rating")]

    def performance(self, player: int, table: dict[int, int]) -> Fraction:
        """Return the average rating met, and what a table has for the share of points there."""
        rated = self.rated(player)
        share = mean([HALF * each.points for each in rated])
        difference = table[int(whole(100 * share))] if rated else 0
        return whole(mean(self.ratings(player))) + difference

    def perfect(self, player: int, expected: Callable[[int], int]) -> Fraction:
        """Step by step upwards from 800 below the weakest opponent."""
        rated = self.rated(player)
        if not rated:
            return Fraction(0)
        ratings = [int(self.number(each.other, "rating")) for each in rated]
        wanted = sum(HALF * each.points for each in rated)
        rating = min(ratings) - 800
        while sum(Fraction(expected(rating - each), 100) for each in ratings) < wanted:
            rating += 1
        return Fraction(rating)


class Go(Rounds):
    """McMahon points as OpenGotha counts them.

    A game by default is a game: its opponent counts. It was none in the ruleset's first edition.
    """

    def __init__(self, event: HeldEvent, games: tuple[str, ...] = ("met", "won", "lost")) -> None:
        super().__init__(event)
        self.games = games

    def met(self, player: int) -> list[Held]:
        """The games, those by default among them."""
        return [each for each in self.of(player) if each.kind in self.games]

    def start(self, player: int) -> Fraction:
        """McMahon points to begin with."""
        return self.number(player, "mms")

    def score(self, player: int) -> Fraction:
        """McMahon points."""
        return self.start(player) + self.points(player)

    def wins(self, player: int) -> Fraction:
        """Wins, absences for nothing."""
        counted = ("met", "bye", "won", "lost")
        return sum((HALF * r.points for r in self.of(player) if r.kind in counted), Fraction(0))

    def sos(self, player: int, low: int = 0) -> Fraction:
        """The sum of opponents' scores."""
        played = [each for each in self.of(player) if each.kind != "open"]
        terms = [
            self.score(each.other) + each.stones if each.kind in self.games else self.start(player)
            for each in played
        ]
        return sum(sorted(terms)[low:], Fraction(0))

    def sosos(self, player: int) -> Fraction:
        """The sum of opponents' sums."""
        once = self.start(player) * len(self.event.rounds)
        played = [each for each in self.of(player) if each.kind != "open"]
        terms = [self.sos(each.other) if each.kind in self.games else once for each in played]
        return sum(terms, Fraction(0))

    def over(
        self,
        player: int,
        worth: Callable[[int], Fraction],
        *,
        defeated: bool = False,
        stones: bool = False,
    ) -> Fraction:
        """A sum over those met, with the stones of a handicap."""
        met = self.met(player)
        weights = [HALF * each.points if defeated else Fraction(1) for each in met]
        terms = [
            (worth(each.other) + (each.stones if stones else 0)) * one
            for each, one in zip(met, weights, strict=True)
        ]
        return sum(terms, Fraction(0))

    def cumulated_wins(self, player: int) -> Fraction:
        """The sum of the wins after each round."""
        counted = ("met", "bye", "won", "lost")
        gave = [HALF * r.points if r.kind in counted else Fraction(0) for r in self.of(player)]
        return sum((sum(gave[: place + 1], Fraction(0)) for place in range(len(gave))), Fraction(0))
