"""The bracket: who met whom, who came how far, and what is not decided yet."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import NotFound
from ledger.facts.shared import Stage
from ledger.rules.elimination import AnswerReplacement, FinishTournament, MakeCut
from ledger.rules.opening import StartTournament
from ledger.rules.people import DropPlayer
from ledger.rules.rounds import CloseRound
from projections.standings.bracket import as_json, bracket
from projections.standings.table import ranking
from tests.support.examples import examples
from tests.support.files.nrtm_files import document, game, imported, table
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    import random

    from ledger.tournament.state import Tournament

Games = list[list[tuple[int, int, int]]]
"""By round: two players and the winner."""


def ranks(tournament: Tournament) -> list[tuple[int, int]]:
    """Ranks and players; rank 0 is not decided."""
    return [(place.rank, place.seat.player) for place in bracket(tournament).ranking]


def cut_day(players: int, cut: int) -> Day:
    """A day whose cut is made: two Swiss rounds, then a single elimination."""
    day = Day(players)
    day.start(2, Stage("single", entry="top", size=cut))
    for _ in range(2):
        day.pair()
        day.report_all()
    day.do(MakeCut())
    return day


def play_out(day: Day, chance: random.Random) -> None:
    """Play the elimination to its end, checking that no decided rank ever changes."""
    decided: dict[int, int] = {}
    while True:
        day.pair()
        for match in open_matches_of(day):
            day.report(match, chance.choice(["win", "loss"]))
            for rank, player in ranks(day.tournament):
                assert decided.get(player, rank) == rank
                if rank:
                    decided[player] = rank
        if len(day.matches()) == 1:
            day.do(FinishTournament())
            return


def by_last_round(tournament: Tournament, strength: list[int]) -> list[int]:
    """The ranking of the catalogue, from the text: round of exit, then Swiss rank."""
    last: dict[int, int] = {}
    winner = 0
    for played in tournament.rounds:
        if not tournament.stages[played.stage - 1].is_swiss:
            for match in played.matches:
                last |= dict.fromkeys(match.players, played.number)
                winner = next(
                    player
                    for player, outcome in zip(
                        match.players,
                        match.result.outcomes if match.result else ("win",),
                        strict=True,
                    )
                    if tournament.ruleset.outcome(outcome).advances
                )
    return sorted(
        last, key=lambda player: (player != winner, -last[player], strength.index(player))
    )


@pytest.mark.slow
@pytest.mark.parametrize("cut", [2, 4, 8, 16, 32])
@given(chance=st.randoms(use_true_random=False))
@examples(4)
def test_after_a_cut_the_round_of_exit_ranks_then_the_swiss_rank(
    cut: int, chance: random.Random
) -> None:
    day = cut_day(cut + 3, cut)
    swiss = ranking(day.tournament)
    play_out(day, chance)
    order = by_last_round(day.tournament, swiss)
    assert ranks(day.tournament) == list(enumerate(order, start=1))
    shown = bracket(day.tournament)
    assert [seat.player for place in shown.ranking for seat in [place.seat] if seat.seed == 1] == [
        swiss[0]
    ]
    seeds = [[seat.seed for seat in game.seats if seat] for game in shown.rounds[0].games]
    assert seeds == [[seed, cut + 1 - seed] for seed in range(1, cut // 2 + 1)]
    for played in shown.rounds[:-1]:
        assert all({1, 2} != {seat.seed for seat in game.seats if seat} for game in played.games)


@given(st.integers(3, 20), st.randoms(use_true_random=False))
@examples(15)
def test_an_event_that_begins_with_elimination_ranks_by_random_rank_within_a_round(
    players: int, chance: random.Random
) -> None:
    day = Day(players)
    day.do(StartTournament("custom", (Stage("single"),)))
    play_out(day, chance)
    people = sorted(day.tournament.registered(), key=lambda player: player.random_rank)
    order = by_last_round(day.tournament, [player.number for player in people])
    assert ranks(day.tournament) == list(enumerate(order, start=1))
    shown: Any = as_json(bracket(day.tournament), day.tournament.names)
    assert {place["seed"] for place in shown["ranking"]} == {None}
    byes = [each for each in shown["rounds"][0]["games"] if each["bye"]]
    assert len(byes) == len(shown["rounds"][0]["games"]) * 2 - players
    assert all(each["winner"] in {one["player"] for one in each["players"] if one} for each in byes)


def double_elimination(players: int, chance: random.Random) -> Games:
    """A double elimination in a random order of games: who lost twice is out."""
    losses = dict.fromkeys(range(1, players + 1), 0)
    rounds: Games = []
    while len(alive := [player for player, lost in losses.items() if lost < 2]) > 1:
        chance.shuffle(alive)
        pairs = [alive[place : place + 2] for place in range(0, len(alive) - 1, 2)]
        games = [
            (one, other, chance.choice((one, other)))
            for one, other in pairs[: chance.randint(1, len(pairs))]
        ]
        for one, other, winner in games:
            losses[one + other - winner] += 1
        rounds.append(games)
    return rounds


def longest_chains(rounds: Games, players: int) -> list[int]:
    """The double elimination's order, from the definition: by the longest chain of games."""
    games = [each for played in rounds for each in played]

    @cache
    def chain(number: int) -> int:
        before = [
            max((at for at in range(number) if player in games[at][:2]), default=-1)
            for player in games[number][:2]
        ]
        return 1 + max((chain(at) for at in before if at >= 0), default=0)

    def strength(player: int) -> tuple[int, int]:
        lost = [
            at for at, (*both, winner) in enumerate(games) if player in both and player != winner
        ]
        return (-chain(lost[1]) if len(lost) > 1 else -len(games) - 1), player

    return sorted(range(1, players + 1), key=strength)


