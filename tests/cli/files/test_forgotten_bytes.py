"""After `forget`: a search for the name through every file that tourney wrote, opened or not.

Columns are compressed and pages are packed, so a file is searched as its bytes and as the values
that its own reader gives. That the search would find a name is shown for every kind of file.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from tests.support.cli_desk import typed_once

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

NAME = "Annegret Leverkusen"
PARTS = ("Annegret", "Leverkusen", "Zwischenruf")
OTHERS = ("Bob Rayment", "Cas Dorsey", "Dee Foxwell")
KINDS = {"tourney.db", "tourney.db-vault", "season.duckdb", "league.db", ".parquet", ".jsonl"}


def values_of(path: Path) -> str:
    """Every value that a file's own reader gives."""
    if path.suffix == ".parquet":
        return repr(duckdb.read_parquet(str(path)).fetchall())
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as season:
            tables = season.execute(
                "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() "
                "WHERE NOT internal"
            ).fetchall()
            return repr([season.execute(f'FROM "{table}"').fetchall() for (table,) in tables])
    if path.name.endswith((".db", "-vault")):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            query = "SELECT name FROM sqlite_schema WHERE type = 'table'"
            tables = database.execute(query).fetchall()
            rows = [database.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in tables]
            return repr(rows)
    return ""


def files_with(folder: Path, *parts: str) -> list[str]:
    """Name the files in which one of the texts stands."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and any(part.encode() in path.read_bytes() or part in values_of(path) for part in parts)
    ]


@typed_once
def day(desk: Desk) -> Desk:
    """A finished day with a penalty of hers, in the season and its archive, with her pseudonym."""
    member = desk.done("season", "people", "name", NAME, "--member", "4711").out.split()[0]
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsenowski")
    rows = [f"{NAME},{member}", *(f"{name}," for name in OTHERS)]
    desk.done("register", "--file", "-", stdin="\n".join(["name,league_id", *rows]) + "\n")
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    desk.done("post", "pairings")
    desk.done("penalty", "1", "warning", "--for-what", "Zwischenruf von Annegret Leverkusen")
    desk.report_all()
    table = next(table for table in (1, 2) if 1 in desk.seats(table))
    desk.done("receipt", f"1/{table}", "--slips", "before.html")
    desk.done("finish")
    kept(desk)
    return desk


def kept(desk: Desk) -> None:
    """Export the day, take it into the season, archive and back it up."""
    desk.done("export", "-o", "day.jsonl")
    desk.done("export", "-o", "without.jsonl", "--without-names")
    desk.done("export", "--tiles", "tiles")
    desk.done("season", "add", "tourney.db")
    desk.done("season", "archive", "archive")
    (desk.folder / "day.backup").unlink(missing_ok=True)
    desk.done("backup", "day.backup")


def forgotten(desk: Desk) -> None:
    """Forget her in the event and in the league, and write anew what was given out."""
    (member,) = {row["league_id"] for row in desk.done("season", "people", "--json").json}
    desk.done("forget", "1")
    why = ("--by", "Kim", "--reason", "she asked for it")
    desk.done("season", "people", "forget", member, *why)
    (desk.folder / "before.html").unlink()
    kept(desk)


@pytest.mark.slow
def test_her_name_stands_in_the_league_and_on_paper_alone(day: Desk) -> None:
    """Even before: lines and all that is made of them have it in cipher."""
    assert files_with(day.folder, *PARTS) == ["before.html", "league.db"]


@pytest.mark.slow
def test_no_byte_is_left(day: Desk) -> None:
    forgotten(day)
    kinds = {suffix for path in day.folder.rglob("*") for suffix in (path.name, path.suffix)}
    assert kinds > KINDS
    assert list(day.folder.glob(".tourney-keys/checkpoints/*.json"))
    assert files_with(day.folder, *PARTS) == []
    day.done("verify", "day.jsonl")
    assert OTHERS[0] in day.done("list").out


def plant(path: Path) -> None:
    """Put the name into a file as its own writer would."""
    if path.suffix == ".parquet":
        with duckdb.connect() as writer:
            copied = f"SELECT *, '{NAME}' AS planted FROM read_parquet('{path}')"
            writer.execute(f"CREATE TABLE kept AS {copied}")
            writer.execute(f"COPY kept TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    elif path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as season:
            season.execute(f"CREATE TABLE planted AS SELECT '{NAME}' FROM range(5000)")
    elif path.name.endswith((".db", "-vault")):
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE planted (name TEXT)")
            database.execute("INSERT INTO planted VALUES (?)", (NAME,))
            database.commit()
    else:
        path.write_bytes(path.read_bytes() + NAME.encode())


@pytest.mark.slow
def test_the_search_would_find_it(day: Desk) -> None:
    forgotten(day)
    written = [path for path in sorted(day.folder.rglob("*")) if path.is_file() and path.suffix]
    assert len(written) > len(KINDS)
    for path in written:
        if not path.name.endswith(("-wal", "-shm", ".wal", ".lock")):
            plant(path)
            found = files_with(day.folder, NAME)
            assert {each.removesuffix("-wal") for each in found} >= {
                str(path.relative_to(day.folder))
            }
