"""Forged heads of a season: rows that no key of this machine covers are never "checked here"."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import duckdb
import pytest

from ledger.proof.notes import signer, vkey
from projections.season.tables.database import open_season
from projections.season.tables.definitions import tables
from projections.season.tables.season_head import seal
from projections.season.tables.signed_heads import ORIGIN
from tests.support.season import take_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from ledger.proof.notes import Signer
    from tests.support.cli_desk import Desk

HERE, STRANGE, UNSIGNED = "checked here", "by a stranger", "unsigned"
FILE = "season.duckdb"


def thief() -> Signer:
    """The key of another machine."""
    return signer(f"{ORIGIN}{'7' * 32}", b"t" * 32)


def words(desk: Desk, file: str = FILE) -> list[str]:
    """What is said of each tournament, in one order."""
    rows = desk.done("season", "--in", file, "--json").json
    return [each["checked"] for each in sorted(rows, key=lambda each: each["tournament"])]


@pytest.fixture
def signed(near: Desk) -> Desk:
    """A desk with a season of its own logs."""
    near.done("season", "add", "logs")
    return near


def tampered(desk: Desk, change: Callable[[DuckDBPyConnection], object]) -> list[str]:
    """Change a season's file as any program can, and return what is said of it then."""
    with duckdb.connect(str(desk.folder / FILE)) as connection:
        change(connection)
    return words(desk)


def test_rows_derived_here_are_said_to_be(signed: Desk) -> None:
    assert words(signed) == [HERE] * 4
    shutil.copy(FILE, "copy.duckdb")
    assert words(signed, "copy.duckdb") == [HERE] * 4


@pytest.mark.slow
def test_another_machine_is_a_stranger(signed: Desk) -> None:
    shutil.rmtree(signed.folder / ".tourney-keys")
    assert words(signed) == [STRANGE] * 4
    signed.done("season", "add", "logs", "--in", "other.duckdb")  # which makes a key here
    assert words(signed) == [STRANGE] * 4
    assert words(signed, "other.duckdb") == [HERE] * 4


def test_a_policy_names_a_season_key(signed: Desk) -> None:
    (key,) = duckdb.connect(FILE, read_only=True).execute("SELECT key FROM season_head").fetchall()
    shutil.rmtree(signed.folder / ".tourney-keys")
    for name, said in ((key[0], HERE), (vkey(thief().key), STRANGE)):
        (signed.folder / "policy").write_text(f"log {name}\nquorum none\n")
        rows = signed.done("season", "--policy", "policy", "--json").json
        assert {each["checked"] for each in rows} == {said}
    with duckdb.connect(FILE) as connection:
        connection.execute("UPDATE results SET points1 = 0")
    (signed.folder / "policy").write_text(f"log {key[0]}\nquorum none\n")
    rows = signed.done("season", "--policy", "policy", "--json").json
    assert {each["checked"] for each in rows} == {UNSIGNED}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["file", "folder"])
def test_without_a_memory_limit_only_own_seasons_are_asked(signed: Desk, form: str) -> None:
    """As on Windows and macOS: one sentence, before a row of the season is read."""
    question, file = "SELECT count(*) AS days FROM tournaments", FILE
    if form == "folder":
        signed.done("season", "derive", "parts", "logs")
        file = "parts"
    signed.patch.setattr("cli.season.opening.has_memory_limit", lambda: False)
    assert signed.done("query", question, "--in", file, "--json").json == [{"days": 4}]
    assert signed.type("query", question, "--in", "none.duckdb").err.endswith("`season add PATH`\n")
    shutil.rmtree(signed.folder / ".tourney-keys")
    signed.patch.setattr("cli.season.opening.sandbox.bounded", pytest.fail)
    answer = signed.refused("query", question, "--in", file)
    text = "this system cannot limit the memory of a question to it: make the season here"
    assert f"{file} was not made on this computer, and {text}" in answer.err


