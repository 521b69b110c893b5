"""Files, read and written with care: in pieces, whole or not at all, durable; else one clear line.

POSIX promises a file's bytes after the file is synced, and its name after its folder is. A power
cut may take the name of a file that was synced itself. So code that makes or renames a file or a
folder on which somebody relies syncs the folder before it reports success.

A SQLite file is refused if it has objects that another program made.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ledger.errors import (
    InvalidLog,
    LedgerError,
    NotFound,
    Refused,
    StoreUnavailable,
)
from ledger.files import kinds, landed
from ledger.files.kinds import KEYS_FOLDER
from ledger.files.system import SYNCS_FOLDERS, guard_secret, replace_file
from ledger.problems import Phrase, marked, phrase, problem
from ledger.proof.formats import opened

if TYPE_CHECKING:
    import sqlite3

_NOT_THERE = frozenset({errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.EACCES, errno.EPERM})
"""What a system answers that does not let a folder be synced, or not by us."""


def sync_folder(folder: Path) -> None:
    """Make a folder's names durable, where the system lets that be; OSError if the disk fails."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if SYNCS_FOLDERS and error.errno not in _NOT_THERE:
            raise


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, with durable names; OSError if that is not possible."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def make_private_folder(folder: Path) -> None:
    """Make a folder of keys, and those above it: only its owner opens it, and git ignores it.

    Raises:
        OSError: it cannot be made.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(0o700, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)
    of_keys = [place for place in (folder, *folder.parents) if place.name == KEYS_FOLDER]
    for place in {*missing[-1:], *of_keys}:
        if not (ignored := place / ".gitignore").exists():
            with suppress(OSError), whole_file(ignored) as file:
                file.write(b"*\n")


@contextmanager
def whole_file(
    path: Path,
    name: Callable[[Path, Path], object] = replace_file,
    *,
    is_secret: bool = False,
) -> Iterator[BinaryIO]:
    """Write a file, for its owner alone, durable as a whole or not there at all; or OSError.

    `name` gives the draft its name: in the place of what had it, unless it is another's to decide.
    `is_secret`: a system without modes gets an access list for its owner, or a warning.
    """
    draft = path.with_name(f".{path.name.lstrip('.')[:200]}.{os.getpid()}.part")
    try:
        draft.unlink(missing_ok=True)  # of a process that was killed and had this one's number
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        name(draft, path)
        if is_secret:
            guard_secret(path)
    finally:
        with suppress(OSError):
            draft.unlink()
    sync_folder(path.parent)


PIECE_BYTES = 1 << 18
"""How much of a file is read at once."""

WHOLE_BYTES_MAX = 64 << 20
"""The largest file that is read as one piece."""

SHOWN_MAX = 300
"""How much of what somebody else wrote an error repeats."""


class Unreadable(InvalidLog):
    """A file whose bytes cannot be had; the text names it."""


def pieces(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, piece by piece; NotFound, or Unreadable, where they cannot be had."""
    try:
        with opened(path) as file:
            while piece := file.read(PIECE_BYTES):
                yield piece
    except OSError as error:
        raise _unreadable(path, error) from None


def whole(path: Path) -> bytes:
    """Read a file of at most WHOLE_BYTES_MAX bytes; NotFound, or Unreadable, as pieces."""
    data = bytearray()
    for piece in pieces(path):
        data += piece
        if len(data) > WHOLE_BYTES_MAX:
            raise Unreadable(
                phrase(
                    "{path} is larger than {whole_bytes_max} bytes",
                    path=str(path),
                    whole_bytes_max=f"{WHOLE_BYTES_MAX:,}",
                )
            )
    return bytes(data)


def first_bytes(path: Path, most: int) -> bytes:
    """Read the first bytes, at most that many, of an ordinary file; OSError for another."""
    with opened(path) as file:
        return file.read(most)


def kind_at(path: Path) -> str:
    """Return the kind of a file, as `kind_of`; OSError where it is no ordinary one."""
    return kinds.kind_of(first_bytes(path, kinds.BEGINNING_BYTES))


def write_whole(
    path: Path, data: Iterable[bytes], kind: str = "", *, is_secret: bool = False
) -> int:
    """Write a file of that kind whole or not at all, as replacing; return its size in bytes.

    A secret file is readable only by its owner from its first byte on, whatever the umask is, also
    if all accounts could read the file that it replaces.
    """
    mode = 0o600 if is_secret else 0o666
    with replacing(path, kind) as part, _created(part, mode) as file:
        if is_secret:
            guard_secret(part)
        return sum(file.write(piece) for piece in data)


def _created(part: Path, mode: int) -> BinaryIO:
    """Create the file that is written first; a link with its name is not followed."""
    part.unlink(missing_ok=True)  # left by a process that was killed and had the same number
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(part, flags, mode), "wb")


