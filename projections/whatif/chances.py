"""What a sweep comes to: a verdict for everyone who plays on, by their own result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from ledger.events.results import Result
from ledger.tournament.scoring import turned
from ledger.tournament.state import Match
from projections.whatif.outcomes import ResultKind

Verdict = Literal["certain", "possible", "out", "not proven"]
"""Not proven: the search was given up, or a sample has shown only one side of it."""


class Chance(Struct, frozen=True):
    """What becomes of a player by one kind of result of their match; None: they have no open match.

    `result` is one of `count` results of one outcome and one score of points, seen from their
    side: the verdict is of all of these. `made` of `tried` combinations of a sample had them in
    the cut; both are 0 without one.
    """

    result: Result | None
    verdict: Verdict
    count: int = 0
    made: int = 0
    tried: int = 0


class PlayerChances(Struct, frozen=True):
    """A player's verdict over all, and by their own result."""

    player: int
    verdict: Verdict
    chances: tuple[Chance, ...]


class Sweep(Struct, frozen=True):
    """What all who play on can still reach, by their rank as it is now ("hopes" in JSON).

    `size` players go on to `stage`, or with `by_points` those with `size` points. `is_last`: the
    cut comes after this round. `open` are the matches, `results` one result of each kind that they
    may end in. `distinct` results of different worth were thought of for each; `whole`: there
    are no others. `samples` is 0 without a sample; else `margin` is the error of the shares.
    """

    round: int
    stage: int
    by_points: bool
    size: int
    is_last: bool
    open: tuple[int, ...]
    results: tuple[Result, ...]
    distinct: int
    whole: bool
    samples: int
    margin: float
    players: tuple[PlayerChances, ...] = field(name="hopes")


def over_all(player: int, chances: Sequence[Chance]) -> PlayerChances:
    """Sum the chances up: certain or out where all are, else possible."""
    verdicts = {chance.verdict for chance in chances}
    if len(verdicts) == 1:
        return PlayerChances(player, chances[0].verdict, tuple(chances))
    proven = "possible" in verdicts or {"certain", "out"} <= verdicts
    return PlayerChances(player, "possible" if proven else "not proven", tuple(chances))


NO_SAMPLE: Mapping[tuple[int, int], int] = Counter()


class Ends(Struct, frozen=True):
    """What the open matches may end in: every result, and the kinds that they are of."""

    matches: list[Match]
    results: list[Result]
    kinds: list[ResultKind]

    def seats(self) -> dict[int, tuple[int, bool]]:
        """Where each player's open match is among the matches, and whether they are its first."""
        return {
            player: (at, player == match.first)
            for at, match in enumerate(self.matches)
            for player in match.players
        }

    def seen_by(
        self, player: int, seats: Mapping[int, tuple[int, bool]]
    ) -> list[tuple[Result | None, int]]:
        """One result of each kind as a player sees it, and how many are of that kind.

        Who has no open match has none, which is one.
        """
        if player not in seats:
            return [(None, 0)]
        own = self.examples() if seats[player][1] else map(turned, self.examples())
        return list(zip(own, (len(kind.places) for kind in self.kinds), strict=True))

    def chances(
        self,
        verdicts: Mapping[int, Sequence[Verdict]],
        made: Mapping[tuple[int, int], int] = NO_SAMPLE,
        tried: Mapping[tuple[int, int], int] = NO_SAMPLE,
    ) -> dict[int, PlayerChances]:
        """Join what is proven of players by kind of result, and a sample by player and kind."""
        seats, found = self.seats(), {}
        for player, own in verdicts.items():
            chances = []
            for place, (result, count) in enumerate(self.seen_by(player, seats)):
                counts = made[player, place], tried[player, place]
                seen_both = own[place] == "not proven" and 0 < counts[0] < counts[1]
                verdict = "possible" if seen_both else own[place]
                chances.append(Chance(result, verdict, count, *counts))
            found[player] = over_all(player, chances)
        return found

    def examples(self) -> list[Result]:
        """One result of each kind."""
        return [self.results[kind.places[0]] for kind in self.kinds]
