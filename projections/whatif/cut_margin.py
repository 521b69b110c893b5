"""How few wrongly entered results would change who is in a cut, and which.

`fewest_changes` says by points how few it takes at least, and where that is enough. In doubt are
the pairs that so few changes only bring level: there the results that do it are tried one after
the other, tiebreakers and all, as long as that is not too much work. Where no set of results does
it, it takes one more.

Byes, pairings, who left, and points that a judge gave beside a match stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations, product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.events.results import Result, ResultCorrected
from ledger.rulesets import Ruleset
from ledger.tournament.progress import slips_before
from ledger.tournament.scoring import absence
from ledger.tournament.state import Stage, Tournament
from projections.standings.table import crosstable_of, ranking
from projections.whatif.fewest_changes import (
    Crossing,
    CutRecord,
    Score,
    ScoredGame,
    Shift,
    crossings,
)
from projections.whatif.outcomes import accepted
from projections.whatif.score_model import SWEPT, enter

TRIED_MAX = 5_000
"""How many sets of results are tried before it is left open whether the lower number will do."""

TRIED_MIN = 200
WORK = 2_000_000
"""The same in players times rounds, about ten seconds: fewer are tried in a large field."""

Changes = Mapping[int, Result]
"""Other results, by match."""


class Margin(Struct, frozen=True):
    """It takes at least `least` wrong results, and `most` are enough: 0 where nothing is.

    `example` are the results of `most` matches that would change who is in, `leavers` and
    `entrants` whom that takes out and in. `changed`: the record itself gives another cut by now.
    """

    least: int
    most: int
    example: dict[int, Result]
    leavers: tuple[int, ...] = ()
    entrants: tuple[int, ...] = ()
    changed: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether both numbers are one."""
        return self.least == self.most


class CutOfStage(NamedTuple):
    """A cut by the standings: who was put in, who was left out, whether it is made."""

    stage: int
    inside: tuple[int, ...]
    outside: tuple[int, ...]
    line: int
    is_made: bool
    scale: int = 1
    """How many of what the line counts in make one point."""


def cut_stages(tournament: Tournament) -> list[Stage]:
    """The stages that are cut to by the standings."""
    stages = [each for each in tournament.stages[1:] if each.plan.entry in {"top", "points"}]
    return [each for each in stages if tournament.stages[each.number - 2].is_swiss]


def cut_stage(tournament: Tournament) -> Stage | None:
    """The stage of the last cut by the standings that is made, or that comes next; None: none."""
    after_swiss = cut_stages(tournament)
    made = [each for each in after_swiss if each.cut_seq]
    ahead = [each for each in after_swiss if not each.cut_seq]
    in_play = tournament.rounds[-1].stage if tournament.rounds else 0
    waiting = next((each for each in ahead if each.number - 1 == in_play), None)
    return waiting or (made[-1] if made else next(iter(ahead), None))


def cut_of(tournament: Tournament, stage: Stage) -> CutOfStage:
    """Say who is in the cut to a stage: as it was made, or as it would be made now."""
    plan, scale = stage.plan, tournament.ruleset.scoring.scale
    line = plan.size if plan.entry == "points" else 0
    if stage.cut_seq:
        first = len(stage.entrants) if line else plan.size  # who came in later stood outside
        seeds, later = stage.entrants[:first], stage.entrants[first:]
        outside = (*later, *stage.cut_players)
        return CutOfStage(stage.number, tuple(seeds), outside, line, is_made=True, scale=scale)
    active = set(tournament.active())
    ranked = [each for each in ranking(tournament, stage.number - 1) if each in active]
    inside, outside = _parted(tournament, stage.number, line or plan.size, ranked, by_line=line > 0)
    return CutOfStage(stage.number, inside, outside, line, is_made=False, scale=scale)


