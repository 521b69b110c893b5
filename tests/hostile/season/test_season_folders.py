"""A season's folder and archive from a stranger: nothing outside is read, written or believed."""

from __future__ import annotations

import hashlib
import html
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from cli.exits import EXITS, FAULT
from ledger.proof.heads import CHECKPOINT, HASHES
from tests.hostile.season.conftest import SECRET
from tests.hostile.season.season_attacks import attacks
from tests.support.stranger import EARLY, LOG, stranger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli_desk import Desk

__all__ = ["stranger"]  # a fixture

STRACE = shutil.which("strace") or ""
EXIT_DAMAGED = 4
HERE, STRANGE, UNSIGNED = "checked here", "by a stranger", "unsigned"


@pytest.fixture
def derived(near: Desk) -> Desk:
    """A desk with a season in the folder `parts`."""
    near.done("season", "derive", "parts", "logs")
    return near


def rewritten(desk: Desk, table: str, asked: str) -> None:
    """Write the parts of a table again as a stranger may, listed as they are then."""
    path = desk.folder / "parts" / "season.json"
    content = json.loads(path.read_text())
    content["head"] = None
    for chunk in content["chunks"]:
        part = chunk["parts"][table]
        file = desk.folder / "parts" / part["file"]
        rows = f"FROM read_parquet('{file}', hive_partitioning = false)"
        with duckdb.connect() as connection:
            made = asked.replace("{rows}", rows)
            found = connection.execute(f"COPY ({made}) TO 'made.parquet' (FORMAT parquet)")
            part["rows"] = (found.fetchone() or (0,))[0]
        os.replace("made.parquet", file)  # noqa: PTH105 - in the desk's folder
        data = file.read_bytes()
        part |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    path.write_text(json.dumps(content))


def words(desk: Desk) -> set[str]:
    return {each["checked"] for each in desk.done("season", "--in", "parts", "--json").json}


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
@pytest.mark.parametrize("verb", [("season",), ("season", "export", "out/flat")])
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


_INJECTED = (
    "rounds\", (SELECT string_agg(content) FROM read_text('.tourney-keys/*.key')) AS \"more"
).replace('"', '""')

REWRITTEN = {
    "SQL in the name of a column": ("stages", f'SELECT *, rounds AS "{_INJECTED}" {{rows}}'),
    "a column more": ("tournaments", "SELECT *, 1 AS more {rows}"),
    "a column less": ("results", "SELECT * EXCLUDE (points1) {rows}"),
    "a column of another type": ("entrants", "SELECT * REPLACE ([1] AS faction) {rows}"),
    "texts for numbers": ("results", "SELECT * REPLACE (points1 || 'x' AS points1) {rows}"),
    "no name": ("tournaments", "SELECT * REPLACE (NULL::VARCHAR AS name) {rows}"),
    "no person": ("people", "SELECT * REPLACE (NULL::VARCHAR AS person) {rows}"),
    "no hash": ("leaves", "SELECT * REPLACE (NULL::BLOB AS hashes) {rows}"),
    "hashes as texts": ("leaves", "SELECT * REPLACE (hashes::VARCHAR AS hashes) {rows}"),
    "a day without end": ("tournaments", "SELECT * REPLACE ('infinity'::DATE AS held_on) {rows}"),
    "another root": ("tournaments", "SELECT * REPLACE (repeat('0', 64) AS root) {rows}"),
    "rows twice": ("tournaments", "(SELECT * {rows}) UNION ALL (SELECT * {rows})"),
    "another tournament": ("people", "SELECT * REPLACE (repeat('0', 32) AS tournament) {rows}"),
}

OF_A_FOLDER: tuple[tuple[str, ...], ...] = (
    ("season", "--in", "parts"),
    ("season", "export", "out/text", "--kind", "csv", "--in", "parts"),
    ("season", "export", "out/season.sqlite", "--in", "parts"),
    ("season", "archive", "out/archive", "--in", "parts"),
    ("season", "site", "out/site", "--scheme", "points.toml", "--in", "parts"),
    ("season", "standings", "--scheme", "points.toml", "--in", "parts"),
    ("season", "restate", "logs/0.jsonl", "--in", "parts"),
    ("stats", "factions", "--in", "parts"),
    ("rating", "elo", "--ruleset", "l5r", "--in", "parts"),
    ("query", "FROM results", "--in", "parts"),
    ("season", "add", "parts", "--in", "out/new.duckdb"),
    ("season", "derive", "parts", "logs/3.jsonl"),
    ("season", "people", "--in", "parts"),
)


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_part_with_other_columns_or_rows_is_refused_by_every_verb(near: Desk, name: str) -> None:
    near.done("season", "derive", "parts", *(f"logs/{number}.jsonl" for number in range(3)))
    rewritten(near, *REWRITTEN[name])
    for typed in OF_A_FOLDER:
        answer = near.type(*typed)
        assert answer.code, typed
        assert answer.code != FAULT, (typed, answer.err)
        assert SECRET not in answer.out + answer.err, typed
    assert list((near.folder / "out").iterdir()) == []


