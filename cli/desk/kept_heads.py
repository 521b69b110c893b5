"""What is kept of a log's highest signed head beside its store, and what it says of the lines.

    <tournament>.json     the head's note, the tree's frontier there, two quick marks of the lines
    <tournament>.hashes   the hash of each line that the head covers: they name the one changed

Whoever can change the store can change these files; the signed note alone they can not make anew.
So the marks only spare work where they fit: where they do not, and wherever somebody asks, the
lines have to hash to the root in the note.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from cli.desk.keyring import folder
from cli.desk.keyring import proving
from ledger.durable import sync_folder
from ledger.errors import InvalidLog
from ledger.errors import Refused
from ledger.files import first_bytes
from ledger.proof.formats import HASH_BYTES
from ledger.proof.formats import Tree
from ledger.proof.formats import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.proof.formats import Checkpoint

SUFFIX = "-checkpoints"
STATE_BYTES_MAX = 1 << 16
CHUNK_LINES = 10_000
"""How many lines are put together to be hashed at once."""

GO_ON = "`tourney checkpoint --accept-fork --reason TEXT`"
WAYS_OUT = (
    "restore the newest backup into a new store (`tourney --store NEW restore FILE`), or go on "
    f"with {GO_ON}"
)


class NotAsSigned(InvalidLog):
    """Lines of a store that are not those of a signed head; `seq` is the first, 0 if not known."""

    def __init__(self, text: str, seq: int = 0) -> None:
        super().__init__(text)
        self.seq = seq


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The highest head signed: its note, the tree's frontier there.

    `last` is the hash of the last line, `digest` that of all lines, each with its newline.
    """

    size: int
    note: str
    last: bytes
    frontier: tuple[bytes, ...]
    digest: bytes


class KeptHead:
    """The kept head of one log, of a store at a location."""

    def __init__(self, location: str, stream: str) -> None:
        beside = Path(location + SUFFIX) if "://" not in location else folder() / "checkpoints"
        self.path = beside / f"{stream}.json"
        self.hashes = beside / f"{stream}.hashes"

    def read(self) -> Kept | None:
        """Read the highest head; None where none was ever signed here.

        Raises:
            Refused: the file is damaged.
        """
        import msgspec

        try:
            kept = msgspec.json.decode(first_bytes(self.path, STATE_BYTES_MAX), type=Kept)
            _hold_to_its_note(kept)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, InvalidLog) as error:
            reason = getattr(error, "strerror", None) or error
            raise Refused(
                f"{self.path} can not be read: {reason}; put a copy of it in its place, or move it "
                "away: then the next head begins anew, and nothing before it is compared"
            ) from None
        return kept

    def write(self, kept: Kept) -> None:
        """Write the head down, whole or not at all.

        Raises:
            Refused: it can not be written.
        """
        import msgspec

        from ledger.filekinds import HEAD
        from ledger.files import write_whole

        write_whole(self.path, [msgspec.json.encode(kept)], HEAD)

    def write_hashes(self, after: int, lines: Sequence[bytes]) -> None:
        """Put the hashes of the lines past `after` behind those there; all if they are not.

        They tell which line was changed, and no more: nothing waits until they are on the disk.

        Raises:
            Refused: they can not be written.
        """
        try:
            there = self.hashes.stat().st_size if self.hashes.is_file() else 0
            after = after if there >= after * HASH_BYTES else 0
            if not after:
                self.hashes.unlink(missing_ok=True)
            with self.hashes.open("r+b" if after else "xb") as file:
                file.seek(after * HASH_BYTES)
                file.write(b"".join(map(leaf_hash, lines[after:])))
                file.truncate()
        except OSError as error:
            raise Refused(f"{self.hashes} can not be written: {error.strerror}") from None

    def put_aside(self, kept: Kept) -> dict[Path, Path]:
        """Keep the head under another name, as evidence; returns the names after those before."""
        aside = {
            path: path.with_suffix(f".abandoned-{kept.size}{path.suffix}")
            for path in (self.hashes, self.path)
            if path.exists()
        }
        for path, other in aside.items():
            path.replace(other)
        sync_folder(self.path.parent)
        return aside

    def check(self, kept: Kept, lines: Sequence[bytes]) -> None:
        """Hold lines to the head, by their tree.

        Raises:
            NotAsSigned: they do not begin with those that it was signed for.
        """
        if len(lines) < kept.size:
            raise gone(kept, len(lines))
        tree = Tree()
        for line in lines[: kept.size]:
            tree.add(leaf_hash(line))
        if tree.root() == head_of(kept).root:
            return
        seq = self._first_changed(kept, lines)
        what = (
            f"event {seq} is not the one" if seq else f"its first {kept.size} events are not those"
        )
        raise NotAsSigned(
            f"the store was changed behind tourney's back: {what} that the head of {kept.size} "
            f"events was signed for; {WAYS_OUT}",
            seq,
        )

    def _first_changed(self, kept: Kept, lines: Sequence[bytes]) -> int:
        """Return the number of the first line that is another; 0 where the hashes are lost."""
        try:
            data = first_bytes(self.hashes, kept.size * HASH_BYTES)
        except OSError:
            return 0
        signed = [data[place : place + HASH_BYTES] for place in range(0, len(data), HASH_BYTES)]
        tree = Tree()
        for leaf in signed:
            tree.add(leaf)
        if tree.root() != head_of(kept).root:
            return 0
        pairs = zip(signed, lines, strict=False)
        return next(seq for seq, (leaf, line) in enumerate(pairs, 1) if leaf != leaf_hash(line))


def gone(kept: Kept, size: int) -> NotAsSigned:
    """Say that the store lost lines which a head covers."""
    return NotAsSigned(
        f"the store went back: a head of {kept.size} events was signed, and it holds {size}; "
        f"restore the newest backup, or go on with {GO_ON}"
    )


def hold(location: str, stream: str, lines: Sequence[bytes]) -> None:
    """Hold a log's lines to the head that is kept beside its store, if there is one.

    Raises:
        NotAsSigned: they are not those that it was signed for.
        Refused: the head's file is damaged.
    """
    beside = KeptHead(location, stream)
    kept = beside.read()
    if kept is not None:
        beside.check(kept, lines)


def look_at(location: str, stream: str, lines: Sequence[bytes]) -> None:
    """Hold a log's lines to the head beside its store as quickly as an open log is held to it.

    Raises:
        NotAsSigned: they are not those that it was signed for.
        Refused: the head's file is damaged.
    """
    beside = KeptHead(location, stream)
    kept = beside.read()
    if kept is not None and Digest().feed(lines[: kept.size]) != kept.digest:
        beside.check(kept, lines)


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


def head_of(kept: Kept) -> Checkpoint:
    """Read the head out of its note."""
    return head_in(kept.note.encode())


def head_in(note: bytes) -> Checkpoint:
    """Read the head out of a signed note.

    Raises:
        InvalidLog: there is none in it.
    """
    from ledger.proof.formats import parse_checkpoint
    from ledger.proof.formats import parse_note

    with proving():
        return parse_checkpoint(parse_note(note).text)


def _hold_to_its_note(kept: Kept) -> None:

    if (kept.size, Tree(kept.size, kept.frontier).root()) != head_of(kept)[1:]:
        raise InvalidLog("what it holds is not what its note was signed for")