@contextmanager
def replacing(path: Path, kind: str = "") -> Iterator[Path]:
    """Give a place beside path to write to, and put what is there in its place at the end.

    What stood at `path` stays until the new file is durable beside it. Every file whose name a
    person typed is written through here. Refused where it would replace what has to stay, or cannot
    be written; nothing changed. Or it is written, and the disk failed to keep its name.
    """
    target = place_of(path)
    part = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
    try:
        refuse_to_replace(path, kind)
        try:
            yield part
            _sync(part)
            replace_file(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(
            phrase(
                "{path} cannot be written: {reason}; nothing was changed",
                path=str(path),
                reason=reason,
            )
        ) from None
    if kind != kinds.HEAD:  # a head is kept beside what was asked for
        landed.note_place(str(path))
    try:
        sync_folder(target.parent)
    except OSError as error:
        raise Refused(
            phrase(
                "{path} was written, but a power cut could still lose it: {reason}",
                path=str(path),
                reason=str(error.strerror),
            )
        ) from None


def refuse_no_text(path: Path) -> None:
    """Refuse a file that is packed or no UTF-8, as Unreadable, which says what to do."""
    try:
        beginning = first_bytes(path, kinds.BEGINNING_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from None
    for found, what in kinds.NO_TEXT.items():
        if found.match(beginning):
            raise Unreadable(phrase("{file} is {what}", file=str(path), what=Phrase(what)))


def place_of(path: Path) -> Path:
    """Return where a file is written to: what its links lead to; Refused if that is no place."""
    try:
        place = path.resolve()
    except (OSError, RuntimeError):  # RuntimeError: up to Python 3.12
        place = path
    if place.is_symlink():
        raise Refused(
            phrase("{path} is a link that leads to itself: name another file", path=str(path))
        )
    if not path.name or not place.name:
        raise Refused(phrase("{path} is a directory: name the file in it", path=str(path)))
    return place


def refuse_to_replace(path: Path, kind: str = "") -> None:
    """Refuse to replace what may be all there is of a day: any known file of another kind.

    A log replaces no file of an unknown kind either: its name may have been typed by mistake.
    """
    target = place_of(path)
    if target.exists() and not target.is_file():
        raise Refused(phrase("{path} is not an ordinary file: name another file", path=str(path)))
    found = _kind_there(target)
    if kind == kinds.LOG and not found and target.exists() and target.stat().st_size:
        raise Refused(phrase("{path} exists and is not a log: name another file", path=str(path)))
    if found not in {"", kind}:
        raise Refused(
            phrase(
                "{path} is {kind}, which is never replaced: name another file",
                path=str(path),
                kind=Phrase(kinds.KINDS[found][1]),
            )
        )
    if kind != kinds.HEAD and (owner := _owner(target)):
        raise Refused(
            phrase("{path} belongs to {owner}: name another file", path=str(path), owner=owner)
        )


def _kind_there(path: Path) -> str:
    try:
        return kind_at(path) if path.is_file() else ""
    except OSError as error:
        raise Refused(
            phrase(
                "{path} cannot be read, so it is not replaced: {reason}",
                path=str(path),
                reason=str(error.strerror),
            )
        ) from None


def _owner(path: Path) -> Phrase | str:
    """Name what a place, or a folder above it, belongs to: a store, a season, the keys."""
    for place in (path, *path.parents):
        if place.name == kinds.KEYS_FOLDER:
            return phrase("the keys of this desk")
        for kind, endings in kinds.BELONGING.items():
            for ending in filter(place.name.endswith, endings):
                owner = place.with_name(place.name.removesuffix(ending) or place.name)
                if owner != place and _kind_there(owner) == kind:
                    return owner.name
    return ""


def one_line(text: str) -> str:
    """Make text from outside fit for one line: nothing invisible, nothing endless."""
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    return shown if len(shown) <= SHOWN_MAX else shown[:SHOWN_MAX] + "…"


def _unreadable(path: Path, error: OSError) -> LedgerError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotFound(phrase("there is no file {path}", path=str(path)))
    if isinstance(error, IsADirectoryError):
        return NotFound(phrase("{path} is a directory: name the file in it", path=str(path)))
    return Unreadable(
        phrase(
            "{path} cannot be read: {reason}",
            path=str(path),
            reason=error.strerror or type(error).__name__,
        )
    )


def _sync(part: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def refuse_strange(database: sqlite3.Connection, file: str, *made_by: str) -> None:
    """Confine a connection, and refuse a file with objects that these scripts do not make.

    Raises:
        StoreUnavailable: the file has a view, a trigger, an index or a table of another program.
        sqlite3.Error: the file is damaged.
    """
    from ledger.proof.databases import confine, strange_object  # noqa: PLC0415 - loads sqlite3

    confine(database)
    if strange := strange_object(database, *made_by):
        text = marked(
            "{file} has {strange}, which tourney does not make: use a copy that only tourney "
            "has written to"
        )
        raise StoreUnavailable(problem("file.strange", text, file=file, strange=strange))
