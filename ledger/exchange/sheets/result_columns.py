"""The result of a row: by the word for an outcome, by points, or by facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, Refused
from ledger.exchange.sheets.cells import (
    SheetProblems,
    SheetRow,
    forfeit_of,
    is_date,
    score_of,
    seat_key,
    whole_score,
)
from ledger.facts import results
from ledger.facts.people import name_key
from ledger.problems import marked, phrase
from ledger.rulesets.toml_files import nearest

if TYPE_CHECKING:
    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset

_WHOLE = re.compile(r"(-?[0-9]{1,15})(?:\.0{1,9})?")
MANGLED = marked(
    "is a date: if the spreadsheet turned a score such as 2-1 into a date, format "
    "the column as text and type the score again"
)

NO_SHOW = {"no-show1": (True, False), "no-show2": (False, True), "no-show": (True, True)}
"""Words in the column of results for a match that was not played, and who did not come."""

MISSED = frozenset({"missed", "assigned loss"})
"""Words in the column of results for a player without opponent who has an assigned loss."""


def columns_of(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the columns that can hold a result, by the ruleset, and their further titles."""
    columns: dict[str, tuple[str, ...]] = {"result": (), "winner": ()}
    if rules.scoring.kind == "reported":
        columns |= {"points": (), **sided("points", ())}
    if rules.derives is not None:
        columns["ended"] = ()
        for label, fact in rules.derives.labels.items():
            columns |= sided(label, fact.titles)
            if fact.sides != "each" or label == rules.derives.main:
                columns[label] = fact.titles
    return columns


