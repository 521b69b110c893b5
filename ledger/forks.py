"""Forks: the log of a day on which some facts were others. Nobody stores one.

A fact stands in for the one that really happened, at its place in the log:

    a result     replaces the event that gives the match its result now: a correction where it was
                 corrected, so that what was believed before stays; without any, it comes before
                 the round is closed, or last
    no result    the report is left out, the correction becomes a withdrawal; what was said of
                 the result later, confirmed or disputed, goes with it
    a departure  comes right after the round was closed; whoever was paired with the player later
                 has a bye in that round, and their own later comings and goings are left out
    staying      the departure that stands is left out, with whatever filled the place in a cut

A result that would wait to be confirmed is confirmed: a fact is not in question. A correction that
carried a ruling out is another one; the ruling stays.

Everything else stays as it was played. The events keep their `seq`; one that was put in has that
of the event it comes before.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - msgspec resolves the annotations
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec import field
from msgspec.structs import replace

from ledger.checks import CHECKS
from ledger.checks.results import bracket_stands
from ledger.checks.results import find as find_match
from ledger.checks.results import rules_problems
from ledger.disputes import standing
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.events.base import Event  # noqa: TC001 - as above
from ledger.events.disputes import ConfirmationWithdrawn
from ledger.events.disputes import DisputeWithdrawn
from ledger.events.disputes import ResultConfirmed
from ledger.events.disputes import ResultDisputed
from ledger.events.elimination import PlaceForfeited
from ledger.events.elimination import QualifierReplaced
from ledger.events.people import DisqualificationWithdrawn
from ledger.events.people import DropWithdrawn
from ledger.events.people import PlayerDisqualified
from ledger.events.people import PlayerDropped
from ledger.events.people import PlayerRegistered
from ledger.events.people import PlayerRejoined
from ledger.events.results import Result
from ledger.events.results import ResultCorrected
from ledger.events.results import ResultReported
from ledger.events.results import ResultWithdrawn
from ledger.events.rounds import RoundClosed
from ledger.events.rounds import RoundPaired
from ledger.events.rounds import SeatsSwapped
from ledger.events.rounds import TablesRepaired
from ledger.fold import collector_paused
from ledger.fold import evolve
from ledger.fold import fold
from ledger.lines import Recorded
from ledger.lines import record
from ledger.progress import find_player
from ledger.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.state import Match

FORKED = "whatif"
"""The id of every event that was put in."""

RESEATING = (SeatsSwapped, TablesRepaired)
"""Events that change who sits where in a round that is paired."""

SAYINGS = (ResultConfirmed, ConfirmationWithdrawn, ResultDisputed, DisputeWithdrawn)
"""What is said of a result that is there."""

ABOUT_RESULTS = (ResultReported, ResultCorrected, ResultWithdrawn, *SAYINGS)
"""What no match has whose seats are empty."""

COMINGS_AND_GOINGS = (
    PlayerDropped,
    PlayerDisqualified,
    DropWithdrawn,
    DisqualificationWithdrawn,
    PlayerRejoined,
)


class OtherResult(Struct, frozen=True):
    """A match ended so; None: it has no result."""

    match: int
    result: Result | None


class Left(Struct, frozen=True):
    """A player left after that round was closed, 0: before the first; dropped or disqualified."""

    player: int
    round: int
    disqualified: bool = False


class Stayed(Struct, frozen=True):
    """A player who left, by a drop or a disqualification, did not."""

    player: int


Fact = OtherResult | Left | Stayed
"""What may have been otherwise."""


class Fork(Struct, frozen=True):
    """What the log would be, and what it adds up to."""

    log: list[Recorded]
    tournament: Tournament


class _Edits(Struct):
    """What is other than in the log, by `seq`: an event instead (None: none), events put before."""

    instead: dict[int, Event | None] = field(default_factory=dict)
    before: dict[int, list[Event]] = field(default_factory=dict)


def fork(log: Sequence[Recorded], facts: Sequence[Fact], folded: Tournament | None = None) -> Fork:
    """Make the log in which the facts are these; what is so already changes nothing.

    `folded` is what the log adds up to, where that is at hand.

    Raises:
        NotFound: there is no such match or player.
        Refused: every reason why it can not have been: a fact against another, against the
            ruleset, or of somebody who was not there.
    """
    tournament = fold(log) if folded is None else folded
    problems = [problem for fact in facts for problem in _impossible(log, tournament, fact)]
    problems += _contradictions(tournament, facts)
    if problems:
        raise Refused(*dict.fromkeys(problems))
    edits = _Edits()
    for fact in facts:
        if isinstance(fact, OtherResult):
            _end_otherwise(log, tournament, fact, edits)
        elif isinstance(fact, Stayed):
            _leave_out_departure(log, fact.player, edits)
    leaving = [each for each in facts if isinstance(each, Left) and not _so(log, tournament, each)]
    for left in leaving:
        _let_leave(log, tournament, left, edits)
    _empty_seats(log, tournament, leaving, edits)
    if not (edits.instead or edits.before):
        return Fork(list(log), tournament)
    return _refolded(_edited(log, edits))


def _impossible(log: Sequence[Recorded], tournament: Tournament, fact: Fact) -> Iterator[str]:
    """Yield why a fact by itself can not have been."""
    if isinstance(fact, OtherResult):
        match = find_match(tournament, fact.match)
        if match is None:
            raise NotFound(f"there is no match {fact.match}")
        if match.is_bye:
            yield f"{match.round}/{match.table} is a bye: its result is given"
        return
    player = find_player(tournament, fact.player)
    if player is None or player.status == "withdrawn":
        raise NotFound(f"there is no player {fact.player}")
    if isinstance(fact, Left):
        yield from _not_there(log, tournament, fact)
    elif player.status not in {"dropped", "disqualified"}:
        yield f"player {fact.player} has not left"


def _not_there(log: Sequence[Recorded], tournament: Tournament, left: Left) -> Iterator[str]:
    closed = sum(played.status == "closed" for played in tournament.rounds)
    if left.round > closed:
        yield f"round {left.round} has not been played: {closed} closed so far"
    elif left.round and not _sits(tournament, left.player, left.round):
        yield f"player {left.player} did not play round {left.round}"
    elif not left.round and _registered(log, left.player) > _place_of(log, tournament, left):
        yield f"player {left.player} came after round 1 was paired"


def _contradictions(tournament: Tournament, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield which two facts can not both have been."""
    for one, other in combinations(facts, 2):
        if one == other:
            continue
        if isinstance(one, OtherResult) and isinstance(other, OtherResult):
            if one.match == other.match:
                yield f"{_named(tournament.matches[one.match])} is told twice, and differs"
        elif isinstance(one, OtherResult) or isinstance(other, OtherResult):
            yield from _played_after_leaving(tournament, one, other)
        elif one.player == other.player:
            yield f"two departures of player {one.player} are told"


