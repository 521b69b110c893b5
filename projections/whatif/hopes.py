"""What a sweep comes to: a verdict for everyone who plays on, by their own result."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Literal

from msgspec import Struct

from ledger.events.results import Result  # noqa: TC001 - msgspec resolves the annotations
from ledger.progress import stage_points
from ledger.scoring import turned

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence

    from ledger.state import Match
    from ledger.state import Stage
    from ledger.state import Tournament

Verdict = Literal["certain", "possible", "out", "open"]
"""`open`: the exact search was given up, or a sample has shown only one side of it."""


class Chance(Struct, frozen=True):
    """What becomes of a player by one result of their match; None: they have no open match.

    The result is seen from their side. `made` of `tried` combinations of a sample had them in
    the cut; both are 0 where the verdict is proven without one.
    """

    result: Result | None
    verdict: Verdict
    made: int = 0
    tried: int = 0


class Hope(Struct, frozen=True):
    """A player's verdict over all, and by their own result."""

    player: int
    verdict: Verdict
    chances: tuple[Chance, ...]


class Sweep(Struct, frozen=True):
    """The hopes of all who play on, by their rank as it is now.

    `size` players go on to `stage`, or with `by_points` those who have so many. `is_last`: the
    cut comes after this round. `open` are the matches, `results` what each may end in. `samples`
    is 0 where every answer is proven; else `margin` is the error of the shares.
    """

    round: int
    stage: int
    by_points: bool
    size: int
    is_last: bool
    open: tuple[int, ...]
    results: tuple[Result, ...]
    samples: int
    margin: float
    hopes: tuple[Hope, ...]


def over_all(player: int, chances: Sequence[Chance]) -> Hope:
    """Sum the chances up: certain or out where all are, else possible."""
    verdicts = {chance.verdict for chance in chances}
    if len(verdicts) == 1:
        return Hope(player, chances[0].verdict, tuple(chances))
    proven = "possible" in verdicts or {"certain", "out"} <= verdicts
    return Hope(player, "possible" if proven else "open", tuple(chances))


def own_results(
    player: int, matches: Iterable[Match], results: Sequence[Result]
) -> tuple[int, list[Result]]:
    """Where the player's open match stands, and its results from their side; -1: they have none."""
    for at, match in enumerate(matches):
        if player in match.players:
            first = match.first == player
            return at, [result if first else turned(result) for result in results]
    return -1, []


def points_with(
    tournament: Tournament,
    player: int,
    matches: Iterable[Match],
    results: Sequence[Result],
    stage: Stage,
) -> list[tuple[Result | None, int]]:
    """The player's points before the cut to a stage, by each result of their own match."""
    points = stage_points(tournament, tournament.stages[stage.number - 2])[player]
    at, own = own_results(player, matches, results)
    if at < 0:
        return [(None, points)]
    return [(result, points + result.points[0]) for result in own]
