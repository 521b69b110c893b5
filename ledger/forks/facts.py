"""What may have been otherwise, when it would have happened, and what can not have been."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.checks.results import find as find_match
from ledger.errors import NotFound
from ledger.events.people import PlayerRegistered
from ledger.events.results import Result  # noqa: TC001 - msgspec resolves the annotations
from ledger.events.rounds import RoundClosed
from ledger.tournament.progress import find_player

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament


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


def problems_of(
    log: Sequence[Recorded], tournament: Tournament, facts: Sequence[Fact]
) -> list[str]:
    """Why the facts can not have been; empty where they can.

    Facts that contradict each other are not held to the log one by one as well.

    Raises:
        NotFound: there is no such match or player.
    """
    problems = [problem for fact in facts for problem in _impossible(log, tournament, fact)]
    return list(dict.fromkeys(list(_contradictions(tournament, facts)) or problems))


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
    elif not left.round and _registered(log, left.player) > place_of(log, tournament, left):
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


def closing_of(log: Sequence[Recorded], number: int) -> int:
    """Find the event that closed a round for the last time; 0: it is not closed."""
    return max(
        (
            each.seq
            for each in log
            if isinstance(each.event, RoundClosed) and each.event.round == number
        ),
        default=0,
    )


def place_of(log: Sequence[Recorded], tournament: Tournament, left: Left) -> int:
    """Find the event before which somebody leaves."""
    if left.round:
        return closing_of(log, left.round) + 1
    return tournament.rounds[0].paired_seq if tournament.rounds else log[-1].seq + 1


def is_so(log: Sequence[Recorded], tournament: Tournament, left: Left) -> bool:
    """Whether the player left just so: before anything that followed the round."""
    player = tournament.players[left.player]
    place = place_of(log, tournament, left)
    following = [played.paired_seq for played in tournament.rounds[left.round :]]
    following += [stage.cut_seq for stage in tournament.stages if stage.cut_seq >= place]
    status = "disqualified" if left.disqualified else "dropped"
    return player.status == status and player.left_seq < min(following, default=log[-1].seq + 1)
