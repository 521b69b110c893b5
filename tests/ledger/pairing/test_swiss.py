"""Swiss rounds against every round there is: legal, the right bye, the least gap; the examples."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Refused
from ledger.pairing import Field, Pairing, has_round, pair_swiss
from tests.ledger.pairing.test_truth import (
    LEGION,
    Day,
    Round,
    best_rounds,
    check_shape,
    draws,
    round_of,
    spared_of,
)
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@st.composite
def fields(draw: st.DrawFn, most: int = 8) -> Field:
    """Draw any field: few or many scores, few or many bans (listed on one side), odd or even."""
    players = draw(st.lists(st.integers(1, 40), min_size=1, max_size=most, unique=True))
    best = draw(st.sampled_from([0, 1, 2, 4, 30]))
    score = {player: draw(st.integers(0, best)) for player in players}
    pairs = [(a, b) for a in players for b in players if a < b]
    density = draw(st.integers(0, 10))
    banned = [pair for pair in pairs if draw(st.integers(1, 10)) <= density]
    met = {player: [b for a, b in banned if a == player] for player in players}
    order = draw(st.permutations(players))
    return Field(players, score, met, order[: draw(st.integers(1, len(order)))])


def rounds_drawn(field: Field, times: int = 200, *, allow_rematch: bool = False) -> set[Round]:
    """Draw a field so many times, with another key each; return the rounds that came up."""
    pairings = [pair_swiss(field, draws(i), allow_rematch=allow_rematch) for i in range(times)]
    return {round_of(pairing.tables) for pairing in pairings}


@pytest.mark.slow
@examples(1_000)
@given(fields(), st.integers(0, 10**6))
def test_rounds_are_optimal(field: Field, number: int) -> None:
    """FFG-REMATCH, FFG-BYE-LATER, FFG-SWISS-LATER, in this order, against every round there is."""
    best = best_rounds(field)
    pairing = pair_swiss(field, draws(number), allow_rematch=True)

    check_shape(field, pairing)
    assert pairing.rematches == best.rematches
    assert (pairing.bye, pairing.bye_passed_over) == (best.bye, best.passed_over)
    assert pairing.gap == best.gap
    assert round_of(pairing.tables) in best.rounds


@pytest.mark.slow
@examples(600)
@given(fields(), st.integers(0, 10), st.integers(0, 10**6))
def test_as_few_as_possible_meet_who_should_be_spared_it(
    field: Field, density: int, number: int
) -> None:
    """After the rematches and before the bye, against every round there is."""
    chance = random.Random(number)
    pairs = [(a, b) for a in field.players for b in field.players if a < b]
    some = [pair for pair in pairs if chance.randrange(10) < density]
    spare = {player: [b for a, b in some if a == player] for player in field.players}
    crowded = Field(field.players, field.score, field.met, field.bye_order, spare)
    best = best_rounds(crowded)
    pairing = pair_swiss(crowded, draws(number), allow_rematch=True)

    check_shape(crowded, pairing)
    assert pairing.rematches == best.rematches
    assert spared_of(pairing.tables, crowded) == best.spared
    assert (pairing.bye, pairing.bye_passed_over) == (best.bye, best.passed_over)
    assert round_of(pairing.tables) in best.rounds


@pytest.mark.slow
@examples(400)
@given(fields())
def test_whether_there_is_a_round(field: Field) -> None:
    """Nobody meets whom they must not, whoever has the bye."""
    anybody = Field(field.players, field.score, field.met, field.players)
    assert has_round(field.players, field.met) == (not best_rounds(anybody).rematches)


@pytest.mark.slow
@examples(400)
@given(fields(), st.integers(0, 10**6))
def test_no_legal_round_is_refused(field: Field, number: int) -> None:
    """FFG-REMATCH; and where there is one, leave to repeat pairs changes nothing."""
    lenient = pair_swiss(field, draws(number), allow_rematch=True)
    if best_rounds(field).rematches:
        with pytest.raises(Refused, match="FFG-REMATCH"):
            pair_swiss(field, draws(number))
    else:
        assert pair_swiss(field, draws(number)) == lenient


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_ten_players_through_a_day(number: int) -> None:
    """Ten or nine players, four rounds, against all 945 rounds for each bye."""
    day = Day(10 - number % 2, LEGION, number)
    for _ in range(4):
        field = day.field()
        best = best_rounds(field)
        pairing = pair_swiss(field, draws(number, day.rounds), allow_rematch=True)

        check_shape(field, pairing)
        assert (pairing.bye, pairing.rematches, pairing.gap) == (best.bye, best.rematches, best.gap)
        day.play()


@pytest.mark.slow
@examples(100)
@given(fields(most=40), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_entry_order_does_not_matter(field: Field, number: int, chance: random.Random) -> None:
    """The same field in another order, its bans listed the other way round: the same round."""
    players = list(field.players)
    chance.shuffle(players)
    score: Mapping[int, int] = {player: field.score[player] for player in players}
    met = {a: [b for b in players if a in field.met[b]] for a in players}
    other = Field(players, score, met, field.bye_order)

    one = pair_swiss(field, draws(number), allow_rematch=True)
    assert pair_swiss(other, draws(number), allow_rematch=True) == one


def test_first_round_is_any_round() -> None:
    """FFG-SWISS-FIRST: no scores, nobody met anybody; all 15 rounds of six players come up."""
    field = Field(range(1, 7), dict.fromkeys(range(1, 7), 0), {})

    assert len(rounds_drawn(field)) == 15


def test_three_on_20_points() -> None:
    """FFG-SWISS-LATER: any of the three on 20 meets any of those on 16; the other two meet."""
    field = Field([1, 2, 3, 4, 5, 6], [-1, 20, 20, 20, 16, 16, 16], {})

    rounds = rounds_drawn(field, 300)

    assert rounds == best_rounds(field).rounds
    assert len(rounds) == 3 * 3
    assert pair_swiss(field, draws()).gap == 1


def test_three_on_15_of_whom_two_have_met() -> None:
    """FFG-SWISS-LATER, FFG-REMATCH: 1 and 3 have met, so one of them meets 2, the other 4 on 13."""
    field = Field([1, 2, 3, 4], [-1, 15, 15, 15, 13], {1: [3], 3: [1]})

    expected = [[(1, 2), (3, 4)], [(2, 3), (1, 4)]]
    assert rounds_drawn(field) == {round_of(tables) for tables in expected}


def test_as_few_as_possible_move_down() -> None:
    """FFG-SWISS-LATER, FFG-REMATCH: two on 9 who have met both move down one step."""
    field = Field([1, 2, 3, 4, 5, 6], [-1, 9, 9, 8, 8, 7, 7], {1: [2]})

    assert {pair_swiss(field, draws(i)).gap for i in range(50)} == {2}
    assert rounds_drawn(field) == {
        round_of([(1, 3), (2, 4), (5, 6)]),
        round_of([(1, 4), (2, 3), (5, 6)]),
    }


def test_steps_count_occupied_scores_not_points() -> None:
    """Two on 100 who have met: 40 and 30 are one and two steps away, as 99 and 98 would be."""
    near = Field([1, 2, 3, 4], [-1, 100, 100, 99, 98], {1: [2]})
    far = Field([1, 2, 3, 4], [-1, 100, 100, 40, 30], {1: [2]})

    assert pair_swiss(near, draws()).gap == pair_swiss(far, draws()).gap == 1 + 4


def test_a_score_held_by_the_bye_alone_is_no_step() -> None:
    """FFG-BYE-LATER: without 3, who has the bye, 9 and 7 are neighbours."""
    field = Field([1, 2, 3, 4, 5], [-1, 9, 9, 8, 7, 7], {1: [2], 4: [5]}, [3, 5, 4, 2, 1])

    assert pair_swiss(field, draws()).gap == 2


def test_the_lowest_ranked_without_a_bye_has_it() -> None:
    """FFG-BYE-LATER: the first of the order, even though 5's bye would leave no gap at all."""
    field = Field([1, 2, 3, 4, 5], [-1, 9, 9, 8, 8, 7], {}, [3, 5, 4, 2, 1])

    pairing = pair_swiss(field, draws())

    assert (pairing.bye, pairing.bye_passed_over, pairing.gap) == (3, [], 1)


