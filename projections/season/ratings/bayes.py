"""A Bayesian rating: a belief about each strength, moved with each game (Weng and Lin, 2011).

The model is Plackett-Luce as `openskill` has it. Its belief is a normal distribution; a game's
expected score is the chance that the first plays above the second, both giving one performance.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import TYPE_CHECKING, Any

from projections.season.ratings.rating import Rated, Rating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.season.ratings.rating import RatedGame

MEAN = 25.0
DEVIATION = MEAN / 3.0
PERFORMANCE = MEAN / 6.0
"""The standard deviation of one game's performance (beta)."""

DRIFT = MEAN / 300.0
"""How much less certain a strength is from one game to the next (tau)."""

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


def rate_bayes(games: Sequence[RatedGame], watched: str = "") -> Rated:
    """Rate every person of the games, one game after the other."""
    rates = model()
    beliefs: dict[str, Any] = {}
    played: dict[str, int] = {}
    last: dict[str, int] = {}
    expected: list[float] = []
    history: dict[int, Rating] = {}
    for day, first, second, score in games:
        mine = beliefs.get(first) or rates.rating()
        theirs = beliefs.get(second) or rates.rating()
        expected.append(expectation(mine.mu, mine.sigma, theirs.mu, theirs.sigma))
        [[beliefs[first]], [beliefs[second]]] = rates.rate([[mine], [theirs]], ranks=_RANKS[score])
        for person in (first, second):
            played[person] = played.get(person, 0) + 1
            last[person] = day
        if watched in (first, second):
            belief = beliefs[watched]
            history[day] = Rating(belief.mu, belief.sigma, played[watched], day)
    ratings = {
        person: Rating(belief.mu, belief.sigma, played[person], last[person])
        for person, belief in beliefs.items()
    }
    return Rated(ratings, expected, history)
