"""The highest head of a log that was signed here, in the key folder, compared with lines.

    checkpoints/<tournament>.json     its note, the tree's frontier there, two quick marks
    checkpoints/<tournament>.hashes   the hash of each line that it covers: one changed is named

The id of an imported log follows from its file, so two stores may hold two logs with one id. The
key here belongs to the log that was signed first. The head of the other log has its own files,
named by its first line (`last_heads.checkpoint_file_of`).

They lie beside the key that signs, by tournament: a store that was copied, or restored from an
older backup, has no head of its own, and is compared with this one. Who can change these files can
not make the signed note again without the key. So the note's signature is checked whenever lines
are compared with it, the marks only spare work if they match, and a missing head is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from cli.machine.keyring import LOG, folder, key_path, proving
from cli.terminal.problems import reason_of
from cli.terminal.visible import how_many
from ledger.errors import InvalidLog, Refused
from ledger.files.access import first_bytes, make_private_folder, sync_folder
from ledger.files.system import replace_file
from ledger.problems import Phrase, phrase
from ledger.proof.formats import HASH_BYTES, Checkpoint, Tree, leaf_hash

if TYPE_CHECKING:
    from ledger.proof.signatures import Held

CHUNK_LINES = 10_000
"""How many lines are put together to be hashed at once."""


class Digest:
    """The hash of lines at one go, each with its newline: a tenth of the work of their tree."""

    def __init__(self) -> None:
        self._hash = sha256()
        self.size = 0

    def feed(self, lines: Sequence[bytes]) -> bytes:
        """Go on with these lines; returns the digest of all so far."""
        for start in range(0, len(lines), CHUNK_LINES):
            self._hash.update(b"\n".join(lines[start : start + CHUNK_LINES]) + b"\n")
        self.size += len(lines)
        return self._hash.digest()


def write_hashes(path: Path, after: int, lines: Sequence[bytes]) -> None:
    """Put the hashes of the lines past `after` behind those in a file, or all; or OSError."""
    there = path.stat().st_size if path.is_file() else 0
    after = after if there >= after * HASH_BYTES else 0
    if not after:
        path.unlink(missing_ok=True)
    with path.open("r+b" if after else "xb") as file:
        file.seek(after * HASH_BYTES)
        file.write(b"".join(map(leaf_hash, lines[after:])))
        file.truncate()


def first_changed(path: Path, size: int, root: bytes, lines: Sequence[bytes]) -> int:
    """Return the first line that is not the one hashed, or is gone; 0 where the hashes are lost."""
    try:
        data = first_bytes(path, size * HASH_BYTES)
    except OSError:
        return 0
    known = [data[place : place + HASH_BYTES] for place in range(0, len(data), HASH_BYTES)]
    tree = Tree()
    for leaf in known:
        tree.add(leaf)
    if tree.root() != root:
        return 0
    pairs = enumerate(zip(known, lines, strict=False), start=1)
    return next((seq for seq, (leaf, line) in pairs if leaf != leaf_hash(line)), len(lines) + 1)


def rename_abandoned(paths: Iterable[Path], size: int) -> dict[Path, Path]:
    """Give files names that say what they were of; returns those names after the ones before."""
    renamed = {
        path: path.with_suffix(f".abandoned-{size}{path.suffix}") for path in paths if path.exists()
    }
    for path, other in renamed.items():
        replace_file(path, other)
        sync_folder(path.parent)
    return renamed


FOLDER = "checkpoints"
BEGINNING_DIGITS = 16
STATE_BYTES_MAX = 1 << 16

AUTOMATIC = frozenset(
    {"HeadCosigned", "HeadRecorded", "Posted", "RoundClosed", "TournamentFinished"}
)
"""The events after which a head is signed without being asked for."""

_OF_A_START = {"HeadCosigned", "HeadRecorded"}
_LATER = "|".join(sorted(AUTOMATIC - _OF_A_START)).encode()
_SIGNED_AFTER = re.compile(b'"type":"(?:%s)["@]' % _LATER)


WAYS_OUT = phrase(
    "restore a backup that has them into a new store (`tourney --store NEW restore FILE`); if "
    "there is none, use `tourney checkpoint --accept-fork --reason TEXT` to record what is lost"
)
NO_HEAD = phrase(
    "put a copy of it back (`tourney restore` of a backup of this log does this), or use "
    "`tourney checkpoint --accept-fork --reason TEXT` to record that it is lost"
)


class NotAsSigned(InvalidLog):
    """Lines of a store that are not those of a signed head; `seq` is the first, 0 if not known."""

    def __init__(self, text: Phrase, seq: int = 0) -> None:
        super().__init__(text)
        self.seq = seq


class NoHead(NotAsSigned):
    """The signed head that lines have to be held to is gone, damaged, or not signed by its key."""


class _FileState(NamedTuple):
    """What is another once a file was written again, or another one put in its place."""

    number: int
    size: int
    written: int
    changed: int


def _state_of(path: Path) -> _FileState:
    found = path.stat()
    return _FileState(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class StoredCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The highest head signed: its note, the tree's frontier there.

    `last` is the hash of the last line, `digest` that of all lines, each with its newline.
    """

    size: int
    note: str
    last: bytes
    frontier: tuple[bytes, ...]
    digest: bytes


