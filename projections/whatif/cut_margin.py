"""The fewest wrong results that would change a cut, these results, and the proof of the number.

A cut by rank changes as soon as a player outside is above a player inside. For each such pair and
each match, the most that another result of the match can move the two towards each other is known;
a game between the two moves both. So the fewest matches whose moves together reach the gap between
the two are a bound: no smaller set of results is enough, whatever the tiebreakers. If the moves
exceed the gap, that many are enough as well. A cut by points changes as soon as a player crosses
the line. In doubt are the pairs that so few changes only bring level: for these the results that do
it are tried one after the other with all tiebreakers, unless that is too much work. If no set of
results does it, it takes one more.

Byes, pairings, drops, and points that a judge gave next to a match stay as they are.

`certificate_of` gives an independent reader what confirms the number. By points, a result moves two
players towards each other by at most its greatest move. If for every pair the greatest moves of N
results sum up to less than the gap between the two, no set of N results changes the cut. If the sum
equals the gap, the results that bring the two level were tried with all tiebreakers: these sets of
matches are listed as `level`. `tests/truth/cuts/margin_checker.py` reads a certificate without this
program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations, product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ledger.facts.results import UNPLAYED, ResultCorrected, absence
from ledger.facts.shared import Result
from ledger.rulesets import Ruleset
from ledger.tournament.progress import slips_before
from ledger.tournament.state import Stage, Tournament
from projections.standings.table import crosstable_of, ranking
from projections.whatif.outcomes import accepted
from projections.whatif.score_model import SWEPT, enter

Score = tuple[int, int]


class ScoredGame(Struct, frozen=True):
    """A match with a slip: who played it, and what it was worth to each, by its result alone."""

    match: int
    players: tuple[int, int]
    score: Score


class CutRecord(Struct, frozen=True):
    """Who is in a cut, who is out, and the results that this goes by.

    `scores` is every score that a match may have. `line` is the number of points that a cut by
    points asks for, 0 where it goes by rank.
    """

    points: Mapping[int, int]
    inside: Sequence[int]
    outside: Sequence[int]
    games: Sequence[ScoredGame]
    scores: Sequence[Score]
    line: int = 0


class Shift(NamedTuple):
    """How far another result of a match moves a pair towards each other at the most."""

    gain: int
    match: int


class Crossing(NamedTuple):
    """How few changes bring one who is out up to one who is in.

    `leaver` or `entrant` is 0 where nobody's place is taken. `is_enough`: these changes carry the
    entrant past them, by points alone; else they come level, and tiebreakers say more. `moves` are
    all that can be had, the greatest first, `gap` what is to be reached.
    """

    changes: int
    is_enough: bool
    leaver: int
    entrant: int
    gap: int
    moves: Sequence[Shift]


class Moves:
    """What each match of a record can move, by player."""

    def __init__(self, record: CutRecord, free: Collection[int] = ()) -> None:
        self.record = record
        self.free = frozenset(free)
        self._least = [min(score[side] for score in record.scores) for side in (0, 1)]
        self._most = [max(score[side] for score in record.scores) for side in (0, 1)]
        self._swing = [max(s[1 - side] - s[side] for s in record.scores) for side in (0, 1)]
        self._played: dict[int, list[tuple[ScoredGame, int]]] = {}
        self.widest = 0
        for game in record.games:
            for side, player in enumerate(game.players):
                self._played.setdefault(player, []).append((game, side))
                had, other = game.score[side], game.score[1 - side]
                lost, won = had - self._least[side], self._most[side] - had
                self.widest = max(self.widest, lost, won, had - other + self._swing[side])

    def lost_by(self, player: int) -> list[Shift]:
        """What each match of a player can take from them, the most first."""
        return _sorted(self._down(player).values())

    def won_by(self, player: int) -> list[Shift]:
        """What each match of a player can give them, the most first."""
        return _sorted(self._up(player).values())

    def of_pair(self, leaver: int, entrant: int) -> list[Shift]:
        """What each match of two can move them towards each other, the most first."""
        possible = self._down(leaver) | self._up(entrant)
        for game, side in self._played.get(leaver, ()):
            if game.players[1 - side] == entrant:
                apart = game.score[side] - game.score[1 - side]
                possible[game.match] = Shift(apart + self._swing[side], game.match)
        return _sorted(possible.values())

    def _down(self, player: int) -> dict[int, Shift]:
        return {
            game.match: Shift(game.score[side] - self._least[side], game.match)
            for game, side in self._played.get(player, ())
        }

    def _up(self, player: int) -> dict[int, Shift]:
        return {
            game.match: Shift(self._most[side] - game.score[side], game.match)
            for game, side in self._played.get(player, ())
        }

    def goes_further(self, gap: int, count: int) -> bool:
        """Return whether a gap takes more than that many changes, of any two players.

        `widest` is the most that one result moves any two: a game between them moves both.
        """
        return not self.free and gap > count * self.widest


def _sorted(moves: Collection[Shift]) -> list[Shift]:
    return sorted((each for each in moves if each.gain > 0), key=lambda each: (-each.gain, each[1]))


def crossings(record: CutRecord, free: Collection[int] = ()) -> Iterator[Crossing]:
    """Yield for everyone who could cross a line, or each pair that could change places, how few.

    The results of `free` matches may be anything: they count for nothing. Who cannot be brought
    there by any results is left out.
    """
    moves = Moves(record, free)
    yield from _by_line(record, moves) if record.line else _by_rank(record, moves)


def fewest(record: CutRecord, free: Collection[int] = ()) -> int:
    """Return how few wrong results it takes at least to change who is in.

    One more than there are games, where nothing changes that.
    """
    beyond = len(record.games) + 1
    return min((each.changes for each in crossings(record, free)), default=beyond)


def _by_line(record: CutRecord, moves: Moves) -> Iterator[Crossing]:
    for player in record.inside:
        found = _crossing(moves, record.points[player] - record.line + 1, moves.lost_by(player))
        if found is not None:
            yield found._replace(leaver=player, is_enough=True)
    for player in record.outside:
        found = _crossing(moves, record.line - record.points[player], moves.won_by(player))
        if found is not None:
            yield found._replace(entrant=player, is_enough=True)


def _by_rank(record: CutRecord, moves: Moves) -> Iterator[Crossing]:
    """Yield the pairs; those that are further apart than the fewest so far can bridge left out."""
    lowest = len(record.games) + 1
    outside = sorted(record.outside, key=lambda each: -record.points[each])
    for leaver in sorted(record.inside, key=lambda each: record.points[each]):
        for entrant in outside:
            gap = record.points[leaver] - record.points[entrant]
            if moves.goes_further(gap, lowest):
                break
            found = _crossing(moves, gap, moves.of_pair(leaver, entrant))
            if found is not None:
                lowest = min(lowest, found.changes)
                yield found._replace(leaver=leaver, entrant=entrant)


def _crossing(moves: Moves, gap: int, possible: list[Shift]) -> Crossing | None:
    """Take the greatest moves until the gap is reached; what is free comes first."""
    left = gap - sum(each.gain for each in possible if each.match in moves.free)
    costly = [each for each in possible if each.match not in moves.free]
    if left < 0 or (left == 0 and moves.free):
        return Crossing(0, left < 0, 0, 0, left, costly)
    reached = count = 0
    while count < len(costly) and (reached < left or not count):
        reached += costly[count].gain
        count += 1
    if reached < left:
        return None
    return Crossing(max(count, 1), reached > left, 0, 0, left, costly)


def level_sets(
    record: CutRecord, moves: Sequence[Shift], changes: int
) -> Iterator[tuple[Shift, ...]]:
    """Yield the sets of matches whose greatest moves bring a pair level with so few changes.

    If two are level and nothing moves them, any match may move the tiebreakers.
    """
    if not moves:
        yield from ((Shift(0, game.match),) for game in record.games)
        return
    last = moves[min(changes, len(moves)) - 1].gain
    first = tuple(move for move in moves if move.gain > last)
    others = [move for move in moves if move.gain == last]
    for chosen in combinations(others, min(changes, len(moves)) - len(first)):
        yield (*first, *chosen)


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


class CertifiedPair(Struct, frozen=True):
    """A pair at the line: its gap, and the greatest moves of as many results as are excluded.

    `leaver` or `entrant` is 0 in a cut by points, where a player crosses a line instead. `level`
    are the sets of matches that bring the two level: tiebreakers decided there.
    """

    leaver: int
    entrant: int
    gap: int
    moves: tuple[Shift, ...]
    level: tuple[tuple[int, ...], ...] = ()


class MarginCertificate(Struct, frozen=True):
    """The proof that `fewer` wrong results do not change a cut.

    `widest` is the most that one result moves a pair: pairs with a gap above `fewer` times `widest`
    are not listed. `scores` are all points that a match may give, `results` those that were tried
    for the `level` sets; `line` are the points that a cut by points asks for, or 0.
    """

    fewer: int
    widest: int
    inside: tuple[int, ...]
    outside: tuple[int, ...]
    line: int
    scores: tuple[Score, ...]
    games: tuple[ScoredGame, ...]
    pairs: tuple[CertifiedPair, ...]
    results: tuple[Result, ...]


def certificate_of(record: CutRecord, fewer: int, results: Sequence[Result]) -> MarginCertificate:
    """Make the certificate of a cut that no set of this size changes."""
    moves = Moves(record)
    pairs = tuple(_pairs(record, moves, fewer)) if fewer else ()
    used = results if any(pair.level for pair in pairs) else ()
    return MarginCertificate(
        fewer,
        moves.widest,
        tuple(record.inside),
        tuple(record.outside),
        record.line,
        tuple(record.scores),
        tuple(record.games),
        pairs,
        tuple(used),
    )


def _pairs(record: CutRecord, moves: Moves, fewer: int) -> Iterator[CertifiedPair]:
    points = record.points
    if record.line:
        for player in record.inside:
            gap = points[player] - record.line + 1
            yield _certified(record, player, 0, gap, moves.lost_by(player), fewer)
        for player in record.outside:
            gap = record.line - points[player]
            yield _certified(record, 0, player, gap, moves.won_by(player), fewer)
        return
    for leaver in record.inside:
        for entrant in record.outside:
            gap = points[leaver] - points[entrant]
            if gap <= fewer * moves.widest:
                every = moves.of_pair(leaver, entrant)
                yield _certified(record, leaver, entrant, gap, every, fewer)


def _certified(
    record: CutRecord, leaver: int, entrant: int, gap: int, moves: Sequence[Shift], fewer: int
) -> CertifiedPair:
    best = tuple(moves[:fewer])
    level: tuple[tuple[int, ...], ...] = ()
    if not record.line and sum(move.gain for move in best) == gap:
        sets = level_sets(record, moves, fewer)
        level = tuple(tuple(move.match for move in chosen) for chosen in sets)
    return CertifiedPair(leaver, entrant, gap, best, level)
