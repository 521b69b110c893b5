"""The SQLite store: durable or refused, and one clear line for each way a file can fail."""

from __future__ import annotations

import errno
import gc
import os
import shutil
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import StoreUnavailable
from ledger.store import open_store
from ledger.store.base import FORMAT
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite_files import LinePool, SQLiteLines
from tests.support.store_fixtures import Desk

A = "a" * 32


def append(store: SQLiteStore, *lines: bytes) -> None:
    """Append lines behind what is there."""
    store.transact(A, store.size(A), lambda _: [("Noted", line) for line in lines])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three lines, closed."""
    made = tmp_path / "tourney.db"
    with SQLiteStore(str(made)) as store:
        append(store, b"1", b"2", b"3" * 9_000)
        store.vault_put(A, "key", b"secret")
    return made


def use(path: Path) -> None:
    """Open a store, read it and append to it."""
    with open_store(str(path)) as store:
        assert store.lines(A)[-1] == b"3" * 9_000
        store.transact(A, 3, lambda _: [("Noted", b"4")])


def refusal(path: Path) -> str:
    """The one line that using a store comes to."""
    with pytest.raises(StoreUnavailable) as caught:
        use(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_every_connection_keeps_what_it_acknowledges(path: Path) -> None:
    datastore = SQLiteLines(path, create=False)
    with SQLiteStore(str(path)) as store:
        append(store, b"4")
        with store._datastore.get_connection(commit=True) as used:
            cursor = used.cursor().sqlite_cursor
            assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] == 30_000
    try:
        for _ in range(2):
            with (
                datastore.get_connection(commit=True) as one,
                datastore.get_connection(commit=False) as two,
            ):
                for connection in (one, two):
                    cursor = connection.cursor().sqlite_cursor
                    assert cursor.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
                    assert cursor.execute("PRAGMA synchronous").fetchone()[0] == 2
                    assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] == 30_000
    finally:
        datastore.close()


@pytest.mark.parametrize("lost", ["PRAGMA synchronous = FULL", "PRAGMA journal_mode = WAL"])
def test_a_connection_that_would_keep_less_is_refused(
    path: Path, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaker = {lost: lost.replace("FULL", "NORMAL").replace("WAL", "DELETE")}

    class Careless(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as its base
            return super().execute(weaker.get(sql, sql), values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Careless))
    assert "cannot be stored durably there" in refusal(path)


def test_a_commit_is_synchronous_in_the_vault_too(path: Path) -> None:
    with SQLiteStore(str(path)) as store, store._vault._open() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 3
        assert connection.execute("PRAGMA secure_delete").fetchone()[0] == 1


def test_the_vault_is_its_owners_alone_and_forgets_in_its_file(path: Path) -> None:
    vault = path.with_name("tourney.db-vault")
    assert vault.stat().st_mode & 0o777 == 0o600
    with SQLiteStore(str(path)) as store:
        names = [f"p{number}" for number in range(20)]
        store.vault_put_all(A, dict.fromkeys(names, b"a person's very own key"))
        assert b"very own key" in vault.read_bytes()
        for name in names:
            store.vault_delete(A, name)
    assert b"very own key" not in vault.read_bytes()
    assert b"secret" in vault.read_bytes()
    assert not any(
        b"secret" in each.read_bytes() for each in path.parent.glob("tourney.db*") if each != vault
    )


def test_reading_secrets_makes_no_vault(tmp_path: Path) -> None:
    with SQLiteStore(str(tmp_path / "new.db")) as store:
        assert store.vault_items(A) == {}
        store.vault_delete(A, "key")
    assert [each.name for each in tmp_path.iterdir()] == ["new.db"]


@pytest.mark.parametrize("name", ["a b.db", "per%20cent.db", "what?mode=memory", "#1", "naïve.db"])
def test_any_name_is_a_file_name(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with SQLiteStore(name) as store:
        append(store, b"1")
        store.vault_put(A, "key", b"secret")
    assert sorted(each.name for each in tmp_path.iterdir()) == [name, f"{name}-vault"]
    with SQLiteStore(name, create=False) as store:
        assert store.lines(A) == [b"1"]


def test_a_directory_is_no_store(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path} is a directory; name a file in it"


def test_a_missing_directory_is_not_made(tmp_path: Path) -> None:
    assert "its directory does not exist" in refusal(tmp_path / "none" / "tourney.db")
    assert "cannot be" in refusal(Path(f"/{'x' * 300}/tourney.db"))


@pytest.mark.parametrize("content", [b"%PDF-1.7 " * 400, b"xy", b"{}\n" * 9])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "thesis.pdf"
    path.write_bytes(content)
    assert "is not a tourney store" in refusal(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    assert "another program's database" in refusal(path)
    assert path.read_bytes() == before


def test_another_releases_store_is_left_alone(path: Path) -> None:
    for version, said in (
        (FORMAT + 1, "a newer release"),
        (FORMAT - 1, "use tourney 0.1.0 to read it"),
    ):
        with closing(sqlite3.connect(path)) as other:
            other.execute(f"PRAGMA user_version = {version}")
        assert said in refusal(path)


def test_a_file_that_was_cut_off_anywhere_says_so(path: Path) -> None:
    content = path.read_bytes()
    for length in (*range(2, len(content), 3_001), len(content) - 4_096, len(content) - 1):
        path.write_bytes(content[:length])
        assert "damaged" in refusal(path) or "not a database" in refusal(path)


def test_a_schema_that_is_no_text_any_more_says_so(path: Path) -> None:
    """SQLite quotes it in its error, which Python then cannot read."""
    content = path.read_bytes()
    assert b"CREATE TABLE tourney_streams" in content
    path.write_bytes(
        content.replace(b"CREATE TABLE tourney_streams", b"CREATE \xdcABLE tourney_streams")
    )
    assert "damaged" in refusal(path)


def test_a_row_that_holds_no_line_is_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a flipped bit in the header of a row makes it: a number where bytes were."""
    with SQLiteStore(str(path)) as store:
        read = store._read
        monkeypatch.setattr(store, "_read", lambda *w: [(*row[:-1], 7) for row in read(*w)])
        for ask in (store.lines, store.entries, lambda stream: store.lines_of(stream, ["Noted"])):
            with pytest.raises(StoreUnavailable, match="is damaged"):
                ask(A)


