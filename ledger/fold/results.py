"""What a result, its correction and its withdrawal do to the tournament."""

from __future__ import annotations

from ledger.events.results import Result, ResultCorrected, ResultReported, ResultWithdrawn
from ledger.fold.columns import erase, write_field
from ledger.lines.recorded import Recorded
from ledger.tournament import disputes
from ledger.tournament.scoring import UNPLAYED
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim

UNADJUSTED = (0, 0)
"""No points beside those of the result: so in most results."""


def result_reported(tournament: Tournament, event: ResultReported, recorded: Recorded) -> None:
    match = tournament.matches[event.match]
    player = disputes.speaker(tournament, recorded.by, match)
    if player:
        tournament.floor.reporters[match.number] = player
        if disputes.waits(tournament, match, event.result, player):
            said = Claim(recorded.seq, player, recorded.at, event.result)
            tournament.floor.unconfirmed[match.number] = said
            return
    tournament.rounds[match.round - 1].unreported -= 1
    enter(tournament, match, event.result, recorded.seq)


def result_corrected(tournament: Tournament, event: ResultCorrected, recorded: Recorded) -> None:
    match = tournament.matches[event.match]
    if match.result is None:
        tournament.rounds[match.round - 1].unreported -= 1
    elif match.result.fields:
        _erase(tournament, match)
    floor = tournament.floor
    if floor.reporters or floor.confirmed:
        _forget_who_said(tournament, match)
    enter(tournament, match, event.result, recorded.seq)
    if event.ruling:
        carried_out(tournament, event.ruling, recorded.seq)


def carried_out(tournament: Tournament, seq: int, entered: int) -> None:
    """Remember by which event a result came in line with the ruling of that event; 0: by none."""
    ruling = tournament.floor.ruling(seq) if seq else None
    if ruling is not None:
        ruling.entered = entered


def result_withdrawn(tournament: Tournament, event: ResultWithdrawn, _: Recorded) -> None:
    match = tournament.matches[event.match]
    if match.result is not None:
        _erase(tournament, match)
        tournament.rounds[match.round - 1].unreported += 1
    match.result = None
    match.result_seq = 0
    _forget_who_said(tournament, match)


def _forget_who_said(tournament: Tournament, match: Match) -> None:
    """The words about a result end with it."""
    floor = tournament.floor
    if floor.reporters:
        floor.reporters.pop(match.number, None)
        floor.unconfirmed.pop(match.number, None)
    if floor.confirmed:
        floor.confirmed.pop(match.number, None)


def enter(tournament: Tournament, match: Match, result: Result, seq: int) -> None:
    """Let the result of an event count."""
    match.result = result
    match.result_seq = seq
    round_ = tournament.rounds[match.round - 1]
    first, second = match.first, match.second
    met = result.manner not in UNPLAYED
    against, points, seqs, records = round_.against, round_.points, round_.seqs, round_.records
    against[first] = second if met else 0
    against[second] = first if met else 0
    points[first], points[second] = (
        result.points if result.adjusted == UNADJUSTED else result.counted
    )
    seqs[first] = seqs[second] = seq
    one, other = result.outcomes
    letters = tournament.letters
    records[first] = letters[one]
    records[second] = letters[other]
    if result.fields:
        for label, (value, opposite) in result.fields.items():
            write_field(round_, label, first, value)
            write_field(round_, label, second, opposite)


def _erase(tournament: Tournament, match: Match) -> None:
    for player in match.players:
        erase(tournament.rounds[match.round - 1], player)
