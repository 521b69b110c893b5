"""One match's whole story: every event that made or touched it, in order.

Most of them name the match. `OTHER_TYPES` are the kinds that belong to it in another way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from ledger.events import disputes, office, people, rounds, undo
from ledger.events.clock import RoundExtended, RoundPaused, RoundResumed, TimeCalled
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Match, Tournament

if TYPE_CHECKING:
    from ledger.books.open_log import OpenLog

CLOCK_ACTS = (TimeCalled, RoundExtended, RoundPaused, RoundResumed)
"""What is done to the clock of a whole round."""

OF_THE_ROUND = {rounds.RoundStarted, rounds.RoundClosed, rounds.RoundReopened, *CLOCK_ACTS}
"""What concerns every match of a round."""

OTHER_TYPES = (
    rounds.RoundPaired,
    rounds.Posted,
    rounds.SeatsSwapped,
    rounds.TablesRepaired,
    rounds.PlayersSeated,
    rounds.RoundStarted,
    rounds.RoundClosed,
    rounds.RoundReopened,
    *CLOCK_ACTS,
    disputes.AppealMade,
    undo.ActWithdrawn,
    people.PlayerDropped,
    people.PlayerDisqualified,
    office.CallAnswered,
)


def story_in(reading: OpenLog, match: Match) -> list[Recorded]:
    """Read a store for what concerns a match, and decode little else."""
    tournament = reading.tournament
    paired = tournament.rounds[match.round - 1].paired_seq
    log = reading.recorded_of(OTHER_TYPES, "match", match.number, paired - 1)
    return story_of(tournament, log, match)


def story_of(tournament: Tournament, log: Iterable[Recorded], match: Match) -> list[Recorded]:
    """Choose what concerns a match: pairing, posting, clock, reports, rulings and all.

    `log` is the one that the tournament was folded from, or what it has from the pairing on.
    """
    paired = tournament.rounds[match.round - 1].paired_seq
    seqs: set[int] = set()
    acts: set[str] = set()
    story: list[Recorded] = []
    for recorded in log:
        if recorded.seq < paired:
            continue
        if recorded.seq == paired or _concerns(recorded, match, seqs, acts):
            story.append(recorded)
            seqs.add(recorded.seq)
            acts.add(recorded.command_id)
    return story


def _concerns(recorded: Recorded, match: Match, seqs: set[int], acts: set[str]) -> bool:
    event = recorded.event
    match event:
        case rounds.SeatsSwapped() | rounds.TablesRepaired() | rounds.PlayersSeated():
            return event.round == match.round and _moves_seats(event, match)
        case rounds.Posted(what=what, round=number):
            return what == "pairings" and number == match.round
        case (
            disputes.AppealMade(ruling=seq)
            | undo.ActWithdrawn(withdraws=seq)
            | office.CallAnswered(call=seq)
        ):
            return seq in seqs
        case people.PlayerDropped(player=player) | people.PlayerDisqualified(player=player):
            return player in match.players and recorded.command_id in acts
        case _ if type(event) in OF_THE_ROUND:
            return bool(getattr(event, "round", 0) == match.round)
        case _:
            return getattr(event, "match", 0) == match.number


def _moves_seats(
    event: rounds.SeatsSwapped | rounds.TablesRepaired | rounds.PlayersSeated, match: Match
) -> bool:
    if isinstance(event, rounds.PlayersSeated):
        return event.table == match.table
    if isinstance(event, rounds.TablesRepaired):
        return match.table in event.tables
    return not set(event.players).isdisjoint(match.players)


def story_as_json(match: Match, story: list[Recorded]) -> dict[str, object]:
    """Make a story for scripts; data are the events' bodies as they stand in the log."""
    return {
        "match": match.number,
        "round": match.round,
        "table": match.table,
        "players": list(match.players),
        "result": msgspec.to_builtins(match.result),
        "result_seq": match.result_seq or None,
        "story": [
            {name: getattr(each, name) for name in ("seq", "at", "by", "type")}
            | {"data": msgspec.to_builtins(each.event)}
            for each in story
        ],
    }
