"""Results of matches: what may be reported, corrected and withdrawn, and the commands for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.facts import involvement, office, results
from ledger.facts.base import Event, Waiver
from ledger.facts.clock import TimeCalled
from ledger.facts.disputes import ResultConfirmed, ResultDisputed
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.facts.setups import recorded_facts
from ledger.facts.shared import Result
from ledger.problems import (
    Official,
    Player,
    Problem,
    Problems,
    Remedy,
    Table,
    Value,
    marked,
    problem,
    remedy,
)
from ledger.rules.command import Command, Context, match_of
from ledger.rules.games_left import GameAsLeft, game_ended, match_given_up, waiver_of
from ledger.rules.references import is_waived, of_match, reasoned, table_of
from ledger.rulesets import Ruleset
from ledger.rulesets.toml_files import of_file
from ledger.tournament import disputes
from ledger.tournament.progress import is_of_swiss
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Dispute, Ruling


@of_match
def result_reported(tournament: Tournament, event: ResultReported, match: Match) -> Problems:
    table = table_of(match)
    if fixed := fixed_result(tournament, match):
        yield fixed
    elif waiting := tournament.floor.unconfirmed.get(match.number):
        yield problem(
            "result.reported_otherwise",
            "{player} has already reported another result at {table} (event {event})",
            remedy=remedy("correct", table=table),
            table=table,
            player=Player(waiting.player),
            event=waiting.seq,
        )
    elif tournament.rounds[match.round - 1].status == "closed" and not tournament.importing:
        yield problem("round.closed", "round {round} is closed", round=match.round)
    else:
        if event.result.manner == "time":
            yield from _before_the_start(tournament, match)
        yield from rules_problems(tournament, match, event.result)
        if event.result.facts:
            yield from _in_office(tournament, event.result)
        if tournament.floor.missing:
            yield from result_allowed(tournament, match, event.result)


def fixed_result(tournament: Tournament, match: Match) -> Problem | None:
    """Say which result of a match no report replaces; None if a report can give it one."""
    if match.is_bye:
        return of_a_bye(match)
    if match.result is None:
        return None
    table = table_of(match)
    return problem(
        "result.reported",
        "{table} already has a result (event {event}): {player} has a {outcome}, {points}",
        remedy=remedy("correct", table=table),
        table=table,
        event=match.result_seq,
        player=Player(match.first),
        outcome=of_file(match.result.outcomes[0]),
        points="-".join(map(tournament.ruleset.scoring.shown, match.result.points)),
    )


def of_a_bye(match: Match) -> Problem:
    """Say that a bye has its result from the pairing."""
    text = marked("{table} is a bye: its result is fixed")
    return problem("result.of_bye", text, table=table_of(match))


def _in_office(tournament: Tournament, result: Result) -> Problems:
    """Who confirmed a count does so in office, when the table reports it."""
    declared = tournament.ruleset.derives
    for label, (number, _) in result.facts.items() if declared else ():
        fact = declared.labels.get(label) if declared else None
        officials = tournament.officials[number : number + 1] if number else []
        if not (fact and fact.official and any(official.stood_down for official in officials)):
            continue
        if office.is_bound_by(tournament, "confirms"):
            text = marked("{official} has stood down: a leader in office must confirm the count")
            who = Official(number)
            yield problem("result.stood_down", text, clause=fact.clause, official=who)


def _before_the_start(tournament: Tournament, match: Match) -> Problems:
    """Time is not over in a round that has not started, unless it was called (FFG-CLOCK)."""
    status, calls = tournament.rounds[match.round - 1].status, tournament.floor.calls
    may_be_over = status != "paired" or calls.get(match.round)
    if not may_be_over and office.is_bound_by(tournament, "time-early"):
        text = marked("round {round} has not started: time cannot have been called")
        clause, way = tournament.ruleset.clock.clause, remedy("round.start")
        yield problem("result.time_early", text, clause=clause, remedy=way, round=match.round)


def before_time(tournament: Tournament, event: ResultReported, at: str) -> Problems:
    """Yield why a game cannot have ended by time yet (FFG-CLOCK).

    `at` is the time of the line. Corrections and rulings are not refused: the audit finds them.
    """
    if event.result.manner == "time":
        yield from time_not_over(tournament, tournament.matches[event.match], at)


def time_not_over(tournament: Tournament, match: Match, at: str) -> Problems:
    """Yield why time is not over yet at a table (FFG-CLOCK)."""
    if not office.is_bound_by(tournament, "before-time"):
        return
    from ledger.tournament.round_clock import minutes_before_time  # noqa: PLC0415 - few games

    left = minutes_before_time(tournament, match, at)
    clause, call, table = tournament.ruleset.clock.clause, remedy("round.time"), table_of(match)
    if left is None:
        text = marked("time has not been called in round {round}, and its clock is not running")
        yield problem("result.time_not_called", text, clause=clause, remedy=call, round=match.round)
    elif left:
        text = marked(
            "time is not over at {table}: {minutes} min left, and time has not been called"
        )
        about: dict[str, Value] = {"table": table, "minutes": left}
        yield Problem("result.before_time", text, about, clause, (call,))


@reasoned("FFG-RULING")
@of_match
def result_corrected(tournament: Tournament, event: ResultCorrected, match: Match) -> Problems:
    claim = disputes.current_claim(tournament, match)
    if claim is None:
        yield no_result(match)
    elif claim.seq != event.corrects:
        yield other_result(match, claim)
    else:
        yield from bracket_stands(tournament, match, event.result)
        yield from rules_problems(tournament, match, event.result)
        yield from by_ruling(tournament, match, event.ruling, event.result)


def no_result(match: Match) -> Problem:
    """Say that nobody has said yet what a match's result is."""
    table = table_of(match)
    report = remedy("report", table=table)
    return problem("result.missing", "{table} has no result yet", remedy=report, table=table)


