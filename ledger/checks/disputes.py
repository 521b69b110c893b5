"""When a result may be confirmed, disputed and ruled on; what an open dispute holds up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.checks import results
from ledger.events.disputes import (
    AppealMade,
    AppealWithdrawn,
    ConfirmationWithdrawn,
    DisputeWithdrawn,
    ResultConfirmed,
    ResultDisputed,
    RulingWithdrawn,
)
from ledger.tournament import disputes, office
from ledger.tournament.disputes import OPEN_DISPUTE
from ledger.tournament.progress import went_on
from ledger.tournament.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.events.base import Waiver
    from ledger.events.office import RulingMade
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import Claim, Dispute, Ruling


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
            f"{where} is {dispute.opened}: {todo}, or the organizer goes on with "
            f"--despite-dispute and a reason ({OPEN_DISPUTE})"
        )


def _of_what_stands(
    rules: Callable[[Tournament, Any, Match, Claim], Iterator[str]],
) -> Callable[[Tournament, Any], Iterator[str]]:
    """Rules about words on a result, once it is sure that it stands and that theirs they are."""

    def check(tournament: Tournament, event: ResultConfirmed | ResultDisputed) -> Iterator[str]:
        match = results.find(tournament, event.match)
        said = disputes.current_claim(tournament, match) if match else None
        seq = event.confirms if isinstance(event, ResultConfirmed) else event.disputes
        if match is None:
            yield f"there is no match {event.match}"
        elif said is None:
            yield f"{match.round}/{match.table} has no result yet: use `report`"
        elif said.seq != seq:
            yield f"the result of {match.round}/{match.table} is event {said.seq}"
        elif event.player and event.player not in match.players:
            yield f"player {event.player} does not sit at {match.round}/{match.table}"
        else:
            yield from rules(tournament, event, match, said)

    return check


def _confirmed(
    tournament: Tournament, event: ResultConfirmed, match: Match, said: Claim
) -> Iterator[str]:
    where = f"{match.round}/{match.table}"
    dispute = disputes.dispute_of(tournament, event.match)
    if event.player and event.player == said.player:
        yield f"player {event.player} reported {where}: the other side confirms, or the desk"
    elif disputes.has_confirmed(tournament, event.match, event.player):
        yield f"{where} is confirmed by them already"
    elif (
        tournament.finished and dispute is None and event.match not in tournament.floor.unconfirmed
    ):
        yield f"play is closed: {where} counts, and nobody disputes it"
    elif event.ruling:
        yield from _let_stand(tournament, event, match, said)
    elif dispute is not None and dispute.ruling:
        yield f"{where} is ruled on (event {dispute.ruling}): `correct --ruling` enters that"
    elif dispute is not None and not _accepts(dispute, event.player):
        yield f"{where} is disputed (event {dispute.seq}): a judge rules on it with `rule`"


def _accepts(dispute: Dispute, player: int) -> bool:
    """Whether who disputed the result is who confirms it now."""
    return bool(player) and dispute.against.player == player


def _let_stand(
    tournament: Tournament, event: ResultConfirmed, match: Match, said: Claim
) -> Iterator[str]:
    if event.player:
        yield "what a ruling let stand is confirmed by the desk"
    if event.match not in tournament.floor.unconfirmed:
        yield f"event {event.confirms} counts already"
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


def _disputed(
    tournament: Tournament, event: ResultDisputed, match: Match, said: Claim
) -> Iterator[str]:
    where = f"{match.round}/{match.table}"
    if event.player and event.player == said.player:
        yield f"player {event.player} reported {where}: the other side disputes it, or the desk"
    elif in_question := list(_may_be_opened(tournament, match)):
        yield from in_question
    elif event.claim is not None and event.claim == said.result:
        yield "that is the result as it was reported: `confirm` says so"
    elif event.claim is not None:
        yield from results.rules_problems(tournament, match, event.claim)


def _may_be_opened(tournament: Tournament, match: Match) -> Iterator[str]:
    where = f"{match.round}/{match.table}"
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is None:
        return
    state = disputes.state_of(tournament, latest)
    ruling = disputes.ruling_on(tournament, latest)
    if state == "appealed" and latest.unasked:
        yield f"{where} is {latest.opened}: a marshal reviews the ruling first"
    elif state in {"open", "appealed"}:
        yield (
            f"{where} is disputed already (event {latest.seq}), one dispute at a time: to say it "
            f"in other words take it back with `dispute {where} --withdraw`"
        )
    elif ruling is not None and (
        state == "correction due" or match.result == disputes.decided(tournament, latest)
    ):
        yield f"{where} is ruled on (event {ruling.seq}): {disputes.instead(ruling)}"


def _dispute_withdrawn(tournament: Tournament, event: DisputeWithdrawn) -> Iterator[str]:
    dispute = disputes.latest_dispute(tournament, event.match)
    if dispute is None or dispute.seq != event.withdraws:
        yield f"event {event.withdraws} is no open dispute of match {event.match}"
    elif dispute.closed:
        yield f"event {dispute.closed} ended dispute {dispute.seq}"
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


def _appeal_withdrawn(tournament: Tournament, event: AppealWithdrawn) -> Iterator[str]:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is None or (ruling.appealed, ruling.appellant) != (event.withdraws, event.player):
        yield f"event {event.withdraws} is no appeal of player {event.player} that stands"
    elif ruling.reviewed_by:
        yield f"event {ruling.reviewed_by} decided on it: an appeal is taken back before that"
    if not event.reason.strip():
        yield "taking an appeal back needs a reason"


def _ruling_withdrawn(tournament: Tournament, event: RulingWithdrawn) -> Iterator[str]:
    ruling = tournament.floor.ruling(event.withdraws)
    if ruling is None or (ruling.made.official, ruling.made.match) != (event.official, event.match):
        yield f"event {event.withdraws} is no ruling of official {event.official} that stands"
    else:
        yield from _rests_on(tournament, ruling)
    if not event.reason.strip():
        yield "taking a ruling back needs a reason"


def _rests_on(tournament: Tournament, ruling: Ruling) -> Iterator[str]:
    """A ruling can be taken back until something was decided on it."""
    what = f"ruling {ruling.seq}"
    dispute = disputes.dispute_ruled_by(tournament, ruling.seq)
    anew = disputes.latest_dispute(tournament, ruling.made.match)
    if ruling.reviewed_by:
        yield f"event {ruling.reviewed_by} reviewed {what}: that comes first"
    elif ruling.appealed:
        back = f"`appeal {ruling.seq} --withdraw`"
        yield f"{what} is appealed (event {ruling.appealed}): {back} first"
    elif ruling.entered:
        yield f"event {ruling.entered} carried {what} out: {disputes.put_right(ruling)}"
    elif (
        anew is not None
        and anew.ruling > ruling.seq
        and disputes.decides_on(tournament, ruling.made)
    ):
        yield f"event {anew.ruling} ruled anew since: that one comes first"
    elif (
        dispute is not None
        and dispute.seq != ruling.seq  # a ruling that nobody asked for has settled nothing
        and (since := went_on(tournament, ruling.seq))
    ):
        yield f"{since} since, on what {what} settled: {disputes.put_right(ruling)}"


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


def is_decided_anew(tournament: Tournament, event: RulingMade) -> bool:
    """Whether a result that was decided for good is decided again: by who rules for good."""
    latest = disputes.latest_dispute(tournament, event.match)
    if event.decides is None or latest is None or latest.closed:
        return False
    ruling = disputes.ruling_on(tournament, latest)
    return ruling is not None and ruling.final


def _settles(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is None or dispute.seq != event.settles:
        yield f"event {event.settles} is no open dispute of match {event.match}"
    elif dispute.ruling:
        yield f"event {dispute.ruling} ruled on this dispute: an `appeal` goes on from there"


def _decides(tournament: Tournament, event: RulingMade, match: Match) -> Iterator[str]:
    if event.settles or (event.reviews and disputes.dispute_ruled_by(tournament, event.reviews)):
        return
    if disputes.current_claim(tournament, match) is None:
        yield f"{match.round}/{match.table} has no result to decide on: use `report`"
    latest = disputes.latest_dispute(tournament, match.number)
    if latest is None or latest.closed:
        return
    where = f"{match.round}/{match.table}"
    ruling = disputes.ruling_on(tournament, latest)
    if ruling is None:
        yield f"{where} is disputed (event {latest.seq}): rule on that"
    elif event.reviews or not (ruling.final and office.is_final(tournament, event.official, match)):
        review = "" if ruling.final else ", then `review`"
        yield f"{where} is ruled on (event {ruling.seq}): {disputes.instead(ruling)}{review}"


def _overturns(tournament: Tournament, event: RulingMade) -> Iterator[str]:
    dispute = disputes.dispute_ruled_by(tournament, event.reviews)
    if dispute is None:
        return
    if (event.decides or dispute.reported.result) == disputes.decided(tournament, dispute):
        yield f"that is what ruling {event.reviews} decided: it is upheld"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ResultConfirmed: _of_what_stands(_confirmed),
    ConfirmationWithdrawn: _confirmation_withdrawn,
    ResultDisputed: _of_what_stands(_disputed),
    DisputeWithdrawn: _dispute_withdrawn,
    AppealMade: _appealed,
    AppealWithdrawn: _appeal_withdrawn,
    RulingWithdrawn: _ruling_withdrawn,
}
