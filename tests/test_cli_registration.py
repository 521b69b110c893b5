"""A file of players is registered whole or not at all, every problem with its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli_desk import Desk


@pytest.fixture
def opened(desk: Desk) -> Desk:
    """A day with Ann Lee registered."""
    desk.open(0)
    desk.done("register", "Ann Lee")
    return desk


def players(desk: Desk) -> list[tuple[str, str, dict[str, str]]]:
    return [
        (row["name"], row["faction"], row["attributes"])
        for row in desk.done("list", "--json").json[1:]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name,faction,Club\nBob,Crane,\nÇağla,,Altona\n",
        "\ufeffName,Faction,Club\r\nBob,Crane,\r\n\r\nÇağla,,Altona\r\n",
        "Club;name;faction\n;Bob;Crane\nAltona;Çağla\n",
        'faction,name,Club\nCrane,"Bob",\n,"Çağla","Altona"',
    ],
)
def test_forms_of_one_table(opened: Desk, text: str) -> None:
    answer = opened.done("register", "--csv", "-", stdin=text)
    assert players(opened) == [("Bob", "Crane", {}), ("Çağla", "", {"Club": "Altona"})]
    assert [line.split() for line in answer.out.splitlines()] == [["2", "Bob"], ["3", "Çağla"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"player\nBob\n", "row 1 has no column `name`"),
        (b"name,name\nBob,Bob\n", "row 1: every column"),
        (b"name,\nBob,x\n", "row 1: every column"),
        (b"name\n", "names nobody"),
        (b"name\nBob\nCarl,Crane\n", "row 3 has 2 cells under 1 titles"),
        (b"name,faction\nBob,Crane\n,Crane\n", "row 3 has no name"),
        (b"name\nBob\nann lee\n", "row 3: ann lee is registered already (Ann Lee (#1))"),
        (b"name\nBob\nCarl\nBob\n", "row 4: Bob is registered already (row 2 of this list)"),
        (b"name\nB\xffb\n", "row 2 is no UTF-8 text"),
        (b'name\n"Bob\n', "row 2: "),
        (b"name\n" + b"x" * 1_001 + b"\n", "row 2: over 1,000 characters in name"),
        (b"name,faction\nBob," + b"x" * 65 + b"\n", "row 2: over 64 characters in faction"),
        (b"name," + b"x" * 65 + b"\nBob,1\n", "row 1: a column's name"),
        (b"name\n" + b"x\n" * 8_001, "8,001 players: a tournament holds 8,000"),
        (b"name\n" + b"x" * 140_000 + b"\n", "row 2: "),
    ],
)
def test_a_file_that_is_wrong(opened: Desk, text: bytes, told: str) -> None:
    (opened.folder / "players.csv").write_bytes(text)
    answer = opened.refused("register", "--csv", "players.csv")
    assert told in answer.err
    assert "players.csv" in answer.err
    assert answer.code == 1


def test_every_problem_is_named_at_once(opened: Desk) -> None:
    before = opened.log()
    answer = opened.type("register", "--csv", "-", stdin="name,f\n,x\nCarl\nCarl,x,y\n\n , x\n,\n")
    assert [line.split()[2:4] for line in answer.err.splitlines()] == [
        ["row", "2"],
        ["row", "4"],
        ["row", "6"],
    ]
    assert opened.log() == before


@pytest.mark.parametrize(("path", "code"), [("nowhere.csv", 3), (".", 3)])
def test_a_file_that_can_not_be_read(opened: Desk, path: str, code: int) -> None:
    assert opened.refused("register", "--csv", path).code == code


def test_a_namesake_is_another_person(opened: Desk) -> None:
    assert "--namesake" in opened.refused("register", "ANN LEE").err
    opened.done("register", "ANN LEE", "--namesake")
    assert [row["name"] for row in opened.done("list", "--json").json] == ["Ann Lee", "ANN LEE"]


def test_a_name_of_several_words_needs_no_quotes(opened: Desk) -> None:
    opened.done("register", "Bob", "van", "Stone", "--attribute", "club=Altona=1")
    assert players(opened) == [("Bob van Stone", "", {"club": "Altona=1"})]


def test_a_name_is_corrected(opened: Desk) -> None:
    opened.done("rename", "ann", "Ann", "Leigh")
    assert "already so" in opened.done("rename", "1", "Ann Leigh").err
    assert opened.done("list", "--json").json[0]["name"] == "Ann Leigh"
    opened.done("rename", "o1", "Kim L.")
    assert opened.done("official", "--json").json[0]["name"] == "Kim L."


def test_a_registration_is_taken_back(opened: Desk) -> None:
    assert opened.refused("unregister", "ann").code == 2
    opened.done("unregister", "ann", "--reason", "typed twice")
    assert opened.done("list", "--json").json == []
    assert len(opened.done("list", "--all", "--json").json) == 1
    opened.done("register", "Ann Lee")
