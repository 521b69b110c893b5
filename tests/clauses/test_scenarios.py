"""RW-SCENARIO, RW-SEASON: a scenario that was drawn by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.shared import ScenarioDrawn, Stage
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.rounds import CloseRound
from ledger.rules.setups import DrawScenario
from projections.verification import rederive
from tests.clauses.test_setups import SEASONS
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.base import Tier


def day_of(date: str, tier: Tier) -> Day:
    day = Day(4, floor=SEASONS, shuffle_key=b"k", tier=tier, date=date)
    day.do(StartTournament("custom", (Stage("swiss", 2),)))
    return day


@pytest.mark.parametrize("tier", ["relaxed", "formal", "premier"])
def test_rw_season_a_draw_by_hand_is_of_the_season_but_in_relaxed(tier: Tier) -> None:
    """RW-SEASON, RW-SCENARIO: Formal and Premier use its cards; before it begins Relaxed plays."""
    for date, cards in (
        ("2018-11-11", ("Standoff", "Volatile Runes")),
        ("2018-07-22", ("Standoff", "Volatile Runes")),
        ("2018-11-11", ("Ours", "Too")),
    ):
        day = day_of(date, tier)
        day.pair()
        if tier == "relaxed":
            day.do(DrawScenario(*cards, by_hand=True))
            assert day.tournament.floor.scenarios[1].deployment == cards[0]
        else:
            assert "RW-SEASON" in day.refused(DrawScenario(*cards, by_hand=True))


def test_rw_scenario_a_draw_by_hand_is_recorded_as_one() -> None:
    """RW-SCENARIO: with cards or a die; neither repeats, and no key has to repeat it."""
    day = day_of("2018-11-11", "formal")
    day.pair()
    assert "RW-SCENARIO" in day.refused(DrawScenario("Maelstrom", "Volatile Runes"))
    assert "RW-SCENARIO" in day.refused(DrawScenario(by_hand=True))
    [drawn] = day.do(DrawScenario("Maelstrom", "Volatile Runes", by_hand=True))
    assert drawn.event == ScenarioDrawn(1, "Maelstrom", "Volatile Runes", by_hand=True)
    assert day.do(DrawScenario("Maelstrom", "Volatile Runes", by_hand=True)) == []
    draws = rederive(lambda: day.lines, b"k".hex()).checked["draws"]
    assert draws == 2, "the ranks and the pairings, not the scenario"
    day.report_all()
    day.do(CloseRound())
    day.do(PairRound(allow_rematch=True, reason="only four"))
    repeated = day.refused(DrawScenario("Maelstrom", "Volatile Runes", by_hand=True))
    assert repeated.count("RW-SCENARIO") == 2
