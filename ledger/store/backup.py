"""The backup: log and vault of tournaments in one file, for another machine or kind of store.

    {"tourney-backup":2}
    {"kind":"log","stream":"<32 hex digits>","events":<n>,"root":"<base64>","head":"<note>",
     "secrets":{"<name>":"<base64>", …}}                    one line
    <line>                                                  n times, the stored line
    …                                                       each further tournament likewise
    {"kind":"end","sha256":"<of every byte above>","signed":{"<stream>":"<base64>"},"mac":"<text>"}

`root` is that of the lines' tree, `head` the highest signed head of the log, or empty. `signed` has
the signatures of the logs' keys and `mac` that of a key of the desk that made it, over `sha256`.
A sealed backup begins with two lines, `{"tourney-backup":2,"sealed":"<for whom>"}` and the sealed
file key; then come all those bytes, from the first line above on, sealed in chunks.

Each of these lines has one spelling. Only its owner can read the file; it is written beside its
place and put there when it is on the disk as a whole.
"""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from ledger.errors import InvalidLog, NotFound, Refused, StoreUnavailable
from ledger.files import landed
from ledger.files.access import first_bytes, place_of, refuse_to_replace, whole_file
from ledger.files.kinds import BACKUP
from ledger.problems import phrase
from ledger.proof.ciphers import opened_chunks, sealed_chunks
from ledger.proof.formats import NOTE_BYTES_MAX, Invalid, Tree, opened
from ledger.store.base import CHUNK_EVENTS, STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ledger.store import Store

    Unlock: TypeAlias = Callable[[str, bytes], bytes]
    """Opens the file key: its arguments are the reader, and the second line of the file."""


LINE_BYTES_MAX = 64 << 20
"""The longest line of a backup that is read: it has all secrets of a tournament."""

EVENTS_MAX = 1_000_000_000
"""Maximum events of a tournament in a backup, which bounds the lines that are read."""

NUMBER = 2
BY_PASSPHRASE = "passphrase"  # noqa: S105 - what opens it, not what is typed
"""Mark in the place of a reader's id if a passphrase opens the backup."""

_KEY_LINE_MAX = 4_096
BEGINNING = b'{"tourney-backup":'
FIRST = b'{"tourney-backup":%d}\n' % NUMBER
_NUMBERED = re.compile(rb'\{"tourney-backup":([0-9]{1,9})[,}]')


class SealedBeginning(Struct, rename={"number": "tourney-backup"}, forbid_unknown_fields=True):
    """The first line of a sealed backup."""

    number: int
    sealed: Annotated[str, msgspec.Meta(pattern="^(?:passphrase|[0-9a-f]{8})$")]


class SavedLog(Struct, tag_field="kind", tag="log", forbid_unknown_fields=True):
    """The line before a tournament's lines."""

    stream: str
    events: Annotated[int, msgspec.Meta(ge=1, le=EVENTS_MAX)]
    root: bytes
    head: Annotated[str, msgspec.Meta(max_length=NOTE_BYTES_MAX)]
    secrets: dict[str, bytes]


class LastLine(Struct, tag_field="kind", tag="end", forbid_unknown_fields=True):
    """The last line."""

    sha256: str
    signed: dict[str, bytes]
    mac: str


class Saved(NamedTuple):
    """A tournament as a backup has it: only its completeness is checked yet."""

    stream: str
    lines: list[bytes]
    root: bytes
    head: bytes
    secrets: Mapping[str, bytes]


class Vouchers(NamedTuple):
    """Proof of the maker of a backup: signatures of logs' keys by stream, and a desk's MAC."""

    signed: Mapping[str, bytes] = {}
    mac: str = ""


class Seal(NamedTuple):
    """Seal of a backup: its reader, the file key, and that key sealed for the reader."""

    to: str
    key: bytes
    line: bytes


class StillSealed(Refused):
    """A backup that this machine cannot open, so that its content is not known."""


class OtherRelease(InvalidLog):
    """A backup in the format of another release."""


def chunk_key(key: bytes, first: bytes) -> bytes:
    """Derive the key of the chunks, so that they open only behind these first two lines."""
    return hmac.digest(key, b"tourney backup\n" + first, "sha256")


def refuse_sealed(to: str, _line: bytes) -> bytes:
    """Open no sealed backup.

    Raises:
        Refused: always.
    """
    raise Refused(phrase("it is sealed for {to}", to=to))


