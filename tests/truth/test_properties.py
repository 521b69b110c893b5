"""Hundreds of simulated tournaments, each checked against a second reading of its log."""

from __future__ import annotations

import random
from functools import cache

import pytest

from ledger.errors import Refused
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import StructureAnnounced
from ledger.fold import evolve, fold, fold_lines
from ledger.lines.line import read
from ledger.lines.recorded import Recorded
from ledger.proof.formats import Tree, leaf_hash
from ledger.rules import check
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.tournament.disputes import decided, state_of
from ledger.tournament.state import Tournament
from projections.standings.table import ranking, standings
from tests.support.examples import seeds
from tests.support.simulate import Day, play
from tests.truth.reference import Reading, gap, has_legal_round, least_gap, odd_boundaries, spared

pytestmark = pytest.mark.slow

BATCH = 50
BATCHES_TRIED = seeds(16)


@cache
def batch(number: int) -> list[Day]:
    """Fifty days of 4 to 64 players, a different size, length and cut each."""
    days = []
    for seed in range(number * BATCH, (number + 1) * BATCH):
        chance = random.Random(f"size {seed}")
        players = chance.randrange(4, 65) if chance.random() < 0.6 else chance.randrange(4, 13)
        cut = chance.choice([0, 0, 2, 4, 8]) if players >= 12 else 0
        rounds = chance.randrange(2, 8)
        days.append(play(seed, players, rounds=rounds, cut=cut, disputes=seed % 3 == 0))
    return days


BATCHES = pytest.mark.parametrize(
    "number",
    [
        # One process plays a batch once and checks it in every way.
        pytest.param(number, marks=pytest.mark.xdist_group(f"batch {number}"))
        for number in BATCHES_TRIED
    ],
)


@BATCHES
def test_every_swiss_round_is_legal_fair_and_whole(number: int) -> None:
    """FFG-REMATCH, FFG-BYE-FIRST, FFG-BYE-LATER, FFG-SWISS-LATER, FFG-TABLE."""
    for day in batch(number):
        reading = Reading()
        for recorded in day.log:
            event = recorded.event
            if isinstance(event, RoundPaired) and event.stage == 1:
                _check_round(event, reading)
            if isinstance(event, StructureAnnounced) and event.reason and not reading.swiss_over:
                _check_dead_end(reading)
            reading.take(recorded)


def _check_round(event: RoundPaired, reading: Reading) -> None:
    seated = [player for game in event.games for player in game if player]
    assert sorted(seated) == sorted(reading.active)
    met, spare = reading.bans(sorted(seated))
    tables = [game for game in event.games if 0 not in game]
    assert not [(one, other) for one, other in tables if other in met[one]]
    assert event.waiver is None
    byes = [max(game) for game in event.games if 0 in game]
    assert len(byes) == len(seated) % 2
    if byes and event.round > 1:
        _check_bye(byes[0], event, reading)
    players = sorted(set(seated) - set(byes))
    points = {player: reading.points(player) for player in players}
    found = gap(tables, points)
    if found != odd_boundaries(players, points) or any(spare.values()):
        repeated = spared(tables, spare)
        assert (repeated, found) == least_gap(players, points, met, spare)


def _check_bye(bye: int, event: RoundPaired, reading: Reading) -> None:
    lowest_first = [player for player in reversed(reading.ranking()) if player in reading.active]
    order = sorted(lowest_first, key=reading.byes)
    met, spare = reading.bans(sorted(reading.active))
    nobody = dict.fromkeys(reading.active, 0)
    least = {
        player: least_gap(sorted(reading.active - {player}), nobody, met, spare)[0]
        for player in (order if any(spare.values()) else order[: order.index(bye) + 1])
    }
    fewest = min(repeated for repeated in least.values() if repeated >= 0)
    expected = next(player for player in order if least[player] == fewest)
    assert bye == expected
    assert list(event.passed_over) == order[: order.index(bye)]


def _check_dead_end(reading: Reading) -> None:
    """The day ended early: only a field without any legal round may be the reason."""
    met = reading.met()
    players = sorted(reading.active)
    fields = (
        [players]
        if len(players) % 2 == 0
        else [[each for each in players if each != bye] for bye in players]
    )
    assert len(players) < 2 or not any(has_legal_round(field, met) for field in fields)


@BATCHES
def test_standings_are_a_total_order_and_agree_with_the_second_reading(number: int) -> None:
    """FFG-TIEBREAK-SOS, L5R-TIEBREAK, FFG-TIEBREAK-RANDOM."""
    for day in batch(number):
        reading = Reading()
        for recorded in day.log:
            reading.take(recorded)
        rows = standings(day.tournament, stage=1).rows
        assert [row.player for row in rows] == reading.ranking()
        assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
        assert [row.points for row in rows] == [reading.points(row.player) for row in rows]
        assert ranking(day.tournament, stage=1) == reading.ranking()


@BATCHES
def test_the_log_replays_to_the_same_tournament_and_any_prefix_folds(number: int) -> None:
    for day in batch(number):
        lines = day.lines
        assert [read(line) for line in lines] == day.log
        assert fold_lines(lines) == day.tournament
    shortest = min(batch(number), key=lambda day: len(day.log))
    for size in range(len(shortest.log) + 1):
        assert fold(shortest.log[:size]).seq == size


@BATCHES
def test_a_refused_command_and_a_repeated_id_change_nothing(number: int) -> None:
    for day in batch(number)[:5]:
        day.refused(PairRound())
        day.refused(RegisterPlayers((Entry("Too Late"),)))
        first = day.log[0]
        with pytest.raises(Refused, match="is already used at seq 1"):
            day.do(AppointOfficial("Jun Judge", ("judge",)), command_id=first.id)


@BATCHES
def test_every_dispute_comes_to_what_the_last_ruling_says(number: int) -> None:
    for day in batch(number):
        for dispute in day.tournament.floor.disputes:
            assert state_of(day.tournament, dispute) == "settled"
            ruled = decided(day.tournament, dispute)
            stands = day.tournament.matches[dispute.match].result
            assert stands == ruled if ruled and not dispute.closed else stands is not None


def test_a_disputed_day_is_admissible_line_by_line() -> None:
    for day in batch(0)[::3][:5]:
        again, tree = Tournament(), Tree()
        for recorded, line in zip(day.log, day.lines, strict=True):
            assert not check(again, recorded, ranking, tree=tree)
            evolve(again, recorded)
            tree.add(leaf_hash(line))
        assert again == day.tournament


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert play(7, 21, rounds=4, cut=4).lines == play(7, 21, rounds=4, cut=4).lines


def test_the_simulator_plays_everything_it_is_meant_to() -> None:
    seen = {
        type(recorded.event).__name__
        for number in range(4)
        for day in batch(number)
        for recorded in day.log
    }
    missing = {
        "PlayerDropped", "PlayerRejoined", "PlayerDisqualified", "ResultCorrected",
        "ActWithdrawn", "RoundUnpaired", "SeatsSwapped", "CutMade", "QualifierReplaced",
        "ReplacementDeclined", "StructureAnnounced", "TournamentFinished", "ResultConfirmed",
        "ResultDisputed", "AppealMade", "RulingMade",
    } - seen  # fmt: skip
    assert not missing
    assert isinstance(batch(0)[0].log[0], Recorded)
