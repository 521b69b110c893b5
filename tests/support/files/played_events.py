"""Tournaments played by chance, without any code under test: who met whom, and the scores."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FIRST = ("Ada", "Bo", "Cleo", "Dai", "Ewa", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")
LAST = ("Arden", "Brook", "Costa", "Drum", "Eck", "Fjord", "Gale", "Holm", "Iver", "Juhl")


class Game(NamedTuple):
    """A table. Without a second player it is a bye, or a round missed.

    `score` is what both sides have, in the tool's own numbers; `drawn` is games drawn (Magic).
    `kind` is `played`, `bye`, `missed`, `forfeit` (the second did not come) or `open`.
    """

    one: int
    two: int = 0
    score: tuple[int, int] = (0, 0)
    drawn: int = 0
    kind: str = "played"

    def of(self, player: int) -> tuple[int, int]:
        """Return the score from a player's side."""
        return self.score if player == self.one else (self.score[1], self.score[0])

    def other(self, player: int) -> int:
        """Return the opponent, 0 for none."""
        return self.two if player == self.one else self.one


@dataclass
class Played:
    """An event as it was played: people by number from 1, Swiss rounds and elimination rounds."""

    people: int
    swiss: list[list[Game]] = field(default_factory=list)
    cut: list[list[Game]] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)

    def names(self) -> list[str]:
        """Return a name for each number, the first one unused."""
        return ["", *(name_of(number) for number in range(1, self.people + 1))]

    def games(self, player: int, rounds: int = 0) -> Iterator[Game]:
        """Yield a player's Swiss games, of the first rounds or of all."""
        for round_ in self.swiss[: rounds or len(self.swiss)]:
            yield from (game for game in round_ if player in {game.one, game.two})


@dataclass(frozen=True)
class ForeignFile:
    """A raw file with what is true of it; `foreign_files.py` describes each member."""

    name: str
    layout: str
    data: bytes
    suffix: str
    numbers: int
    rounds: int
    players: int
    ruleset: str = ""
    plain: bool = True
    cut_after: int = 0
    playoffs: int = 0
    own_bye: bool = False
    raw_games: bool = False
    forfeits: bool = False
    adjusted: int = 0
    odd: int = 0


def own_points(game: Game, player: int) -> int:
    """Return a player's side of the score."""
    return game.of(player)[0]


def name_of(number: int) -> str:
    """Return a name that no other number has, and that has no blanks at its ends."""
    first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
    return f"{first} {last}{'' if number < 100 else number}"


class Habits(NamedTuple):
    """How an event goes: who is there, and what a table reports."""

    people: int
    rounds: int
    score: Callable[[random.Random], tuple[tuple[int, int], int]]
    """A random score from the first side, with the games drawn."""

    worth: Callable[[Game, int], int]
    """What a game is worth to a player when the next round is paired."""

    drops: float = 0.0
    late: float = 0.0
    missed: float = 0.0
    forfeits: float = 0.0
    full_score: tuple[int, int] = (1, 0)
    """The score of a forfeit win."""

    bye_score: tuple[int, int] = (1, 0)
    second_day: tuple[int, int] = (0, 0)
    """After which round the field is cut, and to how many."""


def played(seed: object, habits: Habits) -> Played:
    """Play the Swiss rounds of an event: rematches are avoided, the lowest has the bye."""
    chance = random.Random(f"foreign {seed}")
    event = Played(habits.people)
    totals = dict.fromkeys(range(1, habits.people + 1), 0)
    late = {player for player in totals if chance.random() < habits.late}
    met: set[frozenset[int]] = set()
    had_bye: set[int] = set()
    cut_after, size = habits.second_day
    field_of = set(totals)
    for number in range(1, habits.rounds + 1):
        there = [each for each in totals if each in field_of and each not in event.dropped]
        there = [each for each in there if number > 1 or each not in late]
        chance.shuffle(there)
        there.sort(key=lambda each: -totals[each])
        round_ = [
            Game(each, kind="missed") for each in there[:-2] if chance.random() < habits.missed
        ]
        gone = {game.one for game in round_}
        there = [each for each in there if each not in gone]
        if len(there) % 2:
            alone = next((each for each in reversed(there) if each not in had_bye), there[-1])
            had_bye.add(alone)
            there.remove(alone)
            round_.append(Game(alone, score=habits.bye_score, kind="bye"))
        pairs = list(_paired(there, met))
        met |= {frozenset(pair) for pair in pairs}
        tables = [_table(chance, habits, pair) for pair in pairs]
        event.swiss.append([*tables, *round_])
        for game in event.swiss[-1]:
            for player in filter(None, (game.one, game.two)):
                totals[player] += habits.worth(game, player)
        if number == cut_after:
            ranked = sorted(field_of - event.dropped, key=lambda each: -totals[each])
            line = totals[ranked[min(size, len(ranked)) - 1]]
            field_of = {each for each in ranked if totals[each] >= line}
        if number < habits.rounds:
            free = [each for each in totals if each in field_of - event.dropped]
            leaving = [each for each in free if chance.random() < habits.drops]
            event.dropped |= set(leaving[: max(0, len(free) - 4)])
    return event


def _paired(there: Sequence[int], met: set[frozenset[int]]) -> Iterator[tuple[int, int]]:
    left = list(there)
    while left:
        first = left.pop(0)
        free = [each for each in left if frozenset({first, each}) not in met]
        second = (free or left)[0]
        left.remove(second)
        yield first, second


def _table(chance: random.Random, habits: Habits, pair: tuple[int, int]) -> Game:
    one, two = pair if chance.random() < 0.5 else pair[::-1]
    if chance.random() < habits.forfeits:
        return Game(one, two, habits.full_score, kind="forfeit")
    score, drawn = habits.score(chance)
    return Game(one, two, score, drawn)


def knockout(
    event: Played,
    seeds: Sequence[int],
    chance: random.Random,
    score: Callable[[random.Random], tuple[int, int]],
) -> None:
    """Play a single elimination of those seeds, whose number is a power of two."""
    event.seeds = list(seeds)
    left = list(seeds)
    while len(left) > 1:
        pairs = [(left[at], left[-1 - at]) for at in range(len(left) // 2)]
        games = [Game(one, two, score(chance)) for one, two in pairs]
        event.cut.append(games)
        left = [game.one if game.score[0] > game.score[1] else game.two for game in games]
