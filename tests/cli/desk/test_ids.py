"""An id that is typed again: the first answer of every verb, nothing twice, no other command."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.cli.desk.test_lost_answers import LANDS
from tests.support.cli_desk import typed_once
from tests.support.days.json_day import JsonDay

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

VIEWS = {"stats", "rating", "use", "export", "backup", "evidence"}
"""What writes a view, or what is in hand, again, and answers the same."""


def is_act(answer: str) -> bool:
    """Whether an answer is that of an act of a log."""
    return answer.startswith('{"id":')


class TwiceDay(JsonDay):
    """The whole day, each line typed twice with its id; the log's acts again before its end."""

    number = 0

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.typed: list[tuple[list[str], str]] = []

    def show(self, line: str, *words: str) -> None:
        """Type a line of the page; one that only reads may tell the time, and is typed once."""
        if line in LANDS:
            super().show(line, *words)
        else:
            JsonDay(self.desk).show(line, *words)

    def _typed(self, *words: str) -> str:
        if words[0] == "forget":
            self.again()
        self.number += 1
        line = [*words, "--json", "--id", f"day-{self.number}"]
        first = self.desk.done(*line).out
        self.typed.append((line, first))
        before = self.files()
        assert self.desk.done(*line).out == first
        changed = [name for name, data in self.files().items() if before.get(name) != data]
        assert not changed or words[0] in VIEWS, (words, changed)
        return first

    def again(self) -> None:
        """Type every act of the log once more: each answers as it did, whatever came after it."""
        log = self.desk.log()
        for line, first in self.typed:
            if is_act(first):
                assert self.desk.done(*line).out == first, line
        assert self.desk.log() == log

    def files(self) -> dict[str, bytes]:
        """Every file but what SQLite keeps beside an open one."""
        return {
            str(path): path.read_bytes()
            for path in self.desk.folder.rglob("*")
            if path.is_file() and not path.name.endswith("-shm")
        }


