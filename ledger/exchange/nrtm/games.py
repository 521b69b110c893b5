"""The rounds of an NRTM/Cobra file: games, byes and what was not reported.

How the format is read: a table with one player is a bye, whatever side they are on; where its score
is 0 the player missed the round. A score is `combinedScore`, else the sum of the side scores where
one of them is above 0 or `combinedScore` is not in the file at all; with no score on either side
the table has no result. In an elimination the winner is who is named so, else who has more points;
a round belongs to it when a game says so, or when none says anything and one names a winner.

Points that no match gives are a judge's: the result has the nearest ones that a match gives, and
the rest is an adjustment. Points that a match gives stay as they are. A bye has the points that the
file gives it. A match that is listed from both sides is one match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from ledger.errors import InvalidLog
from ledger.events.base import POINTS_MAX
from ledger.exchange.foreign import ForeignGame, ForeignRound, NotComputed
from ledger.exchange.odd_tables import RoundTables
from ledger.files.access import one_line
from ledger.problems import problem

if TYPE_CHECKING:
    from ledger.exchange.nrtm.document import NrtmPairing, NrtmSide

Sides = tuple["NrtmSide", "NrtmSide"]


class Span(Struct, frozen=True):
    """The points that a match can give a side."""

    low: int
    high: int

    def holds(self, points: int) -> bool:
        """Whether a match can give these points."""
        return self.low <= points <= self.high

    def nearest(self, points: tuple[int, int]) -> tuple[int, int]:
        """The nearest points that a match gives; of two beyond one end the same side is ahead."""
        first, second = (min(max(own, self.low), self.high) for own in points)
        if first != second or points[0] == points[1] or any(map(self.holds, points)):
            return first, second
        behind = min(first, self.high - 1)
        return (behind + 1, behind) if points[0] > points[1] else (behind, behind + 1)


class RoundReader:
    """Reads the rounds of one file, by its players' keys and the points that a side can have."""

    def __init__(self, names: dict[str, str], span: Span) -> None:
        self._names, self._span = names, span
        self.notes: list[str] = []
        """Tables with points that no match gives, which are adjusted."""

        self.not_computed: list[NotComputed] = []
        self.undecided: dict[str, str] = {}
        """Elimination tables whose result names no winner, by place, as they are published."""

        self.bye_points: dict[int, list[str]] = {}
        """What the byes of the file are worth, each with the places it is found at."""

        self.listed_twice = 0

    def read(self, number: int, pairings: list[NrtmPairing], *, is_last: bool) -> ForeignRound:
        """Read a round; a pairing without players is left out.

        Raises:
            InvalidLog: the pairing that makes no sense, and why.
        """
        elimination = self._is_elimination(number, pairings)
        tables = RoundTables(self.odd, self._called)
        absent: list[str] = []
        for place, pairing in _by_table(pairings):
            where = f"round {number}, table {place}"
            keys = self._key(pairing.sides[0], where), self._key(pairing.sides[1], where)
            if not any(keys):
                continue
            if not all(keys) and not elimination and self._is_absence(pairing, keys, where):
                absent += [keys[0] or keys[1]] if tables.miss(keys[0] or keys[1], where) else []
                continue
            if elimination:
                game = self._elimination_game(pairing, keys, where, is_last=is_last)
            else:
                game = self._swiss_game(pairing, keys, where)
            if game is None:
                continue
            if not tables.add(game, _said(pairing.sides)):
                self.listed_twice += 1
            elif elimination and game.is_open and _is_over(pairing.sides):
                self.undecided[where] = _said(pairing.sides)
        return ForeignRound(elimination, tables.games, tuple(absent))

    def odd(self, place: str, published: str, entered: str) -> None:
        """Note a table that cannot be entered as it is published."""
        self.not_computed.append(NotComputed(place, published, entered))

    def _is_elimination(self, number: int, pairings: list[NrtmPairing]) -> bool:
        kinds = {pairing.elimination_game for pairing in pairings} - {None}
        if len(kinds) > 1:
            text = "round {round} has Swiss and elimination games at once"
            raise InvalidLog(problem("import.mixed_round", text, round=number))
        if kinds:
            return kinds == {True}
        return any(side.winner is not None for pairing in pairings for side in pairing.sides)

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
        """Return whether a table with one player is a round missed; else note the bye's worth."""
        side = pairing.sides[0 if keys[0] else 1]
        points = _score(side, (side, side))
        if points is None:
            return False
        if not 0 <= points <= POINTS_MAX:
            self.odd(where, f"a bye of {points} points", "a round missed is entered")
            return True
        if points:
            self.bye_points.setdefault(points, []).append(where)
        return points == 0

    def _swiss_game(self, pairing: NrtmPairing, keys: tuple[str, str], where: str) -> ForeignGame:
        if not all(keys):
            return ForeignGame(keys[0] or keys[1], place=where)
        points = _points(pairing.sides)
        if points is None or all(map(self._span.holds, points)):
            return ForeignGame(*keys, points=points, place=where)
        nearest = self._span.nearest(points)
        published = f"{points[0]}:{points[1]} points"
        if any(abs(own) > POINTS_MAX for own in points):
            self.odd(where, published, f"entered as {nearest[0]}:{nearest[1]}")
            return ForeignGame(*keys, points=nearest, place=where)
        adjusted = (points[0] - nearest[0], points[1] - nearest[1])
        by = f"adjusted by {adjusted[0]:+}:{adjusted[1]:+}"
        self.notes.append(f"{where}: {published}; entered as {nearest[0]}:{nearest[1]}, {by}")
        return ForeignGame(*keys, points=nearest, adjusted=adjusted, place=where)

    def _elimination_game(
        self, pairing: NrtmPairing, keys: tuple[str, str], where: str, *, is_last: bool
    ) -> ForeignGame | None:
        if all(keys):
            return ForeignGame(*keys, winner=_winner(pairing.sides, keys), place=where)
        undecided = is_last and not pairing.sides[0 if keys[0] else 1].winner
        if undecided:
            return None  # who meets them is not known
        return ForeignGame(keys[0] or keys[1], place=where)


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


def _winner(sides: Sides, keys: tuple[str, str]) -> str:
    claims = [side.winner for side in sides]
    if claims == [True, True]:
        return ""
    if claims != [None, None]:
        leads = claims[0] or claims[1] is False
        return "" if claims[0] == claims[1] else keys[0 if leads else 1]
    first, second = _points(sides) or (0, 0)
    return "" if first == second else keys[0 if first > second else 1]


def _is_over(sides: Sides) -> bool:
    """Return whether a table without a winner was played: points are level, or both have won."""
    both_won = all(side.winner for side in sides)
    return both_won or any(_points(sides) or ())


def _said(sides: Sides) -> str:
    """Return what a file publishes of a table."""
    if all(side.winner for side in sides):
        return "both sides are the winner"
    points = _points(sides)
    return f"{points[0]}:{points[1]} points" if points else "no points"
