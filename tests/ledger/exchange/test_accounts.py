"""What an import says it took, and what it passed over; files of AesopsTables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.errors import InvalidLog
from ledger.exchange.account import IGNORED_MAX, Passed, account_of
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.translating import translate
from ledger.fold import fold_lines
from projections.standings.bracket import bracket
from projections.standings.table import as_json, ranking, standings
from tests.support.files import nrtm_files
from tests.support.files.aesops_files import BYE, Json, aesops, knockout, seat
from tests.support.shared import SHARED, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.exchange.account import Ignored
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk

AESOPS = tuple(sorted((SHARED / "real" / "others").glob("aesops*.json")))
FIVE = [
    [seat(2, 101, 102, ("3", "0")), seat(1, 103, 104, ("1", "1")), seat(3, 105, BYE, ("3", "0"))],
    [seat(1, 101, 105, ("0", "3")), seat(2, 103, 102, ("3", "0")), seat(3, BYE, 104, ("0", "3"))],
]


def read(content: Json) -> tuple[Tournament, tuple[Ignored, ...]]:
    """The tournament that a file becomes, and what of it was passed over."""
    foreign = read_nrtm(nrtm_files.as_bytes(content))
    return fold_lines([line for _, line in translate(foreign, ranking)]), foreign.ignored


def test_tables_of_corp_and_runner_are_read() -> None:
    tournament, _ = read(aesops(5, FIVE))
    rows: Any = as_json(standings(tournament), tournament.names)
    points = {row["name"][-1]: row["points"] for row in rows}
    assert points == {"5": 6, "3": 4, "4": 4, "1": 3, "2": 0}
    assert [match.players for match in tournament.rounds[0].matches] == [(3, 4), (1, 2), (5,)]
    account = account_of(tournament)
    assert (account.entrants, account.rounds, account.tables) == (5, 2, 4)
    assert (account.results, account.byes, account.missed) == (4, 2, 0)
    assert tournament.ruleset.bye.points == 3, "a match of one game"


def test_an_elimination_of_winners_and_losers_is_read() -> None:
    rounds = [
        [seat(1, 101, 104, ("3", "0")), seat(2, 102, 103, ("3", "0"))],
        [knockout(1, 104, 101, 101), knockout(2, 102, 103, 103)],
        [knockout(3, 103, 101, 103)],
    ]
    tournament, _ = read(aesops(4, rounds, cutToTop=4, preliminaryRounds=1))
    assert [place.seat.player for place in bracket(tournament).ranking][:2] == [3, 1]
    assert tournament.finished
    open_final, _ = read(aesops(4, [*rounds[:2], [knockout(3, 103, 101, None)]], cutToTop=4))
    assert open_final.rounds[-1].unreported == 1


def test_empty_scores_are_no_result() -> None:
    tournament, _ = read(aesops(2, [[seat(1, 101, 102, ("", ""))]]))
    assert tournament.rounds[0].unreported == 1


def test_scores_may_be_numbers_and_nobody_may_win() -> None:
    nobody = {**seat(1, 101, 102, ("", "")), "corpScore": 0, "runnerScore": 0}
    tournament, _ = read(aesops(2, [[nobody]]))
    assert tournament.rounds[0].unreported == 0
    assert [row["points"] for row in as_json(standings(tournament), tournament.names)] == [0, 0]


def test_members_that_mean_nothing_here_are_counted_with_a_reason() -> None:
    content = aesops(5, FIVE, judge="Ann")
    content["players"][0]["shoe size"] = 43
    _, ignored = read(content)
    found = {each.what: (each.count, each.why) for each in ignored}
    assert found["judge"] == (1, "tourney does not know it")
    assert found["player shoe size"] == (1, "tourney does not know it")
    assert found["table corpIdentity"] == (6, "the identity in the list of players is used")
    assert found["player sideBalance"][0] == 5


def test_members_in_another_case_are_read_and_a_member_twice_is_refused() -> None:
    content = aesops(5, FIVE)
    content["Rounds"] = content.pop("rounds")
    content["PLAYERS"] = content.pop("players")
    tournament, ignored = read(content)
    assert len(tournament.rounds) == 2
    assert not {each.what for each in ignored} & {"Rounds", "PLAYERS"}
    with pytest.raises(InvalidLog, match="has `rounds` twice, in upper and lower case"):
        read({**content, "rounds": []})


@pytest.mark.parametrize(
    ("rounds", "text"),
    [
        ([[{"white": 101, "black": 102}]], "round 1, table 1 has neither player1 and player2 nor "),
        ([FIVE[0], [FIVE[1][0], {}]], "round 2, table 2 has neither .* it has nothing"),
        ([[seat(1, 101, 102, ("three", "0"))]], r"got `str`.*combinedScore"),
        ([[seat(1, 101, 999, ("3", "0"))]], "no player has the id 999"),
    ],
)
def test_tables_that_cannot_be_read_are_refused(rounds: list[list[Json]], text: str) -> None:
    with pytest.raises(InvalidLog, match=text):
        read(aesops(5, rounds))


def test_a_winner_who_does_not_play_is_none() -> None:
    tournament, _ = read(aesops(5, [FIVE[0], [knockout(1, 101, 102, 999)]]))
    assert tournament.rounds[-1].unreported == 1


def test_a_file_without_rounds_says_what_it_has() -> None:
    content = aesops(2, [])
    content["pairings"] = content.pop("rounds")
    with pytest.raises(InvalidLog, match=r"has no member 'rounds'.*pairings"):
        read(content)


def test_of_endless_kinds_of_members_some_are_named() -> None:
    passed = Passed({})
    for number in range(1_000):
        passed.add(f"member {number}")
    ignored = passed.ignored()
    assert len(ignored) == IGNORED_MAX + 1
    assert (ignored[-1].what, ignored[-1].count) == ("further members", 1_000 - IGNORED_MAX)


def test_an_import_ends_with_its_account(desk: Desk) -> None:
    (desk.folder / "event.json").write_text(json.dumps(aesops(5, FIVE, judge="Ann")), "utf-8")
    answer = desk.done("import", "event.json", "--json")
    account = answer.json["account"]
    assert [account[name] for name in ("entrants", "rounds", "tables", "results", "byes")] == [
        5, 2, 4, 4, 2,
    ]  # fmt: skip
    assert {"what": "judge", "count": 1, "why": "tourney does not know it"} in account["ignored"]
    assert "in the log: 5 entrants, 2 rounds, 4 tables, 4 results, 2 byes" in answer.err
    assert "skipped: judge (1): tourney does not know it" in answer.err
    desk.done("export", "-o", "log.jsonl")
    again = desk.done("import", "log.jsonl", "--json").json["account"]
    assert again == {**account, "ignored": []}


@needs_shared
@pytest.mark.parametrize("path", AESOPS, ids=lambda path: path.stem)
def test_a_real_file_has_its_rounds_and_published_points(path: Path) -> None:
    content = json.loads(path.read_bytes())
    tournament, ignored = read(content)
    assert len(tournament.rounds) == len(content["rounds"])
    account = account_of(tournament)
    listed = [table for each in content["rounds"] for table in each]
    assert account.tables + account.byes == len(listed)
    assert account.results == account.tables
    rows: Any = as_json(standings(tournament), tournament.names)
    published = [(player["name"], player["matchPoints"]) for player in content["players"]]
    assert sorted((row["name"], row["points"]) for row in rows) == sorted(published)
    assert not [each for each in ignored if each.why == "tourney does not know it"]
