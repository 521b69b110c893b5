"""Results: the facts, what each does to the tournament, and what a result scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from ledger.errors import LedgerError, Refused, recoded
from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, Event, Meaning, Recording
from ledger.facts.columns import erase, write_field
from ledger.facts.shared import Manner, Result
from ledger.problems import (
    Player,
    Problem,
    Problems,
    Value,
    marked,
    problem,
    remedy,
)
from ledger.rulesets import Ending, Outcome, Ruleset
from ledger.rulesets.toml_files import of_file
from ledger.tournament import disputes
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, EnteredCorrection

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


class ResultReported(Event, frozen=True):
    """A match's first result."""

    recording = Recording(
        marked("reporting a result"),
        DESK | LEADERS,
        by_players=True,
        withdrawable=True,
        instead=remedy("correct"),
    )

    match: base.Ordinal
    result: Result
    waiver: base.Waiver | None = None
    """Why a number is left out that the ending asks for."""


class ResultCorrected(Event, frozen=True):
    """Another result replaces that of the event which it corrects; a ruling may have decided it."""

    recording = Recording(
        marked("correcting a result"), DESK, after_finish=True, instead=remedy("correct")
    )

    match: base.Ordinal
    corrects: base.Seq
    result: Result
    reason: base.Text
    ruling: base.SeqOrNone = 0


class ResultWithdrawn(Meaning, frozen=True):
    """A result entered by mistake is taken back: the match is open again."""

    recording = Recording(marked("withdrawing a result"), DESK, instead=remedy("report"))
    takes_back = (ResultReported, ResultCorrected)

    match: base.Ordinal


Fields = dict[str, tuple[int, int]]
"""Further numbers of a result, for each side."""

Facts = Mapping[str, tuple[int, int]]
"""Numbers of a game by their name, for each side."""

NO_FACTS: Facts = MappingProxyType({})

ONE_ADVANCES = problem(
    "result.rules",
    "an elimination game needs exactly one player who advances",
    clause="FFG-ELIM-NEXT",
)


UNPLAYED = frozenset({"no-show", "departure"})
"""Manners in which nobody met anybody: no opponent for the tiebreakers."""

JUDGED_MAX = 2_000
"""Of how many results a ruleset remembers what it has against them; most of a day are alike."""


def by_outcome(rules: Ruleset, outcome: str, manner: Manner = "played") -> Result:
    """The result of an outcome of the first player; NotFound where the ruleset has none such."""
    first = rules.outcome(outcome)
    return Result((first.name, first.against), _worth(rules, first), manner)


def by_points(rules: Ruleset, first: int, second: int) -> Result:
    """The result of reported points: more is a win; Refused where the ruleset has no draw."""
    outcome = rules.compared(first, second)
    return Result((outcome.name, outcome.against), (first, second))


def by_facts(
    rules: Ruleset,
    ending: str,
    facts: Mapping[str, tuple[int, int]],
    outcome: str = "",
    *,
    elimination: bool = False,
    players: tuple[int, int] | None = None,
) -> Result:
    """The result that follows from what the table saw; `outcome` is what the first player claims.

    A refusal names the two players of the match, if they are given.

    Naming the winner marks the other side where the ending asks who was destroyed or conceded,
    and stands for the fact that breaks a tie, where only its winner is known. Refused names all
    that is missing or contradictory, with its clauses.
    """
    seen = dict(facts)
    declared = rules.derives
    ended = declared.ending(ending) if declared else None
    record = rules.outcome(outcome).record if outcome else ""
    if declared is not None and ended is not None and record in {"W", "L"}:
        winner = (1, 0) if record == "W" else (0, 1)
        main = seen.get(declared.main)
        if ended.marks:
            seen.setdefault(ended.marks, winner[::-1])
        elif declared.then and main and main[0] == main[1] and not seen.keys() & declared.then:
            seen[declared.then[0]] = winner
    result = _derived(rules, ending, seen, elimination=elimination)
    if outcome and not _agrees(rules, outcome, result.outcomes[0]):
        raise Refused(_contradicted(rules, ending, (result.outcomes[0], outcome), players))
    return result


