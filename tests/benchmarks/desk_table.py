"""What the tasks of a day take at the desk, counted, beside what two other programs document.

Run with `python -m tests.benchmarks.desk_table`. Ours are lines and keys (Enter among them) that a
person types on a terminal of 80 columns, `tourney ` included; a plain result is the mean of those
typed into the loop of `report`. Theirs are the clicks and fields that their own
pages name, one each: a field is filled with as many keys as what stands in it.

* Cobra: its help, https://tournaments.nullsignal.games/help, read in its source (`help.html.slim`).
* Melee: https://help.melee.gg, the pages "Late Enrollment", "Enrolling Players into Your
  Tournaments", "Troubleshooting: Matches" and "Judging at Large Tournaments with Melee"; pairing a
  round from https://nexus.cascadegames.com/lessons/SK1-3-running-an-event.

A dash: these pages say nothing of it; the program may do it all the same.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.days.front_desk import (
    CUT,
    DELAY,
    DISPUTE,
    FACTION,
    GAMES,
    LATE,
    LEAVES,
    LOOP,
    NEXT,
    REPLACED,
    RESULT,
    TASKS,
    TIME,
)
from tests.support.days.typed_front_desk import TypedFrontDesk, each_result, typed_day

NONE = "-"

COBRA = {
    LATE: "7: name, Create; Edit, bin, two players, create",
    FACTION: "2: identity, Save",
    DELAY: NONE,
    RESULT: "1 for 6-0, 3-3, 0-6; else 4: ..., two fields, Save",
    LOOP: "not counted: the tab Pairings",
    LEAVES: "1: Drop",
    TIME: "4: ..., two fields, Save; the scores are worked out by hand",
    DISPUTE: NONE,
    NEXT: "2: Complete, Pair new round!",
    CUT: "1: Cut to Top 4 or 8",
    REPLACED: NONE,
}

MELEE = {
    LATE: "12: e-mail, name, enroll; Active, Save; Match Actions, Edit, X, table, both names, Save",
    FACTION: NONE,
    DELAY: NONE,
    RESULT: "not counted there: the green cog, then the result",
    LOOP: "not counted: the tab Matches",
    LEAVES: "2: status, Save",
    TIME: NONE,
    DISPUTE: NONE,
    NEXT: "2: Match Actions, Match Players/Teams",
    CUT: NONE,
    REPLACED: NONE,
}


class DeskRow(NamedTuple):
    """A task: what it takes in each game, and what is documented elsewhere."""

    task: str
    ours: tuple[str, ...]
    cobra: str
    melee: str


def rows(days: Mapping[str, TypedFrontDesk]) -> list[DeskRow]:
    """Put each task beside what is documented of it."""
    return [
        DeskRow(task, tuple(_effort(day, task) for day in days.values()), COBRA[task], MELEE[task])
        for task in TASKS
    ]


def _effort(day: TypedFrontDesk, task: str) -> str:
    lines, keys = each_result(day) if task == RESULT else day.effort[task]
    if task == NEXT:
        lines, keys = lines // 3, keys // 3
    return f"{lines} / {keys}"


def main() -> None:
    """Type the three days, and print what each task took, and what the whole day."""
    days = {}
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            days[game] = typed_day(Path(folder), game)
    print(f"{'lines / keys':40}{''.join(f'{game:>10}' for game in days)}  Cobra | Melee")  # noqa: T201 - a command
    for row in rows(days):
        ours = "".join(f"{each:>10}" for each in row.ours)
        print(f"{row.task:40}{ours}  {row.cobra} | {row.melee}")  # noqa: T201
    sums = [
        f"{sum(each.lines for each in day.effort.values())} / "
        f"{sum(each.keys for each in day.effort.values())}"
        for day in days.values()
    ]
    print(f"{'the whole day, setting up included':40}{''.join(f'{each:>10}' for each in sums)}")  # noqa: T201


if __name__ == "__main__":
    main()
