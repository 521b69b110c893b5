"""The day with every verb, played once: each line with --json, each table with --csv as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from tests.support.cli_desk import Desk
from tests.support.days.json_day import JsonDay

if TYPE_CHECKING:
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
    line = " ".join(words)
    return any(each in line for each in others)


@pytest.fixture(scope="session")
def every_verb(tmp_path_factory: pytest.TempPathFactory) -> CsvDay:
    """What was typed and given; the day is over, and its folder no longer at hand."""
    with pytest.MonkeyPatch.context() as patch:
        played = CsvDay(Desk(tmp_path_factory.mktemp("every-verb"), patch))
        played.play()
    return played
