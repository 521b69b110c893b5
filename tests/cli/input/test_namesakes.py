"""Two ways to write one name are one person, wherever a name is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.facts.people import name_key

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

SAME = (
    ("Jos\u00e9", "Jose\u0301"),
    ("Ann Lee", " Ann  Lee "),
    ("Ann Lee", "ann\u00a0lee"),
    ("Wei\u00df", "WEISS"),
    ("\uff21nn", "Ann"),
    ("\u0390a", "\u03aa\u0301A"),
)
OTHERS = (("Jos\u00e9", "Jose"), ("Ann Lee", "AnnLee"))


@pytest.mark.slow
@pytest.mark.parametrize(("known", "again"), SAME)
def test_one_person_is_registered_once(desk: Desk, known: str, again: str) -> None:
    desk.open(0)
    desk.done("register", known)
    assert f"is already registered ({known} (#1))" in desk.refused("register", again).err
    assert "(#1)" in desk.refused("register", "--file", "-", stdin=f"name\nBob\n{again}\n").err
    file = f"name\n{again}\n"
    assert "1 player already registered" in desk.done("register", "--file", "-", stdin=file).err
    desk.done("register", again, "--namesake")


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_other_names_are_other_people(desk: Desk, one: str, other: str) -> None:
    desk.open(0)
    desk.done("register", one)
    desk.done("register", other)
    assert [row["name"] for row in desk.done("list", "--json").json] == [one, other]


@pytest.mark.parametrize(("known", "again"), SAME)
def test_a_file_names_nobody_twice(desk: Desk, known: str, again: str) -> None:
    desk.open(0)
    told = desk.refused("register", "--file", "-", stdin=f"name\n{known}\n{again}\n").err
    assert "is already in row 2" in told


def test_outer_white_space_is_no_part_of_a_name(desk: Desk) -> None:
    desk.open(0)
    desk.done("register", " Ann  Lee\u00a0")
    desk.done("register", "--file", "-", stdin="name\n Bea  \n")
    desk.done("official", "add", " Pat ", "--role", "judge")
    desk.done("rename", "bea", " Bea L. ")
    names = [row["name"] for row in desk.done("list", "--json").json]
    assert names == ["Ann  Lee", "Bea L."]
    assert [row["name"] for row in desk.done("official", "--json").json] == ["Kim Larsen", "Pat"]
    assert "nothing to change" in desk.done("rename", "bea", "Bea L.  ").err


def test_a_rename_to_the_name_of_another(desk: Desk) -> None:
    desk.open(0)
    desk.done("register", "Ann Lee")
    desk.done("register", "Bob")
    told = desk.refused("rename", "bob", "ANN  LEE").err
    assert "(#1)" in told
    assert "--namesake" in told
    desk.done("rename", "ann", "ANN  LEE")  # one's own name, written otherwise
    desk.done("rename", "bob", "Ann Lee", "--namesake")
    desk.done("official", "add", "Pat", "--role", "judge")
    assert "is the name of Pat" in desk.refused("rename", "o1", "pat").err


def test_an_official_is_appointed_once(desk: Desk) -> None:
    desk.open(0)
    desk.done("official", "add", "Jos\u00e9 P.", "--role", "judge")
    desk.done("official", "add", "jose\u0301  p. ", "--role", "marshal")
    listed = desk.done("official", "--json").json
    assert [(row["official"], row["roles"]) for row in listed] == [
        (1, ["organizer"]),
        (2, ["marshal"]),
    ]


def test_an_official_who_plays_is_known_by_name(desk: Desk) -> None:
    desk.open(0)
    desk.done("official", "add", "Jos\u00e9", "--role", "judge")
    desk.done("register", "JOSE\u0301")
    assert desk.done("official", "--json").json[1]["player"] == 1


def test_the_very_name_is_found_before_one_without_accents(desk: Desk) -> None:
    desk.open(0)
    desk.done("register", "Jos\u00e9")
    desk.done("register", "Jose")
    assert "player 1 is" in desk.done("rename", "JOSE\u0301", "First").err


@pytest.mark.parametrize("name", [*(each for pair in SAME for each in pair), "\u01f0\u0345\u0301"])
def test_a_key_is_its_own_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)
