"""Rounds that stand, and their clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.events.clock import TableExtended
from ledger.events.rounds import RoundClosed, SeatsSwapped
from ledger.tournament.state import Round
from ledger.tournament.table_records import Pause
from projections.matches.round_clock import MS_A_SECOND, is_clock, moment
from projections.season.deriving.folded_log import FoldedLog, PairedRound, Row


def _standing(log: FoldedLog) -> Iterator[tuple[Round, PairedRound]]:
    pairings = {pairing.seq: pairing for pairing in log.pairings}
    for round_ in log.tournament.rounds:
        yield round_, pairings[round_.paired_seq]


def rounds(log: FoldedLog) -> Iterator[Row]:
    """Yield each round whose pairing was not taken back."""
    for round_, pairing in _standing(log):
        swaps = [
            seq
            for seq, event in log.of(SeatsSwapped)
            if event.round == round_.number and seq > pairing.seq
        ]
        yield (
            *(round_.number, round_.stage, round_.attempt, round_.procedure),
            *(pairing.seq, log.moments[pairing.seq], _closed_seq(log, round_)),
            *(len(round_.matches), round_.by_hand, len(swaps), len(pairing.made.passed_over)),
        )


def _closed_seq(log: FoldedLog, round_: Round) -> int | None:
    """The event that closed a round for now."""
    if round_.status != "closed":
        return None
    return max(seq for seq, event in log.of(RoundClosed) if event.round == round_.number)


def clocks(log: FoldedLog) -> Iterator[Row]:
    """Yield the clock of each round."""
    floor = log.tournament.floor
    first_reports = log.first_reports
    extended = Counter(
        each.event.match for each in floor.acts.values() if isinstance(each.event, TableExtended)
    )
    for round_, pairing in _standing(log):
        numbers = [match.number for match in pairing.matches]
        pauses = floor.pauses.get(round_.number, [])
        over = [call.at for call in floor.calls.get(round_.number, ()) if not call.left]
        reported = (first_reports[each] for each in numbers if each in first_reports)
        yield (
            round_.number,
            round_.started_at or None,
            round_.minutes if round_.started_at else None,
            sum(extended[each] for each in numbers),
            sum(floor.extensions.get(each, 0) for each in numbers),
            floor.longer.get(round_.number, 0),
            len(pauses),
            sum(map(_seconds, pauses)),
            over[0] if over else None,
            max((log.moments[each] for each in reported), default=None),
            log.at(_closed_seq(log, round_)),
        )


def _seconds(pause: Pause) -> int:
    """How long a pause lasted, by full seconds of the clock; 0 while it lasts."""
    if not (is_clock(pause.since) and is_clock(pause.until)):
        return 0
    return moment(pause.until) // MS_A_SECOND - moment(pause.since) // MS_A_SECOND
