"""The result of a row: by the word for an outcome, by points, or by facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.exchange.sheets.cells import SheetProblems, SheetRow, seat_key
from ledger.rulesets.words import nearest
from ledger.tournament import scoring
from ledger.tournament.same_names import name_key

if TYPE_CHECKING:
    from ledger.events.results import Result
    from ledger.rulesets import Ruleset

_WHOLE = re.compile(r"(-?[0-9]{1,15})(?:\.0{1,9})?")
_SCORE = re.compile(r"([0-9]{1,15}) ?[-:\u2013] ?([0-9]{1,15})(?: ?[-:\u2013] ?([0-9]{1,15}))?")
_DATE = re.compile(
    r"[0-9]{1,2}[. -]+[a-z]{3,9}\.?|[a-z]{3,9}[. -]+[0-9]{1,2}|[0-9]+[./][0-9./]+", re.IGNORECASE
)

NO_SHOW = {"no-show1": (True, False), "no-show2": (False, True), "no-show": (True, True)}
"""Words in the column of results for a match that was not played, and who did not come."""

MISSED = frozenset({"missed", "assigned loss"})
"""Words in the column of results for a player without opponent who has an assigned loss."""


def columns_of(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the columns that can hold a result, by the ruleset, and their further titles."""
    columns: dict[str, tuple[str, ...]] = {"result": (), "winner": ()}
    if rules.scoring.kind == "reported":
        columns |= {"points": (), **_sided("points", ())}
    if rules.derives is not None:
        columns["ended"] = ()
        for label, fact in rules.derives.labels.items():
            columns |= _sided(label, fact.titles)
            if fact.sides != "each" or label == rules.derives.main:
                columns[label] = fact.titles
    return columns


def _sided(label: str, titles: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
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

    def read(self, row: SheetRow, *, elimination: bool) -> Result | None:
        """Return the result of a match; None where the row has none, or a wrong one."""
        word = row.cell("result").lower()
        if word in NO_SHOW:
            return scoring.absence(self._rules, NO_SHOW[word])
        before = len(self.problems.found)
        outcome = self._outcome(row)
        points = self._main_pair(row) if self._rules.scoring.kind == "reported" else None
        facts, ending = self._facts(row), self._ending(row)
        if len(self.problems.found) > before:
            return None
        try:
            if facts or ending:
                stated = (ending, facts, outcome)
                return scoring.by_facts(self._rules, *stated, elimination=elimination)
            if points is not None and not (elimination and outcome):
                return scoring.by_points(self._rules, *points)
            return self._bare(row, outcome, elimination=elimination) if outcome else None
        except LedgerError as error:
            self.problems.add(row.number, "", str(error))
            return None

    def lost_to_nobody(self, row: SheetRow, *, first: bool) -> bool:
        """Whether a player without opponent has an assigned loss by the row, and no bye."""
        word = row.cell("result").lower()
        main = self._main_pair(row)
        lost = main is not None and main[first] > main[not first]
        if word in MISSED:
            return True
        if word in {"", "bye"} or self._is_score(word):
            return lost
        try:
            letter = self._rules.typed(word).record
        except LedgerError:
            letter = "D"
        if letter == "D" or (main is not None and lost != (letter == "L")):
            why = f"{word!r} without an opponent is neither bye nor missed"
            self.problems.add(row.number, "result", why)
        return letter == "L"

    def _bare(self, row: SheetRow, outcome: str, *, elimination: bool) -> Result | None:
        result = scoring.by_outcome(self._rules, outcome)
        found = list(map(str, scoring.problems(self._rules, result, elimination=elimination)))
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
            outcome = self._rules.typed(word).name
        except LedgerError as error:
            is_date = _DATE.fullmatch(word)
            hint = "; is it a score that the spreadsheet made a date of?" if is_date else ""
            self.problems.add(row.number, "result", f"{error}{hint}")
            return ""
        if named and self._rules.records[outcome] != self._rules.records[named]:
            why = f"{row.cell('winner')!r} has won, but the result says {outcome}"
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
            why = f"{row.cell('winner')!r} is neither 1, 2 nor a player"
            self.problems.add(row.number, "winner", why)
        return sides.get(winner, "")

    def _is_score(self, word: str) -> bool:
        return bool(self._main and _SCORE.fullmatch(word))

    def _score(self, row: SheetRow) -> tuple[int, ...]:
        """Return the numbers of a score in one cell, 2-1 or 1-1-1; empty without one."""
        cells = [row.cell(column) for column in (self._main, "result") if self._main]
        found = [match for match in map(_SCORE.fullmatch, cells) if match]
        return tuple(int(each) for each in found[0].groups() if each) if found else ()

    def _main_pair(self, row: SheetRow) -> tuple[int, int] | None:
        """Return both sides' points or main fact, out of two columns or of a score."""
        pair, score, own = self._pair(row, self._main), self._score(row), row.cell(self._main)
        if own and not self._is_score(own):
            self.problems.add(row.number, self._main, f"{own!r} is no score such as 2-1")
        if not score:
            return pair
        in_score = (score[0], score[1])
        if pair not in {None, in_score}:
            self.problems.add(row.number, "", f"{self._main} is {pair} and {in_score} at once")
        elif own and self._is_score(row.cell("result")) and own != row.cell("result"):
            self.problems.add(row.number, "result", f"is {row.cell('result')!r}, and also {own!r}")
        return in_score

    def _ending(self, row: SheetRow) -> str:
        word = " ".join(row.cell("ended").lower().split())
        if not word or self._rules.derives is None:
            return ""
        endings = self._rules.derives.endings
        if ending := next((one for one in endings if word in {one.name, *one.typed}), None):
            return ending.name
        hint = nearest(word, [ending.name for ending in endings])
        self.problems.add(row.number, "ended", f"there is no ending {word!r}; {hint}")
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
                self.problems.add(row.number, label, f"is {row.cell(label)} and {third} at once")
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
        why = f"{row.cell(label)!r} is neither 1, 2 nor a player of the row"
        self.problems.add(row.number, label, why)
        return None

    def _pair(self, row: SheetRow, label: str) -> tuple[int, int] | None:
        """Return both sides' numbers; where only one is there, the other is a problem."""
        one, two = f"{label}1", f"{label}2"
        if not row.cell(one) and not row.cell(two):
            return None
        for own, other in ((one, two), (two, one)):
            if not row.cell(own):
                self.problems.add(row.number, own, f"is empty, though {other} is not")
                return None
        first, second = self._whole(row, one), self._whole(row, two)
        return None if first is None or second is None else (first, second)

    def _whole(self, row: SheetRow, column: str) -> int | None:
        if found := _WHOLE.fullmatch(row.cell(column)):
            return int(found[1])
        self.problems.add(row.number, column, f"{row.cell(column)!r} is no whole number")
        return None


def player_of(row: SheetRow, side: int) -> str:
    """Return the name of a side as it is compared; empty where nobody sits there."""
    return seat_key(row.cell(f"player{side}"))
