"""Fields too large to try everything: the least gap against one matching of the whole field."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rustworkx import PyGraph, max_weight_matching

from ledger.errors import Refused
from ledger.pairing import Field, Pairing, pair_swiss
from tests.ledger.pairing.test_truth import L5R, LEGION, RUNEWARS, Day, check_shape, draws, gap_of
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORINGS = [LEGION, L5R, RUNEWARS, [(20 - i, i) for i in range(10)]]


def least_gap(field: Field, bye: int | None) -> int | None:
    """Match the whole field at once, every legal game allowed; None if that is impossible."""
    players = [player for player in field.players if player != bye]
    scores = sorted({field.score[player] for player in players})
    step = {score: at for at, score in enumerate(scores)}
    graph: PyGraph[int, int] = PyGraph()
    graph.add_nodes_from(players)
    graph.add_edges_from(
        [
            (i, j, -((step[field.score[a]] - step[field.score[b]]) ** 2))
            for i, a in enumerate(players)
            for j, b in enumerate(players[:i])
            if a not in field.met.get(b, ()) and b not in field.met.get(a, ())
        ]
    )
    pairs = max_weight_matching(graph, max_cardinality=True, weight_fn=int, verify_optimum=True)
    if 2 * len(pairs) < len(players):
        return None
    return gap_of([(players[i], players[j]) for i, j in pairs], field)


def check_optimal(field: Field, number: int) -> Pairing | None:
    """Draw a round and check that nothing better exists; None if it is refused, and rightly."""
    try:
        pairing = pair_swiss(field, draws(number))
    except Refused:
        byes = field.bye_order if len(field.players) % 2 else [None]
        assert all(least_gap(field, bye) is None for bye in byes)
        return None
    check_shape(field, pairing)
    assert pairing.rematches == 0
    assert pairing.gap == least_gap(field, pairing.bye)
    assert all(least_gap(field, passed) is None for passed in pairing.bye_passed_over)
    if pairing.bye is not None:
        assert pairing.bye == field.bye_order[len(pairing.bye_passed_over)]
    return pairing


def grouped(sizes: Sequence[int]) -> list[int]:
    """Return a score for each player, counted from 0, in groups of these sizes."""
    return [-at for at, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.slow
@pytest.mark.parametrize("players", [12, 13, 16, 17, 24, 33, 48, 64])
@pytest.mark.parametrize("points", SCORINGS, ids=["legion", "l5r", "runewars", "fine"])
def test_rounds_of_a_day_are_optimal(players: int, points: Sequence[tuple[int, int]]) -> None:
    """FFG-SWISS-LATER, FFG-REMATCH and FFG-BYE-LATER, up to many more rounds than are played."""
    day = Day(players, points, number=players)
    for _ in range(9):
        if not check_optimal(day.field(), day.rounds):
            break
        day.play()


@pytest.mark.slow
@examples(150)
@given(
    st.lists(st.sampled_from([1, 1, 2, 2, 2, 3, 4, 18, 25, 40]), min_size=3, max_size=9),
    st.integers(0, 10**6),
    st.integers(0, 9),
)
def test_small_groups_between_large_ones(sizes: list[int], number: int, density: int) -> None:
    """Few bans, most of them inside small groups: only parts of the large groups are solved."""
    scores = grouped([*sizes, sum(sizes) % 2] if sum(sizes) % 2 else sizes)
    chance = random.Random(number)
    met: dict[int, list[int]] = {}
    for a, score in enumerate(scores):
        near = [b for b, other in enumerate(scores[:a]) if score <= other <= score + 1]
        met[a] = [b for b in near[-4:] if chance.randrange(10) < density]
    field = Field(range(len(scores)), scores, met)

    check_optimal(field, number)


@pytest.mark.slow
@pytest.mark.parametrize("points", SCORINGS, ids=["legion", "l5r", "runewars", "fine"])
@pytest.mark.parametrize("players", [219, 220])
def test_the_lowest_16_of_220_have_all_met(players: int, points: Sequence[tuple[int, int]]) -> None:
    """FFG-REMATCH: the field that a fast pairer was seen to hang on."""
    day = Day(players, points, number=2)
    day.play(5)
    low = sorted(day.score, key=lambda player: day.score[player])[:16]
    for player in low:
        day.met[player] |= {*low} - {player}

    assert check_optimal(day.field(), 1)


@pytest.mark.slow
@pytest.mark.parametrize("group", [16, 20, 22, 44])
def test_the_last_score_group_has_all_met(group: int) -> None:
    """All of the last group move up, each by one step, the others as they must."""
    scores = grouped([group] * (220 // group))
    last = range(len(scores) - group, len(scores))
    field = Field(range(len(scores)), scores, dict.fromkeys(last, last))

    pairing = check_optimal(field, 1)

    assert pairing
    assert pairing.gap == group


@pytest.mark.parametrize("bans", [1, 2, 5])
def test_neighbours_everywhere_have_met(bans: int) -> None:
    """Everybody has another score and has met the next ones: the whole field moves."""
    met = {player: range(player - bans, player + bans + 1) for player in range(60)}
    field = Field(range(60), grouped([1] * 60), met)

    assert check_optimal(field, 1)


def test_an_excess_far_from_the_next_one_is_solved_apart() -> None:
    """Two pairs that have met, far apart in a field of 600: neither needs the whole field."""
    sizes = [2, 2, 2, *[98] * 6, 2, 2, 2]
    scores = grouped(sizes)
    last = len(scores) - 1
    field = Field(range(len(scores)), scores, {2: [3], last - 2: [last - 3]})

    pairing = check_optimal(field, 1)

    assert pairing
    assert (pairing.gap, pairing.method) == (4, "groups")


@pytest.mark.parametrize("players", [1_000, 1_001])
def test_a_large_day(players: int) -> None:
    """FFG-SWISS-LATER: no rematch, and the gap at the bound that parity sets."""
    day = Day(players, RUNEWARS, number=4)
    day.play(6)
    field = day.field()
    pairing = pair_swiss(field, draws(7))

    check_shape(field, pairing)
    assert pairing.rematches == 0
    scores = sorted(field.score[player] for table in pairing.tables for player in table)
    bound = sum(at % 2 for at in range(1, len(scores)) if scores[at - 1] != scores[at])
    assert pairing.gap == bound
