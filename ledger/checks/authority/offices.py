"""Which offices may enter an event: of its type, or of what it says; it may be one office alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import office as office_events
from ledger.events.base import MARSHAL, ORGANIZER, Waiver
from ledger.events.clock import PaceModerated
from ledger.events.components import ComponentsInspected, ComponentsShared
from ledger.events.elimination import CutMade
from ledger.events.keys import LinkIssued
from ledger.events.opening import TournamentFinished
from ledger.events.people import PlayerDropped
from ledger.events.results import Result, ResultCorrected, ResultReported
from ledger.events.rounds import RoundClosed, RoundPaired, SeatsSwapped
from ledger.tournament import involvement, office
from ledger.tournament.disputes import OPEN_DISPUTE
from ledger.tournament.setups import is_review
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events import Event


def roles_for(tournament: Tournament, event: Event) -> frozenset[str]:
    """Return the roles that may enter an event as it is: those of its type, or fewer."""
    allowed = type(event).recording.by
    match event:
        case LinkIssued(of=str(of)) if of.startswith("o"):
            allowed = ORGANIZER  # who opens it acts as that official
        case PlayerDropped(reason="conduct"):
            allowed = ORGANIZER
        case PlayerDropped(reason="no-show"):
            allowed = ResultReported.recording.by  # one act says both
        case ComponentsShared(player=player) if not player or is_review(tournament, event):
            allowed = MARSHAL  # an order, or another answer; a player's wish is any leader's
        case PaceModerated(remedy="discard" | "forfeit" | "other"):
            allowed = MARSHAL
        case ComponentsInspected(verdict="replace" | "remove"):
            allowed = MARSHAL
        case office_events.PenaltyGiven(kind=kind) if office.is_bound_by(tournament, "declared"):
            allowed = ORGANIZER if kind == "removal" else MARSHAL
        case ResultReported() | ResultCorrected() if is_declared(tournament, event):
            allowed = MARSHAL
        case _ if _goes_on_over_a_dispute(event) or _is_override(tournament, event):
            allowed = ORGANIZER
        case _:
            pass
    players = involvement.judged(tournament, event)
    return office.in_a_marshals_place(tournament, players) if allowed == MARSHAL else allowed


def is_declared(tournament: Tournament, event: ResultReported | ResultCorrected) -> bool:
    """Whether a result is imposed, and no ruling says so."""
    match event:
        case ResultReported(result=Result(manner="declared")):
            return office.is_bound_by(tournament, "declared")
        case ResultCorrected(result=Result(manner="declared"), match=number, ruling=0):
            known = tournament.matches[number : number + 1]
            was = next((each.result for each in known if each.result), None)
            is_new = not (was and was.manner == "declared")
            return is_new and office.is_bound_by(tournament, "declared")
        case _:
            return False


def _is_override(tournament: Tournament, event: Event) -> bool:
    """Whether the event sets tables by hand, or lifts a ban, which may be the organizer's alone."""
    if not isinstance(event, RoundPaired | SeatsSwapped) or tournament.importing:
        return False
    by_hand = isinstance(event, SeatsSwapped) or event.by_hand > 0
    if by_hand and office.authority_of(tournament).adjusts:
        return True
    rules = tournament.ruleset
    bans = {rules.rematch.clause, "FFG-BYE-LATER", rules.cites("FFG-BYE-LATER")}
    lifted = event.waiver.clauses if event.waiver else ()
    return not bans.isdisjoint(lifted) and office.is_bound_by(tournament, "override")


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
