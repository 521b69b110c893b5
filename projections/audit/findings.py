"""What one event is at its place: read before it is applied, so also before it is written."""

from __future__ import annotations

from collections.abc import Callable

from ledger.events import clock, disputes, elimination, office, opening, people, results, undo
from ledger.lines.recorded import Recorded
from ledger.tournament import involvement
from ledger.tournament.lists import revealed_hands
from ledger.tournament.state import Tournament
from ledger.tournament.withdrawals import with_meaning
from projections.audit.finding import AuditFinding, Findings, Readers, always
from projections.audit.key_findings import KEYS
from projections.audit.list_findings import LISTS
from projections.audit.pairing_findings import PAIRINGS, over_dispute
from projections.audit.result_findings import RESULTS, slow_confirmation


def findings_of(
    tournament: Tournament, recorded: Recorded, time_of: Callable[[int], str]
) -> Findings:
    """Yield what an event is at its place, in the tournament as the events before it left it.

    `time_of` gives the time that an earlier event claims.
    """
    recorded = with_meaning(tournament, recorded)
    yield from _own_judgement(tournament, recorded)
    reader = _READERS.get(type(recorded.event))
    if reader is not None:
        yield from reader(tournament, recorded.event, recorded)
    if isinstance(recorded.event, disputes.ResultConfirmed):
        yield from slow_confirmation(recorded.event, recorded, time_of)


def _own_judgement(tournament: Tournament, recorded: Recorded) -> Findings:
    """What somebody decided in their own match; what they entered there is found as a result."""
    event, desk = recorded.event, recorded.by.partition("/")[0]
    if desk[0] == "p" or int(desk[1:]) >= len(tournament.officials):
        return
    official = tournament.officials[int(desk[1:])]
    if isinstance(event, office.RulingMade):
        official, match = tournament.officials[event.official], tournament.matches[event.match]
        found = involvement.plays_among(official, match.players) and not tournament.importing
    else:
        players = involvement.judges_own(tournament, official, recorded, event)
        found = bool(players) and not isinstance(
            event, results.ResultReported | results.ResultCorrected
        )
    if found:
        number, seqs = getattr(event, "match", 0), (recorded.seq,)
        yield AuditFinding("own-judgement", seqs, match=number, official=official.number)


def _finished(
    tournament: Tournament, event: opening.TournamentFinished, recorded: Recorded
) -> Findings:
    yield from over_dispute(tournament, event, recorded)
    if event.hidden_key:
        for player, seq in revealed_hands.wrong_before(tournament, bytes.fromhex(event.hidden_key)):
            yield AuditFinding("hidden-list", (seq, recorded.seq), players=(player,))


def _read(
    _: Tournament, event: opening.TournamentOpened | opening.ImportResumed, recorded: Recorded
) -> Findings:
    """Find the readings by which another program's file was taken; plain ones are not listed."""
    source = event.imported if isinstance(event, opening.TournamentOpened) else event.source
    if source is not None and source.reading:
        yield AuditFinding("read-as", (recorded.seq,), reason=", ".join(source.reading))


def _announced(
    tournament: Tournament, event: opening.StructureAnnounced, recorded: Recorded
) -> Findings:
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("structure", (recorded.seq,), reason=event.reason)
    elif tournament.started and not tournament.importing:
        seqs = tournament.start_seq, recorded.seq
        yield AuditFinding("started-again", seqs, reason=event.reason)


def _unregistered(
    tournament: Tournament, event: people.RegistrationWithdrawn, recorded: Recorded
) -> Findings:
    seqs = tournament.players[event.player].seq, recorded.seq
    yield AuditFinding("unregistered", seqs, players=(event.player,), reason=event.reason)


def _forgotten(_: Tournament, event: people.PersonForgotten, recorded: Recorded) -> Findings:
    players = (int(event.of[1:]),) if event.of.startswith("p") else ()
    yield AuditFinding("forgotten", (recorded.seq,), players=players, kept=event.kept)


def _registered(
    tournament: Tournament, event: people.PlayerRegistered, recorded: Recorded
) -> Findings:
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("late-entry", (recorded.seq,), players=(event.player,))


def _amended(tournament: Tournament, event: people.PlayerAmended, recorded: Recorded) -> Findings:
    if tournament.rounds and not tournament.importing:
        seqs, players = (recorded.seq,), (event.player,)
        yield AuditFinding("amended", seqs, players=players, reason=event.reason)


def _rejoined(_: Tournament, event: people.PlayerRejoined, recorded: Recorded) -> Findings:
    if event.waiver is not None:
        seqs, reason = (recorded.seq,), event.waiver.reason
        yield AuditFinding("late-return", seqs, players=(event.player,), reason=reason)


def _ruled(_: Tournament, event: office.RulingMade, recorded: Recorded) -> Findings:
    """A ruling that names no clause; a review that upholds one rests on what that one names."""
    if not (event.clause.strip() or event.upheld):
        official, reason = event.official, event.ruling
        seqs = (recorded.seq,)
        yield AuditFinding("no-clause", seqs, 0, event.match, official=official, reason=reason)


_READERS: Readers = {
    **PAIRINGS,
    **RESULTS,
    **KEYS,
    **LISTS,
    elimination.CutMade: over_dispute,
    elimination.CutWithdrawn: always("cut-back"),
    opening.TournamentOpened: _read,
    opening.ImportResumed: _read,
    opening.TournamentFinished: _finished,
    opening.StructureAnnounced: _announced,
    people.PlayerRegistered: _registered,
    people.RegistrationWithdrawn: _unregistered,
    people.PlayerAmended: _amended,
    people.PlayerRejoined: _rejoined,
    people.PersonForgotten: _forgotten,
    office.RulingMade: _ruled,
    clock.RoundPaused: always("clock-stopped"),
    clock.RoundExtended: always("round-extended"),
    **dict.fromkeys(
        (
            *(undo.ActWithdrawn, people.DropWithdrawn, people.DisqualificationWithdrawn),
            *(disputes.ConfirmationWithdrawn, disputes.DisputeWithdrawn),
            *(disputes.AppealWithdrawn, disputes.RulingWithdrawn),
        ),
        always("unsaid"),
    ),
}
