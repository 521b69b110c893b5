"""What standing down, rulings, conduct and penalties do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.office import (
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    OfficialResumed,
    OfficialStoodDown,
    PenaltyGiven,
    RulingMade,
)
from ledger.lines.recorded import Recorded
from ledger.tournament import office
from ledger.tournament.disputes import current_claim, decides_on, latest_dispute
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Dispute, Ruling


def _stood_down(tournament: Tournament, event: OfficialStoodDown, _: Recorded) -> None:
    tournament.officials[event.official].stood_down = True


def _resumed(tournament: Tournament, event: OfficialResumed, _: Recorded) -> None:
    tournament.officials[event.official].stood_down = False


def _ruled(tournament: Tournament, event: RulingMade, recorded: Recorded) -> None:
    match = tournament.matches[event.match] if event.match else None
    final = bool(event.reviews) or office.is_final(tournament, event.official, match)
    tournament.floor.rulings.append(Ruling(recorded.seq, event, final))
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is not None:
        reviewed.reviewed_by = recorded.seq
    if match is not None and decides_on(tournament, event):
        _decided(tournament, match, event, recorded)


def _decided(tournament: Tournament, match: Match, event: RulingMade, recorded: Recorded) -> None:
    """A result is ruled on: what is in question there, or what nobody has disputed."""
    dispute = latest_dispute(tournament, match.number)
    said = current_claim(tournament, match)
    if dispute is not None and not dispute.closed:
        dispute.ruling = recorded.seq
    elif said is not None:
        ruled = Claim(recorded.seq, 0, recorded.at, event.decides)
        opened = Dispute(match.number, said, ruled, event.ruling, ruling=recorded.seq, unasked=True)
        tournament.floor.disputes.append(opened)


def _noted(tournament: Tournament, _event: ConductNoted, recorded: Recorded) -> None:
    tournament.floor.conduct.append(recorded)


def _recommended(
    tournament: Tournament, event: DisqualificationRecommended, recorded: Recorded
) -> None:
    tournament.floor.recommended[event.player] = recorded.seq


def _penalized(tournament: Tournament, _event: PenaltyGiven, recorded: Recorded) -> None:
    tournament.floor.penalties.append(recorded)


def _note_taken(tournament: Tournament, _event: NoteTaken, recorded: Recorded) -> None:
    tournament.floor.notes.append(recorded)


def _unnoted(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.conduct.remove(recorded)


def _unpenalized(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.penalties.remove(recorded)


def _note_untaken(tournament: Tournament, _: Event, recorded: Recorded) -> None:
    tournament.floor.notes.remove(recorded)


def _unrecommended(tournament: Tournament, event: DisqualificationRecommended, _: Recorded) -> None:
    """The one before it, if there is one, counts again."""
    floor = tournament.floor
    others = [
        each.seq
        for each in floor.acts.values()
        if isinstance(each.event, DisqualificationRecommended) and each.event.player == event.player
    ]
    floor.recommended.pop(event.player, None)
    if others:
        floor.recommended[event.player] = max(others)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    OfficialStoodDown: _stood_down,
    OfficialResumed: _resumed,
    RulingMade: _ruled,
    ConductNoted: _noted,
    DisqualificationRecommended: _recommended,
    PenaltyGiven: _penalized,
    NoteTaken: _note_taken,
}

UNDO: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ConductNoted: _unnoted,
    PenaltyGiven: _unpenalized,
    NoteTaken: _note_untaken,
    DisqualificationRecommended: _unrecommended,
}
