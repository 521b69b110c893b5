"""The cut of an NRTM file: its size, its seeds, and what its games show of its kind."""

from __future__ import annotations

from typing import Any

from projections.standings.bracket import as_json, bracket
from tests.support.files.nrtm_files import Json, document, game, imported, table

FIRST = [table(1, 2, 6, 0), table(3, 4, 4, 1)]
SECOND = [table(1, 3, 3, 3), table(2, 4, 6, 0)]
CUT = [{"id": key, "rank": rank, "seed": key} for rank, key in enumerate((1, 3, 4, 2), 1)]
SEMIFINALS = [game(1, 4, 1), game(2, 3, 3)]


def four(*rounds: list[Json], **members: object) -> Json:
    return document((1, 2, 3, 4), rounds, **members)


def places(content: Json) -> list[tuple[int | None, str]]:
    tournament = imported(content)
    shown: Any = as_json(bracket(tournament), tournament.names)
    return [(place["rank"], place["name"].removeprefix("Player ")) for place in shown["ranking"]]


def test_single_elimination_is_told_from_its_games() -> None:
    content = four(FIRST, SECOND, SEMIFINALS, [game(1, 3, 1)], eliminationPlayers=CUT)
    tournament = imported(content)
    assert tournament.stages[1].plan.kind == "single"
    assert tournament.finished
    assert places(content) == [(1, "1"), (2, "3"), (3, "2"), (4, "4")]


def test_double_elimination_is_told_from_who_plays_on() -> None:
    rounds = [
        SEMIFINALS,
        [game(1, 3, 3), game(4, 2, 4)],
        [game(1, 4, 1)],
        [game(3, 1, 1)],
        [game(1, 3, 1)],
    ]
    content = four(FIRST, SECOND, *rounds, eliminationPlayers=CUT)
    tournament = imported(content)
    assert tournament.stages[1].plan.kind == "recorded"
    assert tournament.finished
    assert places(content) == [(1, "1"), (2, "3"), (3, "4"), (4, "2")]
    without_reset = four(FIRST, SECOND, *rounds[:-1], eliminationPlayers=CUT)
    assert not imported(without_reset).finished
    assert places(without_reset)[2:] == [(3, "4"), (4, "2")]
    assert {rank for rank, _ in places(without_reset)[:2]} == {None}


def test_after_the_first_games_nobody_can_know_who_is_out() -> None:
    content = four(FIRST, SECOND, SEMIFINALS, eliminationPlayers=CUT)
    assert imported(content).stages[1].plan.kind == "recorded"
    assert [rank for rank, _ in places(content)] == [None] * 4


def test_scores_decide_an_elimination_game_where_no_winner_is_named() -> None:
    final = {**table(1, 3, 3, 0), "eliminationGame": True}
    content = four(FIRST, SECOND, SEMIFINALS, [final], eliminationPlayers=CUT)
    assert places(content)[0] == (1, "1")
    undecided = {**table(1, 3, 3, 3), "eliminationGame": True}
    content = four(FIRST, SECOND, SEMIFINALS, [undecided], eliminationPlayers=CUT)
    assert places(content)[0] == (1, "1"), "who went on is the better one of the final places"
    unplaced = [{**place, "rank": None} for place in CUT]
    content = four(FIRST, SECOND, SEMIFINALS, [undecided], eliminationPlayers=unplaced)
    assert not imported(content).finished
    one_sided = game(1, 3, 3)
    one_sided["player1"]["winner"] = None
    content = four(FIRST, SECOND, SEMIFINALS, [one_sided], eliminationPlayers=CUT)
    assert places(content)[0] == (1, "3")


def test_a_round_that_names_a_winner_belongs_to_the_cut() -> None:
    unmarked = [{**each, "eliminationGame": None} for each in SEMIFINALS]
    unmarked.append({"player1": None})
    content = four(FIRST, SECOND, unmarked, [game(1, 3, 1)], eliminationPlayers=CUT)
    assert len(imported(content).stages[1].rounds) == 2


