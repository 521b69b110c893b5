"""What the pairing is measured against: every round there is, and plain tournaments.

Nothing here shares code with the pairing but the two Structs that go in and come out.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger.pairing import Field, Pairing, pair_swiss
from ledger.pairing.shuffling import Draws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Game = frozenset[int]
Round = frozenset[Game]

LEGION = ((1, 0),)
L5R = ((10, 1), (10, 1), (6, 0))
RUNEWARS = ((6, 5), (7, 4), (8, 3), (9, 2), (10, 1))


class Best(NamedTuple):
    """What an optimal round is like, and all of them."""

    bye: int | None
    passed_over: list[int]
    rematches: int
    gap: int
    rounds: set[Round]
    spared: int = 0


def draws(number: int = 0, *context: int) -> Draws:
    """Make draws that differ with the numbers."""
    return Draws(b"a key for tests", "test@1", number, *context)


def all_rounds(players: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """List every way to pair an even number of players."""
    if not players:
        yield []
        return
    first, *others = players
    for at, second in enumerate(others):
        for rest in all_rounds(others[:at] + others[at + 1 :]):
            yield [(first, second), *rest]


def round_of(tables: Sequence[tuple[int, int]]) -> Round:
    """Forget the order of the tables and of the seats."""
    return frozenset(frozenset(table) for table in tables)


def gap_of(tables: Sequence[tuple[int, int]], field: Field) -> int:
    """Sum the squared steps between the scores that the players at the tables have."""
    scores = sorted({field.score[player] for table in tables for player in table})
    return sum(
        (scores.index(field.score[a]) - scores.index(field.score[b])) ** 2 for a, b in tables
    )


def rematches_of(tables: Sequence[tuple[int, int]], field: Field) -> int:
    """Count the tables where one side has a ban on the other."""
    return sum(b in field.met.get(a, ()) or a in field.met.get(b, ()) for a, b in tables)


def spared_of(tables: Sequence[tuple[int, int]], field: Field) -> int:
    """Count the tables, no rematches, that should be spared if they can."""
    return sum(
        (b in field.spare.get(a, ()) or a in field.spare.get(b, ()))
        and not rematches_of([(a, b)], field)
        for a, b in tables
    )


def best_rounds(field: Field) -> Best:
    """Try everything: the fewest rematches, the fewest to be spared, the first bye, the gap."""
    byes: list[int | None] = list(field.bye_order) if len(field.players) % 2 else [None]
    trials = []
    for place, bye in enumerate(byes):
        for tables in all_rounds([player for player in field.players if player != bye]):
            against = rematches_of(tables, field), spared_of(tables, field)
            key = (*against, place, gap_of(tables, field))
            trials.append((key, round_of(tables)))
    least = min(key for key, _ in trials)
    rematches, spared, place, gap = least
    passed_over = [player for player in field.bye_order[:place] if byes[place] is not None]
    found = {tables for key, tables in trials if key == least}
    return Best(byes[place], passed_over, rematches, gap, found, spared)


def check_shape(field: Field, pairing: Pairing) -> None:
    """Check that everybody is there once and that the pairing tells the truth about itself."""
    seated = [player for table in pairing.tables for player in table]
    byes = [] if pairing.bye is None else [pairing.bye]
    assert sorted(seated + byes) == sorted(field.players)
    assert pairing.gap == gap_of(pairing.tables, field)
    assert pairing.rematches == rematches_of(pairing.tables, field)
    pairs = [(field.score[a], field.score[b]) for a, b in pairing.tables]
    assert all(first >= second for first, second in pairs)
    assert pairs == sorted(pairs, key=lambda pair: (-sum(pair), -pair[0]))


class Day:
    """A tournament without a day's work: pairs, and draws results by a table of points."""

    def __init__(self, players: int, points: Sequence[tuple[int, int]], number: int) -> None:
        self.number = number
        self.points = points
        self.chance = random.Random(number)
        self.score = dict.fromkeys(range(1, players + 1), 0)
        self.met: dict[int, set[int]] = {player: set() for player in self.score}
        self.had_bye: set[int] = set()
        self.rounds = 0

    def field(self) -> Field:
        """Return the field of the next round, the lowest without a bye first."""
        ranks = {player: self.chance.random() for player in self.score}
        order = sorted(
            self.score,
            key=lambda player: (player in self.had_bye, self.score[player], ranks[player]),
        )
        return Field(players=list(self.score), score=self.score, met=self.met, bye_order=order)

    def play(self, rounds: int = 1) -> None:
        """Pair and play so many rounds; nobody drops."""
        for _ in range(rounds):
            self.rounds += 1
            pairing = pair_swiss(self.field(), draws(self.number, self.rounds))
            self.score = dict(self.score)
            self.met = {player: set(met) for player, met in self.met.items()}
            for table in pairing.tables:
                self._result(*self.chance.sample(table, 2))
            if pairing.bye is not None:
                self.score[pairing.bye] += self.points[-1][0]
                self.had_bye.add(pairing.bye)

    def _result(self, winner: int, loser: int) -> None:
        won, lost = self.chance.choice(self.points)
        self.score[winner] += won
        self.score[loser] += lost
        self.met[winner].add(loser)
        self.met[loser].add(winner)


@pytest.mark.parametrize(("players", "rounds"), [(0, 1), (2, 1), (4, 3), (6, 15), (8, 105)])
def test_every_round_is_listed_once(players: int, rounds: int) -> None:
    """(n - 1)(n - 3)...1 rounds of n players."""
    listed = [round_of(tables) for tables in all_rounds(range(players))]

    assert len(listed) == len(set(listed)) == rounds


def test_truth_of_a_field_worked_by_hand() -> None:
    """Scores 3 2 2 1 0; 5, who is first for the bye, has met nobody; 2 and 3 have met.

    Without 5 the scores are 3, 2, 2 and 1. Both legal rounds have 1 against 2 or 3 and the other
    against 4: two single steps. 1 against 4 would leave 2 and 3.
    """
    field = Field(
        players=[1, 2, 3, 4, 5],
        score=[-1, 3, 2, 2, 1, 0],
        met={2: [3]},
        bye_order=[5, 4, 3, 2, 1],
    )

    best = best_rounds(field)

    assert best == Best(5, [], 0, 2, {round_of([(1, 2), (3, 4)]), round_of([(1, 3), (2, 4)])})


def test_a_day_keeps_its_books() -> None:
    """Three rounds of seven: three games and a bye each."""
    day = Day(7, LEGION, number=3)
    day.play(3)

    assert sum(day.score.values()) == 3 * 4
    assert len(day.had_bye) == 3
    assert sum(map(len, day.met.values())) == 3 * 6