def _contradicted(
    rules: Ruleset, ending: str, outcomes: tuple[str, str], players: tuple[int, int] | None
) -> Problem:
    """Return why a claim is refused; the outcomes are the derived and the claimed one."""
    derived, claimed = outcomes
    clause = _clause_of(rules, ending)
    if players is None:
        text = marked(
            "the facts give a {derived} for the player named first in the pairing, not a {claimed}"
        )
        code = "result.not_by_facts"
        about = {"derived": of_file(derived), "claimed": of_file(claimed)}
        return Problem(code, text, {**about}, clause)
    text = marked("the facts give {player} a {derived} against {opponent}, not a {claimed}")
    player, opponent = map(Player, players)
    return problem(
        "result.not_by_facts_of",
        text,
        clause=clause,
        player=player,
        derived=of_file(derived),
        opponent=opponent,
        claimed=of_file(claimed),
    )


def _clause_of(rules: Ruleset, ending: str) -> str:
    """Return the clause of an ending; empty if the ruleset derives nothing."""
    declared = rules.derives
    ended = declared.ending(ending) if declared else None
    return (ended or declared).clause if declared else ""


def _derived(
    rules: Ruleset, ending: str, facts: Mapping[str, tuple[int, int]], *, elimination: bool = False
) -> Result:
    from ledger.rulesets.deriving import derive  # noqa: PLC0415 - no facts, no procedures

    return derive(rules, ending, facts, elimination=elimination)


def _agrees(rules: Ruleset, claimed: str, derived: str) -> bool:
    """Whether a claim fits; just naming the winner claims no more than that they won."""
    plain = {rules.full_win.name, rules.full_win.against}
    return claimed == derived or (
        claimed in plain and rules.records[claimed] == rules.records[derived]
    )


def absence(rules: Ruleset, absent: tuple[bool, bool], manner: Manner = "no-show") -> Result:
    """Return the result of a match that was not played, by who was absent.

    A side has what the ruleset gives for a forfeit; without that, a bye or a round missed.
    """
    first, second = (rules.worth_of_absence(is_absent=gone) for gone in absent)
    outcomes = (rules.full_win.name, rules.full_win.against)
    labels = sorted(first.fields | second.fields)
    return Result(
        (outcomes[absent[0]], outcomes[absent[1]]),
        (first.points, second.points),
        manner,
        {label: (first.fields.get(label, 0), second.fields.get(label, 0)) for label in labels},
    )


def both_left(rules: Ruleset, facts: Facts = NO_FACTS) -> Result:
    """Return the result of a game that both players left: neither won.

    If the game had begun, each side keeps its own numbers as a player who concedes does, so the
    wounds that it dealt (AOP-BLOOD).

    Raises:
        Refused: a fact does not count in such a game, or is out of its range.
    """
    result = absence(rules, (True, True), "departure")
    if not facts:
        return result
    allowed = numbers_of_both_left(rules)
    if needless := tuple(label for label in facts if label not in allowed):
        text = marked("{facts} must be left out: no side's result depends on it")
        clause = "FFG-DROP"
        raise Refused(problem("result.both_left_facts", text, clause=clause, facts=needless))
    numbers = {label: facts[label] for label in allowed if label in facts}
    return replace(result, fields=result.fields | _kept_by_losers(rules, facts), facts=numbers)


def numbers_of_both_left(rules: Ruleset) -> list[str]:
    """Return the numbers of a concession that count for a loser whatever the opponent has."""
    ended = ending_by(rules, "conceded")
    return [name for name in ended.asks if _is_own(rules, name)] if ended else []


def _is_own(rules: Ruleset, name: str) -> bool:
    """Whether a number changes the fields of the loser who has it, and no others."""
    fact = rules.derives.labels[name] if rules.derives else None
    if fact is None or fact.sides != "each" or fact.max_for_one:
        return False
    low, more = fact.min, fact.min + 1
    first, second = ({name: pair} for pair in ((more, low), (low, more)))
    without = _kept_by_losers(rules, {name: (low, low)})
    if without:
        return False
    by_first, by_second = _kept_by_losers(rules, first), _kept_by_losers(rules, second)
    return bool(by_first) and all(
        pair[1] == 0 and by_second.get(label) == pair[::-1] for label, pair in by_first.items()
    )


