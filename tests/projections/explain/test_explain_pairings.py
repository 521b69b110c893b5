"""Why two met and why one had the bye, against what the log says and what was the best round."""

from __future__ import annotations

from functools import cache
from itertools import count, islice
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.errors import NotFound
from ledger.facts.rounds import PlayersSeated, RoundPaired, SeatsSwapped, TablesRepaired
from ledger.rules.pairing import PairRound, RepairRound, choices
from ledger.rules.results import Correct, StatedResult
from ledger.rules.rounds import SwapSeats
from ledger.rules.undo import Undo
from projections.explain.pairings import PairingLog, bye, byes_of, meeting
from tests.ledger.pairing.test_repair import corrected_day
from tests.support.simulate import Day, play
from tests.truth.reference import Reading, gap

if TYPE_CHECKING:
    from ledger.pairing.repair import RepairChoice
    from ledger.tournament.state import Match

SEEDS = range(16)
REPAIRED = 5
"""How many days with a repair are looked at."""


@cache
def worth_repairing() -> tuple[int, ...]:
    """The first days whose corrected round is better where some tables are stopped."""
    found = (seed for seed in count(1) if _best(corrected_day(seed, 16)).stopped)
    return tuple(islice(found, REPAIRED))


def _best(day: Day) -> RepairChoice:
    """The choice that stops the most tables."""
    return choices(day.tournament, day.context)[-1]


def log_of(day: Day) -> PairingLog:
    def paired(seq: int) -> RoundPaired:
        event = day.log[seq - 1].event
        assert isinstance(event, RoundPaired)
        return event

    swaps = [
        (each.seq, each.event)
        for each in day.log
        if isinstance(each.event, SeatsSwapped | TablesRepaired | PlayersSeated)
    ]
    return PairingLog(lambda seq: day.folded(day.log[:seq]), paired, swaps)


def reading_before(day: Day, seq: int) -> Reading:
    reading = Reading()
    for recorded in day.log[: seq - 1]:
        reading.take(recorded)
    return reading


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_groups_floats_and_bans_are_those_of_the_log(seed: int) -> None:
    day = play(seed, 7 + seed, rounds=4)
    log = log_of(day)
    for played in day.tournament.rounds:
        reading = reading_before(day, played.paired_seq)
        met = reading.met()
        drawn = log.paired(played.paired_seq).games
        now = [(match.first, match.second) for match in played.matches]
        for match in played.matches:
            if match.is_bye:
                continue
            is_as_drawn = set(drawn[match.table - 1]) == set(match.players)
            games = [game for game in (drawn if is_as_drawn else now) if all(game)]
            points = {player: reading.points(player) for game in games for player in game}
            values = sorted(set(points.values()), reverse=True)
            found = meeting(day.tournament, match, log)
            assert found.gap == gap(games, points)
            assert not is_as_drawn or found.gap == found.least_gap
            bans, spare = reading.bans(sorted({each for game in drawn for each in game if each}))
            assert not found.rematch
            assert found.paired_again == (match.second in spare[match.first])
            for side in found.sides:
                group = {each for each, worth in points.items() if worth == side.points}
                assert side.points == points[side.player] == values[side.group - 1]
                assert side.group_size == len(group)
                assert set(side.met) == met[side.player]
                assert set(side.paired) == reading.paired()[side.player] - met[side.player]
                assert set(side.could_meet) == group - bans[side.player] - {side.player}
            assert found.steps == abs(found.sides[0].group - found.sides[1].group)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bye_went_to_the_lowest_without_one(seed: int) -> None:
    day = play(seed, 9 + 2 * (seed % 4), rounds=5)
    log = log_of(day)
    for played in day.tournament.rounds:
        reading = reading_before(day, played.paired_seq)
        for player in byes_of(played):
            found = bye(day.tournament, played.number, player, log)
            if found.swapped:
                continue
            *before, last = found.order
            assert last.player == player
            assert all(each.passed_over for each in before)
            assert [each.byes for each in found.order] == [
                reading.byes(each.player) for each in found.order
            ]
            if found.ranked:
                ranks = reading.ranking()
                active = [each for each in ranks if each in reading.active]
                fewest = min(reading.byes(each) for each in active)
                lowest = [each for each in reversed(active) if reading.byes(each) == fewest]
                assert found.order[0].player == lowest[0]
                assert ranks.index(player) + 1 == last.rank


