"""The backup: log and vault of tournaments in one file, for another machine or kind of store.

    {"tourney-backup":1}
    {"kind":"log","stream":"<32 hex digits>","events":<n>,"secrets":{"<name>":"<base64>", …}}
    <type> <line>                                           n times, the line as it is stored
    …                                                       each further tournament likewise
    {"kind":"end","sha256":"<of every byte above>"}

The file holds secrets: only its owner can read it. It is written beside its place and put there
when it is on the disk as a whole.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated
from typing import BinaryIO
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ledger import landed
from ledger.durable import put_in_place
from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.errors import StoreUnavailable
from ledger.filekinds import BACKUP
from ledger.files import first_bytes
from ledger.files import place_of
from ledger.files import refuse_to_replace
from ledger.proof.formats import opened
from ledger.store.base import CHUNK_EVENTS
from ledger.store.base import STREAM

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from ledger.store.base import Check
    from ledger.store.base import Entry
    from ledger.store.base import Fitting
    from ledger.store.base import Store

LINE_BYTES_MAX = 64 << 20
"""The longest line of a backup that is read: it has all secrets of a tournament."""

EVENTS_MAX = 1_000_000_000
"""How many events a backup may say that a tournament has: so many lines are then looked for."""

_FIRST = b'{"tourney-backup":1}\n'


class _Log(Struct, tag_field="kind", tag="log", forbid_unknown_fields=True):
    stream: str
    events: Annotated[int, msgspec.Meta(ge=0, le=EVENTS_MAX)]
    secrets: dict[str, bytes]


class _End(Struct, tag_field="kind", tag="end", forbid_unknown_fields=True):
    sha256: str


class _Saved(NamedTuple):
    log: _Log
    entries: list[Entry]


def save(store: Store, path: str, streams: Sequence[str] | None, check: Check) -> dict[str, int]:
    """Write a backup; see `Store.backup`."""
    known = store.streams()
    wanted = known if streams is None else list(streams)
    for stream in wanted:
        if stream not in known:
            raise NotFound(f"{store.where} has no tournament {stream}")
    sizes = {stream: store.size(stream) for stream in wanted}
    for stream in wanted:
        check(stream, store.lines(stream))
    with _replacing(Path(path)) as write:
        hashed = sha256()
        for part in _parts(store, sizes):
            hashed.update(part)
            write(part)
        write(msgspec.json.encode(_End(hashed.hexdigest())) + b"\n")
    landed.note_place(path)
    return sizes


def _parts(store: Store, sizes: dict[str, int]) -> Iterator[bytes]:
    yield _FIRST
    for stream, size in sizes.items():
        yield msgspec.json.encode(_Log(stream, size, store.vault_items(stream))) + b"\n"
        for after in range(0, size, CHUNK_EVENTS):
            wanted = min(CHUNK_EVENTS, size - after)
            chunk = store.entries(stream, after, wanted)
            if len(chunk) != wanted:
                raise StoreUnavailable(
                    f"{store.where} is damaged: of the {size} events of {stream}, some are missing"
                    f" past {after}; keep the last good backup"
                )
            yield b"".join(b"%s %s\n" % (topic.encode(), line) for topic, line in chunk)


def contents(path: str) -> Iterator[tuple[str, list[bytes], Mapping[str, bytes]]]:
    """Yield the tournaments of a backup: stream, lines, secrets; it may prove cut off at the end.

    Raises:
        InvalidLog: the file is no whole backup.
        NotFound: there is no such file.
    """
    for saved in _read(Path(path)):
        yield saved.log.stream, _lines_of(saved), saved.log.secrets


def read_through(path: str, check: Check) -> None:
    """Read a backup to its end without a store; what `check` raises of a log comes out unchanged.

    Raises:
        InvalidLog: the file is no whole backup.
        NotFound: there is no such file.
    """
    for stream, lines, _ in contents(path):
        check(stream, lines)


def load(store: Store, path: str, fitting: Fitting) -> dict[str, int]:
    """Take over a backup; see `Store.restore`."""
    for saved in _read(Path(path)):
        lines = store.lines(saved.log.stream)
        _rest(saved, lines, path)
        here = store.vault_items(saved.log.stream)
        if len(lines) > saved.log.events and not _wanted(saved, lines, here, fitting):
            raise _older(saved, lines, path)
    return {saved.log.stream: _restore(store, saved, path, fitting) for saved in _read(Path(path))}


def _restore(store: Store, saved: _Saved, path: str, fitting: Fitting) -> int:
    added: Sequence[Entry] = ()

    def decide(lines: Sequence[bytes]) -> Sequence[Entry]:
        nonlocal added
        added = _rest(saved, lines, path)
        here = store.vault_items(saved.log.stream)
        if wanted := _wanted(saved, lines, here, fitting):
            store.vault_put_all(saved.log.stream, wanted)
        if gone := _gone(saved, here, fitting) if added else ():
            store.vault_delete_all(saved.log.stream, gone)
        return added

    store.transact(saved.log.stream, 0, decide)
    return len(added)


def _rest(saved: _Saved, lines: Sequence[bytes], path: str) -> Sequence[Entry]:
    """Return what the backup has past the store's lines; one of both begins with the other."""
    pairs = zip(saved.entries, lines, strict=False)
    for seq, ((_, there), here) in enumerate(pairs, start=1):
        if there != here:
            raise Refused(
                f"{path} and the store differ at seq {seq} of {saved.log.stream}: two histories of"
                " one tournament; nothing of it was restored"
            )
    return saved.entries[len(lines) :]


