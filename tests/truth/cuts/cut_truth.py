"""Margins of cuts, found again from their definition: try every set of results.

The margin of a cut is the least number of results whose change changes who is in the cut. The
search below tries every set of matches, the smallest sets first, with every result that `check`
accepts, and reads who is in the cut from standings that are computed again from scratch. It prunes
nothing and uses no bound.

The events are chosen to be hard: uniform random results nearly always give a margin of 1. Strong
players meet weak ones, and players on both sides of the line meet each other, also again.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import contextmanager
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, convert, field
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.facts.shared import Result, Stage
from ledger.fold import evolve, fold
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer, Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.rulesets import load
from ledger.tournament.progress import stage_points
from projections.standings.table import ranking
from tests.support.accepted_results import accepted_by_check
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.tournament.state import Match, Tournament

GAMES = ("swiss", "l5r", "legion", "mcmahon", "fide", "netrunner")
"""Rulesets of different scales: draws, uneven sums of points, starting points, many scores."""

ALL_TABLES = 99
"""As a number of open tables: the last round is drawn, and no table has a result."""

SHAPES = ("camps", "camps", "rivals", "rivals", "ladder", "level")


@cache
def legal_results(game: str) -> tuple[Result, ...]:
    """Return every result that `check` accepts for a Swiss match, one for each worth."""
    rules = load(game).ruleset
    day = day_of(game, 4)
    day.start(1, Stage("single", entry="top", size=2))
    match = day.pair()[0]
    found: dict[object, Result] = {}
    values = {points for outcome in rules.outcomes if (points := outcome.points) is not None}
    values |= {rules.scoring.points_min, rules.scoring.points_max, 0, 1}
    values |= set(range(rules.scoring.points_min, rules.scoring.points_max + 1))
    for one, other in product(rules.outcomes, repeat=2):
        for score in product(sorted(values), sorted(values)):
            for manner in ("played", "no-show", "concession"):
                result = Result((one.name, other.name), score, manner)
                worth = (result.outcomes, score, manner == "no-show")
                event = ResultReported(match.number, result)
                recorded = record(day.tournament.seq + 1, "x", "", "o1", event)
                if worth not in found and not any(check(day.tournament, recorded)):
                    found[worth] = result
    if game in {"l5r", "legion"}:
        for result in accepted_by_check(game, narrowed=False):
            found.setdefault((result.outcomes, result.points, False), result)
    return tuple(found.values())


def day_of(game: str, players: int) -> Day:
    """Return a day with so many players, each with the numbers that the game asks for."""
    day = Day(0, ruleset=game)
    numbers = {"fide": "rating", "mcmahon": "mms"}.get(game)
    entries = [
        Entry(
            f"Player {at}", attributes={numbers: str(1500 + 40 * at if game == "fide" else at % 4)}
        )
        if numbers
        else Entry(f"Player {at}")
        for at in range(1, players + 1)
    ]
    day.do(RegisterPlayers(tuple(entries)))
    return day


class HardDay(NamedTuple):
    """A day up to a cut, and what is special about it."""

    day: Day
    game: str
    marks: frozenset[str]


def hard_day(
    seed: int, *, games: Sequence[str] = GAMES, slips_max: int = 14, open_tables: int = 0
) -> HardDay:
    """Return an event whose cut takes, if possible, more than one wrong result to change.

    With `open_tables` the last round is running, and so many of its tables are open.
    """
    rng = random.Random(f"hard cut {seed} {open_tables or ''}".strip())
    while True:
        game = rng.choice(games)
        try:
            found = _Played(rng, game, slips_max, open_tables).play()
        except LedgerError:
            continue
        if found is not None:
            return found


def corrected_day(seed: int) -> HardDay | None:
    """Return an event whose last round is drawn, after which results of earlier ones changed."""
    rng = random.Random(f"repair {seed}")
    played = _Played(rng, rng.choice(GAMES[:4]), 20, ALL_TABLES)
    try:
        hard = played.play()
        if hard is None:
            return None
        earlier = [
            match
            for round_ in hard.day.tournament.rounds[:-1]
            for match in round_.matches
            if match.result is not None and not match.is_bye
        ]
        for match in rng.sample(earlier, min(len(earlier), rng.choice((1, 2, 3)))):
            assert match.result is not None
            turned = (
                played.worst if match.result.points[0] > match.result.points[1] else played.best
            )
            seq = hard.day.tournament.seq + 1
            event = ResultCorrected(match.number, match.result_seq, turned, "misread")
            hard.day.log.append(record(seq, f"act{seq}", hard.day.log[-1].at, "o1", event))
            evolve(hard.day.tournament, hard.day.log[-1])
    except LedgerError:
        return None
    return hard


class _Played:
    """One event as it is played."""

    def __init__(self, rng: random.Random, game: str, slips_max: int, open_tables: int) -> None:
        self.open_tables = open_tables
        self.rng = rng
        self.game = game
        self.slips_max = slips_max
        self.marks: set[str] = set()
        self.shape = rng.choice(SHAPES)
        self.players = rng.randrange(4, 9)
        self.day = day_of(game, self.players)
        self.results = legal_results(game)
        played = [each for each in self.results if each.manner != "no-show"]
        self.best = max(played, key=lambda each: each.points[0] - each.points[1])
        self.worst = min(played, key=lambda each: each.points[0] - each.points[1])
        self.strength = rng.sample(range(1, self.players + 1), self.players)
        self.strong = rng.randrange(1, self.players - 1)
        self.slips = 0

    def play(self) -> HardDay | None:
        rng = self.rng
        rounds = rng.randrange(2, 6)
        places = min(max(1, self.strong + rng.choice((-1, 0, 0, 0, 1))), self.players - 1)
        by_points = rng.random() < 0.15
        size = rng.randrange(1, self.best.points[0] * rounds + 1) if by_points else places
        last = Stage("single", entry="points" if by_points else "top", size=size)
        first = rounds
        if rounds > 2 and rng.random() < 0.3:
            first = rng.randrange(1, rounds)
            carries = rng.random() < 0.8
            self.marks.add("carried" if carries else "second stage")
            self.day.start(first, Stage("swiss", rounds - first, carries=carries), last)
        else:
            self.day.start(rounds, last)
        if by_points:
            self.marks.add("by points")
        for number in range(1, rounds + 1):
            self._round(is_last=number == rounds)
            if self.slips > self.slips_max:
                return None
        if "open" not in self.marks and rng.random() < 0.3:
            self.day.do(MakeCut())
            self.marks.add("made")
        made = self.day.tournament.stages[-1]
        others = made.cut_players if made.cut_seq else self.day.tournament.active()[size:]
        if not self.slips or not (others or by_points):
            return None  # no player is outside
        return HardDay(self.day, self.game, frozenset(self.marks))

    def _round(self, *, is_last: bool) -> None:
        if is_last and self.open_tables == ALL_TABLES:
            self.day.do(PairRound(reason="some have met all others", allow_rematch=True))
            return
        tables = self._tables()
        self.day.do(PairRound(tuple(tables), "as it came", allow_rematch=True))
        matches = list(open_matches_of(self.day))
        self.slips += len(matches)
        if is_last and self.open_tables:
            self.rng.shuffle(matches)
            matches = matches[self.open_tables :]
            self.marks.add("open")
        elif is_last and len(matches) > 1 and self.rng.random() < 0.1:
            matches.pop()
            self.marks.add("open")
        for match in matches:
            self._report(match)
        if not open_matches_of(self.day):
            self.day.do(CloseRound())
        if not (is_last and self.open_tables):
            self._leave()

    def _tables(self) -> list[tuple[int, int]]:
        active = set(self.day.tournament.active())
        order = [each for each in self.strength if each in active]
        high = [each for each in order if self.strength.index(each) < self.strong]
        low = [each for each in order if each not in high]
        self.rng.shuffle(high)
        self.rng.shuffle(low)
        line = (self.strength[self.strong - 1], self.strength[self.strong])
        tables: list[tuple[int, int]] = []
        if self.shape == "rivals" and active.issuperset(line) and self.rng.random() < 0.7:
            tables.append(line)
            high, low = ([each for each in side if each not in line] for side in (high, low))
        if self.shape == "level":
            order = high + low
            self.rng.shuffle(order)
        else:
            order = [each for pair in zip(high, low, strict=False) for each in pair]
            order += [each for each in high + low if each not in order]
        if self.shape == "ladder":
            order.sort(key=self.strength.index)
        tables += zip(order[::2], order[1::2], strict=False)
        if len(order) % 2:
            tables.append((order[-1], 0))
            self.marks.add("bye")
        met = {frozenset((each.first, each.second)) for each in self.day.tournament.matches[1:]}
        if any(frozenset(each) in met for each in tables if 0 not in each):
            self.marks.add("rematch")
        return tables

    def _report(self, match: Match) -> None:
        luck = self.rng.random()
        if luck < 0.07:
            self.marks.add("no-show")
            absent = self.rng.choice((match.players, (match.first,), (match.second,)))
            self.day.do(Report(match.number, StatedResult(absent=absent)))
            return
        places = [self.strength.index(each) for each in match.players]
        is_better = places[0] < places[1]
        if luck < 0.15:
            result = self.rng.choice([each for each in self.results if each.manner != "no-show"])
        else:
            result = self.best if is_better else self.worst
        if luck > 0.93 and self.game != "mcmahon":
            self.marks.add("adjusted")
            added = self.rng.choice(((1, 0), (0, 1), (-1, 0), (2, -1)))
            result = replace(result, adjusted=added)
        seq = self.day.tournament.seq + 1
        event = ResultReported(match.number, result)
        self.day.log.append(record(seq, f"report{seq}", self.day.log[-1].at, "o1", event))
        evolve(self.day.tournament, self.day.log[-1])

    def _leave(self) -> None:
        active = self.day.tournament.active()
        if len(active) > 3 and self.rng.random() < 0.2:
            self.marks.add("left")
            self.day.do(DropPlayer(self.rng.choice(active)))
        elif len(active) > 3 and self.rng.random() < 0.05:
            self.marks.add("disqualified")
            player = self.rng.choice(active)
            self.day.do(DisqualifyPlayer(player, "cheating", "FFG-AUTH-DQ"))


class Judged(Struct):
    """What was judged, by margin and by what is special, and what was wrong."""

    events: int = 0
    margins: Counter[int] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    sets: int = 0
    wrong: list[str] = field(default_factory=list)


class PlainSearch:
    """Who is in a cut, with any set of results replaced by others."""

    def __init__(self, day: Day, game: str, stage: int, inside: Sequence[int]) -> None:
        self.tournament = fold(day.log)
        self.results = legal_results(game)
        self._stage = stage
        self._inside = frozenset(inside)
        plan = self.tournament.stages[stage - 1].plan
        self._line = plan.size if plan.entry == "points" else 0
        made = self.tournament.stages[stage - 1]
        active = made.entrants + made.cut_players if made.cut_seq else self.tournament.active()
        self._candidates = frozenset(active)
        self.matches = [
            match
            for number in rounds_of(self.tournament, stage)
            for match in self.tournament.rounds[number - 1].matches
            if match.second and match.first and match.result is not None and not match.void
        ]
        self.sets = 0

    def inside(self) -> frozenset[int]:
        """Return who is in the cut by the results entered now."""
        ranked = ranking(self.tournament, self._stage - 1)
        order = [player for player in ranked if player in self._candidates]
        if not self._line:
            return frozenset(order[: len(self._inside)])
        points = stage_points(self.tournament, self.tournament.stages[self._stage - 2])
        return frozenset(each for each in order if points[each] >= self._line)

    def ranked_with(self, results: Mapping[int, Any]) -> list[int]:
        """Return the players best first, with some results replaced, as JSON has them."""
        members = Result.__struct_fields__
        found = {
            match: convert({name: result[name] for name in members}, Result)
            for match, result in results.items()
        }
        with self._replaced(found):
            return list(ranking(self.tournament, self._stage - 1))

    def is_changed_by(self, results: Mapping[int, Result]) -> bool:
        """Return whether these results in place of those on record change the cut."""
        with self._replaced(results):
            return self.inside() != self._inside

    @contextmanager
    def _replaced(self, results: Mapping[int, Result]) -> Iterator[None]:
        before = {number: self.tournament.matches[number].result for number in results}
        for number, result in results.items():
            kept = before[number]
            assert kept is not None
            self._enter(number, replace(result, adjusted=kept.adjusted))
        yield
        for number, kept in before.items():
            assert kept is not None
            self._enter(number, kept)

    def _enter(self, match: int, result: Result) -> None:
        event = ResultCorrected(match, 1, result, "tried")
        evolve(self.tournament, record(self.tournament.seq + 1, "tried", "", "o1", event))

    def one_that_changes(self) -> dict[int, Result]:
        """Return a single result that changes the cut; empty if there is none."""
        for match in self.matches:
            for result in self.results:
                kept = self.tournament.matches[match.number].result
                assert kept is not None
                other = replace(result, adjusted=kept.adjusted)
                if self.is_changed_by({match.number: other}):
                    return {match.number: other}
        return {}

    def changes(self, count: int) -> bool:
        """Return whether some set of so many matches with other results changes the cut."""
        numbers = [match.number for match in self.matches]
        for matches in combinations(numbers, count):
            for results in product(self.results, repeat=count):
                self.sets += 1
                if self.is_changed_by(dict(zip(matches, results, strict=True))):
                    return True
        return False


def rounds_of(tournament: Tournament, stage: int) -> list[int]:
    """Return the rounds that a cut to a stage goes by: of the stage before, and what it carries."""
    rounds: list[int] = []
    for earlier in reversed(tournament.stages[: stage - 1]):
        rounds = [*earlier.rounds, *rounds]
        if not earlier.plan.carries:
            break
    return rounds
