"""A faction's score beyond the score that the strength of its players lets expect.

The strength of both players is their rating before each game. A rating begins in the middle and
approaches a player's strength game by game: a strong player is expected to score too little at
first, and their faction would lead by that. So a game counts only if enough is known of both
players; and the part of its beginning that a rating still keeps is taken out, so that it is right
in the mean for the strong and for the weak, whatever they play.

Only Glicko-2 knows how much a rating keeps of its beginning. By elo and bayes a game counts if both
players have had 15 before, the strong lead by some points, and there is no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from projections.season.ratings.intervals import Counted, interval_by_person

if TYPE_CHECKING:
    from projections.season.ratings.rating import Belief, RatedGame, Scale, System

KNOWN = 3 / 8
"""A game counts if the deviation of both is at most this part of the one that ratings begin with:
130 in Glicko-2, after about nine games."""

KNOWN_GAMES = 15
"""How many games both must have had before, by the other systems."""


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
    """Return the lead of each faction that met another one, by name."""
    expected: list[float | None] = []

    def note(first: Belief, second: Belief) -> None:
        expected.append(fair_expectation(first, second, system.scale))

    system.rate([played.game for played in games], noted=note)
    met = [
        (played, chance)
        for played, chance in zip(games, expected, strict=True)
        if played.factions[0] != played.factions[1]
    ]
    known = sorted({faction for played, _ in met for faction in played.factions} - {""})
    has_interval = system.scale.beginning is not None
    return [_lead(faction, met, has_interval=has_interval) for faction in known]


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
        kept = (deviation / scale.beginning) ** 2
        if kept > KNOWN**2:
            return None
        gap += sign * (belief.value - scale.middle) / scale.unit / (1.0 - kept)
        variance += (deviation / scale.unit) ** 2 / (1.0 - kept)
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
