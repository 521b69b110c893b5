"""A file of players is registered whole or not at all, every problem with its row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


SPOILT = 'name,f\n,x\nCarl\nCarl,x,y\n\n , x\n,\n"Dan\nSmith"\n'
"""Rows without a name, with one cell too many, twice the same, and a name with a line break."""


@typed_once
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "name,faction,Club\nBob,Crane,\nÇağla,,Altona\n",
        "\ufeffName,Faction,Club\r\nBob,Crane,\r\n\r\nÇağla,,Altona\r\n",
        "Name\tFaction\tClub\nBob\tCrane\t\nÇağla\t\tAltona\n",
        "sep=;\r\nName;Faction;Club\r\nBob;Crane;\r\nÇağla;;Altona\r\n",
        '"Name";"Faction, clan or army";Faction;Club\nBob;;Crane;\nÇağla;;;Altona\n',
        "Club;name;faction\n;Bob;Crane\nAltona;Çağla\n",
        'faction,name,Club\nCrane,"Bob",\n,"Çağla","Altona"',
    ],
)
def test_forms_of_one_table(opened: Desk, text: str) -> None:
    answer = opened.done("register", "--file", "-", "--keep", "club", stdin=text)
    assert players(opened) == [("Bob", "Crane", {}), ("Çağla", "", {"Club": "Altona"})]
    assert [line.split() for line in answer.out.splitlines()] == [["2", "Bob"], ["3", "Çağla"]]


def test_a_file_in_utf_16(opened: Desk) -> None:
    for text, name in (("Name;Clan\r\nBob;Lion\r\n", "le"), ("Name\tClan\nÇağla\tCrane\n", "be")):
        mark = {"le": "\ufeff".encode("utf-16-le"), "be": "\ufeff".encode("utf-16-be")}[name]
        (opened.folder / name).write_bytes(mark + text.encode(f"utf-16-{name}"))
        opened.done("register", "--file", name)
    assert players(opened) == [("Bob", "Lion", {}), ("Çağla", "Crane", {})]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 a workbook", "is a workbook; save the sheet as CSV"),
        (b"sep=;\nname;faction\nBob;x\n;Crane\n", "row 4 has no name"),
        (b"\n\n", "is empty"),
        (b"player\nBob\n", "row 1 has no column `name`"),
        (b"name,name\nBob,Bob\n", "row 1: every column"),
        (b"name,\nBob,x\n", "row 1: every column"),
        (b"name\n", "contains no players"),
        (b"name\nBob\nCarl,Crane\n", "row 3 has 2 cells under 1 title"),
        (b"name,faction\nBob,Crane\n,Crane\n", "row 3 has no name"),
        (b"name\nBob\nann lee\n", "row 3: ann lee is already registered (Ann Lee (#1))"),
        (b"name\nBob\nCarl\nBob\n", "row 4: Bob is already in row 2"),
        (b"name\nB\xffb\n", "row 2 is not UTF-8 text at byte 7"),
        (b'name\n"Bob\n', 'row 2, column 1: a quote (") is never closed'),
        (b"name\n" + b"x" * 1_001 + b"\n", "row 2: over 1,000 characters in name"),
        (b"name,faction\nBob," + b"x" * 65 + b"\n", "row 2: over 64 characters in faction"),
        (b"name," + b"x" * 65 + b"\nBob,1\n", "row 1: a column's name"),
        (b"name\n" + b"x\n" * 8_001, "8,001 players: a tournament can have at most 8,000"),
        (b"name\n" + b"x" * 140_000 + b"\n", "row 2, column 1: field larger"),
    ],
)
def test_a_file_that_is_wrong(opened: Desk, text: bytes, told: str) -> None:
    (opened.folder / "players.csv").write_bytes(text)
    answer = opened.refused("register", "--file", "players.csv")
    assert told in answer.err
    assert "players.csv" in answer.err
    assert answer.code == 1


def test_every_problem_is_named_at_once(opened: Desk) -> None:
    before = opened.log()
    answer = opened.type("register", "--file", "-", stdin=SPOILT)
    assert [re.findall(r"row \d+", line)[0] for line in answer.err.splitlines()] == [
        f"row {number}" for number in (2, 4, 4, 6, 9)
    ]
    assert "row 4: Carl is already in row 3" in answer.err
    assert "a line break in name" in answer.err
    assert opened.log() == before


def test_other_columns_are_read_where_they_are_named(opened: Desk) -> None:
    text = "Name,Clan,E-Mail,Deckliste\nBob,Crane,b@x.org,http\n"
    answer = opened.done("register", "--file", "-", stdin=text)
    assert players(opened) == [("Bob", "Crane", {})]
    assert "read: Name, Clan; ignored: E-Mail, Deckliste (--keep" in answer.err
    assert "b@x.org" not in opened.log()
    text = text.replace("Bob", "Carl")
    opened.done("register", "--file", "-", "--keep", "deckliste", stdin=text)
    assert players(opened)[1] == ("Carl", "Crane", {"Deckliste": "http"})
    text = text.replace("Carl", "Dan")
    assert "Verein" in opened.refused("register", "--file", "-", "--keep", "Verein", stdin=text).err


def test_the_same_file_again_is_already_so(opened: Desk) -> None:
    text = "name\nBob\nCarl\n"
    opened.done("register", "--file", "-", stdin=text)
    before = opened.log()
    answer = opened.done("register", "--file", "-", stdin=text.upper().replace("NAME", "name"))
    assert answer.err.startswith("2 players already registered; nothing was written\n")
    assert "2 names written differently on record, such as Bob (in the file: BOB)" in answer.err
    assert opened.log() == before
    text += "Dan\n"
    answer = opened.type("register", "--file", "-", stdin=text)
    assert (answer.code, answer.err.count("is already registered")) == (1, 2)


FIRST = "name,faction,Club,rating\nBob,Crane,Altona,1500\nCarl,Lion,,1600\n"
CORRECTED = "name,faction,Club,rating\nBob,Crab,Altona,1500\nCarl,lion,Eimsbush,1650\n"
KEPT = ("register", "--file", "-", "--keep", "Club", "--keep", "rating")


def test_a_correction_in_the_file_is_shown_and_amended(opened: Desk) -> None:
    opened.done(*KEPT, stdin=FIRST)
    assert "already registered" in opened.done(*KEPT, stdin=FIRST).err
    before = opened.log()
    answer = opened.type(*KEPT, stdin=CORRECTED)
    assert (answer.code, opened.log()) == (1, before)
    told = answer.err.splitlines()
    assert "row 2: Bob (#2): faction Crab (on record: Crane)" in told[0]
    assert "row 3: Carl (#3): " in told[1]
    assert "Club Eimsbush (on record: none)" in told[1]
    assert "lion" not in told[1]
    assert "the file changes 2 players, so nothing was written: add --yes" in told[2]
    as_json = opened.type("--json", *KEPT, stdin=CORRECTED)
    assert (as_json.code, len(as_json.json["problems"])) == (1, 3)
    answer = opened.done("--yes", "--id", "once", "--json", *KEPT, stdin=CORRECTED)
    assert [each["type"] for each in answer.json["events"]] == ["PlayerAmended"] * 2
    assert [each["name"] for each in answer.json["players"]] == ["Bob", "Carl"]
    assert opened.done("--yes", "--id", "once", "--json", *KEPT, stdin=CORRECTED).out == answer.out
    assert [each[1] for each in players(opened)] == ["Crab", "Lion"]
    assert "already registered" in opened.done(*KEPT, stdin=CORRECTED).err
    opened.done("undo")
    assert [each[1] for each in players(opened)] == ["Crane", "Lion"]


@pytest.mark.parametrize(("answer", "faction"), [("y", "Crab"), ("n", "Crane"), ("", "Crane")])
def test_a_correction_is_asked_about_at_a_terminal(opened: Desk, answer: str, faction: str) -> None:
    (opened.folder / "players.csv").write_text("name,faction\nBob,Crane\n", "utf-8")
    opened.done("register", "--file", "players.csv")
    (opened.folder / "players.csv").write_text("name,faction\nBob,Crab\n", "utf-8")
    for place in ("cli.verbs.day.registration.is_asked", "cli.desk.confirm_breaches.is_asked"):
        opened.patch.setattr(place, lambda: True)
    said = opened.type("register", "--file", "players.csv", stdin=f"{answer}\n")
    assert (said.code, "amend 1 player as the file says?" in said.err) == (answer != "y", True)
    assert players(opened) == [("Bob", faction, {})]


def test_only_changed_rows_are_asked_about_their_faction(opened: Desk) -> None:
    first = "name,faction\nBob,Crane\nCarl,Nezumi\n"
    assert (
        "row 3: Carl: Nezumi is not a faction of l5r"
        in opened.done("--yes", "register", "--file", "-", stdin=first).err
    )
    changed = first.replace("Crane", "Crab")
    assert "Nezumi" not in opened.done("--yes", "register", "--file", "-", stdin=changed).err
    changed = first.replace("Crane", "Ratling")
    assert (
        ": Ratling is not a faction of l5r"
        in opened.done("--yes", "register", "--file", "-", stdin=changed).err
    )


def test_an_emptied_cell_is_a_correction(opened: Desk) -> None:
    opened.done("register", "--file", "-", stdin="name,faction\nBob,Crane\n")
    opened.done("register", "--file", "-", stdin="name\nBob\n")  # without the column: as it is
    answer = opened.type("register", "--file", "-", stdin="name,faction\nBob,\n")
    assert "faction none (on record: Crane)" in answer.err


def test_a_correction_of_one_of_two_namesakes_names_amend(opened: Desk) -> None:
    for faction in ("Crane", "Crab"):
        opened.done("register", "Bob", "--faction", faction, "--namesake")
    opened.done("register", "--file", "-", stdin="name,faction\nBob,Crab\n")
    answer = opened.refused("register", "--file", "-", stdin="name,faction\nBob,Lion\n")
    assert "row 2 may be Bob (#2) and Bob (#3): use `amend`" in answer.err


def test_one_by_one_the_next_step_is_short(opened: Desk) -> None:
    assert opened.done("register", "Bob").err == (
        "registered 1, 2 in all | next: register more, or `start`\n"
    )


def test_a_late_registration_that_changes_the_structure(desk: Desk) -> None:
    desk.open(8, "basic")
    said = desk.done("register", "Nina Ninth").err
    assert "use `start basic`" in said
    assert desk.refused("pair").code == 1
    assert "next: pair" in desk.done("start", "basic").err


@pytest.mark.parametrize(("path", "code"), [("nowhere.csv", 3), (".", 3)])
def test_a_file_that_can_not_be_read(opened: Desk, path: str, code: int) -> None:
    assert opened.refused("register", "--file", path).code == code


def test_a_namesake_is_another_person(opened: Desk) -> None:
    assert "--namesake" in opened.refused("register", "ANN LEE").err
    opened.done("register", "ANN LEE", "--namesake")
    assert [row["name"] for row in opened.done("list", "--json").json] == ["Ann Lee", "ANN LEE"]


def test_a_name_of_several_words_needs_no_quotes(opened: Desk) -> None:
    opened.done("register", "Bob", "van", "Stone", "--attribute", "club=Altona=1")
    assert players(opened) == [("Bob van Stone", "", {"club": "Altona=1"})]


def test_a_name_is_corrected(opened: Desk) -> None:
    opened.done("rename", "ann", "Ann", "Leigh")
    assert "nothing to change" in opened.done("rename", "1", "Ann Leigh").err
    assert opened.done("list", "--json").json[0]["name"] == "Ann Leigh"
    opened.done("rename", "o1", "Kim L.")
    assert opened.done("official", "--json").json[0]["name"] == "Kim L."


def test_a_registration_is_taken_back(opened: Desk) -> None:
    assert opened.refused("unregister", "ann").code == 2
    opened.done("unregister", "ann", "--reason", "typed twice")
    assert opened.done("list", "--json").json == []
    assert len(opened.done("list", "--all", "--json").json) == 1
    opened.done("register", "Ann Lee")


def test_a_league_id_that_tells_who_it_is_is_remarked_on(desk: Desk) -> None:
    desk.open(0)
    assert "if foo is a name" in desk.done("register", "Ann", "--league-id", "foo").err
    assert "readable" not in desk.done("register", "Bob", "--league-id", "0" * 32).err
    assert "readable" not in desk.done("register", "Cy").err


def test_rows_with_unknown_factions_are_named_with_what_to_do(opened: Desk) -> None:
    rows = "".join(f"P{number},Scorpoin\n" for number in range(10))
    (opened.folder / "players.csv").write_text(f"name,faction\nBob,Crane\n{rows}", "utf-8")
    with opened.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        answer = opened.type("register", "--file", "players.csv", stdin="n\n")
    assert "row 3: P0: Scorpoin is not a faction of l5r" in answer.err
    assert "row 10: P7: " in answer.err
    assert "and 2 more rows" in answer.err
    assert "correct the file, or add --yes to record them" in " ".join(answer.err.split())
    assert players(opened) == []
    recorded = opened.done("register", "--file", "players.csv", "--yes")
    assert "recorded as the file has them: to correct one, use `amend`" in " ".join(
        recorded.err.split()
    )
    assert len(players(opened)) == 11
