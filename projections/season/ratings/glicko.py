"""Glicko-2: a rating, how sure it is, and how erratic its owner (Mark E. Glickman, 2022 edition).

All games of a rating period count as played at once, on the ratings before it. Who sits a
period out keeps the rating and grows less certain. The names of the symbols are the paper's:
mu and phi on its inner scale, sigma the volatility, v the variance that the games alone give,
delta the improvement that they suggest, tau how quickly a volatility may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, groupby
from math import exp, log, pi, sqrt

from msgspec import Struct

from projections.season.ratings.rating import Belief, Noted, Rated, RatedGame, Rating, Scale

INITIAL = 1500.0
INITIAL_DEVIATION = 350.0
INITIAL_VOLATILITY = 0.06
TAU = 0.5
PERIOD_DAYS = 30
SCALE = 173.7178
"""From the inner scale to the published one."""

PUBLISHED = Scale(INITIAL, SCALE, INITIAL_DEVIATION)

CONVERGED = 1e-6
"""How exactly a new volatility is found; the paper's own bound."""


class Strength(Struct):
    """What is known of a person, as of the end of a rating period."""

    mu: float = 0.0
    phi: float = INITIAL_DEVIATION / SCALE
    sigma: float = INITIAL_VOLATILITY
    period: int = 0
    games: int = 0
    last_day: int = 0


Opposition = list[tuple[float, float, float]]
"""The opponents of a period: mu and phi of each before it, and the score against them."""


def weight(phi: float) -> float:
    """Return g: how much a game counts against an opponent of that deviation."""
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))


def expectation(mu: float, opponent: float, phi: float) -> float:
    """Return E: what is expected against an opponent, weighed by their deviation."""
    return 1.0 / (1.0 + exp(-weight(phi) * (mu - opponent)))


def rate_glicko(
    games: Sequence[RatedGame], watched: str = "", until: int = 0, noted: Noted | None = None
) -> Rated:
    """Rate every person of the games, one rating period after the other.

    The history has one rating for each period, by the last day played in it. The ratings are as of
    the end of day `until`, after every period that ended by then.
    """
    people: dict[str, Strength] = {}
    expected: list[float] = []
    history: dict[int, Rating] = {}
    origin = games[0].day if games else 0
    for period, played in groupby(games, lambda game: (game.day - origin) // PERIOD_DAYS):
        _rate_period(people, list(played), period, expected, noted)
        if watched in people:
            history[people[watched].last_day] = _published(people[watched])
    for name in people:
        _at_start(people, name, (until + 1 - origin) // PERIOD_DAYS)
    return Rated({name: _published(each) for name, each in people.items()}, expected, history)


def updated(mu: float, phi: float, sigma: float, met: Opposition, tau: float) -> Strength:
    """Move one person on by the games of a period (steps 3 to 7 of the paper)."""
    information = improvement = 0.0
    for opponent, deviation, score in met:
        counts = weight(deviation)
        chance = expectation(mu, opponent, deviation)
        information += counts * counts * chance * (1.0 - chance)
        improvement += counts * (score - chance)
    v = 1.0 / information
    new_sigma = _volatility(phi, sigma, v, v * improvement, tau)
    before = phi * phi + new_sigma * new_sigma
    new_phi = 1.0 / sqrt(1.0 / before + 1.0 / v)
    return Strength(mu + new_phi * new_phi * improvement, new_phi, new_sigma)


def _rate_period(
    people: dict[str, Strength],
    games: list[RatedGame],
    period: int,
    expected: list[float],
    noted: Noted | None,
) -> None:
    met: dict[str, Opposition] = {}
    last: dict[str, int] = {}
    for day, first, second, score in games:
        mine = _at_start(people, first, period)
        theirs = _at_start(people, second, period)
        if noted:
            noted(_before(mine), _before(theirs))
        both = sqrt(mine.phi * mine.phi + theirs.phi * theirs.phi)
        expected.append(expectation(mine.mu, theirs.mu, both))
        met.setdefault(first, []).append((theirs.mu, theirs.phi, score))
        met.setdefault(second, []).append((mine.mu, mine.phi, 1.0 - score))
        last[first] = last[second] = day
    for name, opposition in met.items():
        before = people[name]
        after = updated(before.mu, before.phi, before.sigma, opposition, TAU)
        after.games = before.games + len(opposition)
        after.period, after.last_day = period + 1, last[name]
        people[name] = after


def _at_start(people: dict[str, Strength], name: str, period: int) -> Strength:
    """The person as the period finds them: less certain for each period that they sat out."""
    known = people.get(name)
    if known is None:
        known = people[name] = Strength(period=period)
    elif known.period < period:
        grown = known.phi * known.phi + (period - known.period) * known.sigma * known.sigma
        known.phi = min(sqrt(grown), INITIAL_DEVIATION / SCALE)
        known.period = period
    return known


def _volatility(phi: float, sigma: float, v: float, delta: float, tau: float) -> float:
    """Find the new volatility by the Illinois method (step 5 of the paper)."""
    start = log(sigma * sigma)

    def excess(x: float) -> float:
        grown = phi * phi + v + exp(x)
        surprise = exp(x) * (delta * delta - grown) / (2.0 * grown * grown)
        return surprise - (x - start) / (tau * tau)

    low = start
    lead = delta * delta - phi * phi - v
    if lead > 0.0:
        high = log(lead)
    else:
        steps = (start - number * tau for number in count(1))
        high = next(step for step in steps if excess(step) >= 0.0)
    at_low, at_high = excess(low), excess(high)
    while abs(high - low) > CONVERGED:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = excess(middle)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return exp(low / 2.0)


def _published(known: Strength) -> Rating:
    return Rating(INITIAL + SCALE * known.mu, SCALE * known.phi, known.games, known.last_day)


def _before(known: Strength) -> Belief:
    return Belief(INITIAL + SCALE * known.mu, SCALE * known.phi, known.games)