def _kept_by_losers(rules: Ruleset, facts: Facts) -> Fields:
    """Return the fields of each side as the loser of a concession with these facts."""
    lost = [ended_by(rules, "conceded", first=first, facts=facts) for first in (True, False)]
    fields = {}
    for label in sorted(lost[0].fields.keys() | lost[1].fields.keys()):
        first, second = (result.fields.get(label, (0, 0)) for result in lost)
        if first[0] or second[1]:
            fields[label] = (first[0], second[1])
    return fields


def is_left_by_both(rules: Ruleset, result: Result, manner: Manner = "departure") -> bool:
    """Return whether both players departed, or did not come (`no-show`)."""
    return result.manner == manner and {*map(rules.records.get, result.outcomes)} == {"L"}


def before_play(rules: Ruleset, fields: Fields) -> Fields:
    """Return those of a result's fields that are known before play, as a handicap.

    A match that was not played has them only where its opponent counts for tiebreakers.
    """
    if not (rules.forfeit and rules.forfeit.met):
        return {}
    known = {field.name for field in rules.fields if field.before}
    return {label: values for label, values in fields.items() if label in known}


Verdict = Literal["conceded", "forfeited", "won", "drawn"]
"""The way in which an act about a player ends a game: they conceded, or a decision made them lose,
win or draw."""


def drawn_endings(rules: Ruleset) -> tuple[str, ...]:
    """Return the endings that no side loses; none where nothing is derived, or nobody draws."""
    if rules.derives is None or all(outcome.record != "D" for outcome in rules.outcomes):
        return ()
    return tuple(ending.name for ending in rules.derives.endings if not ending.marks)


def ending_by(rules: Ruleset, verdict: Verdict) -> Ending | None:
    """Find the ending of an act that ends a game; None if the ruleset derives nothing from it.

    A ruleset without an ending by declaration records an imposed loss as a concession.
    """
    if verdict == "conceded":
        return _loses_by(rules, "concession")
    endings = rules.derives.endings if rules.derives else ()
    by_word = [ending for ending in endings if ending.manner == "declared"]
    if verdict == "drawn":
        return next((ending for ending in by_word if not ending.marks), None)
    marked = [ending for ending in by_word if ending.marks]
    if verdict == "won" and marked:
        return marked[-1]  # no forfeit of the other side
    return _loses_by(rules, "declared") or _loses_by(rules, "concession")


def _loses_by(rules: Ruleset, manner: Manner) -> Ending | None:
    """The first ending of that manner, where the ruleset has one that marks who loses."""
    ended = rules.derives.by_manner(manner) if rules.derives else None
    return ended if ended is not None and ended.marks else None


def unsaid(rules: Ruleset, result: Result) -> list[str]:
    """Return the numbers that the ending of a result asks for, and that it does not have."""
    if is_left_by_both(rules, result):
        return [name for name in numbers_of_both_left(rules) if name not in result.facts]
    declared = rules.derives
    ended = declared.ending(result.ending) if declared and result.ending else None
    return ended.unanswered(result.facts) if ended else []


def ended_by(rules: Ruleset, verdict: Verdict, *, first: bool, facts: Facts = NO_FACTS) -> Result:
    """Return the result of a game that an act about the first player ends, or about the second.

    This is a concession (FFG-CONCEDE), an imposed loss (FFG-AUTH-CONDUCT, AOP-PENALTY), a declared
    win or a declared draw (AOP-DECLARE). The facts are those of the game by then.

    Raises:
        Refused: the facts contradict each other or the ruleset.
    """
    ended = ending_by(rules, verdict)
    first_loses = first is not (verdict == "won")
    if ended is not None:
        loser = {ended.marks: (1, 0) if first_loses else (0, 1)} if ended.marks else {}
        return _derived(rules, ended.name, {**facts, **loser})
    if verdict == "drawn":
        draw = next(outcome for outcome in rules.outcomes if outcome.record == "D")
        return by_outcome(rules, draw.name, "declared")
    lost = _full_loss(rules, first=first_loses)
    is_declared = verdict != "conceded" and rules.derives is None
    return replace(lost, manner="declared") if is_declared else lost


