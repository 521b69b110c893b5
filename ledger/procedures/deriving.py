"""What every procedure asks of the facts first, and the result that its answer makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.events.results import Result
from ledger.procedures.ashes import ashes
from ledger.procedures.comparison import comparison
from ledger.procedures.game import Game
from ledger.procedures.l5r_time import l5r_time
from ledger.procedures.legion import legion
from ledger.procedures.runewars import runewars
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.procedures.game import Derived, Pair
    from ledger.rulesets import Ending, Fact, Procedure, Ruleset

PROCEDURES: dict[str, Callable[[Game], Derived] | None] = {
    "outcome@1": None,
    "comparison@1": comparison,
    "runewars@1": runewars,
    "ashes@1": ashes,
    "legion@1": legion,
    "l5r-time@1": l5r_time,
}
"""Every procedure by the name that a ruleset gives it; none where the outcome itself is typed."""


def derive(
    rules: Ruleset, ending: str, facts: Mapping[str, Pair], *, elimination: bool = False
) -> Result:
    """Make the result of a game that ended so, with these facts; "" is the usual ending.

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
    problems = [*_fact_problems(declared, facts), *_missing(declared, ended, facts)]
    if problems:
        raise Refused(*problems)
    ordered = {label: facts[label] for label in declared.labels if label in facts}
    answer = procedure(Game(rules, declared, ended, ordered, elimination))
    return _result(rules, ended, ordered, answer)


def _result(rules: Ruleset, ended: Ending, facts: dict[str, Pair], answer: Derived) -> Result:
    first = rules.outcome(answer.outcome)
    points = rules.points(first) if answer.points is None else answer.points
    fields = {label: pair for label, pair in answer.fields.items() if any(pair)}
    _check_ranges(rules, fields)
    outcomes = (first.name, first.against)
    return Result(outcomes, points, ended.manner, fields, ended.name, facts)


def _check_ranges(rules: Ruleset, fields: dict[str, Pair]) -> None:
    for field in rules.fields:
        for value in fields.get(field.name, ()):
            if not field.min <= value <= field.max:
                raise Refused(
                    f"{field.name} comes to {value}, not {field.min} to {field.max} "
                    f"({field.clause})"
                )


def _missing(declared: Procedure, ended: Ending, facts: Mapping[str, Pair]) -> Iterator[str]:
    known = {fact.name: fact for fact in declared.facts}
    for name in (*ended.needs, *((ended.marks,) if ended.marks else ())):
        if not any(label in facts for label in known[name].names()):
            typed = f"type `--fact {name}=A:B`"
            if name == ended.marks:
                typed = f"name the winner, {typed}, or how else it ended with `--ended`"
            told = f"{typed}; {known[name].meaning} ({known[name].clause})"
            yield f"{ended.name}: the fact {name} is missing: {told}"


def _fact_problems(declared: Procedure, facts: Mapping[str, Pair]) -> Iterator[str]:
    labels = declared.labels
    for label, pair in facts.items():
        fact = labels.get(label)
        if fact is None:
            yield f"there is no fact {label!r}; {nearest(label, labels)}"
        elif not all(fact.min <= value <= fact.max for value in pair):
            given = f"{pair[0]}:{pair[1]}"
            yield f"{label} goes from {fact.min} to {fact.max}, not {given} ({fact.clause})"
        else:
            yield from _side_problems(label, fact, pair)


def _side_problems(label: str, fact: Fact, pair: Pair) -> Iterator[str]:
    given = f"{pair[0]}:{pair[1]}"
    if fact.sides == "one" and sorted(pair) != [0, 1]:
        yield f"{label} belongs to one side, 1:0 or 0:1, not {given} ({fact.clause})"
    elif fact.sides == "most-one" and all(pair):
        yield f"{label} belongs to one side at most, not {given} ({fact.clause})"
    elif fact.sides == "shared" and pair[0] != pair[1]:
        yield f"{label} is one number for both sides, not {given} ({fact.clause})"
    elif fact.max_for_one and pair == (fact.max, fact.max):
        yield f"{label} is {fact.max} for one side at most, not {given} ({fact.clause})"
