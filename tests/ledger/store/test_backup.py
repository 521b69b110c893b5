"""Backup and restore: log and vault to another store, of either kind, or refused as a whole."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog, NotFound, Refused, StoreUnavailable
from ledger.lines.line import decode
from ledger.store import backup, open_store
from ledger.store.backup import Backup, OtherRelease, save
from tests.support.days.sealed_days import STREAM, opened, played
from tests.support.files.backups import FIRST, restored
from tests.support.simulate import Day
from tests.support.store_fixtures import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Store

MANY = b'{"kind":"log","stream":"%s","events":1000000,"root":"","head":"","secrets":{}}\n'
A, B, C = "a" * 32, "b" * 32, "c" * 32


def day_of(stream: str) -> Day:
    """A day with open names, one round played."""
    day = Day(4, number=stream)
    day.start(2)
    day.pair()
    day.report_all()
    return day


def append(store: Store, stream: str, *lines: bytes) -> None:
    """Append lines behind what is there."""
    entries = [(decode(line).type, line) for line in lines]
    store.transact(stream, store.size(stream), lambda _: entries)


def contents(store: Store) -> dict[str, object]:
    """All that a store holds."""
    return {each: (store.entries(each), store.vault_items(each)) for each in store.streams()}


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A place for a backup."""
    return str(tmp_path / "event.backup")


@pytest.mark.slow
@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_brings_log_and_vault_to_the_other_store(
    new_location: Callable[[str], str], source: str, target: str, path: str
) -> None:
    with open_store(new_location(source)) as old, open_store(new_location(target)) as new:
        append(old, B, *day_of(B).lines)
        played(old)
        sizes = {each: old.size(each) for each in (B, STREAM)}
        assert save(old, path) == sizes
        assert restored(new, path) == sizes
        assert contents(new) == contents(old)
        assert new.streams() == [B, STREAM]
        assert restored(new, path) == {B: 0, STREAM: 0}
        assert contents(new) == contents(old)


def test_one_tournament_is_taken_alone(store: Store, path: str, tmp_path: Path) -> None:
    append(store, A, *day_of(A).lines)
    append(store, B, *day_of(B).lines)
    assert save(store, path, [B]) == {B: store.size(B)}
    with open_store(str(tmp_path / "new.db")) as new:
        assert restored(new, path) == {B: store.size(B)}
        assert new.streams() == [B]
    with pytest.raises(NotFound, match=f"no tournament {C}"):
        save(store, path, [A, C])


def test_a_longer_backup_brings_the_rest(store: Store, path: str, tmp_path: Path) -> None:
    lines = day_of(A).lines
    with open_store(str(tmp_path / "ahead.db")) as ahead:
        append(store, A, *lines[:5])
        append(ahead, A, *lines)
        save(ahead, path)
        assert restored(store, path) == {A: len(lines) - 5}
        assert contents(store) == contents(ahead)


def test_a_backup_in_the_middle_of_an_event_is_of_one_moment(
    store: Store, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = day_of(A).lines
    append(store, A, *lines[:-1])
    secrets = store.vault_items

    def busy(stream: str) -> dict[str, bytes]:
        append(store, A, lines[-1])
        return secrets(stream)

    monkeypatch.setattr(store, "vault_items", busy)
    assert save(store, path) == {A: len(lines) - 1}
    assert store.size(A) == len(lines)
    with open_store(str(tmp_path / "new.db")) as new:
        assert restored(new, path) == {A: len(lines) - 1}
        assert new.lines(A) == lines[:-1]


def test_an_older_backup_is_refused_as_a_whole(store: Store, path: str, tmp_path: Path) -> None:
    lines = day_of(A).lines
    with open_store(str(tmp_path / "other.db")) as other:
        append(other, B, *day_of(B).lines)
        append(other, A, *lines[:6])
        save(other, path)
    append(store, A, *lines)
    before = contents(store)
    with pytest.raises(Refused, match=f"older than the store: it has 6 events of {A}"):
        restored(store, path)
    assert contents(store) == before


def test_a_fork_is_refused_by_its_first_different_seq(
    store: Store, path: str, tmp_path: Path
) -> None:
    lines = day_of(A).lines
    with open_store(str(tmp_path / "other.db")) as other:
        append(other, B, *day_of(B).lines)
        append(other, A, *lines)
        save(other, path)
    changed = [*lines[:2], lines[2].replace(b'"id":"', b'"id":"x', 1), *lines[3:]]
    append(store, A, *changed)
    before = contents(store)
    with pytest.raises(Refused, match=f"different histories of {A} from event 3 on"):
        restored(store, path)
    assert contents(store) == before


@pytest.mark.slow
def test_every_damage_to_a_backup_is_noticed_before_anything_is_written(
    store: Store, path: str, tmp_path: Path
) -> None:
    opened(store)
    append(store, B, *day_of(B).lines[:2])
    save(store, path)
    whole = Path(path).read_bytes()
    damaged = [whole[:length] for length in range(0, len(whole) - 1, 97)]
    damaged += [
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        for place in range(0, len(whole) - 1, 53)
    ]
    damaged += [whole + b"\n", whole + whole, b"\n" + whole]
    with open_store(str(tmp_path / "new.db")) as new:
        for content in damaged:
            Path(path).write_bytes(content)
            with pytest.raises(InvalidLog):
                restored(new, path)
        assert new.streams() == []
        assert new.vault_items(STREAM) == {}


@pytest.mark.parametrize("begins", [b"", FIRST, FIRST + MANY % (b"a" * 32)], ids=["0", "1", "2"])
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
            restored(store, path)
        assert tracemalloc.get_traced_memory()[1] < 64 * most
    finally:
        tracemalloc.stop()


def test_a_backup_is_its_owners_alone_and_replaces_only_a_backup(store: Store, path: str) -> None:
    lines = day_of(A).lines
    append(store, A, *lines[:5])
    save(store, path)
    append(store, A, lines[5])
    assert save(store, path) == {A: 6}
    assert Path(path).stat().st_mode & 0o777 == 0o600
    Path(path).write_bytes(b"a thesis")
    with pytest.raises(Refused, match=r"exists and is not a backup"):
        save(store, path)
    assert Path(path).read_bytes() == b"a thesis"
    assert [each.name for each in Path(path).parent.glob("*event.backup*")] == ["event.backup"]


def test_a_backup_that_can_not_be_read_or_written_says_so(store: Store, tmp_path: Path) -> None:
    missing = str(tmp_path / "none" / "event.backup")
    with pytest.raises(StoreUnavailable, match=re.escape(f"{missing} cannot be written: No such")):
        save(store, missing)
    with pytest.raises(NotFound, match=re.escape(f"no backup at {missing}")):
        restored(store, missing)
    with pytest.raises(StoreUnavailable, match="cannot be written: Is a directory"):
        save(store, str(tmp_path))
    with pytest.raises(Refused, match="is a directory: name the file in it"):
        restored(store, str(tmp_path))


def test_an_empty_store_has_an_empty_backup(store: Store, path: str) -> None:
    assert save(store, path) == {}
    assert restored(store, path) == {}


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b'{"tourney-backup":1}\n', "was made by tourney 0.1.0"),
        (b'{"tourney-backup":3}\n', "was made by a newer release"),
        (b'{"tourney-backup":300000000,"sealed":""}\n', "was made by a newer release"),
    ],
)
def test_a_backup_of_another_release_is_named(path: str, first: bytes, says: str) -> None:
    Path(path).write_bytes(first + b'{"kind":"end"}\n')
    with pytest.raises(OtherRelease, match=says):
        list(Backup(path).tournaments())
