"""The log's key and the witness's behind a passphrase: opened before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

PHRASE = "TOURNEY_PASSPHRASE"


def key(desk: Desk, pattern: str) -> Path:
    """The one key file of this name."""
    (found,) = desk.folder.glob(f".tourney-keys/{pattern}")
    return found


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four whose log's key has a passphrase, one round reported."""
    desk.patch.setenv(PHRASE, "cherry")
    words = ("--ruleset", "l5r", "--organizer", "Kim Larsen", "--passphrase")
    desk.done("new", "Library Night", *words)
    names = "".join(f"Player {number:02}\n" for number in range(1, 5))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    return desk


@pytest.mark.slow
def test_the_logs_key_is_sealed_and_signs_with_its_passphrase(day: Desk) -> None:
    assert key(day, "log-*.key").read_bytes().startswith(b'{"scrypt":131072,')
    day.done("pair")
    day.done("verify")
    day.done("backup", "day.backup")


@pytest.mark.slow
@pytest.mark.parametrize("phrase", ["plum", "", None])
def test_a_wrong_passphrase_refuses_the_act_before_it_is_written(
    day: Desk, phrase: str | None
) -> None:
    before = day.log()
    if phrase is None:
        day.patch.delenv(PHRASE)
    else:
        day.patch.setenv(PHRASE, phrase)
    for words in (("pair",), ("post", "standings"), ("checkpoint",)):
        answer = day.type(*words)
        assert answer.code == 1, words
        assert "passphrase" in answer.err
        assert day.log() == before
    day.patch.setenv(PHRASE, "cherry")
    day.done("pair")


@pytest.mark.slow
def test_what_signs_no_head_asks_for_nothing(day: Desk) -> None:
    day.patch.delenv(PHRASE)
    day.done("note", "a quiet hall")
    day.done("standings")


@pytest.mark.slow
def test_the_next_key_of_a_log_is_sealed_as_the_one_before(day: Desk) -> None:
    log_key = next(each for each in day.done("key", "--json").json if each["holder"] == "log")
    day.done("key", "revoke", log_key["key"], "--reason", "the laptop was out of sight")
    assert key(day, "log-*.key").read_bytes().startswith(b'{"scrypt":131072,')
    day.done("pair")


def test_an_empty_passphrase_makes_no_event(desk: Desk) -> None:
    desk.patch.setenv(PHRASE, "")
    words = ("--ruleset", "l5r", "--organizer", "Kim Larsen", "--passphrase")
    answer = desk.type("new", "Library Night", *words)
    assert answer.code == 1
    assert "the passphrase must not be empty" in answer.err
    assert not [*desk.folder.glob(".tourney-keys/*")]
    assert desk.done("tournaments", "--json").json == []


@pytest.mark.slow
def test_a_witness_with_a_passphrase(day: Desk) -> None:
    day.done("witness", "init", "league.example/cup", "--passphrase")
    assert key(day, "witness.key").read_bytes().startswith(b'{"scrypt":131072,')
    vkey = day.done("checkpoint", "--policy").out.splitlines()[0].split()[1]
    day.done("witness", "trust", vkey)
    day.done("witness", "ask", "-o", "ask.txt")
    day.patch.setenv(PHRASE, "plum")
    assert "not the passphrase" in day.type("witness", "cosign", "ask.txt").err
    day.patch.setenv(PHRASE, "cherry")
    day.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
    day.done("witness", "add", "answer.txt")
    assert day.type("witness", "trust", vkey, "--passphrase").code == 2
