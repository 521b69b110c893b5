"""Ratings: how strong a player is, from the games of a season and nothing else.

Ratings are statistics: they are floats, and rounded wherever they are shown. Three systems read
the same games in one fixed order (day, tournament, round, match), so that the same season gives
the same ratings, and give the same kind of answer, so that the systems can be compared: a rating,
how sure it is, and the score that was expected of each game before it was played.

Elo is one number that moves with each game: by K * (score - expected), for both players at once,
where the first of them is expected to score 1 / (1 + 10 ^ ((second - first) / 400)). K is larger
for the first games of a person, of whom little is known. Elo knows no uncertainty, so it has no
interval: a standard error that takes the opponents' ratings as known, and the rating for one that
has arrived, held the strength of those with 50 games or more in 60 to 90 % of cases.

Glicko-2 (Mark E. Glickman, 2022 edition) is a rating, its deviation and its volatility. All games
of a rating period count as played at once, on the ratings before it; a player without games in a
period keeps the rating and grows less certain. The names of the symbols are the paper's: mu and
phi on its inner scale, sigma the volatility, v the variance that the games alone give, delta the
improvement that they suggest, tau how quickly a volatility may change.

Bayes (Weng and Lin, 2011) is a belief about a strength, moved with each game. The model is
Plackett-Luce, from `openskill`. The belief is a normal distribution; a game's expected score is the
chance that the first player performs above the second, both with one performance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count, groupby
from math import erf, exp, log, pi, sqrt
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from projections.season.tables.definitions import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class RatedGame(NamedTuple):
    """A game that was played: the score is 1.0 where the first won, 0.5 for a draw, else 0.0.

    `day` counts days from any fixed day and never falls from one game to the next.
    """

    day: int
    first: str
    second: str
    score: float


NORMAL_95 = 1.959963984540054
"""Number of standard deviations to either side that hold 95 % of a normal distribution."""

RANKED_GAMES = 10
"""Without an interval, a person with fewer games is ranked behind all who have as many."""


class Rating(Struct, frozen=True):
    """A person's rating after their last game, with its standard deviation; None: not known."""

    value: float
    deviation: float | None
    games: int
    last_day: int

    @property
    def interval(self) -> tuple[float, float] | tuple[None, None]:
        """The bounds that hold the strength with 95 % confidence."""
        if self.deviation is None:
            return None, None
        spread = NORMAL_95 * self.deviation
        return self.value - spread, self.value + spread

    @property
    def order(self) -> tuple[bool, float]:
        """The key that ranks a rating: by its lower bound; without one by games, then by value."""
        low, _ = self.interval
        if low is None:
            return self.games < RANKED_GAMES, -self.value
        return False, -low


class Belief(NamedTuple):
    """Rating, deviation and number of games of a person before a game."""

    value: float
    deviation: float | None
    games: int


class Scale(NamedTuple):
    """The scale of a system's ratings: the value of a person without games, and its units.

    A lead of one `unit` is expected to score e to one. `beginning` is the deviation of a person
    without games: by it one knows how much a rating keeps of its beginning. None: the system has no
    deviations, or they fall too slowly to say that.
    """

    middle: float
    unit: float
    beginning: float | None


Noted = Callable[[Belief, Belief], None]
"""Callback for each game, in their order: what was known of its two persons before it."""


class Rated(Struct, frozen=True):
    """The ratings by person, and for each game what its first player was expected to score.

    `histories` has, of each person who was watched, the rating after each day of theirs.
    """

    ratings: dict[str, Rating]
    expected: list[float]
    histories: dict[str, dict[int, Rating]]

    def ranked(self) -> list[tuple[str, Rating]]:
        """Return everyone, the highest lower bound first; equal ones by pseudonym.

        Of a system without intervals those with few games follow all others.
        """
        return sorted(self.ratings.items(), key=lambda item: (item[1].order, item[0]))


class Strengths(Protocol):
    """What a system that moves with each game knows of everybody."""

    def expects(self, first: str, second: str) -> float:
        """Return what the first is expected to score against the second."""

    def move(self, first: str, second: str, score: float) -> None:
        """Move both by a game."""

    def of(self, person: str) -> tuple[float, float | None]:
        """Return a person's rating and its deviation."""


