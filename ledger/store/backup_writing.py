"""A backup, written: whole or not at all, and never in the place of a file of another kind."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files import landed
from ledger.files.access import first_bytes, place_of, refuse_to_replace
from ledger.files.durable import whole_file
from ledger.files.kinds import BACKUP
from ledger.proof.ciphers import sealed_chunks
from ledger.proof.formats import Tree
from ledger.store import backup
from ledger.store.backup import LastLine, SavedLog, Seal, SealedBeginning, Vouchers
from ledger.store.base import CHUNK_EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.store import Store


def save(
    store: Store,
    path: str,
    streams: Sequence[str] | None = None,
    *,
    heads: Callable[[str], bytes] = lambda _: b"",
    vouch: Callable[[bytes], Vouchers] = lambda _: Vouchers(),
    seal: Seal | None = None,
) -> dict[str, int]:
    """Write log and vault of these tournaments, or all, to a file; returns the events of each."""
    known = store.streams()
    wanted = known if streams is None else list(streams)
    for stream in wanted:
        if stream not in known:
            raise NotFound(f"{store.where} has no tournament {stream}")
    sizes = {stream: store.size(stream) for stream in wanted}
    body = _whole(_parts(store, sizes, heads), vouch)
    place_of(Path(path))
    try:
        _check_replaceable(Path(path))
        with whole_file(Path(path)) as file:
            file.writelines(_sealed(body, seal) if seal else body)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror}") from None
    landed.note_place(path)
    return sizes


def _sealed(body: Iterable[bytes], seal: Seal) -> Iterator[bytes]:
    first = msgspec.json.encode(SealedBeginning(backup.NUMBER, seal.to)) + b"\n" + seal.line + b"\n"
    yield first
    yield from sealed_chunks(backup.chunk_key(seal.key, first), body)


def _whole(parts: Iterable[bytes], vouch: Callable[[bytes], Vouchers]) -> Iterator[bytes]:
    hashed = sha256()
    for part in parts:
        hashed.update(part)
        yield part
    vouchers = vouch(hashed.digest())
    yield (
        msgspec.json.encode(LastLine(hashed.hexdigest(), {**vouchers.signed}, vouchers.mac)) + b"\n"
    )


def _parts(store: Store, sizes: dict[str, int], heads: Callable[[str], bytes]) -> Iterator[bytes]:
    yield backup.FIRST
    for stream, size in sizes.items():
        tree = Tree().add_lines(_lines_of(store, stream, size))
        secrets = store.vault_items(stream)
        head = heads(stream).decode()
        yield msgspec.json.encode(SavedLog(stream, size, tree.root(), head, secrets)) + b"\n"
        for line in _lines_of(store, stream, size):
            yield line + b"\n"


def _lines_of(store: Store, stream: str, size: int) -> Iterator[bytes]:
    for after in range(0, size, CHUNK_EVENTS):
        wanted = min(CHUNK_EVENTS, size - after)
        chunk = store.entries(stream, after, wanted)
        if len(chunk) != wanted:
            raise StoreUnavailable(
                f"{store.where} is damaged: of the {size} events of {stream}, some are missing"
                f" past {after}; keep the last good backup"
            )
        yield from (line for _, line in chunk)


def _check_replaceable(path: Path) -> None:
    if path.exists() and first_bytes(path, len(backup.BEGINNING)) not in {b"", backup.BEGINNING}:
        raise Refused(f"{path} is there and is no backup; name another file")
    refuse_to_replace(path, BACKUP)
