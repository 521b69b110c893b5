"""What is looked at on somebody's wish: sleeves, cards and dice, and the pace of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rules.clock import ModeratePace
from ledger.rules.components import InspectComponents
from ledger.rules.rounds import StartRound
from ledger.rules.undo import Undo
from tests.support.simulate import Day, game_in_play
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.facts.base import Tier
    from ledger.facts.clock import PaceRemedy
    from ledger.facts.shared import Inspected


def playing(game: str, tier: Tier = "relaxed") -> tuple[Day, int, int, int]:
    day = Day(4, ruleset=game, tier=tier)
    day.start(2)
    match = day.pair()[0]
    day.do(StartRound())
    return day, match.number, match.first, match.second


@pytest.mark.parametrize("what", ["sleeves", "cards", "dice", "tokens"])
def test_ashes_inspects_what_a_player_asks_for(what: Inspected) -> None:
    """AOP-COMPONENT: any of them, on anybody's wish; only the organizer takes anything away."""
    day, _, one, two = playing("ashes")
    helper = f"o{appoint(day, 'Coco', 'co-organizer')}"
    day.do(InspectComponents(one, what, asked=two), by=helper)
    for verdict in ("replace", "remove"):
        assert "needs a reason" in day.refused(InspectComponents(one, what, verdict))
        order = InspectComponents(one, what, verdict, two, "marked")
        assert "is reserved for the organizer" in day.refused(order, by=helper)
        day.do(order)
        day.do(Undo())
    assert len(day.tournament.floor.components) == 1


@pytest.mark.parametrize(
    ("tier", "may"), [("relaxed", True), ("formal", False), ("premier", False)]
)
def test_l5r_sleeves(tier: Tier, may: bool) -> None:  # noqa: FBT001 - a case
    """L5R-SLEEVES: Formal and Premier are played in sleeves; others take their place there."""
    day, _, one, two = playing("l5r", tier)
    day.do(InspectComponents(one, "sleeves", "replace", two, "one is creased"))
    off = InspectComponents(one, "sleeves", "remove", two, "all are creased")
    if may:
        day.do(off)
    else:
        assert "L5R-SLEEVES" in day.refused(off)
    assert "L5R-SLEEVES" in day.refused(InspectComponents(one, "dice"))


@pytest.mark.parametrize("game", ["runewars", "legion"])
def test_other_games_have_a_marshal_decide(game: str) -> None:
    """FFG-COMPONENT: what is questioned there is allowed or ruled out, and no pace is moderated."""
    day, match, one, two = playing(game)
    assert "has no rule for inspecting components" in day.refused(InspectComponents(one, "dice"))
    assert "has no rule for pace" in day.refused(ModeratePace(match, asked=two))


@pytest.mark.parametrize("remedy", ["discard", "forfeit", "other"])
def test_slow_play_is_moderated(remedy: PaceRemedy) -> None:
    """AOP-MODERATE, AOP-DECLARE: anybody asks, a helper looks, the organizer alone acts."""
    day, match, one, two = playing("ashes")
    helper = f"o{appoint(day, 'Coco', 'co-organizer')}"
    assert "needs a reason" in day.refused(ModeratePace(match))
    day.do(ModeratePace(match, asked=two), by=helper)
    assert "name the player who was slow" in day.refused(
        ModeratePace(match, two, remedy, reason="slow")
    )
    outsider = next(player for player in range(1, 5) if player not in {one, two})
    assert "does not sit at" in day.refused(ModeratePace(match, two, remedy, outsider, "slow"))
    in_play = game_in_play("ashes")
    order = ModeratePace(match, two, remedy, one, "counted the pile four times", in_play)
    assert "is reserved for the organizer" in day.refused(order, by=helper)
    day.do(order)
    result = day.tournament.matches[match].result
    assert bool(result) is (remedy == "forfeit")
    if result:
        assert (result.outcomes, result.manner) == (("loss", "win"), "declared")
        assert "has a result" in day.refused(order)
    assert len(day.tournament.floor.moderated) == 2