def test_a_strangers_part_puts_no_row_into_a_tournament_that_is_checked_here(near: Desk) -> None:
    """The row is in the stranger's chunk, of another year, which stays as it is."""
    near.done("season", "derive", "zero", "logs/0.jsonl")
    near.done("season", "derive", "parts", *(f"logs/{number}.jsonl" for number in (1, 2, 3)))
    (zero,) = json.loads((near.folder / "zero" / "season.json").read_text())["chunks"]
    forged = (
        "(SELECT * {rows}) UNION ALL (SELECT * REPLACE (99 AS player, 1 AS final_place) "
        f"FROM read_parquet('zero/{zero['parts']['entrants']['file']}', "
        "hive_partitioning = false) LIMIT 1)"
    )
    rewritten(near, "entrants", forged)

    def moved(content: dict[str, object]) -> None:
        chunk: Any
        (chunk,) = content["chunks"]  # type: ignore[misc] # as the file has it
        year, chunk["year"] = chunk["year"], 2025
        for part in chunk["parts"].values():
            old, part["file"] = part["file"], part["file"].replace(f"year={year}", "year=2025")
            place = near.folder / "parts" / part["file"]
            place.parent.mkdir(parents=True)
            shutil.move(near.folder / "parts" / old, place)

    manifest(near, moved)
    answer = near.type("season", "derive", "parts", "logs/0.jsonl")
    assert answer.code == EXIT_DAMAGED, answer.err
    assert near.type("season", "--in", "parts").code == EXIT_DAMAGED


def test_rows_without_lines_replace_none_that_are_checked_here(near: Desk) -> None:
    """Not even rows of the same log with more events: neither a folder nor an archive has heads."""
    whole = (near.folder / "logs" / "0.jsonl").read_bytes().splitlines(keepends=True)
    (near.folder / "begun.jsonl").write_bytes(b"".join(whole[:-1]))
    near.done("season", "add", "begun.jsonl")
    near.done("season", "derive", "parts", "logs/0.jsonl")
    near.done("season", "archive", "out/archive", "--in", "parts")
    for rows in ("parts", "out/archive"):
        answer = near.type("season", "add", rows)
        assert answer.code == 1, answer.out
        assert "add the log itself" in answer.err
        (row,) = near.done("season", "--json").json
        assert (row["checked"], row["size"]) == (HERE, len(whole) - 1)
    near.done("season", "add", "logs/0.jsonl")
    (row,) = near.done("season", "--json").json
    assert (row["checked"], row["size"]) == (HERE, len(whole))


def test_a_head_says_nothing_of_rows_that_came_without_lines(stranger: Desk) -> None:
    early = stranger.folder.parent / EARLY
    stranger.done("season", "derive", "parts", LOG)
    stranger.done("season", "add", "parts")
    stranger.done("season", "add", str(early))
    (row,) = stranger.done("season", "--json").json
    assert (row["signed_size"], row["signed_by"]) == (0, None)


REASON = "the organizer lost the key; it's gone"


@pytest.fixture
def unsigned(stranger: Desk) -> Desk:
    """A season as a file and as a folder, with a log that was taken without its head."""
    for suffix in (CHECKPOINT, HASHES):
        (stranger.folder / f"{LOG}{suffix}").unlink()
    stranger.done("season", "derive", "parts", LOG, "--unsigned", REASON)
    stranger.done("season", "add", LOG, "--unsigned", REASON)
    return stranger


def test_a_reason_goes_where_the_rows_go(unsigned: Desk) -> None:
    unsigned.done("season", "archive", "archive")
    for rows in ("parts", "archive"):
        unsigned.done("season", "add", rows, "--in", f"{rows}.duckdb")
        answer = unsigned.done("season", "--in", f"{rows}.duckdb", "--json")
        assert [each["unsigned_reason"] for each in answer.json] == [REASON], rows
        assert REASON in answer.err


def test_a_reason_is_in_every_file_that_is_made_of_the_season(unsigned: Desk) -> None:
    name = next(iter(json.loads(unsigned.done("season", "--json").out)))["tournament"]
    answer = unsigned.done("season", "export", "flat", "--kind", "csv", "--json")
    assert REASON in str(answer.json["unsigned"])
    head = json.loads((unsigned.folder / "flat" / "season-head.json").read_text("utf-8"))
    assert head["unsigned"] == {name: REASON}
    unsigned.done("season", "export", "flat.sqlite")
    with closing(sqlite3.connect("flat.sqlite")) as file:
        assert file.execute("SELECT * FROM unsigned_logs").fetchall() == [(name, REASON)]
    unsigned.done("season", "site", "pages")
    pages = {page.name: page.read_text("utf-8") for page in unsigned.folder.glob("pages/*.html")}
    assert [name for name, page in pages.items() if REASON not in html.unescape(page)] == []
    assert len(pages) > 4


def test_a_lock_that_is_a_link_makes_no_file(derived: Desk) -> None:
    lock = derived.folder / ".parts.readers.lock"
    lock.unlink()
    lock.symlink_to(derived.folder / "made")
    derived.done("season", "--in", "parts")
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
    derived.done("season", "--in", "parts")

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
    "typed", ["season", "season site site", "stats factions", "query FROM(games)"]
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
