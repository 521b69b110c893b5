"""The form of a line, and the wire and rules of a log: part two of the files that a sceptic reads.

The members of a line have a fixed order, no white space between them, and one spelling each.

Line 1 names the wire (the form of the lines) and the rules that the log is checked against. From
wire 2 on stored lines only gain optional members, or a type gets its next version (`@2`), and a
rule that becomes stricter applies from a rules number on. So every release reads what earlier
releases wrote, from wire 2 on; a log of another wire, or of newer rules, is refused by its first
line. Part three is signatures.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ledger.proof.formats import Invalid

LINE_BYTES_MAX = 60_000
WHOLE_MAX = 2**53 - 1

LINE = re.compile(
    r'\{"seq":([1-9][0-9]{0,15}),"id":"([A-Za-z0-9_-]{1,64}(?:\.[1-9][0-9]{0,5})?)",'
    r'"type":"([A-Z][A-Za-z]*(?:@[1-9][0-9]*)?)","at":"[0-9TZ:.-]{24}",'
    r'"by":"((?:o[1-9][0-9]{0,3}/)?p[1-9][0-9]{0,3}|o[1-9][0-9]{0,3})",'
    r'"data":(\{.*\})(?:,"sig":"([A-Za-z0-9+/]{86}==)")?\}'
)
"""The form of a line: its members in their order, no white space between them."""


def _whole(text: str) -> int:
    is_short = len(text) <= len(str(-WHOLE_MAX)) and text.lstrip("-").isdigit()
    if not is_short or abs(int(text)) > WHOLE_MAX:
        raise Invalid(f"{text[:20]} is not a whole number that a line can contain")
    return int(text)


READ = json.JSONDecoder(parse_int=_whole, parse_float=_whole, parse_constant=_whole).decode
WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Line(NamedTuple):
    """A line's members; data read."""

    seq: int
    id: str
    type: str
    by: str
    data: dict[str, Any]
    sig: str


CR_LF = (
    "ends in CR LF, and the lines of a log end in LF: a program changed the file on its way; ask "
    "for the file again, packed as .zip, or save it with the line ends of Unix (LF)"
)
"""The fault of a line that a mail program, an editor or git changed, and what to do."""


def read_line(line: bytes) -> Line:
    """Read a line, without its newline; Invalid unless it has its one form."""
    if len(line) > LINE_BYTES_MAX:
        raise Invalid(f"it is longer than {LINE_BYTES_MAX:,} bytes")
    if line.endswith(b"\r"):
        raise Invalid(f"it {CR_LF}")
    data: Any = None
    try:
        text = line.decode()
        found = LINE.fullmatch(text)
        data = READ(found[5] if found else text)
    except Invalid:
        raise
    except (ValueError, RecursionError):
        raise Invalid("it is not JSON in UTF-8") from None
    if not found or WRITE(data) != found[5]:
        raise Invalid("its members, their order or their spelling are not those of a line")
    assert isinstance(data, dict)  # noqa: S101 - it begins with a brace
    return Line(int(found[1]), found[2], found[3], found[4], data, found[6] or "")


WIRE = 2
"""The form of the lines that this release writes and reads; tourney 0.1.0 wrote no number."""

RULES = 4
"""The newest rules that this release knows: what a log that it begins holds to."""

OPENING = "TournamentOpened"

TYPES = frozenset(
    """
    ActWithdrawn AppealMade BattleBuilt CallAnswered CheckInClosed CheckInOpened CheckedIn
    ChooserDrawn ComponentDamaged ComponentDecided ComponentFound ComponentMissing
    ComponentsInspected ComponentsShared ConductNoted CutMade DeckChecksDrawn
    DeskTakenOver DisqualificationRecommended DraftGroupsDrawn ExclusiveGiven ExtraTimeAnnounced
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
        return f"{kind[:80]} is not a type of line that this release knows: use a newer release"
    if by.startswith("p") and kind not in BY_PLAYERS:
        return f"{kind} must be entered by an official, not by {by}"
    return ""


def wire_problem(opening: Mapping[str, object]) -> str:
    """Say why this release does not read a log, by the members of its opening; else empty."""
    wire, rules = opening.get("wire", 1), opening.get("rules", 1)
    if type(wire) is not int or type(rules) is not int:
        return "its opening needs whole numbers for wire and rules"
    engine = opening.get("engine")
    release = engine if isinstance(engine, str) and _ENGINE.fullmatch(engine) else "its release"
    if wire < WIRE:
        return (
            f"it is a log of wire {wire}, which {release} reads; this release reads only wire "
            f"{WIRE}: use {release} for this log"
        )
    if wire > WIRE:
        return (
            f"it is a log of wire {wire}, by {release}; this release reads only wire {WIRE}: "
            "use the release that wrote the log, or a newer one"
        )
    if rules > RULES:
        return (
            f"it is a log of rules {rules}, by {release}; this release knows the rules only up to "
            f"{RULES}: use the release that wrote the log, or a newer one"
        )
    return "" if rules > 0 else f"rules {rules} do not exist"