def other_result(match: Match, claim: Claim) -> Problem:
    """Say that another event than the one named is a match's result."""
    text = marked("the current result of {table} is event {event}")
    return problem("result.other", text, table=table_of(match), event=claim.seq)


def by_ruling(tournament: Tournament, match: Match, ruling: int, result: Result) -> Problems:
    """Yield why a result does not rest on the ruling named, or why it has to rest on one."""
    dispute = disputes.latest_dispute(tournament, match.number)
    if dispute is not None and not dispute.closed:
        yield from _as_settled(tournament, dispute, ruling, result)
    elif ruling:
        yield from _as_ruled(tournament, match, ruling)


def _as_settled(tournament: Tournament, dispute: Dispute, ruling: int, result: Result) -> Problems:
    """A result in question is entered as the ruling in force says, and by that ruling alone."""
    table = table_of(tournament.matches[dispute.match])
    force = disputes.ruling_on(tournament, dispute)
    if disputes.state_of(tournament, dispute) in {"open", "appealed"}:
        yield in_question(tournament, dispute)
    elif force is not None and ruling != force.seq:
        settled = disputes.state_of(tournament, dispute) == "settled"
        text = marked(
            "{table} has a ruling (event {ruling}) by {official}, which remains in force "
            "until a new ruling"
        )
        way = against(force, table) if settled else remedy("correct", table=table, ruling=force.seq)
        who, seq = Official(force.made.official), force.seq
        yield problem("result.ruled_on", text, remedy=way, table=table, ruling=seq, official=who)
    elif result != disputes.decided(tournament, dispute):
        text = marked("this result is not the decision of ruling {ruling}")
        yield problem("result.not_as_ruled", text, ruling=ruling)


def in_question(tournament: Tournament, dispute: Dispute, *waivers: Remedy) -> Problem:
    """Say that a match's result is in question, and what settles that, or waives it."""
    table, event = table_of(tournament.matches[dispute.match]), dispute.seq
    state, force = disputes.state_of(tournament, dispute), disputes.ruling_on(tournament, dispute)
    rules, clause = office.authority_of(tournament), "FFG-RULING"
    about: dict[str, Value]
    if state == "open":
        text = marked("{table} is disputed (event {event}): {who} must rule on it")
        ways = (remedy("rule", table=table), *waivers)
        about = {"table": table, "event": event, "who": rules.first_word}
        return Problem("dispute.open", text, about, clause, ways)
    if state == "appealed":
        text = marked("{table} is under review (event {event}): {who} must decide")
        ways = (remedy("review", table=table), *waivers)
        about = {"table": table, "event": event, "who": rules.last_word}
        return Problem("dispute.review", text, about, clause, ways)
    text = marked("{table} has a ruling (event {event}) that is not entered yet")
    ways = (remedy("correct", table=table, ruling=force.seq if force else 0), *waivers)
    event = force.seq if force else event
    return problem("dispute.correction", text, clause=clause, remedy=ways, table=table, event=event)


def held_up(tournament: Tournament, waiver: Waiver | None, over_dispute: Remedy) -> Problems:
    """Yield the disputes that the day does not go on over, unless the organizer waives them."""
    if not is_waived(disputes.OPEN_DISPUTE, waiver, tournament):
        for dispute in disputes.unsettled(tournament):
            yield in_question(tournament, dispute, over_dispute)


