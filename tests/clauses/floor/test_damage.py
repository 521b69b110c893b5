"""What is damaged, told before the round, shared: as each shipped game has it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts.clock import TableExtended
from ledger.facts.components import ComponentsShared
from ledger.facts.setups import shared_at
from ledger.rules.components import (
    DamageComponent,
    DecideComponent,
    FindComponent,
    GiveUpComponent,
    MakeProxy,
    MissComponent,
    ShareComponents,
)
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from ledger.rules.undo import Undo
from tests.support.simulate import Day
from tests.support.staff import appoint

WON = {
    "l5r": StatedResult("win"),
    "runewars": StatedResult(facts={"score": (107, 49)}),
    "legion": StatedResult(facts={"tokens": (3, 1)}),
    "ashes": StatedResult("win", facts={"destroyed": (0, 1), "wounds": (0, 12)}),
}


def playing(game: str, players: int = 4) -> tuple[Day, int, int, int]:
    """A round that runs: its first match, and who plays it."""
    day = Day(players, ruleset=game)
    day.start(3)
    match = day.pair()[0]
    day.do(StartRound())
    return day, match.number, match.first, match.second


def play_on(day: Day, game: str) -> None:
    """Report what is open, close, and pair the next round."""
    for match in day.matches():
        if match.is_open:
            day.do(Report(match.number, WON[game]))
    day.do(CloseRound())
    day.pair()


@pytest.mark.parametrize(
    ("game", "how", "lost", "clause"),
    [
        ("runewars", {"impedes": True}, False, ""),
        ("runewars", {}, False, ""),
        ("runewars", {"impedes": True, "modified": True}, None, "RW-DAMAGED-MODEL"),
        ("legion", {"impedes": True}, True, "SWL-DAMAGED-MINI"),
        ("legion", {"impedes": True, "modified": True}, False, ""),
        ("legion", {"impedes": True, "replaced": True}, False, ""),
        ("legion", {}, False, ""),
        ("legion", {"modified": True}, None, "SWL-DAMAGED-MINI"),
        ("l5r", {"impedes": True}, None, "FFG-PROXY"),
        ("ashes", {"impedes": True}, None, "AOP-COMPONENT"),
    ],
)
def test_a_damaged_model(game: str, how: dict[str, Any], lost: bool | None, clause: str) -> None:  # noqa: FBT001 - cases
    """RW-DAMAGED-MODEL, SWL-DAMAGED-MINI: kept near the army; or modified, or replaced."""
    day, match, one, _ = playing(game)
    order = DamageComponent(one, "a rider", "model", **how)
    if lost is None:
        assert clause in day.refused(order)
        return
    day.do(order)
    assert (one in day.tournament.floor.missing) is lost
    if lost:
        assert clause in day.refused(Report(match, WON[game]))
        day.do(FindComponent(one))
    play_on(day, game)


def test_ashes_has_no_rule_of_lost_or_damaged_components() -> None:
    """AOP-COMPONENT: nobody concedes, nothing is proxied; the organizer decides what is used."""
    day, match, one, _ = playing("ashes")
    for order in (
        MissComponent(one, "a die"),
        MissComponent(one, "a card", during=True),
        DamageComponent(one, "a card", "card"),
        MakeProxy(one, "a card", "the cost", "2026-03-14"),
        DecideComponent("a die", "third-party", allowed=False, player=one, necessary=True),
    ):
        assert "AOP-COMPONENT" in day.refused(order)
    helper = appoint(day, "Coco", "co-organizer")
    ruled_out = DecideComponent("a die", "third-party", allowed=False, player=one)
    assert "is reserved for the organizer" in day.refused(ruled_out, by=f"o{helper}")
    day.do(ruled_out)
    day.do(Report(match, WON["ashes"]))


def test_what_is_missing_between_two_rounds_is_looked_for_in_the_next() -> None:
    """FFG-LOST: told before the round is paired, or before it starts; removed by the one after."""
    day, match, one, _ = playing("l5r")
    day.do(Report(match, WON["l5r"]))
    day.report_all()
    day.do(CloseRound())
    day.do(MissComponent(one, "a province"))
    assert day.tournament.floor.missing[one].round == 2
    day.pair()
    assert "FFG-LOST" in day.refused(Report(_table_of(day, one), StatedResult("win")))
    day.do(GiveUpComponent(one))
    day.report_all()
    day.do(CloseRound())
    assert "[drop.component]" in day.refused(PairRound())
    day.do(DropPlayer(one, "component"))
    day.pair()


def test_time_to_look_for_it_is_given_before_the_round_starts() -> None:
    """FFG-LOST: the table is extended though its clock does not run yet, and no other is."""
    day = Day(4)
    assert "has not started" in day.refused(MissComponent(1, "a card"))
    day.start(2)
    one, other = day.pair()
    day.do(MissComponent(one.first, "a card", minutes=3))
    assert day.tournament.floor.extensions == {one.number: 3}
    assert "no time to extend" in _not_extended(day, other.number)


def _not_extended(day: Day, match: int) -> str:
    from ledger.rules.clock import ExtendTable  # noqa: PLC0415 - only here

    return day.refused(ExtendTable(match, 3, "a spill"))


def _table_of(day: Day, player: int) -> int:
    return next(match.number for match in day.matches() if player in match.players)


def test_a_damaged_tool_is_shared_in_each_remaining_round() -> None:
    """FFG-DAMAGED, FFG-SHARE: until it is replaced, at whichever table the player sits."""
    day, match, one, _ = playing("runewars")
    done = day.do(DamageComponent(one, "a bent ruler", "tool", shares="ruler"))
    assert [each.event for each in done[1:]] == [ComponentsShared(match, "ruler", one)]
    for _ in range(2):
        play_on(day, "runewars")
        shared = {each.number: shared_at(day.tournament, each) for each in day.matches()}
        assert shared.pop(_table_of(day, one)) == {"ruler": one}
        assert not any(shared.values())
    no = ShareComponents(_table_of(day, one), "ruler", one, "declined", "the opponent has none")
    day.do(no)
    assert shared_at(day.tournament, day.tournament.matches[no.match]) == {}
    day.do(FindComponent(one))
    assert day.tournament.floor.worn == {}


def test_a_tool_with_a_replacement_is_not_shared() -> None:
    """FFG-DAMAGED: and what was recorded by mistake is taken back whole."""
    day, match, one, _ = playing("legion")
    assert len(day.do(DamageComponent(one, "a ruler", "tool", replaced=True))) == 1
    assert shared_at(day.tournament, day.tournament.matches[match]) == {}
    day.do(DamageComponent(one, "dice", "tool", shares="dice"))
    day.do(Undo())
    assert day.tournament.floor.worn == {}
    assert shared_at(day.tournament, day.tournament.matches[match]) == {}


@pytest.mark.parametrize("game", ["runewars", "legion"])
def test_sharing_is_asked_and_answered(game: str) -> None:
    """FFG-SHARE: asked, granted or declined by a leader; otherwise again by a marshal alone."""
    day, match, one, two = playing(game)
    judge, marshal = (f"o{appoint(day, role, role)}" for role in ("judge", "marshal"))
    assert "no player asked" in day.refused(ShareComponents(match, "dice", one, "declined", "no"))
    assert "needs the player who asks" in day.refused(
        ShareComponents(match, "dice", 0, "asked"), by=marshal
    )
    day.do(ShareComponents(match, "dice", one, "asked"), by=judge)
    assert shared_at(day.tournament, day.tournament.matches[match]) == {}
    assert day.do(ShareComponents(match, "dice", one, "asked"), by=judge) == []
    assert "was already requested" in day.refused(
        ShareComponents(match, "dice", two, "asked"), by=judge
    )
    assert "needs a reason" in day.refused(
        ShareComponents(match, "dice", one, "declined"), by=judge
    )
    day.do(ShareComponents(match, "dice", one, "declined", "both have their own"), by=judge)
    yes = ShareComponents(match, "dice", one)
    assert "is reserved for the marshal" in day.refused(yes, by=judge)
    day.do(yes, by=marshal)
    assert shared_at(day.tournament, day.tournament.matches[match]) == {"dice": one}
    assert day.do(yes, by=judge) == []


@pytest.mark.parametrize("game", ["l5r", "ashes"])
def test_card_games_share_nothing(game: str) -> None:
    """FFG-SHARE is of runewars and legion."""
    day, match, one, _ = playing(game)
    assert "has no rule for sharing" in day.refused(ShareComponents(match, "dice", one))


@pytest.mark.parametrize("game", ["legion"])
@pytest.mark.parametrize("repair", ["modified", "replaced"])
def test_a_mini_that_is_modified_later_is_no_longer_lost(game: str, repair: str) -> None:
    """SWL-DAMAGED-MINI: what impeded play and was mended or replaced since is played on with."""
    day, match, one, two = playing(game)
    day.do(DamageComponent(one, "a bent trooper", "model", impedes=True))
    assert "SWL-DAMAGED-MINI" in day.refused(Report(match, WON[game]))
    is_replaced = repair == "replaced"
    mended = DamageComponent(
        one, "the bent Trooper", "model", replaced=is_replaced, modified=not is_replaced
    )
    day.do(mended)
    assert one not in day.tournament.floor.missing
    day.do(Report(match, WON[game]))
    assert two in day.tournament.active()


def test_another_mini_that_is_modified_does_not_find_the_lost_one() -> None:
    """SWL-DAMAGED-MINI: the one that impedes play is still lost."""
    day, match, one, _ = playing("legion")
    day.do(DamageComponent(one, "a bent trooper", "model", impedes=True))
    day.do(DamageComponent(one, "a walker", "model", impedes=True, modified=True))
    assert "SWL-DAMAGED-MINI" in day.refused(Report(match, WON["legion"]))


@pytest.mark.parametrize("game", ["l5r", "runewars", "legion"])
def test_a_long_extension_to_look_for_a_component_needs_a_reason(game: str) -> None:
    """FFG-LOST: the extension is a short one; more than 10 minutes are somebody's decision."""
    day, match, one, two = playing(game)
    lost = MissComponent(one, "a part", minutes=11)
    assert "FFG-LOST" in day.refused(lost)
    assert not day.tournament.floor.missing
    day.do(MissComponent(one, "a part", minutes=11, reason="the car is far away"))
    given = day.log[-1].event
    assert isinstance(given, TableExtended)
    assert (given.match, given.minutes) == (match, 11)
    assert "the car is far away" in given.reason
    day.do(FindComponent(one))
    day.do(MissComponent(two, "a part", minutes=10))
