"""When a result may be confirmed, disputed and ruled on; what an open dispute holds up."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger import disputes
from ledger import office
from ledger.checks import results
from ledger.disputes import OPEN_DISPUTE
from ledger.events.disputes import AppealMade
from ledger.events.disputes import ConfirmationWithdrawn
from ledger.events.disputes import DisputeWithdrawn
from ledger.events.disputes import ResultConfirmed
from ledger.events.disputes import ResultDisputed
from ledger.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.disputes import Claim
    from ledger.disputes import Dispute
    from ledger.events import Event
    from ledger.events.base import Waiver
    from ledger.events.office import RulingMade
    from ledger.state import Match
    from ledger.state import Tournament


def held_up(tournament: Tournament, waiver: Waiver | None) -> Iterator[str]:
    """Yield the disputes that the day does not go on over, unless the organizer waives them."""
    if is_waived(OPEN_DISPUTE, waiver, tournament):
        return
    for dispute in disputes.unsettled(tournament):
        match = tournament.matches[dispute.match]
        where = f"{match.round}/{match.table}"
        todo = {
            "open": f"a judge rules on it with `rule {where}`",
            "appealed": f"a marshal reviews the ruling with `review {where}`",
            "correction due": f"`correct --ruling` enters what was ruled on {where}",
        }[disputes.state_of(tournament, dispute)]
        yield (
            f"{where} is disputed (event {dispute.seq}): {todo}, or the organizer goes on with "
            f"--despite-dispute and a reason ({OPEN_DISPUTE})"
        )


def _about(tournament: Tournament, number: int, seq: int, player: int) -> Iterator[str]:
    """Yield why nothing can be said of this match's result: the report `seq` does not stand."""
    match = results.find(tournament, number)
    said = disputes.standing(tournament, match) if match else None
    if match is None:
        yield f"there is no match {number}"
    elif said is None:
        yield f"{match.round}/{match.table} has no result yet: use `report`"
    elif said.seq != seq:
        yield f"the result of {match.round}/{match.table} is event {said.seq}"
    elif player and player not in match.players:
        yield f"player {player} does not sit at {match.round}/{match.table}"


def _confirmed(tournament: Tournament, event: ResultConfirmed) -> Iterator[str]:
    problems = list(_about(tournament, event.match, event.confirms, event.player))
    yield from problems
    if problems:
        return
    match = tournament.matches[event.match]
    where = f"{match.round}/{match.table}"
    said = disputes.standing(tournament, match)
    assert said is not None  # noqa: S101 - `_about` has found it
    if event.player and event.player == said.player:
        yield f"player {event.player} reported {where}: the other side confirms, or the desk"
    elif any(
        each.player == event.player for each in tournament.floor.confirmed.get(event.match, ())
    ):
        yield f"{where} is confirmed by them already"
    dispute = disputes.dispute_of(tournament, event.match)
    if event.ruling:
        yield from _let_stand(tournament, event, said)
    elif dispute is not None and (dispute.ruling or not _accepts(dispute, event.player)):
        yield f"{where} is disputed (event {dispute.seq}): a judge rules on it with `rule`"


def _accepts(dispute: Dispute, player: int) -> bool:
    """Whether who disputed the result is who confirms it now."""
    return bool(player) and dispute.against.player == player


def _let_stand(tournament: Tournament, event: ResultConfirmed, said: Claim) -> Iterator[str]:
    if event.player:
        yield "what a ruling let stand is confirmed by the desk"
    if event.match not in tournament.floor.unconfirmed:
        yield f"event {event.confirms} counts already"
    match = tournament.matches[event.match]
    assert said.result is not None  # noqa: S101 - a report has a result
    yield from results.by_ruling(tournament, match, event.ruling, said.result)


def _confirmation_withdrawn(tournament: Tournament, event: ConfirmationWithdrawn) -> Iterator[str]:
    said = tournament.floor.confirmed.get(event.match, ())
    latest = disputes.latest_dispute(tournament, event.match)
    if all(each.seq != event.withdraws for each in said):
        yield f"event {event.withdraws} is no confirmation of match {event.match}'s result"
    elif latest is not None and latest.closed == event.withdraws:
        yield "that confirmation settled a dispute"
    elif tournament.ruleset.confirmation != "none" and event.match in tournament.floor.reporters:
        yield "the result counts since it is confirmed: use `correct`"


