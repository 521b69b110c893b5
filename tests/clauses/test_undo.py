"""Taking acts of the floor back: as if they had not been, while nothing depends on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.undo import ActWithdrawn
from ledger.rules.clock import CallTime, ExtendTable
from ledger.rules.components import (
    AwardPrize,
    DamageComponent,
    DecideComponent,
    MakeProxy,
    MissComponent,
    OfferPrize,
    ShareComponents,
)
from ledger.rules.office import (
    NoteConduct,
    Penalize,
    RecommendDisqualification,
    StandDown,
    TakeNote,
)
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.rounds import StartRound, UnpairRound
from ledger.rules.setups import AnnounceTerrain
from ledger.rules.undo import Undo
from tests.support.simulate import Day, encode_state
from tests.support.staff import appoint

if TYPE_CHECKING:
    from ledger.rules.command import Command


def running() -> Day:
    """Legion, round 1 running."""
    day = Day(4, ruleset="legion")
    day.start(2)
    day.pair()
    day.do(StartRound())
    return day


def state(day: Day) -> object:
    """What the log adds up to, without what every act moves on."""
    tournament = day.folded(day.log)
    tournament.seq, tournament.ids = 0, {}
    tournament.last_acts, tournament.further_events, tournament.withdrawable = {}, {}, {}
    tournament.floor.taken_back.clear()  # whom it was about is kept, for who is forgotten
    for player in tournament.players:
        player.left_seq, player.left_stage = 0, 0
    return encode_state(tournament)


ACTS: dict[str, Command] = {
    "an extension": ExtendTable(1, 5, "a judge was called"),
    "a warning": CallTime(10),
    "time": CallTime(),
    "conduct": NoteConduct(1, "stalling", "a word"),
    "a penalty": Penalize(1, "warning", "slow"),
    "a match loss": Penalize(1, "match loss", "late"),
    "a removal": Penalize(1, "removal", "two armies"),
    "a note": TakeNote("slow since round 1", player=1),
    "a recommendation": RecommendDisqualification(1, "two armies"),
    "a prize": OfferPrize("a mat", 1, 2),
    "an award": AwardPrize(1, "a mat", "other"),
    "a search": MissComponent(1, "a token", minutes=5),
    "a damaged card": DamageComponent(1, "a card", "card"),
    "a damaged model": DamageComponent(1, "a trooper", "model", impedes=True),
    "a damaged tool": DamageComponent(1, "a ruler", "tool"),
    "a decision": DecideComponent("a base", "modification", allowed=True, player=1),
    "an ineligible army": DecideComponent(
        "a base", "modification", allowed=False, player=1, necessary=True
    ),
    "dice": ShareComponents(1, "dice"),
}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_of_the_floor_leaves_nothing_behind(act: str) -> None:
    day = running()
    before = state(day)
    day.do(ACTS[act])
    assert state(day) != before
    day.do(Undo())
    assert state(day) == before


def test_a_proxy_is_taken_back_before_the_card() -> None:
    day = running()
    day.do(DamageComponent(1, "a card", "card"))
    before = state(day)
    day.do(MakeProxy(1, "a card", "the cost", "2026-03-14"))
    day.do(Undo())
    assert state(day) == before


def test_a_round_that_was_started_too_early_is_not_started() -> None:
    """FFG-CLOCK: until a result or a call; then the start stands."""
    day = running()
    day.do(Undo())
    played = day.tournament.rounds[0]
    assert (played.status, played.minutes, played.started_at) == ("paired", 0, "")
    day.do(StartRound())
    day.do(CallTime(10))
    start = next(seq for seq in day.tournament.floor.acts)
    assert "its start can no longer be undone" in day.refused_event(ActWithdrawn(start, "x"))


def test_what_was_built_on_stays() -> None:
    day = running()
    warned = day.do(CallTime(10))[0].seq
    day.do(CallTime())
    assert "not the latest time call" in day.refused_event(ActWithdrawn(warned, "x"))
    extended = day.do(ExtendTable(1, 5, "so"))[0].seq
    day.report_all()
    assert "has ended" in day.refused_event(ActWithdrawn(extended, "x"))
    advised = day.do(RecommendDisqualification(1, "two armies"))[0].seq
    assert "needs a reason" in day.refused_event(ActWithdrawn(advised, " "))
    day.do(DisqualifyPlayer(1, "two armies"))
    assert "can no longer be withdrawn" in day.refused_event(ActWithdrawn(advised, "x"))
    assert "cannot be withdrawn" in day.refused_event(ActWithdrawn(1, "x"))


def test_what_was_shared_in_a_round_that_was_unpaired_is_refused_or_undone() -> None:
    """FFG-SHARE: the round is not there any more, in a hostile log as well."""
    day = running()
    judge = f"o{appoint(day, 'Jun', 'marshal', 'judge')}"
    asked = day.do(ShareComponents(1, "dice", 1), by=judge)[0]
    day.do(UnpairRound("a late player"))
    assert "there is no match 1" in day.refused(ShareComponents(1, "dice", 1), by=judge)
    assert "no match 1" in day.refused_event(asked.event, by=judge)
    day.do(Undo(), by=judge)


def test_a_withdrawal_is_by_whoever_may_enter_the_act() -> None:
    """FFG-AUTH-CONDUCT: a judge does not take a marshal's decision back."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    seq = day.do(NoteConduct(1, "stalling", "a word"), by=f"o{marshal}")[0].seq
    back = ActWithdrawn(seq, "the wrong player")
    assert "is reserved for the marshal" in day.refused_event(back, by=f"o{judge}")
    assert not day.refused_event(back, by=f"o{marshal}")


def test_standing_down_and_fixed_terrain_are_undone() -> None:
    day = Day(4, ruleset="legion")
    judge = appoint(day, "Jun", "judge")
    day.do(StandDown(judge))
    day.do(Undo())
    assert not day.tournament.officials[judge].stood_down
    day.do(Undo())
    assert day.tournament.officials[judge].stood_down
    day.do(AnnounceTerrain(fixed=True))
    day.do(Undo())
    assert not day.tournament.floor.fixed_terrain


def test_the_recommendation_before_it_counts_again() -> None:
    """FFG-AUTH-DQ: only the one that was taken back is gone."""
    day = Day(4)
    first = day.do(RecommendDisqualification(1, "two decks"))[0].seq
    day.do(RecommendDisqualification(1, "three decks"))
    day.do(Undo())
    assert day.tournament.floor.recommended == {1: first}
