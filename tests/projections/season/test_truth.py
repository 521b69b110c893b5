"""What SQL derives from the lines is what the fold in Python says, log by log."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Refused
from ledger.facts.shared import Stage
from ledger.rules.clock import CallTime, ExtendRound, ExtendTable, PauseRound, ResumeRound
from ledger.rules.disputes import ConfirmResult, DisputeResult, WithdrawDispute
from ledger.rules.office import Penalize, Rule
from ledger.rules.opening import AppointOfficial, ChangeStructure
from ledger.rules.pairing import RepairRound, choices
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Correct, Report, StatedResult
from ledger.rules.rounds import CloseRound, SeatPlayers, StartRound, SwapSeats, UnpairRound
from ledger.rules.undo import Undo
from projections.season.tables.database import open_season
from tests.support.examples import examples, seeds
from tests.support.sample_days import EARLIER
from tests.support.season import opened, take_in, write_log
from tests.support.simulate import Day, play
from tests.truth.season_truth import check_against_the_fold, rows

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from ledger.rules.command import Command

SAMPLES = sorted(path for path in EARLIER.glob("*/*.jsonl"))
_NUMBER = count()


@pytest.mark.slow
@examples(16)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(4, 40),
    rounds=st.integers(1, 6),
    cut=st.sampled_from([0, 0, 2, 4]),
    kept=st.floats(0.2, 1),
    disputes=st.booleans(),
)
def test_random_days_and_their_beginnings(  # noqa: PLR0913 - what a day is made of
    tmp_path: Path, seed: int, players: int, rounds: int, cut: int, kept: float, *, disputes: bool
) -> None:
    lines = play(seed, players, rounds=rounds, cut=cut, disputes=disputes).lines
    lines = lines[: max(1, int(len(lines) * kept))]
    name = next(_NUMBER)
    season = tmp_path / f"{name}.duckdb"
    take_in(season, write_log(tmp_path / f"{name}.jsonl", lines))
    with opened(season) as connection:
        check_against_the_fold(connection, lines)


@pytest.mark.slow
def test_swaps_one_after_another(tmp_path: Path) -> None:
    """Among them the bye, in a round that was paired twice."""
    day = Day(9)
    day.start(3)
    for number in range(3):
        day.pair()
        _swap(day, 1, 2)
        day.do(UnpairRound("a name was missing"))
        matches = day.pair()
        bye = next(match.first for match in matches if match.is_bye)
        for one, other in ((1, 2), (2, 3), (3, 1), (bye, 1 + bye % 9), (4, 5)):
            _swap(day, one, other)
        day.report_all("loss" if number else "win")
        day.do(CloseRound())
    take_in(tmp_path / "season.duckdb", write_log(tmp_path / "swaps.jsonl", day.lines))
    with opened(tmp_path / "season.duckdb") as connection:
        check_against_the_fold(connection, day.lines)
        swaps = rows(connection, "SELECT swaps FROM rounds")
    assert len(swaps) == 3
    assert all(count >= 2 for (count,) in swaps)


def test_latecomers_who_got_a_seat(tmp_path: Path) -> None:
    """Opposite a bye, at tables of their own, with seats taken back and swapped."""
    day = Day(5)
    day.start(3)
    day.pair()
    day.do(RegisterPlayers(tuple(map(Entry, ("Tina", "Udo", "Vera", "Wim")))))
    day.do(SeatPlayers((6,)))
    day.do(Undo())
    day.do(SeatPlayers((7, 8)))
    day.do(Undo())
    day.do(SeatPlayers((7, 6)))
    day.do(SeatPlayers((9,)))
    _swap(day, 7, 1)
    day.report_all()
    day.do(CloseRound())
    day.pair()
    day.do(RegisterPlayers((Entry("Xenia"), Entry("Yuri"))))
    day.do(SeatPlayers((10, 11)))
    day.report_all("loss")
    day.pair()
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
        assert rows(connection, "SELECT round, matches FROM rounds") == [(1, 4), (2, 6), (3, 6)]


@pytest.mark.slow
def test_a_day_started_again(tmp_path: Path) -> None:
    """Before round 1, for those who came meanwhile: everybody is there once."""
    day = Day(4)
    day.start(2, word="blue heron")
    day.do(RegisterPlayers((Entry("Eve Late"),)))
    day.do(ChangeStructure((Stage("swiss", 3),), "more players"))
    day.do(RegisterPlayers((Entry("Fay Later"),)))
    day.pair()
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
        assert rows(connection, "SELECT entrants, rounds FROM tournaments") == [(6, 1)]


def _season_of(tmp_path: Path, day: Day) -> DuckDBPyConnection:
    season = tmp_path / f"{next(_NUMBER)}.duckdb"
    take_in(season, write_log(season.with_suffix(".jsonl"), day.lines))
    return open_season(season, read_only=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(5))
def test_results_that_wait_for_the_opponent(tmp_path: Path, seed: int) -> None:
    """A round in which players report, confirm, dispute and take back."""
    chance = random.Random(seed)
    changed = ('confirmation = "none"', 'confirmation = "opponent"')
    day = Day(9, ruleset="swiss", changed=changed)
    day.do(AppointOfficial("Jun Judge", ("judge",)))
    day.start(3)
    waited = 0
    for match in day.pair():
        if match.is_open:
            one, other = chance.sample((f"o1/p{match.first}", f"o1/p{match.second}"), 2)
            outcome = chance.choice(("win", "loss"))
            by = "o1" if chance.random() < 0.2 else one
            day.do(Report(match.number, StatedResult(outcome)), by=by)
            waited += match.number in day.tournament.floor.unconfirmed
            _answer(day, match.number, other, chance)
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
    for match in day.matches():
        if match.number in day.tournament.floor.unconfirmed:
            _try(day, WithdrawDispute(match.number, "a mistake"), "o1")
            _try(day, ConfirmResult(match.number), "o1")
    _try(day, CloseRound(), "o1")
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
    assert waited


def _answer(day: Day, match: int, by: str, chance: random.Random) -> None:
    luck = chance.random()
    if luck < 0.3:
        _try(day, ConfirmResult(match), by)
    elif luck < 0.6:
        _try(day, DisputeResult(match, StatedResult("draw"), "the other slip"), by)
        if chance.random() < 0.5:
            stands = chance.random() < 0.5
            decides = None if stands else StatedResult("draw")
            _try(day, Rule(2, "so it is", match, stands=stands, decides=decides), "o2")
        elif chance.random() < 0.5:
            _try(day, ConfirmResult(match), by)
    elif luck < 0.7:
        _try(day, Undo(), "o1")


def _try(day: Day, command: Command, by: str) -> None:
    with suppress(Refused):
        day.do(command, by=by)


@pytest.mark.slow
def test_repairs_between_swaps(tmp_path: Path) -> None:
    """A repair seats tables anew; a swap before and after it still counts."""
    repaired = 0
    for seed in range(8):
        day = Day(13, shuffle_key=seed.to_bytes(32, "big"))
        day.start(4)
        for match in day.pair():
            if match.is_open:
                day.report(match)
        day.pair()
        _swap(day, 1, 2)
        for number in (1, 3):
            day.do(Correct(number, StatedResult("loss"), "the slip said otherwise"))
        found = choices(day.tournament, day.context)
        if len(found) > 1:
            day.do(RepairRound(found[-1].stopped, "two were corrected"))
            repaired += 1
        _swap(day, 4, 5)
        with _season_of(tmp_path, day) as connection:
            check_against_the_fold(connection, day.lines)
    assert repaired


@pytest.mark.slow
def test_a_ruling_that_nobody_asked_for_is_no_dispute(tmp_path: Path) -> None:
    day = Day(4)
    day.do(AppointOfficial("Jun Judge", ("judge",)))
    day.start(2)
    one, other = day.pair()
    day.report_all()
    day.do(DisputeResult(other.number), by=f"p{other.second}")
    for match in (one, other):
        day.do(Rule(2, "the slip", match.number, decides=StatedResult("loss")), by="o2")
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
        assert rows(connection, "SELECT match FROM disputes") == [(other.number,)]
        assert len(rows(connection, "FROM rulings")) == 2


@pytest.mark.slow
def test_what_is_taken_back_on_the_floor(tmp_path: Path) -> None:
    day = Day(8)
    day.do(AppointOfficial("Jun Judge", ("judge", "marshal")))
    day.start(3)
    match = day.pair()[0]
    orders = (
        StartRound(),
        ExtendTable(match.number, 5, "a ruling took long"),
        ExtendTable(match.number, 3, "and another"),
        Penalize(match.first, "warning", "slow play", "AOP-PENALTY"),
        PauseRound("an alarm"),
        ResumeRound(),
        ExtendRound(4, "the doors"),
        CallTime(0),
    )
    for order in orders:
        who = "o2" if isinstance(order, Penalize) else "o1"
        day.do(order, by=who)
        day.do(Undo(), by=who)
        with _season_of(tmp_path, day) as connection:
            check_against_the_fold(connection, day.lines)
        day.do(order, by=who)
    with _season_of(tmp_path, day) as connection:
        check_against_the_fold(connection, day.lines)
        assert rows(connection, "SELECT extensions, extended_minutes FROM clocks") == [(2, 8)]
        assert len(rows(connection, "FROM penalties")) == 1


def _swap(day: Day, one: int, other: int) -> None:
    """Swap two seats, unless the rules have something against it."""
    with suppress(Refused):
        day.do(SwapSeats((one, other), "a quiet table was asked for"))


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_sample_logs(tmp_path: Path, path: Path) -> None:
    take_in(tmp_path / "season.duckdb", path)
    with opened(tmp_path / "season.duckdb") as connection:
        check_against_the_fold(connection, path.read_bytes().splitlines())
