"""What one event is at its place: read before it is applied, so also before it is written."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger.events.base import Waiver
from ledger.events.disputes import (
    AppealWithdrawn,
    ConfirmationWithdrawn,
    DisputeWithdrawn,
    ResultConfirmed,
    RulingWithdrawn,
)
from ledger.events.elimination import CutMade, CutWithdrawn
from ledger.events.office import RulingMade
from ledger.events.opening import TournamentFinished
from ledger.events.people import (
    DisqualificationWithdrawn,
    DropWithdrawn,
    PersonForgotten,
    PlayerRegistered,
    PlayerRejoined,
)
from ledger.events.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.events.rounds import (
    RoundClosed,
    RoundPaired,
    RoundReopened,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.events.undo import ActWithdrawn
from ledger.pairing.meetings import barred, grounds, grounds_of
from ledger.tournament import disputes, hidden_hands, involvement
from ledger.tournament.byes import has_more_byes
from ledger.tournament.office import player_of
from ledger.tournament.withdrawals import meant
from projections.audit.finding import AuditFinding
from projections.audit.key_findings import KEYS
from projections.audit.kinds import SLOW_MINUTES
from projections.audit.starts import STARTS
from projections.matches.round_clock import is_clock, minutes_between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.events import Event
    from ledger.lines.line import Recorded
    from ledger.pairing.meetings import Grounds
    from ledger.tournament.state import Match, Round, Tournament


def findings_of(
    tournament: Tournament, recorded: Recorded, clock: Callable[[int], str]
) -> Iterator[AuditFinding]:
    """Yield what an event is at its place; `tournament` is as the events before it left it.

    `clock` tells the time that an earlier event claims.
    """
    recorded = meant(tournament, recorded)
    yield from _own_judgement(tournament, recorded)
    reader = _READERS.get(type(recorded.event))
    if reader is not None:
        yield from reader(tournament, recorded.event, recorded)
    if isinstance(recorded.event, ResultConfirmed):
        yield from _slow(recorded.event, recorded, clock)


def _own_judgement(tournament: Tournament, recorded: Recorded) -> Iterator[AuditFinding]:
    """What somebody decided in their own match; what they entered there is found as a result."""
    event, desk = recorded.event, recorded.by.partition("/")[0]
    if desk[0] == "p" or int(desk[1:]) >= len(tournament.officials):
        return
    official = tournament.officials[int(desk[1:])]
    if isinstance(event, RulingMade):
        official, match = tournament.officials[event.official], tournament.matches[event.match]
        found = involvement.plays_among(official, match.players) and not tournament.importing
    else:
        players = involvement.judges_own(tournament, official, recorded, event)
        found = bool(players) and not isinstance(event, ResultReported | ResultCorrected)
    if found:
        match_number: int = getattr(event, "match", 0)
        yield AuditFinding(
            "own-judgement", (recorded.seq,), match=match_number, official=official.number
        )


def _slow(
    event: ResultConfirmed, recorded: Recorded, clock: Callable[[int], str]
) -> Iterator[AuditFinding]:
    reported = clock(event.confirms)
    if not is_clock(reported) or not is_clock(recorded.at):
        return  # which is a finding of its own
    passed = minutes_between(reported, recorded.at)
    if passed >= SLOW_MINUTES:
        seqs = (event.confirms, recorded.seq)
        yield AuditFinding("slow", seqs, match=event.match, minutes=passed)


def _paired(
    tournament: Tournament, event: RoundPaired, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number, reason = (recorded.seq,), event.round, _reason(event)
    if event.by_hand:
        yield AuditFinding("by-hand", seqs, number, tables=event.by_hand, reason=reason)
    if event.attempt > 1:
        yield AuditFinding("re-paired", seqs, number, reason=reason)
    yield from _over_dispute(tournament, event, recorded)
    stage = tournament.stages[event.stage - 1]
    if stage.is_swiss:
        known = grounds(tournament, stage)
        meetings = _Meetings(known, event.games, tuple(barred(known, event.games, event.by_hand)))
        found = AuditFinding("", seqs, number, reason=reason)
        yield from _met_again(tournament, meetings, found)


def _swapped(
    tournament: Tournament, event: SeatsSwapped, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number, reason = (recorded.seq,), event.round, _reason(event)
    yield AuditFinding("swap", seqs, number, players=event.players, reason=reason)
    played = tournament.rounds[event.round - 1]
    one, other = event.players
    trade = {one: other, other: one}
    games = tuple(
        (trade.get(match.first, match.first), trade.get(match.second, match.second))
        for match in played.matches
        if not trade.keys().isdisjoint(match.players)
    )
    found = AuditFinding("", seqs, number, reason=reason)
    yield from _met_again(tournament, _seated_anew(tournament, played, games), found)


def _repaired(
    tournament: Tournament, event: TablesRepaired, recorded: Recorded
) -> Iterator[AuditFinding]:
    seqs, number = (recorded.seq,), event.round
    players = tuple(player for game in event.games for player in game if player)
    yield AuditFinding("repaired", seqs, number, players=players, reason=event.reason)
    found = AuditFinding("", seqs, number, reason=event.reason)
    meetings = _seated_anew(tournament, tournament.rounds[number - 1], event.games)
    yield from _met_again(tournament, meetings, found)


class _Meetings(Struct, frozen=True):
    """Games that are to be: what is known of who met before, and those that the ban forbids."""

    known: Grounds
    games: tuple[tuple[int, int], ...]
    barred: tuple[tuple[int, int], ...]


def _seated_anew(
    tournament: Tournament, played: Round, games: tuple[tuple[int, int], ...]
) -> _Meetings:
    """A few games of the round in play, held to all the rounds that its players could have."""
    known = grounds_of(tournament, played)
    bars, _ = known.bars([player for match in played.matches for player in match.players])
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


def _reason(event: RoundPaired | SeatsSwapped) -> str:
    return event.reason or (event.waiver.reason if event.waiver else "")


def _over_dispute(
    tournament: Tournament,
    event: RoundPaired | RoundClosed | CutMade | TournamentFinished,
    recorded: Recorded,
) -> Iterator[AuditFinding]:
    waiver = event.waiver
    if not isinstance(waiver, Waiver) or disputes.OPEN_DISPUTE not in waiver.clauses:
        return
    for dispute in disputes.unsettled(tournament):
        seqs = (dispute.seq, recorded.seq)
        yield AuditFinding("over-dispute", seqs, match=dispute.match, reason=waiver.reason)


def _finished(
    tournament: Tournament, event: TournamentFinished, recorded: Recorded
) -> Iterator[AuditFinding]:
    yield from _over_dispute(tournament, event, recorded)
    if event.hidden_key:
        for player, seq in hidden_hands.wrong_before(tournament, bytes.fromhex(event.hidden_key)):
            yield AuditFinding("hidden-list", (seq, recorded.seq), players=(player,))


def _entered(
    tournament: Tournament,
    event: ResultReported | ResultCorrected | ResultConfirmed,
    recorded: Recorded,
) -> Iterator[AuditFinding]:
    match = tournament.matches[event.match]
    if not isinstance(event, ResultConfirmed) and any(event.result.adjusted):
        seqs = (recorded.seq,)
        by = event.result.adjusted
        yield AuditFinding("adjusted", seqs, match.round, match.number, match.players, adjusted=by)
    if not _is_anothers(tournament, event, match):
        yield from _by_a_player(tournament, match, recorded)
    if isinstance(event, ResultCorrected) or match.number in tournament.floor.unconfirmed:
        reason = event.reason if isinstance(event, ResultCorrected) else ""
        yield from _edited(tournament, match, recorded, reason)


def _is_anothers(
    tournament: Tournament, event: ResultReported | ResultCorrected | ResultConfirmed, match: Match
) -> bool:
    """Whether a ruling of somebody who does not play the match is carried out."""
    seq = 0 if isinstance(event, ResultReported) else event.ruling
    ruling = tournament.floor.ruling(seq) if seq else None
    if ruling is None:
        return False
    return not involvement.plays_among(tournament.officials[ruling.made.official], match.players)


def _by_a_player(
    tournament: Tournament, match: Match, recorded: Recorded
) -> Iterator[AuditFinding]:
    desk = recorded.by.partition("/")[0]
    if desk[0] == "p" or tournament.importing:
        return
    number = int(desk[1:])
    player = player_of(tournament, number)
    if player:
        kind = "own-match" if player in match.players else "plays"
        yield AuditFinding(kind, (recorded.seq,), match=match.number, official=number)


def _edited(
    tournament: Tournament, match: Match, recorded: Recorded, reason: str
) -> Iterator[AuditFinding]:
    """A result that counts anew after something was built on the round."""
    seqs = (recorded.seq,)
    if match.round < len(tournament.rounds):
        yield AuditFinding(
            "late-edit", seqs, match.round, match.number, match.players, reason=reason
        )
    for stage in tournament.stages:
        begun = stage.rounds[0] if stage.rounds else 0
        if stage.cut_seq and match.round < begun and tournament.has_begun(stage):
            yield AuditFinding(
                "cut-edit", seqs, match.round, match.number, match.players, reason=reason
            )


def _withdrawn(
    tournament: Tournament, event: ResultWithdrawn, recorded: Recorded
) -> Iterator[AuditFinding]:
    match = tournament.matches[event.match]
    seqs = (event.withdraws, recorded.seq)
    yield AuditFinding("taken-back", seqs, match.round, match.number, reason=event.reason)


_OF_A_PLAYER = AppealWithdrawn | DropWithdrawn | DisqualificationWithdrawn


def _unsaid(
    _: Tournament,
    event: ActWithdrawn
    | AppealWithdrawn
    | ConfirmationWithdrawn
    | DisputeWithdrawn
    | DropWithdrawn
    | DisqualificationWithdrawn
    | RulingWithdrawn,
    recorded: Recorded,
) -> Iterator[AuditFinding]:
    match = getattr(event, "match", 0)
    players = (event.player,) if isinstance(event, _OF_A_PLAYER) else ()
    seqs = (event.withdraws, recorded.seq)
    yield AuditFinding("unsaid", seqs, match=match, players=players, reason=event.reason)


def _cut_back(_: Tournament, event: CutWithdrawn, recorded: Recorded) -> Iterator[AuditFinding]:
    yield AuditFinding("cut-back", (event.withdraws, recorded.seq), reason=event.reason)


def _reopened(_: Tournament, event: RoundReopened, recorded: Recorded) -> Iterator[AuditFinding]:
    yield AuditFinding("reopened", (recorded.seq,), event.round, reason=event.reason)


def _forgotten(_: Tournament, event: PersonForgotten, recorded: Recorded) -> Iterator[AuditFinding]:
    players = (int(event.of[1:]),) if event.of.startswith("p") else ()
    yield AuditFinding("forgotten", (recorded.seq,), players=players, kept=event.kept)


def _registered(
    tournament: Tournament, event: PlayerRegistered, recorded: Recorded
) -> Iterator[AuditFinding]:
    if tournament.rounds and not tournament.importing:
        yield AuditFinding("late-entry", (recorded.seq,), players=(event.player,))


def _rejoined(_: Tournament, event: PlayerRejoined, recorded: Recorded) -> Iterator[AuditFinding]:
    if event.waiver is not None:
        reason = event.waiver.reason
        yield AuditFinding("late-return", (recorded.seq,), players=(event.player,), reason=reason)


def _ruled(_: Tournament, event: RulingMade, recorded: Recorded) -> Iterator[AuditFinding]:
    """A ruling that names no clause; a review that upholds one rests on what that one names."""
    if not (event.clause.strip() or event.upheld):
        seqs, match = (recorded.seq,), event.match
        yield AuditFinding(
            "no-clause", seqs, match=match, official=event.official, reason=event.ruling
        )


_READERS: Mapping[type[Event], Callable[[Tournament, Any, Recorded], Iterator[AuditFinding]]] = (
    MappingProxyType(
        {
            RoundPaired: _paired,
            SeatsSwapped: _swapped,
            TablesRepaired: _repaired,
            RoundReopened: _reopened,
            RoundClosed: _over_dispute,
            CutMade: _over_dispute,
            CutWithdrawn: _cut_back,
            TournamentFinished: _finished,
            ResultReported: _entered,
            ResultCorrected: _entered,
            ResultConfirmed: _entered,
            ResultWithdrawn: _withdrawn,
            PlayerRegistered: _registered,
            PlayerRejoined: _rejoined,
            RulingMade: _ruled,
            **STARTS,
            ActWithdrawn: _unsaid,
            ConfirmationWithdrawn: _unsaid,
            DisputeWithdrawn: _unsaid,
            AppealWithdrawn: _unsaid,
            RulingWithdrawn: _unsaid,
            DropWithdrawn: _unsaid,
            DisqualificationWithdrawn: _unsaid,
            PersonForgotten: _forgotten,
            **KEYS,
        }
    )
)
