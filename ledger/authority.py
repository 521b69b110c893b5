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
from ledger.disputes import OPEN_DISPUTE
from ledger.disputes import dispute_of
from ledger.disputes import word_of
from ledger.events.base import Waiver
from ledger.events.clock import TableExtended
from ledger.events.components import ComponentDecided
from ledger.events.components import ComponentsShared
from ledger.events.components import ProxyMade
from ledger.events.disputes import AppealMade
from ledger.events.disputes import DisputeWithdrawn
from ledger.events.disputes import ResultConfirmed
from ledger.events.disputes import ResultDisputed
from ledger.events.elimination import CutMade
from ledger.events.office import ConductNoted
from ledger.events.office import OfficialResumed
from ledger.events.office import OfficialStoodDown
from ledger.events.office import PenaltyGiven
from ledger.events.opening import TournamentFinished
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultReported
from ledger.events.rounds import RoundClosed
from ledger.events.rounds import RoundPaired
from ledger.events.undo import ActWithdrawn
from ledger.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from ledger.events import Event
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
        "PersonForgotten": ORGANIZER,
        "PlayerRegistered": DESK,
        "RegistrationWithdrawn": DESK,
        "StructureAnnounced": ORGANIZER,
        "TournamentStarted": ORGANIZER,
        "RoundPaired": DESK,
        "RoundUnpaired": DESK,
        "SeatsSwapped": DESK,
        "TablesRepaired": ORGANIZER,
        "Posted": DESK,
        "RoundStarted": LEADERS,
        "ExtraTimeAnnounced": ORGANIZER,
        "TableExtended": LEADERS,
        "TimeCalled": LEADERS,
        "ResultReported": DESK | LEADERS,
        "ResultCorrected": DESK,
        "ResultWithdrawn": DESK,
        "ResultConfirmed": DESK | LEADERS,
        "ConfirmationWithdrawn": DESK,
        "ResultDisputed": DESK | LEADERS,
        "DisputeWithdrawn": DESK,
        "AppealMade": DESK | LEADERS,
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
        "ChooserDrawn": DESK | LEADERS,
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
        "ActWithdrawn": DESK | LEADERS,
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
    number = int(desk[1:])
    if desk.startswith("o") and number >= len(tournament.officials):
        return f"there is no official {number}"
    if not_theirs := _words_problem(tournament, recorded):
        return not_theirs
    if desk.startswith("p"):
        return _players_problem(tournament, recorded, number)
    return _officials_problem(tournament, recorded, tournament.officials[number])


def _words_problem(tournament: Tournament, recorded: Recorded) -> str:
    """Say why these words are not the named player's: a side of a match speaks for itself."""
    event = recorded.event
    claimed: int | None = None
    match event:
        case ResultReported(match=number):
            pass
        case ResultConfirmed(match=number, player=claimed):
            pass
        case ResultDisputed(match=number, player=claimed):
            pass
        case AppealMade(ruling=seq, player=claimed):
            ruling = tournament.floor.ruling(seq)
            number = ruling.made.match if ruling else 0
        case _:
            return ""
    word = word_of(tournament, recorded.by)
    table = tournament.matches[number] if 0 < number < len(tournament.matches) else None
    sits = table is None or word in table.players
    if "p" in recorded.by and not sits:
        return f"player {word} does not sit at this match: nobody reports for others"
    if claimed is not None and claimed != (word if sits else 0):
        whose = f"player {claimed}" if claimed else "the desk"
        return f"{recorded.type} is entered by {whose}, or on their word, not by {recorded.by}"
    return ""


def _officials_problem(tournament: Tournament, recorded: Recorded, official: Official) -> str:
    desk, event = f"o{official.number}", _withdrawn_or_said(tournament, recorded.event)
    if official.stood_down and event != OfficialResumed(official.number):
        return f"{desk} is a spectator until they resume (FFG-ROLE-STATUS)"
    match = _judged_match(tournament, event)
    if match is not None and _judges_own_match(tournament, official, match):
        return f"{desk} is playing this match: another leader decides (FFG-LEADER-RULING)"
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
    return ""


def _withdrawn_or_said(tournament: Tournament, event: Event) -> Event:
    """What an event is about: a withdrawal is entered by whoever may enter what it withdraws."""
    if isinstance(event, ActWithdrawn) and event.withdraws in tournament.floor.acts:
        return tournament.floor.acts[event.withdraws].event
    return event


def _roles_for(tournament: Tournament, event: Event) -> frozenset[str]:
    if isinstance(event, PlayerDropped) and event.reason == "conduct":
        return ORGANIZER
    if _goes_on_over_a_dispute(event):
        return ORGANIZER
    allowed = ROLES[type(event).__name__]
    if isinstance(event, ComponentsShared) and not event.player:
        allowed = MARSHAL  # an order; a player's wish is any leader's to record (FFG-SHARE)
    return _in_a_marshals_place(tournament, event) if allowed == MARSHAL else allowed


def _in_a_marshals_place(tournament: Tournament, event: Event) -> frozenset[str]:
    """Whose a marshal's act is: a marshal's who does not play the match, else the organizer's.

    Where both play it, any other leader's (FFG-ROLE-MARSHAL, FFG-LEADER-RULING).
    """
    match = _judged_match(tournament, event)
    outside = [
        official.roles
        for official in office.active(tournament)
        if match is None or not official.player or official.player not in match.players
    ]
    for allowed in (MARSHAL, ORGANIZER):
        if any(not allowed.isdisjoint(roles) for roles in outside):
            return allowed
    return LEADERS


def _goes_on_over_a_dispute(event: Event) -> bool:
    """Whether the event carries leave to go on over a dispute, which is the organizer's to give."""
    match event:
        case (
            RoundPaired(waiver=Waiver(clauses=clauses))
            | RoundClosed(waiver=Waiver(clauses=clauses))
            | CutMade(waiver=Waiver(clauses=clauses))
            | TournamentFinished(waiver=Waiver(clauses=clauses))
        ):
            return OPEN_DISPUTE in clauses
        case _:
            return False


def _judges_own_match(tournament: Tournament, official: Official, match: Match) -> bool:
    # Where the organizer's word is final and nobody shares the office, nobody else could decide.
    others = office.who_rules(tournament, match)
    return official.player in match.players and official.number not in others


def _judged_match(tournament: Tournament, event: Event) -> Match | None:
    """The match that an act judges; a ruling names its official and is checked by that."""
    match event:
        case (
            TableExtended(match=number)
            | ConductNoted(match=number)
            | PenaltyGiven(match=number)
            | ComponentsShared(match=number, player=0)
        ) if 0 < number < len(tournament.matches):
            return tournament.matches[number]
        case (
            ConductNoted(player=player)
            | PenaltyGiven(player=player)
            | ComponentDecided(player=player)
            | ProxyMade(player=player)
        ):
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


def _own_words(*_: object) -> str:
    """A side of a match says what it will of it; whose words they are is asked of everybody."""
    return ""


def _own_dispute(tournament: Tournament, event: DisputeWithdrawn, player: int) -> str:
    dispute = dispute_of(tournament, event.match)
    if dispute is not None and dispute.against.player != player:
        return f"player {player} can not take another's dispute back"
    return ""


OF_PLAYERS: Mapping[str, Callable[[Tournament, Any, int], str]] = MappingProxyType(
    {
        "ResultReported": _own_result,
        "PlayerDropped": _own_drop,
        "ResultConfirmed": _own_words,
        "ResultDisputed": _own_words,
        "DisputeWithdrawn": _own_dispute,
        "AppealMade": _own_words,
    }
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
