"""Who may enter what: one table, read from the log alone.

An official may enter an event when one of their roles stands beside it, unless they have stood
down or would judge a match that they play. A player may enter what `OF_PLAYERS` names, for
themselves alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING
from typing import Any
from typing import Final

from ledger import office
from ledger.events.clock import TableExtended
from ledger.events.components import ComponentsShared
from ledger.events.office import ConductNoted
from ledger.events.office import OfficialResumed
from ledger.events.office import OfficialStoodDown
from ledger.events.office import PenaltyGiven
from ledger.events.people import PlayerDropped
from ledger.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from ledger.events import Event
    from ledger.events.results import ResultReported
    from ledger.lines import Recorded
    from ledger.state import Match
    from ledger.state import Official
    from ledger.state import Tournament

ORGANIZER: Final = frozenset({"organizer"})
MARSHAL: Final = frozenset({"marshal"})
"""With no active marshal the organizer holds this authority (FFG-ROLE-MARSHAL)."""

DESK: Final = frozenset({"organizer", "scorekeeper"})
LEADERS: Final = frozenset({"organizer", "marshal", "judge", "co-organizer"})

ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "TournamentOpened": ORGANIZER,
        "OfficialAppointed": ORGANIZER,
        "OfficialStoodDown": LEADERS | DESK,
        "OfficialResumed": LEADERS | DESK,
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
        "ExtraTimeAnnounced": ORGANIZER,
        "TableExtended": LEADERS,
        "TimeCalled": LEADERS,
        "ResultReported": DESK | LEADERS,
        "ResultCorrected": DESK,
        "ResultWithdrawn": DESK,
        "PlayerDropped": DESK,
        "DropWithdrawn": DESK,
        "PlayerRejoined": ORGANIZER,
        "PlayerDisqualified": ORGANIZER,
        "DisqualificationWithdrawn": ORGANIZER,
        "RulingMade": DESK | LEADERS,
        "ConductNoted": MARSHAL,
        "DisqualificationRecommended": MARSHAL,
        "PenaltyGiven": LEADERS,
        "ScenarioDrawn": ORGANIZER,
        "DraftGroupsDrawn": ORGANIZER,
        "FirstPlayerChosen": DESK | LEADERS,
        "SideTaken": DESK | LEADERS,
        "BattleBuilt": DESK | LEADERS,
        "TerrainAnnounced": ORGANIZER,
        "TerrainCounted": DESK | LEADERS,
        "VerificationOrdered": MARSHAL,
        "FirstFiveReviewed": LEADERS,
        "ComponentMissing": LEADERS,
        "ComponentFound": LEADERS,
        "ComponentDamaged": LEADERS,
        "ProxyMade": LEADERS,
        "ComponentDecided": MARSHAL,
        "ComponentsShared": LEADERS,
        "PrizeOffered": ORGANIZER,
        "PrizeAwarded": ORGANIZER,
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
        "KeyRegistered": ORGANIZER,
        "KeyRevoked": LEADERS,
        "ForkAccepted": ORGANIZER,
    }
)
"""The roles that may enter each event type."""

FOUNDING: Final = 3
"""The first events make the organizer: before them nobody has a role."""


def problem(tournament: Tournament, recorded: Recorded) -> str:
    """Say why `by` may not enter the event; empty where they may."""
    if recorded.seq <= FOUNDING and recorded.by == "o1":
        return ""
    desk, _, player = recorded.by.partition("/")
    if player and int(player[1:]) >= len(tournament.players):
        return f"there is no player {player[1:]} to speak for"
    if desk.startswith("p"):
        return _players_problem(tournament, recorded, int(desk[1:]))
    number = int(desk[1:])
    if number >= len(tournament.officials):
        return f"there is no official {number}"
    return _officials_problem(tournament, recorded, tournament.officials[number])


def _officials_problem(tournament: Tournament, recorded: Recorded, official: Official) -> str:
    desk, event = f"o{official.number}", recorded.event
    if official.stood_down and event != OfficialResumed(official.number):
        return f"{desk} is a spectator until they resume (FFG-ROLE-STATUS)"
    allowed = _roles_for(tournament, event)
    if not allowed & set(official.roles):
        has = ", ".join(official.roles) or "without a role"
        return f"{recorded.type} takes the {' or the '.join(sorted(allowed))} ({desk} is {has})"
    if (
        isinstance(event, OfficialStoodDown | OfficialResumed)
        and event.official != official.number
        and "organizer" not in official.roles
    ):
        return f"{recorded.type} is entered by the official themselves, or by the organizer"
    match = _judged_match(tournament, event)
    if match is not None and _judges_own_match(tournament, official, match):
        return f"{desk} is playing this match: another leader decides (FFG-LEADER-RULING)"
    return ""


def _roles_for(tournament: Tournament, event: Event) -> frozenset[str]:
    if isinstance(event, PlayerDropped) and event.reason == "conduct":
        return ORGANIZER
    allowed = ROLES[type(event).__name__]
    if isinstance(event, ComponentsShared) and not event.player:
        allowed = MARSHAL  # an order; a player's wish is any leader's to record (FFG-SHARE)
    if allowed == MARSHAL and not any("marshal" in o.roles for o in office.active(tournament)):
        return ORGANIZER
    return allowed


def _judges_own_match(tournament: Tournament, official: Official, match: Match) -> bool:
    # Where the organizer's word is final and nobody shares the office, nobody else could decide.
    others = office.who_rules(tournament, match)
    return official.player in match.players and official.number not in others


def _judged_match(tournament: Tournament, event: Event) -> Match | None:
    """The match that an act judges; a ruling names its official and is checked by that."""
    match event:
        case TableExtended(match=number) if 0 < number < len(tournament.matches):
            return tournament.matches[number]
        case ConductNoted(player=player) | PenaltyGiven(player=player):
            return open_match_of(tournament, player)
        case _:
            return None


def _own_result(tournament: Tournament, event: ResultReported, player: int) -> str:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    if match is None or player not in match.players:
        return f"player {player} does not sit at this match: nobody reports for others"
    side = match.players.index(player) if len(match.players) > 1 else 0
    letter = tournament.letters.get(event.result.outcomes[side])
    match event.result.manner:
        case "played" | "time":
            return ""
        case "concession" | "departure" if letter == "L":
            return ""
        case "concession" | "departure":
            return f"player {player} can not concede for another"
        case manner:
            return f"a result by {manner} is entered by an official"


def _own_drop(_: Tournament, event: PlayerDropped, player: int) -> str:
    if event.player != player:
        return f"player {player} can not drop another"
    if event.reason not in {"request", "unable"}:
        return f"a drop for {event.reason} is entered by an official"
    return ""


OF_PLAYERS: Mapping[str, Callable[[Tournament, Any, int], str]] = MappingProxyType(
    {"ResultReported": _own_result, "PlayerDropped": _own_drop}
)
"""What a player may enter, each with what says why this one is not theirs to enter."""


def _players_problem(tournament: Tournament, recorded: Recorded, player: int) -> str:
    if recorded.type not in OF_PLAYERS:
        return f"{recorded.type} is entered by an official, not by p{player}"
    if not 0 < player < len(tournament.players):
        return f"there is no player {player}"
    if tournament.players[player].status != "active":
        return f"player {player} does not play on"
    return OF_PLAYERS[recorded.type](tournament, recorded.event, player)
