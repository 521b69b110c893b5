"""Everything that the program made at commit cba5ce01 opens, reads, answers and goes on as it did.

The set and its answers were made by `make.py` at that commit and are not made again: what fails
here has changed for people who have such files. A stricter rule is for new logs alone.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger import fold
from ledger.facts.results import ResultReported
from ledger.proof.formats import Tree, leaf_hash
from tests.kept.asking import (
    ACTS,
    ANSWERED_AS,
    ASKED,
    SLOWER,
    STATS,
    answers,
    asked,
    covers,
    done_next,
    files_of,
    lasting_rows,
    log_answers,
    questions_of,
)
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk

SAMPLES = ROOT / "sample_logs"


def lines_of(text: str) -> list[bytes]:
    return [line for line in text.encode().splitlines() if line.startswith(b'{"seq"')]


@pytest.mark.parametrize("name", answers()["sample_logs"])
def test_a_sample_log_comes_to_what_it_came_to(name: str) -> None:
    found = log_answers(SAMPLES / name)
    assert covers(found, answers()["sample_logs"][name]) == []


def test_a_log_of_the_set_comes_to_what_it_came_to(kept: Path) -> None:
    for name, then in answers()["logs"].items():
        assert covers(log_answers(kept / name), then, name) == []


def wrong(desk: Desk, scene: str, questions: tuple[str, ...]) -> list[str]:
    """The questions that are answered otherwise, each with the places of its answer."""
    then = answers()[f"asked {scene}"]
    return [
        text
        for each in questions
        for text in covers(
            lasting_rows(each, asked(desk, each)),
            lasting_rows(each, then[ANSWERED_AS.get(each, each)]),
            each,
        )
    ]


@pytest.mark.parametrize("scene", ASKED)
def test_a_folder_gives_the_answers_that_it_gave(scene: str, at: Callable[[str], Desk]) -> None:
    assert wrong(at(scene), scene, ASKED[scene]) == []


@pytest.mark.slow
@pytest.mark.parametrize("scene", SLOWER)
def test_a_folder_gives_all_the_answers_that_it_gave(scene: str, at: Callable[[str], Desk]) -> None:
    assert wrong(at(scene), scene, questions_of(scene)) == []


@pytest.mark.slow
def test_a_folder_of_parquet_files_answers_as_the_file(at: Callable[[str], Desk]) -> None:
    desk, then = at("season"), answers()["asked season"]
    for name in STATS:
        question = f"stats {name} --json"
        found = lasting_rows(question, asked(desk, f"{question} --in derived"))
        assert covers(found, lasting_rows(question, then[question]), name) == []


@pytest.mark.parametrize("scene", ACTS)
def test_an_event_goes_on_from_the_head_that_was_kept(
    scene: str, at: Callable[[str], Desk]
) -> None:
    desk = at(scene)
    before = lines_of(desk.done("export", "--without-names").out)
    for act in ACTS[scene]:
        done_next(desk, act)
    after = lines_of(desk.done("export", "--without-names").out)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    desk.done("verify")
    desk.done("export", "-o", "next.jsonl")
    desk.done("replay", "next.jsonl")
    if scene != "foreign":
        head = answers()[f"asked {scene}"]["checkpoint --json"]["json"]
        tree = Tree()
        for line in after[: head["size"]]:
            tree.add(leaf_hash(line))
        assert tree.root().hex() == head["root"]
        assert asked(desk, "checkpoint --json")["json"]["size"] == len(after)


def test_a_head_of_before_and_the_next_one_are_of_one_history(at: Callable[[str], Desk]) -> None:
    desk = at("hall")
    desk.done("report", "2", f"#{desk.seats(2)[0]}")
    desk.done("checkpoint")
    desk.done("export", "-o", "next.jsonl")
    answer = desk.done("diff", "hall.jsonl", "next.jsonl", "--policy", "policy")
    assert answer.code == 0
    desk.done("verify", "next.jsonl", "--policy", "policy", "--head", "hall.jsonl.checkpoint")


@pytest.mark.parametrize("name", ["plain", "passphrase", "reader"])
def test_a_backup_is_restored(name: str, at: Callable[[str], Desk]) -> None:
    """Into an empty store, and into the one that it is of, where it has nothing to add."""
    desk = at("forgotten")
    then = answers()["asked forgotten"]
    desk.done("--store", "empty.db", "restore", f"{name}.backup")
    found = asked(desk, "export --without-names --store empty.db")
    assert covers(found, then["export --without-names"]) == []
    people = asked(desk, "list --all --json --store empty.db")
    assert covers(people, then["list --all --json"]) == []
    desk.done("--store", "tourney.db", "restore", f"{name}.backup")
    assert covers(asked(desk, "export --store tourney.db"), then["export"]) == []


def test_a_backup_is_restored_on_another_machine(at: Callable[[str], Desk]) -> None:
    """Where there is no key and no memory of the event."""
    desk = at("hall")
    for name in (".tourney-keys", ".tourney", "tourney.db", "tourney.db-vault", "public"):
        place = desk.folder / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    desk.done("restore", "hall.backup")
    then = answers()["asked hall"]
    for each in ("export --without-names", "list --all --json", "pairings --json"):
        assert covers(asked(desk, each), then[each], each) == []


@pytest.mark.parametrize("scene", ["hall", "finished"])
def test_a_published_folder_is_published_again(scene: str, at: Callable[[str], Desk]) -> None:
    desk = at(scene)
    then = {path.name for path in (desk.folder / "public").iterdir()}
    desk.done("publish", "public")
    assert then <= {path.name for path in (desk.folder / "public").iterdir()}


def test_a_store_on_postgresql_answers_and_goes_on(
    at: Callable[[str], Desk], new_postgres: Callable[[], str]
) -> None:
    """The tables, functions and rows that `restore skirmish.backup` made in a database."""
    import psycopg  # noqa: PLC0415 - the tests on SQLite do without it

    desk, place = at("skirmish"), new_postgres()
    with psycopg.connect(place, autocommit=True) as connection:
        row = connection.execute("SELECT current_schema()").fetchone()
        assert row
        dump = Path(__file__).with_name("postgres.sql").read_text("utf-8")
        connection.execute(re.sub(r"\bpublic\b", row[0], dump).encode())
    desk.done("--store", place, "use", "Blue Bridge")
    assert wrong(desk, "skirmish", ASKED["skirmish"]) == []
    for act in ACTS["skirmish"]:
        done_next(desk, act)
    desk.done("verify")


def test_tiles_are_those_that_were_written(at: Callable[[str], Desk]) -> None:
    desk = at("finished")
    place = desk.folder / "tiles"
    then = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    desk.done("export", "--tiles", "tiles")
    desk.done("export", "--tiles", "fresh")
    for path, data in then.items():
        if "tile" in path.relative_to(place).parts:
            assert path.read_bytes() == data
            assert (desk.folder / "fresh" / path.relative_to(place)).read_bytes() == data


def test_an_archive_is_taken_back(at: Callable[[str], Desk]) -> None:
    """It has no heads: a program may ask why such logs are taken, and gets a reason."""
    desk = at("season")
    words = ("season", "add", "archive", "--in", "again.duckdb")
    if desk.type(*words).code:
        desk.done(*words, "--unsigned", "an archive of before")
    found = asked(desk, "season list --in again.duckdb --json")["json"]
    then = answers()["asked season"]["season list --json"]["json"]
    named = ("tournament", "name", "held_on", "entrants", "rounds", "size", "finished")
    assert [[row[name] for name in named] for row in found] == [
        [row[name] for name in named] for row in then
    ]


def of_one_edition(now: Mapping[str, Any]) -> list[str]:
    """The files of before that are gone, or have other bytes under the edition that they had."""
    then = answers()["shipped"]
    return [
        name
        for name, file in then.items()
        if name not in now or (now[name]["edition"] == file["edition"] and now[name] != file)
    ]


def test_a_shipped_game_changes_with_its_edition_alone() -> None:
    assert of_one_edition(files_of(ROOT / "ledger")) == []


def test_the_guard_sees_a_changed_byte_of_a_log(kept: Path, tmp_path: Path) -> None:
    whole = (kept / "hall" / "hall.jsonl").read_bytes()
    for place in range(0, len(whole), len(whole) // 40):
        path = tmp_path / "hall.jsonl"
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert covers(log_answers(path), answers()["logs"]["hall/hall.jsonl"])


@pytest.mark.parametrize("item", ["master:p1", "master:o1", "links-key", "text:30604d55%"])
def test_the_guard_sees_a_lost_secret_of_a_vault(item: str, at: Callable[[str], Desk]) -> None:
    desk = at("hall")
    vault = sqlite3.connect(desk.folder / "tourney.db-vault")
    assert vault.execute("DELETE FROM vault WHERE name LIKE ?", (item,)).rowcount == 1
    vault.commit()
    vault.close()
    assert wrong(desk, "hall", ASKED["hall"])


def test_the_guard_sees_another_worth_of_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "earlier/l5r/library-night-12.jsonl"
    then = answers()["sample_logs"][name]
    assert covers(log_answers(SAMPLES / name), then) == []
    before = fold.APPLY[ResultReported]

    def reported(tournament: Tournament, event: ResultReported, recorded: Recorded) -> None:
        before(tournament, event, recorded)
        tournament.rounds[-1].points[1] += 1

    monkeypatch.setattr(fold, "APPLY", dict(fold.APPLY) | {ResultReported: reported})
    assert covers(log_answers(SAMPLES / name), then)


def test_the_guard_sees_a_game_that_changes_within_its_edition(tmp_path: Path) -> None:
    for kind in ("rulesets", "formats"):
        shutil.copytree(ROOT / "ledger" / kind / "games", tmp_path / kind / "games")
    path = tmp_path / "rulesets" / "games" / "l5r.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("points = 10\n", "points = 9\n"), "utf-8")
    assert path.read_text("utf-8") != text
    assert of_one_edition(files_of(tmp_path)) == ["rulesets/games/l5r.toml"]


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ({"a": 1}, {"a": 2}), ({}, {"a": None}), ([1], [1, 2]), ([2, 1], [1, 2]),
        ({"a": [{"b": 1.5}]}, {"a": [{"b": 1.6}]}), ({"a": "1"}, {"a": 1}), (True, 1),
    ],
)  # fmt: skip
def test_the_guard_sees_another_value(now: object, then: object) -> None:
    assert covers(now, then)
    assert covers({"a": 1, "more": 2}, {"a": 1}) == []