def by_hand() -> tuple[Day, Match]:
    """Four players in round 2, the winners kept apart by the organizer."""
    day = Day(4)
    day.start(2)
    day.pair()
    day.report_all()
    first, second = (match.first for match in day.matches())
    third, fourth = (match.second for match in day.matches())
    day.do(PairRound(by_hand=((first, fourth), (second, third)), reason="a film crew"))
    return day, day.matches()[0]


def test_a_table_by_hand_is_said_to_be_and_its_gap_beside_the_least() -> None:
    day, match = by_hand()
    found = meeting(day.tournament, match, log_of(day))
    assert found.by_hand
    assert found.drawn.reason == "a film crew"
    assert (found.steps, found.gap, found.least_gap) == (1, 2, 0)


def test_a_swap_is_named() -> None:
    day = Day(6)
    day.start(2)
    one, other = (match.first for match in day.pair()[:2])
    day.do(SwapSeats((one, other), "they came in one car"))
    seq = day.log[-1].seq
    found = [meeting(day.tournament, match, log_of(day)) for match in day.matches()]
    assert [each.swapped for each in found] == [True, True, False]
    assert found[0].drawn.swaps == (seq,)


@pytest.mark.parametrize("number", range(REPAIRED))
def test_a_repaired_table_is_told_by_what_was_known_when_it_was_repaired(number: int) -> None:
    day = corrected_day(worth_repairing()[number], 16)
    best = _best(day)
    day.do(RepairRound(best.stopped, "1/1 was corrected"))
    repair = day.log[-1].seq
    played = day.tournament.rounds[-1]
    earlier = day.tournament.rounds[:2]
    worth = {player: sum(each.points[player] for each in earlier) for player in range(1, 17)}
    met = {player: {each.against[player] for each in earlier} for player in range(1, 17)}
    seen = 0
    for match in played.matches:
        found = meeting(day.tournament, match, log_of(day))
        assert found.repaired == (repair if match.table - 1 in best.seats else 0)
        if not found.repaired:
            assert found.gap == found.least_gap  # of the draw, whatever was repaired beside it
            continue
        seen += 1
        assert (found.gap, found.rematch) == (best.cost.gap, False)
        assert found.gap == found.least_gap
        assert [side.points for side in found.sides] == [worth[each] for each in match.players]
        assert [set(side.met) for side in found.sides] == [met[each] for each in match.players]
    assert seen == best.stopped > 0
    # What comes later changes nothing of it.
    told = [meeting(day.tournament, match, log_of(day)) for match in played.matches]
    day.report_all("win")
    first = earlier[0].matches[0]
    assert first.result is not None
    other = "loss" if first.result.outcomes[0] == "win" else "win"
    day.do(Correct(first.number, StatedResult(other), "once more"))
    assert [meeting(day.tournament, match, log_of(day)) for match in played.matches] == told


def test_a_table_whose_repair_was_undone_is_as_it_was_drawn() -> None:
    day = corrected_day(worth_repairing()[0], 16)
    best = _best(day)
    before = [meeting(day.tournament, match, log_of(day)) for match in day.matches()]
    day.do(RepairRound(best.stopped, "1/1 was corrected"))
    day.do(Undo())
    after = [meeting(day.tournament, match, log_of(day)) for match in day.matches()]
    for one, other in zip(before, after, strict=True):
        assert replace(one, drawn=other.drawn, swapped=other.swapped) == other


def test_a_bracket_names_the_games_whose_winners_met() -> None:
    day = play(5, 16, rounds=2, cut=4)
    log = log_of(day)
    first, second = (
        day.tournament.rounds[number - 1].matches for number in day.tournament.stages[1].rounds
    )
    final = meeting(day.tournament, second[0], log)
    assert final.from_games == (1, 2)
    assert final.sides == ()
    assert {meeting(day.tournament, match, log).seeds for match in first} == {(1, 4), (2, 3)}


def test_a_bye_is_no_meeting() -> None:
    day = Day(5)
    day.start(2)
    match = next(each for each in day.pair() if each.is_bye)
    with pytest.raises(NotFound, match="is not a game of two"):
        meeting(day.tournament, match, log_of(day))
    found = bye(day.tournament, 1, match.first, log_of(day))
    assert not found.ranked
    assert [each.player for each in found.order] == [match.first]
