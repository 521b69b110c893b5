"""Ratings against their published worked examples, and against themselves turned around."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest

from projections.season.calibration import calibrate
from projections.season.ratings import (
    GLICKO_SCALE,
    RANKED_GAMES,
    SYSTEMS,
    Belief,
    RatedGame,
    bayes_model,
    elo_expectation,
    glicko_expectation,
    updated_strength,
    weight,
)


def test_glicko2_gives_the_worked_example_of_its_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": 1500 with 200 meets 1400, 1550 and 1700."""
    met = [
        ((rating - 1500) / GLICKO_SCALE, deviation / GLICKO_SCALE, score)
        for rating, deviation, score in ((1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0))
    ]
    after = updated_strength(0.0, 200 / GLICKO_SCALE, 0.06, met, 0.5)
    assert 1500 + GLICKO_SCALE * after.mu == pytest.approx(1464.06, abs=0.01)
    assert GLICKO_SCALE * after.phi == pytest.approx(151.52, abs=0.01)
    assert after.sigma == pytest.approx(0.05999, abs=0.00001)


def test_glicko2_weighs_and_expects_as_the_paper_tabulates() -> None:
    """The paper's table of g and E for the three opponents, to four places."""
    rows = ((-0.5756, 0.1727, 0.9955, 0.639), (0.2878, 0.5756, 0.9531, 0.432))
    for mu, phi, g, chance in (*rows, (1.1513, 1.7269, 0.7242, 0.303)):
        assert weight(phi) == pytest.approx(g, abs=0.0001)
        assert glicko_expectation(0.0, mu, phi) == pytest.approx(chance, abs=0.001)


def test_openskill_gives_its_own_worked_example() -> None:
    """Two against two, as the library's page has it, by the model that rates a season."""
    rates = bayes_model(drift=0.0)  # the page is older than the drift
    a1, a2 = rates.rating(), rates.rating(mu=32.444, sigma=5.123)
    b1, b2 = rates.rating(mu=43.381, sigma=2.421), rates.rating(mu=25.188, sigma=6.211)
    teams = rates.rate([[a1, a2], [b1, b2]])
    found = [(each.mu, each.sigma) for team in teams for each in team]
    published = (
        (28.669648436582808, 8.071520788025197),
        (33.83086971107981, 5.062772998705765),
        (43.071274808241974, 2.4166900452721256),
        (23.149503312339064, 6.1378606973362135),
    )
    for pair, expected in zip(found, published, strict=True):
        assert pair == pytest.approx(expected, rel=1e-12)


def test_elo_moves_as_its_formula_says() -> None:
    """A lead of 400 is expected to score 10 of 11; equal players share K."""
    assert elo_expectation(1900.0, 1500.0) == pytest.approx(10 / 11)
    rated = SYSTEMS["elo"].rate([RatedGame(0, "ann", "ben", 1.0)])
    assert rated.ratings["ann"].value == 1524.0
    assert rated.ratings["ben"].value == 1476.0
    assert rated.ratings["ann"].interval == (None, None)


def test_elo_moves_newcomers_further() -> None:
    """K is 48 for the first 15 games of a person, and 24 from then on, whoever sits opposite."""
    games = [RatedGame(0, "ann", "ben", 0.5)] * 15 + [RatedGame(0, "ann", "cleo", 1.0)]
    ratings = SYSTEMS["elo"].rate(games).ratings
    assert (ratings["ann"].value, ratings["cleo"].value) == (1512.0, 1476.0)


def test_glicko2_is_as_of_the_day_that_is_asked_for() -> None:
    """Each period that ended without a game makes a rating less certain; one begun does not."""
    games = [RatedGame(1, "ann", "ben", 1.0)]
    rates = SYSTEMS["glicko2"].rate
    ended = (rates(games).ratings["ann"].deviation or 0) / GLICKO_SCALE
    for until, periods in ((30, 0), (59, 0), (60, 1), (300, 9)):
        found = (rates(games, "", until).ratings["ann"].deviation or 0) / GLICKO_SCALE
        assert found == pytest.approx(sqrt(ended**2 + periods * 0.06**2), abs=1e-4)


def test_glicko2_grows_less_certain_of_who_sits_out() -> None:
    games = [RatedGame(0, "ann", "ben", 1.0), RatedGame(300, "ann", "cleo", 1.0)]
    before = SYSTEMS["glicko2"].rate(games[:1]).ratings["ann"]
    later = SYSTEMS["glicko2"].rate(games).ratings["ann"]
    phi = (before.deviation or 0) / GLICKO_SCALE
    grown = sqrt(phi**2 + 9 * 0.06**2)  # periods 1 to 9 of 30 days went by without a game
    alone = updated_strength(
        (before.value - 1500) / GLICKO_SCALE, grown, 0.06, [(0.0, 350 / GLICKO_SCALE, 1.0)], 0.5
    )
    assert later.deviation == pytest.approx(GLICKO_SCALE * alone.phi, abs=0.05)


