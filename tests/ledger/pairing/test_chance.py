"""Chance: every optimal round can come up, about evenly, and the same draws give the same round."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import count

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ledger.pairing import Field, pair_swiss
from tests.ledger.pairing.test_truth import L5R, LEGION, RUNEWARS, Day, best_rounds, draws, round_of
from tests.support.examples import examples

ROUNDS_MAX = 24


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Draw an even field with groups of two or so, and bans that often split them."""
    players = range(1, 2 * draw(st.integers(2, 4)) + 1)
    best = draw(st.integers(0, 4))
    score = {player: draw(st.integers(0, best)) for player in players}
    pairs = [(a, b) for a in players for b in players if a < b]
    met = {
        player: [b for a, b in pairs if a == player and draw(st.booleans())] for player in players
    }
    return Field(players, score, met)


@examples(60)
@given(fields(), st.integers(0, 10**6), st.booleans())
def test_every_optimal_round_comes_up(field: Field, number: int, allow_rematch: bool) -> None:  # noqa: FBT001 - drawn
    """Each within 500 times as many draws as there are optimal rounds; no other ever does."""
    best = best_rounds(field)
    assume(len(best.rounds) <= ROUNDS_MAX)
    assume(allow_rematch or not best.rematches)
    missing = set(best.rounds)
    for i in count():
        pairing = pair_swiss(field, draws(number, i), allow_rematch=allow_rematch)
        assert round_of(pairing.tables) in best.rounds
        missing.discard(round_of(pairing.tables))
        if not missing:
            break
        assert i < 500 * len(best.rounds)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [[2, 2, 2], [2, 4, 2], [1, 2, 1, 2, 2], [3, 2, 3], [2, 3, 3]])
def test_who_can_not_stay_moves_up_as_often_as_down(groups: list[int]) -> None:
    """Every optimal round comes up about as often, those that reach out on either side, too.

    In each case all of the second group have met, and no round meets the bound. In the last one,
    the three of them move down, or two up and one down.
    """
    scores = [-at for at, size in enumerate(groups) for _ in range(size)]
    second = range(groups[0], groups[0] + groups[1])
    met = {a: [b for b in second if b != a] for a in second}
    field = Field(range(len(scores)), scores, met)
    best = best_rounds(field).rounds
    times = 60 * len(best)

    seen = Counter(round_of(pair_swiss(field, draws(i)).tables) for i in range(times))

    assert set(seen) == best
    assert min(seen.values()) > 20
    assert max(seen.values()) < 180


@pytest.mark.parametrize(("points", "number"), [(LEGION, 1), (L5R, 2), (RUNEWARS, 3)])
def test_rounds_of_a_day_come_up_about_evenly(
    points: tuple[tuple[int, int], ...], number: int
) -> None:
    """Third rounds of eight, by each scoring."""
    day = Day(8, points, number)
    day.play(2)
    field = day.field()
    best = best_rounds(field).rounds
    times = 100 * len(best)
    seen = Counter(round_of(pair_swiss(field, draws(i)).tables) for i in range(times))

    assert set(seen) == best
    assert min(seen.values()) > 50
    assert max(seen.values()) < 200


def test_a_long_step_comes_up_where_three_short_ones_cost_as_much() -> None:
    """Scores 3 3 3, 2 2 2 2, 1; two rounds have three single steps more, two have one of two.

    Player 0 can meet 3 or 7; 7 can meet 6, too; 4 and 5 have met: no round has two steps alone.
    """
    field = Field(range(8), [3, 3, 3, 2, 2, 2, 2, 1], {0: [1, 2, 4, 5, 6], 7: [3, 4, 5], 4: [5]})

    seen = Counter(round_of(pair_swiss(field, draws(i)).tables) for i in range(200))

    assert set(seen) == best_rounds(field).rounds
    assert len(seen) == 4
    assert min(seen.values()) > 20


@pytest.mark.slow
def test_a_large_group_exchanges_rematches_evenly() -> None:
    """Of two groups of 27, player 30 in the lower one has met half of the 26 others there.

    Player 30 meets the odd one of the upper group in 25!! rounds for each who that may be, and
    somebody else does in (13 * 12 + 13 * 13) * 23!!: one time in 14.
    """
    scores = [1] * 27 + [0] * 27
    field = Field(range(54), scores, {30: range(31, 44)})

    pairings = [pair_swiss(field, draws(i)) for i in range(2_000)]
    across = sum(30 in table for p in pairings for table in p.tables if table[0] < 27 <= table[1])

    assert {pairing.method for pairing in pairings} == {"quick"}
    assert 90 < across < 230


def test_tables_and_seats_follow_no_number() -> None:
    """FFG-TABLE: between tables of the same scores, and within a table, every order comes up."""
    field = Field([1, 2, 3, 4], [0] * 5, {1: [3, 4], 2: [3, 4]})

    seen = Counter(tuple(pair_swiss(field, draws(i)).tables) for i in range(400))

    assert len(seen) == 2 * 2 * 2
    assert min(seen.values()) > 25


SCRIPT = """
import sys
from tests.ledger.pairing.test_truth import *
day = Day({players}, LEGION, 5)
day.play({rounds})
print(pair_swiss(day.field(), draws(1)), "rustworkx" in sys.modules)
"""


def _in_a_new_process(players: int, rounds: int) -> str:
    script = SCRIPT.format(players=players, rounds=rounds)
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    ).stdout


@pytest.mark.slow
def test_another_process_draws_the_same_round() -> None:
    """The exact solver walks hash tables that differ from process to process."""
    day = Day(16, LEGION, 5)
    day.play(7)
    pairing = pair_swiss(day.field(), draws(1))

    assert pairing.method != "quick"
    assert {_in_a_new_process(16, 7) for _ in range(3)} == {f"{pairing} True\n"}


@pytest.mark.slow
def test_an_ordinary_round_does_not_load_the_solver() -> None:
    """Loading the library takes longer than the round."""
    assert _in_a_new_process(64, 3).endswith("False\n")
