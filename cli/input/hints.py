"""What may be typed of a result in the game in play, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rulesets import Ruleset

LEFT = 22
"""Cells of what is typed, before what it means."""


def explained(rules: Ruleset) -> list[str]:
    """Return the help of the loop: only what this game takes."""
    lines = [f"{typed:<{LEFT}}{meaning}" for typed, meaning in _lines(rules)]
    lines.append(f"outcomes: {', '.join(outcome.name for outcome in rules.outcomes)}")
    if declared := rules.derives:
        lines.append(f"--ended {', '.join(ending.name for ending in declared.endings)}")
        lines.append(f"--fact {', '.join(f'{fact.name}=A:B' for fact in declared.facts)}")
    return lines


def how(rules: Ruleset) -> str:
    """Return the ways in which this game's results are typed, in one line."""
    ways = ["TABLE WINNER [WORD]"] if rules.scoring.kind == "outcome" else []
    if (score := example(rules, "")) and rules.scoring.kind != "outcome":
        ways.append(f"TABLE [WINNER] {score}")
    elif score:
        ways.append(f"TABLE {score}")
    if any(outcome.record == "D" for outcome in rules.outcomes):
        ways.append("TABLE draw")
    return f"{', '.join(ways)} or TABLE no-show PLAYER"


def example(rules: Ruleset, name: str) -> str:
    """Return how a result is typed whose table is known, for a winner of that name."""
    declared = rules.derives
    if declared and declared.main:
        return "2-1-1" if declared.third else "2-1"
    if rules.scoring.kind == "reported":
        return f"{rules.scoring.points_max}-{rules.scoring.points_min}"
    return name


def _lines(rules: Ruleset) -> Iterator[tuple[str, str]]:
    declared = rules.derives
    if rules.scoring.kind == "outcome" and (declared is None or declared.bare):
        yield "7 ann", f"Ann won at table 7: a {rules.full_win.name}; any part of the name"
        for outcome in rules.outcomes:
            if outcome.record == "W" and outcome != rules.full_win:
                yield f"7 ann {outcome.typed[0] if outcome.typed else outcome.name}", outcome.name
    if rules.scoring.kind == "reported":
        low, high = rules.scoring.points_min, rules.scoring.points_max
        yield f"7 {high}-{low}", "points, in the order of the pairing; 7 ann …: Ann's first"
    if declared and declared.main:
        third = "-1" if declared.third else ""
        yield f"7 2-1{third}", f"{declared.main}, in the pairing's order"
        yield f"7 ann 2-1{third}", "the same, Ann's first"
    if any(outcome.record == "D" for outcome in rules.outcomes):
        yield "7 draw", "nobody won"
    if declared and (others := [_word(ending.name) for ending in declared.endings[1:]]):
        yield f"7 ann {others[0]}", "how it ended; what is missing is asked, one by one"
    yield "no-show bob", "Bob did not come; no-show ann bob: neither of them"
    yield "drop tina", "Tina leaves; drop tina udo: both left their match"
    yield "correct 2/7 bob", "with --reason WHY: another result, also of round 2"
    yield "dispute 7 bob", "with --for bob: the other side says otherwise"
    yield "undo", "take your last act back"
    yield "seat tina", "who came late gets a seat"
    yield "Enter", "see what other desks have reported"
    yield "q", "leave"


def _word(name: str) -> str:
    return name.replace(" ", "-")
