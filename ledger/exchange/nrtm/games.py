"""The rounds of an NRTM/Cobra file: games, byes and what was not reported.

How the format is read: a table with one player is a bye, whatever side they are on; where its score
is 0 the player missed the round. A score is `combinedScore`, else the sum of the side scores where
one of them is above 0 or `combinedScore` is not in the file at all; with no score on either side
the table has no result. In an elimination the winner is who is named so, else who has more points;
a round belongs to it when a game says so, or when none says anything and one names a winner.

Points that no match gives are a judge's: where they are taken, the result has the nearest ones that
a match gives, and the rest is an adjustment. Points that a match gives stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from ledger.errors import InvalidLog
from ledger.events.base import POINTS_MAX
from ledger.exchange.foreign import ForeignGame, ForeignRound
from ledger.files.access import one_line
from ledger.problems import Problem, problem, remedy

if TYPE_CHECKING:
    from ledger.exchange.nrtm.document import NrtmPairing, NrtmSide

Sides = tuple["NrtmSide", "NrtmSide"]

ADJUSTED = problem(
    "import.unadjusted",
    "points that no match gives can come in as a judge's adjustment, on record at their table",
    remedy=remedy("import.adjusted"),
)


class Span(Struct, frozen=True):
    """The points that a match can give a side."""

    low: int
    high: int

    def holds(self, points: int) -> bool:
        """Whether a match can give these points."""
        return self.low <= points <= self.high

    def impossible(self, where: str, points: str) -> Problem:
        """Say that a match cannot give these points."""
        text = "{points} points; a side has {low} to {high}"
        found = problem("import.points", text, points=points, low=self.low, high=self.high)
        return found.within(where)

    def nearest(self, points: tuple[int, int]) -> tuple[int, int]:
        """The nearest points that a match gives; of two beyond one end the same side is ahead."""
        first, second = (min(max(own, self.low), self.high) for own in points)
        if first != second or points[0] == points[1] or any(map(self.holds, points)):
            return first, second
        behind = min(first, self.high - 1)
        return (behind + 1, behind) if points[0] > points[1] else (behind, behind + 1)


class RoundReader:
    """Reads the rounds of one file, by its players' keys and the points that a side can have."""

    def __init__(self, names: dict[str, str], span: Span, *, adjusted: bool = False) -> None:
        self._names, self._span, self._takes_adjusted = names, span, adjusted
        self.adjustable: list[Problem] = []
        """Tables of two with points that no match gives, where those are not taken."""

        self.impossible: list[Problem] = []
        """What else no table can have."""

        self.bye_points: dict[int, str] = {}
        """What the byes of the file are worth, each with the first place it is found at."""

    def read(self, number: int, pairings: list[NrtmPairing], *, is_last: bool) -> ForeignRound:
        """Read a round; a pairing without players is left out.

        Raises:
            InvalidLog: the pairing that makes no sense, and why.
        """
        elimination = self._is_elimination(number, pairings)
        games: list[ForeignGame] = []
        absent: list[str] = []
        seated: set[str] = set()
        for place, pairing in _by_table(pairings):
            where = f"round {number}, table {place}"
            keys = self._keys(pairing, where)
            if again := [key for key in keys if key in seated]:
                text, player = "{player} sits at another table too", self._called(again[0])
                raise InvalidLog(problem("import.two_tables", text, player=player).within(where))
            seated |= set(keys) - {""}
            if not any(keys):
                continue
            if not all(keys) and not elimination and self._is_absence(pairing, keys, where):
                absent.append(keys[0] or keys[1])
            elif elimination:
                games += self._elimination_game(pairing, keys, where, is_last=is_last)
            else:
                games.append(self._swiss_game(pairing, keys, where))
        return ForeignRound(elimination, tuple(games), tuple(absent))

    def _is_elimination(self, number: int, pairings: list[NrtmPairing]) -> bool:
        kinds = {pairing.elimination_game for pairing in pairings} - {None}
        if len(kinds) > 1:
            text = "round {round} has Swiss and elimination games at once"
            raise InvalidLog(problem("import.mixed_round", text, round=number))
        if kinds:
            return kinds == {True}
        return any(side.winner is not None for pairing in pairings for side in pairing.sides)

    def _keys(self, pairing: NrtmPairing, where: str) -> tuple[str, str]:
        first, second = (self._key(side, where) for side in pairing.sides)
        if first and first == second:
            text, player = "{player} sits on both sides", self._called(first)
            raise InvalidLog(problem("import.both_sides", text, player=player).within(where))
        return first, second

    def _key(self, side: NrtmSide, where: str) -> str:
        if side.key in self._names:
            return side.key
        if side.key in {"", "0"}:
            return ""
        found = problem("import.unknown_id", "no player has the id {id}", id=one_line(side.key))
        raise InvalidLog(found.within(where))

    def _called(self, key: str) -> str:
        return f"player {one_line(key)} ({one_line(self._names[key])})"

    def _is_absence(self, pairing: NrtmPairing, keys: tuple[str, str], where: str) -> bool:
        """Whether a table with one player is a round missed; else note the bye's worth."""
        side = pairing.sides[0 if keys[0] else 1]
        points = _score(side, (side, side))
        if points is None:
            return False
        if not self._span.holds(points):
            self.impossible.append(self._span.impossible(where, f"a bye of {points}"))
            return False
        if points:
            self.bye_points.setdefault(points, where)
        return points == 0

    def _swiss_game(self, pairing: NrtmPairing, keys: tuple[str, str], where: str) -> ForeignGame:
        if not all(keys):
            return ForeignGame(keys[0] or keys[1])
        points = _points(pairing.sides)
        if points is None or all(map(self._span.holds, points)):
            return ForeignGame(*keys, points=points)
        beyond = " and ".join(str(own) for own in points if not self._span.holds(own))
        why = self._span.impossible(where, beyond)
        if any(abs(own) > POINTS_MAX for own in points):
            self.impossible.append(why)
        elif not self._takes_adjusted:
            self.adjustable.append(why)
        nearest = self._span.nearest(points)
        adjusted = (points[0] - nearest[0], points[1] - nearest[1])
        return ForeignGame(*keys, points=nearest, adjusted=adjusted)

    def _elimination_game(
        self, pairing: NrtmPairing, keys: tuple[str, str], where: str, *, is_last: bool
    ) -> list[ForeignGame]:
        if all(keys):
            return [ForeignGame(*keys, winner=_winner(pairing.sides, keys, where))]
        undecided = is_last and not pairing.sides[0 if keys[0] else 1].winner
        return [] if undecided else [ForeignGame(keys[0] or keys[1])]  # who meets them is not known


