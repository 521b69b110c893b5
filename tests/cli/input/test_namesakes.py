"""Two ways to write one name are one person, wherever a name is given."""

from __future__ import annotations

import shlex
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


FINDERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "use": (("new", "{}", "--ruleset", "swiss"), ("use", "{}")),
    "-t": (("new", "{}", "--ruleset", "swiss"), ("-t", "{}", "list")),
    "player": (("register", "{}", "--namesake"), ("drop", "{}")),
    "official": (("official", "add", "{}", "--role", "judge"), ("official", "stand-down", "{}")),
}
"""Lines that record two names, and lines that find one of them."""


@pytest.mark.parametrize("kind", FINDERS)
@pytest.mark.parametrize("name", ["Jos\u00e9 N", "Jose N", "JOSE N"])
def test_the_exact_spelling_wins(desk: Desk, kind: str, name: str) -> None:
    """Of names that differ in case or accents alone, in either order of their recording."""
    recording, finding = FINDERS[kind]
    desk.open(0)
    spellings = ["Jos\u00e9 N", "Jose N", "JOSE N"]
    recorded = [each for each in spellings if kind != "official" or each != "JOSE N"]
    for each in recorded:
        desk.done(*(word.format(each) for word in recording))
    line = [word.format(name) for word in finding]
    if name in recorded:
        told = desk.done(*line)
        assert kind == "-t" or name in told.err
    if kind != "official":
        assert "could be" in desk.refused(*(word.format("jose n") for word in finding)).err


NEARLY = (
    ("Ann Lee", "Anna Lee"),
    ("Ann Lee", "Ann Lea"),
    ("Ann Lee", "AnnLee"),
    ("Ann Lee", "Lee, Ann"),
    ("Jos\u00e9 Pi\u00f1a", "Jose Pina"),
    ("Mary-Jane Watson", "Mary Jane Watson"),
)
FAR = (
    ("Kai", "Kay"),
    ("Player 01", "Player 02"),
    ("Ann Lee", "Bob Lee"),
    ("Ann Lee", "Anna Leeds"),
)


@pytest.mark.parametrize(("answer", "count"), [("y", 2), ("n", 1), ("", 1)])
@pytest.mark.parametrize(("known", "again"), NEARLY)
def test_a_near_duplicate_asks(desk: Desk, known: str, again: str, answer: str, count: int) -> None:
    desk.open(0)
    desk.done("register", known)
    with desk.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        said = desk.type("register", again, stdin=f"{answer}\n")
    assert f"{again} is nearly {known} (#1)" in said.err
    assert "register another person? [y/N]" in said.err
    assert (said.code == 0) is (count == 2)
    assert len(desk.done("list", "--json").json) == count


def test_near_duplicates_of_a_file_are_one_question(desk: Desk) -> None:
    desk.open(0)
    desk.done("register", "Ann Lee")
    file = "name\nAnna Lee\nBob Stone\nBob Stome\nCas Dor\n"
    with desk.patch.context() as patch:
        patch.setattr("cli.desk.confirm_breaches.is_asked", lambda: True)
        said = desk.type("register", "--file", "-", stdin=f"{file}").err  # no answer is a no
    assert said.count("[y/N]") == 1
    assert "Anna Lee is nearly Ann Lee (#1)" in said
    assert "Bob Stome is nearly Bob Stone" in said
    assert "nothing was written" in said
    said = desk.done("register", "--file", "-", stdin=file).err  # a pipe says it and goes on
    assert "Bob Stome is nearly Bob Stone" in said


@pytest.mark.parametrize(("known", "again"), FAR)
def test_names_that_are_not_near_ask_nothing(desk: Desk, known: str, again: str) -> None:
    desk.open(0)
    desk.done("register", known)
    assert "nearly" not in desk.done("register", again).err


LOST = "Zo\ufffde Lee"


@pytest.mark.parametrize(
    "line",
    [
        f"register '{LOST}'",
        f"rename 1 '{LOST}'",
        f"official add '{LOST}' --role judge",
        f"requests add '{LOST}'",
        f"new Night --ruleset l5r --organizer '{LOST}'",
    ],
)
def test_a_letter_that_was_lost_is_no_letter(desk: Desk, line: str) -> None:
    desk.open(1)
    answer = desk.refused(*shlex.split(line))
    assert (answer.code, "U+FFFD" in answer.err) == (1, True)


def test_a_letter_that_was_lost_in_a_file_is_named_with_its_row(desk: Desk) -> None:
    desk.open(0)
    answer = desk.refused("register", "--file", "-", stdin=f"name,faction\nBob,\n{LOST},x\n")
    assert "row 3: in name a letter was lost (U+FFFD): save the file as UTF-8" in answer.err
    assert "row 2: in faction" in (
        desk.refused("register", "--file", "-", stdin="name,faction\nBob,\ufffd\n").err
    )
