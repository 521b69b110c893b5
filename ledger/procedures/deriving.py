"""What every procedure asks of the facts first, and the result that its answer makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.events.results import Result
from ledger.problems import Problem, Remedy, problem, remedy
from ledger.procedures.ashes import ashes
from ledger.procedures.comparison import comparison
from ledger.procedures.game import Derived, Game, Pair, as_typed
from ledger.procedures.l5r_time import l5r_time
from ledger.procedures.legion import legion
from ledger.procedures.runewars import runewars
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from ledger.rulesets import Ending, Fact, Procedure, Ruleset

PROCEDURES: dict[str, Callable[[Game], Derived] | None] = {
    "outcome@1": None,
    "comparison@1": comparison,
    "runewars@1": runewars,
    "ashes@1": ashes,
    "legion@1": legion,
    "l5r-time@1": l5r_time,
}
"""Every procedure by the name that a ruleset gives it; None where the outcome itself is typed."""


def derive(
    rules: Ruleset, ending: str, facts: Mapping[str, Pair], *, elimination: bool = False
) -> Result:
    """Return the result of a game from how it ended and its facts; "" is the usual ending.

    Raises:
        Refused: everything that is missing or contradictory, each with its clause.
    """
    declared = rules.derives
    procedure = PROCEDURES[declared.name] if declared else None
    if declared is None or procedure is None:
        raise Refused(f"{rules.key} reports an outcome or points, no facts")
    ended = declared.ending(ending)
    if ended is None:
        hint = nearest(ending, [one.name for one in declared.endings])
        raise Refused(f"{rules.key} has no ending {ending!r}; {hint}")
    wrong, absent = list(_fact_problems(declared, facts)), list(_missing(declared, ended, facts))
    if wrong or absent:
        raise Refused(*wrong, *absent)
    ordered = {label: facts[label] for label in declared.labels if label in facts}
    answer = procedure(Game(rules, declared, ended, ordered, elimination))
    return _result(rules, ended, ordered, answer)


def _result(rules: Ruleset, ended: Ending, facts: dict[str, Pair], answer: Derived) -> Result:
    first = rules.outcome(answer.outcome)
    points = rules.points(first) if answer.points is None else answer.points
    fields = {label: pair for label, pair in answer.fields.items() if any(pair)}
    for field in rules.fields:
        for value in fields.get(field.name, ()):
            if not field.min <= value <= field.max:
                held = f"{field.min} to {field.max} ({field.clause})"
                raise Refused(f"{field.name} comes to {value}, not {held}")
    outcomes = (first.name, first.against)
    return Result(outcomes, points, ended.manner, fields, ended.name, facts)


def _missing(declared: Procedure, ended: Ending, facts: Mapping[str, Pair]) -> Iterator[Problem]:
    by_name = {fact.name: fact for fact in declared.facts}
    for name in filter(None, (*ended.needs, ended.marks)):
        fact = by_name[name]
        if not any(label in facts for label in fact.names()):
            ways: tuple[Remedy, ...] = (remedy("report.fact", fact=name),)
            if name == ended.marks:
                ways = remedy("report.winner"), *ways, remedy("report.ended")
            about = {"ending": ended.name, "fact": name, "meaning": fact.meaning}
            text = "{ending}: the fact {fact} is missing: {meaning}"
            yield problem("fact.missing", text, clause=fact.clause, remedy=ways, **about)


def _fact_problems(declared: Procedure, facts: Mapping[str, Pair]) -> Iterator[str]:
    for label, pair in facts.items():
        fact = declared.labels.get(label)
        if fact is None:
            yield f"there is no fact {label!r}; {nearest(label, declared.labels)}"
        elif wrong := _wrong(fact, pair):
            yield f"{label} {wrong}, not {as_typed(pair)} ({fact.clause})"


def _wrong(fact: Fact, pair: Pair) -> str:
    """Say what a fact has to be where it is not; empty where it is."""
    if not all(fact.min <= value <= fact.max for value in pair):
        return f"goes from {fact.min} to {fact.max}"
    if fact.sides == "one" and sorted(pair) != [0, 1]:
        return "belongs to one side, 1:0 or 0:1"
    if fact.sides == "most-one" and all(pair):
        return "belongs to one side at most"
    if fact.sides == "shared" and pair[0] != pair[1]:
        return "is one number for both sides"
    if fact.max_for_one and pair == (fact.max, fact.max):
        return f"is {fact.max} for one side at most"
    return ""
