"""By which clause an act is whose it is: what a refusal cites to who may not."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.events import (
    clock,
    components,
    elimination,
    lists,
    office,
    opening,
    people,
    results,
    rounds,
    setups,
)
from ledger.events.base import LEADERS, MARSHAL
from ledger.events.results import Result

if TYPE_CHECKING:
    from ledger.events import Event
    from ledger.rulesets import Ruleset

_OWN: Mapping[type[Event], str] = MappingProxyType(
    {
        clock.ExtraTimeAnnounced: "SWL-CLOCK",
        clock.TableExtended: "FFG-CLOCK",
        clock.TimeCalled: "FFG-CLOCK",
        clock.PaceModerated: "AOP-MODERATE",
        components.ComponentDecided: "FFG-COMPONENT",
        components.ComponentsInspected: "FFG-COMPONENT",
        components.ComponentsShared: "FFG-SHARE",
        components.ProxyMade: "FFG-PROXY",
        elimination.CutMade: "FFG-CUT",
        elimination.CutWithdrawn: "FFG-CUT",
        elimination.PlaceForfeited: "FFG-CUT-REPLACE",
        elimination.QualifierReplaced: "FFG-CUT-REPLACE",
        elimination.ReplacementDeclined: "FFG-CUT-ACCEPT",
        lists.ListChecked: "FFG-LIST",
        lists.ListCorrected: "FFG-LIST",
        office.ConductNoted: "FFG-AUTH-CONDUCT",
        office.DisqualificationRecommended: "FFG-AUTH-DQ",
        office.PenaltyGiven: "FFG-AUTH-CONDUCT",
        opening.StructureAnnounced: "FFG-ANNOUNCE",
        people.PlayerDisqualified: "FFG-AUTH-DQ",
        people.DisqualificationWithdrawn: "FFG-AUTH-DQ",
        people.PlayerDropped: "FFG-DROP",
        people.PlayerRejoined: "FFG-REJOIN",
        rounds.RoundStarted: "FFG-ROUND-START",
        setups.FirstFiveReviewed: "AOP-FIRSTFIVE-REVIEWER",
        setups.TerrainAnnounced: "SWL-FIXED-TERRAIN",
        setups.VerificationOrdered: "RW-VERIFY",
        setups.ScenarioDrawn: "RW-SCENARIO",
        setups.DraftGroupsDrawn: "AOP-DRAFT",
    }
)


def clause_of(event: Event, rules: Ruleset) -> str:
    """Return the clause that says whose an act is: its own, or that of the office it takes."""
    match event:
        case rounds.SeatsSwapped():
            return rules.rematch.clause
        case rounds.RoundPaired(games=games, by_hand=by_hand, waiver=waiver) if by_hand or waiver:
            is_bye = by_hand and all(0 in game for game in games[:by_hand])
            return "FFG-BYE-LATER" if is_bye else rules.rematch.clause
        case (
            results.ResultReported(result=Result(manner="declared"))
            | results.ResultCorrected(result=Result(manner="declared"))
            | people.PlayerDropped(reason="conduct")
        ):
            return "FFG-AUTH-CONDUCT"
        case _:
            return _OWN.get(type(event)) or _of_office(type(event).recording.by)


def _of_office(roles: frozenset[str]) -> str:
    if roles == MARSHAL:
        return "FFG-ROLE-MARSHAL"
    return "FFG-ROLE-JUDGE" if roles >= LEADERS else "FFG-ROLE-ORGANIZER"