def _played_after_leaving(tournament: Tournament, one: Fact, other: Fact) -> Iterator[str]:
    result, left = (one, other) if isinstance(one, OtherResult) else (other, one)
    if isinstance(result, OtherResult) and isinstance(left, Left):
        match = tournament.matches[result.match]
        if left.player in match.players and match.round > left.round:
            yield (
                f"player {left.player} can not have left after round {left.round} and played "
                f"{_named(match)}"
            )


def _named(match: Match) -> str:
    return f"{match.round}/{match.table}"


def _sits(tournament: Tournament, player: int, number: int) -> bool:
    return any(player in match.players for match in tournament.rounds[number - 1].matches)


def _registered(log: Sequence[Recorded], player: int) -> int:
    """Find the event that registered a player."""
    return next(
        each.seq
        for each in log
        if isinstance(each.event, PlayerRegistered) and each.event.player == player
    )


def _closed(log: Sequence[Recorded], number: int) -> int:
    """Find the event that closed a round for the last time; 0: it is not closed."""
    return max(
        (
            each.seq
            for each in log
            if isinstance(each.event, RoundClosed) and each.event.round == number
        ),
        default=0,
    )


def _place_of(log: Sequence[Recorded], tournament: Tournament, left: Left) -> int:
    """Find the event before which somebody leaves."""
    if left.round:
        return _closed(log, left.round) + 1
    return tournament.rounds[0].paired_seq if tournament.rounds else log[-1].seq + 1


def _so(log: Sequence[Recorded], tournament: Tournament, left: Left) -> bool:
    """Whether the player left just so: before anything that followed the round."""
    player = tournament.players[left.player]
    place = _place_of(log, tournament, left)
    following = [played.paired_seq for played in tournament.rounds[left.round :]]
    following += [stage.cut_seq for stage in tournament.stages if stage.cut_seq >= place]
    status = "disqualified" if left.disqualified else "dropped"
    return player.status == status and player.left_seq < min(following, default=log[-1].seq + 1)


