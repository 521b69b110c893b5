"""Backup and restore: log and vault to another store, of either kind, or refused as a whole."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.errors import StoreUnavailable
from ledger.store import backup
from ledger.store import open_store
from tests.store_fixtures import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Store

BACKUP = b'{"tourney-backup":1}\n'
MANY = b'{"kind":"log","stream":"%s","events":1000000,"secrets":{}}\n' % (b"a" * 32)
A, B, C = "a" * 32, "b" * 32, "c" * 32


def append(store: Store, stream: str, *lines: bytes) -> None:
    """Append lines behind what is there."""
    store.transact(stream, store.size(stream), lambda _: [("Noted", line) for line in lines])


def contents(store: Store) -> dict[str, object]:
    """All that a store holds."""
    return {each: (store.entries(each), store.vault_items(each)) for each in store.streams()}


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A place for a backup."""
    return str(tmp_path / "event.backup")


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_brings_log_and_vault_to_the_other_store(
    new_location: Callable[[str], str], source: str, target: str, path: str
) -> None:
    with open_store(new_location(source)) as old, open_store(new_location(target)) as new:
        old.transact(B, 0, lambda _: [("Opened@2", b'{"seq":1}'), ("Noted", b" {} \xff\0 ")])
        append(old, A, *[b"%d" % number for number in range(2_500)])
        old.vault_put(B, "shuffle_key", bytes(range(256)))
        old.vault_put(A, "p1", b"")
        assert old.backup(path) == {B: 2, A: 2_500}
        assert new.restore(path) == {B: 2, A: 2_500}
        assert contents(new) == contents(old)
        assert new.streams() == [B, A]
        assert new.restore(path) == {B: 0, A: 0}
        assert contents(new) == contents(old)


def test_one_tournament_is_taken_alone(store: Store, path: str, tmp_path: Path) -> None:
    append(store, A, b"1")
    append(store, B, b"1")
    assert store.backup(path, [B]) == {B: 1}
    with open_store(str(tmp_path / "new.db")) as new:
        assert new.restore(path) == {B: 1}
        assert new.streams() == [B]
    with pytest.raises(NotFound, match=f"no tournament {C}"):
        store.backup(path, [A, C])