def test_an_earlier_file_is_signed_by_the_next_add(near: Desk, genuine: Path) -> None:
    shutil.copy(genuine / FILE, near.folder)
    assert words(near) == [UNSIGNED] * 4
    near.done("stats", "factions")
    near.done("season", "add", "logs/1.jsonl")
    assert sorted(words(near)) == [HERE, UNSIGNED, UNSIGNED, UNSIGNED]
    near.done("season", "add", "logs")
    assert words(near) == [HERE] * 4


@pytest.mark.parametrize("table", [table.name for table in tables()])
def test_a_changed_row_is_not_checked(signed: Desk, table: str) -> None:
    """One row less in a table: its tournament is said to be unsigned, and no other."""
    asked = f"SELECT tournament FROM {table} ORDER BY 1 LIMIT 1"
    with duckdb.connect(FILE) as connection:
        found = connection.execute(asked).fetchone()
        if found is None or table == "tournaments":
            connection.execute(f"INSERT INTO {table} (SELECT * FROM {table} LIMIT 0)")
            return
        of_one = f"rowid = (SELECT min(rowid) FROM {table} WHERE tournament = ?)"
        connection.execute(f"DELETE FROM {table} WHERE {of_one}", [found[0]])
    answer = signed.done("season", "--json")
    said = {each["tournament"]: each["checked"] for each in answer.json}
    assert said.pop(found[0]) == UNSIGNED
    assert set(said.values()) == {HERE}
    assert "the rows of 1 tournament are not those that were signed" in answer.err


