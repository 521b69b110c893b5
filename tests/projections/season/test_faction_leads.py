"""Factions beyond the strength of those who play them, on simulated seasons."""

from __future__ import annotations

from math import exp
from random import Random
from typing import TYPE_CHECKING

import pytest

from projections.season.ratings import SYSTEMS, RatedGame
from projections.season.ratings.faction_leads import FactionGame, faction_leads
from projections.season.ratings.intervals import Counted, interval_by_person, student_95

if TYPE_CHECKING:
    from collections.abc import Mapping

PERSONS = 60
DAYS = 40
SEASONS = 20
LABELS = ("Ash", "Birch", "Cedar", "Elm")


def season(drawn: Random, worth: Mapping[str, float], *, flock: bool = False) -> list[FactionGame]:
    """Games of persons who change their faction now and then; `flock`: the strong take Ash."""
    strengths = [drawn.gauss(0, 1) for _ in range(PERSONS)]
    diligence = [drawn.random() for _ in range(PERSONS)]
    usual = [
        "Ash" if flock and strengths[person] > 0.8 else drawn.choice(LABELS[flock:])
        for person in range(PERSONS)
    ]
    games: list[FactionGame] = []
    for day in range(DAYS):
        there = [person for person in range(PERSONS) if drawn.random() < diligence[person]]
        drawn.shuffle(there)
        for one, other in zip(there[::2], there[1::2], strict=False):
            played = [
                usual[person] if drawn.random() < 0.6 else drawn.choice(LABELS)
                for person in (one, other)
            ]
            gap = strengths[one] + worth.get(played[0], 0) - strengths[other]
            wins = drawn.random() < 1 / (1 + exp(worth.get(played[1], 0) - gap))
            game = RatedGame(day, f"p{one}", f"p{other}", float(wins))
            games.append(FactionGame(game, (played[0], played[1])))
    return games


@pytest.mark.slow
@pytest.mark.parametrize("system", ["elo", "glicko2"])
def test_labels_without_effect_have_no_lead_nineteen_times_in_twenty(system: str) -> None:
    drawn = Random(5)
    found = [each for _ in range(150) for each in faction_leads(season(drawn, {}), SYSTEMS[system])]
    held = [each.low <= 0 <= each.high for each in found if each.low is not None and each.high]
    assert len(held) > 500
    assert 0.94 <= sum(held) / len(held) <= 0.96


@pytest.mark.slow
@pytest.mark.parametrize(("system", "left"), [("elo", 0.7), ("glicko2", 0.4), ("bayes", 0.4)])
def test_a_faction_of_strong_players_is_no_strong_faction(system: str, left: float) -> None:
    """Most of what the plain share says of Ash is who plays it; some remains, as documented."""
    drawn = Random(8)
    found = [
        faction_leads(season(drawn, {}, flock=True), SYSTEMS[system])[0] for _ in range(SEASONS)
    ]
    plain = sum(ash.score - 0.5 for ash in found) / SEASONS
    assert plain > 0.15
    assert 0 < sum(ash.lead for ash in found) / SEASONS < left * plain


@pytest.mark.slow
def test_a_faction_that_is_worth_something_is_found() -> None:
    drawn = Random(9)
    for _ in range(5):
        leads = {
            each.faction: each for each in faction_leads(season(drawn, {"Elm": 1}), SYSTEMS["elo"])
        }
        assert (leads["Elm"].low or 0) > 0
        assert leads["Elm"].lead == max(each.lead for each in leads.values())


def test_a_lead_by_hand() -> None:
    """Nobody has another game, so one half is expected of each."""
    games = [
        FactionGame(RatedGame(0, "ann", "ben", 1.0), ("Ash", "Elm")),
        FactionGame(RatedGame(0, "cleo", "dan", 0.5), ("Elm", "Ash")),
        FactionGame(RatedGame(0, "eve", "fay", 1.0), ("Ash", "Ash")),
        FactionGame(RatedGame(0, "eve", "fay", 1.0), ("Ash", "")),
    ]
    ash, elm = faction_leads(games, SYSTEMS["elo"])
    assert (ash.faction, ash.persons, ash.games, ash.score, ash.expected) == (
        "Ash",
        3,
        3,
        2.5 / 3,
        0.5,
    )
    assert (elm.lead, elm.low, elm.high) == (-0.25, None, None)


def test_games_of_nobody_twice_are_games_alone() -> None:
    """Where each person has one game, it is the usual interval of a mean."""
    values = (0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 1.0)
    counted = [Counted(f"a{n}", f"b{n}", value) for n, value in enumerate(values)]
    found = interval_by_person(counted)
    mean = sum(values) / 7
    spread = sum((each - mean) ** 2 for each in values) ** 0.5 / 7
    assert found.mean == pytest.approx(mean)
    assert found.high == pytest.approx(mean + student_95(6) * spread * LEFT_OUT)


LEFT_OUT = (2 * (7 / 6) ** 2 - 1) ** 0.5
"""Leaving one of seven out moves the mean by 7/6 of its share, on either side."""


def test_one_person_who_plays_all_the_time_widens_the_interval() -> None:
    alone = [Counted(f"a{n}", f"b{n}", float(n % 2)) for n in range(40)]
    often = [Counted(f"a{n % 2 or n}", f"b{n}", float(n % 2)) for n in range(40)]
    (_, low, high), (_, low_often, high_often) = map(interval_by_person, (alone, often))
    assert low is not None
    assert high is not None
    assert low_often is not None
    assert high_often is not None
    assert low_often < low < high < high_often
