"""What confirmations, disputes and appeals do to the tournament."""

from __future__ import annotations

from ledger.events import disputes as events
from ledger.fold.results import carried_out, enter
from ledger.lines.recorded import Recorded
from ledger.tournament import disputes
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Claim, Dispute


def result_confirmed(
    tournament: Tournament, event: events.ResultConfirmed, recorded: Recorded
) -> None:
    floor = tournament.floor
    match = tournament.matches[event.match]
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is not None and not dispute.ruling:
        dispute.closed = recorded.seq
    waiting = floor.unconfirmed.pop(event.match, None)
    if waiting is not None and waiting.result is not None:
        tournament.rounds[match.round - 1].unreported -= 1
        enter(tournament, match, waiting.result, waiting.seq)
    carried_out(tournament, event.ruling, recorded.seq)
    said = Claim(recorded.seq, event.player, recorded.at, match.result)
    floor.confirmed.setdefault(event.match, []).append(said)


def confirmation_withdrawn(
    tournament: Tournament, event: events.ConfirmationWithdrawn, _: Recorded
) -> None:
    said = tournament.floor.confirmed[event.match]
    said[:] = [each for each in said if each.seq != event.withdraws]


def result_disputed(
    tournament: Tournament, event: events.ResultDisputed, recorded: Recorded
) -> None:
    match = tournament.matches[event.match]
    reported = disputes.current_claim(tournament, match)
    assert reported is not None  # noqa: S101 - only what is reported is disputed
    against = Claim(recorded.seq, event.player, recorded.at, event.claim)
    tournament.floor.disputes.append(Dispute(event.match, reported, against, event.reason))


def dispute_withdrawn(
    tournament: Tournament, event: events.DisputeWithdrawn, recorded: Recorded
) -> None:
    dispute = disputes.dispute_of(tournament, event.match)
    if dispute is not None:
        dispute.closed = recorded.seq


def appeal_made(tournament: Tournament, event: events.AppealMade, recorded: Recorded) -> None:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is not None:
        ruling.appealed, ruling.appellant = recorded.seq, event.player


def appeal_withdrawn(tournament: Tournament, event: events.AppealWithdrawn, _: Recorded) -> None:
    ruling = tournament.floor.ruling(event.ruling)
    if ruling is not None:
        ruling.appealed = ruling.appellant = 0


def ruling_withdrawn(tournament: Tournament, event: events.RulingWithdrawn, _: Recorded) -> None:
    rulings = tournament.floor.rulings
    rulings[:] = [each for each in rulings if each.seq != event.withdraws]
    for each in rulings:
        if each.reviewed_by == event.withdraws:
            each.reviewed_by = 0
    listed = tournament.floor.disputes
    listed[:] = [each for each in listed if each.seq != event.withdraws]
    for dispute in listed:
        if dispute.ruling == event.withdraws:
            dispute.ruling = disputes.last_ruling_on(tournament, dispute)
