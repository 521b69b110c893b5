"""What standing down, rulings, conduct and penalties do to the tournament."""

from __future__ import annotations

from ledger.events import office as events
from ledger.fold.listing import listed
from ledger.lines.recorded import Recorded
from ledger.tournament import office
from ledger.tournament.disputes import current_claim, decides_on, latest_dispute
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Dispute, JudgeCall, Ruling


def official_stood_down(
    tournament: Tournament, event: events.OfficialStoodDown, _: Recorded
) -> None:
    tournament.officials[event.official].stood_down = True


def official_resumed(tournament: Tournament, event: events.OfficialResumed, _: Recorded) -> None:
    tournament.officials[event.official].stood_down = False


def ruling_made(tournament: Tournament, event: events.RulingMade, recorded: Recorded) -> None:
    match = tournament.matches[event.match] if event.match else None
    final = bool(event.reviews) or office.is_final(tournament, event.official, match)
    tournament.floor.rulings.append(Ruling(recorded.seq, event, final))
    reviewed = tournament.floor.ruling(event.reviews)
    if reviewed is not None:
        reviewed.reviewed_by = recorded.seq
    if match is not None and decides_on(tournament, event):
        _decided(tournament, match, event, recorded)


def _decided(
    tournament: Tournament, match: Match, event: events.RulingMade, recorded: Recorded
) -> None:
    """A result is ruled on: what is in question there, or what nobody has disputed."""
    dispute = latest_dispute(tournament, match.number)
    said = current_claim(tournament, match)
    if dispute is not None and not dispute.closed:
        dispute.ruling = recorded.seq
    elif said is not None:
        ruled = Claim(recorded.seq, 0, recorded.at, event.decides)
        opened = Dispute(match.number, said, ruled, event.ruling, ruling=recorded.seq, unasked=True)
        tournament.floor.disputes.append(opened)


def disqualification_recommended(
    tournament: Tournament, event: events.DisqualificationRecommended, recorded: Recorded
) -> None:
    tournament.floor.recommended[event.player] = recorded.seq


def undo_disqualification_recommended(
    tournament: Tournament, event: events.DisqualificationRecommended, _: Recorded
) -> None:
    """The one before it, if there is one, counts again."""
    floor = tournament.floor
    others = [
        each.seq
        for each in floor.acts.values()
        if isinstance(each.event, events.DisqualificationRecommended)
        and each.event.player == event.player
    ]
    floor.recommended.pop(event.player, None)
    if others:
        floor.recommended[event.player] = max(others)


def judge_called(tournament: Tournament, event: events.JudgeCalled, recorded: Recorded) -> None:
    tournament.floor.judge_calls.append(JudgeCall(recorded.seq, recorded.at, event))


def undo_judge_called(tournament: Tournament, _: events.JudgeCalled, recorded: Recorded) -> None:
    kept = [each for each in tournament.floor.judge_calls if each.seq != recorded.seq]
    tournament.floor.judge_calls = kept


def call_answered(tournament: Tournament, event: events.CallAnswered, recorded: Recorded) -> None:
    if call := tournament.floor.judge_call(event.call):
        call.answered = recorded.seq


def undo_call_answered(tournament: Tournament, event: events.CallAnswered, _: Recorded) -> None:
    if call := tournament.floor.judge_call(event.call):
        call.answered = 0


conduct_noted, undo_conduct_noted = listed("conduct")
penalty_given, undo_penalty_given = listed("penalties")
note_taken, undo_note_taken = listed("notes")
