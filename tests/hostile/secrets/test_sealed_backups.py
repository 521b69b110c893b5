"""Sealed backups that were cut, put in another order, or opened with another key."""

from __future__ import annotations

import io
import random
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.errors import InvalidLog, Refused
from ledger.proof.ciphers import CHUNK_BYTES, TAG_BYTES, opened_chunks, sealed_chunks
from ledger.proof.formats import Invalid
from ledger.store import open_store
from ledger.store.backup import Backup, Seal, save
from tests.support.cli_desk import typed_once
from tests.support.days.sealed_days import NAMES, STREAM, played
from tests.support.files.backups import restored

if TYPE_CHECKING:
    from ledger.store import Store
    from tests.support.cli_desk import Desk

KEY = b"k" * 32
STORED = CHUNK_BYTES + TAG_BYTES
LENGTHS = (1, 2, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 200_000)
SAVED = "day.backup"


def opened(data: bytes, key: bytes = KEY) -> bytes:
    """What opens, as a whole."""
    return opened_chunks(key, io.BytesIO(data)).read()


def sealed(length: int) -> tuple[bytes, bytes]:
    """A plain text, and it sealed in pieces of many lengths."""
    draw = random.Random(length)
    plain, pieces, at = draw.randbytes(length), [], 0
    while at < length:
        size = draw.choice((1, 7, 1_000, CHUNK_BYTES, CHUNK_BYTES * 2))
        pieces.append(plain[at : at + size])
        at += size
    return plain, b"".join(sealed_chunks(KEY, pieces))


def by_the_page(data: bytes, key: bytes = KEY) -> bytes:
    """What `ledger/proof/README.md` says of a sealed file, written again."""
    chunks = [data[at : at + 65_552] for at in range(0, len(data), 65_552)]
    return b"".join(
        ChaCha20Poly1305(key).decrypt(
            number.to_bytes(11, "big") + bytes([number == len(chunks) - 1]), chunk, b""
        )
        for number, chunk in enumerate(chunks)
    )


