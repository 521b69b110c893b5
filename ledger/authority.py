"""Who may enter what: one table, read from the log alone.

An official may enter an event when one of their roles stands beside it; `o1/p7` is official 1
typing what player 7 asked for.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING
from typing import Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.lines import Recorded
    from ledger.state import Tournament

ORGANIZER: Final = frozenset({"organizer"})
DESK: Final = frozenset({"organizer", "scorekeeper"})
LEADERS: Final = frozenset({"organizer", "marshal", "judge"})

ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "TournamentOpened": ORGANIZER,
        "OfficialAppointed": ORGANIZER,
        "PersonRecorded": DESK,
        "PlayerRegistered": DESK,
        "RegistrationWithdrawn": DESK,
        "StructureAnnounced": ORGANIZER,
        "TournamentStarted": ORGANIZER,
        "RoundPaired": DESK,
        "RoundUnpaired": DESK,
        "SeatsSwapped": DESK,
        "Posted": DESK,
        "RoundStarted": LEADERS,
        "ResultReported": DESK | LEADERS,
        "ResultCorrected": DESK,
        "ResultWithdrawn": DESK,
        "PlayerDropped": DESK,
        "DropWithdrawn": DESK,
        "PlayerRejoined": ORGANIZER,
        "PlayerDisqualified": ORGANIZER,
        "DisqualificationWithdrawn": ORGANIZER,
        "RoundClosed": DESK,
        "RoundReopened": DESK,
        "CutMade": ORGANIZER,
        "CutWithdrawn": ORGANIZER,
        "QualifierReplaced": ORGANIZER,
        "ReplacementDeclined": ORGANIZER,
        "PlaceForfeited": ORGANIZER,
        "ListSubmitted": DESK | LEADERS,
        "ListChecked": LEADERS,
        "ListCorrected": LEADERS,
        "TournamentFinished": ORGANIZER,
        "ImportEnded": ORGANIZER,
    }
)
"""The roles that may enter each event type."""

FOUNDING: Final = 3
"""The first events make the organizer: before them nobody has a role."""


def problem(tournament: Tournament, recorded: Recorded) -> str:
    """Say why `by` may not enter the event; empty where they may."""
    if recorded.seq <= FOUNDING and recorded.by == "o1":
        return ""
    desk, _, asking = recorded.by.partition("/")
    if asking and int(asking[1:]) >= len(tournament.players):
        return f"there is no player {asking[1:]}"
    if not desk.startswith("o"):
        return f"{recorded.type} is entered by an official, not by {desk}"
    number = int(desk[1:])
    if number >= len(tournament.officials):
        return f"there is no official {number}"
    official = tournament.officials[number]
    allowed = ROLES[recorded.type]
    if allowed & set(official.roles):
        return ""
    has = ", ".join(official.roles) or "without a role"
    return f"{recorded.type} takes the {' or the '.join(sorted(allowed))} ({desk} is {has})"
