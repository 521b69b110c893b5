"""A Bayesian rating: a belief about each strength, moved with each game (Weng and Lin, 2011).

The model is Plackett-Luce as `openskill` has it. Its belief is a normal distribution; a game's
expected score is the chance that the first plays above the second, both giving one performance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import erf, sqrt
from typing import Any

from projections.season.ratings.rating import Noted, Rated, RatedGame, Scale, rate_one_by_one

MEAN = 25.0
DEVIATION = MEAN / 3.0
PERFORMANCE = MEAN / 6.0
"""The standard deviation of one game's performance (beta)."""

DRIFT = MEAN / 300.0
"""How much less certain a strength is from one game to the next (tau)."""

SCALE = Scale(MEAN, sqrt(2.0) * PERFORMANCE, None)

_RANKS = {1.0: [1, 2], 0.5: [1, 1], 0.0: [2, 1]}
"""The ranks that say what a score says."""


def model(drift: float = DRIFT) -> Any:  # noqa: ANN401 - the library's classes have no common type
    """Return the model that rates; it holds settings alone."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - paid for by who asks

    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=PERFORMANCE, tau=drift)


def expectation(mean: float, deviation: float, other_mean: float, other_deviation: float) -> float:
    """Return the chance that the first of two beliefs gives the better performance."""
    spread = sqrt(2.0 * PERFORMANCE**2 + deviation**2 + other_deviation**2)
    return 0.5 * (1.0 + erf((mean - other_mean) / (spread * sqrt(2.0))))


class _Beliefs:
    """What is believed of everybody's strength."""

    def __init__(self) -> None:
        self._model = model()
        self._beliefs: dict[str, Any] = defaultdict(self._model.rating)

    def expects(self, first: str, second: str) -> float:
        mine, theirs = self._beliefs[first], self._beliefs[second]
        return expectation(mine.mu, mine.sigma, theirs.mu, theirs.sigma)

    def move(self, first: str, second: str, score: float) -> None:
        teams = [[self._beliefs[first]], [self._beliefs[second]]]
        moved = self._model.rate(teams, ranks=_RANKS[score])
        [[self._beliefs[first]], [self._beliefs[second]]] = moved

    def of(self, person: str) -> tuple[float, float]:
        belief = self._beliefs[person]
        return belief.mu, belief.sigma


def rate_bayes(
    games: Sequence[RatedGame], watched: str = "", _until: int = 0, noted: Noted | None = None
) -> Rated:
    """Rate every person of the games, one game after the other; a belief ages by games alone."""
    return rate_one_by_one(games, watched, _Beliefs(), noted)
