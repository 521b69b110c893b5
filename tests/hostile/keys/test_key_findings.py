"""Whatever was done about keys is a finding of `audit`, and a lost key the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def kinds(day: Desk) -> list[str]:
    return [str(each["kind"]) for each in day.done("audit", "--json").json["findings"]]


def held(day: Desk, holder: str) -> str:
    listed = day.done("key", "--json").json
    return next(str(x["key"]) for x in listed if x["holder"] == holder and not x["until"])


def appointed(desk: Desk) -> Desk:
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Mara Lind", "--role", "marshal")
    return desk


def test_each_act_about_keys_is_found(desk: Desk) -> None:
    day = appointed(desk)
    day.done("key", "new", "pat")
    assert kinds(day) == ["first-key"]
    day.done("key", "new", "pat", "--as", "pat")
    assert sorted(kinds(day)) == ["first-key", "further-key"]
    day.done("key", "revoke", held(day, "o2"), "--reason", "an old one")
    assert sorted(kinds(day)) == ["first-key", "further-key", "key"]
    words = day.done("audit").out
    assert "key registered: Pat Jones" in words
    assert 'key revoked: Pat Jones - "an old one"' in words


def lose(day: Desk, holder: str) -> None:
    for each in (day.folder / ".tourney-keys").glob(f"{holder}-*"):
        each.unlink()


def test_a_key_in_a_lost_ones_place_is_the_first_finding(desk: Desk) -> None:
    day = appointed(desk)
    day.done("key", "new", "pat")
    lose(day, "o2")
    again = day.done("key", "new", "pat").out.split()[1:]
    assert "must be signed with a key of Pat Jones" in day.refused(*again).err
    day.done(*again, "--lost", "--reason", "the laptop was stolen")
    assert kinds(day)[0] == "key-lost"


@pytest.mark.slow
def test_two_leaders_agree_by_a_line_that_the_second_prints(desk: Desk) -> None:
    """Also two whom the organizer made up: each step is a finding."""
    day = appointed(desk)
    for name in ("o1", "pat", "mara"):
        day.done("key", "new", name)
    lose(day, "o2")
    printed = day.done("key", "new", "pat").out.split()[1:]
    assert "must be signed with a key of Pat Jones" in day.refused(*printed).err
    lost = day.refused(*printed, "--lost", "--reason", "x").err
    assert "two leaders who hold a key must agree to it (Kim Larsen, Mara Lind hold one)" in lost
    line = day.done("key", "agree", *printed[2:], "--as", "mara").out.split()[1:]
    day.done(*line)
    assert kinds(day).count("first-key") == 3
    assert "further-key" in kinds(day)
    day.done("note", "the hall was dark", "--as", "pat")
    day.done("verify")


def test_an_official_asks_for_a_further_key_on_a_machine_without_the_one_before(desk: Desk) -> None:
    """Before, `key new` of who came with a new laptop was refused: the old key had to sign it."""
    day = appointed(desk)
    for name in ("o1", "pat", "mara"):
        day.done("key", "new", name)
    lose(day, "o2")
    made = day.done("key", "new", "--as", "pat")
    assert "two leaders with keys must agree" in made.err
    line = day.done("key", "agree", *made.out.split()[3:], "--as", "mara").out.split()[1:]
    day.done(*line)
    day.done("note", "the hall was dark", "--as", "pat")


def test_an_act_without_its_key_says_whose_and_how_to_go_on(desk: Desk) -> None:
    day = appointed(desk)
    day.done("key", "new", "pat")
    lose(day, "o2")
    told = day.refused("note", "it was late", "--as", "pat").err
    assert "a note must be signed with a key of Pat Jones, which is not in" in told
    assert "`key new`" in told


def test_a_key_act_without_its_words_says_which(desk: Desk) -> None:
    day = appointed(desk)
    told = day.type("key", "register", "pat")
    assert told.code == 2
    assert "key register: give OFFICIAL KEY PROOF, not only 'pat'" in told.err


def test_an_office_taken_from_who_holds_a_key_is_found(desk: Desk) -> None:
    """Nobody signed for it where the organizer holds no key, and one fewer then agrees to keys."""
    day = appointed(desk)
    day.done("key", "new", "mara")
    day.done("official", "plays", "Mara Lind", "1")
    assert kinds(day) == ["first-key"]
    day.done("official", "add", "Mara Lind", "--role", "scorekeeper")
    assert kinds(day) == ["keyed-office", "first-key"]