@pytest.mark.parametrize("length", LENGTHS)
def test_what_is_sealed_opens_here_and_by_the_page(length: int) -> None:
    plain, data = sealed(length)
    assert opened(data) == by_the_page(data) == plain
    assert len(data) == length + TAG_BYTES * -(-length // CHUNK_BYTES)


@pytest.mark.parametrize("length", LENGTHS)
def test_what_was_cut_moved_or_added_to_does_not_open(length: int) -> None:
    _, data = sealed(length)
    chunks = [data[at : at + STORED] for at in range(0, len(data), STORED)]
    wrong = [data[:at] for at in {*range(0, len(data), 4_099), len(data) - 1}]
    wrong += [b"".join(chunks[:count]) for count in range(len(chunks))]
    wrong += [data + b"\0", data + data, data + chunks[0], chunks[-1] + data]
    if len(chunks) > 1:
        wrong += [b"".join(chunks[::-1]), chunks[1] + chunks[0], b"".join(chunks[1:])]
    for at in {0, len(data) // 2, len(data) - 1, min(STORED, len(data)) - 1}:
        wrong.append(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    for each in wrong:
        with pytest.raises(Invalid, match="changed or cut off"):
            opened(each)
    with pytest.raises(Invalid):
        opened(data, b"l" * 32)


def test_memory_stays_bounded() -> None:
    tracemalloc.start()
    try:
        pieces = sealed_chunks(KEY, (b"x" * 1_000_000 for _ in range(40)))
        assert sum(map(len, pieces)) > 40_000_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_a_sealed_backup_that_is_changed_anywhere_restores_nothing(
    store: Store, tmp_path: Path
) -> None:
    played(store)
    path = tmp_path / SAVED
    save(store, str(path), seal=Seal("0123abcd", KEY, b"the sealed key"))
    data = path.read_bytes()
    assert data.startswith(b'{"tourney-backup":2,"sealed":"0123abcd"}\nthe sealed key\n')
    assert not any(name.encode() in data for name in (*NAMES, "shuffle-key", STREAM))

    def unlock(to: str, line: bytes) -> bytes:
        assert (to, line) == ("0123abcd", b"the sealed key")
        return KEY

    with open_store(f"{tmp_path}/new.db") as new:
        assert restored(new, str(path), unlock) == {STREAM: store.size(STREAM)}
        assert new.vault_items(STREAM) == store.vault_items(STREAM)
    header = data.index(b"\n", 45) + 1
    wrong = [data[:at] for at in range(0, len(data), 101)]
    wrong += [
        data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        for at in [*range(header), *range(header, len(data), 101)]
    ]
    with open_store(f"{tmp_path}/other.db") as other:
        for each in wrong:
            path.write_bytes(each)
            with pytest.raises((InvalidLog, Refused)):
                restored(other, str(path), lambda *_: KEY)
        assert other.streams() == []


@pytest.mark.parametrize(
    "first",
    [
        b'{"tourney-backup":2,"sealed":"0123abcd","sealed":"passphrase"}',
        b'{"tourney-backup":2,"sealed":"../keys"}',
        b'{"tourney-backup":2,"sealed":"0123ABCD"}',
        b'{"tourney-backup":2, "sealed":"0123abcd"}',
        b'{"sealed":"0123abcd","tourney-backup":2}',
        b'{"tourney-backup":2,"sealed":null}',
        b'{"tourney-backup":2,"sealed":"0123abcd","more":1}',
    ],
)
def test_the_first_line_has_one_spelling(tmp_path: Path, first: bytes) -> None:
    path = tmp_path / SAVED
    path.write_bytes(first + b"\nthe sealed key\n" + b"".join(sealed_chunks(KEY, [b"{}"])))
    with pytest.raises(InvalidLog):
        list(Backup(str(path), lambda *_: KEY).tournaments())


@typed_once
def day(desk: Desk) -> Desk:
    """A day of four, one round played, in a folder of its own."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    desk.report_all()
    return desk


def elsewhere(day: Desk) -> Path:
    """Go to another machine with the backup alone."""
    place = day.folder / "elsewhere"
    place.mkdir()
    (place / SAVED).write_bytes((day.folder / SAVED).read_bytes())
    day.patch.chdir(place)
    return place


@pytest.mark.slow
def test_a_backup_that_a_passphrase_seals(day: Desk) -> None:
    day.patch.setenv("TOURNEY_PASSPHRASE", "Z\u00fcrich")
    said = day.done("backup", SAVED, "--passphrase").err
    assert "it is sealed and contains the secrets" in said
    data = (day.folder / SAVED).read_bytes()
    assert data.startswith(b'{"tourney-backup":2,"sealed":"passphrase"}\n{"scrypt":131072,')
    assert b"Player 01" not in data
    elsewhere(day)
    day.patch.setenv("TOURNEY_PASSPHRASE", "Zurich")
    answer = day.type("restore", SAVED)
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    assert "cannot be opened: this is not its passphrase" in answer.err
    day.patch.delenv("TOURNEY_PASSPHRASE")
    assert "no terminal to ask at" in day.type("restore", SAVED).err
    assert [each.name for each in Path().iterdir()] == [SAVED]
    day.patch.setenv("TOURNEY_PASSPHRASE", "Zu\u0308rich")
    assert "it matches the signature of the log's key" in day.done("restore", SAVED).err
    day.done("pair")


def test_a_backup_for_a_reader(day: Desk) -> None:
    reader = day.done("key", "new", "--reader", "league.example").out.strip()
    day.done("backup", SAVED, "--for", reader)
    Path("league.txt").write_text(reader + "\n", "ascii")
    day.done("backup", SAVED, "--for", "league.txt")
    assert "it is unchanged since this computer made it" in day.done("restore", SAVED).err
    place, keys = elsewhere(day), day.folder / ".tourney-keys"
    answer = day.type("restore", SAVED)
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    assert f"sealed for the reader's key {reader.split('+')[2]}, which is not in" in answer.err
    (place / ".tourney-keys").mkdir(0o700)
    (key,) = keys.glob("reader-*")
    (place / ".tourney-keys" / key.name).write_bytes(key.read_bytes())
    (place / ".tourney-keys" / key.name).chmod(0o600)
    day.done("restore", SAVED)
    day.done("pair")


@pytest.mark.parametrize("reader", ["nobody", "READER+a+b+c", "PRIVATE+READER+a+b+c"])
def test_a_reader_that_is_none(day: Desk, reader: str) -> None:
    before = sorted(Path().iterdir())
    answer = day.type("backup", SAVED, "--for", reader)
    assert answer.code in {1, 3}
    assert answer.err.count("\n") == 1
    assert sorted(Path().iterdir()) == before


def test_a_passphrase_and_a_reader_or_an_empty_one(day: Desk) -> None:
    assert day.type("backup", SAVED, "--for", "x", "--passphrase").code == 2
    day.patch.setenv("TOURNEY_PASSPHRASE", "")
    assert "the passphrase must not be empty" in day.type("backup", SAVED, "--passphrase").err
    assert not (day.folder / SAVED).exists()


@pytest.mark.slow
def test_a_sealed_backup_that_cannot_be_opened_is_not_written_over(day: Desk) -> None:
    day.patch.setenv("TOURNEY_PASSPHRASE", "cherry")
    day.done("backup", SAVED, "--passphrase")
    good = (day.folder / SAVED).read_bytes()
    day.patch.setenv("TOURNEY_PASSPHRASE", "plum")
    for options in ((), ("--passphrase",), ("--incomplete",)):
        answer = day.type("backup", SAVED, *options)
        assert answer.code == 1
        assert "so it was not overwritten: name another file" in answer.err
        assert (day.folder / SAVED).read_bytes() == good
    day.patch.setenv("TOURNEY_PASSPHRASE", "cherry")
    day.done("backup", SAVED)


def test_a_backup_that_is_not_sealed_says_so_and_a_change_in_it_is_seen(day: Desk) -> None:
    assert "keep it private, it is not sealed" in day.done("backup", SAVED).err
    data = (day.folder / SAVED).read_bytes()
    assert "it is unchanged since this computer made it" in day.done("restore", SAVED).err
    rows = data.split(b"\n")
    end = rows[-2]
    no_mac = end[: end.index(b'"mac":')] + b'"mac":""}'
    nothing = end[: end.index(b'"signed":')] + b'"signed":{},"mac":""}'
    for other, says in (
        (no_mac, "it matches the signature of the log's key"),
        (nothing, "nothing here shows who made it"),
    ):
        (day.folder / SAVED).write_bytes(b"\n".join([*rows[:-2], other, b""]))
        assert says in day.done("restore", SAVED).err
    place = end.index(b'"mac":"') + len(b'"mac":"01234567 ')
    flipped = end[:place] + bytes([end[place] ^ 1]) + end[place + 1 :]
    (day.folder / SAVED).write_bytes(b"\n".join([*rows[:-2], flipped, b""]))
    assert "was changed since this computer made it" in day.type("restore", SAVED).err
