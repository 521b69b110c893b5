"""FFG-ROLE-ORGANIZER: there is always one organizer, who may hand the office over."""

from __future__ import annotations

import pytest

from ledger.facts.office import NoteTaken, OfficialResumed
from ledger.facts.opening import OfficialAppointed
from ledger.fold import fold
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.rules.office import HandOver, LinkOfficial, Resume, StandDown, TakeNote
from ledger.rules.opening import AppointOfficial
from ledger.rules.people import DisqualifyPlayer
from tests.support.simulate import Day
from tests.support.staff import appoint


def staffed(game: str = "l5r") -> Day:
    """Official 2 is a judge, or where there are none a co-organizer; official 3 keeps scores."""
    day = Day(4, ruleset=game)
    appoint(day, "Jun", "co-organizer" if game == "ashes" else "judge")
    appoint(day, "Sam", "scorekeeper")
    return day


def organizers(day: Day) -> list[int]:
    return [each.number for each in day.tournament.officials if "organizer" in each.roles]


@pytest.mark.parametrize("game", ["l5r", "ashes", "runewars", "legion"])
def test_for_good(game: str) -> None:
    """FFG-ROLE-ORGANIZER, AOP-AUTH: one act; who had the office keeps what else they are."""
    day = staffed(game)
    clause = "AOP-AUTH" if game == "ashes" else "FFG-ROLE-ORGANIZER"
    for refused in (StandDown(1), AppointOfficial("", ("organizer",), official=2)):
        told = day.refused(refused)
        assert clause in told
        assert "[official.hand_over]" in told  # both name the one act that does it
    assert clause in day.refused(HandOver(2), by="o2")
    day.do(HandOver(2))
    assert organizers(day) == [2]
    assert day.tournament.officials[1].roles == ()
    assert not day.tournament.officials[1].stood_down
    assert "is reserved for the organizer" in day.refused(DisqualifyPlayer(1, "x"))
    day.do(DisqualifyPlayer(1, "cheated"), by="o2")
    assert day.do(HandOver(2), by="o2") == []
    day.do(HandOver(1), by="o2")
    assert organizers(day) == [1]


@pytest.mark.parametrize("by", ["o1", "o2"])
def test_until_resumed(by: str) -> None:
    """FFG-ROLE-ORGANIZER, FFG-ROLE-STATUS: a spectator for now, and the organizer again."""
    day = staffed()
    day.start(2)
    day.do(HandOver(2, for_now=True))
    assert organizers(day) == [2]
    assert "FFG-ROLE-STATUS" in day.refused(TakeNote("x"))
    assert "FFG-ROLE-ORGANIZER" in day.refused_event(OfficialResumed(1), by="o2")
    assert "FFG-ROLE-STATUS" in day.refused(AppointOfficial("Kim", ("marshal",)))
    day.do(Resume(1), by=by)
    assert organizers(day) == [1]
    assert day.tournament.officials[2].roles == ("judge",)
    assert not day.tournament.officials[1].stood_down
    assert day.tournament.floor.deputies == {}
    assert repr(fold(day.log)) == repr(day.tournament)


def test_the_deputy_may_give_it_back_or_on() -> None:
    day = staffed()
    day.do(HandOver(2, for_now=True))
    day.do(HandOver(1), by="o2")
    assert (organizers(day), day.tournament.officials[1].stood_down) == ([1], False)
    day.do(HandOver(2, for_now=True))
    day.do(HandOver(3), by="o2")
    assert organizers(day) == [3]
    assert "FFG-ROLE-STATUS" in day.refused(HandOver(1), by="o3")  # a spectator, until they resume
    day.do(Resume(1), by="o3")
    day.do(HandOver(1), by="o3")
    assert organizers(day) == [1]


def test_who_can_have_it() -> None:
    """FFG-ROLE-STATUS, FFG-LEADER-TIER: not a spectator, and not who may not lead and play."""
    day = staffed()
    day.do(StandDown(2))
    assert "FFG-ROLE-STATUS" in day.refused(HandOver(2))
    assert "no official 9" in day.refused(HandOver(9))
    formal = Day(4, tier="formal")
    keeper = appoint(formal, "Sam", "scorekeeper")
    formal.do(LinkOfficial(keeper, 1))
    assert "FFG-LEADER-TIER" in formal.refused(HandOver(keeper))


def test_an_announced_leader_who_plays_takes_over_after_the_start() -> None:
    """AOP-ORGANIZER: they were announced before."""
    day = staffed("ashes")
    day.do(LinkOfficial(2, 1))
    day.do(LinkOfficial(3, 2))
    day.start(3)
    assert "AOP-ORGANIZER" in day.refused(HandOver(3))  # no leader before the start
    day.do(HandOver(2))
    assert organizers(day) == [2]


def test_half_a_handover_is_no_log_to_go_on_with() -> None:
    """FFG-ROLE-ORGANIZER: the next event says who has the office, by who laid it down."""
    day = staffed()
    day.do(HandOver(2))
    torn = fold(day.log[:-1])

    def against(by: str, event: object) -> str:
        recorded = record(torn.seq + 1, "next", "2026-03-14T12:00:00.000Z", by, event)  # type: ignore[arg-type] # of any type
        return "; ".join(map(str, check(torn, recorded)))

    assert "being handed over" in against("o1", NoteTaken("x"))
    assert "FFG-ROLE-ORGANIZER" in against("o2", OfficialAppointed(2, ("organizer", "judge")))
    assert "FFG-ROLE-ORGANIZER" in against("o1", OfficialAppointed(3, ("organizer",)))
    assert "FFG-ROLE-ORGANIZER" in against("o1", OfficialAppointed(2, ("judge",)))
    assert not against("o1", OfficialAppointed(2, ("organizer", "judge")))
    forged = OfficialAppointed(1, ("marshal",), hands_to=2)
    assert "must keep all other roles" in staffed().refused_event(forged)
    assert "cannot hand over that office" in staffed().refused_event(
        OfficialAppointed(2, (), hands_to=3)
    )
    assert "already" in staffed().refused_event(OfficialAppointed(1, (), hands_to=1))