def against(ruling: Ruling, table: Table | None = None) -> tuple[Remedy, ...]:
    """Return what is done where a ruling that was carried out is wrong."""
    again = remedy("rule.result", table=table) if table else remedy("rule.result")
    return disputes.appeal_of(ruling) or (again,)


def _as_ruled(tournament: Tournament, match: Match, ruling: int) -> Problems:
    """Where nobody has said what the result is, a correction may rest on any ruling there."""
    made = tournament.floor.ruling(ruling)
    if made is None or made.made.match != match.number:
        text = marked("event {ruling} is not a ruling on {table}")
        yield problem("ruling.elsewhere", text, ruling=ruling, table=table_of(match))
    elif made.reviewed_by:
        text = marked("ruling {ruling} was reviewed: the review (event {review}) is in force")
        yield problem("ruling.reviewed", text, ruling=ruling, review=made.reviewed_by)
    elif disputes.is_appealed(made):
        who = office.authority_of(tournament).last_word
        text = marked("a review of ruling {ruling} is pending: {who} must decide first")
        yield problem("ruling.in_review", text, clause="FFG-RULING", ruling=ruling, who=who)


def bracket_stands(tournament: Tournament, match: Match, result: Result) -> Problems:
    """A bracket that went on cannot be played back: its winner stays."""
    round_ = tournament.rounds[match.round - 1]
    stage = tournament.stages[round_.stage - 1]
    if stage.is_swiss or match.round == stage.rounds[-1] or tournament.importing:
        return
    outcomes = match.result.outcomes if match.result else ()
    advances = tournament.ruleset.outcome
    if all(name in tournament.ruleset.records for name in result.outcomes) and [
        advances(name).advances for name in outcomes
    ] != [advances(name).advances for name in result.outcomes]:
        text = marked(
            "the winner of {table} can no longer change: the next round of the bracket is paired"
        )
        ways = () if tournament.finished else remedy("unpair")
        yield problem("result.bracket_went_on", text, remedy=ways, table=table_of(match))


@of_match
def result_withdrawn(tournament: Tournament, event: ResultWithdrawn, match: Match) -> Problems:
    claim = disputes.current_claim(tournament, match)
    table, correct = table_of(match), remedy("correct", table=table_of(match))
    if claim is None:
        yield no_result(match)
    elif claim.seq != event.withdraws:
        yield other_result(match, claim)
    elif (latest := disputes.latest_dispute(tournament, match.number)) and not latest.closed:
        if latest.ruling:
            text = marked("{table} has a ruling (event {event}): withdraw the ruling first")
            yield problem("result.ruled_on_since", text, table=table, event=latest.ruling)
        else:
            text = marked("{table} is disputed (event {event}): withdraw the dispute first")
            yield problem("result.disputed_since", text, table=table, event=latest.seq)
    elif tournament.floor.confirmed.get(match.number):
        yield problem(
            "result.confirmed",
            "the result of {table} is confirmed and cannot be withdrawn",
            remedy=correct,
            table=table,
        )
    elif tournament.rounds[match.round - 1].status == "closed":
        text = marked("round {round} is closed: the result of {table} cannot be withdrawn")
        yield problem("result.closed", text, remedy=correct, round=match.round, table=table)


def rules_problems(tournament: Tournament, match: Match, result: Result) -> Problems:
    """Yield what the ruleset has against a result of this match."""
    round_ = tournament.rounds[match.round - 1]
    stage = tournament.stages[round_.stage - 1]
    yield from results.problems(tournament.ruleset, result, elimination=not stage.is_swiss)
    if any(result.adjusted) and (not tournament.importing or not stage.is_swiss):
        text = marked("adjusted points are allowed only in the Swiss rounds of an import")
        yield problem("result.adjusted", text, clause=tournament.ruleset.scoring.clause)
    if result.facts:
        yield from _official_problems(tournament, match, result)
        yield from _recorded_problems(tournament, match, result)


def _recorded_problems(tournament: Tournament, match: Match, result: Result) -> Problems:
    """A result does not contradict what the set-up of the match recorded."""
    declared = tournament.ruleset.derives
    for label, pair in recorded_facts(tournament, match).items():
        if declared and result.facts.get(label, pair) != pair:
            clause = declared.labels[label].clause
            text = marked("{fact} must be {pair}, as recorded in the set-up of this match")
            yield problem(
                "result.set_up", text, clause=clause, fact=label, pair=f"{pair[0]}:{pair[1]}"
            )


