"""Keys as typed at a desk: whose are meant, which are here, and what a revoked one is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli_desk import Desk


@pytest.fixture
def day(desk: Desk) -> Desk:
    """A day of four with a judge."""
    desk.open(4)
    desk.done("official", "Pat Jones", "--role", "judge")
    return desk


def key_of(day: Desk, holder: str) -> str:
    """The one key of a holder, as the list has it."""
    keys = day.done("key", "list", "--json").json
    (found,) = (str(each["key"]) for each in keys if each["holder"] == holder)
    return found


@pytest.mark.parametrize("length", [0, 1, 7])
def test_a_key_is_not_revoked_by_a_slip(day: Desk, length: int) -> None:
    """By an empty variable, say, which every key begins with."""
    day.done("key", "new", "pat")
    answer = day.refused("key", "revoke", key_of(day, "o2")[:length], "--reason", "lost")
    assert answer.code == 2
    assert "8 of its first characters" in answer.err


def test_a_key_is_revoked_by_its_beginning(day: Desk) -> None:
    day.done("key", "new", "pat")
    day.done("key", "revoke", key_of(day, "o2")[:8], "--reason", "lost")
    assert day.refused("key", "revoke", "AAAAAAAA", "--reason", "lost").code == 3


def here(day: Desk) -> dict[str, bool]:
    return {each["holder"]: each["here"] for each in day.done("key", "list", "--json").json}


def test_the_list_says_which_keys_are_here(day: Desk) -> None:
    day.done("key", "new", "pat")
    assert here(day) == {"log": True, "o2": True}
    assert day.done("key", "list").out.count("here") == 2
    (own,) = day.folder.glob(".tourney-keys/log-*")
    moved = own.rename(day.folder / "elsewhere")
    assert here(day) == {"log": False, "o2": True}
    day.done("new", "Another", "--ruleset", "swiss")
    (other,) = day.folder.glob(".tourney-keys/log-*")
    other.rename(own)
    assert day.type("-t", "Library", "key", "list", "--json").json[0]["here"] is False
    moved.replace(own)
    assert day.type("-t", "Library", "key", "list", "--json").json[0]["here"] is True


@pytest.mark.parametrize("words", [("new",), ("new", "pat"), ("export",)], ids=" ".join)
def test_a_player_has_no_key(day: Desk, words: tuple[str, ...]) -> None:
    before = sorted(day.folder.glob(".tourney-keys/*"))
    answer = day.refused("key", *words, "--as", "p1")
    assert (answer.code, "by an official, not by p1" in answer.err) == (1, True)
    assert sorted(day.folder.glob(".tourney-keys/*")) == before
