"""A slip audit: its arithmetic, what may be entered, and how often it stops wrongly."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.log_files import replay_lines
from ledger.facts.draws import SlipRead, SlipsDrawn
from ledger.facts.shared import SlipAuditBegun, Stage
from ledger.fold import fold
from ledger.lines.line import encode
from ledger.rules.draws import BeginSlipAudit, DrawSlips, ReadSlip, WithdrawSlip
from ledger.rules.elimination import MakeCut
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import CloseRound
from ledger.rules.undo import Undo
from projections.audit.slips import chance_of_few, may_stop, order_of, slips_needed, status_of
from projections.standings.table import ranking
from projections.whatif.cut_margin import CutRecord, ScoredGame, crossings, fewest
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Sequence

RISK = Fraction(1, 20)
FIVE = 50_000


def played(players: int = 8, rounds: int = 3, cut: int = 2) -> Day:
    day = Day(players, ruleset="swiss")
    day.start(rounds, Stage("single", 0, "top", cut))
    for _ in range(rounds):
        day.pair()
        day.report_all()
        day.do(CloseRound())
    return day


def begun(day: Day | None = None) -> Day:
    day = day or played()
    day.do(BeginSlipAudit(stage=2, risk=FIVE))
    day.do(DrawSlips(word="Blue  Heron"))
    return day


def test_the_chance_is_that_of_every_draw_counted() -> None:
    for slips, wrong, pulled, found in [(6, 2, 3, 0), (7, 3, 4, 1), (8, 1, 7, 0), (5, 5, 2, 1)]:
        draws = list(combinations(range(slips), pulled))
        few = sum(sum(each < wrong for each in draw) <= found for draw in draws)
        assert chance_of_few(slips, wrong, pulled, found) == Fraction(few, len(draws))


def test_without_a_difference_it_is_the_quotient_of_two_binomials() -> None:
    for pulled in range(31):
        expected = Fraction(comb(38, pulled), comb(40, pulled))
        assert chance_of_few(40, 2, pulled, 0) == expected


def test_after_differences_it_is_the_tail_of_what_there_was_to_begin_with() -> None:
    """After k differences m + k slips differed, and the limit is halved once more for each."""
    for found in range(4):
        for pulled in range(found, 41):
            wrong = 3 + found
            few = sum(comb(wrong, x) * comb(40 - wrong, pulled - x) for x in range(found + 1))
            holds = Fraction(few, comb(40, pulled)) <= Fraction(1, 20) / 2 ** (found + 1)
            assert may_stop(40, 3, pulled, found, RISK) == (holds or pulled == 40)


def test_one_stops_with_the_fewest_slips_that_do() -> None:
    for slips in (5, 24, 90):
        for least in range(1, 6):
            for found in range(3):
                enough = [
                    pulled
                    for pulled in range(found, slips + 1)
                    if may_stop(slips, least, pulled, found, RISK)
                ]
                assert slips_needed(slips, least, found, RISK) == enough[0]
                assert enough == list(range(enough[0], slips + 1))


def test_where_one_result_decides_nearly_every_slip_is_read() -> None:
    assert slips_needed(200, 1, 0, RISK) == 195
    assert slips_needed(200, 4, 0, RISK) == 120


def test_where_the_cut_is_another_all_slips_are_read() -> None:
    assert slips_needed(40, 0, 3, RISK) == 40


def test_the_order_can_be_drawn_again_and_hangs_on_word_and_head() -> None:
    one, other = begun(), begun()
    audit = one.tournament.floor.slip_audits[0]
    assert audit.word == "blue heron"
    assert order_of(audit) == order_of(other.tournament.floor.slip_audits[0])
    assert sorted(order_of(audit)) == sorted(audit.results)
    audit.word = "blue herons"
    assert order_of(audit) != order_of(other.tournament.floor.slip_audits[0])


def test_slips_that_agree_lead_to_the_end() -> None:
    day = begun()
    for match in order_of(day.tournament.floor.slip_audits[0]):
        status = status_of(day.log, day.tournament.floor.slip_audits[0])
        if status.is_over:
            break
        assert status.to_pull[0] == match
        day.do(ReadSlip(match=match, agrees=True))
    status = status_of(day.log, day.tournament.floor.slip_audits[0])
    assert status.is_over
    assert status.pulled == status.plan.needed
    assert status.chance <= RISK / 2


def test_a_difference_bounds_the_rest_again_and_goes_on() -> None:
    day = begun()
    first = order_of(day.tournament.floor.slip_audits[0])[0]
    day.do(ReadSlip(match=first, result=StatedResult("loss")))
    status = status_of(day.log, day.tournament.floor.slip_audits[0])
    assert [each.match for each in status.differences] == [first]
    assert not status.is_over
    assert status.needed >= status.plan.needed


def test_a_missing_slip_is_a_difference_and_may_have_said_anything() -> None:
    day = begun()
    first = order_of(day.tournament.floor.slip_audits[0])[0]
    day.do(ReadSlip(match=first, note="two slips, two winners"))
    status = status_of(day.log, day.tournament.floor.slip_audits[0])
    assert status.differences[0].result is None
    assert status.least <= status.plan.least


def test_a_result_corrected_since_is_still_a_difference() -> None:
    day = begun()
    first = order_of(day.tournament.floor.slip_audits[0])[0]
    day.do(Correct(match=first, result=StatedResult("loss"), reason="the slip says so"))
    day.do(ReadSlip(match=first, result=StatedResult("loss")))
    assert status_of(day.log, day.tournament.floor.slip_audits[0]).differences


def test_what_was_read_is_taken_back_and_read_again() -> None:
    day = begun()
    day.do(ReadSlip(match=1, result=StatedResult("loss")))
    day.do(WithdrawSlip(match=1, reason="the wrong pile"))
    assert not day.tournament.floor.slip_audits[0].read
    day.do(ReadSlip(match=1, agrees=True))
    day.do(Undo())
    assert not fold(day.log).floor.slip_audits[0].read


def test_it_is_taken_back_before_the_word_alone() -> None:
    day = played()
    day.do(BeginSlipAudit(stage=2, risk=FIVE))
    day.do(Undo())
    assert not day.tournament.floor.slip_audits
    begun(day)
    assert "cannot be undone" in day.refused(Undo())


def test_after_the_cut_it_is_about_who_was_put_in() -> None:
    day = played()
    day.do(MakeCut())
    begun(day)
    plan = status_of(day.log, day.tournament.floor.slip_audits[0]).plan
    assert plan.cut.is_made
    assert list(plan.cut.inside) == day.tournament.stages[1].seeds


def test_slips_that_contradict_each_other() -> None:
    day = begun()
    day.do(ReadSlip(match=1, agrees=True))
    said = day.refused(ReadSlip(match=1, result=StatedResult("loss")))
    assert "was already read" in said
    assert "[audit.missing]" in said
    assert day.do(ReadSlip(match=1, agrees=True)) == []


def test_a_second_draw_is_a_choice() -> None:
    day = begun()
    assert "slips are drawn only once" in day.refused(BeginSlipAudit(stage=2, risk=FIVE))
    assert "were already drawn with the word" in day.refused(DrawSlips(word="another"))
    assert day.do(DrawSlips(word="blue heron")) == []


def test_what_comes_before_its_time() -> None:
    day = played()
    assert "no slip audit has begun" in day.refused(DrawSlips(word="heron"))
    assert "no slip audit has begun" in day.refused(ReadSlip(match=1, agrees=True))
    day.do(BeginSlipAudit(stage=2, risk=FIVE))
    assert "only after the word is called out" in day.refused(ReadSlip(match=1, agrees=True))
    assert "there is no entry" in day.refused(WithdrawSlip(match=1, reason="why"))
    assert "must not be empty" in day.refused(DrawSlips(word="  "))


def test_where_no_slip_says_who_is_in() -> None:
    day = Day(4, ruleset="swiss")
    day.start(2)
    assert "does not begin with a cut by the standings" in day.refused(
        BeginSlipAudit(stage=1, risk=FIVE)
    )
    day = Day(4, ruleset="swiss")
    day.start(2, Stage("single", 0, "top", 2))
    assert "there are no slips" in day.refused(BeginSlipAudit(stage=2, risk=FIVE))
    day.pair()
    assert "no result that counts yet" in day.refused(BeginSlipAudit(stage=2, risk=FIVE))


def test_forged_events() -> None:
    """A log may hold none of them, whoever wrote it."""
    day = begun()
    audit = day.tournament.floor.slip_audits[0]
    result = audit.results[1]
    seq = audit.seq
    for event in (
        replace(audit.begun, stage=3),
        replace(audit.begun, size=1),
        SlipAuditBegun(2, FIVE, day.tournament.seq, "0" * 64),
        SlipsDrawn(seq + 1, "heron"),
        SlipsDrawn(seq, "Heron"),
        SlipRead(seq + 1, 1, result),
        SlipRead(seq, 999, result),
        SlipRead(seq, 1, replace(result, points=(9, 9))),
    ):
        assert day.refused_event(event), event


def test_the_head_is_that_of_the_lines_before() -> None:
    """Else a word could be tried against many heads."""
    day = played()
    day.do(BeginSlipAudit(stage=2, risk=FIVE))
    lines, last = day.lines, day.log[-1]
    replay_lines("log", lines, ranking)
    forged = replace(last, event=replace(last.event, root="0" * 64, signature=""))
    with pytest.raises(InvalidLog, match="does not match the lines before it"):
        replay_lines("log", [*lines[:-1], encode(forged)], ranking)


def test_slips_count_as_far_as_they_were_read_in_the_order_drawn() -> None:
    day = begun()
    order = order_of(day.tournament.floor.slip_audits[0])
    day.do(ReadSlip(match=order[-1], agrees=True))
    status = status_of(day.log, day.tournament.floor.slip_audits[0])
    assert status.pulled == 0
    assert status.to_pull[0] == order[0]


def test_where_the_slips_put_others_in_all_are_read() -> None:
    """What the slips say is bounded, not what was entered."""
    day = begun()
    audit = day.tournament.floor.slip_audits[0]
    cut = status_of(day.log, audit).plan.cut
    for each in day.tournament.matches[1:]:
        if each.first in cut.inside and each.number in audit.results:
            day.do(ReadSlip(match=each.number, result=StatedResult("loss")))
    status = status_of(day.log, day.tournament.floor.slip_audits[0])
    assert status.changed
    assert (status.least, status.needed) == (0, status.plan.slips)


def drawn_day(rng: random.Random) -> tuple[CutRecord, list[int]]:
    """A day as it was entered, and the order by lot of those with equal points."""
    players = list(range(1, 13))
    strength = {each: 30 if each <= 4 else 1 for each in players}
    points = dict.fromkeys(players, 0)
    games: list[ScoredGame] = []
    for _ in range(5):
        weak = rng.sample(players[4:], 8)  # the strong meet the weak: the cut is not too close
        order = [each for pair in zip(players[:4], weak, strict=False) for each in pair] + weak[4:]
        for one, other in zip(order[::2], order[1::2], strict=True):
            wins = rng.random() * (strength[one] + strength[other]) < strength[one]
            score = (2, 0) if wins else (0, 2)
            games.append(ScoredGame(len(games) + 1, (one, other), score))
            points[one] += score[0]
            points[other] += score[1]
    by_lot = rng.sample(players, len(players))
    return cut_by(points, games, by_lot), by_lot


def cut_by(points: dict[int, int], games: list[ScoredGame], by_lot: Sequence[int]) -> CutRecord:
    order = sorted(by_lot, key=lambda each: -points[each])
    return CutRecord(points, order[:4], order[4:], games, [(2, 0), (0, 2), (1, 1), (0, 0)])


def turned(day: CutRecord, wrong: Sequence[int], by_lot: Sequence[int]) -> CutRecord:
    """A day with the winners of some games the other way round."""
    points, games = dict(day.points), list(day.games)
    for place in wrong:
        game = games[place]
        other = replace(game, score=game.score[::-1])
        for player, had, has in zip(game.players, game.score, other.score, strict=True):
            points[player] += has - had
        games[place] = other
    return cut_by(points, games, by_lot)


class Planted(NamedTuple):
    """A day as it was entered, which results are wrong so that the cut is, and the lot.

    `least`: how few wrong results it takes; as many are wrong, or one or two more: what is hardest
    to find.
    """

    entered: CutRecord
    least: int
    wrong: set[int]
    by_lot: list[int]


def planted(rng: random.Random) -> Planted | None:
    entered, by_lot = drawn_day(rng)
    nearest = min(crossings(entered), key=lambda each: (each.changes, rng.random()))
    if nearest.changes < 2:
        return None  # at a small risk all slips are read, and nothing is missed
    more = rng.choice((0, 0, 1, 2))
    wrong = {move.match - 1 for move in nearest.moves[: nearest.changes + more]}
    truth = turned(entered, sorted(wrong), by_lot)
    is_wrong = set(truth.inside) != set(entered.inside)
    return Planted(entered, nearest.changes, wrong, by_lot) if is_wrong else None


RISKS = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 4))


@cache
def risks_to_stop_at(slips: int, least: int, pulled: int, found: int) -> frozenset[Fraction]:
    return frozenset(risk for risk in RISKS if may_stop(slips, least, pulled, found, risk))


def stops_wrongly(rng: random.Random) -> set[Fraction] | None:
    """Audit a day whose cut is wrong: at which risks it stops before the slips show that."""
    day = planted(rng)
    if day is None:
        return None
    entered, least, wrong, by_lot = day
    slips = len(entered.games)
    order = rng.sample(range(slips), slips)
    found: list[int] = []
    ended: set[Fraction] = set()
    for pulled, place in enumerate(order[:-1], 1):
        if place in wrong:
            found.append(place)
            record = turned(entered, found, by_lot)
            least = fewest(record)
            if set(record.inside) != set(entered.inside):
                least = 0
        ended |= risks_to_stop_at(slips, least, pulled, len(found))
    return ended


def stopped(days: int, seed: int) -> Counter[Fraction]:
    """Count at each risk on how many of so many days whose cut is wrong it stops all the same."""
    rng = random.Random(seed)
    wrongly: Counter[Fraction] = Counter()
    audited = 0
    while audited < days:
        ended = stops_wrongly(rng)
        if ended is not None:
            audited += 1
            wrongly.update(ended)
    return wrongly


@pytest.mark.slow
def test_it_seldom_stops_with_a_wrong_cut() -> None:
    """Of days with planted wrong results no more than the stated share are taken for right."""
    risk = Fraction(1, 4)
    assert 0 < stopped(400, 1)[risk] <= 400 / 4


@pytest.mark.slow
def test_it_stops_wrongly_in_no_more_than_the_stated_share() -> None:
    """Over 20,000 simulated days whose cut is wrong, the same at each risk."""
    wrongly = stopped(20_000, 7)
    assert [risk for risk in RISKS if not 0 < wrongly[risk] <= risk * 20_000] == []
