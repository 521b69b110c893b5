"""Sweeps against tables played out: no verdict is refuted by a result that `check` accepts.

In the normal run a few events a ruleset; `TOURNEY_SWEEPS=300 pytest -s
tests/truth/test_sweep_truth.py` is the long form: 300 events with one open match, 300 with two or
three, and 100 tables at random in each third of 300 with up to twenty; the figures are printed.
"""

from __future__ import annotations

import os
import random

import pytest

from projections.whatif import sweep as sweeping
from projections.whatif.outcomes import Accepted, accepted, considered
from projections.whatif.sweep import sweep
from tests.support.accepted_results import RULESETS, accepted_by_check, worth_of
from tests.truth.sweep_truth import Judge, Tally, any_event

LONG = int(os.environ.get("TOURNEY_SWEEPS", "0"))
NOT_PROVEN_MAX = 0.05

pytestmark = [pytest.mark.slow]

by_ruleset = pytest.mark.parametrize(
    "ruleset",
    [pytest.param(each, marks=pytest.mark.xdist_group(f"sweep {each}")) for each in RULESETS],
)


def judged(tally: Tally, name: str) -> None:
    """No verdict is refuted, none possible that cannot be, and few are not proven."""
    if LONG:
        print(f"\n{tally.line(name)}")  # noqa: T201 - the figures of the long form
    assert not tally.refuted, tally.refuted[:5]
    assert not tally.unseen, tally.unseen[:5]
    assert tally.not_proven <= NOT_PROVEN_MAX * tally.verdicts


@by_ruleset
@pytest.mark.parametrize("narrowed", [True, False])
def test_what_is_considered_is_what_check_accepts(ruleset: str, narrowed: bool) -> None:  # noqa: FBT001 - a parameter
    results = accepted_by_check(ruleset, narrowed=narrowed)
    day = any_event("considered", ruleset, tables=1, narrowed=narrowed)
    found = accepted(day.tournament.ruleset)
    assert found.whole
    assert {worth_of(each) for each in found.results} == {worth_of(each) for each in results}
    assert len(found.results) == len(results)


@by_ruleset
def test_one_open_match_with_every_result(ruleset: str) -> None:
    tally = Tally()
    for seed in range(LONG or 3):
        day = any_event(str(seed), ruleset, tables=1, by_points=seed % 10 == 9)
        judge = Judge(day, sweep(day.log), tally, f"{ruleset} {seed}")
        judge.every_one(accepted_by_check(ruleset, narrowed=False))
    judged(tally, f"{ruleset}, one match")


@by_ruleset
def test_two_and_three_open_matches_with_every_result(ruleset: str) -> None:
    tally = Tally()
    for seed in range(LONG or 3):
        tables = 2 + (seed % 3 == 0)
        day = any_event(str(seed), ruleset, tables=tables, narrowed=True, by_points=seed % 10 == 9)
        judge = Judge(day, sweep(day.log), tally, f"{ruleset} {seed}")
        judge.every_one(accepted_by_check(ruleset, narrowed=True))
    judged(tally, f"{ruleset}, two and three")


@by_ruleset
def test_many_open_matches_with_results_at_random(ruleset: str) -> None:
    tally = Tally()
    results = accepted_by_check(ruleset, narrowed=False)
    for seed in range(LONG // 3 or 4):
        chance = random.Random(f"tables {seed}")
        tables = chance.randrange(4, 21)
        day = any_event(f"many {seed}", ruleset, tables=tables, players=(8, 65))
        found = sweep(day.log)
        judge = Judge(day, found, tally, f"{ruleset} {seed}")
        for _ in range(100 if LONG else 15):
            judge.play([chance.choice(results) for _ in found.open])
    judged(tally, f"{ruleset}, many")


@pytest.mark.parametrize("ruleset", ["mtg", "ashes", "netrunner", "runewars"])
def test_with_results_left_out_verdicts_are_refuted(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge finds a sweep that thinks of wins and losses at their extremes alone."""

    def few(rules: object) -> Accepted:
        found = considered(rules)  # type: ignore[arg-type] # a ruleset
        ends = [one for one in found if one.outcomes[0] != "draw" and one.points[1] in {0, 1, 5}]
        return Accepted(ends, whole=True)

    monkeypatch.setattr(sweeping, "accepted", few)
    tally = Tally()
    for seed in range(40):
        day = any_event(str(seed), ruleset, tables=2, narrowed=True)
        judge = Judge(day, sweep(day.log), tally, f"{ruleset} {seed}")
        judge.every_one(accepted_by_check(ruleset, narrowed=True))
        if any("no verdict" not in each for each in tally.refuted):
            return
    pytest.fail("nothing was refuted")
