"""A season's folder and archive from a stranger: nothing outside is read, written or believed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest

from cli.exits import EXITS, FAULT
from tests.hostile.season.conftest import SECRET
from tests.hostile.season.season_attacks import attacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Desk

STRACE = shutil.which("strace") or ""
HERE, STRANGE, UNSIGNED = "checked here", "by a stranger", "unsigned"


@pytest.fixture
def derived(near: Desk) -> Desk:
    """A desk with a season in the folder `parts`."""
    near.done("season", "derive", "parts", "logs")
    return near


def words(desk: Desk) -> set[str]:
    return {each["checked"] for each in desk.done("season", "list", "--in", "parts", "--json").json}


def manifest(desk: Desk, change: Callable[[dict[str, object]], object]) -> None:
    path = desk.folder / "parts" / "season.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def a_part(desk: Desk) -> Path:
    return next((desk.folder / "parts" / "results").rglob("*.parquet"))


def linked(desk: Desk) -> None:
    part = a_part(desk)
    shutil.move(part, desk.folder / "elsewhere.parquet")
    part.symlink_to(desk.folder / "elsewhere.parquet")


def linked_folder(desk: Desk) -> None:
    shutil.move(desk.folder / "parts" / "results", desk.folder / "results")
    (desk.folder / "parts" / "results").symlink_to(desk.folder / "results")


def piped(desk: Desk) -> None:
    part = a_part(desk)
    part.unlink()
    os.mkfifo(part)


def a_secret(desk: Desk) -> None:
    part = a_part(desk)
    part.unlink()
    part.symlink_to(desk.folder / ".tourney-keys" / "log-0.key")


def endless(desk: Desk) -> None:
    part = a_part(desk)
    part.unlink()
    part.symlink_to("/dev/zero")


def outside(desk: Desk) -> None:
    def change(content: dict[str, object]) -> None:
        chunk = content["chunks"][0]  # type: ignore[index] # as the file has it
        chunk["parts"]["results"]["file"] = "../.tourney-keys/log-0.key"

    manifest(desk, change)


def retired(desk: Desk) -> None:
    manifest(desk, lambda content: content.update(retired=["../points.toml"]))


def no_form(desk: Desk) -> None:
    (desk.folder / "parts" / "season.json").write_text('{"tourney-season": 1, "tables": [')


@pytest.mark.parametrize(
    "attack",
    [linked, linked_folder, piped, a_secret, endless, outside, retired, no_form],
    ids=lambda attack: attack.__name__,
)
@pytest.mark.parametrize("verb", [("season", "list"), ("season", "export", "out/flat")])
def test_a_folder_keeps_to_itself(
    derived: Desk, attack: Callable[[Desk], None], verb: tuple[str, ...]
) -> None:
    attack(derived)
    for typed in ((*verb, "--in", "parts"), ("season", "derive", "parts", "logs/0.jsonl")):
        answer = derived.type(*typed)
        assert answer.code in EXITS
        assert answer.code != FAULT
        assert SECRET not in answer.out + answer.err
    assert (derived.folder / "points.toml").exists()
    assert derived.type(*verb, "--in", "parts").code in {1, 4}


def test_a_lock_that_is_a_link_makes_no_file(derived: Desk) -> None:
    lock = derived.folder / "parts" / ".readers.lock"
    lock.unlink()
    lock.symlink_to(derived.folder / "made")
    derived.done("season", "list", "--in", "parts")
    assert not (derived.folder / "made").exists()


def test_a_folder_says_whose_it_is(derived: Desk) -> None:
    assert words(derived) == {HERE}
    shutil.rmtree(derived.folder / ".tourney-keys")
    assert words(derived) == {STRANGE}
    manifest(derived, lambda content: content.update(head=None))
    assert words(derived) == {UNSIGNED}
    again = derived.done("season", "derive", "parts", "logs", "--json").json
    assert [each["checked_before"] for each in again] == [0] * 4
    assert words(derived) == {HERE}


def test_a_changed_manifest_is_not_ours(derived: Desk) -> None:
    derived.done("season", "list", "--in", "parts")

    def change(content: dict[str, object]) -> None:
        content["aliases"] = [["", "one", "other"]]

    manifest(derived, change)
    assert words(derived) == {UNSIGNED}


def test_an_archive_gives_rows_of_one_tournament(near: Desk) -> None:
    near.done("season", "add", "logs")
    near.done("season", "archive", "out/archive")
    first, second = sorted((near.folder / "out" / "archive").glob("*.parquet"))[:2]
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT one.* REPLACE (one.results || other.results AS results) "
            f"FROM '{first}' AS one, '{second}' AS other) TO '{near.folder}/both.parquet' "
            "(FORMAT parquet, KV_METADATA {season_format: '8'})"
        )
    shutil.rmtree(near.folder / "out" / "archive")
    (near.folder / "out" / "archive").mkdir()
    shutil.move(near.folder / "both.parquet", first)
    near.done("season", "add", "out/archive", "--in", "back.duckdb")
    with duckdb.connect("back.duckdb", read_only=True) as connection:
        found = connection.execute("SELECT DISTINCT tournament FROM results").fetchall()
    assert found == [(first.name[:32],)]


@pytest.mark.slow
@pytest.mark.skipif(not STRACE, reason="strace is not installed")
@pytest.mark.parametrize("name", ["view tournaments", "macro lower", "view in the log of writes"])
@pytest.mark.parametrize(
    "typed", ["season list", "season site site", "stats factions", "query FROM(games)"]
)
def test_the_system_sees_no_other_file(desk: Desk, genuine: Path, name: str, typed: str) -> None:
    """No call with a path names the secret, in any process that the verb starts."""
    keys = desk.folder / ".tourney-keys"
    keys.mkdir(mode=0o700)
    (keys / "log-0.key").write_text(SECRET)
    attack = next(each for each in attacks() if each.name == name)
    attack.applied(genuine / "season.duckdb", desk.folder / "season.duckdb", keys / "log-0.key")
    verb = [word.replace("(", " ").replace(")", "") for word in typed.split()]
    subprocess.run(
        [STRACE, "-f", "-o", "calls", "-e", "trace=%file", sys.executable, "-m", "cli", *verb],
        cwd=desk.folder,
        capture_output=True,
        timeout=120,
        check=False,
    )
    calls = (desk.folder / "calls").read_text("utf-8", "replace")
    assert "season.duckdb" in calls
    assert "log-0.key" not in calls
