"""How few wrongly entered results would change who is in a cut, and which.

`fewest_changes` says by points how few it takes at least, and where that is enough. In doubt are
the pairs that so few changes only bring level: there the results that do it are tried one after
the other, tiebreakers and all, as long as that is not too much work. Where no set of results does
it, it takes one more.

Byes, pairings, who left, and points that a judge gave beside a match stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.events.results import Result, ResultCorrected
from ledger.rulesets import Ruleset
from ledger.tournament.progress import slips_before
from ledger.tournament.scoring import UNPLAYED, absence
from ledger.tournament.state import Stage, Tournament
from projections.standings.table import crosstable_of, ranking
from projections.whatif.fewest_changes import (
    Crossing,
    CutRecord,
    Score,
    ScoredGame,
    Shift,
    crossings,
    level_sets,
)
from projections.whatif.outcomes import accepted
from projections.whatif.score_model import SWEPT, enter

TRIED_MAX = 5_000
"""How many sets of results are tried before it is left open whether the lower number will do."""

TRIED_MIN = 200
WORK = 2_000_000
"""The same in players times rounds, about ten seconds: fewer are tried in a large field."""

OUT = frozenset({"disqualified"})
"""Players with such a status are ranked below all others."""

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
    """Return who would be in a cut by the results of a tournament.

    A disqualification after the cut is not a result: it does not change who belonged in the cut.
    """
    candidates = {*cut.inside, *cut.outside}
    tournament = _as_at_the_cut(tournament, candidates) if cut.is_made else tournament
    ranked = [each for each in ranking(tournament, cut.stage - 1) if each in candidates]
    size = cut.line or len(cut.inside)
    return set(_parted(tournament, cut.stage, size, ranked, by_line=cut.line > 0)[0])


def _as_at_the_cut(tournament: Tournament, candidates: set[int]) -> Tournament:
    """Return the tournament with its candidates still in play, as the cut found them."""
    gone = [player for player in candidates if tournament.players[player].status in OUT]
    if not gone:
        return tournament
    players = list(tournament.players)
    for player in gone:
        players[player] = replace(players[player], status="cut")
    return replace(tournament, players=players)


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
    """Return every score that a match may have.

    If not all results are known, the ends of the ruleset's own range are among the scores.
    """
    results, is_whole = possible_results(rules)
    scores = [result.points for result in results]
    if not is_whole:
        scores += _ends_of_the_range(rules)
    return list(dict.fromkeys(scores))


def _ends_of_the_range(rules: Ruleset) -> list[Score]:
    """Return scores no narrower than the ruleset's own, for results that were not all tried."""
    scoring = rules.scoring
    if scoring.kind == "outcome":
        return [rules.points(outcome) for outcome in rules.outcomes]
    low, high = scoring.points_min, scoring.points_max
    if rules.derives is not None:
        given = [number for band in rules.derives.bands for number in (band.winner, band.loser)]
        low, high = min([0, low, *given]), max([high, *given])
    return [(low, high), (high, low), (low, low), (high, high)]


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
        self._before = [each.name for each in tournament.ruleset.fields if each.before]
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
                choices = [self._best(each, move) for move in moves]
                example = {
                    move.match: best[0] for move, best in zip(moves, choices, strict=True) if best
                }
                if len(example) == count and self._does(example):
                    return example
        return None

    def first_that_does(self, found: Sequence[Crossing]) -> Changes | None:
        """Return the first changes that carry a level pair past each other.

        `is_proven`: there are none. Of a pair that goes beyond the gap by points, smaller moves
        would have to be tried as well: that is not proven.
        """
        for each in found:
            for matches in level_sets(self._record, each.moves, each.changes):
                choices = [self._best(each, move) for move in matches]
                for chosen in product(*choices):
                    self._left -= 1
                    if self._left < 0:
                        return None
                    example = dict(zip((m.match for m in matches), chosen, strict=True))
                    if self._does(example):
                        return example
        self.is_proven = self._is_whole and not any(each.is_enough for each in found)
        return None

    def _best(self, crossing: Crossing, move: Shift) -> list[Result]:
        """The results of a match that move the pair so far, the usual ones first."""
        game = self._games[move.match]
        return [
            self._with_what_stays(move.match, result)
            for result in self._results
            if _moved(game, crossing, result.points) >= move.gain
        ]

    def _with_what_stays(self, match: int, result: Result) -> Result:
        """Return a result with what a judge added, and with what was known before the game."""
        recorded = self._tournament.matches[match].result
        if recorded is None:
            return result
        if UNPLAYED & {result.manner, recorded.manner}:
            return replace(result, adjusted=recorded.adjusted)
        kept = {name: recorded.fields[name] for name in self._before if name in recorded.fields}
        return replace(result, adjusted=recorded.adjusted, fields=kept | result.fields)

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