class CheckpointFile:
    """The files of one log's highest signed head."""

    def __init__(self, stream: str, keys: Path | None = None, beginning: bytes = b"") -> None:
        """`beginning` is the hash of the first line, if the log shares the id of the key's log."""
        self.stream, self.is_of_another = stream, bool(beginning)
        name = f"{stream}-{beginning.hex()[:BEGINNING_DIGITS]}" if beginning else stream
        self.path = (keys or folder()) / FOLDER / f"{name}.json"
        self.hashes = self.path.with_suffix(".hashes")
        self._read: tuple[_FileState, StoredCheckpoint] | None = None

    def read(self) -> StoredCheckpoint | None:
        """Read the highest head, by any signer; None without a file, NoHead if damaged.

        Two hundred acts of one turn ask for it: the file is read again where it is another.
        """
        import msgspec

        try:
            now = _state_of(self.path)
            if self._read and self._read[0] == now:
                return self._read[1]
            kept = msgspec.json.decode(
                first_bytes(self.path, STATE_BYTES_MAX), type=StoredCheckpoint
            )
            _hold_to_its_note(kept, self.stream)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, InvalidLog) as error:
            reason = getattr(error, "strerror", None) or reason_of(error)
            raise NoHead(
                phrase(
                    "{path} cannot be read: {reason}; {no_head}",
                    path=str(self.path),
                    reason=reason,
                    no_head=NO_HEAD,
                )
            ) from None
        self._read = now, kept
        return kept

    def verify(self, kept: StoredCheckpoint, keys: Mapping[bytes, Held]) -> None:
        """Hold a head to the log's key here, else to those that the log names; or NoHead."""
        from ledger.proof.formats import ED25519, Key, open_note, parse_note
        from ledger.proof.signatures import origin_of

        origin = origin_of(self.stream)
        known = [Key(origin, ED25519, each) for each in _who_signs(self.stream, keys, kept.size)]
        try:
            with proving():
                open_note(parse_note(kept.note.encode()), known)
        except InvalidLog:
            raise NoHead(
                phrase(
                    "{path} is not signed with the log's key; {no_head}",
                    path=str(self.path),
                    no_head=NO_HEAD,
                )
            ) from None

    def has_key_of(self, public: Iterable[bytes]) -> bool:
        """Return whether the key here is one of these.

        A key with a passphrase, or a damaged one, counts: the act that needs it reports the fault.
        """
        from ledger.proof.signatures import origin_of

        path = key_path(LOG, self.stream)
        readable = _public_in(path, origin_of(self.stream))
        return path.exists() and (not readable or readable in public)

    def refuse_absence(self, keys: Mapping[bytes, Held], lines: Sequence[bytes]) -> None:
        """Refuse, as NoHead, to go on where the log's key is here and has signed one."""
        from ledger.proof.signatures import origin_of

        path = key_path(LOG, self.stream)
        if not path.exists() or self.is_of_another:
            return
        held = keys.get(_public_in(path, origin_of(self.stream)))
        if held is not None and held.until:
            return
        since = held.since if held is not None else 0
        if any(_SIGNED_AFTER.search(line) for line in lines[since:]):
            raise NoHead(
                phrase(
                    "{path}, the latest signed head, is missing; {no_head}",
                    path=str(self.path),
                    no_head=NO_HEAD,
                )
            )

    def write(self, kept: StoredCheckpoint) -> None:
        """Write the head down, whole or not at all; Refused where it cannot be written."""
        import msgspec

        from ledger.files.access import write_whole
        from ledger.files.kinds import HEAD

        write_whole(self.path, [msgspec.json.encode(kept)], HEAD)

    def take(self, note: bytes, lines: Sequence[bytes]) -> None:
        """Keep a head that came with its log and fits it, if none as high is here; or Refused."""
        head = head_in(note)
        with suppress(NoHead):
            if (kept := self.read()) is not None and kept.size >= head.size:
                return
        covered = lines[: head.size]
        tree = Tree().add_lines(covered)
        digest, last = Digest().feed(covered), leaf_hash(covered[-1])
        make_private_folder(self.path.parent)
        self.write_hashes(0, covered)
        self.write(StoredCheckpoint(head.size, note.decode(), last, tuple(tree.frontier), digest))

    def write_hashes(self, after: int, lines: Sequence[bytes]) -> None:
        """Put the hashes of the lines past `after` behind those there, or all; or Refused."""
        try:
            write_hashes(self.hashes, after, lines)
        except OSError as error:
            raise Refused(
                phrase(
                    "{path} cannot be written: {reason}",
                    path=str(self.hashes),
                    reason=str(error.strerror),
                )
            ) from None

    def rename_abandoned(self, size: int) -> dict[Path, Path]:
        """Keep the head under another name, as evidence; returns the names after those before."""
        return rename_abandoned((self.hashes, self.path), size)

    def check(self, kept: StoredCheckpoint, lines: Sequence[bytes]) -> None:
        """Hold lines to the head, by their tree; NotAsSigned if they begin otherwise."""
        if len(lines) < kept.size:
            raise gone(kept, len(lines))
        if Tree().add_lines(lines[: kept.size]).root() == head_of(kept).root:
            return
        seq = first_changed(self.hashes, kept.size, head_of(kept).root, lines)
        counted = how_many(kept.size, "event")
        if seq:
            text = phrase(
                "the store was changed by something other than tourney: event {seq} is not the one "
                "that the signed head of {events} covers; {ways_out}",
                seq=seq,
                events=counted,
                ways_out=WAYS_OUT,
            )
        else:
            text = phrase(
                "the store was changed by something other than tourney: its first {size} events "
                "are not those that the signed head of {events} covers; {ways_out}",
                size=kept.size,
                events=counted,
                ways_out=WAYS_OUT,
            )
        raise NotAsSigned(text, seq)