CHANGES = {
    "a name": "UPDATE tournaments SET name = 'Other' WHERE ruleset = 'l5r'",
    "a winner": "UPDATE tournaments SET winner = 1 + winner WHERE ruleset = 'l5r'",
    "a score": "UPDATE results SET points1 = points1 + 1 WHERE match = 1",
    "a person": "UPDATE people SET person = 'other' WHERE player = 1",
    "an alias": "INSERT INTO aliases VALUES ('', 'one', 'other')",
    "another tournament's rows": (
        "UPDATE tournaments SET tournament = CASE tournament "
        "WHEN (SELECT min(tournament) FROM tournaments) THEN (SELECT max(tournament) FROM "
        "tournaments) WHEN (SELECT max(tournament) FROM tournaments) THEN (SELECT min(tournament) "
        "FROM tournaments) ELSE tournament END"
    ),
    "a tournament less": (
        "DELETE FROM row_digests WHERE tournament = (SELECT min(tournament) FROM tournaments);"
        "DELETE FROM tournaments WHERE tournament = (SELECT min(tournament) FROM tournaments)"
    ),
    "a digest less": "DELETE FROM row_digests WHERE rowid = 0",
    "other digests": f"UPDATE row_digests SET rows = '{'0' * 64}'",
    "digests exchanged": "UPDATE row_digests SET rows = persons, persons = rows",
    "another number": "UPDATE season_head SET number = number + 1",
    "two heads": "INSERT INTO season_head FROM season_head",
    "no head": "DELETE FROM season_head",
    "no note": "UPDATE season_head SET note = ''",
    "a note of no form": "UPDATE season_head SET note = repeat('x', 100000)",
    "another key": f"UPDATE season_head SET key = '{vkey(thief().key)}'",
    "no key": "UPDATE season_head SET key = 'none'",
    "a larger size": "UPDATE season_head SET note = replace(note, chr(10) || '5' || chr(10), "
    "chr(10) || '6' || chr(10))",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_changed_is_not_checked(signed: Desk, change: str) -> None:
    assert words(signed) == [HERE] * 4
    said = tampered(signed, lambda connection: connection.execute(change))
    assert UNSIGNED in said
    assert STRANGE not in said


@pytest.mark.slow
def test_an_earlier_head_covers_no_later_rows(near: Desk) -> None:
    near.done("season", "add", "logs/0.jsonl", "logs/1.jsonl")
    shutil.copy(FILE, "early.duckdb")
    near.done("season", "add", "logs")
    with duckdb.connect(FILE) as connection:
        connection.execute("ATTACH 'early.duckdb' AS early (READ_ONLY)")
        for table in ("season_head", "row_digests"):
            connection.execute(f"DELETE FROM {table}; INSERT INTO {table} FROM early.{table}")
    assert sorted(words(near)) == [HERE, HERE, UNSIGNED, UNSIGNED]
    with duckdb.connect(FILE) as connection:
        connection.execute("UPDATE results SET points1 = 0")
    assert words(near) == [UNSIGNED] * 4
    assert "an earlier state" in near.done("season", "--in", "early.duckdb").err


def test_rows_signed_by_another_key_are_a_strangers(signed: Desk) -> None:
    """All is in order but the key: it is that of another machine, whatever it is called."""
    with open_season(signed.folder / FILE) as connection:
        connection.execute("UPDATE results SET points1 = 0")
        made = [
            each for (each,) in connection.execute("SELECT tournament FROM tournaments").fetchall()
        ]
        seal(connection, made, thief)
    assert words(signed) == [STRANGE] * 4
    own = next((signed.folder / ".tourney-keys").glob("season-*.key")).read_text()
    named = signer(own.split("+")[2], b"t" * 32)
    with open_season(signed.folder / FILE) as connection:
        seal(connection, made, lambda: named)
    assert words(signed) == [STRANGE] * 4


@pytest.mark.slow
def test_a_strangers_rows_are_derived_again(signed: Desk) -> None:
    """What is added to a stranger's season is signed here; what is only in it never is."""
    with open_season(signed.folder / FILE) as connection:
        connection.execute("UPDATE results SET points1 = 0")
        found = connection.execute("SELECT tournament FROM tournaments").fetchall()
        seal(connection, [each for (each,) in found], thief)
    assert signed.done("season", "add", "logs/2.jsonl", "--json").json[0]["fate"] == "known"
    assert sorted(words(signed)) == [HERE, UNSIGNED, UNSIGNED, UNSIGNED]
    signed.done("season", "add", "logs")
    assert words(signed) == [HERE] * 4
    with duckdb.connect(FILE, read_only=True) as connection:
        assert connection.execute("SELECT max(points1) FROM results").fetchone() != (0,)


@pytest.mark.slow
def test_what_a_stranger_says_was_checked_is_checked(signed: Desk) -> None:
    shutil.rmtree(signed.folder / ".tourney-keys")
    taken = signed.done("season", "rebuild", "--known", "logs", "--json").json
    assert [each["checked_before"] for each in taken] == [0] * 4
    again = signed.done("season", "rebuild", "--known", "logs", "--json").json
    assert all(each["checked_before"] for each in again)


def test_an_export_has_the_head(signed: Desk) -> None:
    signed.done("season", "export", "out/flat")
    head = json.loads((signed.folder / "out" / "flat" / "season-head.json").read_text())
    assert len(head["lines"]) == 5
    assert head["key"].startswith(ORIGIN)
    assert head["note"].splitlines()[1] == "5"


def test_an_export_of_unsigned_rows_has_none(near: Desk) -> None:
    take_in(near.folder / FILE, near.folder / "logs")
    near.done("season", "export", "out/flat")
    head = json.loads((near.folder / "out" / "flat" / "season-head.json").read_text())
    assert head == {"note": None, "key": None, "lines": []}


@pytest.mark.slow
def test_an_archive_taken_back_is_unsigned(signed: Desk) -> None:
    signed.done("season", "archive", "out/archive")
    signed.done("season", "add", "out/archive", "--in", "back.duckdb")
    assert set(words(signed, "back.duckdb")) == {UNSIGNED}
    signed.done("season", "add", "logs", "--in", "back.duckdb")
    assert words(signed, "back.duckdb") == [HERE] * 4
