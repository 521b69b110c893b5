"""Forecasts: their scores in plain Python, nothing from later games, and intervals that hold."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from projections.season.calibration import (
    COIN,
    Counted,
    brier_of,
    forecasts,
    interval_by_person,
    scored,
)
from projections.season.rating_tables import FORECASTS, forecast_rows
from projections.season.ratings import SYSTEMS, RatedGame
from tests.support.chance.coverage import FEWEST, drawn_seasons, forecasts_checked, settings

SEASONS = 60


def some_games(seed: int, count: int = 400, persons: int = 24) -> list[RatedGame]:
    """Draw games over two hundred days, by strengths, a tenth of them drawn."""
    drawn = Random(seed)
    strengths = [drawn.gauss(0, 1) for _ in range(persons)]
    games = []
    for number in range(count):
        first, second = drawn.sample(range(persons), 2)
        wins = drawn.random() < 1 / (1 + 2.7 ** (strengths[second] - strengths[first]))
        score = 0.5 if drawn.random() < 0.1 else float(wins)
        games.append(RatedGame(number // 2, f"p{first:02}", f"p{second:02}", score))
    return games


def test_scores_are_those_of_plain_python() -> None:
    """Each game by its result: a win, a loss, and a draw as one half of each."""
    games = some_games(1)
    for found in forecasts(games):
        system = SYSTEMS.get(found.system)
        chances = system.rate(games).expected if system else [0.5] * len(games)
        squares = logs = coin_logs = coin_squares = 0.0
        for (_, _, _, score), chance in zip(games, chances, strict=True):
            if score == 1.0:
                squares += (1 - chance) * (1 - chance)
                logs -= log(chance)
            elif score == 0.0:
                squares += chance * chance
                logs -= log(1 - chance)
            else:
                squares += ((1 - chance) * (1 - chance) + chance * chance) / 2
                logs -= (log(chance) + log(1 - chance)) / 2
            coin_squares += 1 / 4
            coin_logs += log(2)
        count = len(games)
        assert found.games == count
        assert found.brier == pytest.approx(squares / count, rel=1e-12)
        assert found.log_loss == pytest.approx(logs / count, rel=1e-12)
        assert found.brier_lead.mean == pytest.approx((coin_squares - squares) / count, abs=1e-12)
        assert found.log_lead.mean == pytest.approx((coin_logs - logs) / count, abs=1e-12)
        assert found.calibration.log_loss.mean == pytest.approx(found.log_loss, rel=1e-12)
        assert sum(each.sides for each in found.calibration.bins) == 2 * count


def test_a_coin_has_a_quarter_and_ln_2_whatever_happens() -> None:
    *systems, coin = forecasts(some_games(2))
    assert [found.system for found in systems] == ["glicko2", "elo", "bayes"]
    assert (coin.system, coin.brier) == (COIN, 0.25)
    assert coin.log_loss == pytest.approx(log(2), rel=1e-12)
    assert brier_of(0.5, 1.0) == brier_of(0.5, 0.5) == brier_of(0.5, 0.0) == 0.25
    rows = forecast_rows([*systems, coin])
    assert rows[-1][3:6] == (None, None, None)
    assert all(len(row) == len(FORECASTS.columns) for row in rows)


def test_what_turns_a_game_round_turns_its_forecast_round() -> None:
    for chance in (0.0, 0.3, 1.0):
        for score in (1.0, 0.5, 0.0):
            assert brier_of(chance, score) == pytest.approx(brier_of(1 - chance, 1 - score))


def test_the_true_chance_has_the_best_score_in_the_mean() -> None:
    for truth in (0.1, 0.5, 0.8):
        means = {
            step: truth * brier_of(step / 20, 1.0) + (1 - truth) * brier_of(step / 20, 0.0)
            for step in range(21)
        }
        assert min(means, key=means.__getitem__) == round(truth * 20)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_later_result_moves_no_earlier_forecast(system: str) -> None:
    """Every game after the place is turned round, or is not there."""
    games = some_games(3, 240)
    rate = SYSTEMS[system].rate
    before = rate(games).expected
    for place in (0, 1, 57, 130, 238):
        turned = [game._replace(score=1.0 - game.score) for game in games[place:]]
        after = rate([*games[:place], *turned]).expected
        assert after[: place + 1] == before[: place + 1], place
        assert rate(games[:place]).expected == before[:place]
    earliest = [games[0]._replace(score=1.0 - games[0].score), *games[1:]]
    assert rate(earliest).expected[0] == before[0]
    assert rate(earliest).expected != before  # an earlier result moves later forecasts


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_forecast_does_not_know_how_many_games_follow(system: str) -> None:
    """Nothing is fitted to the season: the first half alone has the same forecasts and scores."""
    games = some_games(4, 300)
    half = games[:150]
    alone = scored(half, system, SYSTEMS[system].rate(half).expected)
    whole = SYSTEMS[system].rate(games).expected[:150]
    assert scored(half, system, whole) == alone


def test_fewer_than_five_persons_have_no_interval() -> None:
    games = some_games(5, 40, persons=4)
    assert all(found.brier_lead.low is None for found in forecasts(games))


def test_a_skewed_value_has_the_wider_interval() -> None:
    counted = [Counted(f"a{n % 7}", f"b{n % 11}", float(n % 7)) for n in range(80)]
    narrow = interval_by_person(counted, has_sides=False)
    wide = interval_by_person(counted, has_sides=False, is_skewed=True)
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low < narrow.mean == wide.mean


@pytest.mark.parametrize("system", ["glicko2", "elo"])
def test_leads_over_a_coin_hold_where_single_games_do_not(system: str) -> None:
    """Of the few who play much, the truth is in 93 % or more; by game in far less."""
    controls = []
    for setting in settings():
        for checked in forecasts_checked(drawn_seasons(setting, SEASONS), system):
            assert checked.whole().held >= FEWEST, (setting.name, checked.of, checked.whole())
            controls.append(checked.worst_control()[1].held)
    assert min(controls) < 0.8
