"""What may have been otherwise, when it would have happened, and what cannot have been."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from ledger.errors import NotFound
from ledger.facts.people import PlayerRegistered
from ledger.facts.rounds import RoundClosed
from ledger.facts.shared import Result
from ledger.lines.recorded import Recorded
from ledger.problems import Player, Problem, Problems, marked, problem
from ledger.rules.references import no_player, table_of
from ledger.tournament.progress import find_match, find_player, no_match
from ledger.tournament.state import Tournament


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
) -> list[Problem]:
    """List why the facts cannot have been.

    Facts that contradict each other are not held to the log one by one as well.

    Raises:
        NotFound: there is no such match or player.
    """
    impossible = [each for fact in facts for each in _impossible(log, tournament, fact)]
    problems = list(_contradictions(tournament, facts)) or impossible
    return [each for place, each in enumerate(problems) if each not in problems[:place]]


def _impossible(log: Sequence[Recorded], tournament: Tournament, fact: Fact) -> Problems:
    """Yield why a fact by itself cannot have been."""
    if isinstance(fact, OtherResult):
        match = find_match(tournament, fact.match)
        if match is None:
            raise NotFound(no_match(fact.match))
        if match.is_bye:
            text = marked("{table} is a bye: its result is fixed")
            yield problem("result.of_bye", text, table=table_of(match))
        return
    player = find_player(tournament, fact.player)
    if player is None or player.status == "withdrawn":
        raise NotFound(no_player(fact.player))
    if isinstance(fact, Left):
        yield from _not_there(log, tournament, fact)
    elif player.status not in {"dropped", "disqualified"}:
        yield problem(
            "rejoin.not_left", "{player} has not left the tournament", player=Player(fact.player)
        )


def _not_there(log: Sequence[Recorded], tournament: Tournament, left: Left) -> Problems:
    closed = sum(round_.status == "closed" for round_ in tournament.rounds)
    if left.round > closed:
        text = marked("round {round} has not been played: rounds closed so far: {closed}")
        yield problem("fact.round_to_come", text, round=left.round, closed=closed)
    elif left.round and not _sits(tournament, left.player, left.round):
        text = marked("{player} did not play round {round}")
        yield problem("fact.not_seated", text, player=Player(left.player), round=left.round)
    elif not left.round and _registered(log, left.player) > place_of(log, tournament, left):
        text = marked("{player} registered after round 1 was paired")
        yield problem("fact.came_later", text, player=Player(left.player))


def _contradictions(tournament: Tournament, facts: Sequence[Fact]) -> Problems:
    """Yield which two facts cannot both have been."""
    for one, other in combinations(facts, 2):
        if one == other:
            continue
        if isinstance(one, OtherResult) and isinstance(other, OtherResult):
            if one.match == other.match:
                table = table_of(tournament.matches[one.match])
                yield problem("fact.two_results", "two results are given for {table}", table=table)
        elif isinstance(one, OtherResult) or isinstance(other, OtherResult):
            yield from _played_after_leaving(tournament, one, other)
        elif one.player == other.player:
            text = marked("two departures are given for {player}")
            yield problem("fact.two_departures", text, player=Player(one.player))


def _played_after_leaving(tournament: Tournament, one: Fact, other: Fact) -> Problems:
    result, left = (one, other) if isinstance(one, OtherResult) else (other, one)
    if isinstance(result, OtherResult) and isinstance(left, Left):
        match = tournament.matches[result.match]
        if left.player in match.players and match.round > left.round:
            text = marked("{player} cannot have left after round {round} and played {table}")
            player, table = Player(left.player), table_of(match)
            yield problem("fact.played_later", text, player=player, round=left.round, table=table)


def _sits(tournament: Tournament, player: int, number: int) -> bool:
    return any(player in match.players for match in tournament.rounds[number - 1].matches)


def _registered(log: Sequence[Recorded], player: int) -> int:
    """Find the event that registered a player."""
    events = ((each.seq, each.event) for each in log)
    found = (seq for seq, it in events if isinstance(it, PlayerRegistered) and it.player == player)
    return next(found)


def closing_of(log: Sequence[Recorded], number: int) -> int:
    """Find the event that closed a round for the last time; 0: it is not closed."""
    events = ((each.seq, each.event) for each in log)
    closings = (seq for seq, it in events if isinstance(it, RoundClosed) and it.round == number)
    return max(closings, default=0)


def place_of(log: Sequence[Recorded], tournament: Tournament, left: Left) -> int:
    """Find the event before which somebody leaves."""
    if left.round:
        return closing_of(log, left.round) + 1
    return tournament.rounds[0].paired_seq if tournament.rounds else log[-1].seq + 1


def is_so(log: Sequence[Recorded], tournament: Tournament, left: Left) -> bool:
    """Whether the player left just so: before anything that followed the round."""
    player = tournament.players[left.player]
    place = place_of(log, tournament, left)
    following = [round_.paired_seq for round_ in tournament.rounds[left.round :]]
    following += [stage.cut_seq for stage in tournament.stages if stage.cut_seq >= place]
    status = "disqualified" if left.disqualified else "dropped"
    return player.status == status and player.left_seq < min(following, default=log[-1].seq + 1)
