"""Standings against a second implementation, and clause by clause."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import NotFound
from ledger.facts.shared import Stage as StagePlan
from ledger.rulesets import load, parse
from projections.standings.table import as_json, crosstable_of, ranking, standings
from tests.support.chance.random_tournaments import CARRIES, SWISS, tournaments
from tests.support.files.ruleset_texts import changed, ruleset_text
from tests.support.tables import add_round, enter, meet, opened, register
from tests.truth.tiebreaker_truth import Entry, Truth

if TYPE_CHECKING:
    from ledger.tournament.state import Player, Tournament

L5R = load("l5r").ruleset
SMALL = (0, 1, 10)
"""Few different points, for many ties."""

SINGLE = StagePlan("single", entry="top", size=2)


def stages_that_count(tournament: Tournament, stage: int) -> set[int]:
    """The Swiss stages whose points a stage has: its own, and back while points are carried."""
    numbers = {stage}
    while stage > 1 and tournament.stages[stage - 1].plan.carries:
        stage -= 1
        numbers.add(stage)
    return {number for number in numbers if tournament.stages[number - 1].plan.kind == "swiss"}


def place_of(truth: Truth, player: Player) -> tuple[bool, Fraction, Fraction, Fraction, int]:
    """What a player is ranked by, the least first."""
    return (
        player.status == "disqualified",
        Fraction(-truth.points(player.number)),
        -truth.strength_of_schedule(player.number),
        -truth.extended_strength_of_schedule(player.number),
        player.random_rank,
    )


def order_of(tournament: Tournament) -> list[int]:
    """The players as the default table lists them."""
    return [row.player for row in standings(tournament).rows]


@pytest.mark.slow
@given(tournaments(L5R, points=SMALL), st.integers(0, 9))
def test_the_table_is_what_the_clauses_say(case: tuple[Tournament, list[Entry]], last: int) -> None:
    """FFG-TIEBREAK-SOS, L5R-TIEBREAK, FFG-TIEBREAK-RANDOM: every stage, after every round."""
    tournament, entries = case
    for stage in tournament.stages:
        if not stage.is_swiss:
            continue
        counting = stages_that_count(tournament, stage.number)
        held = [each for each in entries if each.stage in counting and each.round <= last]
        truth = Truth(held)
        players = [each for each in tournament.players if each.status != "withdrawn"]
        players.sort(key=partial(place_of, truth))
        found = standings(tournament, stage.number, last)
        assert [
            (row.rank, row.player, row.points, row.tiebreakers, row.dropped) for row in found.rows
        ] == [
            (
                rank,
                each.number,
                truth.points(each.number),
                tuple(truth.value(code, each.number) for code in ("SOS", "ESOS")),
                each.status in {"dropped", "disqualified"},
            )
            for rank, each in enumerate(players, start=1)
        ]
        assert [(row.wins, row.losses, row.draws, row.byes) for row in found.rows] == [
            tuple(truth.wins(each.number, letter) for letter in "WLDB") for each in players
        ]
        assert set(found.rounds) >= {each.round for each in held}
        assert max(found.rounds, default=0) <= last


@pytest.mark.slow
@given(tournaments(L5R, points=SMALL))
def test_the_ranking_is_the_order_of_the_table(case: tuple[Tournament, list[Entry]]) -> None:
    """What a pairing goes by is what hangs on the wall."""
    tournament, _ = case
    assert ranking(tournament) == order_of(tournament)
    assert sorted(ranking(tournament)) == [each.number for each in tournament.registered()]


def test_strength_of_schedule_stands_before_the_extended_one() -> None:
    """L5R-TIEBREAK: the order of the tiebreakers decides who is ahead."""
    tournament = opened(6)
    first, second, third = (add_round(tournament) for _ in range(3))
    meet(first, 1, 3, (10, 1))
    meet(first, 2, 4, (10, 1))
    meet(second, 3, 5, (6, 0))
    meet(second, 4, 5, (1, 10))
    meet(third, 3, 6, (0, 6))
    meet(third, 5, 6, (10, 1))
    rows = {row.player: row.tiebreakers for row in standings(tournament).rows}
    assert rows[1][0] > rows[2][0]
    assert rows[1][1] < rows[2][1]
    assert order_of(tournament).index(1) < order_of(tournament).index(2)


def test_the_random_rank_is_the_last_tiebreaker() -> None:
    """FFG-TIEBREAK-RANDOM: equal in all else, the lowest number drawn stands first."""
    tournament = opened(4)
    for number, rank in ((1, 31), (2, 7), (3, 2), (4, 19)):
        tournament.players[number].random_rank = rank
    assert order_of(tournament) == [3, 2, 4, 1]
    tournament.players[1].random_rank = 0
    assert order_of(tournament) == [1, 3, 2, 4]


def test_one_random_rank_for_all_still_gives_one_order() -> None:
    """A foreign file without random ranks: the order of registration decides."""
    tournament = opened(3)
    for player in tournament.players:
        player.random_rank = 0
    assert order_of(tournament) == [1, 2, 3]


def test_points_come_before_every_tiebreaker() -> None:
    """L5R-SCORE: more points stand first, whoever was met."""
    tournament = opened(4)
    first, second = add_round(tournament), add_round(tournament)
    meet(first, 1, 2, (6, 0))
    meet(first, 3, 4, (10, 1))
    meet(second, 2, 3, (0, 6))
    assert order_of(tournament) == [3, 1, 4, 2]


def test_close_fractions_are_not_equal() -> None:
    """FFG-TIEBREAK-SOS: 9/17 and 10/19 print alike to two places, and are still apart."""
    tournament = opened(4)
    tournament.players[2].random_rank = 9
    for number in range(1, 20):
        played = add_round(tournament)
        if number <= 17:
            enter(played, 4, 1 if number <= 9 else 0, "L", against=2 if number == 1 else 0)
        enter(played, 3, 1 if number <= 10 else 0, "L", against=1 if number == 1 else 0)
    for player, opponent in ((2, 4), (1, 3)):
        enter(tournament.rounds[0], player, 100, "W", against=opponent)
    rows = {row.player: row.tiebreakers[0] for row in standings(tournament).rows}
    assert (rows[2], rows[1]) == (Fraction(9, 17), Fraction(10, 19))
    assert order_of(tournament)[:2] == [2, 1]


def test_fewer_may_be_better() -> None:
    """A tiebreaker in ascending order: the least stands first."""
    text = ruleset_text("BLOOD")
    upward = changed(text, 'source = "blood"', 'source = "blood"\norder = "ascending"')
    for rules, best in ((text, [2, 1]), (upward, [1, 2])):
        tournament = opened(2, parse(rules))
        played = add_round(tournament)
        enter(played, 1, 1, "D", against=2, fields={"blood": 3})
        enter(played, 2, 1, "D", against=1, fields={"blood": 9})
        assert order_of(tournament) == best


def test_a_ruleset_without_tiebreakers_has_points_and_the_random_rank() -> None:
    """Nothing declared, nothing shown."""
    tournament = opened(2, parse(ruleset_text()))
    meet(add_round(tournament), 1, 2, (0, 3))
    assert [(row.player, row.tiebreakers) for row in standings(tournament).rows] == [
        (2, ()),
        (1, ()),
    ]


def test_who_dropped_keeps_the_place_and_who_is_disqualified_is_last() -> None:
    """FFG-DROP, FFG-AUTH-DQ: both are marked, and their opponents keep what they earned."""
    tournament = opened(4)
    played = add_round(tournament)
    meet(played, 1, 2, (10, 1))
    meet(played, 3, 4, (10, 1))
    tournament.players[1].status = "dropped"
    tournament.players[3].status = "disqualified"
    rows = standings(tournament).rows
    assert [(row.player, row.dropped, row.disqualified) for row in rows] == [
        (1, True, False),
        (2, False, False),
        (4, False, False),
        (3, True, True),
    ]
    assert rows[2].tiebreakers[0] == 10


def test_a_withdrawn_registration_is_not_listed() -> None:
    """A number entered by mistake leaves no row."""
    tournament = opened(3)
    tournament.players[2].status = "withdrawn"
    assert order_of(tournament) == [1, 3]


def test_a_player_cut_is_not_marked_as_dropped() -> None:
    """FFG-CUT: who did not go on has not left."""
    tournament = opened(2)
    tournament.players[1].status = "cut"
    assert not any(row.dropped for row in standings(tournament).rows)


def test_elimination_never_changes_the_table() -> None:
    """FFG-WINNER: after the cut the Swiss table stands as it was."""
    tournament = opened(4, plans=(SWISS, SINGLE))
    meet(add_round(tournament), 1, 2, (10, 1))
    before = standings(tournament)
    meet(add_round(tournament, stage=2), 2, 1, (10, 1))
    assert standings(tournament) == before
    assert (before.stage, before.rounds) == (1, (1,))


def test_the_default_is_the_last_swiss_stage_that_had_begun() -> None:
    """Also when looking back, and before anything has begun."""
    tournament = opened(2, plans=(SWISS, CARRIES))
    assert standings(tournament).stage == 1
    meet(add_round(tournament), 1, 2, (10, 1))
    assert standings(tournament).stage == 1
    meet(add_round(tournament, stage=2), 1, 2, (10, 1))
    assert standings(tournament).stage == 2
    assert standings(tournament, through_round=1).stage == 1
    assert standings(tournament, through_round=0).rounds == ()


def test_points_are_carried_only_where_the_stage_says_so() -> None:
    """Carried points come with their rounds; a stage without them starts at 0."""
    for plan, rounds, points in ((CARRIES, (1, 2), 11), (SWISS, (2,), 1)):
        tournament = opened(2, plans=(SWISS, plan))
        meet(add_round(tournament), 1, 2, (10, 1))
        meet(add_round(tournament, stage=2), 2, 1, (10, 1))
        found = standings(tournament)
        assert found.rounds == rounds
        assert {row.player: row.points for row in found.rows}[1] == points
        assert list(crosstable_of(tournament).rounds) == [
            tournament.rounds[number - 1] for number in rounds
        ]


def test_a_later_stage_lists_its_entrants() -> None:
    """A stage entered by rank has the players of its cut, not everyone."""
    plan = StagePlan("swiss", rounds=2, entry="top", size=2, carries=True)
    tournament = opened(4, plans=(SWISS, plan))
    meet(add_round(tournament), 1, 2, (1, 10))
    tournament.stages[1].entrants = [2, 1]
    add_round(tournament, stage=2)
    assert order_of(tournament) == [2, 1]
    assert len(standings(tournament, stage=1).rows) == 4


def test_a_late_entrant_is_listed() -> None:
    """Registered after a round was played: listed, with nothing from it."""
    tournament = opened(2)
    meet(add_round(tournament), 1, 2, (10, 1))
    register(tournament)
    assert [(row.player, row.points) for row in standings(tournament).rows] == [
        (1, 10),
        (2, 1),
        (3, 0),
    ]


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        (0, "there is no stage 0; stages announced: 2"),
        (3, "there is no stage 3; stages announced: 2"),
        (2, "stage 2 is not played for points; ask for its bracket"),
    ],
)
def test_a_stage_without_a_table_is_not_found(stage: int, message: str) -> None:
    """The refusal says what there is."""
    tournament = opened(2, plans=(SWISS, SINGLE))
    for ask in (standings, ranking, crosstable_of):
        with pytest.raises(NotFound, match=message):
            ask(tournament, stage)


def test_without_an_announced_stage_everyone_is_listed() -> None:
    """Before the structure is announced there is nothing but the random rank."""
    tournament = opened(2, plans=())
    assert order_of(tournament) == [1, 2]
    assert standings(tournament).stage == 0


def test_json_has_the_promised_shape() -> None:
    """`exact` is a fraction in lowest terms, `value` the only decimal."""
    tournament = opened(3)
    tournament.players[2].status = "dropped"
    first, second = add_round(tournament), add_round(tournament)
    meet(first, 1, 2, (6, 0))
    enter(first, 3, 10, "B")
    meet(second, 1, 3, (10, 1))
    rows = as_json(standings(tournament), {"p1": "Aki", "p3": "Chi"})
    assert rows[0] == {
        "rank": 1,
        "player": 1,
        "name": "Aki",
        "points": 16,
        "record": {"wins": 2, "losses": 0, "draws": 0, "byes": 0},
        "dropped": False,
        "tiebreakers": {
            "SOS": {"exact": "11/4", "value": 2.75},
            "ESOS": {"exact": "8", "value": 8.0},
        },
    }
    assert [(row["player"], row["name"], row["dropped"]) for row in rows[1:]] == [
        (3, "Chi", False),
        (2, "player 2", True),
    ]
    assert list(rows[0]) == [
        "rank",
        "player",
        "name",
        "points",
        "record",
        "dropped",
        "tiebreakers",
    ]
