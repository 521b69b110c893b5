"""A day at the front desk in three games: each command of a script, and each line that is typed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from cli.terminal.visible import cells
from tests.benchmarks.desk_table import rows
from tests.support.days.front_desk import (
    DISPUTE,
    GAMES,
    LATE,
    RESULT,
    TASKS,
    TIME,
    players,
    seated,
    steps,
)
from tests.support.days.typed_front_desk import typed_day
from tests.support.keyboard import COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk


def flat(text: str) -> str:
    """What a text says, however its lines are broken."""
    return " ".join(text.split())


@pytest.mark.parametrize("game", GAMES)
def test_a_script_types_the_day(desk: Desk, game: str) -> None:
    """FFG-REJOIN, FFG-RULING, FFG-CUT-REPLACE: every answer is the one that is expected."""
    (desk.folder / "players.csv").write_text(players(game), "utf-8")
    for step in steps(game):
        line = seated(step.line, desk.done)
        answer = desk.done(*shlex.split(line))
        assert step.says in flat(answer.out + answer.err), line
    kinds = {each["kind"] for each in desk.done("audit", "--json").json["findings"]}
    assert {"late-entry", "seated", "amended", "round-extended"} <= kinds
    desk.done("export", "-o", "day.jsonl")
    desk.done("replay", "day.jsonl")
    assert "overturned" in flat(desk.done("disputes", "--all").out)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_person_types_the_day(tmp_path: Path, game: str) -> None:
    """On 80 columns nothing is wider, each answer fits, and each task takes what is printed."""
    day = typed_day(tmp_path, game)
    for step, answers in day.answers:
        assert step.says in flat(" ".join(answers)), step
        assert "Traceback" not in "".join(answers)
        shown = [line for answer in answers for line in answer.split("\n")]
        assert max(map(cells, shown)) <= COLUMNS, (step, shown)
    assert {*TASKS} <= day.effort.keys()
    lines, keys = day.effort[RESULT]
    assert lines == day.steps[RESULT]
    assert keys / lines <= 11  # a table, a name of four letters, a score, Enter
    assert day.effort[LATE].lines == 2
    assert day.effort[DISPUTE].lines <= 5
    assert day.effort[TIME].lines <= 11  # time is called first


def test_the_table_says_where_its_numbers_come_from() -> None:
    """What is not published stands as that."""
    for row in rows({}):
        assert row.cobra
        assert row.melee