def conceded(rules: Ruleset, *, first: bool) -> Result:
    """The result of a concession by the first player, or else by the second (FFG-CONCEDE)."""
    return ended_by(rules, "conceded", first=first)


def _full_loss(rules: Ruleset, *, first: bool) -> Result:
    """The concession of a game whose ruleset derives nothing from it."""
    win = rules.full_win
    if rules.scoring.kind == "reported":
        most = rules.scoring.points_max
        points = (0, most) if first else (most, 0)
        outcomes = (win.against, win.name) if first else (win.name, win.against)
        return Result(outcomes, points, "concession")
    return by_outcome(rules, win.against if first else win.name, "concession")


def turned(result: Result) -> Result:
    """The same result seen from the other side of the table."""
    return Result(
        (result.outcomes[1], result.outcomes[0]),
        (result.points[1], result.points[0]),
        result.manner,
        {label: (values[1], values[0]) for label, values in result.fields.items()},
        result.ending,
        {label: (values[1], values[0]) for label, values in result.facts.items()},
        (result.adjusted[1], result.adjusted[0]),
    )


def _worth(rules: Ruleset, first: Outcome) -> tuple[int, int]:
    """What both sides get; 0 to 0 where points are reported and only a winner is named."""
    return rules.points(first) if rules.scoring.kind == "outcome" else (0, 0)


def problems(rules: Ruleset, result: Result, *, elimination: bool) -> tuple[Problem, ...]:
    """List what the ruleset has against a result: a result like an earlier one is looked up."""
    facts = (*result.fields.items(), None, *result.facts.items())
    points = result.points, result.adjusted
    key = (result.outcomes, points, result.manner, result.ending, facts, elimination)
    known = rules.judged.get(key)
    if known is None:
        known = tuple(_problems(rules, result, elimination=elimination))
        if len(rules.judged) >= JUDGED_MAX:
            rules.judged.clear()
        rules.judged[key] = known
    return known


def _problems(rules: Ruleset, result: Result, *, elimination: bool) -> Problems:
    unknown = [outcome for outcome in result.outcomes if outcome not in rules.records]
    if unknown:
        text, clause = marked("{game} has no outcome {outcome}"), rules.scoring.clause
        yield problem(
            "result.rules", text, clause=clause, game=rules.key, outcome=f"{unknown[0]!r}"
        )
        return
    left_by_both = is_left_by_both(rules, result)
    if result.manner == "departure" and not (elimination or left_by_both):
        text = marked("a player who leaves a Swiss round must concede or be a no-show")
        yield problem("result.departure", text, clause="FFG-DROP")
        return
    if left_by_both and result.facts:
        yield from _both_left_problems(rules, result)
        return
    if result.manner in UNPLAYED:
        yield from _absence_problems(rules, result)
        return
    if result.facts or result.ending:
        yield from _derivation_problems(rules, result, elimination=elimination)
        return
    if result.manner == "concession" and result not in (
        conceded(rules, first=first) for first in (True, False)
    ):
        yield problem(
            "result.conceded",
            "a concession must count as a full win for the opponent",
            clause="FFG-CONCEDE",
        )
        return
    yield from _bare_problems(rules, result, elimination=elimination)
    first, second = (rules.outcome(outcome) for outcome in result.outcomes)
    if first.against != second.name:
        yield problem(
            "result.rules",
            "if one player has a {outcome}, the opponent must have a {other}, not a {given}",
            clause=rules.scoring.clause,
            outcome=f"{first.name!r}",
            other=f"{first.against!r}",
            given=f"{second.name!r}",
        )
    else:
        yield from _points_problems(rules, result, elimination=elimination)
    yield from _field_problems(rules, result)
    if elimination and first.advances == second.advances:
        yield ONE_ADVANCES