def recorded(players: int, rounds: Games) -> Tournament:
    """An import whose cut has everybody, seeded by number, and these elimination games."""
    everybody = range(1, players + 1)
    swiss = [table(player, None, 6, None) for player in everybody]
    cut = [{"id": player, "seed": player} for player in everybody]
    games = [[game(*each) for each in played] for played in rounds]
    return imported(document(everybody, [swiss, *games], eliminationPlayers=cut))


@pytest.mark.slow
@given(st.integers(2, 10), st.randoms(use_true_random=False))
@examples(60)
def test_a_double_elimination_ranks_by_the_depth_of_the_second_loss(
    players: int, chance: random.Random
) -> None:
    rounds = double_elimination(players, chance)
    final = longest_chains(rounds, players)
    for played in range(len(rounds) + 1):
        tournament = recorded(players, rounds[:played])
        stage = tournament.stages[1]
        stage.plan = msgspec.structs.replace(stage.plan, kind="double")
        for rank, player in ranks(tournament):
            assert rank in {0, final.index(player) + 1}
    assert ranks(tournament) == list(enumerate(final, start=1))


EIGHT: Games = [
    [(1, 8, 8), (4, 5, 4), (2, 7, 2), (3, 6, 3)],
    [(8, 4, 4), (2, 3, 3), (1, 5, 1), (7, 6, 6)],
    [(4, 3, 4), (2, 1, 1), (6, 8, 8)],
    [(1, 8, 8)],
    [(3, 8, 3)],
    [(4, 3, 3)],
    [(3, 4, 4)],
]


def test_it_does_not_matter_in_which_round_a_game_was_played() -> None:
    told = ranks(recorded(8, EIGHT))
    assert [player for _, player in told] == [4, 3, 8, 1, 2, 6, 5, 7]
    one_by_one = [[each] for played in EIGHT for each in played]
    assert ranks(recorded(8, one_by_one)) == told
    losers_first = [EIGHT[0], EIGHT[1][2:], EIGHT[1][:2], EIGHT[2][1:], EIGHT[2][:1], *EIGHT[3:]]
    assert ranks(recorded(8, losers_first)) == told


def test_places_are_told_as_soon_as_they_are_sure_and_not_before() -> None:
    assert ranks(recorded(8, EIGHT[:1]))[:1] == [(0, 1)], "one loss may be enough: nobody knows"
    after_two = ranks(recorded(8, EIGHT[:2]))
    assert after_two == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 6), (0, 8), (7, 5), (8, 7)]
    assert (8, 7) in ranks(recorded(8, [*EIGHT[:1], EIGHT[1][2:]])), (
        "nobody unbeaten goes out so soon"
    )
    half = [*EIGHT[:1], EIGHT[1][:3]]
    assert (0, 5) in ranks(recorded(8, half)), "the other game of the losers is still to come"
    assert ranks(recorded(8, EIGHT[:6]))[:2] == [(0, 3), (0, 4)], "the unbeaten one lost once"


