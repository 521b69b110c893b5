"""The risk of a slip audit, event by event: the exact chance that the smallest wrong cut passes.

For each event the smallest set of results that changes the cut is found by a plain search over all
pairs. If exactly these results were entered wrongly, the audit pulls slips in random order; every
path is followed with exact fractions, from no slip to the moment when one may stop. The chance to
stop before the cut is found wrong must not be above the stated risk, for each event by itself: an
average would hide the few events whose bound is wrong.

`TOURNEY_CUTS=4000 pytest -s tests/truth/cuts/test_slip_risk.py` is the long form.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec.structs import replace

from ledger.facts.results import ResultCorrected
from ledger.fold import fold
from projections.audit.slips import may_stop, plan_of
from projections.whatif.cut_margin import (
    CutRecord,
    Moves,
    ScoredGame,
    cut_margin,
    cut_of,
    cut_stage,
    fewest,
    is_still,
)
from projections.whatif.score_model import enter
from tests.truth.cuts.cut_truth import PlainSearch, hard_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.facts.shared import Result

LONG = int(os.environ.get("TOURNEY_CUTS", "0"))
RISKS = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4))
SCORES = [(2, 0), (0, 2), (1, 1), (0, 0)]
WRONG_MAX = 4
"""Results that are wrong at once: there are as many paths as subsets of them."""

stops = cache(may_stop)


def chance_to_pass(
    slips: int, wrong: int, least_of: Callable[[frozenset[int]], int], risk: Fraction
) -> Fraction:
    """Return the exact chance that an audit stops before it has shown that the cut is wrong.

    `least_of` is how few further results it takes once some of the wrong ones are known, 0 if the
    cut is known to be wrong.
    """
    passed = Fraction(0)
    going: dict[frozenset[int], Fraction] = {frozenset(): Fraction(1)}
    for pulled in range(slips):
        further: dict[frozenset[int], Fraction] = {}
        for found, chance in going.items():
            least = least_of(found)
            if pulled and stops(slips, least, pulled, len(found), risk):
                passed += chance
                continue
            left = slips - pulled
            for number in set(range(wrong)) - found:
                known = found | {number}
                further[known] = further.get(known, Fraction(0)) + chance / left
            right = Fraction(left - (wrong - len(found)), left)
            if right:
                further[found] = further.get(found, Fraction(0)) + chance * right
        going = further
    return passed


class Event(NamedTuple):
    """A day of many players, reduced to points, and the order by lot of equal points."""

    record: CutRecord
    by_lot: list[int]


def any_event(seed: int) -> Event:
    """Return a day of 16 to 64 players on which strong ones mostly meet weak ones."""
    rng = random.Random(f"slips {seed}")
    players = list(range(1, rng.choice((16, 24, 32, 48, 64)) + 1))
    strong = rng.choice((2, 4, 6, 8))
    drawn = rng.choice((0.5, 0.7, 0.9))
    points = dict.fromkeys(players, 0)
    games: list[ScoredGame] = []
    for _ in range(rng.randrange(4, 8)):
        weak = sorted(players[strong:], key=lambda player: -points[player] + 6 * rng.random())
        met = list(zip(players[:strong], weak, strict=False))
        rest = weak[strong:]
        for one, other in [*met, *zip(rest[::2], rest[1::2], strict=True)]:
            is_strong = one <= strong
            luck = rng.random()
            score = (1, 1) if luck < (0.01 if is_strong else drawn) else (2, 0)
            if luck > 0.98 if is_strong else rng.random() < 0.5:
                score = score[::-1]
            games.append(ScoredGame(len(games) + 1, (one, other), score))
            points[one] += score[0]
            points[other] += score[1]
    by_lot = rng.sample(players, len(players))
    order = sorted(by_lot, key=lambda player: -points[player])
    return Event(CutRecord(points, order[:strong], order[strong:], games, SCORES), by_lot)


def smallest_wrong(event: Event) -> dict[int, tuple[int, int]]:
    """Return the fewest other scores, by match, that change the cut: all pairs, no bound."""
    record, lot = event.record, {player: at for at, player in enumerate(event.by_lot)}
    best: dict[int, tuple[int, int]] = {}
    for leaver in record.inside:
        for entrant in record.outside:
            gap = record.points[leaver] - record.points[entrant] + (lot[leaver] < lot[entrant])
            moves = sorted(_moves(record, leaver, entrant), reverse=True)
            for count in range(1, len(moves) + 1):
                if sum(gain for gain, _, _ in moves[:count]) >= gap:
                    if not best or count < len(best):
                        best = {match: score for _, match, score in moves[:count]}
                    break
    return best


def _moves(
    record: CutRecord, leaver: int, entrant: int
) -> Iterator[tuple[int, int, tuple[int, int]]]:
    for game in record.games:
        if not {leaver, entrant} & set(game.players):
            continue
        gain, score = max(
            (
                sum(
                    (had - has) * ((player == leaver) - (player == entrant))
                    for player, had, has in zip(game.players, game.score, score, strict=True)
                ),
                score,
            )
            for score in record.scores
        )
        if gain > 0:
            yield gain, game.match, score


def with_scores(event: Event, scores: dict[int, tuple[int, int]]) -> CutRecord:
    """Return the record with other scores."""
    points, games = dict(event.record.points), list(event.record.games)
    for match, score in scores.items():
        game = games[match - 1]
        for player, had, has in zip(game.players, game.score, score, strict=True):
            points[player] += has - had
        games[match - 1] = replace(game, score=score)
    order = sorted(event.by_lot, key=lambda player: -points[player])
    size = len(event.record.inside)
    return replace(
        event.record, points=points, games=games, inside=order[:size], outside=order[size:]
    )


def too_likely(event: Event, risk: Fraction) -> tuple[Fraction, int] | None:
    """Return the chance that the smallest wrong cut of an event passes, and its size."""
    wrong = smallest_wrong(event)
    if not wrong or len(wrong) > WRONG_MAX:
        return None
    truth = with_scores(event, wrong)
    assert set(truth.inside) != set(event.record.inside)
    matches = list(wrong)

    @cache
    def least_of(found: frozenset[int]) -> int:
        known = with_scores(event, {matches[at]: wrong[matches[at]] for at in found})
        is_same = set(known.inside) == set(event.record.inside)
        return fewest(known) if is_same else 0

    return chance_to_pass(len(event.record.games), len(wrong), least_of, risk), len(wrong)


def audited(seeds: range) -> tuple[int, int, list[tuple[int, Fraction, Fraction]]]:
    """Return how many events were audited, how many take two or more, and which pass too often."""
    events = hard = 0
    failed = []
    for seed in seeds:
        event = any_event(seed)
        for risk in RISKS:
            found = too_likely(event, risk)
            if found is None:
                break
            chance, size = found
            if risk == RISKS[0]:
                events += 1
                hard += size > 1
            if chance > risk:
                failed.append((seed, risk, chance))
    if LONG:
        print(f"\n{events} events, {hard} with 2 or more; {len(failed)} fail: {failed[:5]}")  # noqa: T201
    return events, hard, failed


def test_every_path_is_counted() -> None:
    """Two of six slips are wrong, and both are needed: against every order of the slips."""
    risk = Fraction(1, 2)

    def least_of(found: frozenset[int]) -> int:
        return 2 - len(found)

    orders = list(combinations(range(6), 2))  # where the two wrong slips are
    wrongly = 0
    for order in orders:
        for pulled in range(1, 6):
            found = frozenset(at for at, place in enumerate(order) if place < pulled)
            if may_stop(6, least_of(found), pulled, len(found), risk):
                wrongly += 1
                break
    assert chance_to_pass(6, 2, least_of, risk) == Fraction(wrongly, len(orders)) > 0


@pytest.mark.slow
def test_no_event_s_wrong_cut_passes_too_often() -> None:
    events, hard, failed = audited(range(40))
    assert not failed
    assert hard >= events / 3


@pytest.mark.slow
def test_no_event_s_wrong_cut_passes_too_often_in_many_events() -> None:
    events, hard, failed = audited(range(1000, 1000 + (LONG or 300)))
    assert not failed
    assert hard >= events / 3


@pytest.mark.slow
def test_with_a_bound_that_is_too_high_wrong_cuts_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of one player's swing, as a search that stops too early has it."""

    def too_early(self: Moves, gap: int, count: int) -> bool:
        return not self.free and gap > count * max(self._swing)

    monkeypatch.setattr(Moves, "goes_further", too_early)
    _, _, failed = audited(range(40))
    assert failed


