"""What is found in a result that is entered, confirmed or taken back."""

from __future__ import annotations

from collections.abc import Callable

from ledger.events.disputes import ResultConfirmed
from ledger.events.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.lines.recorded import Recorded
from ledger.tournament import involvement
from ledger.tournament.office import player_of
from ledger.tournament.state import Match, Tournament
from projections.audit.finding import AuditFinding, Findings, Readers
from projections.matches.round_clock import is_clock, minutes_between

SLOW_MINUTES = 30
"""How many minutes between a report and its confirmation are long; `kinds.toml` says so, too."""


def slow_confirmation(
    event: ResultConfirmed, recorded: Recorded, clock: Callable[[int], str]
) -> Findings:
    """Find a confirmation that came late; the clock gives the time that an earlier event claims."""
    reported = clock(event.confirms)
    if not is_clock(reported) or not is_clock(recorded.at):
        return  # which is a finding of its own
    passed = minutes_between(reported, recorded.at)
    if passed >= SLOW_MINUTES:
        seqs = (event.confirms, recorded.seq)
        yield AuditFinding("slow", seqs, match=event.match, minutes=passed)


def _entered(
    tournament: Tournament,
    event: ResultReported | ResultCorrected | ResultConfirmed,
    recorded: Recorded,
) -> Findings:
    match = tournament.matches[event.match]
    if not isinstance(event, ResultConfirmed) and any(event.result.adjusted):
        seqs, by = (recorded.seq,), event.result.adjusted
        yield AuditFinding("adjusted", seqs, match.round, match.number, match.players, adjusted=by)
    if not isinstance(event, ResultConfirmed):
        yield from _without_procedure(tournament, event, match, recorded)
    if not _is_anothers(tournament, event, match):
        yield from _by_a_player(tournament, match, recorded)
    if isinstance(event, ResultCorrected) or match.number in tournament.floor.unconfirmed:
        reason = event.reason if isinstance(event, ResultCorrected) else ""
        yield from _edited(tournament, match, recorded, reason)


def _without_procedure(
    tournament: Tournament,
    event: ResultReported | ResultCorrected,
    match: Match,
    recorded: Recorded,
) -> Findings:
    """Find an outcome that follows from one ending alone, and was reported without it."""
    rules, result = tournament.ruleset, event.result
    asked = (rules.outcome(each).ending for each in result.outcomes if each in rules.records)
    if not tournament.importing and any(each and each != result.ending for each in asked):
        seqs = (recorded.seq,)
        yield AuditFinding("no-procedure", seqs, match.round, match.number, match.players)


def _is_anothers(
    tournament: Tournament, event: ResultReported | ResultCorrected | ResultConfirmed, match: Match
) -> bool:
    """Whether a ruling of somebody who does not play the match is carried out."""
    seq = 0 if isinstance(event, ResultReported) else event.ruling
    ruling = tournament.floor.ruling(seq) if seq else None
    if ruling is None:
        return False
    return not involvement.plays_among(tournament.officials[ruling.made.official], match.players)


def _by_a_player(tournament: Tournament, match: Match, recorded: Recorded) -> Findings:
    desk = recorded.by.partition("/")[0]
    if desk[0] == "p" or tournament.importing:
        return
    number = int(desk[1:])
    player = player_of(tournament, number)
    if player:
        kind = "own-match" if player in match.players else "plays"
        yield AuditFinding(kind, (recorded.seq,), match=match.number, official=number)


def _edited(tournament: Tournament, match: Match, recorded: Recorded, reason: str) -> Findings:
    """Find a result that was changed after something was built on its round."""
    about = (recorded.seq,), match.round, match.number, match.players
    if match.round < len(tournament.rounds):
        yield AuditFinding("late-edit", *about, reason=reason)
    for stage in tournament.stages:
        begun = stage.rounds[0] if stage.rounds else 0
        if stage.cut_seq and match.round < begun and tournament.has_begun(stage):
            yield AuditFinding("cut-edit", *about, reason=reason)


def _withdrawn(tournament: Tournament, event: ResultWithdrawn, recorded: Recorded) -> Findings:
    number, seqs = tournament.matches[event.match].round, (event.withdraws, recorded.seq)
    yield AuditFinding("taken-back", seqs, number, event.match, reason=event.reason)


RESULTS: Readers = {
    ResultReported: _entered,
    ResultCorrected: _entered,
    ResultConfirmed: _entered,
    ResultWithdrawn: _withdrawn,
}