def _end_otherwise(
    log: Sequence[Recorded], tournament: Tournament, fact: OtherResult, edits: _Edits
) -> None:
    match = tournament.matches[fact.match]
    if match.result == fact.result:
        return
    said = standing(tournament, match)
    if said is None:
        is_closed = tournament.rounds[match.round - 1].status == "closed"
        closed = _closed(log, match.round) if is_closed else log[-1].seq + 1
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
        return ResultWithdrawn(event.match, event.corrects, event.reason)
    return None if fact.result is None else ResultReported(fact.match, fact.result)


def _leave_out_departure(log: Sequence[Recorded], player: int, edits: _Edits) -> None:
    """Leave the departures out that nothing has brought the player back from."""
    gone: list[int] = []
    for each in log:
        if isinstance(each.event, COMINGS_AND_GOINGS) and each.event.player == player:
            is_departure = isinstance(each.event, PlayerDropped | PlayerDisqualified)
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


def _let_leave(log: Sequence[Recorded], tournament: Tournament, left: Left, edits: _Edits) -> None:
    place = _place_of(log, tournament, left)
    recommended = tournament.floor.recommended.get(left.player, 0)
    departure: Event = PlayerDropped(left.player)
    if left.disqualified:
        departure = PlayerDisqualified(left.player, FORKED, recommendation=recommended)
    edits.before.setdefault(place, []).append(departure)
    for each in log[place - 1 :]:
        if isinstance(each.event, COMINGS_AND_GOINGS) and each.event.player == left.player:
            edits.instead[each.seq] = None
    edits.instead |= dict.fromkeys(_filled_places(log, left.player, place))


def _empty_seats(
    log: Sequence[Recorded], tournament: Tournament, leaving: Sequence[Left], edits: _Edits
) -> None:
    """Let whoever was paired with them later have a bye: the pairing tells the last seats."""
    emptied: set[int] = set()
    for played in tournament.rounds:
        gone = {left.player for left in leaving if left.round < played.number}
        touched = {match.number for match in played.matches if gone & set(match.players)}
        if not touched:
            continue
        emptied |= touched
        pairing = log[played.paired_seq - 1].event
        assert isinstance(pairing, RoundPaired)  # noqa: S101 - what its place says
        games = tuple(_without(match, gone) for match in played.matches)
        edits.instead[played.paired_seq] = replace(pairing, games=games)
        for each in log[played.paired_seq :]:
            if isinstance(each.event, RESEATING) and each.event.round == played.number:
                edits.instead[each.seq] = None
    for each in log:
        if isinstance(each.event, ABOUT_RESULTS) and each.event.match in emptied:
            edits.instead[each.seq] = None


def _without(match: Match, gone: set[int]) -> tuple[int, int]:
    first, second = (0 if seat in gone else seat for seat in (match.first, match.second))
    return (first, second) if first else (second, 0)


def _edited(log: Sequence[Recorded], edits: _Edits) -> Iterator[tuple[Recorded, bool]]:
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


def _refolded(edited: Iterator[tuple[Recorded, bool]]) -> Fork:
    """Fold the fork; results that were told are held to the rules at their place."""
    tournament, log = Tournament(), []
    with collector_paused():
        for each, is_other in edited:
            told = each.event if is_other else None
            if isinstance(told, ResultReported | ResultCorrected):
                problems = list(_against(tournament, told))
                if problems:
                    raise Refused(*problems)
            evolve(tournament, each)
            log.append(each)
            if isinstance(told, ResultReported) and told.match in tournament.floor.unconfirmed:
                log.append(_confirmed(each, told))
                evolve(tournament, log[-1])
    return Fork(log, tournament)


def _against(tournament: Tournament, told: ResultReported | ResultCorrected) -> Iterator[str]:
    """Yield what speaks against a result at its place; of a correction, no ruling does."""
    if isinstance(told, ResultReported):
        yield from CHECKS[ResultReported](tournament, told)
        return
    match = tournament.matches[told.match]
    yield from bracket_stands(tournament, match, told.result)
    yield from rules_problems(tournament, match, told.result)


def _confirmed(recorded: Recorded, told: ResultReported) -> Recorded:
    """What the desk says of a result that would wait."""
    confirmed = ResultConfirmed(told.match, recorded.seq)
    return record(recorded.seq, FORKED, recorded.at, recorded.by, confirmed)
