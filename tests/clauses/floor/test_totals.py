"""Army totals, who was drawn at equal ones, and scenarios that are drawn by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.facts.shared import Stage
from ledger.fold import fold
from ledger.rules.opening import StartTournament
from ledger.rules.setups import ChooseFirstPlayer, DrawChooser, DrawScenario, TakeSide
from projections.audit.report import audit_of
from projections.verification import rederive
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.rules.command import Command

MOST = {"runewars": (200, "RW-ARMY"), "legion": (800, "SWL-ARMY")}


def table_of(game: str, outline: str = "") -> tuple[Day, int, int, int]:
    day = Day(2, ruleset=game)
    day.do(StartTournament("custom", (Stage("swiss", 1),), outline))
    match = day.pair()[0]
    return day, match.number, match.first, match.second


def choice(
    game: str, match: int, player: int, totals: tuple[int, int], reason: str = ""
) -> Command:
    """Who is first player, or blue: what the game chooses by army totals."""
    if game == "runewars":
        return ChooseFirstPlayer(match, player, totals=totals, reason=reason)
    return TakeSide(match, player, totals=totals, reason=reason)


@pytest.mark.parametrize("game", MOST)
@pytest.mark.parametrize("over", [0, 1])
def test_no_army_is_above_the_limit(game: str, over: int) -> None:
    """RW-ARMY, SWL-ARMY: at the limit and one above, chosen and drawn; an outline has its own."""
    most, clause = MOST[game]
    day, match, one, _ = table_of(game)
    orders = (
        choice(game, match, one, (most + over, most - 5)),
        DrawChooser(match, (most + over, most + over)),
    )
    for order in orders:
        if over:
            assert clause in day.refused(order)
        else:
            day.do(order)
    own, match, one, _ = table_of(game, outline="Apocalypse")
    own.do(choice(game, match, one, (most + 400, most - 5)))


@pytest.mark.parametrize("game", MOST)
def test_a_draw_is_not_replaced_in_silence(game: str) -> None:
    """RW-FIRST, SWL-SIDES: other totals take a reason, which the audit shows."""
    most, _ = MOST[game]
    day, match, one, two = table_of(game)
    day.do(DrawChooser(match, (most, most)))
    drawn = day.tournament.floor.choosers[match]
    other = two if drawn == one else one
    totals = (most, most - 1) if other == two else (most - 1, most)
    assert "was drawn at equal army totals" in day.refused(choice(game, match, one, totals))
    before = len(day.log)
    day.do(choice(game, match, one, totals, "an upgrade was not counted"))
    kinds = [each.kind for each in audit_of(day.log).findings]
    assert kinds == ["other-totals"]
    opening = replace(day.log[0].event, rules=1)
    day.tournament = fold([replace(day.log[0], event=opening), *day.log[1:before]])
    day.log = day.log[:before]
    day.do(choice(game, match, one, totals))


def test_a_scenario_drawn_by_hand_is_found_and_not_drawn_again() -> None:
    """RW-SCENARIO: verification repeats what was drawn from the log, and nothing else."""
    key = b"simulated shuffle key, 32 bytes."
    drawn = {}
    for by_hand in (False, True):
        day = Day(4, ruleset="runewars", date="2018-11-11", shuffle_key=key)
        day.start(1)
        day.pair()
        cards = ("Maelstrom", "Volatile Runes") if by_hand else ("", "")
        day.do(DrawScenario(*cards, by_hand=by_hand))
        kinds = [each.kind for each in audit_of(day.log).findings]
        assert kinds == (["drawn-by-hand"] if by_hand else [])
        drawn[by_hand] = rederive(day.lines.copy, key.hex()).checked["draws"]
    assert drawn[True] == drawn[False] - 1