def _official_problems(tournament: Tournament, match: Match, result: Result) -> Problems:
    """The official who confirmed a count is a leader of this event, and sits at another table."""
    declared = tournament.ruleset.derives
    labels = declared.labels if declared and result.facts else {}
    for label, (number, _) in result.facts.items():
        if label not in labels or not labels[label].official:
            continue
        clause = labels[label].clause
        known = tournament.officials[number : number + 1] if number else []
        if not any(office.leads(tournament, each.roles) for each in known):
            text = marked("{fact}: official {number} is not a leader")
            yield problem("result.no_leader", text, clause=clause, fact=label, number=number)
        elif not office.is_bound_by(tournament, "confirms"):
            continue
        elif involvement.plays_among(known[0], match.players):
            text = marked("{official} plays this match: another leader must confirm the count")
            who = Official(number)
            yield problem("result.own_count", text, clause=clause, official=who)


GIVEN_UP = frozenset({"concession", "departure", "no-show"})


def result_allowed(tournament: Tournament, match: Match, result: Result) -> Problems:
    """Yield where a match must be conceded: a component is missing (FFG-LOST, L5R-LOST)."""
    missing = {
        player: lost.component
        for player in match.players
        if (lost := tournament.floor.missing.get(player)) and lost.round == match.round
    }
    if not missing or tournament.importing:
        return
    letters = [tournament.letters.get(outcome) for outcome in result.outcomes]
    conceding = {p for p, letter in zip(match.players, letters, strict=True) if letter == "L"}
    if result.manner not in GIVEN_UP or not conceding & missing.keys():
        player, component = next(iter(missing.items()))
        text = marked(
            "{player} is missing {component}: the game is conceded unless the component is found"
        )
        clause = tournament.floor.missing[player].clause
        who = Player(player)
        yield problem("component.missing", text, clause=clause, player=who, component=component)


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
    unknown: str = ""
    """Why a number that the ending asks for is unknown."""


def result_from(tournament: Tournament, match: Match, stated: StatedResult) -> Result:
    """Return the result that a person's words come to, whether or not it is admissible now.

    What was known before play, as a handicap, stays as it was recorded. Refused where the ruleset
    asks for other words, or they contradict each other; or NotFound.
    """
    result = _of_words(tournament, match, stated)
    return _with_before(tournament.ruleset, result, match.result)


def _with_before(rules: Ruleset, result: Result, recorded: Result | None) -> Result:
    names = [each.name for each in rules.fields if each.before]
    if not names or recorded is None or results.UNPLAYED & {result.manner, recorded.manner}:
        return result
    kept = {name: recorded.fields[name] for name in names if name in recorded.fields}
    return replace(result, fields=kept | result.fields)


def _of_words(tournament: Tournament, match: Match, stated: StatedResult) -> Result:
    rules = tournament.ruleset
    is_swiss = is_of_swiss(tournament, match)
    reports_points = rules.scoring.kind == "reported"
    if stated.absent:
        _refuse_strangers(match, stated.absent)
        return results.absence(rules, (match.first in stated.absent, match.second in stated.absent))
    _refuse_draw_with_loser(tournament, match, stated)
    if stated.facts is not None:
        facts = recorded_facts(tournament, match) | stated.facts
        ending, outcome = stated.ending, stated.outcome
        if is_swiss and not (stated.unknown.strip() or tournament.importing):
            _refuse_without_asked(tournament, match, ending, facts)
        return results.by_facts(
            rules,
            ending,
            facts,
            outcome,
            elimination=not is_swiss,
            players=(match.first, match.second),
        )
    if stated.points is not None:
        if not reports_points and (named := _of_points(rules, stated.points)):
            return results.by_outcome(rules, named)
        if not reports_points:
            text = marked("results of {ruleset} are outcomes, not points: {outcomes}")
            names = tuple(outcome.name for outcome in rules.outcomes)
            key, clause = rules.key, rules.scoring.clause
            raise Refused(
                problem("result.outcome", text, clause=clause, ruleset=key, outcomes=names)
            )
        return results.by_points(rules, *stated.points)
    if reports_points and is_swiss:
        low, high = rules.scoring.points_min, rules.scoring.points_max
        text = marked(
            "results of {ruleset} are points: {low} to {high} for each side, such as {high}-{low}"
        )
        key, clause = rules.key, rules.scoring.clause
        raise Refused(
            problem("result.points", text, clause=clause, ruleset=key, low=low, high=high)
        )
    return results.by_outcome(rules, stated.outcome)