def sided(label: str, titles: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return both sides' columns: "Player 1 Score" and "P1 score" are one."""
    words = (label, *titles)
    forms = ("{0}{1}", "player{1}{0}", "p{1}{0}", "{0}player{1}", "{0}p{1}")
    return {
        f"{label}{side}": tuple(form.format(word, side) for word in words for form in forms)
        for side in (1, 2)
    }


class ResultReader:
    """Reads the results of one file."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules, self.problems = rules, SheetProblems()
        points = "points" if rules.scoring.kind == "reported" else ""
        self._main = rules.derives.main if rules.derives else points
        scored = rules.scoring
        self._bounds = {"points": (scored.points_min, scored.points_max)} if points else {}
        if rules.derives is not None:
            facts = rules.derives.labels.items()
            self._bounds = {label: (fact.min, fact.max) for label, fact in facts}

    def read(self, row: SheetRow, *, elimination: bool) -> Result | None:
        """Return the result of a match; None where the row has none, or a wrong one."""
        word = forfeit_of(row.cell("result")) or row.cell("result").lower()
        if word in NO_SHOW:
            return results.absence(self._rules, NO_SHOW[word])
        if self._note_dates(row):
            return None
        return self._told(row, elimination=elimination)

    def _told(self, row: SheetRow, *, elimination: bool) -> Result | None:
        before = len(self.problems.found)
        outcome = self._outcome(row)
        points = self._main_pair(row) if self._rules.scoring.kind == "reported" else None
        facts, ending = self._facts(row), self._ending(row)
        if len(self.problems.found) > before:
            return None
        try:
            if facts or ending:
                stated = (ending, facts, outcome)
                return results.by_facts(self._rules, *stated, elimination=elimination)
            if points is not None and not (elimination and outcome):
                return self._in_bounds(row, results.by_points(self._rules, *points))
        except LedgerError as error:
            self.problems.add(row.number, self.told_in(row, claimed=bool(outcome)), str(error))
            return None
        return self._bare(row, outcome, elimination=elimination) if outcome else None

    def _in_bounds(self, row: SheetRow, result: Result) -> Result | None:
        low, high = self._bounds["points"]
        if all(low <= points <= high for points in result.points):
            return result
        given = f"{result.points[0]}:{result.points[1]}"
        why = phrase(
            "points must be from {low} to {high} for each side, not {given}",
            low=low,
            high=high,
            given=given,
        )
        self.problems.add(row.number, self.told_in(row), why)
        return None

    def _note_dates(self, row: SheetRow) -> bool:
        """Note the cells of a result that are dates; true where there is one."""
        of = {"result", self._main, f"{self._main}1", f"{self._main}2"}
        found = sorted(column for column in of if is_date(row.cell(column)))
        for column in found:
            self.problems.add(row.number, column, f"{row.cell(column)!r} {MANGLED}")
        return bool(found)

    def told_in(self, row: SheetRow, *, claimed: bool = False) -> str:
        """Return the column of the result: one out of bounds, else the first that is filled.

        What claims an outcome beside its facts comes first where it is `claimed`.
        """
        sides = ("1", "2", "")
        labels = self._bounds
        for label, (low, high) in labels.items():
            for column in (f"{label}{side}" for side in sides):
                found = _WHOLE.fullmatch(row.cell(column))
                if found and not low <= int(found[1]) <= high:
                    return column
        filled = [f"{label}{side}" for label in labels for side in sides]
        words = ("result", "winner")
        columns = (*words, *filled) if claimed else (*filled, *words, "ended")
        return next((column for column in columns if row.cell(column)), "result")

    def lost_to_nobody(self, row: SheetRow, *, first: bool) -> bool:
        """Whether a player without opponent has an assigned loss by the row, and no bye."""
        word = row.cell("result").lower()
        main = self._main_pair(row)
        lost = main is not None and main[first] > main[not first]
        if word in MISSED:
            return True
        if self._note_dates(row):
            return False
        if word in {"", "bye"} or self._is_score(word):
            return lost
        try:
            letter = self._rules.typed(word).record
        except LedgerError:
            letter = "D"
        if letter == "D" or (main is not None and lost != (letter == "L")):
            why = phrase("{word} without an opponent must be bye or missed", word=f"{word!r}")
            self.problems.add(row.number, "result", why)
        return letter == "L"

    def _bare(self, row: SheetRow, outcome: str, *, elimination: bool) -> Result | None:
        if self._rules.scoring.kind == "reported" and not elimination:
            low, high = self._bounds["points"]
            why = phrase(
                "states {outcome}, but the points of both sides are missing: {low} to {high} each",
                outcome=outcome,
                low=low,
                high=high,
            )
            self.problems.add(row.number, self.told_in(row), why)
            return None
        result = results.by_outcome(self._rules, outcome)
        found = list(map(str, results.problems(self._rules, result, elimination=elimination)))
        for problem in found:
            self.problems.add(row.number, "result" if row.cell("result") else "winner", problem)
        return None if found else result

    def _outcome(self, row: SheetRow) -> str:
        """Return the first player's outcome, by a word for it or by the winner."""
        word = row.cell("result")
        named = self._won(row)
        if not word or self._is_score(word):
            return named
        try:
            outcome = self._by_score(word) or self._rules.typed(word).name
        except LedgerError as error:
            self.problems.add(row.number, "result", str(error))
            return ""
        if named and self._rules.records[outcome] != self._rules.records[named]:
            why = phrase(
                "{cell} is the winner, but the result is {outcome}",
                cell=f"{row.cell('winner')!r}",
                outcome=outcome,
            )
            self.problems.add(row.number, "winner", why)
        return outcome

    def _won(self, row: SheetRow) -> str:
        """Return the first player's outcome where the winner is named, or a draw."""
        winner = name_key(row.cell("winner"))
        if not winner:
            return ""
        full = self._rules.full_win
        sides = {"1": full.name, "2": full.against}
        sides |= {player_of(row, 2): full.against, player_of(row, 1): full.name}
        drawn = [one for one in self._rules.outcomes if one.record == "D"]
        sides |= {word: one.name for one in drawn for word in (one.name, "tie")}
        if winner not in sides:
            why = phrase(
                "{cell} must be 1, 2 or a player of the row", cell=f"{row.cell('winner')!r}"
            )
            self.problems.add(row.number, "winner", why)
        return sides.get(winner, "")

    def _is_score(self, word: str) -> bool:
        return bool(self._main and whole_score(word))

    def _by_score(self, word: str) -> str:
        """Return the outcome of a score, as 1-0 or ½-½, where no fact is counted in it.

        Raises:
            Refused: both sides have as much, and the ruleset has no draw; or both have nothing,
                which is a draw for some and a loss of both for others.
        """
        match score_of(word):
            case (first, second) if not self._main and not (first or second):
                raise Refused(
                    phrase(
                        "{word} can be a draw or a loss of both: use draw or no-show",
                        word=f"{word!r}",
                    )
                )
            case (first, second) if not self._main or first == second:
                return self._rules.compared(int(2 * first), int(2 * second)).name
        return ""

    def _score(self, row: SheetRow) -> tuple[int, ...]:
        """Return the numbers of a score in one cell, 2-1 or 1-1-1; empty without one."""
        cells = [row.cell(column) for column in (self._main, "result") if self._main]
        return next(filter(None, map(whole_score, cells)), ())

    def _main_pair(self, row: SheetRow) -> tuple[int, int] | None:
        """Return both sides' points or main fact, out of two columns or of a score."""
        pair, score, own = self._pair(row, self._main), self._score(row), row.cell(self._main)
        if own and not self._is_score(own):
            self.problems.add(
                row.number, self._main, phrase("{own} is not a score such as 2-1", own=f"{own!r}")
            )
        if not score:
            return pair
        in_score = (score[0], score[1])
        if pair not in {None, in_score}:
            column = self._main if own else "result"
            stated, typed = ("-".join(map(str, sides)) for sides in (pair, in_score))
            self.problems.add(
                row.number,
                column,
                phrase(
                    "{main} is {stated}, but the score is {typed}",
                    main=self._main,
                    stated=stated,
                    typed=typed,
                ),
            )
        elif own and self._is_score(row.cell("result")) and own != row.cell("result"):
            self.problems.add(
                row.number,
                "result",
                phrase(
                    "is {cell}, but {main} is {own}",
                    cell=f"{row.cell('result')!r}",
                    main=self._main,
                    own=f"{own!r}",
                ),
            )
        return in_score

    def _ending(self, row: SheetRow) -> str:
        word = " ".join(row.cell("ended").lower().split())
        if not word or self._rules.derives is None:
            return ""
        endings = self._rules.derives.endings
        if ending := next((one for one in endings if word in {one.name, *one.typed}), None):
            return ending.name
        hint = nearest(word, [ending.name for ending in endings])
        self.problems.add(
            row.number,
            "ended",
            phrase("there is no ending {word}; {hint}", word=f"{word!r}", hint=hint),
        )
        return ""

    def _facts(self, row: SheetRow) -> dict[str, tuple[int, int]]:
        declared = self._rules.derives
        if declared is None:
            return {}
        facts: dict[str, tuple[int, int]] = {}
        for label, fact in declared.labels.items():
            if label == self._main:
                pair = self._main_pair(row)
            elif (pair := self._pair(row, label)) is None and row.cell(label):
                pair = self._single(row, label, shared=fact.sides == "shared")
            if pair is not None:
                facts[label] = pair
        for third in self._score(row)[2:]:
            label = declared.third or "third number"
            if facts.setdefault(label, (third, third)) != (third, third):
                self.problems.add(
                    row.number,
                    label,
                    phrase(
                        "is {cell}, but the score has {third}", cell=row.cell(label), third=third
                    ),
                )
        return facts

    def _single(self, row: SheetRow, label: str, *, shared: bool) -> tuple[int, int] | None:
        """Return one number for both sides; or the side, 1 or 2 or its player, that has a fact."""
        if shared:
            number = self._whole(row, label)
            return None if number is None else (number, number)
        value = name_key(row.cell(label))
        for side, pair in ((1, (1, 0)), (2, (0, 1))):
            if value in {str(side), player_of(row, side)}:
                return pair
        why = phrase("{cell} must be 1, 2 or a player of the row", cell=f"{row.cell(label)!r}")
        self.problems.add(row.number, label, why)
        return None

    def _pair(self, row: SheetRow, label: str) -> tuple[int, int] | None:
        """Return both sides' numbers; where only one is there, the other is a problem."""
        one, two = f"{label}1", f"{label}2"
        if not row.cell(one) and not row.cell(two):
            return None
        for own, other in ((one, two), (two, one)):
            if not row.cell(own):
                self.problems.add(
                    row.number, own, phrase("is empty, but {other} is not", other=other)
                )
                return None
        first, second = self._whole(row, one), self._whole(row, two)
        return None if first is None or second is None else (first, second)

    def _whole(self, row: SheetRow, column: str) -> int | None:
        if found := _WHOLE.fullmatch(row.cell(column)):
            return int(found[1])
        self.problems.add(
            row.number, column, phrase("{cell} is not a whole number", cell=f"{row.cell(column)!r}")
        )
        return None


def player_of(row: SheetRow, side: int) -> str:
    """Return the name of a side as it is compared; empty where nobody sits there."""
    return seat_key(row.cell(f"player{side}"))