def test_a_longer_backup_brings_the_rest(store: Store, path: str, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ahead.db")) as ahead:
        append(store, A, b"1", b"2")
        append(ahead, A, b"1", b"2", b"3", b"4")
        store.vault_put(A, "forgotten", b"person")
        store.vault_put(A, "renewed", b"old")
        ahead.vault_put(A, "renewed", b"new")
        ahead.backup(path)
        assert store.restore(path) == {A: 2}
        assert contents(store) == contents(ahead)


def test_an_equal_backup_only_brings_secrets_that_are_missing(store: Store, path: str) -> None:
    append(store, A, b"1")
    store.vault_put(A, "lost", b"secret")
    store.vault_put(A, "changed", b"then")
    store.backup(path)
    store.vault_delete(A, "lost")
    store.vault_put(A, "changed", b"now")
    store.vault_put(A, "added", b"later")
    assert store.restore(path) == {A: 0}
    assert store.vault_items(A) == {"added": b"later", "changed": b"now", "lost": b"secret"}


def test_a_backup_in_the_middle_of_an_event_is_of_one_moment(
    store: Store, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(store, A, b"1", b"2")
    secrets = store.vault_items

    def busy(stream: str) -> dict[str, bytes]:
        append(store, A, b"another desk writes on")
        return secrets(stream)

    monkeypatch.setattr(store, "vault_items", busy)
    assert store.backup(path) == {A: 2}
    assert store.size(A) == 3
    with open_store(str(tmp_path / "new.db")) as new:
        assert new.restore(path) == {A: 2}
        assert new.lines(A) == [b"1", b"2"]


def test_an_older_or_different_backup_is_refused_as_a_whole(
    store: Store, path: str, tmp_path: Path
) -> None:
    with open_store(str(tmp_path / "other.db")) as other:
        append(other, B, b"new here")
        append(other, A, b"1", b"2", b"3")
        other.vault_put(A, "key", b"secret")
        other.backup(path)
    append(store, A, b"1", b"2", b"3", b"4")
    before = contents(store)
    with pytest.raises(Refused, match=f"older than the store: it has 3 events of {A}, .* 4;"):
        store.restore(path)
    assert contents(store) == before


def test_a_fork_is_refused_by_its_first_different_seq(
    store: Store, path: str, tmp_path: Path
) -> None:
    with open_store(str(tmp_path / "other.db")) as other:
        append(other, B, b"new here")
        append(other, A, b"1", b"2 there", b"3", b"4")
        other.vault_put(A, "key", b"secret")
        other.backup(path)
    append(store, A, b"1", b"2 here", b"3")
    before = contents(store)
    with pytest.raises(Refused, match=f"differ at seq 2 of {A}: two histories"):
        store.restore(path)
    assert contents(store) == before


def test_a_destroyed_secret_does_not_come_back_from_an_old_backup(store: Store, path: str) -> None:
    append(store, A, b"1")
    store.vault_put(A, "p1", b"person")
    store.backup(path)
    store.vault_delete(A, "p1")
    append(store, A, b"forgot p1")
    with pytest.raises(Refused, match="older than the store"):
        store.restore(path)
    assert store.vault_items(A) == {}


def test_every_damage_to_a_backup_is_noticed_before_anything_is_written(
    store: Store, path: str, tmp_path: Path
) -> None:
    append(store, A, b"one", b"two")
    append(store, B, b"three")
    store.vault_put(A, "key", b"secret")
    store.backup(path)
    whole = Path(path).read_bytes()
    damaged = [whole[:length] for length in range(len(whole) - 1)]
    damaged += [
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        for place in range(len(whole) - 1)
    ]
    damaged += [whole + b"\n", whole + whole, b"\n" + whole]
    with open_store(str(tmp_path / "new.db")) as new:
        for content in damaged:
            Path(path).write_bytes(content)
            with pytest.raises(InvalidLog, match=r"is no backup|damaged or was cut off"):
                new.restore(path)
        assert new.streams() == []
        assert new.vault_items(A) == {}


@pytest.mark.parametrize("begins", [b"", BACKUP, BACKUP + MANY], ids=["none", "a line", "a log"])
def test_a_file_without_lines_is_not_read_whole(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch, begins: bytes
) -> None:
    """A file of holes has any length, and costs whoever made it nothing."""
    most = 1 << 16
    monkeypatch.setattr(backup, "LINE_BYTES_MAX", most)
    with Path(path).open("wb") as file:
        file.write(begins)
        file.truncate(256 * most)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidLog):
            store.restore(path)
        assert tracemalloc.get_traced_memory()[1] < 64 * most
    finally:
        tracemalloc.stop()


def test_a_backup_is_its_owners_alone_and_replaces_only_a_backup(store: Store, path: str) -> None:
    append(store, A, b"1")
    store.backup(path)
    append(store, A, b"2")
    assert store.backup(path) == {A: 2}
    assert Path(path).stat().st_mode & 0o777 == 0o600
    Path(path).write_bytes(b"a thesis")
    with pytest.raises(Refused, match=r"is there and is no backup"):
        store.backup(path)
    assert Path(path).read_bytes() == b"a thesis"
    assert [each.name for each in Path(path).parent.glob("*event.backup*")] == ["event.backup"]


def test_a_backup_that_can_not_be_read_or_written_says_so(store: Store, tmp_path: Path) -> None:
    missing = str(tmp_path / "none" / "event.backup")
    with pytest.raises(StoreUnavailable, match=re.escape(f"{missing} can not be written: No such")):
        store.backup(missing)
    with pytest.raises(NotFound, match=re.escape(f"no backup at {missing}")):
        store.restore(missing)
    with pytest.raises(StoreUnavailable, match="can not be written: Is a directory"):
        store.backup(str(tmp_path))
    with pytest.raises(Refused, match="is a directory: name the file in it"):
        store.restore(str(tmp_path))


def test_an_empty_store_has_an_empty_backup(store: Store, path: str) -> None:
    assert store.backup(path) == {}
    assert store.restore(path) == {}