def test_the_cut_is_as_large_as_the_players_say() -> None:
    content = four(FIRST, SECOND, [game(1, 2, 1)], cutToTop=8, eliminationPlayers=CUT[:1])
    tournament = imported(content)
    assert tournament.stages[1].plan.size == 2
    assert tournament.stages[1].seeds == [1, 2]
    assert tournament.finished
    del content["eliminationPlayers"]
    assert imported(content).stages[1].seeds == [1, 2]


def test_seeds_that_are_missing_or_doubled_follow_the_standings() -> None:
    doubled = [{**each, "seed": 2} for each in CUT]
    content = four(FIRST, SECOND, SEMIFINALS, [game(1, 3, 1)], eliminationPlayers=doubled)
    assert imported(content).stages[1].seeds == [3, 1, 2, 4], "the first named has seed 2"
    unseeded = [{"id": each["id"]} for each in CUT]
    content = four(FIRST, SECOND, SEMIFINALS, [game(1, 3, 1)], eliminationPlayers=unseeded)
    assert imported(content).stages[1].seeds == [1, 3, 2, 4]


def test_places_of_the_cut_that_nobody_has_yet_are_the_best_of_the_rest() -> None:
    open_places = [{"id": None, "rank": 1}, {"id": None, "rank": 2}, {"id": 2, "seed": 3}]
    content = four(FIRST, SECOND, [game(3, 2, 3)], cutToTop=3, eliminationPlayers=open_places)
    tournament = imported(content)
    assert tournament.stages[1].seeds == [3, 1, 2]
    assert not tournament.finished
    assert [rank for rank, _ in places(content)] == [None] * 3


def test_a_cut_that_is_only_announced_can_be_made_and_played_here() -> None:
    undecided = [{"id": None, "rank": rank} for rank in (1, 2)]
    tournament = imported(four(FIRST, SECOND, cutToTop=2, eliminationPlayers=undecided))
    cut = tournament.stages[1]
    assert (cut.plan.kind, cut.plan.size, cut.cut_seq) == ("single", 2, 0)
    assert not tournament.finished
    named = imported(four(FIRST, SECOND, cutToTop=4, eliminationPlayers=CUT))
    assert named.stages[1].seeds == [1, 2, 3, 4]
    assert named.stages[1].plan.kind == "single"


def test_a_bye_in_the_cut_goes_on_and_an_open_place_waits() -> None:
    bye = game(1, None, 1)
    content = document((1, 2, 3), [[table(1, 2, 6, 0)], [bye, game(2, 3, 2)], [game(1, 2, 2)]])
    assert places(content) == [(1, "2"), (2, "1"), (3, "3")]
    waiting = game(1, None, None)
    content = document((1, 2, 3), [[table(1, 2, 6, 0)], [game(2, 3, 2)], [waiting]])
    assert len(imported(content).stages[1].rounds) == 1


def test_who_had_left_comes_back_for_the_cut() -> None:
    rounds = [[table(1, 2, 6, 0), table(3, 4, 6, 0)], [table(1, 4, 6, 0)]]
    content = four(*rounds, [game(1, 3, 1)])
    tournament = imported(content)
    assert tournament.players[3].status == "active"
    assert tournament.players[2].status == "dropped"


def test_an_event_that_begins_with_elimination_needs_no_swiss_rounds() -> None:
    content = document((), [SEMIFINALS, [game(1, 3, 1)]], preliminaryRounds=0)
    content["eliminationPlayers"] = [{**each, "name": f"Player {each['id']}"} for each in CUT]
    tournament = imported(content)
    assert [stage.plan.entry for stage in tournament.stages] == ["all"]
    assert tournament.finished
    assert places(content) == [(1, "1"), (2, "3"), (3, "2"), (4, "4")]


def test_a_result_that_is_missing_does_not_hold_the_cut_up() -> None:
    unreported = [table(1, 3, 6, 0), table(2, 4, None, None)]
    tournament = imported(four(FIRST, unreported, cutToTop=4, eliminationPlayers=CUT))
    assert tournament.rounds[1].status == "closed"
    assert tournament.stages[1].seeds == [1, 2, 3, 4]
