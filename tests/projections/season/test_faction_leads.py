"""Factions beyond the strength of those who play them, on simulated seasons."""

from __future__ import annotations

from math import exp, pi, sqrt
from random import Random
from typing import TYPE_CHECKING

import pytest

from projections.season.calibration import (
    Counted,
    FactionGame,
    faction_leads,
    fair_expectation,
    interval_by_person,
    student_95,
)
from projections.season.ratings import SYSTEMS, Belief, RatedGame

if TYPE_CHECKING:
    from collections.abc import Mapping

PERSONS = 60
DAYS = 90
APART = 7
SEASONS = 20
GLICKO = SYSTEMS["glicko2"]
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
            game = RatedGame(APART * day, f"p{one}", f"p{other}", float(wins))
            games.append(FactionGame(game, (played[0], played[1])))
    return games


@pytest.mark.slow
def test_labels_without_effect_have_no_lead_nineteen_times_in_twenty_or_more() -> None:
    drawn = Random(5)
    leads = [lead for _ in range(150) for lead in faction_leads(season(drawn, {}), GLICKO)]
    held = [lead.low <= 0 <= lead.high for lead in leads if lead.low is not None and lead.high]
    assert len(held) > 500
    assert sum(held) / len(held) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize(("system", "left"), [("elo", 0.4), ("glicko2", 0.1), ("bayes", 0.4)])
def test_a_faction_of_strong_players_is_no_strong_faction(system: str, left: float) -> None:
    """Who plays Ash gives it its score; with glicko2 nearly nothing of that is in its lead."""
    drawn = Random(8)
    found = [
        faction_leads(season(drawn, {}, flock=True), SYSTEMS[system])[0] for _ in range(SEASONS)
    ]
    plain = sum((ash.score or 0) - 0.5 for ash in found) / SEASONS
    assert plain > 0.1
    assert abs(sum(ash.lead or 0 for ash in found)) / SEASONS < left * plain


@pytest.mark.slow
def test_a_faction_that_is_worth_something_is_found() -> None:
    drawn = Random(9)
    for _ in range(5):
        leads = {lead.faction: lead for lead in faction_leads(season(drawn, {"Elm": 1}), GLICKO)}
        assert (leads["Elm"].low or 0) > 0
        assert leads["Elm"].lead == max(lead.lead or 0 for lead in leads.values())


def test_a_lead_by_hand() -> None:
    """Ann wins ten games with Elm, none of which counts before enough is known of both."""
    before = [
        FactionGame(RatedGame(0, "ann", "ben", float(n % 2)), ("Elm", "Elm")) for n in range(30)
    ]
    games = [
        *before,
        FactionGame(RatedGame(40, "ann", "ben", 1.0), ("Ash", "Elm")),
        FactionGame(RatedGame(40, "ben", "ann", 0.5), ("Elm", "Ash")),
        FactionGame(RatedGame(40, "ann", "cleo", 1.0), ("Ash", "Elm")),
        FactionGame(RatedGame(40, "ann", "ben", 1.0), ("Ash", "Ash")),
        FactionGame(RatedGame(40, "ann", "ben", 1.0), ("Ash", "")),
    ]
    ash, elm = faction_leads(games, GLICKO)
    assert (ash.faction, ash.persons, ash.games, ash.left_out) == ("Ash", 1, 2, 1)
    assert ash.score == pytest.approx(0.75)
    assert ash.expected == pytest.approx(0.5)
    assert (elm.games, elm.left_out) == (2, 1)
    assert elm.lead == pytest.approx(-0.25)
    assert (elm.low, elm.high) == (None, None)


def test_no_lead_where_nothing_is_known() -> None:
    """Nobody has another game, so nothing is expected of anybody."""
    games = [FactionGame(RatedGame(0, "ann", "ben", 1.0), ("Ash", "Elm"))]
    for system in SYSTEMS.values():
        ash, _ = faction_leads(games, system)
        assert (ash.games, ash.score, ash.lead, ash.low, ash.left_out) == (0, None, None, None, 1)


def test_what_is_won_by_one_faction_is_lost_by_the_others() -> None:
    """Both sides of the same games: the leads, weighed by their games, come to nothing."""
    for system in SYSTEMS.values():
        leads = faction_leads(season(Random(4), {}), system)
        assert sum((lead.lead or 0) * lead.games for lead in leads) == pytest.approx(0, abs=1e-9)


def test_an_expectation_without_what_a_rating_keeps_of_its_beginning() -> None:
    """Of 200 points with a deviation of 100: 1 - (100/350)^2 of the strength has been learnt."""
    scale, known = GLICKO.scale, 1 - (100 / 350) ** 2
    first, second = Belief(1700.0, 100.0, 30), Belief(1500.0, 1e-9, 900)
    gap = 200 / scale.unit / known
    flattened = sqrt(1 + 3 * (100 / scale.unit) ** 2 / known / pi**2)
    assert fair_expectation(first, second, scale) == pytest.approx(1 / (1 + exp(-gap * flattened)))
    assert fair_expectation(first, Belief(1500.0, 132.0, 8), scale) is None
    assert fair_expectation(second, second, scale) == 0.5
    assert (
        fair_expectation(Belief(1e9, None, 15), Belief(-1e9, None, 15), SYSTEMS["elo"].scale) == 1
    )
    assert (
        fair_expectation(Belief(1e9, None, 15), Belief(0.0, None, 14), SYSTEMS["elo"].scale) is None
    )


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