def _by_table(pairings: list[NrtmPairing]) -> list[tuple[int, NrtmPairing]]:
    """The pairings in table order, each with its table's number or else its place in the file."""
    numbered = [(pairing.table or place, pairing) for place, pairing in enumerate(pairings, 1)]
    return sorted(numbered, key=lambda one: (one[1].table is None, one[0]))


def _points(sides: Sides) -> tuple[int, int] | None:
    first, second = (_score(side, sides) for side in sides)
    return None if first is None and second is None else (first or 0, second or 0)


def _score(side: NrtmSide, sides: Sides) -> int | None:
    if isinstance(side.combined_score, int):
        return side.combined_score
    reported = side.corp_score is not None or side.runner_score is not None
    left_out = side.combined_score is UNSET and reported
    return side.side_scores if left_out or any(one.side_scores for one in sides) else None


def _winner(sides: Sides, keys: tuple[str, str], where: str) -> str:
    claims = [side.winner for side in sides]
    if claims == [True, True]:
        found = problem("import.two_winners", "both sides are the winner")
        raise InvalidLog(found.within(where))
    if claims != [None, None]:
        leads = claims[0] or claims[1] is False
        return "" if claims[0] == claims[1] else keys[0 if leads else 1]
    first, second = _points(sides) or (0, 0)
    return "" if first == second else keys[0 if first > second else 1]
