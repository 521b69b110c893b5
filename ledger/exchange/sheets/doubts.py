"""What a sheet may mean, but hardly does: refused by row and column, unless it is let pass.

Each kind has a word of its own, with which its importer says that it is meant.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ledger.files.access import one_line
from ledger.problems import problem, remedy

if TYPE_CHECKING:
    from ledger.exchange.sheets.cells import SheetProblems

NEW_NAMES = "new-names"
DOUBTS = {
    NEW_NAMES: "a name that first comes after others, and is nearly the name of who is not there",
    "missing-result": "a table without a result in a round that others followed",
    "table-twice": "one table number in two rows of a round",
    "two-byes": "two byes in one round",
    "loser-plays": "somebody who lost in the elimination plays on",
    "changed-details": "a faction, league id or attribute that is another than in an earlier row",
    "new-faction": "a faction that the ruleset does not list",
}
"""The kinds, in the words of the help."""

NOTES_MAX = 20


class Doubts:
    """The doubts of one sheet: those let pass become notes, all others problems."""

    def __init__(self, problems: SheetProblems, allowed: Collection[str]) -> None:
        self._problems, self._allowed = problems, frozenset(allowed)
        self._notes: list[str] = []

    def add(self, kind: str, row: int, column: str, text: str) -> None:
        """Note one doubt."""
        shown = one_line(text)
        if kind in self._allowed:
            self._notes.append(f"row {row}, {column}: {shown} (let pass: {kind})")
            return
        allow = remedy("import.allow", kind=kind)
        self._problems.found.append(
            problem(
                "sheet.doubt",
                "row {row}, {column}: {text}",
                remedy=remedy("import.new_names") if kind == NEW_NAMES else allow,
                kind=kind,
                row=row,
                column=column,
                text=shown,
            )
        )

    def notes(self) -> tuple[str, ...]:
        """Return what was let pass, the first of very many."""
        more = len(self._notes) - NOTES_MAX
        rest = [f"and {more:,} more that were let pass"] if more > 0 else []
        return (*self._notes[:NOTES_MAX], *rest)
