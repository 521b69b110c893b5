"""Who may enter what, read from the log alone.

An official may enter an event when its class names one of their roles, unless they have stood down
or would judge a match that they play. A player may enter what is marked so, for themselves alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.events.base import LEADERS, MARSHAL, ORGANIZER, Waiver
from ledger.events.components import ComponentsShared
from ledger.events.disputes import (
    AppealMade,
    AppealWithdrawn,
    ConfirmationWithdrawn,
    DisputeWithdrawn,
    ResultConfirmed,
    ResultDisputed,
    RulingWithdrawn,
)
from ledger.events.elimination import CutMade
from ledger.events.office import OfficialResumed, OfficialStoodDown
from ledger.events.opening import TournamentFinished
from ledger.events.people import PlayerDropped
from ledger.events.results import ResultReported
from ledger.events.rounds import RoundClosed, RoundPaired
from ledger.events.undo import ActWithdrawn
from ledger.tournament import involvement, office
from ledger.tournament.disputes import OPEN_DISPUTE, dispute_of, word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Official, Tournament

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
    not_theirs = _words_problem(tournament, recorded) or _unsaid_problem(tournament, recorded)
    if not_theirs:
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


def _unsaid_problem(tournament: Tournament, recorded: Recorded) -> str:
    """Say why these words are not theirs to take back: a side's are its own, or the desk's."""
    word = word_of(tournament, recorded.by)
    said = _taken_back(tournament, recorded.event)
    if not word or said is None or said.player == word:
        return ""
    table = tournament.matches[said.match] if said.match < len(tournament.matches) else None
    if "p" not in recorded.by and (table is None or word not in table.players):
        return ""
    return f"player {word} can not take another's {said.what} back"


class _Said(NamedTuple):
    """What is taken back: a player's words (0: the desk's) about a match."""

    what: str
    match: int
    player: int


def _taken_back(tournament: Tournament, event: Event) -> _Said | None:
    match event:
        case DisputeWithdrawn(match=number):
            dispute = dispute_of(tournament, number)
            return _Said("dispute", number, dispute.against.player) if dispute else None
        case AppealWithdrawn(ruling=seq, player=player):
            ruling = tournament.floor.ruling(seq)
            return _Said("appeal", ruling.made.match if ruling else 0, player)
        case ConfirmationWithdrawn(match=number, withdraws=seq):
            confirmed = tournament.floor.confirmed.get(number, ())
            said = next((each for each in confirmed if each.seq == seq), None)
            return _Said("confirmation", number, said.player) if said else None
        case _:
            return None


def _officials_problem(tournament: Tournament, recorded: Recorded, official: Official) -> str:
    desk, event = f"o{official.number}", _withdrawn_or_said(tournament, recorded.event)
    if official.stood_down and event != OfficialResumed(official.number):
        return f"{desk} is a spectator until they resume (FFG-ROLE-STATUS)"
    if too_near := involvement.problem(tournament, official, recorded, event):
        return too_near
    allowed = _roles_for(tournament, event)
    if not allowed & set(official.roles):
        has = ", ".join(official.roles) or "without a role"
        return f"{recorded.type} takes the {' or the '.join(sorted(allowed))} ({desk} is {has})"
    if isinstance(event, RulingWithdrawn) and event.official != official.number:
        return (
            f"o{event.official} is whose ruling this is: {recorded.type} is entered by them alone"
        )
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
    allowed = type(event).recording.by
    match event:
        case PlayerDropped(reason="conduct"):
            allowed = ORGANIZER
        case PlayerDropped(reason="no-show"):
            allowed = ResultReported.recording.by  # one act says both
        case ComponentsShared(player=0):
            allowed = MARSHAL  # an order; a player's wish is any leader's to record (FFG-SHARE)
        case _ if _goes_on_over_a_dispute(event):
            allowed = ORGANIZER
        case _:
            pass
    return _in_a_marshals_place(tournament, event) if allowed == MARSHAL else allowed


def _in_a_marshals_place(tournament: Tournament, event: Event) -> frozenset[str]:
    """Whose a marshal's act is: a marshal's who does not play the match, else the organizer's.

    Where both play it, any other leader's (FFG-ROLE-MARSHAL, FFG-LEADER-RULING).
    """
    players = involvement.judged(tournament, event)
    outside = [
        official.roles
        for official in office.active(tournament)
        if not involvement.plays_among(official, players)
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


_OWN: Mapping[type[Event], Callable[[Tournament, Any, int], str]] = MappingProxyType(
    {ResultReported: _own_result, PlayerDropped: _own_drop}
)
"""What says why an event that players may enter is not this one's to enter."""


def _players_problem(tournament: Tournament, recorded: Recorded, player: int) -> str:
    kind = type(recorded.event)
    if not kind.recording.by_players:
        return f"{recorded.type} is entered by an official, not by p{player}"
    if not 0 < player < len(tournament.players):
        return f"there is no player {player}"
    if tournament.players[player].status != "active":
        return f"player {player} does not play on"
    return _OWN[kind](tournament, recorded.event, player) if kind in _OWN else ""
