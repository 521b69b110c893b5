"""Which form the lines of a log have, and which rules it holds to: wire and rules of line 1.

From wire 2 on stored lines only gain optional members, or a type its next version (`@2`), and a
rule that becomes stricter holds from a rules number on. So every release reads what earlier ones
wrote, from wire 2 on; a log of another wire, or of newer rules, is refused by its first line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

WIRE = 2
"""The form of the lines that this release writes and reads; tourney 0.1.0 wrote no number."""

RULES = 3
"""The newest rules that this release knows: what a log that it begins holds to."""

OPENING = "TournamentOpened"

TYPES = frozenset(
    """
    ActWithdrawn AppealMade BattleBuilt CallAnswered CheckInClosed CheckInOpened CheckedIn
    ChooserDrawn ComponentDamaged ComponentDecided ComponentFound ComponentMissing
    ComponentsInspected ComponentsShared ConductNoted CutMade DeckChecksDrawn
    DisqualificationRecommended DraftGroupsDrawn ExclusiveGiven ExtraTimeAnnounced
    FirstFiveReviewed FirstPlayerChosen ForkAccepted HeadCosigned HeadRecorded HiddenKeyReplaced
    ImportEnded ImportResumed JudgeCalled KeyRegistered KeyRevoked LinkIssued LinkRevoked
    LinksGuessed ListChecked ListCorrected ListSubmitted NoteTaken OfficialAppointed
    OfficialResumed OfficialStoodDown PaceModerated PenaltyGiven PersonForgotten PersonRecorded
    PlaceForfeited PlainHttpChosen PlayerAmended PlayerDisqualified PlayerDropped
    PlayerRegistered PlayerRejoined PlayersSeated Posted PrizeAwarded PrizeOffered ProxyMade
    PublicNamesChosen QualifierReplaced RanksDrawn RegistrationAnswered RegistrationAsked
    ReplacementDeclined ResultConfirmed ResultCorrected ResultDisputed ResultReported
    RoundClosed RoundExtended RoundPaired RoundPaused RoundReopened RoundResumed RoundStarted
    RoundUnpaired RulingMade ScenarioDrawn SeatsSwapped ShuffleKeyReplaced SideTaken
    SlipAuditBegun SlipRead SlipsDrawn StructureAnnounced TableExtended TablesRepaired
    TerrainAnnounced TerrainCounted TimeCalled TournamentFinished TournamentOpened
    TournamentStarted VerificationOrdered
    """.split()  # noqa: SIM905 - one name in a line would take ninety
)
"""The types of lines, by their names, with the version from the second on."""

BY_PLAYERS = frozenset(
    """
    AppealMade CheckedIn JudgeCalled ListSubmitted PlayerDropped ResultConfirmed ResultDisputed
    ResultReported
    """.split()  # noqa: SIM905 - as above
)
"""The types that a player enters as well; all others are entered by an official."""

_ENGINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}")


def type_problem(kind: str, by: str) -> str:
    """Say why a line of this type cannot be by this person; empty if it can."""
    if kind not in TYPES:
        return f"{kind[:80]} is not a type of line that this release knows: take a newer release"
    if by.startswith("p") and kind not in BY_PLAYERS:
        return f"{kind} is entered by an official, not by {by}"
    return ""


def wire_problem(opening: Mapping[str, object]) -> str:
    """Say why this release does not read a log, by the members of its opening; else empty."""
    wire, rules = opening.get("wire", 1), opening.get("rules", 1)
    if type(wire) is not int or type(rules) is not int:
        return "its opening has no whole numbers for wire and rules"
    engine = opening.get("engine")
    release = engine if isinstance(engine, str) and _ENGINE.fullmatch(engine) else "its release"
    if wire < WIRE:
        return f"it is a log of wire {wire}, which {release} reads; this release reads wire {WIRE}"
    if wire > WIRE:
        return (
            f"it is a log of wire {wire}, by {release}; this release reads wire {WIRE}: "
            "take that one, or a newer one"
        )
    if rules > RULES:
        return (
            f"it is a log of rules {rules}, by {release}; this release knows them up to {RULES}: "
            "take that one, or a newer one"
        )
    return "" if rules > 0 else f"there are no rules {rules}"
