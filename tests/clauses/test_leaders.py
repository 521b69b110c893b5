"""The clauses on leaders who play: in which tier, and beside whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerRegistered
from ledger.rules.office import LinkOfficial, Resume, StandDown
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import (
    DropPlayer,
    Entry,
    RegisterPlayers,
    RejoinPlayer,
    WithdrawRegistration,
)
from ledger.rules.rounds import SwapSeats, UnpairRound
from tests.support.simulate import Day
from tests.support.staff import appoint, register

if TYPE_CHECKING:
    from ledger.facts.base import Tier
    from ledger.rules.command import Command


@pytest.mark.parametrize(
    ("tier", "second", "allowed"),
    [
        ("relaxed", True, True),
        ("relaxed", False, False),
        ("formal", True, False),
        ("premier", True, False),
    ],
)
@pytest.mark.parametrize("order", ["registered", "linked", "appointed"])
def test_ffg_leader_tier(tier: Tier, second: bool, allowed: bool, order: str) -> None:  # noqa: FBT001 - cases
    """FFG-LEADER-TIER, FFG-TIER: a leader plays in Relaxed alone, with a second leader there."""
    day = Day(4, tier=tier)
    if second:
        appoint(day, "Jun Judge", "judge")
    assert day.tournament.opening is not None
    assert day.tournament.opening.tier == tier
    command: Command
    if order == "registered":
        command = RegisterPlayers((Entry("olga organizer"),))
    elif order == "linked":
        command = LinkOfficial(1, 1)
    else:
        appoint(day, "Player 0001", "scorekeeper")
        number = len(day.tournament.officials) - 1
        day.do(LinkOfficial(number, 1))
        command = AppointOfficial("", ("marshal",), number)
        second = allowed = tier == "relaxed"  # the organizer is there already
    if allowed:
        day.do(command)
        assert second
    else:
        assert "FFG-LEADER-TIER" in day.refused(command)


def test_a_namesake_of_a_leader_is_somebody_else() -> None:
    day = Day(4, tier="premier")
    assert "FFG-LEADER-TIER" in day.refused(RegisterPlayers((Entry("Olga Organizer"),)))
    day.do(RegisterPlayers((Entry("Olga Organizer"),), namesake=True))
    assert day.tournament.officials[1].player == 0


def test_a_player_who_is_appointed_is_the_same_person() -> None:
    judge = AppointOfficial("player 0001", ("judge",))
    assert "FFG-LEADER-TIER" in Day(4, tier="formal").refused(judge)
    day = Day(4, tier="relaxed")
    day.do(judge)
    assert day.tournament.officials[-1].player == 1


def test_a_namesake_of_a_player_may_be_appointed() -> None:
    day = Day(4, tier="formal")
    day.do(AppointOfficial("Player 0001", ("judge",), namesake=True))
    assert day.tournament.officials[-1].player == 0


def test_a_scorekeeper_leads_nobody_and_may_play() -> None:
    day = Day(4, tier="premier")
    number = appoint(day, "Sam", "scorekeeper")
    player = register(day, "Sam")
    assert day.tournament.officials[number].player == player
    judge = OfficialAppointed(number, ("judge",))
    assert "FFG-LEADER-TIER" in day.refused_event(judge)


def test_the_second_leader_is_announced_at_the_beginning_and_present() -> None:
    """FFG-LEADER-TIER: one appointed later, or a spectator, is no second leader."""
    day = Day(4)
    day.start(2)
    late = appoint(day, "Late Leader", "judge")
    assert "FFG-LEADER-TIER" in day.refused(LinkOfficial(1, 1))
    assert "FFG-LEADER-TIER" not in day.refused_event(OfficialAppointed(late, ("judge",), 2))
    early = Day(4)
    judge = appoint(early, "Early Leader", "judge")
    early.do(StandDown(judge))
    assert "FFG-LEADER-TIER" in early.refused(LinkOfficial(1, 1))
    early.do(Resume(judge))
    early.start(2)
    early.do(LinkOfficial(1, 1))


def test_play_does_not_begin_without_the_second_leader() -> None:
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.do(AppointOfficial("", ("scorekeeper",), judge))
    with pytest.raises(Exception, match="FFG-LEADER-TIER"):
        day.start(2)


def test_a_leader_returns_to_play_by_the_same_rule() -> None:
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.start(3)
    day.do(DropPlayer(1))
    day.do(StandDown(judge))
    assert "FFG-LEADER-TIER" in day.refused(RejoinPlayer(1))
    day.do(Resume(judge))
    day.do(RejoinPlayer(1))


def test_one_official_is_one_player() -> None:
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    assert "is already recorded as another official" in day.refused(LinkOfficial(judge, 1))
    assert "there is no player 9" in day.refused(LinkOfficial(judge, 9))
    assert "is already registered as player 1" in day.refused_event(
        PlayerRegistered(5, 7, official=1)
    )
    assert "there is no official 9" in day.refused_event(PlayerRegistered(5, 7, official=9))
    day.do(WithdrawRegistration(2, "a mistake"))
    assert "is not registered" in day.refused(LinkOfficial(judge, 2))


def test_a_bye_needs_nobody_to_rule_on_it() -> None:
    """FFG-LEADER-RULING: a leader alone in office has a bye, by pairing and by a swap."""
    day = Day(3)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(1, 1))
    day.start(2)
    day.do(StandDown(judge))
    assert "FFG-LEADER-RULING" in day.refused(PairRound(((1, 2),), "a test"))
    day.do(PairRound(((1, 0),), "a test"))
    day.do(UnpairRound("a test"))
    day.do(Resume(judge))
    day.do(PairRound(((2, 0),), "a test"))
    day.do(StandDown(judge))
    day.do(SwapSeats((1, 2), "a test"))
    assert next(match for match in day.matches() if match.is_bye).players == (1,)
