"""Persons of a season by public ids: joined by the vault, decided on, imported, forgotten."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.support.files.program_files import H9, trf
from tests.support.sample_season import SCHEME
from tests.support.season import contents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow

PEOPLE = {
    "first": [("Leverkusen, Ann", 4138271), ("Rayment, Bob", 9402756), ("Dorsey, Cas", 7083915)],
    "second": [("Leverkusen, Anna", 4138271), ("Foxwell, Dee", 0), ("Rayment, Robert", 9402756)],
}
PIN = "18403926"
SECRETS = ("Leverkusen", "Rayment", "Dorsey", "Foxwell", "4138271", "9402756", "7083915", PIN)
DECIDED = ("--by", "Kim", "--reason", "asked at the desk")
ASKED = "SELECT person, known, tournament, player FROM people ORDER BY ALL"


def report(name: str, players: Sequence[tuple[str, int]], day: str) -> bytes:
    """A tournament of one round: the first two play, the third has the bye."""
    cells = [["   2 w 1"], ["   1 b 0"], ["0000 - U"]]
    rows = [
        (who, points, place, cell)
        for place, ((who, _), points, cell) in enumerate(
            zip(players, ("1.0", "0.0", "1.0"), cells, strict=True), start=1
        )
    ]
    text = trf(rows, "XXR 1").decode().replace("012 Open", f"012 {name}")
    for number, (_, fide) in enumerate(players, start=1):
        text = text.replace(f"{400000 + number:>11}", f"{fide:>11}")
    return text.replace("2026/03/14", day).encode()


@typed_once
def logs(desk: Desk) -> Desk:
    """Two reports of chess and a table of go as logs."""
    (desk.folder / "logs").mkdir()
    files = {
        f"{name}.trf": report(name, people, f"2026/0{month}/14")
        for month, (name, people) in enumerate(PEOPLE.items(), start=3)
    }
    files["go.h9"] = H9.replace("2+/w0     3+/b0\n", f"2+/w0     3+/b0 |{PIN}\n").encode()
    for name, data in files.items():
        (desk.folder / name).write_bytes(data)
        stream = desk.done("import", name).out.strip()
        desk.done("export", "-t", stream, "-o", f"logs/{name}.jsonl")
    assert PIN in (desk.folder / "logs" / "go.h9.jsonl").read_text("utf-8")
    return desk


def people(desk: Desk) -> list[dict[str, object]]:
    return list(desk.done("query", "--json", ASKED).json)


def known(desk: Desk) -> list[str]:
    return sorted({str(each["person"]) for each in people(desk) if each["known"]})


def rows_of(desk: Desk) -> list[str]:
    """Everything in the vault."""
    with closing(sqlite3.connect(desk.folder / "league.db")) as file:
        return list(file.iterdump())


def vault(desk: Desk) -> None:
    desk.done("season", "people", "name", "Nobody Here", "nobody")


@pytest.mark.usefixtures("logs")
def test_without_a_vault_all_are_guests(desk: Desk) -> None:
    desk.done("season", "add", "logs")
    assert known(desk) == []
    assert not (desk.folder / "league.db").exists()


@pytest.mark.usefixtures("logs")
def test_one_id_is_one_person_and_a_rebuilt_season_is_the_same(desk: Desk) -> None:
    desk.done("season", "add", "logs/first.trf.jsonl")
    vault(desk)
    desk.done("season", "add", "logs")  # the first log is read though the season knows it
    assert len(known(desk)) == 4
    twice = [each["person"] for each in people(desk)]
    assert sorted(twice.count(each) for each in known(desk)) == [1, 1, 2, 2]
    before = contents(desk.folder / "season.duckdb")
    desk.done("season", "rebuild", "logs")
    assert contents(desk.folder / "season.duckdb") == before
    desk.done("season", "rebuild", "tourney.db")
    assert known(desk) == sorted({str(row[2]) for row in before["people"] if row[3]})
    persons = people(desk)
    desk.done("season", "derive", "parts", "logs")
    assert desk.done("query", "--in", "parts", "--json", ASKED).json == persons
    (desk.folder / "season.duckdb").unlink()
    desk.done("season", "add", "parts")
    assert people(desk) == persons
    desk.done("season", "archive", "kept")
    (desk.folder / "season.duckdb").unlink()
    desk.done("season", "add", "kept")
    assert people(desk) == persons


@pytest.mark.usefixtures("logs")
def test_no_name_and_no_public_id_reaches_what_is_published(desk: Desk) -> None:
    vault(desk)
    (desk.folder / "points.toml").write_text(SCHEME, "utf-8")
    desk.done("season", "add", "logs")
    desk.done("season", "derive", "parts", "logs")
    desk.done("season", "export", "flat")
    desk.done("season", "export", "csv", "--kind", "csv")
    desk.done("season", "export", "flat.sqlite")
    desk.done("season", "archive", "kept")
    desk.done("season", "site", "site", "--scheme", "points.toml")
    published = [
        path
        for name in ("season.duckdb", "parts", "flat", "csv", "flat.sqlite", "kept", "site")
        for path in [desk.folder / name, *(desk.folder / name).rglob("*")]
        if path.is_file()
    ]
    assert len(published) > 60
    for path in published:
        data = path.read_bytes()
        assert [text for text in SECRETS if text.encode() in data] == [], path
    tables = repr(contents(desk.folder / "season.duckdb"))  # pages are packed, values are not
    assert [text for text in SECRETS if text in tables] == []


@pytest.mark.usefixtures("logs")
def test_guests_are_merged_and_every_act_is_undone(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs")
    first = people(desk)
    guests = [str(each["person"]) for each in first if not each["known"]]
    desk.done("season", "people", "merge", guests[0], guests[1], *DECIDED)
    assert guests[1] in known(desk)
    assert guests[0] not in {each["person"] for each in people(desk)}
    id_ = next(each for each in known(desk) if "/" not in each)
    desk.done("season", "people", "merge", guests[2][:12] + guests[2][32:], id_, *DECIDED)
    merged = people(desk)
    desk.done("season", "rebuild", "logs")
    assert people(desk) == merged
    desk.done("season", "people", "undo", "2", *DECIDED)
    desk.done("season", "people", "undo", "1", *DECIDED)
    assert people(desk) == first
    desk.done("season", "people", "undo", "3", *DECIDED)
    desk.done("season", "people", "undo", "4", *DECIDED)
    assert people(desk) == merged
    for word, text in (("3", "was undone before"), ("99", "is missing"), ("x", "is missing")):
        answer = desk.type("season", "people", "undo", word, *DECIDED)
        assert answer.code in {1, 3}
        assert answer.err.count("\n") == 1
        assert text in answer.err
    acts = desk.done("season", "people", "acts", "--json").json
    assert [each["number"] for each in acts] == [1, 2, 3, 4, 5, 6]
    assert [each["undoes"] for each in acts] == [0, 0, 2, 1, 3, 4]


@pytest.mark.usefixtures("logs")
def test_another_vault_is_refused_unless_told(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs")
    before = known(desk)
    desk.done("season", "people", "backup", "kept.db")
    (desk.folder / "league.db").unlink()
    assert "the vault league.db is missing" in desk.done("season", "add", "logs").err
    assert known(desk) == before
    vault(desk)
    for words in (("add", "logs"), ("rebuild", "logs")):
        answer = desk.type("season", *words)
        assert answer.code == 1
        assert "was made with the vault" in answer.err
        assert answer.err.count("\n") == 1
    assert known(desk) == before
    desk.done("season", "add", "logs", "--league", "kept.db")
    desk.done("season", "add", "logs", "--other-vault")
    assert not {*known(desk)} & {*before}
    assert len(known(desk)) == len(before)
    shutil.copy(desk.folder / "kept.db", desk.folder / "league.db")
    desk.done("season", "rebuild", "logs", "--other-vault")
    assert known(desk) == before


@pytest.mark.usefixtures("logs")
def test_members_are_imported_whole_and_once(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs")
    sheet = desk.folder / "members.csv"
    sheet.write_text(
        "Name,Number,FIDE ID,EGF PIN,Shoes\nAnn Leverkusen,7,4138271,18403926,40\n"
        "Bob Rayment,8,,,\nNew Person,9,6219408,,\n",
        "utf-8",
    )
    answer = desk.done("season", "people", "import", "members.csv", *DECIDED, "--json")
    assert answer.json == {"members": 3, "new": 3, "merged": 1}
    assert "Shoes" in answer.err
    state = rows_of(desk)
    again = desk.done("season", "people", "import", "members.csv", *DECIDED, "--json")
    assert again.json == {"members": 3, "new": 0, "merged": 0}
    assert rows_of(desk) == state
    row = next(
        each for each in desk.done("season", "people", "--json").json if each["member"] == "7"
    )
    assert [each["person"] for each in people(desk)].count(row["person"]) == 3
    sheet.write_text(
        "name,number,fide id\nZed Ox,7,4138271\n,10,\nBo\x07b,11,\nCy Ek,11,abc\nDi Ox,,\n"
        f"{'x' * 300},12,{'1' * 900}\n",
        "utf-8",
    )
    refused = desk.type("season", "people", "import", "members.csv", *DECIDED)
    assert refused.code == 1
    lines = refused.err.splitlines()
    assert {int(re.search(r"row (\d+)", line)[1]) for line in lines} == {2, 3, 4, 5, 6, 7}  # type: ignore[index] # each has one
    assert rows_of(desk) == state
    for data in (b"", b"\0\1\2", b"number\n1\n", b"name,name\na,b\n", b"name\n", b"\xff\xfe"):
        sheet.write_bytes(data)
        answer = desk.type("season", "people", "import", "members.csv", *DECIDED)
        assert answer.code in {1, 2, 3}, data
        assert answer.err.count("\n") == 1, answer.err


@pytest.mark.usefixtures("logs")
def test_names_are_suggested_of_those_who_agreed(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs")
    ann, *_ = sorted(
        {str(each["person"]) for each in people(desk) if each["player"] == 1} & {*known(desk)},
        key=lambda person: -[each["person"] for each in people(desk)].count(person),
    )
    (desk.folder / "agreed.txt").write_text(f"{ann}\n", "utf-8")
    words = ("season", "people", "suggest", "--agreed", "agreed.txt")
    (row,) = desk.done(*words, "--json").json
    assert row == {
        "league_id": ann,
        "name": "Leverkusen, Anna",
        "tournaments": 2,
        "others": ["Leverkusen, Ann"],
    }
    assert "Leverkusen" not in desk.done("season", "people").out
    desk.done(*words, "--yes")
    assert "Leverkusen, Anna" in desk.done("season", "people").out
    assert desk.done(*words, "--json").json == []
    assert "--agreed" in desk.type("season", "people", "suggest").err


@pytest.mark.usefixtures("logs")
def test_who_is_forgotten_is_nowhere_in_the_vault(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs")
    (desk.folder / "m.csv").write_text("name,number,fide id\nAnn Leverkusen,47110815,4138271\n")
    desk.done("season", "people", "import", "m.csv", *DECIDED, "--id", "abcdefgh18403926")
    ann = next(
        str(each["person"])
        for each in desk.done("season", "people", "--json").json
        if each["member"] == "47110815"
    )
    desk.done("season", "people", "name", "Ann Leverkusen", ann, "--id", "abcdefgh18403927")
    before = people(desk)
    answer = desk.done("season", "people", "forget", ann, *DECIDED)
    assert "--fresh" in answer.err
    data = (desk.folder / "league.db").read_bytes()
    for text in ("Leverkusen", "leverkusen", "47110815", ann):
        assert text.encode() not in data
    after = people(desk)
    fresh = {a["person"]: b["person"] for a, b in zip(before, after, strict=False)}
    assert ann not in {each["person"] for each in after}
    assert len({each["person"] for each in after}) == len({each["person"] for each in before})
    assert fresh
    desk.done("season", "rebuild", "logs")
    assert people(desk) == after
    assert b"Leverkusen" not in (desk.folder / "league.db").read_bytes()


@pytest.mark.usefixtures("logs")
def test_restate_knows_new_entrants_and_keeps_nothing(desk: Desk) -> None:
    vault(desk)
    desk.done("season", "add", "logs/first.trf.jsonl")
    before = rows_of(desk)
    ahead = desk.done("season", "restate", "logs/second.trf.jsonl", "--json").json
    assert rows_of(desk) == before
    shown = {
        (each["row"]["player"], each["row"]["person"])
        for each in ahead["changes"]
        if each["table"] == "people"
    }
    desk.done("season", "add", "logs/second.trf.jsonl")
    (second,) = {str(each["tournament"]) for each in people(desk)} - {
        each.split("'")[1]
        for each in before
        if each.startswith("INSERT INTO logs_read") or 'INSERT INTO "logs_read"' in each
    }
    assert shown == {
        (each["player"], each["person"]) for each in people(desk) if each["tournament"] == second
    }


@pytest.mark.usefixtures("logs")
def test_a_vault_of_a_stranger_says_nothing_wrong(desk: Desk) -> None:
    """Values that no vault holds, and texts of any length: one line each, or an answer."""
    vault(desk)
    desk.done("season", "add", "logs")
    path = desk.folder / "league.db"
    state = path.read_bytes()
    for done in (
        "UPDATE entries SET name = char(27) || '[2J' || char(10) || 'x'",
        "UPDATE entries SET pseudonym = hex(zeroblob(500000))",
        "UPDATE entries SET player = -player",
        "UPDATE ids SET digest = player || tournament",
        "INSERT INTO fresh VALUES ('x', 'y')",
        "INSERT INTO acts VALUES (7, '', '', 'undo', '', '', '', '', 7)",
        "INSERT INTO acts VALUES (8, '', '', 'merge', '', '', '', '', 0)",
        "UPDATE logs_read SET size = -1",
        "UPDATE vault_key SET secret = x''",
        "DROP TABLE ids",
        "CREATE TABLE more (x)",
        "PRAGMA user_version = 3",
        "PRAGMA user_version = 1",
    ):
        path.write_bytes(state)
        with closing(sqlite3.connect(path)) as file, file:
            file.execute(done)
        for words in (
            ("season", "add", "logs"),
            ("season", "people"),
            ("season", "people", "acts"),
            ("season", "people", "forget", "nobody", *DECIDED),
        ):
            answer = desk.type(*words)
            assert "\x1b" not in answer.out + answer.err, done
            assert "a fault in tourney" not in answer.err, (done, answer.err)
            assert answer.code == 0 or answer.err.count("\n") == 1, (done, answer.err)
