"""The events of a fork: what takes the place of others, and what comes before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.facts import disputes, people
from ledger.facts.base import Event
from ledger.facts.elimination import PlaceForfeited, QualifierReplaced
from ledger.facts.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.facts.rounds import (
    PlayersSeated,
    RoundPaired,
    SeatingWithdrawn,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.facts.undo import ActWithdrawn
from ledger.fold import with_meaning
from ledger.forks.facts import Left, OtherResult, Stayed, closing_of, is_so, place_of
from ledger.lines.recorded import Recorded, record
from ledger.tournament.disputes import current_claim
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from ledger.forks.facts import Fact

FORKED = "whatif"
"""The id of every event that was put in."""

RESEATING = (SeatsSwapped, TablesRepaired, PlayersSeated, SeatingWithdrawn)
"""Events that change who sits where in a round that is paired."""

SAYINGS = (
    disputes.ResultConfirmed,
    disputes.ConfirmationWithdrawn,
    disputes.ResultDisputed,
    disputes.DisputeWithdrawn,
)
"""What is said of a result that is there."""

ABOUT_RESULTS = (ResultReported, ResultCorrected, ResultWithdrawn, *SAYINGS)
"""What no match has whose seats are empty."""

COMINGS_AND_GOINGS = (
    people.PlayerDropped,
    people.PlayerDisqualified,
    people.DropWithdrawn,
    people.DisqualificationWithdrawn,
    people.PlayerRejoined,
)


class Edits(Struct):
    """What is other than in the log, by place: an event instead (None: none), events put before."""

    instead: dict[int, Event | None] = field(default_factory=dict)
    before: dict[int, list[Event]] = field(default_factory=dict)


def edits_of(log: Sequence[Recorded], tournament: Tournament, facts: Sequence[Fact]) -> Edits:
    """What the facts, which can have been, change in the log."""
    edits = Edits()
    log = [with_meaning(tournament, each) for each in log]
    for fact in facts:
        if isinstance(fact, OtherResult):
            _end_otherwise(log, tournament, fact, edits)
        elif isinstance(fact, Stayed):
            _leave_out_departure(log, fact.player, edits)
    leaving = [
        each for each in facts if isinstance(each, Left) and not is_so(log, tournament, each)
    ]
    for left in leaving:
        _let_leave(log, tournament, left, edits)
    _empty_seats(log, tournament, leaving, edits)
    return edits


def _end_otherwise(
    log: Sequence[Recorded], tournament: Tournament, fact: OtherResult, edits: Edits
) -> None:
    match = tournament.matches[fact.match]
    if match.result == fact.result:
        return
    said = current_claim(tournament, match)
    if said is None:
        is_closed = tournament.rounds[match.round - 1].status == "closed"
        closed = closing_of(log, match.round) if is_closed else log[-1].seq + 1
        assert fact.result is not None  # noqa: S101 - else it would be as it is
        edits.before.setdefault(closed, []).append(ResultReported(fact.match, fact.result))
        return
    edits.instead[said.seq] = _instead_of(log[said.seq - 1].event, fact)
    if fact.result is None:
        for each in log[said.seq :]:
            if isinstance(each.event, SAYINGS) and each.event.match == match.number:
                edits.instead[each.seq] = None


def _instead_of(event: Event, fact: OtherResult) -> Event | None:
    if isinstance(event, ResultCorrected):
        if fact.result is not None:
            return replace(event, result=fact.result)
        return ActWithdrawn(event.corrects, event.reason)
    return None if fact.result is None else ResultReported(fact.match, fact.result)


def _leave_out_departure(log: Sequence[Recorded], player: int, edits: Edits) -> None:
    """Leave the departures out that nothing has brought the player back from."""
    gone: list[int] = []
    for each in log:
        if isinstance(each.event, COMINGS_AND_GOINGS) and each.event.player == player:
            is_departure = isinstance(each.event, people.PlayerDropped | people.PlayerDisqualified)
            gone = [*gone, each.seq] if is_departure else []
    edits.instead |= dict.fromkeys(gone)
    edits.instead |= dict.fromkeys(_filled_places(log, player, gone[0] if gone else 0))


def _filled_places(log: Sequence[Recorded], player: int, since: int) -> Iterator[int]:
    """Find what was done about the player's place in a cut."""
    for each in log:
        event = each.event
        if each.seq < since or not isinstance(event, QualifierReplaced | PlaceForfeited):
            continue
        entered = isinstance(event, QualifierReplaced) and event.entrant == player
        if event.leaver == player or entered:
            yield each.seq


