"""The day at the front desk, typed into a terminal: what it took, and what was answered."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.cli_desk import Desk
from tests.support.days.front_desk import LOOP, RESULT, Step, players, seated, steps
from tests.support.keyboard import Terminal

if TYPE_CHECKING:
    from pathlib import Path


class Effort(NamedTuple):
    """What a task took: lines, and keys with Enter."""

    lines: int = 0
    keys: int = 0


class TypedFrontDesk(NamedTuple):
    """A day that was typed: per task what it took and in how many steps; every step's answers."""

    effort: dict[str, Effort]
    steps: Counter[str]
    answers: list[tuple[Step, list[str]]]


def typed_day(folder: Path, game: str) -> TypedFrontDesk:
    """Type the whole day of a game into a terminal."""
    (folder / "players.csv").write_text(players(game), "utf-8")
    effort: dict[str, Effort] = defaultdict(Effort)
    counted: Counter[str] = Counter()
    answers = []
    with Terminal(folder) as terminal, pytest.MonkeyPatch.context() as patch:
        look = cache(Desk(folder, patch).done)
        in_loop = False
        for step in steps(game):
            if in_loop != step.in_loop:
                line = "tourney report" if step.in_loop else "q"
                terminal.type(line)
                effort[LOOP] = Effort(effort[LOOP].lines + 1, effort[LOOP].keys + len(line) + 1)
                in_loop = step.in_loop
            before = Effort(terminal.lines, terminal.keystrokes)
            said = [terminal.type(seated(typed, look)) for typed in _typed(step)]
            answers.append((step, said))
            if step.task != RESULT:
                look.cache_clear()
            done = effort[step.task]
            effort[step.task] = Effort(
                done.lines + terminal.lines - before.lines,
                done.keys + terminal.keystrokes - before.keys,
            )
            counted[step.task] += 1
    return TypedFrontDesk(dict(effort), counted, answers)


def _typed(step: Step) -> tuple[str, ...]:
    if step.in_loop:
        return step.keys or (step.line,)
    first, *others = step.keys or (step.line,)
    return f"tourney {first}", *others


def each_result(day: TypedFrontDesk) -> Effort:
    """What one plain result takes, rounded up."""
    lines, keys = day.effort[RESULT]
    return Effort(-(-lines // day.steps[RESULT]), -(-keys // day.steps[RESULT]))
