"""What an event refers to has to be there: a player, an official, a match, a round, a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ledger.facts.base import Waiver
from ledger.problems import Act, Official, Player, Problem, Problems, Table, marked, problem
from ledger.tournament.progress import (
    find_match,
    find_player,
    is_played_out,
    no_match,
    not_played,
    round_in_play,
)
from ledger.tournament.state import Match, Round, Tournament
from ledger.tournament.state import Official as Holder

Check: TypeAlias = Callable[[Tournament, Any], Problems]
"""What lists every reason against an event of one type."""

Ranking: TypeAlias = Callable[[Tournament], list[int]]
"""The players from the best to the worst, computed above this package."""


def table_of(match: Match) -> Table:
    """Return a match's table, to be named in a problem."""
    return Table(match.round, match.table)


def no_player(number: int) -> Problem:
    """Say that there is no such player."""
    return problem("player.unknown", "there is no player {number}", number=number)


def no_official(number: int) -> Problem:
    """Say that there is no such official."""
    return problem("official.unknown", "there is no official {number}", number=number)


def stood_down(official: int) -> Problem:
    """Say that an official is a spectator for now."""
    text = marked("{official} has stood down and is a spectator until they resume")
    who = Official(official)
    return problem("official.stood_down", text, clause="FFG-ROLE-STATUS", official=who)


def not_in_play(number: int) -> Problem:
    """Say that a round is not the one in play."""
    return problem("round.not_in_play", "round {round} is not in play", round=number)


def clause_of_results(tournament: Tournament, round_: Round) -> str:
    """Return the clause that needs every result of a round: what follows it goes by them."""
    stage = tournament.stages[round_.stage - 1]
    if not stage.is_swiss:
        return "FFG-WINNER" if len(round_.matches) == 1 else "FFG-ELIM-NEXT"
    if not is_played_out(tournament, stage):
        return "FFG-SWISS-LATER"
    return "FFG-CUT" if stage.number < len(tournament.stages) else "FFG-WINNER"


def not_closed(tournament: Tournament, round_: Round) -> Problem:
    """Say that a round must be closed first."""
    text, clause = marked("round {round} is not closed"), clause_of_results(tournament, round_)
    return problem("round.not_closed", text, clause=clause, round=round_.number)


def not_active(player: int) -> Problem:
    """Say that a player has left, or never came."""
    return problem("player.not_active", "{player} is not an active player", player=Player(player))


def not_here(player: int) -> Problem:
    """Say that a player is not in the tournament."""
    return problem("player.absent", "{player} is not in the tournament", player=Player(player))


def not_at(player: int, match: Match) -> Problem:
    """Say that a player sits elsewhere."""
    text = marked("{player} does not sit at {table}")
    return problem("player.elsewhere", text, player=Player(player), table=table_of(match))


def is_here(tournament: Tournament, player: int) -> Problems:
    """Yield that a player is not in the tournament, where they are not."""
    known = find_player(tournament, player)
    if known is None or known.status == "withdrawn":
        yield not_here(player)


def needs_reason(event: Any, clause: str = "") -> Problems:  # noqa: ANN401 - each with one
    """Yield that an event has no reason, where it has none."""
    if not event.reason.strip():
        act = Act(type(event).__name__)
        yield problem("reason.missing", "{act} needs a reason", clause=clause, act=act)


def is_waived(clause: str, waiver: Waiver | None, tournament: Tournament) -> bool:
    """Whether the event's waiver lifts the clause, by either of the names that it has here.

    Facts of a foreign file are held to none.
    """
    if tournament.importing:
        return True
    if not (waiver and waiver.reason.strip()):
        return False
    return not {clause, tournament.ruleset.cites(clause)}.isdisjoint(waiver.clauses)


def open_match(tournament: Tournament, number: int) -> Match | None:
    """Return the match of that number, if it is being played."""
    match = find_match(tournament, number)
    return match if match is not None and match.is_open else None


def reasoned(clause: str = "") -> Callable[[Check], Check]:
    """Let a rule ask for the event's reason as well, by a clause, whatever else is wrong."""

    def decorate(rule: Check) -> Check:
        def check(tournament: Tournament, event: Any) -> Problems:  # noqa: ANN401 - each with one
            yield from rule(tournament, event)
            yield from needs_reason(event, clause)

        return check

    return decorate


Rule: TypeAlias = Callable[[Tournament, Any, Any], Problems]


def guard(find: Callable[[Tournament, Any], Any]) -> Callable[[Rule], Check]:
    """Make a decorator: rules are handed what an event names, or else say why it is not there."""

    def decorate(rule: Rule) -> Check:
        def check(tournament: Tournament, event: Any) -> Problems:  # noqa: ANN401 - each its own
            thing = find(tournament, event)
            return iter([thing]) if isinstance(thing, Problem) else rule(tournament, event, thing)

        return check

    return decorate


@guard
def of_round(tournament: Tournament, event: Any) -> Round | Problem:  # noqa: ANN401 - as above
    """Of the round in play."""
    latest = round_in_play(tournament)
    return latest if latest and latest.number == event.round else not_in_play(event.round)


@guard
def of_match(tournament: Tournament, event: Any) -> Match | Problem:  # noqa: ANN401 - as above
    """Of a match."""
    return find_match(tournament, event.match) or no_match(event.match)


@guard
def of_open_match(tournament: Tournament, event: Any) -> Match | Problem:  # noqa: ANN401
    """Of a match that is being played."""
    return open_match(tournament, event.match) or not_played(tournament, event.match)


@guard
def of_official(tournament: Tournament, event: Any) -> Holder | Problem:  # noqa: ANN401 - as above
    """Of an official."""
    number: int = event.official
    known = number < len(tournament.officials)
    return tournament.officials[number] if known else no_official(number)