def test_a_log_that_was_emptied_is_not_begun_anew(path: Path) -> None:
    path.write_bytes(b"")
    assert "is empty, but its vault is not" in refusal(path)
    path.unlink()
    assert "is empty, but its vault is not" in refusal(path)
    shutil.move(f"{path}-vault", path.with_name("aside"))
    SQLiteStore(str(path)).close()


def test_a_line_that_is_missing_is_noticed(path: Path) -> None:
    with closing(sqlite3.connect(path)) as attacker:
        attacker.execute("DROP TRIGGER tourney_no_delete")
        attacker.execute("DELETE FROM tourney_events WHERE originator_version = 2")
        attacker.commit()
    with (
        SQLiteStore(str(path)) as store,
        pytest.raises(StoreUnavailable, match="1 of the 3 events"),
    ):
        store.transact(A, 1, lambda _: [("Noted", b"4")])


def test_a_damaged_vault_is_named(path: Path) -> None:
    vault = path.with_name("tourney.db-vault")
    vault.write_bytes(b"x" * 5_000)
    with SQLiteStore(str(path)) as store, pytest.raises(StoreUnavailable) as caught:
        store.vault_get(A, "key")
    assert str(caught.value).startswith(f"{vault} is not a tourney store")


def test_a_store_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")  # here SQLite itself would not wait
        release = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
        release.start()
        with SQLiteStore(str(path)) as store:
            append(store, b"1")
        assert not release.is_alive()


def test_a_writer_that_never_ends_is_not_waited_for_without_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.sqlite_files.LOCK_SECONDS", 0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = refusal(path)
        assert "is busy: another program has been writing to it" in said
        assert said.endswith("; nothing was written")
        other.execute("ROLLBACK")
    with SQLiteStore(str(path)) as store:
        append(store, b"4")


needs_rights = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)


@needs_rights
def test_a_directory_without_the_right_to_write_says_so(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        assert "cannot be" in refusal(path)
        assert "cannot be opened" in refusal(path.with_name("new.db"))
    finally:
        path.parent.chmod(0o755)


@needs_rights
def test_a_file_without_the_right_to_write_says_so(path: Path) -> None:
    path.chmod(0o444)
    assert "cannot be written to" in refusal(path)
    path.chmod(0o000)
    assert "cannot be opened" in refusal(path)


@needs_rights
def test_a_directory_without_the_right_to_look_in_says_so(path: Path) -> None:
    path.parent.chmod(0o000)
    try:
        assert "cannot be opened: Permission denied" in refusal(path)
    finally:
        path.parent.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="no file size limits here")
@pytest.mark.parametrize("limit", [100_000, 300_000, 1_000_000])
def test_a_full_disk_loses_nothing_and_is_survived(path: Path, limit: int) -> None:
    desk = Desk("cramped", str(path), A, str(limit))
    desk.go()
    acknowledged, _, said = desk.end().partition(" ")
    assert f"{path} cannot" in said
    assert "disk is full" in said
    assert said.endswith("repeat it with the same id")
    with SQLiteStore(str(path)) as store:
        stored = store.size(A)
        assert 0 <= stored - int(acknowledged) <= 1
        assert len(store.lines(A)) == stored
        append(store, b"there is room again")
        assert store.size(A) == stored + 1


def test_a_failed_commit_leaves_the_store_usable(path: Path) -> None:
    with SQLiteStore(str(path)) as store:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                store.transact(A, 3, lambda _: [("Noted", b"%d" % (1 // 0))])
        thread = threading.Thread(target=append, args=(store, b"4"))
        thread.start()
        thread.join()
        assert store.size(A) == 4


def test_a_file_that_cannot_be_looked_at_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pool that was never opened has nothing to close, and says nothing when it goes."""

    def fails(_: Path) -> bool:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("ledger.store.sqlite_files.is_read_only", fails)
    noticed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", noticed.append)
    with pytest.raises(OSError, match="No space"):
        LinePool(tmp_path / "day.db", create=True)
    gc.collect()
    assert not noticed
