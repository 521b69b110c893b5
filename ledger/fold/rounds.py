"""What pairing, posting, starting and closing do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.rounds import (
    Posted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    RoundUnpaired,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.fold.columns import clear, erase, write
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Match, Round, Tournament


def _paired(tournament: Tournament, event: RoundPaired, recorded: Recorded) -> None:
    played = Round(
        event.round,
        event.stage,
        event.attempt,
        paired_seq=recorded.seq,
        procedure=event.procedure,
        by_hand=event.by_hand,
    )
    tournament.rounds.append(played)
    tournament.stages[event.stage - 1].rounds.append(event.round)
    tournament.attempts[event.round] = event.attempt
    tournament.floor.calls.pop(event.round, None)
    clear(played, len(tournament.players) - 1)
    first = len(tournament.matches)
    played.matches = [
        Match(first + place, event.round, place + 1, one, other)
        for place, (one, other) in enumerate(event.games)
    ]
    tournament.matches.extend(played.matches)
    played.unreported = sum(match.is_open for match in played.matches)
    for match in played.matches:
        _grant_bye(tournament, match, recorded.seq)


def _grant_bye(tournament: Tournament, match: Match, seq: int) -> None:
    if not match.is_bye:
        return
    match.result_seq = seq
    for player in match.players:
        worth = tournament.ruleset.bye
        played = tournament.rounds[match.round - 1]
        write(played, player, seq, worth.points, "B", fields=worth.fields)
        tournament.players[player].byes += 1


def _revoke_bye(tournament: Tournament, match: Match) -> None:
    if match.is_bye:
        match.result_seq = 0
        for player in match.players:
            erase(tournament.rounds[match.round - 1], player)
            tournament.players[player].byes -= 1


def _unpaired(tournament: Tournament, event: RoundUnpaired, _: Recorded) -> None:
    for match in tournament.rounds[event.round - 1].matches:
        _revoke_bye(tournament, match)
        match.void = True
    played = tournament.rounds.pop()
    tournament.stages[played.stage - 1].rounds.remove(played.number)


def _swapped(tournament: Tournament, event: SeatsSwapped, recorded: Recorded) -> None:
    one, other = event.players
    trade = {one: other, other: one}
    played = tournament.rounds[event.round - 1]
    touched = [match for match in played.matches if {one, other} & set(match.players)]
    for match in touched:
        _revoke_bye(tournament, match)
        match.first = trade.get(match.first, match.first)
        match.second = trade.get(match.second, match.second)
        played.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def _repaired(tournament: Tournament, event: TablesRepaired, recorded: Recorded) -> None:
    played = tournament.rounds[event.round - 1]
    touched = [played.matches[table - 1] for table in event.tables]
    for match in touched:
        _revoke_bye(tournament, match)
    for match, game in zip(touched, event.games, strict=True):
        match.first, match.second = game
        played.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def _posted(tournament: Tournament, _event: Posted, recorded: Recorded) -> None:
    tournament.postings.append(recorded)


def _started(tournament: Tournament, event: RoundStarted, recorded: Recorded) -> None:
    played = tournament.rounds[event.round - 1]
    played.status = "started"
    played.minutes = event.minutes
    played.started_at = recorded.at


def _closed(tournament: Tournament, event: RoundClosed, _: Recorded) -> None:
    tournament.rounds[event.round - 1].status = "closed"


def _reopened(tournament: Tournament, event: RoundReopened, _: Recorded) -> None:
    played = tournament.rounds[event.round - 1]
    played.status = "started" if played.started_at else "paired"


def _unstarted(tournament: Tournament, event: RoundStarted, _: Recorded) -> None:
    played = tournament.rounds[event.round - 1]
    played.status, played.minutes, played.started_at = "paired", 0, ""


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    RoundPaired: _paired,
    RoundUnpaired: _unpaired,
    SeatsSwapped: _swapped,
    TablesRepaired: _repaired,
    Posted: _posted,
    RoundStarted: _started,
    RoundClosed: _closed,
    RoundReopened: _reopened,
}

UNDO: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    RoundStarted: _unstarted,
}