def _derivation_problems(rules: Ruleset, result: Result, *, elimination: bool) -> Problems:
    """A result stands by its own facts: whatever follows from them must be what it says."""
    try:
        derived = _derived(rules, result.ending, result.facts, elimination=elimination)
    except Refused as error:
        yield from (recoded(problem_found, "result.rules") for problem_found in error.problems)
        return
    if derived != result:
        points = f"{derived.points[0]}:{derived.points[1]}"
        yield problem(
            "result.rules",
            "the facts give a {outcome} of {points}, by {ending}",
            clause=_clause_of(rules, result.ending),
            outcome=of_file(derived.outcomes[0]),
            points=points,
            ending=derived.ending,
        )
    if elimination and result.outcomes[0] == result.outcomes[1]:
        yield ONE_ADVANCES


def _both_left_problems(rules: Ruleset, result: Result) -> Problems:
    """Compare the result with the one that follows from its facts."""
    try:
        derived = both_left(rules, result.facts)
    except Refused as error:
        yield from (recoded(problem_found, "result.rules") for problem_found in error.problems)
        return
    if derived != result:
        text = marked("the result of a game that both players left must follow from its facts")
        clause = rules.derives.clause if rules.derives else ""
        yield problem("result.both_left", text, clause=clause)


def _bare_problems(rules: Ruleset, result: Result, *, elimination: bool) -> Problems:
    """What is missing where only an outcome was reported."""
    declared = rules.derives
    if declared is None:
        return
    if result.fields:
        derived = ", ".join(sorted(result.fields))
        text = marked("{game} derives {fields} from facts: omit it")
        yield problem("result.rules", text, clause=declared.clause, game=rules.key, fields=derived)
    if not (declared.bare or elimination):
        main = declared.labels[declared.main]
        text, way = marked("{game} needs {fact} for both sides: {meaning}"), remedy("report.score")
        about: dict[str, Value] = {"game": rules.key, "fact": main.name}
        about["meaning"] = of_file(main.meaning)
        yield Problem("result.score_missing", text, about, main.clause, (way,))


def _absence_problems(rules: Ruleset, result: Result) -> Problems:
    loss = rules.full_win.against
    first, second = (outcome == loss for outcome in result.outcomes)
    expected = absence(rules, (first, second), result.manner)
    given = expected.fields | before_play(rules, result.fields)
    if not (first or second) or replace(expected, fields=given) != result:
        text = marked("a match that was not played must count as a bye for the player who came")
        clause = "FFG-BYE-WIN"
        if rules.forfeit is not None:
            text = marked("a match that was not played must count as a forfeit, as in the ruleset")
            clause = rules.forfeit.clause
        yield problem("result.unplayed", text, clause=clause)
        return
    yield from _field_problems(rules, result)


def _points_problems(rules: Ruleset, result: Result, *, elimination: bool) -> Problems:
    given, clause = f"{result.points[0]}:{result.points[1]}", rules.scoring.clause
    if rules.scoring.kind == "outcome":
        worth = _worth(rules, rules.outcome(result.outcomes[0]))
        if result.points != worth:
            text, name = marked("a {outcome} is worth {worth}, not {given}"), result.outcomes[0]
            counts = f"{worth[0]}:{worth[1]}"
            outcome = of_file(name)
            yield problem(
                "result.rules", text, clause=clause, outcome=outcome, worth=counts, given=given
            )
        return
    if rules.scoring.kind == "derived":
        if result.points != (0, 0):
            text = marked("the points follow from facts and must be given as 0:0, not {given}")
            yield problem("result.rules", text, clause=clause, given=given)
        return
    low, high = rules.scoring.points_min, rules.scoring.points_max
    if not all(low <= points <= high for points in result.points):
        text = marked("the points of each side must be from {low} to {high}, not {given}")
        yield problem("result.rules", text, clause=clause, low=low, high=high, given=given)
    elif not (elimination and result.points == (0, 0)):
        yield from _comparison_problems(rules, result)


def _comparison_problems(rules: Ruleset, result: Result) -> Problems:
    try:
        compared = by_points(rules, *result.points)
    except LedgerError as error:
        yield from (recoded(problem_found, "result.rules") for problem_found in error.problems)
        return
    if compared.outcomes != result.outcomes:
        points = f"{result.points[0]}:{result.points[1]}"
        text, outcome = marked("{points} is not a {outcome}"), of_file(result.outcomes[0])
        yield problem(
            "result.rules", text, clause=rules.scoring.clause, points=points, outcome=outcome
        )