def rate_one_by_one(
    games: Sequence[RatedGame],
    watched: Collection[str],
    strengths: Strengths,
    noted: Noted | None,
) -> Rated:
    """Rate every person of the games, one game after the other."""
    count: dict[str, int] = {}
    last: dict[str, int] = {}
    expected: list[float] = []
    histories: dict[str, dict[int, Rating]] = defaultdict(dict)
    for day, first, second, score in games:
        if noted:
            pair = (
                Belief(*strengths.of(person), count.get(person, 0)) for person in (first, second)
            )
            noted(*pair)
        expected.append(strengths.expects(first, second))
        strengths.move(first, second, score)
        for person in (first, second):
            count[person] = count.get(person, 0) + 1
            last[person] = day
            if person in watched:
                histories[person][day] = Rating(*strengths.of(person), count[person], day)
    ratings = {
        person: Rating(*strengths.of(person), count[person], last[person]) for person in count
    }
    return Rated(ratings, expected, histories)


class System(NamedTuple):
    """A rating system.

    `rate` takes games, the persons, if any, whose histories are kept, the day as of whose end the
    ratings are asked for (0: as of the games themselves), and a callback for each game.
    """

    rate: Callable[..., Rated]
    scale: Scale
    has_intervals: bool = True


ELO_INITIAL = 1500.0
"""Rating of a person before the first game."""

ELO_FACTOR = 24.0
"""How far one game can move a rating (K)."""

PROVISIONAL_FACTOR, PROVISIONAL_GAMES = 48.0, 15
"""K for the first games of a person, and how many these are."""

ELO_WIDTH = 400.0
"""A lead of this much is expected to score ten to one."""

ELO_SCALE = Scale(ELO_INITIAL, ELO_WIDTH / log(10.0), None)


def elo_expectation(first: float, second: float) -> float:
    """What the first is expected to score against the second, between 0 and 1."""
    return float(1.0 / (1.0 + 10.0 ** ((second - first) / ELO_WIDTH)))


class _EloStrengths:
    """Everybody's rating."""

    def __init__(self) -> None:
        self._games: dict[str, int] = defaultdict(int)
        self._values: dict[str, float] = defaultdict(lambda: ELO_INITIAL)

    def expects(self, first: str, second: str) -> float:
        return elo_expectation(self._values[first], self._values[second])

    def move(self, first: str, second: str, score: float) -> None:
        chance = self.expects(first, second)
        for person, beyond in ((first, score - chance), (second, chance - score)):
            is_new = self._games[person] < PROVISIONAL_GAMES
            self._games[person] += 1
            self._values[person] += (PROVISIONAL_FACTOR if is_new else ELO_FACTOR) * beyond

    def of(self, person: str) -> tuple[float, None]:
        return self._values[person], None


def rate_elo(
    games: Sequence[RatedGame],
    watched: Collection[str] = (),
    _until: int = 0,
    noted: Noted | None = None,
) -> Rated:
    """Rate every person of the games, one game after the other; a rating does not age."""
    return rate_one_by_one(games, watched, _EloStrengths(), noted)


GLICKO_INITIAL = 1500.0
INITIAL_DEVIATION = 350.0
INITIAL_VOLATILITY = 0.06
TAU = 0.5
PERIOD_DAYS = 30
GLICKO_SCALE = 173.7178
"""From the inner scale to the published one."""

PUBLISHED = Scale(GLICKO_INITIAL, GLICKO_SCALE, INITIAL_DEVIATION)

CONVERGED = 1e-6
"""How exactly a new volatility is found; the paper's own bound."""


class Strength(Struct):
    """What is known of a person, as of the end of a rating period."""

    mu: float = 0.0
    phi: float = INITIAL_DEVIATION / GLICKO_SCALE
    sigma: float = INITIAL_VOLATILITY
    period: int = 0
    games: int = 0
    last_day: int = 0


Opposition = list[tuple[float, float, float]]
"""The opponents of a period: mu and phi of each before it, and the score against them."""


def weight(phi: float) -> float:
    """Return g: how much a game counts against an opponent of that deviation."""
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))


def glicko_expectation(mu: float, opponent: float, phi: float) -> float:
    """Return E: what is expected against an opponent, weighed by their deviation."""
    return 1.0 / (1.0 + exp(-weight(phi) * (mu - opponent)))