def _disputed(tournament: Tournament, event: ResultDisputed) -> Iterator[str]:
    problems = list(_about(tournament, event.match, event.disputes, event.player))
    yield from problems
    if problems:
        return
    match = tournament.matches[event.match]
    where = f"{match.round}/{match.table}"
    said = disputes.standing(tournament, match)
    assert said is not None  # noqa: S101 - `_about` has found it
    if event.player and event.player == said.player:
        yield f"player {event.player} reported {where}: the other side disputes it, or the desk"
    if event.claim is not None:
        yield from results.rules_problems(tournament, match, event.claim)
        if event.claim == said.result:
            yield "that is the result as it was reported: `confirm` says so"
    yield from _may_be_opened(tournament, match)


def _may_be_opened(tournament: Tournament, match: Match) -> Iterator[str]:
    where = f"{match.round}/{match.table}"
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is not None:
        state = disputes.state_of(tournament, latest)
        ruling = disputes.ruling_on(tournament, latest)
        if state in {"open", "appealed"}:
            yield f"{where} is disputed already (event {latest.seq}): one dispute at a time"
        elif ruling is not None and (
            state == "correction due" or match.result == disputes.decided(tournament, latest)
        ):
            yield f"{where} is ruled on (event {ruling.seq}): " + (
                "that is final" if ruling.final else f"`appeal {ruling.seq}`"
            )
    if tournament.finished and tournament.floor.confirmed.get(match.number):
        yield f"play is closed and {where} was confirmed: its result stands"


def _dispute_withdrawn(tournament: Tournament, event: DisputeWithdrawn) -> Iterator[str]:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is None or dispute.seq != event.withdraws:
        yield f"event {event.withdraws} is no open dispute of match {event.match}"
    elif dispute.ruling:
        yield f"event {dispute.ruling} ruled on it: a dispute is withdrawn before that"


def _appealed(tournament: Tournament, event: AppealMade) -> Iterator[str]:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is None:
        yield f"event {event.ruling} is no ruling"
        return
    if ruling.final or ruling.reviewed_by:
        yield f"ruling {event.ruling} is final: it can not be appealed (FFG-ROLE-JUDGE)"
    elif disputes.is_appealed(ruling):
        yield f"a review of ruling {event.ruling} was asked for already"
    match = results.find(tournament, ruling.made.match)
    asking = match.players if match else (ruling.made.player,)
    if event.player not in asking:
        yield f"player {event.player} is no party to ruling {event.ruling} (FFG-ROLE-JUDGE)"


def ruling_problems(
    tournament: Tournament, event: RulingMade, match: Match | None
) -> Iterator[str]:
    """Yield what is against a ruling's bearing on a dispute and on a result."""
    if event.upheld and not event.reviews:
        yield "only a review upholds a ruling"
    if event.upheld and event.decides is not None:
        yield "a ruling that is upheld is not decided anew"
    if event.settles:
        yield from _settles(tournament, event)
    if event.decides is not None:
        if match is None or match.is_bye:
            yield "a result is decided for a match of two players"
        else:
            yield from results.rules_problems(tournament, match, event.decides)
            yield from _decides(tournament, event, match)
    if event.reviews and not event.upheld:
        yield from _overturns(tournament, event)


def _settles(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is None or dispute.seq != event.settles:
        yield f"event {event.settles} is no open dispute of match {event.match}"
    elif dispute.ruling:
        yield f"event {dispute.ruling} ruled on this dispute: an `appeal` goes on from there"


def _decides(tournament: Tournament, event: RulingMade, match: Match) -> Iterator[str]:
    if event.settles or event.reviews:
        return
    if disputes.standing(tournament, match) is None:
        yield f"{match.round}/{match.table} has no result to decide on: use `report`"
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is None or latest.closed:
        return
    where = f"{match.round}/{match.table}"
    ruling = disputes.ruling_on(tournament, latest)
    if ruling is None:
        yield f"{where} is disputed (event {latest.seq}): rule on that"
    elif not (ruling.final and office.is_final(tournament, event.official, match)):
        yield f"{where} is ruled on (event {ruling.seq}): `appeal {ruling.seq}`, then `review`"


def _overturns(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    dispute = disputes.dispute_ruled_by(tournament, event.reviews)
    if dispute is None:
        return
    if (event.decides or dispute.reported.result) == disputes.decided(tournament, dispute):
        yield f"that is what ruling {event.reviews} decided: it is upheld"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ResultConfirmed: _confirmed,
    ConfirmationWithdrawn: _confirmation_withdrawn,
    ResultDisputed: _disputed,
    DisputeWithdrawn: _dispute_withdrawn,
    AppealMade: _appealed,
}