def _refuse_draw_with_loser(tournament: Tournament, match: Match, stated: StatedResult) -> None:
    """Refuse a draw by an ending that always has a loser; the remedies are the endings without.

    It is refused before any number is asked for: no number makes it a draw.
    """
    rules, declared = tournament.ruleset, tournament.ruleset.derives
    ended = declared.ending(stated.ending) if declared else None
    if declared is None or ended is None or not ended.marks or tournament.importing:
        return
    is_drawn = rules.records.get(stated.outcome) == "D"
    is_open = ended.marks in (stated.facts or {}) or (declared.bare and stated.facts is None)
    if not is_drawn or is_open:
        return
    if not is_of_swiss(tournament, match):
        raise Refused(results.ONE_ADVANCES)
    table, ways = table_of(match), results.drawn_endings(rules)
    text = marked("{table}: a game that ended by {ending} has a loser; a draw ends by {endings}")
    about: dict[str, Value] = {"table": table, "ending": ended.name, "endings": ways}
    remedies = tuple(remedy("report.draw", table=table, ending=name) for name in ways)
    raise Refused(Problem("result.draw_ending", text, about, ended.clause, remedies))


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
    if declared and ended and (absent := ended.unanswered(facts)):
        fact, table = declared.labels[absent[0]], Table(match.round, match.table)
        raise Refused(
            problem(
                "fact.asked",
                (
                    "{ending} at {table}: the points depend on {fact}, {meaning}: give "
                    "it for both sides"
                ),
                clause=f"{ended.clause}, {fact.clause}",
                remedy=remedy("report.fact", fact=fact.name),
                ending=ended.name,
                table=table,
                fact=fact.name,
                meaning=fact.meaning,
            )
        )


def _refuse_strangers(match: Match, absent: tuple[int, ...]) -> None:
    strangers = set(absent) - set(match.players)
    if strangers:
        player, table = Player(min(strangers)), Table(match.round, match.table)
        text = marked("{player} does not sit at {table}")
        raise Refused(problem("player.elsewhere", text, player=player, table=table))


class Report(Command, frozen=True):
    """Report a match; players who are stated to be absent are dropped.

    The same result again confirms it, another one of the other side disputes it. `time_called`
    records before it that time was called in the round.
    """

    match: int
    result: StatedResult
    time_called: bool = False

    def decide(self, tournament: Tournament, _: Context, by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        try:
            result = result_from(tournament, match, self.result)
        except Refused:  # what is missing is of no use where no report is taken
            if fixed := self._refused_by(tournament, match, by):
                raise Refused(fixed) from None
            raise
        if self.result.absent:
            yield from _no_show(tournament, match, result, self.result.absent)
        else:
            absent = results.unsaid(tournament.ruleset, result)
            waiver = waiver_of(tournament.ruleset, absent, self.result.unknown)
            report = ResultReported(match.number, result, waiver)
            if self.time_called:
                yield TimeCalled(match.round)
            yield from _reported(tournament, match, report, by)

    @staticmethod
    def _refused_by(tournament: Tournament, match: Match, by: str) -> Problem | None:
        """Return the result that refuses this report; None for a player who can dispute it."""
        claim, player = (
            disputes.current_claim(tournament, match),
            disputes.speaker(tournament, by, match),
        )
        if claim is not None and player and player != claim.player:
            return None
        return fixed_result(tournament, match)


def _reported(
    tournament: Tournament, match: Match, report: ResultReported, by: str
) -> Iterator[Event]:
    said, result = disputes.current_claim(tournament, match), report.result
    if said is None:
        yield report
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
        yield report


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


class Concede(Command, frozen=True):
    """Concede the player's open match, with its facts so far.

    `unknown` is the reason why a number is missing that the points depend on.
    """

    player: int
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_given_up(tournament, self.player, self.seen)
        if match is None:
            text = marked("{player} has no open match to concede")
            raise Refused(problem("match.none_open", text, player=Player(self.player)))
        game = GameAsLeft(self.facts, self.unknown)
        yield game_ended(tournament, match, self.player, "conceded", game, is_in_play=True)


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
            text, report = marked("{table} has no result to correct"), remedy("report", table=table)
            raise Refused(problem("result.nothing_to_correct", text, remedy=report, table=table))
        if match.result != result:
            if forbidden := list(result_allowed(tournament, match, result)):
                raise Refused(*forbidden)
            yield ResultCorrected(match.number, said.seq, result, self.reason, self.ruling)