def _parted(
    tournament: Tournament, stage: int, size: int, ranked: Sequence[int], *, by_line: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not by_line:
        return tuple(ranked[:size]), tuple(ranked[size:])
    points = crosstable_of(tournament, stage - 1).totals("points")
    enough = [each for each in ranked if points[each] >= size]
    return tuple(enough), tuple(each for each in ranked if points[each] < size)


def cut_as_now(tournament: Tournament, cut: CutOfStage) -> set[int]:
    """Who would be in a cut by the results of a tournament."""
    candidates = {*cut.inside, *cut.outside}
    ranked = [each for each in ranking(tournament, cut.stage - 1) if each in candidates]
    size = cut.line or len(cut.inside)
    return set(_parted(tournament, cut.stage, size, ranked, by_line=cut.line > 0)[0])


def is_still(tournament: Tournament, cut: CutOfStage) -> bool:
    """Whether the results of a tournament put in a cut who is in it."""
    return cut_as_now(tournament, cut) == set(cut.inside)


def record_of(tournament: Tournament, cut: CutOfStage) -> CutRecord:
    """Reduce a tournament to the numbers that a cut goes by."""
    points = crosstable_of(tournament, cut.stage - 1).totals("points")
    games = [
        ScoredGame(match.number, (match.first, match.second), match.result.points)
        for match in slips_before(tournament, cut.stage)
        if match.result is not None
    ]
    listed = {player: points[player] for player in (*cut.inside, *cut.outside)}
    scores = possible_scores(tournament.ruleset)
    return CutRecord(listed, cut.inside, cut.outside, games, scores, cut.line)


def possible_results(rules: Ruleset) -> tuple[list[Result], bool]:
    """Every result that a match may have, each worth once, and whether none is left out."""
    known = accepted(rules)
    absent = (absence(rules, who) for who in ((True, False), (False, True), (True, True)))
    return [*known.results, *absent], known.whole


def possible_scores(rules: Ruleset) -> list[Score]:
    """Every score that a match may have, and no narrower range than the ruleset's own."""
    found = [each.points for each in possible_results(rules)[0]]
    scoring = rules.scoring
    if scoring.kind == "reported":
        low, high = scoring.points_min, scoring.points_max
        found += [(low, high), (high, low), (low, low)]
    elif scoring.kind == "outcome":
        found += [rules.points(each) for each in rules.outcomes]
    return list(dict.fromkeys(found))


def cut_margin(tournament: Tournament, cut: CutOfStage) -> Margin:
    """Find how few wrong results would change a cut; the tournament is used up by it."""
    if not is_still(tournament, cut):
        return Margin(0, 0, {}, changed=True)
    record = record_of(tournament, cut)
    found = list(crossings(record))
    if not found:
        return Margin(len(record.games) + 1, 0, {})
    least = min(each.changes for each in found)
    trials = Trials(tournament, cut, record)
    nearest = [each for each in found if each.changes == least]
    if (sure := trials.first_enough(nearest, least)) is not None:
        return trials.margin(least, sure)
    doubtful = trials.first_that_does(nearest)
    if doubtful:
        return trials.margin(least, doubtful)
    enough = least + 1
    further = trials.first_enough([*nearest, *found], enough)
    least += trials.is_proven
    return trials.margin(least, further) if further else Margin(least, 0, {})


class Trials:
    """Results that are tried in the place of those on record, tiebreakers and all."""

    def __init__(self, tournament: Tournament, cut: CutOfStage, record: CutRecord) -> None:
        self._tournament = tournament
        self._cut = cut
        self._record = record
        self._results, self._is_whole = possible_results(tournament.ruleset)
        rows = len(tournament.players) * max(1, len(tournament.rounds))
        self._left = max(TRIED_MIN, min(TRIED_MAX, WORK // rows))
        self._games = {game.match: game for game in record.games}
        self.is_proven = False

    def margin(self, least: int, example: Changes) -> Margin:
        """Say whom an example takes out of the cut, and whom it brings in."""
        with self._entered(example):
            now = cut_as_now(self._tournament, self._cut)
        before = set(self._cut.inside)
        leavers = tuple(each for each in self._cut.inside if each not in now)
        entrants = tuple(each for each in sorted(now) if each not in before)
        return Margin(least, len(example), dict(example), leavers, entrants)

    def first_enough(self, found: Sequence[Crossing], count: int) -> Changes | None:
        """The changes of the first crossing that so few carry past, by points alone."""
        for each in found:
            moves = each.moves[:count]
            if len(moves) == count and (each.is_enough or sum(m.gain for m in moves) > each.gap):
                example = {move.match: self._best(each, move)[0] for move in moves}
                if self._does(example):
                    return example
        return None

    def first_that_does(self, found: Iterable[Crossing]) -> Changes | None:
        """The first changes that carry a level pair past each other; `is_proven`: none do."""
        for each in found:
            for matches in self._level(each):
                choices = [self._best(each, move) for move in matches]
                for chosen in product(*choices):
                    self._left -= 1
                    if self._left < 0:
                        return None
                    example = dict(zip((m.match for m in matches), chosen, strict=True))
                    if self._does(example):
                        return example
        self.is_proven = self._is_whole
        return None

    def _level(self, crossing: Crossing) -> Iterator[tuple[Shift, ...]]:
        """The sets of matches that bring a pair level with so few changes."""
        if not crossing.moves:  # they are level, and nothing moves them: others may
            yield from ((Shift(0, game.match),) for game in self._record.games)
            return
        last = crossing.moves[crossing.changes - 1].gain
        first = tuple(each for each in crossing.moves if each.gain > last)
        others = [each for each in crossing.moves if each.gain == last]
        for chosen in combinations(others, crossing.changes - len(first)):
            yield (*first, *chosen)

    def _best(self, crossing: Crossing, move: Shift) -> list[Result]:
        """The results of a match that move the pair so far, the usual ones first."""
        game = self._games[move.match]
        adjusted = self._adjusted(move.match)
        return [
            replace(result, adjusted=adjusted)
            for result in self._results
            if _moved(game, crossing, result.points) >= move.gain
        ]

    def _adjusted(self, match: int) -> tuple[int, int]:
        result = self._tournament.matches[match].result
        return result.adjusted if result is not None else (0, 0)

    def _does(self, changes: Changes) -> bool:
        with self._entered(changes):
            return not is_still(self._tournament, self._cut)

    @contextmanager
    def _entered(self, changes: Changes) -> Iterator[None]:
        """Let other results count for a while."""
        before = {match: self._tournament.matches[match].result for match in changes}
        try:
            self._enter(changes)
            yield
        finally:
            self._enter({match: each for match, each in before.items() if each is not None})

    def _enter(self, results: Changes) -> None:
        for match, result in results.items():
            enter(self._tournament, ResultCorrected(match, 1, result, SWEPT))


def _moved(game: ScoredGame, crossing: Crossing, score: Score) -> int:
    """How far another score of a match moves a pair towards each other."""
    moved = 0
    for player, had, has in zip(game.players, game.score, score, strict=True):
        moved += had - has if player == crossing.leaver else 0
        moved += has - had if player == crossing.entrant else 0
    return moved
