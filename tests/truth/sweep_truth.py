"""Sweeps judged from outside: every table of results played, and the standings read.

Nothing here knows how a sweep is made. Who is in the cut is read off the standings of the log with
the results in it (`accepted_results`).
"""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.errors import LedgerError
from ledger.facts.results import ResultCorrected, ResultReported, turned
from ledger.facts.shared import Result, Stage
from ledger.fold import evolve, fold
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.rules.pairing import PairRound
from ledger.rules.people import DropPlayer
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.tournament.progress import stage_points
from projections.standings.table import ranking
from tests.support.accepted_results import accepted_by_check, day_of
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.whatif.outcomes import Chance, Sweep


def any_event(
    seed: str,
    ruleset: str,
    *,
    tables: int,
    players: tuple[int, int] = (5, 12),
    narrowed: bool = False,
    by_points: bool = False,
) -> Day:
    """A day up to its last round, in which so many tables at most are open; much happens in it."""
    chance = random.Random(f"{ruleset} {seed} {tables}")
    while True:
        day = _one_event(chance, ruleset, tables, players, narrowed, by_points)
        if open_matches_of(day):
            return day


def _one_event(
    chance: random.Random,
    ruleset: str,
    tables: int,
    players: tuple[int, int],
    narrowed: bool,  # noqa: FBT001 - as above
    by_points: bool,  # noqa: FBT001 - as above
) -> Day:
    results = accepted_by_check(ruleset, narrowed=narrowed)
    count = max(chance.randrange(*players), 2 * tables)
    day = day_of(ruleset, count, chance.randrange(10**9), narrowed=narrowed)
    rounds = chance.randrange(2, 5)
    size = min(chance.choice([2, 3, 4, 8]), count - 1)
    if by_points:
        size = chance.randrange(1, max(result.points[0] for result in results) * rounds + 1)
    day.start(rounds, Stage("single", entry="points" if by_points else "top", size=size))
    last = chance.choice([rounds, rounds, max(rounds - 1, 1)])
    for number in range(1, last + 1):
        try:
            day.do(PairRound())
        except LedgerError:
            return day  # all have met
        open_tables = open_matches_of(day)
        chance.shuffle(open_tables)
        for match in open_tables[: -tables if number == last else None]:
            _report(day, chance, match.number, match.players, chance.choice(results))
        if number < last:
            day.do(CloseRound())
            if chance.random() < 0.3:
                active = day.tournament.active()
                if len(active) > 2 * tables + 2:
                    day.do(DropPlayer(chance.choice(active)))
    return day


def _report(
    day: Day, chance: random.Random, match: int, players: tuple[int, ...], result: Result
) -> None:
    luck = chance.random()
    if luck < 0.04:
        day.do(Report(match, StatedResult(absent=(chance.choice(players),))))
        return
    seq = day.tournament.seq + 1
    recorded = record(seq, f"act{seq}", day.log[-1].at, "o1", ResultReported(match, result))
    assert not list(check(day.tournament, recorded))
    evolve(day.tournament, recorded)
    day.log.append(recorded)


class Tally(Struct):
    """What was judged, and what was wrong."""

    events: int = 0
    verdicts: int = 0
    not_proven: int = 0
    tables: int = 0
    refuted: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        """The tally as a line of a table."""
        share = 100 * self.not_proven / max(self.verdicts, 1)
        return (
            f"{name:<24}{self.events:>7} events{self.verdicts:>9} verdicts{self.tables:>10} tables"
            f"{len(self.refuted):>6} refuted{len(self.unseen):>6} unseen{share:>7.2f} % not proven"
        )


class Judge:
    """One event's sweep, held against tables of results that are played out."""

    def __init__(self, day: Day, found: Sweep, tally: Tally, name: str) -> None:
        self._tally, self._name, self._found = tally, name, found
        self._tournament = fold(day.log)
        self._matches = open_matches_of(day)
        self._active = set(self._tournament.active())
        self._seat = {
            player: (at, side)
            for at, match in enumerate(self._matches)
            for side, player in enumerate(match.players)
        }
        self._seen: dict[tuple[int, object], set[bool]] = {}
        self._reported = False
        self._chance: dict[tuple[int, object], Chance] = {}
        for hope in found.players:
            tally.verdicts += len(hope.chances)
            tally.not_proven += sum(each.verdict == "not proven" for each in hope.chances)
            for each in hope.chances:
                self._chance[hope.player, _kind(each.result)] = each
        tally.events += 1

    def play(self, results: Sequence[Result]) -> None:
        """Enter a result for each open match, and see who is in the cut."""
        for match, result in zip(self._matches, results, strict=True):
            number = match.number
            event = (
                ResultCorrected(number, 1, result, "another")
                if self._reported
                else ResultReported(number, result)
            )
            evolve(self._tournament, record(self._tournament.seq + 1, "x", "", "o1", event))
        self._reported = True
        self._tally.tables += 1
        into = self._in_the_cut()
        for player in self._active:
            at, side = self._seat.get(player, (-1, 0))
            own = None
            if at >= 0:
                own = results[at] if side == 0 else turned(results[at])
            key = player, _kind(own)
            self._seen.setdefault(key, set()).add(player in into)
            said = self._chance.get(key)
            verdict = said.verdict if said else "no verdict"
            wrong = {"certain": player not in into, "out": player in into, "no verdict": True}
            if wrong.get(verdict, False):
                self._tally.refuted.append(f"{self._name}: player {player} {verdict} {own}")

    def _in_the_cut(self) -> set[int]:
        order = [one for one in ranking(self._tournament) if one in self._active]
        if not self._found.by_points:
            return set(order[: self._found.size])
        points = stage_points(self._tournament, self._tournament.stages[self._found.stage - 2])
        return {player for player in order if points[player] >= self._found.size}

    def every_one(self, results: Sequence[Result]) -> None:
        """Play every table there is; then what is possible must have been seen both ways."""
        for table in product(results, repeat=len(self._matches)):
            self.play(table)
        for (player, kind), said in self._chance.items():
            seen = self._seen.get((player, kind), set())
            if said.verdict == "possible" and len(seen) < 2:
                self._tally.unseen.append(f"{self._name}: player {player} {kind} {seen}")


def _kind(result: Result | None) -> object:
    return None if result is None else (result.outcomes, result.points)