def _field_problems(rules: Ruleset, result: Result) -> Problems:
    declared = {field.name: field for field in rules.fields}
    for label, values in result.fields.items():
        if label not in declared:
            text, clause = marked("{game} has no field {field}"), rules.scoring.clause
            yield problem("result.rules", text, clause=clause, game=rules.key, field=f"{label!r}")
        elif not all(declared[label].min <= value <= declared[label].max for value in values):
            low, high, clause = declared[label].min, declared[label].max, declared[label].clause
            text = marked("{field} must be from {low} to {high}")
            yield problem("result.rules", text, clause=clause, field=label, low=low, high=high)


UNADJUSTED = (0, 0)
"""No points beside those of the result: so in most results."""


def result_reported(tournament: Tournament, event: ResultReported, recorded: Recorded) -> None:
    match = tournament.matches[event.match]
    player = disputes.speaker(tournament, recorded.by, match)
    if player:
        tournament.floor.reporters[match.number] = player
        tournament.floor.reported_at[match.number] = recorded.at
        if disputes.waits(tournament, match, event.result, player):
            claim = Claim(recorded.seq, player, recorded.at, event.result)
            tournament.floor.unconfirmed[match.number] = claim
            return
    tournament.rounds[match.round - 1].unreported -= 1
    enter(tournament, match, event.result, recorded.seq)


def result_corrected(tournament: Tournament, event: ResultCorrected, recorded: Recorded) -> None:
    match = tournament.matches[event.match]
    if match.result is None:
        tournament.rounds[match.round - 1].unreported -= 1
    elif match.result.fields:
        _erase(tournament, match)
    floor = tournament.floor
    if floor.reporters or floor.confirmed:
        _forget_who_said(tournament, match)
    enter(tournament, match, event.result, recorded.seq)
    correction = match.number, recorded.by, recorded.at, event.reason, event.ruling
    floor.corrections.append(EnteredCorrection(*correction))
    if event.ruling:
        carried_out(tournament, event.ruling, recorded.seq)


def carried_out(tournament: Tournament, seq: int, entered: int) -> None:
    """Remember by which event a result came in line with the ruling of that event; 0: by none."""
    ruling = tournament.floor.ruling(seq) if seq else None
    if ruling is not None:
        ruling.entered = entered


def result_withdrawn(tournament: Tournament, event: ResultWithdrawn, _: Recorded) -> None:
    match = tournament.matches[event.match]
    if match.result is not None:
        _erase(tournament, match)
        tournament.rounds[match.round - 1].unreported += 1
    match.result = None
    match.result_seq = 0
    _forget_who_said(tournament, match)


def _forget_who_said(tournament: Tournament, match: Match) -> None:
    """The words about a result end with it."""
    floor = tournament.floor
    if floor.reporters:
        floor.reporters.pop(match.number, None)
        floor.reported_at.pop(match.number, None)
        floor.unconfirmed.pop(match.number, None)
    if floor.confirmed:
        floor.confirmed.pop(match.number, None)


def enter(tournament: Tournament, match: Match, result: Result, seq: int) -> None:
    """Let the result of an event count."""
    match.result = result
    match.result_seq = seq
    round_ = tournament.rounds[match.round - 1]
    first, second = match.first, match.second
    met = result.manner not in UNPLAYED
    against, points, seqs, records = round_.against, round_.points, round_.seqs, round_.records
    against[first] = second if met else 0
    against[second] = first if met else 0
    points[first], points[second] = (
        result.points if result.adjusted == UNADJUSTED else result.counted
    )
    seqs[first] = seqs[second] = seq
    one, other = result.outcomes
    letters = tournament.letters
    records[first] = letters[one]
    records[second] = letters[other]
    if result.fields:
        for label, (value, opposite) in result.fields.items():
            write_field(round_, label, first, value)
            write_field(round_, label, second, opposite)


def _erase(tournament: Tournament, match: Match) -> None:
    for player in match.players:
        erase(tournament.rounds[match.round - 1], player)