def rate_glicko(
    games: Sequence[RatedGame],
    watched: Collection[str] = (),
    until: int = 0,
    noted: Noted | None = None,
) -> Rated:
    """Rate every person of the games, one rating period after the other.

    A history has one rating for each period, by the last day played in it. The ratings are as of
    the end of day `until`, after every period that ended by then.
    """
    people: dict[str, Strength] = {}
    expected: list[float] = []
    histories: dict[str, dict[int, Rating]] = defaultdict(dict)
    origin = games[0].day if games else 0
    for period, played in groupby(games, lambda game: (game.day - origin) // PERIOD_DAYS):
        _rate_period(people, list(played), period, expected, noted)
        for name in watched:
            if name in people:
                histories[name][people[name].last_day] = _published(people[name])
    for name in people:
        _at_start(people, name, (until + 1 - origin) // PERIOD_DAYS)
    return Rated(
        {name: _published(strength) for name, strength in people.items()}, expected, histories
    )


def updated_strength(mu: float, phi: float, sigma: float, met: Opposition, tau: float) -> Strength:
    """Move one person on by the games of a period (steps 3 to 7 of the paper)."""
    information = improvement = 0.0
    for opponent, deviation, score in met:
        counts = weight(deviation)
        chance = glicko_expectation(mu, opponent, deviation)
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
        expected.append(glicko_expectation(mine.mu, theirs.mu, both))
        met.setdefault(first, []).append((theirs.mu, theirs.phi, score))
        met.setdefault(second, []).append((mine.mu, mine.phi, 1.0 - score))
        last[first] = last[second] = day
    for name, opposition in met.items():
        before = people[name]
        after = updated_strength(before.mu, before.phi, before.sigma, opposition, TAU)
        after.games = before.games + len(opposition)
        after.period, after.last_day = period + 1, last[name]
        people[name] = after


def _at_start(people: dict[str, Strength], name: str, period: int) -> Strength:
    """The person as the period finds them: less certain for each period that they sat out."""
    strength = people.get(name)
    if strength is None:
        strength = people[name] = Strength(period=period)
    elif strength.period < period:
        grown = (
            strength.phi * strength.phi
            + (period - strength.period) * strength.sigma * strength.sigma
        )
        strength.phi = min(sqrt(grown), INITIAL_DEVIATION / GLICKO_SCALE)
        strength.period = period
    return strength


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


def _published(strength: Strength) -> Rating:
    return Rating(
        GLICKO_INITIAL + GLICKO_SCALE * strength.mu,
        GLICKO_SCALE * strength.phi,
        strength.games,
        strength.last_day,
    )


def _before(strength: Strength) -> Belief:
    return Belief(
        GLICKO_INITIAL + GLICKO_SCALE * strength.mu, GLICKO_SCALE * strength.phi, strength.games
    )


BAYES_MEAN = 25.0
BAYES_DEVIATION = BAYES_MEAN / 3.0
BAYES_PERFORMANCE = BAYES_MEAN / 6.0
"""The standard deviation of one game's performance (beta)."""

BAYES_DRIFT = BAYES_MEAN / 300.0
"""How much less certain a strength is from one game to the next (tau)."""

BAYES_SCALE = Scale(BAYES_MEAN, sqrt(2.0) * BAYES_PERFORMANCE, None)

_RANKS = {1.0: [1, 2], 0.5: [1, 1], 0.0: [2, 1]}
"""Ranks of a game that express its score."""


def bayes_model(drift: float = BAYES_DRIFT) -> Any:  # noqa: ANN401 - the library's classes have no common type
    """Return the model that rates; it holds settings alone."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - paid for by who asks

    return PlackettLuce(mu=BAYES_MEAN, sigma=BAYES_DEVIATION, beta=BAYES_PERFORMANCE, tau=drift)


def bayes_expectation(
    mean: float, deviation: float, other_mean: float, other_deviation: float
) -> float:
    """Return the chance that the first of two beliefs gives the better performance."""
    spread = sqrt(2.0 * BAYES_PERFORMANCE**2 + deviation**2 + other_deviation**2)
    return 0.5 * (1.0 + erf((mean - other_mean) / (spread * sqrt(2.0))))


class _Beliefs:
    """What is believed of everybody's strength."""

    def __init__(self) -> None:
        self._model = bayes_model()
        self._beliefs: dict[str, Any] = defaultdict(self._model.rating)

    def expects(self, first: str, second: str) -> float:
        mine, theirs = self._beliefs[first], self._beliefs[second]
        return bayes_expectation(mine.mu, mine.sigma, theirs.mu, theirs.sigma)

    def move(self, first: str, second: str, score: float) -> None:
        teams = [[self._beliefs[first]], [self._beliefs[second]]]
        moved = self._model.rate(teams, ranks=_RANKS[score])
        [[self._beliefs[first]], [self._beliefs[second]]] = moved

    def of(self, person: str) -> tuple[float, float]:
        belief = self._beliefs[person]
        return belief.mu, belief.sigma


def rate_bayes(
    games: Sequence[RatedGame],
    watched: Collection[str] = (),
    _until: int = 0,
    noted: Noted | None = None,
) -> Rated:
    """Rate every person of the games, one game after the other; a belief ages by games alone."""
    return rate_one_by_one(games, watched, _Beliefs(), noted)


AT_ONCE = 50_000
"""How many rows are fetched at once: a person's pseudonym is kept once, not for each game."""

_ORDER = "ORDER BY held_on, tournament, round, match"
"""The one order of the games."""


def games_of(
    connection: DuckDBPyConnection, tell: Callable[[str, int, int], None]
) -> list[RatedGame]:
    """Every game that was played and won by one or drawn, in order; say how many as they are read.

    Games of tournaments without a day, and of two entries of one person, are left out. Days count
    from 1 January of the year 1, which is day 1.
    """
    (total,) = connection.execute("SELECT count(*) FROM results").fetchone() or (0,)
    cursor = connection.execute(
        f"SELECT day, first, second, score FROM ({sql('tables/rated_games')}) {_ORDER}"  # noqa: S608 - our own
    )
    games: list[RatedGame] = []
    while rows := cursor.fetchmany(AT_ONCE):
        games += [
            RatedGame(day, intern(first), intern(second), score)
            for day, first, second, score in rows
        ]
        tell("read", len(games), total)
    return games


def factions_in(connection: DuckDBPyConnection) -> list[tuple[str, str]]:
    """What either side of each game played, in the order of `games_of`."""
    return connection.execute(
        f"SELECT faction1, faction2 FROM ({sql('tables/rated_games')}) {_ORDER}"  # noqa: S608 - our own
    ).fetchall()


def played_in(connection: DuckDBPyConnection, places: Sequence[int]) -> list[tuple[Any, ...]]:
    """Say of games, by their places in `games_of`: the day, the tournament's name, the round."""
    rows = connection.execute(
        "SELECT place, held_on, name, round FROM ("  # noqa: S608 - our own
        f"SELECT held_on, name, round, row_number() OVER ({_ORDER}) - 1 AS place "
        f"FROM ({sql('tables/rated_games')})) "
        "SEMI JOIN (SELECT unnest($places) AS place) USING (place)",
        {"places": list(places)},
    ).fetchall()
    games = {place: tuple(where) for place, *where in rows}
    return [games[place] for place in places]


def places_of_games(connection: DuckDBPyConnection, places: Sequence[int]) -> list[tuple[str, int]]:
    """Return the tournament and the match of games, by their places in `games_of`."""
    rows = connection.execute(
        "SELECT place, tournament, match FROM ("  # noqa: S608 - our own
        f"SELECT tournament, match, row_number() OVER ({_ORDER}) - 1 AS place "
        f"FROM ({sql('tables/rated_games')})) "
        "SEMI JOIN (SELECT unnest($places) AS place) USING (place)",
        {"places": list(places)},
    ).fetchall()
    games = {place: (tournament, match) for place, tournament, match in rows}
    return [games[place] for place in places]


SYSTEMS: Mapping[str, System] = {
    "elo": System(rate_elo, ELO_SCALE, has_intervals=False),
    "glicko2": System(rate_glicko, PUBLISHED),
    "bayes": System(rate_bayes, BAYES_SCALE),
}
"""Every system, by the word that asks for it."""

DEFAULT_SYSTEM = "glicko2"
"""The system of ratings if none is named: its intervals hold."""
