"""Every interval that the program prints, on simulated seasons that are hard on intervals.

Of each view the intervals hold the truth in 93 % or more, and a control does not: the way in which
they were made before, or one that takes games or entries of one person for independent. The page
`projections/season/INTERVALS.md` has the figures of many more seasons.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from projections.season.rating_tables import CALIBRATION, HISTORY, LEADS, RANKING
from projections.season.tables.definitions import questions
from tests.support.chance.coverage import (
    CONSERVATIVE,
    FEWEST,
    PAGE,
    VIEWS,
    Checked,
    Coverage,
    Interval,
    answers_checked,
    coverage,
    drawn_seasons,
    ratings_and_leads,
    settings,
    sweep_checked,
)
from tests.support.chance.skewed_seasons import real_schedules
from tests.support.shared import needs_shared

if TYPE_CHECKING:
    from collections.abc import Iterable

FEW, MANY, RATED = 60, 100, 40
"""Seasons of a kind: in the fast test, in the slow ones, and of ratings there."""

TABLES = {"rating": RANKING, "rating --player": HISTORY, "rating --calibration": CALIBRATION,
          "rating --factions": LEADS}  # fmt: skip
WITH_INTERVALS = {"round-length": "the middle of what was played, no interval of confidence"}
"""Views with a lower and an upper end that is none of 95 %."""


def all_hold(checks: Iterable[Checked]) -> list[Checked]:
    """Check that the intervals hold, each view by itself."""
    found = list(checks)
    for checked in found:
        assert checked.whole().held >= FEWEST, (checked.view, checked.of, checked.whole())
    return found


def controls_fail(found: Iterable[Checked]) -> None:
    """Check that the control of each view holds less somewhere."""
    least: dict[str, float] = defaultdict(lambda: 1.0)
    for checked in found:
        _, control = checked.worst_control()
        least[checked.view] = min(least[checked.view], control.held)
    if not real_schedules():  # only their events are unequal enough for it
        del least["stats pairing-quality"]
    assert all(held < FEWEST for held in least.values()), dict(least)


@pytest.mark.slow
def test_intervals_hold_on_generated_schedules() -> None:
    """Sixteen persons, of whom few play most games: by game or by entry nearly nothing holds."""
    _, few, *_ = settings()
    found = all_hold(answers_checked(drawn_seasons(few, FEW)))
    failing = [checked.worst_control()[1].held < FEWEST for checked in found]
    assert sum(failing) >= len(found) - 2  # byes and gaps have theirs in the slow tests


@pytest.mark.slow
def test_all_intervals_hold_and_each_control_fails() -> None:
    found: list[Checked] = []
    for setting in settings():
        seasons = drawn_seasons(setting, MANY)
        found += all_hold([*answers_checked(seasons), *ratings_and_leads(seasons[:RATED])])
    controls_fail(found)


@pytest.mark.slow
@needs_shared
def test_the_real_schedules_are_among_them() -> None:
    assert len(real_schedules()) > 5
    assert sum("real" in setting.name for setting in settings()) == 2


def test_a_share_of_random_results_is_as_near_as_said() -> None:
    checked = sweep_checked(1_500)
    assert checked.whole().held >= 0.99
    assert checked.worst_control()[1].held < FEWEST


def test_every_view_with_an_interval_is_simulated() -> None:
    """A question or a table of ratings with `low` and `high` is in the simulation."""
    with_ends = {
        question.name
        for question in questions()
        if {"low", "high"} <= {column.name for column in question.columns}
        or (question.plot and question.plot.low)
    }
    assert with_ends == set(VIEWS) | set(WITH_INTERVALS)
    simulated = {line.split("`")[1].removeprefix("stats ") for line in rows_of_page()}
    assert set(VIEWS) <= simulated
    assert simulated - set(VIEWS) == {
        "rating glicko2",
        "rating bayes",
        "rating --calibration",
        "rating --factions",
        "whatif --sweep",
    }


def rows_of_page() -> list[str]:
    """List the rows of figures, which follow the table of formulas."""
    figures = PAGE.read_text("utf-8").partition("\n## How each is made\n")[2].partition("\n## ")[2]
    return [line for line in figures.splitlines() if line.startswith("| `")]


def test_the_page_shows_what_holds() -> None:
    for line in rows_of_page():
        share = float(line.split("|")[3].strip().removesuffix("%")) / 100
        assert share >= FEWEST, line


def test_what_is_wider_than_it_has_to_be_is_called_so_where_it_is_printed() -> None:
    """Where the page calls most intervals of a view conservative, its columns do, too."""
    called: dict[str, list[bool]] = defaultdict(list)
    for line in rows_of_page():
        name = line.split("`")[1]
        called["rating" if name == "rating glicko2" else name].append("conservative" in line)
    printed = {f"stats {each.name}": each.columns for each in questions() if each.name in VIEWS}
    printed |= {name: table.columns for name, table in TABLES.items()}
    for name, columns in printed.items():
        is_called = any("conservative" in column.meaning for column in columns)
        wide = called[name.replace(" --player", "")]
        assert any(wide) if is_called else 2 * sum(wide) <= len(wide), name


def test_coverage_by_hand() -> None:
    """Of twenty intervals around 0 one misses by half as much again, and one by twice as much."""
    around = [Interval(-1.0, 0.0, 1.0, truth) for truth in (*[0.5] * 18, 1.5, -2.0)]
    assert coverage(around) == Coverage(20, 0.9, 2.0, 3.0)
    assert Interval(0.0, 0.0, 1.0, 0.0).holds
    assert CONSERVATIVE < 1
