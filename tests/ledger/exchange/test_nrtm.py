"""Other programs write NRTM files in their own ways: what they may do, and what it becomes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from ledger.errors import InvalidLog
from ledger.exchange.programs.nrtm import read_nrtm
from tests.support.files.nrtm_files import (
    Json,
    as_bytes,
    document,
    events_of,
    game,
    imported,
    points,
    rows,
    table,
)

FIRST = [table(1, 2, 6, 0), table(3, 4, 4, 1)]
SECOND = [table(1, 3, 3, 3), table(2, 4, 6, 0)]
SEMIFINALS = [game(1, 4, 1), game(2, 3, 3)]


def four(*rounds: list[Json], **members: object) -> Json:
    return document((1, 2, 3, 4), rounds, **members)


def test_scores_may_be_text_numbers_or_sums_of_the_sides() -> None:
    told = points(imported(four(FIRST, SECOND)))
    assert told == {"1": 9, "3": 7, "2": 6, "4": 1}
    as_text: Json = {
        "player1": {"id": "3", "combinedScore": "4"},
        "player2": {"id": "4", "combinedScore": 1.0},
    }
    as_sum: Json = {
        "player1": {"id": 1, "corpScore": 3, "runnerScore": 3, "combinedScore": None},
        "player2": {"id": 2, "corpScore": 0, "runnerScore": None},
    }
    assert points(imported(four([as_sum, as_text], SECOND))) == told


def test_zero_to_zero_is_a_result_and_nothing_to_nothing_is_none() -> None:
    reported: Json = {"player1": {"id": 1, "corpScore": 0}, "player2": {"id": 2, "runnerScore": 0}}
    unreported: Json = {
        "player1": {"id": 3, "corpScore": 0, "runnerScore": 0, "combinedScore": None},
        "player2": {"id": 4, "corpScore": 0, "runnerScore": 0, "combinedScore": None},
    }
    tournament = imported(four([reported, unreported], SECOND))
    letters = tournament.rounds[0].records
    assert letters[1:] == ["D", "D", " ", " "]
    assert tournament.rounds[0].against[1:] == [2, 1, 0, 0]


@pytest.mark.parametrize("nobody", [None, {}, {"id": 0}, {"id": None, "combinedScore": 0}])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("score", [6, None])
def test_a_bye_stands_on_either_side(nobody: object, score: int | None, *, first: bool) -> None:
    someone = {"id": 3, "combinedScore": score}
    bye: Json = {"player1": someone if first else nobody, "player2": nobody if first else someone}
    tournament = imported(document((1, 2, 3), [[FIRST[0], bye]]))
    assert points(tournament) == {"1": 6, "3": 6, "2": 0}
    assert [row["record"]["byes"] for row in rows(tournament)] == [0, 1, 0]
    assert tournament.rounds[0].matches[1].second == 0


def test_a_table_without_anybody_is_none() -> None:
    empty: Json = {"table": 9, "player1": {"id": None}, "player2": None}
    content = four([empty, *FIRST], SECOND, [], [empty], preliminaryRounds=2)
    assert events_of(content) == events_of(four(FIRST, SECOND))


def test_a_table_with_one_player_and_no_points_is_a_round_missed() -> None:
    missed = table(3, None, 0, 0)
    tournament = imported(document((1, 2, 3), [[FIRST[0], missed], [table(1, 3, 0, 6)]]))
    three = tournament.players[3]
    assert (three.byes, three.status) == (0, "active")
    assert tournament.rounds[0].records[3] == "L"
    assert points(tournament) == {"1": 6, "3": 6, "2": 0}
    (sos,) = [row["tiebreakers"]["SOS"]["exact"] for row in rows(tournament) if row["player"] == 1]
    assert sos == "3/2", "6 points in two rounds, and 0 in the two rounds of a player who left"


def test_matches_of_one_game_make_a_bye_worth_three() -> None:
    bye = {**table(None, 3, 0, 3)}
    one_game = [table(1, 2, 3, 0), bye]
    tournament = imported(document((1, 2, 3), [one_game]))
    assert points(tournament) == {"1": 3, "3": 3, "2": 0}
    opening = tournament.opening
    assert opening is not None
    assert opening.ruleset.key == "netrunner"
    assert opening.ruleset.edition == "1, byes worth 3"


def test_games_stand_in_table_order_whatever_the_order_in_the_file() -> None:
    shuffled = [{**FIRST[0], "table": 7}, {**FIRST[1], "table": 2}, {**table(5, 6, 1, 1)}]
    tournament = imported(document((1, 2, 3, 4, 5, 6), [shuffled]))
    assert [match.players for match in tournament.rounds[0].matches] == [(3, 4), (1, 2), (5, 6)]


def test_the_order_and_the_ids_of_the_players_mean_nothing() -> None:
    content = four(FIRST, SECOND)
    turned = four(FIRST, SECOND)
    turned["players"] = [{**each, "id": str(each["id"])} for each in reversed(content["players"])]
    names = [[row["name"] for row in rows(imported(each))] for each in (content, turned)]
    assert names[0] == names[1]


def test_ranks_may_be_missing_doubled_or_have_gaps() -> None:
    tied = [table(1, 2, 3, 3), table(3, 4, 3, 3)]
    content = four(tied)
    for player, rank in zip(content["players"], (9, None, 2, 9), strict=True):
        player["rank"] = rank
    assert [row["name"][-1] for row in rows(imported(content))] == ["3", "1", "4", "2"]
    for player in content["players"]:
        del player["rank"]
    assert [row["name"][-1] for row in rows(imported(content))] == ["1", "2", "3", "4"]


def test_namesakes_and_players_without_a_name_are_kept_apart() -> None:
    content = four(FIRST, SECOND)
    for player, name in zip(content["players"], ("Same", "Same", None, ""), strict=True):
        player["name"] = name
    assert [row["name"] for row in rows(imported(content))] == [
        "Same",
        "player 3",
        "Same",
        "player 4",
    ]


def test_who_stays_away_has_dropped_who_comes_back_has_rejoined_who_comes_late_registers() -> None:
    rounds = [
        [table(1, 2, 6, 0), table(3, 4, 6, 0)],
        [table(1, 3, 6, 0), table(5, None, 6, 0)],
        [table(1, 4, 6, 0), table(3, 5, 6, 0)],
    ]
    content = document((1, 2, 5, 3, 4, 6), rounds)
    kinds = events_of(content)
    paired = [place for place, kind in enumerate(kinds) if kind == "RoundPaired"]
    between = [kinds[one:other] for one, other in pairwise(paired)]
    assert between[0][4:] == [
        "PlayerRegistered",
        "PersonRecorded",
        "PlayerDropped",
        "PlayerDropped",
    ]
    assert between[1][3:] == ["PlayerRejoined"]
    assert "PlayerDropped" in kinds[: paired[0]], "player 6 was never in a round"
    tournament = imported(content)
    status = {
        tournament.names[f"p{each.number}"][-1]: each.status for each in tournament.registered()
    }
    assert status == dict.fromkeys("1354", "active") | {"2": "dropped", "6": "dropped"}
    assert points(tournament)["4"] == 0
    assert tournament.rounds[1].records[tournament.rounds[0].matches[1].second] == " "


def test_the_same_file_gives_the_same_bytes_and_its_day_is_the_clock() -> None:
    content = four(FIRST, SECOND, date="2024-02-29 00:00:00")
    one, other = imported(content), imported(content)
    assert repr(one) == repr(other)
    opening = one.opening
    assert opening is not None
    assert (opening.date, opening.name, opening.commitment) == ("2024-02-29", "Event", "")
    assert one.last_acts["o1"].at == "2024-02-29T00:00:00.000Z"


@pytest.mark.parametrize("name", ["uploadedFrom", "name", "cutToTop", "preliminaryRounds"])
@pytest.mark.parametrize("null", [True, False])
def test_what_an_event_can_do_without_may_be_null_or_missing(name: str, *, null: bool) -> None:
    content = four(FIRST, SECOND)
    del content[name]
    if null:
        content[name] = None
    tournament = imported(content | {"unknown": {"deep": [1.5, None]}})
    assert points(tournament) == {"1": 9, "3": 7, "2": 6, "4": 1}
    assert tournament.finished


def test_an_event_in_progress_goes_on_here() -> None:
    unreported = [table(1, 3, 6, 0), table(2, 4, None, None)]
    tournament = imported(four(FIRST, unreported))
    assert (tournament.finished, tournament.importing) == (False, False)
    assert [played.status for played in tournament.rounds] == ["closed", "paired"]
    assert tournament.rounds[1].unreported == 1
    assert not imported(four(FIRST, preliminaryRounds=3)).finished
    assert imported(four(FIRST, unreported, SECOND)).rounds[1].status == "closed"


def test_an_event_that_has_not_begun_has_its_players() -> None:
    tournament = imported(document((1, 2, 3), []))
    assert len(tournament.active()) == 3
    assert not tournament.stages
    assert imported(document((1, 2, 3), [], preliminaryRounds=3)).started


def changed(path: tuple[str | int, ...], value: object) -> Json:
    """A file with one value replaced."""
    content: Json = json.loads(as_bytes(four(FIRST, SECOND)))
    inner: Any = content
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return content


BROKEN: list[tuple[tuple[str | int, ...], object, str]] = [
    (("rounds", 1, 1, "player1", "id"), 99, "round 2, table 2: no player has the id 99"),
    (("rounds", 1, 1, "player1", "id"), "\n", r"no player has the id \\n"),
    (("rounds", 0, 0, "player2", "combinedScore"), 1.5, r"got `float` - at `\$.rounds"),
    (("rounds", 0, 0, "eliminationGame"), True, "round 1 has both Swiss and elimination games"),
    (("rounds", 0), SEMIFINALS, "round 2 is a Swiss round after the cut"),
    (("rounds",), [[]] * 101, "101 rounds: a stage can have at most 100"),
    (("rounds",), {}, "Expected `array.*got `object`"),
    (("rounds",), 17, "Expected `array.*got `int`"),
    (("players", 1, "id"), "1", "players 1 and 2 have the same id, 1"),
    (
        ("players",),
        [{"id": each} for each in range(8_001)],
        "8,001 players: a log can have at most 8,000",
    ),
    (("players",), [[]], "Expected `object.*got `array` - at `.*players"),
    (("players", 0, "name"), "x" * 1_001, "player 1 has a text of more than 1,000 characters"),
    (("players", 0, "corpIdentity"), "x" * 1_001, "player 1 has a text of more than 1,000"),
    (("preliminaryRounds",), 1_000, "`preliminaryRounds` is 1000"),
    (("date",), "2/3/2024", "its date '2/3/2024' can mean 2024-02-03 or 2024-03-02"),
    (("date",), "2023-02-29", "date must be YYYY-MM-DD"),
    (("date",), None, "date must be YYYY-MM-DD"),
    (("name",), "x" * 201, "name is longer than 200"),
]


@pytest.mark.parametrize(("path", "value", "text"), BROKEN, ids=[each[2][:40] for each in BROKEN])
def test_what_makes_no_sense_is_refused_in_one_line(
    path: tuple[str | int, ...], value: object, text: str
) -> None:
    with pytest.raises(InvalidLog, match=text) as caught:
        imported(changed(path, value))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_cut_of_more_places_than_players_can_be_fills_no_memory() -> None:
    with pytest.raises(InvalidLog, match=r"`cutToTop` is 9007199254740992: a cut can have at most"):
        imported(document((1, 2), [[table(1, 2, 6, 0)]], cutToTop=2**53))


def test_too_few_players_are_refused() -> None:
    with pytest.raises(InvalidLog, match="a start needs at least 2 players, not 1"):
        imported(document((1,), [[table(1, None, 6, 0)]]))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"players":[', "not an NRTM/Cobra tournament: Input data was truncated"),
        (b'{"players":NaN}', "malformed"),
        (b'{"name":"x"}', "neither players nor rounds"),
        (b'{"players":[{"id":1e999}]}', "out of range"),
        (b'{"name":"\xff"}', "not UTF-8 text"),
        (b'{"players":[],"name":"\\ud800"}', "not an NRTM/Cobra tournament"),
        (b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "recursion"),
        ('{"players":[]}'.encode("utf-16"), "no UTF-8|malformed"),
    ],
)
def test_bytes_that_are_no_such_file_are_refused_in_one_line(data: bytes, text: str) -> None:
    with pytest.raises(InvalidLog, match=text) as caught:
        read_nrtm(data)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_nrtm(b"\xef\xbb\xbf" + as_bytes(four(FIRST))).name == "Event"
