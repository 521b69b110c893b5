"""Expected scores compared with results: calibration, upsets, and the leads of factions.

For the calibration every game is read from both sides, so its table is symmetric around one half:
a player who is expected to score 70 % in one row meets a player of 30 % in another.

Intervals are of means over games. Games of one person are not independent: how far the mean moves
without one person's games gives its standard error. The squares of that are summed over the
persons of both sides, minus those of single games, which both sides count; and it is never less
than by single games alone. `tables/macros.sql` computes the same of factions.

A faction's lead is its score beyond the score that the strength of its players lets expect. The
strength of both players is their rating before each game. A rating begins in the middle and
approaches a player's strength game by game: a strong player is expected to score too little at
first, and their faction would lead by that. So a game counts only if enough is known of both
players; and the part of its beginning that a rating still keeps is taken out, so that it is right
in the mean for the strong and for the weak, whatever they play. Only Glicko-2 knows how much a
rating keeps of its beginning. By elo and bayes a game counts if both players have had 15 before,
the strong lead by some points, and there is no interval.

A forecast is what a system expected of the first player of a game: 0.7 is 70 % for a win, if no
game is drawn. It follows from earlier games and from constants that no season changes. So a later
result moves no earlier forecast, and no system is tuned on the games that it is scored on. A draw
counts as half a win and half a loss. The Brier score of a game is the squared distance of the
forecast from 1 for a win, from 0 for a loss; its log loss is minus the logarithm of the chance that
the forecast gave to the result, in nats. Less is better in both, and the true chance has the least
in the mean. A coin expects one half of every game: it has 1/4 and ln 2, whatever happens.

The lead over the coin is the coin's score minus that of the system, over the same games. A lead is
skewed, since a few persons who are far stronger or weaker than others make most of it: from the
squares of its interval nothing is subtracted for single games. Its truth is the lead in all seasons
of this kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import exp, fsum, log, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from projections.season.ratings import NORMAL_95, SYSTEMS, RatedGame

if TYPE_CHECKING:
    from projections.season.ratings import Belief, Scale, System

PERSONS_MIN = 5
"""With fewer on a side there is no interval."""


class Counted(NamedTuple):
    """Value that one game adds to a mean, and the persons on either side."""

    person: Hashable
    opponent: Hashable
    value: float


class MeanInterval(NamedTuple):
    """A mean with its 95 % interval, which is None with too few persons on a side."""

    mean: float
    low: float | None
    high: float | None


def interval_by_person(
    counted: Sequence[Counted], *, has_sides: bool = True, is_skewed: bool = False
) -> MeanInterval:
    """Return the mean of at least one game, and where it lies with 95 % confidence.

    Without sides a game is counted once, as the same for both of its persons. The interval of a
    skewed value is wider: single games are not subtracted.
    """
    size = len(counted)
    mean = fsum(game.value for game in counted) / size
    single = fsum((game.value - mean) ** 2 for game in counted)
    values = [(game.person, game.value) for game in counted]
    theirs = [(game.opponent, game.value) for game in counted]
    sides = (values, theirs) if has_sides else (values + theirs,)
    if min(len({person for person, _ in side}) for side in sides) < PERSONS_MIN:
        return MeanInterval(mean, None, None)
    moved, persons = zip(*(_moved(side, mean, size) for side in sides), strict=True)
    apart = fsum(moved) - (0.0 if is_skewed else single)
    spread = sqrt(max(apart, single)) / size
    reach = student_95(max(min(persons) - 1, 1)) * spread
    return MeanInterval(mean, mean - reach, mean + reach)


def _moved(side: Sequence[tuple[Hashable, float]], mean: float, size: int) -> tuple[float, float]:
    """Return how far the sum moves without each person, squared and summed, and how many are.

    Persons are counted as Kish does: of whom few have most of the games, few count. Where both
    persons of a game are of one side, two count as one.
    """
    sums: dict[Hashable, float] = defaultdict(float)
    games: dict[Hashable, int] = defaultdict(int)
    for person, value in side:
        sums[person] += value - mean
        games[person] += 1
    remainders = {person: 1 - count / size for person, count in games.items()}
    as_many = len(side) * size / sum(count**2 for count in games.values())
    return fsum(
        (sums[person] / remainders[person]) ** 2 for person in sums if remainders[person]
    ), as_many


def student_95(freedom: float) -> float:
    """Return Student's t that holds 95 % with these degrees of freedom (Cornish and Fisher)."""
    z = NORMAL_95
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third


