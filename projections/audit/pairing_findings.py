"""What is found in a pairing, and in what changes one."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from msgspec import Struct

from ledger.events import rounds
from ledger.events.base import Waiver
from ledger.events.elimination import CutMade
from ledger.events.opening import TournamentFinished
from ledger.lines.recorded import Recorded
from ledger.pairing.meetings import Grounds, barred, grounds, grounds_of
from ledger.tournament import disputes
from ledger.tournament.byes import has_more_byes
from ledger.tournament.state import Round, Tournament
from projections.audit.finding import AuditFinding, Readers, always


def _paired(
    tournament: Tournament, event: rounds.RoundPaired, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number, reason = (recorded.seq,), event.round, _reason(event)
    if event.by_hand:
        yield AuditFinding("by-hand", seqs, number, tables=event.by_hand, reason=reason)
    if event.attempt > 1:
        yield AuditFinding("re-paired", seqs, number, reason=reason)
    yield from over_dispute(tournament, event, recorded)
    stage = tournament.stages[event.stage - 1]
    if stage.is_swiss:
        known = grounds(tournament, stage)
        meetings = _Meetings(known, event.games, tuple(barred(known, event.games, event.by_hand)))
        found = AuditFinding("", seqs, number, reason=reason)
        yield from _met_again(tournament, meetings, found)


def _swapped(
    tournament: Tournament, event: rounds.SeatsSwapped, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number, reason = (recorded.seq,), event.round, _reason(event)
    yield AuditFinding("swap", seqs, number, players=event.players, reason=reason)
    round_ = tournament.rounds[event.round - 1]
    one, other = event.players
    trade = {one: other, other: one}
    games = tuple(
        (trade.get(match.first, match.first), trade.get(match.second, match.second))
        for match in round_.matches
        if not trade.keys().isdisjoint(match.players)
    )
    found = AuditFinding("", seqs, number, reason=reason)
    yield from _met_again(tournament, _meetings_of(tournament, round_, games), found)


def _repaired(
    tournament: Tournament, event: rounds.TablesRepaired, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number = (recorded.seq,), event.round
    players = tuple(player for game in event.games for player in game if player)
    yield AuditFinding("repaired", seqs, number, players=players, reason=event.reason)
    found = AuditFinding("", seqs, number, reason=event.reason)
    meetings = _meetings_of(tournament, tournament.rounds[number - 1], event.games)
    yield from _met_again(tournament, meetings, found)


class _Meetings(Struct, frozen=True):
    """Games that are to be: what is known of who met before, and those that the ban forbids."""

    known: Grounds
    games: tuple[tuple[int, int], ...]
    barred: tuple[tuple[int, int], ...]


def _meetings_of(
    tournament: Tournament, round_: Round, games: tuple[tuple[int, int], ...]
) -> _Meetings:
    """A few games of the round in play, held to all the rounds that its players could have."""
    known = grounds_of(tournament, round_)
    bars, _ = known.bars([player for match in round_.matches for player in match.players])
    forbidden = tuple((one, other) for one, other in games if other in bars.get(one, ()))
    return _Meetings(known, games, forbidden)


def _met_again(
    tournament: Tournament, meetings: _Meetings, found: AuditFinding
) -> Iterator[AuditFinding]:
    """Rematches, repeated pairings and second byes among games that are to be."""
    for one, other in meetings.games:
        if (one, other) in meetings.barred:
            yield _with(found, "rematch", (one, other))
        elif one and other in meetings.known.paired.get(one, ()):
            yield _with(found, "paired-again", (one, other))
        player = one or other
        if not (one and other) and player and has_more_byes(tournament, player):
            yield _with(found, "second-bye", (player,))


def _with(found: AuditFinding, kind: str, players: tuple[int, ...]) -> AuditFinding:
    return AuditFinding(kind, found.seqs, found.round, players=players, reason=found.reason)


def _reason(event: rounds.RoundPaired | rounds.SeatsSwapped) -> str:
    return event.reason or (event.waiver.reason if event.waiver else "")


def over_dispute(
    tournament: Tournament,
    event: rounds.RoundPaired | rounds.RoundClosed | CutMade | TournamentFinished,
    recorded: Recorded,
) -> Iterator[AuditFinding]:
    """Find the disputes that an organizer went on over."""
    waiver = event.waiver
    if not isinstance(waiver, Waiver) or disputes.OPEN_DISPUTE not in waiver.clauses:
        return
    for dispute in disputes.unsettled(tournament):
        seqs = (dispute.seq, recorded.seq)
        yield AuditFinding("over-dispute", seqs, match=dispute.match, reason=waiver.reason)


PAIRINGS: Readers = MappingProxyType(
    {
        rounds.RoundPaired: _paired,
        rounds.RoundUnpaired: always("unpaired"),
        rounds.SeatsSwapped: _swapped,
        rounds.TablesRepaired: _repaired,
        rounds.RoundClosed: over_dispute,
        rounds.RoundReopened: always("reopened"),
    }
)