@pytest.mark.slow
def test_no_wrong_cut_of_a_hard_day_passes_too_often() -> None:
    """The whole way: the log's own results, tiebreakers, and the bound as slips correct them."""
    audited_days = hard_days = 0
    for seed in range(20_000, 20_000 + (LONG or 150)):
        hard = hard_day(seed)
        stage = cut_stage(hard.day.tournament)
        assert stage is not None
        cut = cut_of(hard.day.tournament, stage)
        margin = cut_margin(fold(hard.day.log), cut)
        plain = PlainSearch(hard.day, hard.game, cut.stage, cut.inside)
        if margin.changed or not margin.most:
            continue
        wrong: dict[int, Result] = plain.one_that_changes() or dict(margin.example)
        if len(wrong) > WRONG_MAX:
            continue
        matches = list(wrong)

        @cache
        def least_of(found: frozenset[int]) -> int:
            tournament = fold(hard.day.log)  # noqa: B023 - used within this turn
            for at in found:
                result = wrong[matches[at]]  # noqa: B023 - as above
                enter(tournament, ResultCorrected(matches[at], 1, result, "tried"))  # noqa: B023
            if not is_still(tournament, cut):  # noqa: B023 - as above
                return 0
            return cut_margin(tournament, cut).least  # noqa: B023 - as above

        plan = plan_of(fold(hard.day.log), cut.stage, RISKS[0])
        assert plan.least == least_of(frozenset())
        audited_days += 1
        hard_days += len(wrong) > 1
        for risk in RISKS:
            assert chance_to_pass(plan.slips, len(wrong), least_of, risk) <= risk, seed
    assert hard_days >= audited_days / 8