def gone(kept: StoredCheckpoint, size: int) -> NotAsSigned:
    """Say that the store lost lines which a head covers."""
    return NotAsSigned(
        phrase(
            "the store is older than its signed head, which covers {events}: the store has {size}; "
            "{ways_out}",
            events=how_many(kept.size, "event"),
            size=size,
            ways_out=WAYS_OUT,
        )
    )


def _public_in(path: Path, origin: str) -> bytes:
    """Return the public half of a log's key that opens without a passphrase; empty if none does."""
    from ledger.files.key_files import is_sealed, read_key
    from ledger.proof.formats import Invalid

    with suppress(Invalid, OSError):
        if not is_sealed(path) and (key := read_key(path).key).name == origin:
            return key.public
    return b""


def _who_signs(stream: str, keys: Mapping[bytes, Held], size: int) -> list[bytes]:
    """List the keys that may have signed a head of that many lines: the one here, if it was in use.

    What the store names it may have been made to name: it counts where no key here tells.
    """
    from ledger.proof.signatures import origin_of

    path, origin = key_path(LOG, stream), origin_of(stream)
    here = _public_in(path, origin)
    before = [_public_in(each, origin) for each in path.parent.glob(f"{path.stem}.until-*")]
    held = keys.get(here)
    if held is not None and held.since <= size and not 0 < held.until <= size:
        return [here]
    own = [each for each in (here, *before) if each]
    if here and held is None:
        return own
    return [*own, *(each.public for each in keys.values() if not each.holder)]


def head_of(kept: StoredCheckpoint) -> Checkpoint:
    """Read the head out of its note."""
    return head_in(kept.note.encode())


def head_in(note: bytes) -> Checkpoint:
    """Read the head out of a signed note; InvalidLog where it holds no head."""
    from ledger.proof.formats import parse_checkpoint, parse_note

    with proving():
        return parse_checkpoint(parse_note(note).text)


def _hold_to_its_note(kept: StoredCheckpoint, stream: str) -> None:
    from ledger.proof.signatures import origin_of

    head = head_of(kept)
    if head.origin != origin_of(stream):
        raise InvalidLog(phrase("it is the head of another log, {origin}", origin=head.origin))
    if (kept.size, Tree(kept.size, kept.frontier).root()) != head[1:]:
        raise InvalidLog(phrase("its contents do not match the signature on it"))