DECILES = 10
SUREST = 1e-12
"""No expectation is nearer to 0 or 1 than this, so that one surprise is not infinitely bad."""


class Bin(Struct, frozen=True):
    """The sides of games expected to score within bounds, and what they scored.

    `expected` and `actual` are means over `sides`; the interval of `actual` is by person.
    """

    low: float
    high: float
    sides: int
    expected: float
    actual: float
    actual_low: float | None
    actual_high: float | None


class Calibration(Struct, frozen=True):
    """Predicted against actual by decile, and the mean log-loss of a game, in nats.

    Knowing nothing (one half each time) loses ln 2 = 0.693 a game, draws included; `majority` is
    lost by who expects of every game what those named first scored in the mean of all.
    """

    games: int
    log_loss: MeanInterval
    majority: float
    bins: tuple[Bin, ...]


def calibrate(games: Sequence[RatedGame], expected: Sequence[float]) -> Calibration:
    """Hold what was expected of each game against its score; there is at least one game."""
    deciles: list[list[tuple[float, Counted]]] = [[] for _ in range(DECILES)]
    lost: list[Counted] = []
    for (_, first, second, score), chance in zip(games, expected, strict=True):
        lost.append(Counted(first, second, log_loss_of(chance, score)))
        for side, mine, theirs, came in (
            (chance, first, second, score),
            (1.0 - chance, second, first, 1.0 - score),
        ):
            place = min(int(side * DECILES), DECILES - 1)
            deciles[place].append((side, Counted(mine, theirs, came)))
    mean = sum(game.score for game in games) / len(games)
    majority = sum(log_loss_of(mean, game.score) for game in games) / len(games)
    bins = tuple(_bin(at, sides) for at, sides in enumerate(deciles) if sides)
    return Calibration(len(games), interval_by_person(lost, has_sides=False), majority, bins)


def log_loss_of(chance: float, score: float) -> float:
    """Return what a game loses by its score and what was expected of the first."""
    sides = ((chance, score), (1.0 - chance, 1.0 - score))
    return -sum(came * log(max(side, SUREST)) for side, came in sides)


def _bin(at: int, sides: Sequence[tuple[float, Counted]]) -> Bin:
    hoped = sum(side for side, _ in sides) / len(sides)
    actual = interval_by_person([counted for _, counted in sides])
    return Bin(at / DECILES, (at + 1) / DECILES, len(sides), hoped, *actual)


COIN = "coin"
"""The name of the forecast that knows nothing."""

COIN_CHANCE = 0.5


class ForecastScore(Struct, frozen=True):
    """The scores of one system's forecasts.

    A lead is the coin's score minus that of the system: above 0 the system is better.
    """

    system: str
    games: int
    brier: float
    brier_lead: MeanInterval
    log_loss: float
    log_lead: MeanInterval
    calibration: Calibration


def brier_of(chance: float, score: float) -> float:
    """Return the Brier score of a game by its score and what was expected of the first player."""
    return score * (1.0 - chance) ** 2 + (1.0 - score) * chance**2


def scored(games: Sequence[RatedGame], system: str, expected: Sequence[float]) -> ForecastScore:
    """Score the forecasts of at least one game."""
    brier, brier_lead = _scored(games, expected, brier_of)
    log_loss, log_lead = _scored(games, expected, log_loss_of)
    calibration = calibrate(games, expected)
    return ForecastScore(system, len(games), brier, brier_lead, log_loss, log_lead, calibration)


def forecasts(
    games: Sequence[RatedGame], known: Mapping[str, Sequence[float]] | None = None
) -> list[ForecastScore]:
    """Score every rating system and the coin on the same games, of which there is at least one.

    `known` has the forecasts of systems that have rated the games already.
    """
    known = known or {}
    every = {name: known.get(name) or system.rate(games).expected for name, system in _ORDERED}
    every[COIN] = [COIN_CHANCE] * len(games)
    return [scored(games, name, expected) for name, expected in every.items()]


_ORDERED = sorted(SYSTEMS.items(), key=lambda item: ("glicko2", "elo", "bayes").index(item[0]))


def _scored(
    games: Sequence[RatedGame],
    expected: Sequence[float],
    score_of: Callable[[float, float], float],
) -> tuple[float, MeanInterval]:
    """Return the mean of a score, and the lead over the coin."""
    scores: list[float] = []
    leads: list[Counted] = []
    for (_, first, second, came), chance in zip(games, expected, strict=True):
        score = score_of(chance, came)
        scores.append(score)
        leads.append(Counted(first, second, score_of(COIN_CHANCE, came) - score))
    mean = fsum(scores) / len(scores)
    return mean, interval_by_person(leads, has_sides=False, is_skewed=True)


