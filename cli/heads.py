"""The log's signed heads: made after the commit, kept beside the store, never gone back behind.

Only the machine that has the log's key signs. What is kept is the highest head ever signed, with
the tree's frontier there, so that the next one hashes the new lines alone. An act on a store that
is behind it, or that has another line at its end, is refused: the store was restored.

Of two desks on that machine one at a time reads the kept head and puts its own in its place: the
lock is an empty SQLite file, which the system gives back whatever becomes of its holder.
"""

from __future__ import annotations

from contextlib import closing
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from cli.keyring import folder
from cli.keyring import log_signer
from cli.keyring import proving
from cli.keyring import take_next_log_key
from ledger.errors import Refused
from ledger.files import first_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.books import Book
    from ledger.proof.formats import Checkpoint
    from ledger.proof.formats import Tree
    from ledger.proof.notes import Signer

SUFFIX = "-checkpoints"
STATE_BYTES_MAX = 1 << 16
LOCK_SECONDS = 30
AUTOMATIC = frozenset({"Posted", "RoundClosed", "TournamentFinished"})
"""The events after which a head is signed without being asked for."""


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The highest head signed: its note, the hash of its last line, and the tree's frontier."""

    size: int
    note: str
    last: bytes
    frontier: tuple[bytes, ...]


class Heads:
    """The kept head of one log."""

    def __init__(self, book: Book, location: str) -> None:
        self.book = book
        beside = Path(location + SUFFIX) if "://" not in location else folder() / "checkpoints"
        self.path = beside / f"{book.stream}.json"

    def kept(self) -> Kept | None:
        """Read the highest head; None where none was ever signed here.

        Raises:
            Refused: the file is damaged.
        """
        import msgspec

        try:
            return msgspec.json.decode(first_bytes(self.path, STATE_BYTES_MAX), type=Kept)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refused(f"{self.path} can not be read: {error}") from None

    def guard(self) -> None:
        """Refuse to go on from a book that lost lines which a head covers.

        Raises:
            Refused: it did; nothing is written.
        """
        kept, size = self.kept(), self.book.length
        if kept is not None and not _covers(kept, self.book):
            raise Refused(
                f"the store went back: a head of {kept.size} events was signed, and it holds "
                f"{size}{' others' if size >= kept.size else ''}; restore the newest backup, or "
                "`tourney checkpoint --accept-fork --reason TEXT`"
            )

    def sign(self, *, whole: bool = False) -> Kept | None:
        """Sign and keep the head of all lines; None on a machine without the log's key.

        `whole` hashes every line again instead of going on from the last frontier.

        Raises:
            Refused: the store is not what was signed before.
        """
        signer = self._signer()
        if signer is None:
            self.guard()
            return None
        with self.alone() as kept:
            self._catch_up(kept)
            self.guard()
            if kept is not None and kept.size == self.book.length and not whole:
                return kept
            tree = _tree(self.book, kept, whole=whole)
            if kept is not None and kept.size == tree.size:
                return kept
            made = self._signed(tree, signer)
            self.keep(made)
            return made

    def _signer(self) -> Signer | None:
        """Return who signs for the log here; nobody where the key that is here was revoked."""
        from ledger.proof.acts import revoked

        stream, keys = self.book.stream, self.book.tournament.keys
        take_next_log_key(stream, keys)
        signer = log_signer(stream)
        return None if signer is None or revoked(keys, [signer.key.public]) else signer

    @contextmanager
    def alone(self) -> Iterator[Kept | None]:
        """Be the one who changes what is kept; gives the highest head as it is then.

        Raises:
            Refused: the folder can not be used, or another desk holds the lock for too long.
        """
        import sqlite3

        lock = self.path.with_suffix(".lock")
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(sqlite3.connect(lock, timeout=LOCK_SECONDS, isolation_level=None)) as held:
                held.execute("BEGIN IMMEDIATE")
                yield self.kept()
        except OSError as error:
            raise Refused(f"{lock.parent} can not be made: {error.strerror}") from None
        except sqlite3.Error as error:
            raise Refused(f"{lock} can not be locked: {error}") from None

    def _catch_up(self, kept: Kept | None) -> None:
        """Read what another desk wrote and signed for meanwhile."""
        book = self.book
        if kept is not None and kept.size > book.length and not book.is_past:
            book.refresh()

    def _signed(self, tree: Tree, signer: Signer) -> Kept:
        from ledger.proof.acts import origin_of
        from ledger.proof.formats import Checkpoint
        from ledger.proof.formats import leaf_hash
        from ledger.proof.notes import checkpoint_text
        from ledger.proof.notes import signed_note

        head = Checkpoint(origin_of(self.book.stream), tree.size, tree.root())
        with proving():
            note = signed_note(checkpoint_text(head), signer)
        last = leaf_hash(self.book.line(tree.size))
        return Kept(tree.size, note.decode(), last, tuple(tree.frontier))

    def keep(self, kept: Kept) -> None:
        """Write the head down, whole or not at all, while `alone`.

        Raises:
            Refused: it can not be written.
        """
        import msgspec

        from ledger.filekinds import HEAD
        from ledger.files import write_whole

        write_whole(self.path, [msgspec.json.encode(kept)], HEAD)

    @contextmanager
    def abandoning(self, kept: Kept) -> Iterator[None]:
        """Put the head of the other side of a fork aside: it is evidence, and guards no longer.

        Where the act that says so does not land, it stays.
        """
        aside = self.path.with_suffix(f".abandoned-{kept.size}.json")
        with self.alone():
            self.path.replace(aside)
        try:
            yield
        except BaseException:
            aside.replace(self.path)
            raise


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


def _covers(kept: Kept, book: Book) -> bool:
    from ledger.proof.formats import leaf_hash

    return book.length >= kept.size and leaf_hash(book.line(kept.size)) == kept.last


def _tree(book: Book, kept: Kept | None, *, whole: bool) -> Tree:
    """Hash the lines; from the first one if asked to, and then the old head has to come out."""
    from ledger.proof.formats import Tree
    from ledger.proof.formats import leaf_hash

    from_kept = kept is not None and not whole
    tree = Tree(kept.size, kept.frontier) if kept and from_kept else Tree()
    for line in book.since(tree.size):
        tree.add(leaf_hash(line))
        if kept and tree.size == kept.size and tuple(tree.frontier) != kept.frontier:
            raise Refused(
                f"the store's first {kept.size} events are not those that were signed: restore the "
                "newest backup, or `tourney checkpoint --accept-fork --reason TEXT`"
            )
    return tree