class Backup:
    """A backup's file: read from its first byte to its last, as often as asked."""

    def __init__(self, path: str, unlock: Unlock = refuse_sealed) -> None:
        self.path = path
        self.sealed = ""
        """For whom it is sealed, once it was begun."""

        self.digest = b""
        self.vouchers = Vouchers()
        """The vouchers of the last line, once the backup was read to the end."""

        self._unlock = unlock
        self._keys: dict[bytes, bytes] = {}

    def tournaments(self) -> Iterator[Saved]:
        """Yield the tournaments of the backup, which is known to be complete only at the end.

        Raises:
            InvalidLog: the backup is damaged, or was cut off.
            OtherRelease: another release made the backup.
            StillSealed: no key of this machine opens the backup.
            NotFound: there is no such file.
            Refused: the path is that of a directory.
            StoreUnavailable: the file cannot be read.
        """
        try:
            with opened(Path(self.path)) as file:
                yield from self._parsed(_rows(self._opened(file)))
        except Invalid:
            raise self._broken() from None
        except FileNotFoundError:
            raise NotFound(phrase("there is no backup at {path}", path=str(self.path))) from None
        except IsADirectoryError:
            raise Refused(
                phrase("{path} is a directory: name the file in it", path=str(self.path))
            ) from None
        except OSError as error:
            raise StoreUnavailable(
                phrase(
                    "{path} cannot be read: {reason}",
                    path=str(self.path),
                    reason=str(error.strerror),
                )
            ) from None

    def _broken(self) -> InvalidLog:
        return InvalidLog(
            phrase("{path} is damaged or was cut off; use another backup", path=str(self.path))
        )

    def _opened(self, file: BinaryIO) -> BinaryIO:
        """Return the file of the lines: after the first two lines if the backup is sealed."""
        first = file.readline(_KEY_LINE_MAX)
        self._refuse_other_releases(first)
        if first == FIRST:
            file.seek(0)
            return file
        try:
            header = msgspec.json.decode(first, type=SealedBeginning)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._broken() from None
        line = file.readline(_KEY_LINE_MAX)
        if msgspec.json.encode(header) + b"\n" != first or not line.endswith(b"\n"):
            raise self._broken()
        self.sealed = header.sealed
        key = self._file_key(first, line.removesuffix(b"\n"))
        return opened_chunks(chunk_key(key, first + line), file)

    def _refuse_other_releases(self, first: bytes) -> None:
        found = _NUMBERED.match(first)
        if found is None:
            raise InvalidLog(phrase("{path} is not a tourney backup", path=str(self.path)))
        number = int(found[1])
        if number < NUMBER:
            raise OtherRelease(
                phrase(
                    "{path} was made by tourney 0.1.0; restore it with that release",
                    path=str(self.path),
                )
            )
        if number > NUMBER:
            raise OtherRelease(
                phrase(
                    "{path} was made by a newer release of tourney; install that release",
                    path=str(self.path),
                )
            )

    def _file_key(self, first: bytes, line: bytes) -> bytes:
        if first + line not in self._keys:
            try:
                self._keys[first + line] = self._unlock(self.sealed, line)
            except (InvalidLog, NotFound, Refused) as error:
                raise StillSealed(
                    phrase(
                        "{path} cannot be opened: {error}", path=str(self.path), error=error.words
                    )
                ) from None
        return self._keys[first + line]

    def _parsed(self, rows: Iterator[bytes]) -> Iterator[Saved]:
        if next(rows, b"") != FIRST:
            raise self._broken()
        hashed, known = sha256(FIRST), set[str]()
        for row in rows:
            head = self._head(row)
            if isinstance(head, LastLine):
                self.digest, self.vouchers = hashed.digest(), Vouchers(head.signed, head.mac)
                if head.sha256 != hashed.hexdigest() or next(rows, b""):
                    raise self._broken()
                return
            body = list(islice(rows, head.events))
            hashed.update(row + b"".join(body))
            if len(body) != head.events or not STREAM.fullmatch(head.stream):
                raise self._broken()
            if head.stream in known:
                raise InvalidLog(
                    phrase(
                        "{path} contains tournament {stream} twice",
                        path=str(self.path),
                        stream=head.stream,
                    )
                )
            known.add(head.stream)
            lines = [line.removesuffix(b"\n") for line in body]
            yield Saved(head.stream, lines, head.root, head.head.encode(), head.secrets)
        raise self._broken()

    def _head(self, row: bytes) -> SavedLog | LastLine:
        """Read a line in its one spelling: no member twice, and none in another place."""
        try:
            head = msgspec.json.decode(row, type=SavedLog | LastLine)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._broken() from None
        if msgspec.json.encode(head) + b"\n" != row:
            raise self._broken()
        return head


def _rows(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, up to the first one that is too long or has no end."""
    while (line := file.readline(LINE_BYTES_MAX)).endswith(b"\n"):
        yield line
    if line:
        yield line


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
            raise NotFound(
                phrase("{where} has no tournament {stream}", where=store.where, stream=stream)
            )
    sizes = {stream: store.size(stream) for stream in wanted}
    body = _whole(_parts(store, sizes, heads), vouch)
    place_of(Path(path))
    try:
        _check_replaceable(Path(path))
        with whole_file(Path(path), is_secret=True) as file:
            file.writelines(sealed(body, seal) if seal else body)
    except OSError as error:
        raise StoreUnavailable(
            phrase("{path} cannot be written: {reason}", path=str(path), reason=str(error.strerror))
        ) from None
    landed.note_place(path)
    return sizes


def sealed(body: Iterable[bytes], seal: Seal) -> Iterator[bytes]:
    """Seal bytes: yield two lines with the reader and the sealed file key, then the chunks."""
    first = msgspec.json.encode(SealedBeginning(NUMBER, seal.to)) + b"\n" + seal.line + b"\n"
    yield first
    yield from sealed_chunks(chunk_key(seal.key, first), body)


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
    yield FIRST
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
                phrase(
                    "{where} is damaged: some of the {size} events of {stream} are missing after "
                    "event {after}; keep the last good backup",
                    where=store.where,
                    size=size,
                    stream=stream,
                    after=after,
                )
            )
        yield from (line for _, line in chunk)


def _check_replaceable(path: Path) -> None:
    if path.exists() and first_bytes(path, len(BEGINNING)) not in {b"", BEGINNING}:
        raise Refused(
            phrase("{path} exists and is not a backup; name another file", path=str(path))
        )
    refuse_to_replace(path, BACKUP)
