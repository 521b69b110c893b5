"""Reporting, conceding and correcting results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.decisions.command import Command, Context, Seen, match_of
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.disputes import ResultConfirmed, ResultDisputed
from ledger.events.people import PlayerDropped
from ledger.events.results import Result, ResultCorrected, ResultReported
from ledger.problems import Player, Table, Value, problem, remedy
from ledger.rulesets import Ruleset
from ledger.tournament import disputes, scoring
from ledger.tournament.progress import open_match_of
from ledger.tournament.setups import recorded_facts
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim


class StatedResult(Struct, frozen=True):
    """A result in a person's words: an outcome of the first player, points, or facts.

    Facts are what the table saw, its numbers side by side; `ending` is how the game ended, "" as
    usual; an `outcome` beside them must follow from them. `absent` are players who did not come.
    """

    outcome: str = ""
    points: tuple[int, int] | None = None
    facts: dict[str, tuple[int, int]] | None = None
    ending: str = ""
    absent: tuple[int, ...] = ()


def result_from(tournament: Tournament, match: Match, stated: StatedResult) -> Result:
    """Return the result that a person's words come to, whether or not it is admissible now.

    What was known before play, as a handicap, stays as it was recorded. Refused where the ruleset
    asks for other words, or they contradict each other; or NotFound.
    """
    result = _of_words(tournament, match, stated)
    return _with_before(tournament.ruleset, result, match.result)


def _with_before(rules: Ruleset, result: Result, recorded: Result | None) -> Result:
    names = [each.name for each in rules.fields if each.before]
    if not names or recorded is None or scoring.UNPLAYED & {result.manner, recorded.manner}:
        return result
    kept = {name: recorded.fields[name] for name in names if name in recorded.fields}
    return replace(result, fields=kept | result.fields)


def _of_words(tournament: Tournament, match: Match, stated: StatedResult) -> Result:
    rules = tournament.ruleset
    is_swiss = tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
    reports_points = rules.scoring.kind == "reported"
    if stated.absent:
        _refuse_strangers(match, stated.absent)
        return scoring.absence(rules, (match.first in stated.absent, match.second in stated.absent))
    if stated.facts is not None:
        facts = recorded_facts(tournament, match) | stated.facts
        ending, outcome = stated.ending, stated.outcome
        if is_swiss:
            _refuse_without_asked(tournament, match, ending, facts)
        return scoring.by_facts(rules, ending, facts, outcome, elimination=not is_swiss)
    if stated.points is not None:
        if not reports_points and (named := _of_points(rules, stated.points)):
            return scoring.by_outcome(rules, named)
        if not reports_points:
            text = "{ruleset} reports an outcome, not points: {outcomes}"
            names = tuple(outcome.name for outcome in rules.outcomes)
            key, clause = rules.key, rules.scoring.clause
            raise Refused(
                problem("result.outcome", text, clause=clause, ruleset=key, outcomes=names)
            )
        return scoring.by_points(rules, *stated.points)
    if reports_points and is_swiss:
        low, high = rules.scoring.points_min, rules.scoring.points_max
        text = "{ruleset} reports points: {low} to {high} a side, as {high}-{low}"
        key, clause = rules.key, rules.scoring.clause
        raise Refused(
            problem("result.points", text, clause=clause, ruleset=key, low=low, high=high)
        )
    return scoring.by_outcome(rules, stated.outcome)


def _of_points(rules: Ruleset, points: tuple[int, int]) -> str:
    """Return the one outcome of the first player that is worth these points, as they are shown."""
    if rules.scoring.kind != "outcome":
        return ""
    named = [each.name for each in rules.outcomes if rules.points(each) == points]
    return named[0] if len(named) == 1 else ""


def _refuse_without_asked(
    tournament: Tournament, match: Match, ending: str, facts: Mapping[str, tuple[int, int]]
) -> None:
    """Refuse an ending without the facts that the ruleset asks a person for there."""
    declared = tournament.ruleset.derives
    ended = declared.ending(ending) if declared else None
    if declared and ended and (absent := [name for name in ended.asks if name not in facts]):
        fact, table = declared.labels[absent[0]], Table(match.round, match.table)
        raise Refused(
            problem(
                "fact.asked",
                "{ending} at {table}: the points hang on {fact}, {meaning}: say it of both sides",
                clause=ended.clause,
                remedy=remedy("report.fact", fact=fact.name),
                ending=ended.name,
                table=table,
                fact=fact.name,
                meaning=fact.meaning,
            )
        )


def conceded_in(
    tournament: Tournament, match: Match, player: int, facts: Mapping[str, tuple[int, int]]
) -> Result:
    """Return the result where a player concedes; Refused where points hang on what is not known."""
    rules = tournament.ruleset
    is_swiss = tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
    ended = scoring.concession_of(rules)
    absent = [name for name in ended.asks if name not in facts] if ended and is_swiss else []
    if absent and ended and rules.derives:
        fact, who = rules.derives.labels[absent[0]], Player(player)
        text = "{player} concedes: the points hang on {fact}, {meaning}: say it of both sides"
        way = remedy("concede.fact", player=who, fact=fact.name)
        about: dict[str, Value] = {"player": who, "fact": fact.name, "meaning": fact.meaning}
        raise Refused(problem("concession.fact", text, clause=ended.clause, remedy=way, **about))
    return scoring.conceded(rules, first=match.first == player, facts=facts)


def match_given_up(tournament: Tournament, player: int, seen: Seen | None) -> Match | None:
    """Return the player's open match; Refused where it was paired after an old page's was seen."""
    match = open_match_of(tournament, player)
    if match is not None and seen is not None and match.number not in seen.matches:
        text = "{player} sits at {table} by now, and that match was not meant: look at it first"
        who, table = Player(player), Table(match.round, match.table)
        raise Refused(problem("seen.other_match", text, player=who, table=table))
    return match


def _refuse_strangers(match: Match, absent: tuple[int, ...]) -> None:
    strangers = set(absent) - set(match.players)
    if strangers:
        player, table = Player(min(strangers)), Table(match.round, match.table)
        text = "{player} does not sit at {table}"
        raise Refused(problem("player.elsewhere", text, player=player, table=table))


class Report(Command, frozen=True):
    """Report a match; players who are stated to be absent are dropped.

    The same result again confirms it, another one of the other side disputes it.
    """

    match: int
    result: StatedResult

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        result = result_from(tournament, match, self.result)
        if self.result.absent:
            yield from _no_show(tournament, match, result, self.result.absent)
        else:
            yield from _reported(tournament, match, result, by)


def _reported(tournament: Tournament, match: Match, result: Result, by: str) -> Iterator[Event]:
    said = disputes.current_claim(tournament, match)
    if said is None:
        yield ResultReported(match.number, result)
        return
    player = disputes.speaker(tournament, by, match)
    dispute = disputes.dispute_of(tournament, match.number)
    if said.result == result:
        is_waiting = match.number in tournament.floor.unconfirmed and dispute is None
        if (player and player != said.player) or (is_waiting and not player):
            yield from confirmed_by(tournament, match, said, player)
    elif dispute is not None and disputes.is_repeated(dispute, player, result):
        return
    elif player and player != said.player:
        yield ResultDisputed(match.number, said.seq, player, result)
    else:
        yield ResultReported(match.number, result)


def confirmed_by(tournament: Tournament, match: Match, said: Claim, player: int) -> Iterator[Event]:
    """Let a player, or the desk (0), confirm what was said, unless they have."""
    if not disputes.has_confirmed(tournament, match.number, player):
        yield ResultConfirmed(match.number, said.seq, player)


def _no_show(
    tournament: Tournament, match: Match, result: Result, absent: tuple[int, ...]
) -> Iterator[Event]:
    if match.result != result:
        yield ResultReported(match.number, result)
    for player in match.players:
        if player in absent and tournament.players[player].status == "active":
            yield PlayerDropped(player, "no-show")


class LeaveTable(Command, frozen=True):
    """Let both players of an open match leave: nobody won it, and nobody conceded it."""

    match: int
    note: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        left = scoring.absence(tournament.ruleset, (True, True), "departure")
        if match.result != left:
            yield ResultReported(match.number, left)
        for player in match.players:
            if tournament.players[player].status == "active":
                yield PlayerDropped(player, note=self.note)


class Concede(Command, frozen=True):
    """Concede the player's open match, with the facts that the table saw by then."""

    player: int
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_given_up(tournament, self.player, self.seen)
        if match is None:
            text = "{player} has no open match to concede"
            raise Refused(problem("match.none_open", text, player=Player(self.player)))
        conceded = conceded_in(tournament, match, self.player, self.facts)
        yield ResultReported(match.number, conceded)


class Correct(Command, frozen=True):
    """Replace a match's result by another one; nobody is dropped by that."""

    match: int
    result: StatedResult
    reason: str
    ruling: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        result = result_from(tournament, match, self.result)
        said = disputes.current_claim(tournament, match)
        if said is None:
            table = Table(match.round, match.table)
            text, report = "{table} has no result to correct", remedy("report", table=table)
            raise Refused(problem("result.nothing_to_correct", text, remedy=report, table=table))
        if match.result != result:
            yield ResultCorrected(match.number, said.seq, result, self.reason, self.ruling)