@pytest.mark.parametrize("system", SYSTEMS)
def test_turning_every_game_around_changes_nothing(system: str) -> None:
    games = _season(Random(7), 400)
    turned = [RatedGame(day, second, first, 1.0 - score) for day, first, second, score in games]
    there, back = SYSTEMS[system].rate(games), SYSTEMS[system].rate(turned)
    assert there.ratings.keys() == back.ratings.keys()
    for person, rating in there.ratings.items():
        assert rating.value == pytest.approx(back.ratings[person].value)
        assert rating.deviation == pytest.approx(back.ratings[person].deviation)
    opposite = [1.0 - chance for chance in back.expected]
    assert there.expected == pytest.approx(opposite)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_stronger_is_found_and_better_than_a_coin(system: str) -> None:
    games = _season(Random(11), 3_000)
    rated = SYSTEMS[system].rate(games)
    ranked = [person for person, _ in rated.ranked()]
    assert set(ranked[:3]) <= {"p0", "p1", "p2", "p3", "p4"}
    assert set(ranked[-3:]) <= {"p15", "p16", "p17", "p18", "p19"}
    assert (calibrate(games, rated.expected).log_loss.high or 1) < log(2)


def test_a_list_is_ranked_by_what_is_sure_of_a_person() -> None:
    """Nine games won put nobody before one who has won many more, in no system."""
    often = [RatedGame(day, "often", f"p{day % 30}", float(day % 4 > 0)) for day in range(120)]
    lucky = [RatedGame(120 + n, "lucky", f"q{n}", 1.0) for n in range(9)]
    for name, system in SYSTEMS.items():
        rated = system.rate(often + lucky)
        ranked = [person for person, _ in rated.ranked()]
        assert ranked.index("often") < ranked.index("lucky"), name
        lows = [rating.interval[0] for _, rating in rated.ranked()]
        if system.has_intervals:
            assert lows == sorted(lows, key=lambda low: -(low or 0))
        else:
            assert set(lows) == {None}
            few = [rating.games < RANKED_GAMES for _, rating in rated.ranked()]
            assert few == sorted(few)


def test_each_game_is_noted_with_what_was_known_before_it() -> None:
    games = _season(Random(5), 200)
    for name, system in SYSTEMS.items():
        noted: list[tuple[Belief, Belief]] = []
        system.rate(games, noted=lambda *pair, into=noted: into.append(pair))
        assert len(noted) == len(games)
        assert noted[0] == (
            Belief(system.scale.middle, noted[0][0].deviation, 0),
            Belief(system.scale.middle, noted[0][1].deviation, 0),
        )
        # What is known before the last game of a day is what the games before it gave.
        cut = next(place for place in range(100, 200) if games[place].day >= 30)
        until = games[cut].day - 1
        before = system.rate(games[:cut], "", until).ratings
        for belief, who in zip(noted[cut], games[cut][1:3], strict=True):
            assert belief.value == pytest.approx(before[who].value), name


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_expected_of_a_game_from_what_came_after(system: str) -> None:
    games = _season(Random(3), 300)
    cut = next(place for place in range(100, 300) if games[place].day >= 30)
    assert SYSTEMS[system].rate(games[:cut]).expected == SYSTEMS[system].rate(games).expected[:cut]


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_games_no_ratings(system: str) -> None:
    rated = SYSTEMS[system].rate([])
    assert (rated.ratings, rated.expected) == ({}, [])


def test_calibration_counts_both_sides_of_each_game() -> None:
    games = [RatedGame(0, "a", "b", 1.0), RatedGame(0, "a", "b", 0.5), RatedGame(0, "c", "a", 0.0)]
    found = calibrate(games, [0.75, 0.75, 1.0])
    by_low = {each.low: each for each in found.bins}
    assert (by_low[0.7].sides, by_low[0.7].expected, by_low[0.7].actual) == (2, 0.75, 0.75)
    assert (by_low[0.2].sides, by_low[0.2].actual) == (2, 0.25)
    assert (by_low[0.9].actual, by_low[0.0].actual) == (0.0, 1.0)
    halved = -(log(0.75) + log(0.25)) / 2
    assert found.log_loss.mean == pytest.approx((-log(0.75) + halved - log(1e-12)) / 3)


def _season(random: Random, size: int) -> list[RatedGame]:
    """Games of 20 players, of whom p0 is the strongest and p19 the weakest."""
    games = []
    for number in range(size):
        first, second = random.sample(range(20), 2)
        chance = 1 / (1 + 10 ** ((first - second) / 8))
        draw = random.random() < 0.1
        score = 0.5 if draw else float(random.random() < chance)
        games.append(RatedGame(number // 5, f"p{first}", f"p{second}", score))
    return games
