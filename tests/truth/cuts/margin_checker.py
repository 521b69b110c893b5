"""Check what `audit --margin --json` claims, with nothing of the program: Python alone.

    tourney audit --margin --json > margin.json
    tourney standings --json > standings.json
    python tests/truth/cuts/margin_checker.py margin.json standings.json

The standings are those that the cut goes by: points and ranks come from them. Players and points
of each match, and every score that the game knows, come from the certificate. For each pair of a
player in the cut and one outside (in a cut by points: for each player and the line) the greatest
moves of `least - 1` results must not sum up to more than the gap. If they sum up to the gap,
tiebreakers decide: `ranked` returns the players best first with some results replaced, for example
by `tourney whatif`. Without it such a pair is reported as open.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

JSON = Any


class Claim:
    """A margin with its certificate, and the standings that it is about."""

    def __init__(
        self, margin: JSON, standings: JSON, ranked: Callable[[JSON], list[int]] | None = None
    ) -> None:
        self.margin, self.proof, self.fewer = margin, margin["certificate"], margin["least"] - 1
        self.inside, self.outside = self.proof["inside"], self.proof["outside"]
        self.points = {row["player"]: row["points"] for row in standings}
        self.order = [row["player"] for row in sorted(standings, key=lambda row: row["rank"])]
        self.listed = {(pair["leaver"], pair["entrant"]): pair for pair in self.proof["pairs"]}
        self.ranked = ranked

    def is_changed(self, order: list[int], points: dict[int, int]) -> bool:
        """Return whether an order and points give another cut."""
        able, line = [p for p in order if p in {*self.inside, *self.outside}], self.proof["line"]
        first = [p for p in able if points[p] >= line] if line else able[: len(self.inside)]
        return set(first) != set(self.inside)

    def changes(self, results: dict[int, JSON]) -> bool | None:
        """Return whether results change the cut; None if only tiebreakers can say."""
        after = dict(self.points)
        for game in self.proof["games"]:
            for at, player in enumerate(game["players"]):
                if game["match"] in results and player in after:
                    after[player] += results[game["match"]]["points"][at] - game["score"][at]
        if self.proof["line"]:
            return self.is_changed(self.order, after)
        if min(after[p] for p in self.inside) < max(after[p] for p in self.outside):
            return True
        return self.is_changed(self.ranked(results), after) if self.ranked else None

    def pairs(self) -> Iterator[tuple[int | None, int | None, int]]:
        """Yield who would have to change places, and the gap that has to be closed."""
        line = self.proof["line"]
        if line:
            yield from ((one, None, self.points[one] - line + 1) for one in self.inside)
            yield from ((None, other, line - self.points[other]) for other in self.outside)
        else:
            for one, other in product(self.inside, self.outside):
                yield one, other, self.points[one] - self.points[other] + 1

    def against_pair(self, one: int | None, other: int | None, gap: int) -> Iterator[str]:
        """Yield why fewer results may bring two past each other."""
        moves = {g["match"]: self._greatest(g, one, other) for g in self.proof["games"]}
        best = sorted((gain for gain in moves.values() if gain > 0), reverse=True)[: self.fewer]
        known, level = self.listed.get((one, other)), gap - (self.proof["line"] == 0)
        if known and (known["gap"], [m["gain"] for m in known["moves"]]) != (level, best):
            yield f"{one} and {other}: the certificate has other numbers"
        if not known and self.fewer and level <= self.fewer * self.proof["widest"]:
            yield f"{one} and {other}: the certificate leaves them out"
        if self.fewer and sum(best) >= gap:
            yield f"{one} and {other}: {self.fewer} results are enough"
        elif self.fewer and sum(best) == level:
            sets = combinations(moves, self.fewer)
            near = [each for each in sets if sum(moves[match] for match in each) == level]
            every = product(near, product(self.proof["results"], repeat=self.fewer))
            if any(self.changes(dict(zip(*each, strict=True))) is not False for each in every):
                yield f"{one} and {other}: {self.fewer} results bring them level"

    def _greatest(self, game: JSON, one: int | None, other: int | None) -> int:
        sign = [(player == one) - (player == other) for player in game["players"]]
        gains: list[int] = [
            sum(s * (had - has) for s, had, has in zip(sign, game["score"], score, strict=True))
            for score in self.proof["scores"]
        ]
        return max(gains)


def problems(
    margin: JSON, standings: JSON, ranked: Callable[[JSON], list[int]] | None = None
) -> Iterator[str]:
    """Yield why a margin does not follow; nothing if it does."""
    claim = Claim(margin, standings, ranked)
    if claim.is_changed(claim.order, claim.points):
        yield "the standings have another cut"
    for pair in claim.pairs():
        yield from claim.against_pair(*pair)
    example = {result["match"]: result for result in margin["example"]}
    if example and not claim.changes(example):
        yield "the example does not change the cut by points; tiebreakers may"


if __name__ == "__main__":
    margin_json, standings_json = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
    found = list(problems(margin_json, standings_json))
    print("\n".join(found) or f"confirmed: {margin_json['least']} or more")  # noqa: T201 - a program
    sys.exit(bool(found))
