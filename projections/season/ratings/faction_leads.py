"""What a faction scores beyond what the strength of those who play is expected to.

The strengths are rated without any game of the faction, and then what they expect of its games is
held against what came. Who has no other game counts as unrated, and of who has few little is known:
where strong players flock to a faction, part of their strength stays in its lead (about a third
with `glicko2` and `bayes`, two thirds with `elo`, in the simulation of the tests).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from projections.season.ratings.intervals import Counted, interval_by_person

if TYPE_CHECKING:
    from projections.season.ratings.rating import RatedGame, System


class FactionGame(NamedTuple):
    """A game, and what either side played."""

    game: RatedGame
    factions: tuple[str, str]


class FactionLead(Struct, frozen=True):
    """A faction's games against the others: what was scored, what strength expects, the lead."""

    faction: str
    persons: int
    games: int
    score: float
    expected: float
    lead: float
    low: float | None
    high: float | None


def faction_leads(games: Sequence[FactionGame], system: System) -> list[FactionLead]:
    """Return the lead of each faction that met another one, by name."""
    met = [each for each in games if each.factions[0] != each.factions[1]]
    known = sorted({faction for each in met for faction in each.factions} - {""})
    return [_lead(faction, games, met, system) for faction in known]


def _lead(
    faction: str, games: Sequence[FactionGame], met: Sequence[FactionGame], system: System
) -> FactionLead:
    others = [each.game for each in games if faction not in each.factions]
    strengths = system.rate(others).ratings
    beyond: list[Counted] = []
    scored = hoped = 0.0
    for (_, first, second, score), factions in (each for each in met if faction in each.factions):
        chance = system.expects(strengths.get(first), strengths.get(second))
        if factions[0] == faction:
            mine, theirs, came, was = first, second, score, chance
        else:
            mine, theirs, came, was = second, first, 1.0 - score, 1.0 - chance
        scored += came
        hoped += was
        beyond.append(Counted(mine, theirs, came - was))
    lead, low, high = interval_by_person(beyond)
    persons, count = len({each.person for each in beyond}), len(beyond)
    return FactionLead(faction, persons, count, scored / count, hoped / count, lead, low, high)
