"""Who may enter what: every role against every event type, players, and those who stood down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger.facts.base import Meaning
from ledger.facts.disputes import RulingWithdrawn
from ledger.facts.office import OfficialResumed, OfficialStoodDown
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultReported, absence, by_outcome
from ledger.facts.rounds import RoundStarted
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import EVENTS
from ledger.lines.recorded import record
from ledger.rules import authority
from ledger.rules.disputes import WithdrawRuling
from ledger.rules.office import Resume, Rule, StandDown
from ledger.rules.opening import AppointOfficial
from ledger.rules.people import DropPlayer, RejoinPlayer
from ledger.rules.results import Concede
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.base import Event

# Organizer, Marshal, Judge, Scorekeeper, Co-organizer; m: the organizer while no marshal is active.
MATRIX = """
TournamentOpened             O....
OfficialAppointed            O....
OfficialStoodDown            OMJSC
OfficialResumed              OMJSC
PersonRecorded               O..S.
PersonForgotten              O....
PlayerRegistered             O..S.
RegistrationWithdrawn        O..S.
StructureAnnounced           O....
TournamentStarted            O....
RoundPaired                  O..S.
RoundUnpaired                O..S.
TablesRepaired               O....
SeatsSwapped                 O..S.
Posted                       O..S.
RoundStarted                 OMJ.C
ExtraTimeAnnounced           O....
TableExtended                OMJ.C
TimeCalled                   OMJ.C
ResultReported               OMJSC
ResultCorrected              O..S.
ResultWithdrawn              O..S.
ResultConfirmed              OMJSC
ConfirmationWithdrawn        O..S.
ResultDisputed               OMJSC
DisputeWithdrawn             O..S.
AppealMade                   OMJSC
AppealWithdrawn              O..S.
RulingWithdrawn              OMJSC
PlayerDropped                O..S.
DropWithdrawn                O..S.
PlayerRejoined               O....
PlayerDisqualified           O....
DisqualificationWithdrawn    O....
RulingMade                   OMJSC
ConductNoted                 mM...
DisqualificationRecommended  mM...
PenaltyGiven                 mM...
NoteTaken                    OMJSC
JudgeCalled                  OMJSC
CallAnswered                 OMJSC
CheckInOpened                O..S.
CheckedIn                    OMJSC
CheckInClosed                O..S.
RegistrationAsked            OMJSC
RegistrationAnswered         O..S.
PlayersSeated                O..S.
RoundExtended                OMJ.C
RoundPaused                  OMJ.C
RoundResumed                 OMJ.C
PlayerAmended                O..S.
PublicNamesChosen            O....
PlainHttpChosen              O....
AmendmentWithdrawn           O..S.
SeatingWithdrawn             O..S.
SlipAuditBegun               OMJSC
SlipsDrawn                   OMJSC
SlipRead                     OMJSC
ScenarioDrawn                O....
DraftGroupsDrawn             O....
FirstPlayerChosen            OMJSC
SideTaken                    OMJSC
ChooserDrawn                 OMJSC
BattleBuilt                  OMJSC
TerrainAnnounced             O....
TerrainCounted               OMJSC
VerificationOrdered          mM...
FirstFiveReviewed            OMJ.C
ComponentMissing             OMJ.C
ComponentFound               OMJ.C
ComponentDamaged             OMJ.C
ProxyMade                    OMJ.C
ComponentsInspected          OMJ.C
PaceModerated                OMJ.C
ActWithdrawn                 OMJSC
ComponentDecided             mM...
ComponentsShared             mM...
PrizeOffered                 O....
PrizeAwarded                 O....
RoundClosed                  O..S.
RoundReopened                O..S.
CutMade                      O....
CutWithdrawn                 O....
QualifierReplaced            O....
ReplacementDeclined          O....
PlaceForfeited               O....
ListSubmitted                OMJSC
ListChecked                  OMJ.C
ListCorrected                OMJ.C
ExclusiveGiven               O....
DeckChecksDrawn              OMJ.C
TournamentFinished           O....
ImportResumed                O....
ImportEnded                  O....
KeyRegistered                OMJSC
KeyRevoked                   OMJSC
ShuffleKeyReplaced           O....
HeadRecorded                 O....
HeadCosigned                 O....
RanksDrawn                   O....
HiddenKeyReplaced            O....
ForkAccepted                 O....
DeskTakenOver                OMJSC
LinkIssued                   OMJSC
LinkRevoked                  OMJSC
LinksGuessed                 OMJSC
"""
ROWS = dict(line.split() for line in MATRIX.strip().splitlines())
ROLES = ("organizer", "marshal", "judge", "scorekeeper", "co-organizer")
CO_ORGANIZERS = """
[floor.authority]
clause = "AOP-AUTH"
leaders = ["organizer", "marshal", "judge", "co-organizer"]
"""


def staffed(*, marshal: bool = True) -> Day:
    """Officials 1 to 5, one of each role; the marshal may have stood down."""
    day = Day(6, floor=CO_ORGANIZERS)
    for role in ROLES[1:]:
        day.do(AppointOfficial(f"The {role}", (role,)))  # type: ignore[arg-type] # of ROLES
    if not marshal:
        day.do(StandDown(2))
    return day


def any_event(kind: type[Event]) -> Event:
    """An event of the type, whatever it says: only the table is asked."""
    return kind(*(1 for field in msgspec.structs.fields(kind) if field.required))


KINDS = {**EVENTS, **{kind.__name__: kind for kind in Meaning.__subclasses__()}}
"""Every event, and what a withdrawal comes to."""


def verdict(day: Day, by: str, event: Event) -> str:
    stored = ActWithdrawn(1, "x") if isinstance(event, Meaning) else event
    recorded = record(day.tournament.seq + 1, "x", "2026-03-14T10:00:00.000Z", by, stored)
    recorded = msgspec.structs.replace(recorded, event=event)
    return next(map(str, authority.not_allowed(day.tournament, recorded)), "")


def test_the_matrix_is_of_every_event() -> None:
    assert list(ROWS) == sorted(ROWS, key=list(ROWS).index)
    assert set(ROWS) == set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("marshal", [True, False])
@pytest.mark.parametrize("name", ROWS)
def test_every_role_against_every_event(name: str, marshal: bool) -> None:  # noqa: FBT001 - a case
    """FFG-ROLE-MARSHAL, FFG-ROLE-JUDGE, FFG-ROUND-START, FFG-AUTH-DQ, FFG-AUTH-CONDUCT."""
    day = staffed(marshal=marshal)
    for official, (role, sign) in enumerate(zip(ROLES, ROWS[name], strict=True), start=1):
        event = any_event(KINDS[name])
        if isinstance(event, OfficialStoodDown | OfficialResumed | RulingWithdrawn):
            event = msgspec.structs.replace(event, official=official)  # of their own alone
        may = sign.isupper() or (sign == "m" and not marshal)
        if role == "marshal" and not marshal:
            may = name == "OfficialResumed"
        word = "/p1" if name == "AppealMade" else ""  # an appeal is a player's
        assert (verdict(day, f"o{official}{word}", event) == "") is may, (role, name)


PLAYERS_OWN = {
    "ResultReported",
    "PlayerDropped",
    "ResultConfirmed",
    "ResultDisputed",
    "DisputeWithdrawn",
    "AppealMade",
    "AppealWithdrawn",
    "CheckedIn",
    "JudgeCalled",
    "ListSubmitted",
}


@pytest.mark.parametrize("name", sorted(set(ROWS) - PLAYERS_OWN))
def test_players_enter_nothing_but_what_is_theirs(name: str) -> None:
    assert "is reserved for officials" in verdict(staffed(), "p1", any_event(KINDS[name]))


def test_without_a_role_or_a_number_nothing_is_entered() -> None:
    day = staffed()
    day.do(AppointOfficial("Guest", ()))
    assert "without a role" in verdict(day, "o6", RoundStarted(1))
    assert "no official 7" in verdict(day, "o7", RoundStarted(1))
    assert "no player 7" in verdict(day, "o1/p7", RoundStarted(1))
    assert not verdict(day, "o1/p6", RoundStarted(1))


def test_ffg_role_status_who_stood_down_is_a_spectator() -> None:
    """FFG-ROLE-STATUS: nothing but their return, which the organizer may enter too."""
    day = staffed()
    day.do(StandDown(3), by="o3")
    for name in ("RoundStarted", "ResultReported", "RulingMade", "OfficialStoodDown"):
        assert "FFG-ROLE-STATUS" in verdict(day, "o3", any_event(KINDS[name]))
    assert "FFG-ROLE-STATUS" in verdict(day, "o3", OfficialResumed(2))
    assert day.do(StandDown(3)) == []
    day.do(AppointOfficial("", ("judge", "scorekeeper"), official=3))
    assert day.tournament.officials[3].stood_down
    day.do(Resume(3), by="o3")
    assert not verdict(day, "o3", RoundStarted(1))
    day.do(StandDown(3))
    day.do(Resume(3))
    assert "has not stood down" in day.refused_event(OfficialResumed(3))


def test_a_ruling_is_taken_back_by_who_made_it() -> None:
    day = staffed()
    seq = day.do(Rule(3, "the card stays"), by="o3")[0].seq
    for desk in ("o1", "o2", "o4"):
        told = day.refused(WithdrawRuling(seq, "no"), by=desk)
        assert "o3 made this ruling" in told
    day.do(WithdrawRuling(seq, "another table"), by="o3")


def test_only_oneself_or_the_organizer_stands_one_down() -> None:
    day = staffed()
    assert "the official concerned" in day.refused(StandDown(2), by="o3")
    assert "cannot stand down" in day.refused(StandDown(1))
    assert "no official 9" in day.refused(StandDown(9))
    day.do(StandDown(2))
    heir = OfficialAppointed(2, ("organizer",))
    assert "FFG-ROLE-STATUS" in day.refused_event(heir)


def pair_of_players() -> tuple[Day, int, int, int]:
    day = Day(4)
    day.start(2)
    match = day.pair()[0]
    return day, match.number, match.first, match.second


def test_a_player_reports_concedes_and_drops_for_themselves_alone() -> None:
    day, number, first, second = pair_of_players()
    stranger = next(p for p in range(1, 5) if p not in {first, second})
    rules = day.tournament.ruleset
    report = ResultReported(number, by_outcome(rules, "win"))
    assert not verdict(day, f"p{first}", report)
    assert not verdict(day, f"p{second}", report)
    assert "only their own results" in verdict(day, f"p{stranger}", report)
    conceded = ResultReported(number, by_outcome(rules, "loss", "concession"))
    assert not verdict(day, f"p{first}", conceded)
    assert "concede for another" in verdict(day, f"p{second}", conceded)
    gone = ResultReported(number, absence(rules, (True, False)))
    assert "only an official can enter" in verdict(day, f"p{second}", gone)
    declared = ResultReported(number, by_outcome(rules, "win", "declared"))
    assert "only an official can enter" in verdict(day, f"p{first}", declared)
    assert "only their own results" in verdict(day, f"p{first}", ResultReported(99, report.result))
    assert not verdict(day, f"p{first}", PlayerDropped(first))
    assert "cannot drop another" in verdict(day, f"p{first}", PlayerDropped(second))
    assert "only an official can enter" in verdict(
        day, f"p{first}", PlayerDropped(first, "conduct")
    )
    assert "no player 9" in verdict(day, "p9", PlayerDropped(9))


def test_a_players_own_acts_land_in_the_log() -> None:
    day, number, first, second = pair_of_players()
    day.do(Concede(first), by=f"p{first}")
    assert day.tournament.matches[number].result is not None
    day.do(DropPlayer(first), by=f"p{first}")
    assert "is not an active player" in verdict(day, f"p{first}", PlayerDropped(first))
    assert day.refused(DropPlayer(second), by=f"p{first}")


def test_removal_for_conduct_is_the_organizers_and_has_no_return() -> None:
    """FFG-AUTH-CONDUCT: with or without a recommendation; no return, unlike a lost component."""
    day = staffed()
    day.start(2)
    removal = DropPlayer(1, "conduct", "threw the dice")
    for desk in ("o2", "o3", "o4", "o5"):
        assert "is reserved for the organizer" in day.refused(removal, by=desk)
    day.do(removal)
    assert day.do(removal) == []
    assert "FFG-AUTH-DQ" in day.refused(RejoinPlayer(1))
    day.do(DropPlayer(2, "component"), by="o4")
    day.do(RejoinPlayer(2))
    assert day.tournament.players[2].status == "active"
