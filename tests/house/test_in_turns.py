"""The command that compares two commits: what it concludes from runs of a noisy machine."""

from __future__ import annotations

import random

from tests.benchmarks.in_turns import CONFIDENCE, LIMIT, interval


def test_an_interval_is_as_wide_as_the_runs_are_few() -> None:
    """Of eleven runs the second to the tenth; of three all, and that is said to be little."""
    values = [float(number) for number in range(1, 12)]
    assert interval(values)[:3] == (2.0, 6.0, 10.0)
    assert interval(values).confidence > CONFIDENCE
    assert interval([1.0, 3.0, 2.0])[:3] == (1.0, 2.0, 3.0)
    assert interval([1.0, 3.0, 2.0]).confidence < CONFIDENCE


def test_a_commit_against_itself_is_hardly_ever_slower() -> None:
    """With times that vary by half, in a thousand comparisons of eleven runs."""
    chance = random.Random(7)
    ratios = [[chance.lognormvariate(0, 0.4) for _ in range(11)] for _ in range(1_000)]
    assert sum(interval(each).low > LIMIT for each in ratios) < 20


def test_one_that_takes_half_as_long_again_is_slower() -> None:
    """With times that vary by a tenth."""
    chance = random.Random(7)
    ratios = [1.5 * chance.lognormvariate(0, 0.1) for _ in range(11)]
    assert interval(ratios).low > LIMIT