def test_the_bye_passes_over_whom_nobody_could_do_without() -> None:
    """FFG-BYE-LATER, FFG-REMATCH: 1 has met 3; 2 met 3: without 1 or 2 someone sits alone."""
    field = Field([1, 2, 3], [-1, 3, 2, 1], {3: [1, 2]}, [2, 1, 3])

    pairing = pair_swiss(field, draws())

    assert (pairing.bye, pairing.bye_passed_over) == (3, [2, 1])
    assert round_of(pairing.tables) == round_of([(1, 2)])


def test_who_is_not_in_the_bye_order_has_none() -> None:
    """FFG-BYE-LATER: neither to make a round legal nor to spare a rematch."""
    field = Field([1, 2, 3], [-1, 3, 2, 1], {3: [1, 2]}, [2, 1])

    with pytest.raises(Refused, match="FFG-REMATCH"):
        pair_swiss(field, draws())
    assert pair_swiss(field, draws(), allow_rematch=True).bye == 2


def test_the_fewest_rematches_and_then_the_least_gap() -> None:
    """FFG-REMATCH: all have met but 1 and 6; only they are spared, whatever the gap."""
    players = range(1, 7)
    met = {a: [b for b in players if b != a and {a, b} != {1, 6}] for a in players}
    field = Field(players, [-1, 6, 5, 4, 3, 2, 1], met)

    pairing = pair_swiss(field, draws(), allow_rematch=True)

    assert round_of(pairing.tables) == round_of([(1, 6), (2, 3), (4, 5)])
    assert (pairing.rematches, pairing.gap) == (2, 27)


@pytest.mark.parametrize(
    ("players", "expected"),
    [([], Pairing([], None, [], 0, 0, "quick")), ([7], Pairing([], 7, [], 0, 0, "quick"))],
)
def test_too_few_for_a_table(players: Sequence[int], expected: Pairing) -> None:
    """Nobody, or one player who has the bye."""
    assert pair_swiss(Field(players, {7: 3}, {}, players), draws()) == expected


@pytest.mark.parametrize(
    ("players", "order", "reason"),
    [
        ([1, 2, 2, 3], [], "listed twice"),
        ([1, 2, 3], [], "needs a bye order"),
        ([1, 2, 3], [4], "needs a bye order"),
    ],
)
def test_a_field_that_is_none(players: list[int], order: list[int], reason: str) -> None:
    """A mistake of the caller's, not of the organizer's."""
    with pytest.raises(ValueError, match=reason):
        pair_swiss(Field(players, [0, 0, 0, 0, 0], {}, order), draws())