def test_a_round_without_the_losers_of_the_last_one_shows_single_elimination() -> None:
    first = [(1, 8, 1), (2, 7, 2), (3, 6, 3), (4, 5, 4)]
    told = ranks(recorded(8, [first, [(1, 4, 4)]]))
    assert told == [(0, 2), (0, 3), (0, 4), (0, 1), (5, 5), (6, 6), (7, 7), (8, 8)]


def test_who_leaves_during_the_elimination_goes_out_in_the_next_round() -> None:
    day = cut_day(8, 4)
    one, two, three, four = day.tournament.stages[1].seeds
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(one))
    assert ranks(day.tournament) == [(1, two), (2, one), (3, three), (4, four)]
    day.do(FinishTournament())
    assert ranks(day.tournament) == [(1, two), (2, one), (3, three), (4, four)]


def test_who_leaves_after_a_win_ranks_with_those_who_lose_the_next_game() -> None:
    day = cut_day(12, 8)
    seeds = list(day.tournament.stages[1].seeds)
    day.pair()
    day.report_all()
    day.do(CloseRound())
    day.do(DropPlayer(seeds[1]))
    for _ in range(2):
        day.pair()
        day.report_all()
    told = [player for _, player in ranks(day.tournament)]
    assert told == [seeds[place] for place in (0, 2, 1, 3, 4, 5, 6, 7)]


def test_a_replaced_qualifier_moves_the_seeds_up() -> None:
    day = cut_day(8, 4)
    seeds = list(day.tournament.stages[1].seeds)
    waiting = day.tournament.stages[1].waiting[0]
    day.do(DropPlayer(seeds[1]))
    day.do(AnswerReplacement(waiting, accepts=True))
    shown = bracket(day.tournament)
    expected = [seeds[0], seeds[2], seeds[3], waiting]
    assert [(place.seat.seed, place.seat.player) for place in shown.ranking] == list(
        enumerate(expected, start=1)
    )


def test_a_game_that_nobody_is_left_for_has_two_empty_seats() -> None:
    day = cut_day(12, 8)
    seeds = list(day.tournament.stages[1].seeds)
    day.pair()
    day.report_all()
    day.do(CloseRound())
    for player in (seeds[0], seeds[3]):
        day.do(DropPlayer(player))
    day.pair()
    shown: Any = as_json(bracket(day.tournament), day.tournament.names)
    void, _ = shown["rounds"][1]["games"]
    assert (void["players"], void["winner"], void["bye"]) == ([None, None], None, False)


def test_the_json_of_a_bracket() -> None:
    tournament = recorded(3, [[(2, 3, 3)], [(1, 3, 1)]])
    shown = json.loads(msgspec.json.encode(as_json(bracket(tournament), tournament.names)))
    still_in = {"left": None, "replacement": False}
    one = {"player": 1, "name": "Player 1", "seed": 1, **still_in}
    two = {"player": 2, "name": "Player 2", "seed": 2, **still_in}
    three = {"player": 3, "name": "Player 3", "seed": 3, **still_in}
    points = [game["points"] for round_ in shown["rounds"] for game in round_["games"]]
    assert points == [[0, 0], [0, 0]]
    assert shown == {
        "stage": 2,
        "kind": "single",
        "rounds": [
            {
                "round": 2,
                "games": [
                    {
                        "game": 1,
                        "match": 4,
                        "players": [two, three],
                        "winner": 3,
                        "bye": False,
                        "points": points[0],
                    }
                ],
            },
            {
                "round": 3,
                "games": [
                    {
                        "game": 1,
                        "match": 5,
                        "players": [one, three],
                        "winner": 1,
                        "bye": False,
                        "points": points[1],
                    }
                ],
            },
        ],
        "ranking": [{"rank": 1, **one}, {"rank": 2, **three}, {"rank": 3, **two}],
    }


def test_where_there_is_no_bracket_that_is_said() -> None:
    day = Day(4)
    day.start(2)
    with pytest.raises(NotFound, match="no elimination is announced"):
        bracket(day.tournament)
    with pytest.raises(NotFound, match="stage 1 is played for points"):
        bracket(day.tournament, 1)
    with pytest.raises(NotFound, match="there is no stage 2; stages announced: 1"):
        bracket(day.tournament, 2)
