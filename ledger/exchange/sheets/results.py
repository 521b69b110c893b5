"""The result of a row: by an outcome's word, by points, or by what the table saw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger import scoring
from ledger.errors import LedgerError
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.results import Result
    from ledger.exchange.sheets.cells import Problems
    from ledger.exchange.sheets.cells import Row
    from ledger.rulesets import Ruleset

_WHOLE = re.compile(r"-?[0-9]{1,15}")

NO_SHOW = {"no-show1": (True, False), "no-show2": (False, True), "no-show": (True, True)}
"""Words of `result` for a match that was not played: who did not come."""

MISSED = frozenset({"missed", "assigned loss"})
"""Words of `result` for a player without opponent who did not win: an assigned loss."""


def columns_of(rules: Ruleset) -> Iterator[str]:
    """The columns that a result can stand in, by the ruleset."""
    yield from ("result", "winner")
    if rules.scoring.kind == "reported":
        yield from ("points1", "points2")
    if rules.derives is not None:
        yield "ended"
        for label, fact in rules.derives.labels.items():
            yield from (f"{label}1", f"{label}2")
            if fact.sides in {"shared", "one", "most-one"}:
                yield label


class ResultReader:
    """Reads the results of one file."""

    def __init__(self, rules: Ruleset, problems: Problems) -> None:
        self._rules = rules
        self._problems = problems

    def read(self, row: Row, *, elimination: bool) -> Result | None:
        """The result of a match; none where the row tells nothing of it, or what is wrong."""
        word = row.cell("result").lower()
        if word in NO_SHOW:
            return scoring.absence(self._rules, NO_SHOW[word])
        before = len(self._problems.found)
        outcome, points, facts, ending = (
            self._outcome(row), self._points(row), self._facts(row), self._ending(row),
        )  # fmt: skip
        if len(self._problems.found) > before:
            return None
        try:
            if facts or ending:
                return scoring.by_facts(
                    self._rules, ending, facts, outcome, elimination=elimination
                )
            if points is not None and not (elimination and outcome):
                return scoring.by_points(self._rules, *points)
            return self._bare(row, outcome, elimination=elimination) if outcome else None
        except LedgerError as error:
            self._problems.add(row, "", str(error))
            return None

    def _bare(self, row: Row, outcome: str, *, elimination: bool) -> Result | None:
        result = scoring.by_outcome(self._rules, outcome)
        found = list(scoring.problems(self._rules, result, elimination=elimination))
        for problem in found:
            self._problems.add(row, "result" if row.cell("result") else "winner", problem)
        return None if found else result

    def _outcome(self, row: Row) -> str:
        """The first player's outcome, by a word for it or by the winner."""
        word, winner = row.cell("result"), row.cell("winner")
        named = ""
        if winner:
            full = self._rules.full_win
            sides = {"1": full.name, "2": full.against}
            sides |= {row.cell("player2"): full.against, row.cell("player1"): full.name}
            named = sides.get(winner, "")
            if not named:
                self._problems.add(row, "winner", f"{winner!r} is neither 1, 2 nor a player")
        if not word:
            return named
        try:
            return self._rules.typed(word).name
        except LedgerError as error:
            self._problems.add(row, "result", str(error))
            return ""

    def _points(self, row: Row) -> tuple[int, int] | None:
        return self._pair(row, "points") if self._rules.scoring.kind == "reported" else None

    def _ending(self, row: Row) -> str:
        word = " ".join(row.cell("ended").lower().split())
        if not word or self._rules.derives is None:
            return ""
        endings = self._rules.derives.endings
        for ending in endings:
            if word in {ending.name, *ending.typed}:
                return ending.name
        hint = nearest(word, [ending.name for ending in endings])
        self._problems.add(row, "ended", f"there is no ending {word!r}; {hint}")
        return ""

    def _facts(self, row: Row) -> dict[str, tuple[int, int]]:
        facts: dict[str, tuple[int, int]] = {}
        for label, fact in self._rules.derives.labels.items() if self._rules.derives else ():
            pair = self._pair(row, label)
            if pair is None and row.cell(label):
                pair = self._single(row, label, shared=fact.sides == "shared")
            if pair is not None:
                facts[label] = pair
        return facts

    def _single(self, row: Row, label: str, *, shared: bool) -> tuple[int, int] | None:
        """One number for both sides; or the side, 1 or 2 or its player, that has a fact."""
        value = row.cell(label)
        if shared:
            number = self._whole(row, label)
            return None if number is None else (number, number)
        if value in {"1", row.cell("player1")}:
            return (1, 0)
        if value in {"2", row.cell("player2")}:
            return (0, 1)
        self._problems.add(row, label, f"{value!r} is neither 1, 2 nor a player of the row")
        return None

    def _pair(self, row: Row, label: str) -> tuple[int, int] | None:
        """Both sides' numbers; what is missing beside the other is named."""
        one, two = f"{label}1", f"{label}2"
        if not row.cell(one) and not row.cell(two):
            return None
        for own, other in ((one, two), (two, one)):
            if not row.cell(own):
                self._problems.add(row, own, f"is empty, though {other} is not")
                return None
        first, second = self._whole(row, one), self._whole(row, two)
        return None if first is None or second is None else (first, second)

    def _whole(self, row: Row, column: str) -> int | None:
        if _WHOLE.fullmatch(row.cell(column)):
            return int(row.cell(column))
        self._problems.add(row, column, f"{row.cell(column)!r} is no whole number")
        return None