class Upset(NamedTuple):
    """Expected score of the winner, and the game's place among all games."""

    chance: float
    place: int


def upsets_of(games: Sequence[RatedGame], expected: Sequence[float]) -> list[Upset]:
    """List every upset, the least expected first; equal ones in the order of the games.

    `expected` is what the first of each game was expected to score. A draw is not an upset.
    """
    upsets = [
        Upset(chance, place)
        for place, (game, first) in enumerate(zip(games, expected, strict=True))
        if (chance := {1.0: first, 0.0: 1.0 - first}.get(game.score, 0.5)) < 0.5  # noqa: PLR2004 - half is even
    ]
    return sorted(upsets)


KNOWN = 3 / 8
"""A game counts if the deviation of both is at most this part of the one that ratings begin with:
130 in Glicko-2, after about nine games."""

KNOWN_GAMES = 15
"""Minimum games of both persons before the game, by the other systems."""


class FactionGame(NamedTuple):
    """A game, and what either side played."""

    game: RatedGame
    factions: tuple[str, str]


class FactionLead(Struct, frozen=True):
    """A faction's games against the others: what was scored, what strength expects, the lead.

    `games` are those that count, `left_out` the others; without any that counts there is no score.
    """

    faction: str
    persons: int
    games: int
    score: float | None
    expected: float | None
    lead: float | None
    low: float | None
    high: float | None
    left_out: int


def faction_leads(games: Sequence[FactionGame], system: System) -> list[FactionLead]:
    """Return the lead of each faction that met another one, by name.

    A game of a side whose faction is not known does not count.
    """
    expected: list[float | None] = []

    def note(first: Belief, second: Belief) -> None:
        expected.append(fair_expectation(first, second, system.scale))

    system.rate([played.game for played in games], noted=note)
    met = [
        (played, chance)
        for played, chance in zip(games, expected, strict=True)
        if all(played.factions) and played.factions[0] != played.factions[1]
    ]
    factions = sorted({faction for played, _ in met for faction in played.factions})
    has_interval = system.scale.beginning is not None
    return [_lead(faction, met, has_interval=has_interval) for faction in factions]


def fair_expectation(first: Belief, second: Belief, scale: Scale) -> float | None:
    """Return the expected score of the first, right in the mean for the strong and the weak.

    A rating of deviation d that began with deviation s keeps (d / s)^2 of its beginning. Without
    that part it is unbiased, and errs by its games alone; the curve is made steeper by as much as
    such errors flatten it. None if too little is known of either.
    """
    if scale.beginning is None:
        if min(first.games, second.games) < KNOWN_GAMES:
            return None
        return _logistic((first.value - second.value) / scale.unit)
    gap = variance = 0.0
    for belief, sign in ((first, 1.0), (second, -1.0)):
        deviation = belief.deviation or 0.0
        share = (deviation / scale.beginning) ** 2
        if share > KNOWN**2:
            return None
        gap += sign * (belief.value - scale.middle) / scale.unit / (1.0 - share)
        variance += (deviation / scale.unit) ** 2 / (1.0 - share)
    return _logistic(gap * sqrt(1.0 + 3.0 * variance / (pi * pi)))


def _logistic(gap: float) -> float:
    return 1.0 / (1.0 + exp(-gap)) if gap > 0 else exp(gap) / (1.0 + exp(gap))


def _lead(
    faction: str, met: Sequence[tuple[FactionGame, float | None]], *, has_interval: bool
) -> FactionLead:
    beyond: list[Counted] = []
    scored: list[float] = []
    left_out = 0
    for ((_, first, second, score), factions), chance in met:
        if faction not in factions:
            continue
        if chance is None:
            left_out += 1
            continue
        if factions[0] == faction:
            beyond.append(Counted(first, second, score - chance))
            scored.append(score)
        else:
            beyond.append(Counted(second, first, chance - score))
            scored.append(1.0 - score)
    if not beyond:
        return FactionLead(faction, 0, 0, None, None, None, None, None, left_out)
    lead, low, high = interval_by_person(beyond)
    if not has_interval:
        low = high = None
    persons, count = len({game.person for game in beyond}), len(beyond)
    mean = fsum(scored) / count
    return FactionLead(faction, persons, count, mean, mean - lead, lead, low, high, left_out)
