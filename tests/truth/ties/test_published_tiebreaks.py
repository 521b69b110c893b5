"""Published worked examples of tie-breaks: `published_chess` says whose."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import pytest

from ledger.rulesets import text_of
from projections.standings.table import crosstable_of
from projections.standings.tiebreakers import Evaluation
from tests.support.chance.recorded_events import recorded
from tests.truth.ties import published_chess as published

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

BEFORE, SINCE = "2025-05-01", "2026-05-01"


@cache
def event(table: str, date: str) -> Tournament:
    """One of the events, as if it had been on a day."""
    return recorded(text_of("fide"), *published.read(table), date)


def values(tournament: Tournament, code: str) -> list[Fraction]:
    """A tie-break of everybody."""
    rules = tournament.ruleset
    work = Evaluation(crosstable_of(tournament), rules.tiebreakers, rules)
    found = work.of(rules.in_force[code]).result
    return [found.value(player) for player in range(1, len(tournament.players))]


@pytest.mark.parametrize("code", published.OLD)
def test_the_swiss_exercise_by_the_edition_of_2023(code: str) -> None:
    """FIDE-C07-7, FIDE-C07-8, FIDE-C07-9, FIDE-C07-10, FIDE-C07-16."""
    expected = published.OLD[code]
    assert values(event(published.SWISS, BEFORE), code) == [Fraction(each) for each in expected]


def test_buchholz_cut_1_and_the_average_by_the_edition_of_2023() -> None:
    """FIDE-C07-8: rounds that a player chose not to play are cut first."""
    tournament = event(published.SWISS, BEFORE)
    found = values(tournament, "BHC1")
    assert {one: found[one - 1] for one in published.OLD_CUT} == published.OLD_CUT
    average = [round(float(each) + 1e-9, 2) for each in values(tournament, "AOB")]
    assert average == published.OLD_AOB


@pytest.mark.parametrize("code", published.OLD)
def test_the_swiss_exercise_by_the_edition_of_2026(code: str) -> None:
    """FIDE-C07-16: an opponent made up is worth no more than a draw each round."""
    expected: list[float] = [*published.OLD[code]]
    for player, value in published.NEW.get(code, {}).items():
        expected[player - 1] = value
    assert values(event(published.SWISS, SINCE), code) == [Fraction(each) for each in expected]


def test_buchholz_cut_1_and_the_average_by_the_edition_of_2026() -> None:
    tournament = event(published.SWISS, SINCE)
    found = values(tournament, "BHC1")
    expected = published.OLD_CUT | {11: 11}
    assert {one: found[one - 1] for one in expected} == expected
    average = [round(float(each) + 1e-9, 2) for each in values(tournament, "AOB")]
    assert average == published.NEW_AOB


@pytest.mark.parametrize("code", published.OF_ROUND_ROBIN)
def test_the_round_robin(code: str) -> None:
    """FIDE-C07-6, FIDE-C07-9: where everybody meets, a game that one did not come to counts."""
    expected = [Fraction(each) for each in published.OF_ROUND_ROBIN[code]]
    assert values(event(published.ROUND_ROBIN, BEFORE), code) == expected


def test_direct_encounter_after_nine_rounds() -> None:
    """FIDE-C07-6: of four who all met, one is ahead of all, and two stay level."""
    text = text_of("fide").replace('["BHC1", "BH", "SB", "DE"]', '["DE", "BH"]')
    tournament = recorded(text, *published.read(published.NINE), BEFORE)
    found = values(tournament, "DE")
    assert {one: found[one - 1] for one in published.AHEAD_AFTER_NINE} == published.AHEAD_AFTER_NINE
    assert sum(found) == sum(published.AHEAD_AFTER_NINE.values())
