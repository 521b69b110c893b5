"""`stats`, `rating` and `query` of one evening: what is small, and who is shown how."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from cli.season.league import find_person
from ledger.errors import NotFound, Refused
from projections.season.for_readers import cut_short
from tests.support.season import words_of

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

FEW = " with fewer than 20 games (--min-games)"


def one_evening(desk: Desk, games: int = 2) -> None:
    """A season of guests and one round of games, each of which a Crane wins against a Lion."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    pairs = "".join(f"Ann {game},Crane\nBob {game},Lion\n" for game in range(games))
    desk.done("register", "--file", "-", stdin=f"name,faction\n{pairs}")
    desk.done("start", "custom", "--rounds", "1")
    seats = [("--table", str(one), str(one + 1)) for one in range(1, 2 * games, 2)]
    reason = ("--reason", "who meets is known")
    desk.done("pair", *(word for table in seats for word in table), *reason)
    results = "".join(f"{game + 1} #{2 * game + 1}\n" for game in range(games))
    desk.done("report", stdin=results)
    desk.done("finish")
    desk.done("season", "add", "tourney.db")


@pytest.mark.slow
def test_guests_are_told_apart(desk: Desk) -> None:
    """Whom the league does not know is shown as the tournament and their number in it."""
    one_evening(desk)
    persons = [row.split()[1] for row in desk.done("rating", "elo").out.splitlines()[1:]]
    assert sorted(person.partition("/")[2] for person in persons) == ["1", "2", "3", "4"]


@pytest.mark.slow
def test_of_too_few_persons_there_is_no_interval(desk: Desk) -> None:
    """Two games of two persons say nothing of a faction."""
    one_evening(desk)
    crane, lion = desk.done("stats", "faction-matchups", "--json").json
    assert (crane["faction"], crane["wins"], crane["score"], crane["high"]) == ("Crane", 2, 1, None)
    assert (lion["faction"], lion["losses"], lion["score"], lion["low"]) == ("Lion", 2, 0, None)


@pytest.mark.slow
def test_no_interval_rests_on_fewer_than_five_persons(desk: Desk) -> None:
    """Two games won by those named first: an interval by game ended at all, by person is none."""
    one_evening(desk)
    first, *_ = desk.done("stats", "first-and-side", "--json").json
    assert (first["wins"], first["low"], first["high"]) == (2, None, None)
    (byes,) = desk.done("stats", "byes", "--json").json
    assert (byes["games"], byes["low"], byes["high"]) == (4, None, None)


@pytest.mark.slow
def test_a_picture_of_some_rows_says_so(desk: Desk) -> None:
    one_evening(desk, games=5)
    picture = desk.folder / "r.svg"
    answer = desk.done("stats", "factions", "--plot", "r.svg")
    assert answer.err == f"r.svg: Factions: 2 rows; 2{FEW}\n"
    (told,) = (each for each in words_of(picture) if each.startswith("The whole season"))
    assert re.fullmatch(r"The whole season: 1 tournament, 5 games played, \d{4}-\d\d-\d\d", told)
    answer = desk.done("stats", "factions", "--plot", "r.svg", "--top", "1")
    assert answer.err == f"r.svg: Factions: the first 1 of 2 rows; 1{FEW}\n"
    assert any(each.endswith("; the first 1 of 2 rows") for each in words_of(picture))
    desk.done("rating", "elo", "--plot", "r.svg", "--top", "3")
    assert any(each.endswith("; by elo; the first 3 of 10 persons") for each in words_of(picture))
    desk.done("rating", "elo", "--plot", "r.svg")
    assert any(each.endswith("; by elo") for each in words_of(picture))


def test_a_picture_shows_no_group_of_fewer_than_five(desk: Desk) -> None:
    one_evening(desk)
    answer = desk.refused("stats", "factions", "--plot", "r.svg")
    assert "no group has five persons or more" in answer.err
    assert not (desk.folder / "r.svg").exists()


def test_a_person_is_meant_as_they_are_shown() -> None:
    """What a table has cut short finds them again; so does a guest's number."""
    guest = "4c" * 16 + "/7"
    seen = {"5d" * 16: True, "5d" * 6 + "5e" * 10: True, "6d" * 16: True, guest: False}
    for person in ("6d" * 16, guest):
        assert find_person("none.db", cut_short(person), seen) == person
    with pytest.raises(Refused, match="2 ids begin with"):
        find_person("none.db", "5d" * 6, seen)
    for word in ("6d" * 3, "4c/7"):
        with pytest.raises(NotFound):
            find_person("none.db", word, seen)


@pytest.mark.slow
def test_an_object_has_each_column_of_a_question(desk: Desk) -> None:
    one_evening(desk)
    twice = "SELECT 1 AS a, 2 AS a, 3 AS A"
    answer = desk.type("query", twice, "--json")
    assert (answer.code, answer.json["problems"][0]["code"]) == (1, "refused")
    assert answer.err.endswith("a appears twice\n")
    assert desk.done("query", twice, "--csv").out.splitlines() == ["a,a,A", "1,2,3"]


def test_a_store_of_another_folder_is_held_to_the_head_that_folder_keeps(desk: Desk) -> None:
    """The head beside the store counts as that of an export; without it the way out is named."""
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    away = desk.folder / "away"
    away.mkdir()
    desk.patch.chdir(away)
    for place in ("..", "../tourney.db"):
        taken = desk.done("season", "add", place, "--in", f"{len(place)}.duckdb", "--json").json
        assert [(one["fate"], bool(one["head"]["key"])) for one in taken] == [("new", True)]
    (kept,) = (desk.folder / ".tourney-keys/checkpoints").glob("*.json")
    note = json.loads(kept.read_text("utf-8"))
    root = note["note"].split("\n")[2]
    own = kept.read_bytes()
    kept.write_text(json.dumps(note | {"note": note["note"].replace(root, "A" * 43 + "=")}))
    assert desk.type("season", "add", "../tourney.db").code
    kept.write_bytes(own[: len(own) // 2])
    assert desk.type("season", "add", "../tourney.db").code
    kept.unlink()
    assert (
        "export it with -o FILE in the folder with its keys"
        in desk.type("season", "add", "../tourney.db").err
    )
    assert not (away / "season.duckdb").exists()
