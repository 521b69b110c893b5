"""Brackets: after a cut, later rounds, and an event that starts with elimination."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.pairing.brackets import Game, from_cut, next_round, opening
from ledger.pairing.shuffling import Draws
from tests.ledger.pairing.test_truth import draws

SIZES = [2, 4, 8, 16, 32]


def rounds_of_cards(seeds: int) -> list[list[tuple[set[int], set[int]]]]:
    """Follow who can reach which game, whatever the outcomes: a set of seeds on either side."""
    games = [({a} - {0}, {b} - {0}) for a, b in from_cut(range(1, seeds + 1))]
    rounds = [games]
    while len(games) > 1:
        reach = [first | second for first, second in games]
        sides = next_round(range(1, len(games) + 1))
        games = [(reach[a - 1], reach[b - 1]) for a, b in sides]
        rounds.append(games)
    return rounds


def play(games: list[Game], outcome: dict[frozenset[int], int]) -> list[int]:
    """Return the winners in the order of the games; a bye wins."""
    return [a if not b else outcome[frozenset((a, b))] for a, b in games]


def test_a_cut_of_eight() -> None:
    """FFG-ELIM-CUT: best against worst first, then second best against second worst."""
    assert from_cut([11, 12, 13, 14, 15, 16, 17, 18]) == [(11, 18), (12, 17), (13, 16), (14, 15)]


def test_later_rounds_of_a_cut_of_eight() -> None:
    """FFG-ELIM-NEXT: the first game's winner meets the last one's, the second's the third's."""
    assert next_round([18, 12, 13, 15]) == [(18, 15), (12, 13)]
    assert next_round([15, 12]) == [(15, 12)]
    assert next_round([12]) == []


@pytest.mark.parametrize("size", SIZES)
def test_the_better_seeds_meet_as_late_as_can_be(size: int) -> None:
    """Where the better seed always wins, the best n are left when n are left."""
    games = from_cut(range(1, size + 1))
    left = size
    while games:
        assert sorted(sum(games, ())) == list(range(1, left + 1))
        assert all(a + b == left + 1 for a, b in games)
        games = next_round([min(game) for game in games])
        left //= 2


@pytest.mark.parametrize("seeds", range(2, 33))
def test_seeds_1_and_2_meet_in_the_final_only(seeds: int) -> None:
    """In any outcome at all, brackets filled up with byes included."""
    *earlier, final = rounds_of_cards(seeds)

    for a, b in (game for games in earlier for game in games):
        assert not ({1, 2} <= a | b)
    assert len(final) == 1
    assert {1, 2} <= final[0][0] | final[0][1]
    assert final[0][0] | final[0][1] == set(range(1, seeds + 1))


@pytest.mark.parametrize("size", SIZES)
def test_the_best_four_are_in_four_quarters(size: int) -> None:
    """Nor do seeds 3 and 4 meet one of the best four before the semifinal."""
    semifinals = rounds_of_cards(size)[-2] if size > 2 else []

    for a, b in semifinals:
        assert len(a & {1, 2, 3, 4}) == len(b & {1, 2, 3, 4}) == 1


@pytest.mark.parametrize("seeds", range(2, 33))
def test_byes_go_to_the_top_seeds(seeds: int) -> None:
    """FFG-ELIM-CUT with a number that is no power of two."""
    games = from_cut(range(1, seeds + 1))
    size = 2 * len(games)

    assert size & (size - 1) == 0
    assert size // 2 < seeds <= size
    assert [a for a, b in games if not b] == list(range(1, size - seeds + 1))
    assert sorted(sum(games, ())) == [0] * (size - seeds) + list(range(1, seeds + 1))


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [3, 5, 6])
def test_every_outcome_leaves_one_winner(seeds: int) -> None:
    """Play every outcome of a bracket with byes: only byes of round 1, always the same rounds."""
    pairs = [frozenset((a, b)) for a in range(1, seeds + 1) for b in range(1, a)]
    lengths = set()
    for results in product(*map(sorted, pairs)):
        outcome = dict(zip(pairs, results, strict=True))
        games, played = from_cut(range(1, seeds + 1)), 0
        while games:
            played += 1
            winners = play(games, outcome)
            games = next_round(winners)
            assert all(a and b for a, b in games)
        assert len(winners) == 1
        lengths.add(played)

    assert lengths == {(seeds - 1).bit_length()}


@pytest.mark.parametrize(
    ("winners", "games"),
    [
        ([0, 2, 3, 4], [(4, 0), (2, 3)]),
        ([1, 2, 3, 0], [(1, 0), (2, 3)]),
        ([0, 2, 3, 0], [(0, 0), (2, 3)]),
        ([0, 0], [(0, 0)]),
        ([1, 2, 3], [(1, 3), (2, 0)]),
        ([], []),
    ],
    ids=["first gone", "last gone", "both gone", "nobody left", "odd number of games", "no game"],
)
def test_a_game_without_a_winner_gives_the_next_opponent_a_bye(
    winners: list[int], games: list[Game]
) -> None:
    """FFG-ELIM-DROP: a player who leaves after winning gives the next opponent a bye."""
    assert next_round(winners) == games


def test_too_few_for_a_bracket() -> None:
    """Nobody, or a winner without a game."""
    assert from_cut([]) == from_cut([4]) == []
    assert opening([], draws()) == opening([4], draws()) == []


@given(st.sets(st.integers(1, 8_000), min_size=2, max_size=70), st.integers(0, 10**6))
def test_an_opening_has_byes_up_to_the_next_power_of_two(players: set[int], number: int) -> None:
    """FFG-ELIM-OPEN."""
    games = opening(players, draws(number))
    size = 2 * len(games)

    assert size & (size - 1) == 0
    assert size // 2 < len(players) <= size
    assert sorted(sum(games, ())) == [0] * (size - len(players)) + sorted(players)
    assert all(a for a, _ in games)


@pytest.mark.parametrize(
    ("players", "openings"), [(3, 3 * 2 * 2), (4, 3 * 2**2 * 2), (5, 10 * 2 * 24)]
)
def test_every_opening_comes_up(players: int, openings: int) -> None:
    """FFG-ELIM-OPEN: who has byes, times who meets whom on which seat, times the game numbers."""
    seen = {tuple(opening(range(1, players + 1), draws(i))) for i in range(15 * openings)}

    assert len(seen) == openings


def test_an_opening_does_not_look_at_the_order_of_entry() -> None:
    """The same players and key: the same games; another key: others."""
    assert opening([5, 3, 9, 4], draws(1)) == opening([9, 4, 5, 3], draws(1))
    assert opening([5, 3, 9, 4], draws(1)) != opening([5, 3, 9, 4], Draws(b"other", "test@1"))