def _let_leave(log: Sequence[Recorded], tournament: Tournament, left: Left, edits: Edits) -> None:
    place = place_of(log, tournament, left)
    recommended = tournament.floor.recommended.get(left.player, 0)
    departure: Event = people.PlayerDropped(left.player)
    if left.disqualified:
        departure = people.PlayerDisqualified(left.player, FORKED, recommendation=recommended)
    edits.before.setdefault(place, []).append(departure)
    for each in log[place - 1 :]:
        if isinstance(each.event, COMINGS_AND_GOINGS) and each.event.player == left.player:
            edits.instead[each.seq] = None
    edits.instead |= dict.fromkeys(_filled_places(log, left.player, place))


def _empty_seats(
    log: Sequence[Recorded], tournament: Tournament, leaving: Sequence[Left], edits: Edits
) -> None:
    """Let those who were paired with them later have a bye: the pairing tells the last seats."""
    emptied: set[int] = set()
    for round_ in tournament.rounds:
        gone = {left.player for left in leaving if left.round < round_.number}
        touched = {match.number for match in round_.matches if gone & set(match.players)}
        if not touched:
            continue
        emptied |= touched
        pairing = log[round_.paired_seq - 1].event
        assert isinstance(pairing, RoundPaired)  # noqa: S101 - what its place says
        later = [each for each in log[round_.paired_seq :] if _is_of(each.event, round_.number)]
        absent = gone | set(round_.latecomers)
        games = tuple(_without(match, absent) for match in round_.matches)
        edits.instead[round_.paired_seq] = replace(pairing, games=games)
        for each in later:
            edits.instead[each.seq] = None
            if isinstance(each.event, PlayersSeated):
                absent -= set(each.event.newcomers) - gone
                edits.instead |= _seated_in(round_, each, absent)
    for each in log:
        if isinstance(each.event, ABOUT_RESULTS) and each.event.match in emptied:
            edits.instead[each.seq] = None


def _is_of(event: Event, number: int) -> bool:
    """Whether an event changes who sits where in a round."""
    return isinstance(event, RESEATING) and event.round == number


def _seated_in(round_: Round, seating: Recorded, absent: set[int]) -> dict[int, Event]:
    """Seat a latecomer at the table where they sat in the end."""
    event = seating.event
    assert isinstance(event, PlayersSeated)  # noqa: S101 - as it was chosen
    newcomers = set(event.newcomers) - absent
    match = next((each for each in round_.matches if newcomers & set(each.players)), None)
    if not match:
        return {}
    game, was = _without(match, absent), _without(match, absent | newcomers)
    return {seating.seq: replace(event, table=match.table, game=game, was=was)}


def _without(match: Match, gone: set[int]) -> tuple[int, int]:
    first, second = (0 if seat in gone else seat for seat in (match.first, match.second))
    return (first, second) if first else (second, 0)


def edited(log: Sequence[Recorded], edits: Edits) -> Iterator[tuple[Recorded, bool]]:
    """Yield the events of the fork, and whether each is other than in the log."""
    for each in log:
        for event in edits.before.get(each.seq, ()):
            yield record(each.seq, FORKED, each.at, each.by, event), True
        instead = edits.instead.get(each.seq, each.event)
        if instead is not None:
            kept = each
            if instead is not each.event or "." in each.id:
                # An act that has lost an event has no numbers to follow.
                kept = record(each.seq, each.command_id, each.at, each.by, instead)
            yield kept, each.seq in edits.instead
    for event in edits.before.get(log[-1].seq + 1, ()):
        yield record(log[-1].seq + 1, FORKED, log[-1].at, log[-1].by, event), True