def _wanted(
    saved: _Saved, lines: Sequence[bytes], here: Mapping[str, bytes], fitting: Fitting
) -> dict[str, bytes]:
    """Return the secrets to be taken.

    Those of a newer log are as they are there; of an equal one those that are missing, and of any
    log those that fit where the ones here do not.
    """
    events, there = saved.log.events, saved.log.secrets
    longer = lines if len(lines) > events else _lines_of(saved)
    good = set(fitting(longer, here))
    better = set(fitting(longer, there)) - good
    if len(lines) < events:
        better |= there.keys() - good
    elif len(lines) == events:
        better |= there.keys() - here.keys()
    return {name: there[name] for name in sorted(better)}


def _gone(saved: _Saved, here: Mapping[str, bytes], fitting: Fitting) -> list[str]:
    """Name the secrets here that a newer log did without: destroyed on purpose, unless they fit."""
    good = fitting(_lines_of(saved), here)
    return [name for name in here if name not in saved.log.secrets and name not in good]


def _lines_of(saved: _Saved) -> list[bytes]:
    return [line for _, line in saved.entries]


def _older(saved: _Saved, lines: Sequence[bytes], path: str) -> Refused:
    return Refused(
        f"{path} is older than the store: it has {saved.log.events} events of {saved.log.stream},"
        f" the store {len(lines)}; nothing of it was restored"
    )


def _read(path: Path) -> Iterator[_Saved]:
    """Yield the tournaments of a backup; that it was whole is certain only at the end."""
    try:
        with opened(path) as file:
            yield from _parse(_lines(file), str(path))
    except FileNotFoundError:
        raise NotFound(f"no backup at {path}") from None
    except IsADirectoryError:
        raise Refused(f"{path} is a directory: name the file in it") from None
    except OSError as error:
        raise StoreUnavailable(f"{path} can not be read: {error.strerror}") from None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, up to the first one that is too long or has no end."""
    while (line := file.readline(LINE_BYTES_MAX)).endswith(b"\n"):
        yield line
    if line:
        yield line


def _parse(lines: Iterator[bytes], path: str) -> Iterator[_Saved]:
    if next(lines, b"") != _FIRST:
        raise InvalidLog(f"{path} is no backup of tourney's")
    broken = InvalidLog(f"{path} is damaged or was cut off; take another backup")
    hashed = sha256(_FIRST)
    for line in lines:
        try:
            head = msgspec.json.decode(line, type=_Log | _End)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise broken from None
        if isinstance(head, _End):
            if head.sha256 != hashed.hexdigest() or next(lines, b""):
                raise broken
            return
        body = list(islice(lines, head.events))
        hashed.update(line + b"".join(body))
        if len(body) != head.events or not STREAM.fullmatch(head.stream):
            raise broken
        yield _Saved(head, [_entry(each) for each in body])
    raise broken


def _entry(line: bytes) -> Entry:
    topic, _, stored = line.removesuffix(b"\n").partition(b" ")
    return topic.decode("utf-8", "replace"), stored  # a wrong byte fails the digest at the end


@contextmanager
def _replacing(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Write a file that is in its place as a whole or not at all.

    Raises:
        Refused: what is there is no backup, and would be lost.
        StoreUnavailable: it can not be written.
    """
    place_of(path)
    draft = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    try:
        _check_replaceable(path)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file.write
            file.flush()
            os.fsync(file.fileno())
        put_in_place(draft, path)
    except OSError as error:
        raise StoreUnavailable(f"{path} can not be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            draft.unlink()


def _check_replaceable(path: Path) -> None:
    if path.exists() and first_bytes(path, len(_FIRST)) not in {b"", _FIRST}:
        raise Refused(f"{path} is there and is no backup; name another file")
    refuse_to_replace(path, BACKUP)
