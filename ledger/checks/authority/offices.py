"""Which offices may enter an event: of its type, or of what it says; it may be one office alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.events.base import MARSHAL, ORGANIZER, Waiver
from ledger.events.clock import PaceModerated
from ledger.events.components import ComponentsInspected, ComponentsShared
from ledger.events.elimination import CutMade
from ledger.events.keys import LinkIssued
from ledger.events.office import PenaltyGiven
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
    kind = type(event)
    fewer = _FEWER.get(kind)
    allowed = fewer(tournament, event) if fewer else None
    allowed = allowed or kind.recording.by
    if allowed != MARSHAL:
        return allowed
    return office.in_a_marshals_place(tournament, involvement.judged(tournament, event))


def _of_a_link(_: Tournament, event: LinkIssued) -> frozenset[str] | None:
    """Who opens an official's link acts as that official."""
    return ORGANIZER if str(event.of).startswith("o") else None


def _of_a_drop(_: Tournament, event: PlayerDropped) -> frozenset[str] | None:
    """One act says of a no-show that it is the match's result as well."""
    by_reason = {"conduct": ORGANIZER, "no-show": ResultReported.recording.by}
    return by_reason.get(event.reason)


def _of_sharing(tournament: Tournament, event: ComponentsShared) -> frozenset[str] | None:
    """An order, or another answer, is a marshal's; a player's wish is any leader's."""
    return MARSHAL if not event.player or is_review(tournament, event) else None


def _of_pace(_: Tournament, event: PaceModerated) -> frozenset[str] | None:
    return MARSHAL if event.remedy in {"discard", "forfeit", "other"} else None


def _of_inspection(_: Tournament, event: ComponentsInspected) -> frozenset[str] | None:
    return MARSHAL if event.verdict in {"replace", "remove"} else None


def _of_a_penalty(tournament: Tournament, event: PenaltyGiven) -> frozenset[str] | None:
    if not office.is_bound_by(tournament, "declared"):
        return None
    return ORGANIZER if event.kind == "removal" else MARSHAL


def _of_a_result(
    tournament: Tournament, event: ResultReported | ResultCorrected
) -> frozenset[str] | None:
    return MARSHAL if is_declared(tournament, event) else None


def _of_a_pairing(tournament: Tournament, event: RoundPaired) -> frozenset[str] | None:
    return _over_a_dispute(tournament, event) or _of_tables(tournament, event)


def _of_tables(tournament: Tournament, event: RoundPaired | SeatsSwapped) -> frozenset[str] | None:
    return ORGANIZER if _is_override(tournament, event) else None


def _over_a_dispute(_: Tournament, event: Event) -> frozenset[str] | None:
    """Leave to go on over a dispute is the organizer's to give."""
    waiver: Waiver | None = getattr(event, "waiver", None)
    return ORGANIZER if waiver and OPEN_DISPUTE in waiver.clauses else None


_FEWER: Mapping[type[Event], Callable[[Tournament, Any], frozenset[str] | None]] = MappingProxyType(
    {
        LinkIssued: _of_a_link,
        PlayerDropped: _of_a_drop,
        ComponentsShared: _of_sharing,
        PaceModerated: _of_pace,
        ComponentsInspected: _of_inspection,
        PenaltyGiven: _of_a_penalty,
        ResultReported: _of_a_result,
        ResultCorrected: _of_a_result,
        RoundPaired: _of_a_pairing,
        SeatsSwapped: _of_tables,
        RoundClosed: _over_a_dispute,
        CutMade: _over_a_dispute,
        TournamentFinished: _over_a_dispute,
    }
)
"""What says by which office alone an event of a type is entered, for what it says."""


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


def _is_override(tournament: Tournament, event: RoundPaired | SeatsSwapped) -> bool:
    """Whether the event sets tables by hand, or lifts a ban, which may be the organizer's alone."""
    if tournament.importing:
        return False
    by_hand = isinstance(event, SeatsSwapped) or event.by_hand > 0
    if by_hand and office.authority_of(tournament).adjusts:
        return True
    rules = tournament.ruleset
    bans = {rules.rematch.clause, "FFG-BYE-LATER", rules.cites("FFG-BYE-LATER")}
    lifted = event.waiver.clauses if event.waiver else ()
    return not bans.isdisjoint(lifted) and office.is_bound_by(tournament, "override")
