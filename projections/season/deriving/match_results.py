"""The result of each match that counts, and every correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.events.results import ResultCorrected, ResultReported
from ledger.events.rounds import RoundClosed
from ledger.events.undo import ActWithdrawn
from ledger.tournament.scoring import UNPLAYED
from projections.season.deriving.folded_log import FoldedLog, Row


def results(log: FoldedLog) -> Iterator[Row]:
    """Yield the result of each match that has one."""
    letters, moments, authors = log.tournament.letters, log.moments, log.authors
    corrected = Counter(event.match for _, event in log.of(ResultCorrected))
    withdrawn, first_reports = _withdrawn(log), log.first_reports
    for pairing in log.pairings:
        for match in pairing.matches:
            result, seq = match.result, match.result_seq
            if result is None:
                continue
            number, (one, other) = match.number, result.outcomes
            record, opposite = letters[one], letters[other]
            yield (
                number,
                match.round,
                pairing.made.stage,
                match.first,
                match.second,
                seq,
                one,
                other,
                record,
                opposite,
                _winner(match.first, match.second, record, opposite),
                *result.counted,
                result.manner,
                result.manner not in UNPLAYED,
                result.ending,
                result.fields,
                result.facts,
                moments[seq],
                authors[seq],
                moments[first_reports[number]],
                corrected.get(number, 0),
                withdrawn.get(number, 0),
            )


def _winner(first: int, second: int, record: str, opposite: str) -> int | None:
    if (record == "W") == (opposite == "W"):
        return None
    return first if record == "W" else second


def _withdrawn(log: FoldedLog) -> Counter[int]:
    """Count the results of each match that were taken back."""
    named = log.tournament.withdrawable
    events = (named.get(act.withdraws) for _, act in log.of(ActWithdrawn))
    return Counter(
        event.match for event in events if isinstance(event, ResultReported | ResultCorrected)
    )


def corrections(log: FoldedLog) -> Iterator[Row]:
    """Yield each correction: what stood and what replaced it."""
    tournament = log.tournament
    closed: dict[int, int] = {}
    for seq, act in log.of(RoundClosed):
        closed.setdefault(act.round, seq)
    for seq, event in log.of(ResultCorrected):
        old, new = tournament.withdrawable[event.corrects], event.result
        assert isinstance(old, ResultReported | ResultCorrected)  # noqa: S101 - a check held it to that
        before, number = old.result, tournament.matches[event.match].round
        points = zip(before.counted, new.counted, strict=True)
        yield (
            *(seq, event.match, number, event.corrects),
            *(before.outcomes[0], new.outcomes[0]),
            *(each for both in points for each in both),
            0 < closed.get(number, 0) < seq,
            0 < tournament.finished_seq < seq,
            *(log.moments[seq], log.authors[seq]),
        )