@pytest.mark.slow
def test_every_line_of_a_day_again(desk: Desk) -> None:
    day = TwiceDay(desk)
    day.play()
    night = ("--store", "tourney.db", "-t", "night")
    desk.done("use", *night)
    log = desk.log()
    for line, first in day.typed:
        if is_act(first):
            answer = desk.type("note", "something else", *night, "--id", line[-1])
            assert (answer.code, "another command" in answer.err) == (1, True), line
    assert desk.log() == log


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four with a judge."""
    desk.open(4)
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    return desk


def keys(day: Desk) -> list[str]:
    return sorted(path.name for path in day.folder.glob(".tourney-keys/*"))


@pytest.mark.parametrize("by", ["Kim Larsen", "Pat Jones"])
def test_a_key_is_made_once(day: Desk, by: str) -> None:
    """By the organizer, who registers it, and by a judge, whose line the organizer types."""
    before = keys(day)
    line = ("key", "new", "pat", "--as", by, "--id", "k")
    first = day.done(*line).out
    there = keys(day)
    assert len(there) == len(before) + 1
    assert day.done(*line).out == first
    assert keys(day) == there
    assert "another command" in day.refused("key", "new", "kim", "--as", by, "--id", "k").err
    assert keys(day) == there


def test_a_key_that_can_not_be_registered_is_not_made(day: Desk) -> None:
    before = keys(day)
    day.done("note", "a remark", "--id", "n")
    assert "another command" in day.refused("key", "new", "pat", "--id", "n").err
    assert keys(day) == before


def test_a_wish_that_was_fulfilled_does_nothing_later_either(day: Desk) -> None:
    """What was so already has no event that carries the id."""
    day.done("drop", "1")
    assert day.done("drop", "1", "--id", "d", "--json").json["events"] == []
    day.done("rejoin", "1")
    log = day.log()
    assert day.done("drop", "1", "--id", "d", "--json").json["events"] == []
    assert "another command" in day.refused("drop", "2", "--id", "d").err
    assert day.log() == log


def test_a_posting_of_before_stays_the_answer(day: Desk) -> None:
    day.done("start", "custom", "--rounds", "2")
    day.done("pair")
    day.done("post", "pairings")
    first = day.done("post", "pairings", "--id", "p", "--json").out
    one, other = day.seats(1)[0], day.seats(2)[0]
    day.done("swap", f"#{one}", f"#{other}", "--reason", "one car")
    log = day.log()
    assert day.done("post", "pairings", "--id", "p", "--json").out == first
    assert day.log() == log
    again = day.done("post", "pairings", "--id", "q", "--json").out
    day.done("swap", f"#{one}", f"#{other}", "--reason", "two cars")
    assert day.done("post", "pairings", "--id", "q", "--json").out == again


def test_a_list_of_players_that_are_there_already(day: Desk) -> None:
    line = ("register", "--file", "-", "--id", "r", "--json")
    names = "name\nPlayer 01\nPlayer 02\n"
    first = day.done(*line, stdin=names).out
    assert json.loads(first)["events"] == []
    day.done("unregister", "2", "--reason", "typed twice")
    log = day.log()
    assert day.done(*line, stdin=names).out == first
    assert day.log() == log


def test_pair_cut_and_register_show_what_they_showed(day: Desk) -> None:
    named = ("register", "Zed Zorn", "--id", "r", "--json")
    registered = day.done(*named).out
    day.done("start", "custom", "--rounds", "1", "--cut", "2")
    paired = day.done("pair", "--id", "p").out
    day.report_all()
    seeds = day.done("cut", "--id", "c", "--json").out
    day.done("rename", "5", "Zoe Zorn")
    day.done("drop", str(json.loads(seeds)["seeds"][0]["player"]))
    day.done("cut", "accept", "next", "--id", "a")
    day.done("cut", "accept", "next", "--id", "a")
    assert day.done(*named).out == registered
    assert day.done("pair", "--id", "p").out.replace("Zoe", "Zed") == paired
    assert day.done("cut", "--id", "c", "--json").out.replace("Zoe", "Zed") == seeds


def test_a_key_of_the_log_and_a_fork_are_taken_once(day: Desk) -> None:
    public = next(each["key"] for each in day.done("key", "--json").json if each["holder"] == "log")
    line = ("key", "revoke", public, "--reason", "stolen", "--id", "v", "--json")
    first = day.done(*line).out
    there = keys(day)
    assert day.done(*line).out == first
    assert keys(day) == there
    shutil.copy(day.folder / "tourney.db", day.folder / "copy")
    day.done("register", "Late Comer")
    day.done("checkpoint")
    shutil.copy(day.folder / "copy", day.folder / "tourney.db")
    for path in [*day.folder.glob("tourney.db-shm"), *day.folder.glob("tourney.db-wal")]:
        path.unlink()
    day.refused("post", "standings")
    day.done("checkpoint", "--accept-fork", "--reason", "the disk", "--id", "f")
    log, there = day.log(), keys(day)
    day.done("checkpoint", "--accept-fork", "--reason", "the disk", "--id", "f")
    assert (day.log(), keys(day)) == (log, there)


def test_a_witness_answers_the_same_request_once(day: Desk) -> None:
    first = day.done("witness", "init", "league.example/cup", "--id", "w").out
    assert day.done("witness", "init", "league.example/cup", "--id", "w").out == first
    vkey = day.done("checkpoint", "--policy").out.split()[1]
    for _ in range(2):
        day.done("witness", "trust", vkey, "--id", "t")
    day.done("witness", "ask", "-o", "ask.txt")
    answer = day.done("witness", "cosign", "ask.txt", "--id", "c").out
    assert day.done("witness", "cosign", "ask.txt", "--id", "c").out == answer
    day.done("witness", "ask", "-o", "other.txt")
    assert "another command" in day.refused("witness", "cosign", "other.txt", "--id", "c").err
    (day.folder / "answer.txt").write_text(answer, "utf-8", newline="\r\n")  # as mails have it
    for _ in range(2):
        day.done("witness", "add", "answer.txt", "--id", "a")


def test_a_league_draws_one_pseudonym(day: Desk) -> None:
    line = ("season", "people", "name", "Ann Lee", "--id", "n")
    first = day.done(*line).out
    assert day.done(*line).out == first
    assert len(day.done("season", "people", "--json").json) == 1
    assert "another command" in day.refused("season", "people", "name", "Bo", "--id", "n").err


def test_who_is_forgotten_by_the_league_is_in_no_answer(day: Desk) -> None:
    name = ("season", "people", "name", "Ann Lee", "one", "--id", "n", "--json")
    day.done(*name)
    assert b"Ann Lee" in (day.folder / "league.db").read_bytes()
    by = ("--by", "Kim", "--reason", "asked for")
    forget = ("season", "people", "forget", "one", *by, "--id", "f", "--json")
    first = day.done(*forget).out
    assert b"Ann Lee" not in (day.folder / "league.db").read_bytes()
    assert day.done(*forget).out == first
    assert not (day.folder / ".tourney-answers").exists()


def test_an_import_and_a_restore_say_what_they_took(day: Desk) -> None:
    day.done("backup", "day.backup")
    game = ("--ruleset", "swiss", "--date", "2026-03-14")
    for words in (("restore", "day.backup"), ("import", "rounds.csv", *game)):
        (day.folder / "rounds.csv").write_text("round,player1,player2,result\n1,A,B,win\n", "utf-8")
        line = (*words, "--store", "other.db", "--id", words[0], "--json")
        first = day.done(*line)
        again = day.done(*line)
        assert again.out == first.out
        assert "nothing was written" in again.err


def test_nothing_is_kept_of_an_answer_that_arrived(day: Desk) -> None:
    """Its id was drawn, and nobody knows it."""
    day.done("key", "new", "pat", "--as", "pat")
    day.done("season", "people", "name", "Ann Lee", "one", "--json")
    assert not (day.folder / ".tourney-answers").exists()
    with closing(sqlite3.connect(day.folder / "league.db")) as vault:
        assert not vault.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchall()


def test_a_league_whose_making_was_cut_short_is_made(day: Desk) -> None:
    """The id is looked for where no table is yet, and makes none."""
    (day.folder / "league.db").touch()
    words = ("season", "people", "name", "Ann Lee", "--member", "4711", "--id", "once")
    first = day.done(*words)
    assert day.done(*words).out == first.out
