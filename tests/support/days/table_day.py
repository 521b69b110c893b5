"""Days that are played once: one with every verb, and one that stops at each state of pages.

Of the first each line is typed with --json, each table with --csv as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from tests.support.cli_desk import Desk
from tests.support.days.json_day import JsonDay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Answer

ON_THE_DAY = pytest.mark.xdist_group("the day with every verb")
"""For the tests of the day: one process plays it for all of them."""


class CsvDay(JsonDay):
    """Types each line that shows a table with --csv as well."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.tables: dict[str, list[tuple[str, str]]] = {}
        self.piped: dict[str, list[tuple[Answer, Answer]]] = {}
        """What a person's table is in a pipe, and on a terminal of any width."""

    def show(self, line: str, *words: str) -> None:
        """Type a line, and with --csv at the same moment."""
        super().show(line, *words)
        typed = [*(word for word in line.split() if not word.isupper()), *words]
        if shows_table(typed) and not is_other(typed):
            answer = self.desk.type(*typed, "--csv")
            assert answer.code == 0, (typed, answer.err)
            self.tables.setdefault(line, []).append((self.given[line][-1], answer.out))
            in_pipe = self.desk.type(*typed)
            with self.desk.patch.context() as patch:
                patch.setenv("COLUMNS", "100000")
                self.piped.setdefault(line, []).append((in_pipe, self.desk.type(*typed)))


def shows_table(words: list[str]) -> bool:
    """Whether the verb of a line has a table."""
    path = next(
        (" ".join(words[:n]) for n in range(len(words), 0, -1) if " ".join(words[:n]) in VERBS), ""
    )
    return bool(path) and hasattr(function_of(VERBS[path]), "shows_table")


def is_other(words: list[str]) -> bool:
    """Whether a line gives something else than the table of its verb."""
    others = {"--parquet", "--plot", "--html", "lists show", "--margin", "--slips"}
    others.add("import rounds.csv")  # only the import of several files has a table
    line = " ".join(words)
    return any(each in line for each in others)


@pytest.fixture(scope="session")
def every_verb(tmp_path_factory: pytest.TempPathFactory) -> CsvDay:
    """What was typed and given; the day is over, and its folder no longer at hand."""
    with pytest.MonkeyPatch.context() as patch:
        played = CsvDay(Desk(tmp_path_factory.mktemp("every-verb"), patch))
        played.play()
    return played


def day_of_states(desk: Desk) -> Iterator[str]:
    """Play a day with a cut, and stop at each state that a page can show."""
    yield from _opening(desk)
    yield from _first_round(desk)
    yield from _ruling(desk)
    yield from _cut(desk)
    yield from _elimination(desk)


def _opening(desk: Desk) -> Iterator[str]:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    yield "empty"
    desk.done("register", "Ann")
    yield "one player"
    for name in ("Bea", "Cas", "Dan", "Eve"):
        desk.done("register", name)
    yield "registered"
    desk.done("start", "custom", "--rounds", "2", "--cut", "4")
    yield "announced"
    desk.done("check-in", "open")
    yield "check-in"


def _first_round(desk: Desk) -> Iterator[str]:
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("pair")
    yield "paired"
    desk.done("register", "Fay")
    yield "latecomer"
    desk.done("late", "Fay")
    desk.done("round", "start")
    yield "started"
    desk.done("round", "pause", "--reason", "a call")
    yield "paused"
    desk.done("round", "resume")
    desk.report_all()
    yield "reported"


def _ruling(desk: Desk) -> Iterator[str]:
    _, second = desk.seats(1)
    desk.done("dispute", "1", "--for", f"#{second}", "--reason", "no")
    desk.done("rule", "1", "it was not", "--result", f"#{second}", "--as", "2")
    yield "ruled by a judge"
    desk.done("appeal", "1", "--for", f"#{second}", "--reason", "no")
    yield "appealed"
    desk.done("review", "1", "it was not", "--upheld")
    yield "to be entered"
    desk.done("correct", "--ruling", "1")
    desk.done("pair")
    desk.done("round", "start")
    yield "after a correction"


def _cut(desk: Desk) -> Iterator[str]:
    desk.report_all()
    yield "before the cut"
    desk.done("cut")
    yield "cut"
    first = desk.done("standings", "--json").json[0]["player"]
    desk.done("drop", f"#{first}")
    yield "place free"
    desk.done("cut", "accept", "next")
    desk.done("pair")
    desk.done("round", "start")


def _elimination(desk: Desk) -> Iterator[str]:
    first, second = desk.seats(1)
    desk.done("report", "1", f"#{first}")
    desk.done("dispute", "1", f"#{second}", "--for", f"#{second}", "--reason", "no")
    yield "disputed"
    desk.report_all()
    yield "only disputed"
    desk.done("rule", "1", "so it was", "--stands", "--as", "2")
    yield "ruled"
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    yield "over"
    desk.done("finish")
    yield "finished"
