"""The log's signed heads: made after the commit, kept beside the key, never gone back behind.

Only the machine that has the log's key signs. What is kept is the highest head ever signed, with
the tree's frontier there, so that the next one hashes the new lines alone. Whichever store the log
is in: an act on one that is behind that head, or has other lines than it was signed for, is
refused. A first head is signed before the first act, so that one that is gone is missed.

Of two desks on that machine one at a time reads the kept head and puts its own in its place: the
lock (`ledger.files.locks`) is a file beside the head's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.machine.checkpoint_file import AUTOMATIC, Digest, StoredCheckpoint, gone
from cli.machine.keyring import (
    LOG,
    follower_path,
    key_path,
    log_signer,
    needs_passphrase,
    only_read_path,
    proving,
    take_next_log_key,
    taken_over_path,
    unmark_only_read,
    why_only_read,
)
from cli.machine.last_heads import LastHead, LastHeads, StoresSeen, checkpoint_file_of
from cli.terminal.output import say
from ledger.errors import Refused
from ledger.files.access import make_private_folder, sync_folder
from ledger.files.locks import alone
from ledger.files.system import replace_file
from ledger.problems import phrase
from ledger.proof.formats import Checkpoint, Tree, leaf_hash

if TYPE_CHECKING:
    from cli.machine.integrity import StrictReader
    from cli.machine.last_heads import Known
    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded
    from ledger.proof.notes import Signer
    from ledger.proof.signatures import Held


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Be the one who changes a file; Refused where another desk is, for too long, or none can."""
    try:
        make_private_folder(file.parent)
    except OSError as error:
        raise Refused(
            phrase(
                "{folder} cannot be made: {reason}",
                folder=str(file.parent),
                reason=str(error.strerror),
            )
        ) from None
    with alone(file.with_suffix(".lock")):
        yield


END = "TournamentFinished"
BUILT_ON = AUTOMATIC | {"RoundPaired", "CutMade"}
"""The events that rest on all lines before them: none is changed when they are written."""

OF_KEYS = frozenset({"KeyRegistered", "KeyRevoked"})
"""The events that a copy takes although it is only read: they renew the key of the log."""


class Locked(Refused):
    """An act leads to a signed head, and the key that signs it waits for its passphrase."""


class Checkpoints:
    """The signed heads of one log."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.file = checkpoint_file_of(book.stream, book.lines)
        self._digest = Digest()
        self._strictly: StrictReader | None = None
        self._admitted_after: int | None = None
        self._is_abandoned = False
        self._is_unlocked = False
        self._verified = ""
        self.seen = LastHeads(book.stream)
        self._last: LastHead | None = None
        self._read = Digest()
        self._was_held = False
        self._is_only_read = self.takes_over = False

    def kept(self) -> StoredCheckpoint | None:
        """Read the highest head, signed by the log; None if there was none, NoHead if gone."""
        kept = self.file.read()
        self._refuse_no_head(kept)
        return kept

    def _refuse_no_head(self, kept: StoredCheckpoint | None) -> None:
        if kept is None and not self._is_abandoned:
            self.file.refuse_absence(*self._keys())
        elif kept is not None and kept.note != self._verified:
            self.file.verify(kept, self._keys()[0])
            self._verified = kept.note

    def _keys(self) -> tuple[Mapping[bytes, Held], Sequence[bytes]]:
        """The keys that the log names, and its lines: all, also where the book is of the past."""
        book = self.book
        if not book.is_past:
            return book.tournament.keys, book.lines
        from ledger.rules.signing import named_in  # all checks come with it

        lines = book.store.lines(book.stream)
        return named_in(lines), lines

    def guard(self, events: Sequence[Recorded] = ()) -> None:
        """Refuse to write these events behind lines that are not those that a head covers.

        Draws and heads need the digest of all, the end their tree; Locked where no key is open.
        """
        kept, types = self.kept(), {each.type for each in events}
        if self._is_only_read and not (self.takes_over or types <= OF_KEYS):
            raise Refused(why_only_read(self.book.stream))
        if kept is not None:
            self._hold(kept, types)
        if types & AUTOMATIC and self._has_key:
            if not self._is_unlocked and needs_passphrase(key_path(LOG, self.book.stream)):
                raise Locked(phrase("the log's key has a passphrase"))
            self.read_strictly(kept)
            self._admitted_after = len(self.book.lines)

    def unlock(self) -> None:
        """Open the log's key while nobody waits for a lock here; InvalidLog, or Refused."""
        log_signer(self.book.stream)
        self._is_unlocked = True

    def _hold(self, kept: StoredCheckpoint, types: set[str]) -> None:
        book = self.book
        if len(book.lines) < kept.size:
            raise gone(kept, len(book.lines))
        fits = leaf_hash(book.lines[kept.size - 1]) == kept.last and END not in types
        if fits and types & BUILT_ON:
            fits = self._begun(kept.size) == kept.digest
        if not fits:
            self.file.check(kept, book.lines[: kept.size])

    def read_strictly(self, kept: StoredCheckpoint | None) -> None:
        """Read the lines that no head covers yet as a verifier does; or StoreUnavailable."""
        from cli.machine.integrity import StrictReader  # only where a head is to be signed

        lines = self.book.lines[: self._admitted_after]
        self._strictly = self._strictly or StrictReader(self.book.store.where, self.book.stream)
        self._strictly.read(lines, kept.size if kept is not None else 0)

    def begin_act(self) -> None:
        """Begin an act; a head is signed before the first, so that one gone later is missed."""
        self._admitted_after = None
        self._is_only_read = self.is_only_read()
        follows = self._is_only_read and follower_path(self.book.stream).exists()
        if (follows or self.is_taken_over) and not self.takes_over:
            raise Refused(why_only_read(self.book.stream))
        if not (self._is_abandoned or self.book.is_past or self.file.path.exists()):
            self.sign()

    @property
    def _has_key(self) -> bool:
        """Return whether this machine has the key that signs this log."""
        return key_path(LOG, self.book.stream).exists() and not self.file.is_of_another

    def look(self, known: Known) -> None:
        """Refuse to show what is computed from lines other than those of the heads read before."""
        book = self.book
        kept = self.file.read() if self.file.is_of_another else known.kept
        self.seen, self._last = known.last_of(book.lines)
        last = self._last
        self._refuse_no_head(kept)
        lines, size = book.lines, max(book.size, len(book.lines))
        if kept is not None and size < kept.size:
            raise gone(kept, size)
        if book.is_past:  # a moment of the past: the rest is held to the heads, too
            lines = [*lines, *book.store.lines(book.stream, len(lines))]
        sizes = sorted({each.size for each in (kept, last) if each is not None})
        self._read = Digest()
        marks = {size: self._read.feed(lines[self._read.size : size]) for size in sizes}
        if kept is not None and marks[kept.size] != kept.digest:
            self.file.check(kept, lines)
        if last is not None and (said := self.seen.hold(last, lines, marks[last.size])):
            say(said)
            last = None
        StoresSeen(book.stream).hold(book.store.where, lines)
        self._last, self._was_held = last, not book.is_past

    def remember(self) -> None:
        """Keep the head of all lines that were read and written, once they were held to the last.

        Another desk in this folder may have seen more: that stays.
        """
        lines, last = self.book.lines, self._last
        if not self._was_held or (last is not None and last.size >= len(lines)):
            return
        now = self.seen.read() if last is not None else None
        if now is None or now.size < len(lines):
            self.seen.write(last, lines, self._read.feed(lines[self._read.size :]))

    def check(self) -> StoredCheckpoint | None:
        """Hold all lines to the highest head, which is returned, by their tree; or NotAsSigned."""
        kept = self.kept()
        if kept is not None:
            self.file.check(kept, self.book.lines[: kept.size])
        if self._last is not None:
            self.seen.hold(self._last, self.book.lines)
        return kept

    def sign(
        self, *, whole: bool = False, successor: Signer | None = None
    ) -> StoredCheckpoint | None:
        """Sign and keep the head of all lines; None on a machine without the log's key.

        They are held to the head before by their digest, or `whole`, by their tree; or NotAsSigned.
        A `successor` took over from the key that signed the head before.
        """
        signer = successor or self._signer()
        if signer is None:
            if whole:
                self.check()
            return None
        with self.alone() as kept:
            book = self.book
            if kept is not None and kept.size > len(book.lines) and not book.is_past:
                book.refresh()  # another desk wrote and signed meanwhile
            if successor is None:
                self._refuse_strange(kept, signer)
            size = kept.size if kept is not None else 0
            lines = book.lines
            if kept is not None and (whole or self._begun(size) != kept.digest):
                self.file.check(kept, lines)
            self.read_strictly(kept)
            self._admitted_after = None
            self.file.write_hashes(0 if whole else size, lines)
            if kept is not None and kept.size == len(lines):
                return kept
            self._begun(size)
            made = self._signed(kept, lines, self._digest.feed(lines[size:]), signer)
            self.file.write(made)
            return made

    def _refuse_strange(self, kept: StoredCheckpoint | None, signer: Signer) -> None:
        """Hold the head to the key that was opened just now; before, its public half was sealed."""
        from ledger.proof.signatures import Held

        held = self._keys()[0].get(signer.key.public)
        if kept is not None and held is not None and held.since <= kept.size:
            self.file.verify(kept, {signer.key.public: Held(0, signer.key.public, held.since)})

    def _signer(self) -> Signer | None:
        """Return who signs for the log here; nobody where the key that is here was revoked."""
        from ledger.proof.signatures import revoked

        stream, keys = self.book.stream, self.book.tournament.keys
        if self.file.is_of_another or self.is_taken_over:
            return None
        take_next_log_key(stream, keys)
        signer = log_signer(stream)
        return None if signer is None or revoked(keys, [signer.key.public]) else signer

    def is_key_away(self) -> bool:
        """Return whether the log has a key, and another machine or folder has it; opens none."""
        from ledger.rules.signing import active

        keys = [key.public for key in active(self.book.tournament, 0)]
        return bool(keys) and not self.file.has_key_of(keys)

    def is_only_read(self) -> bool:
        """Return whether this is a copy on which no act is carried out; the mark goes with it."""
        if self.is_taken_over:
            return True
        if not only_read_path(self.book.stream).exists():
            return False
        if self.is_key_away():
            return True
        unmark_only_read(self.book.stream)  # the key came, or was renewed
        return False

    @property
    def is_taken_over(self) -> bool:
        """Whether another desk took over from this one, as a phone has shown."""
        return taken_over_path(self.book.stream).exists()

    def has_key_in_use(self) -> bool:
        """Return whether the log's key here signs heads: it is in use, and open."""
        return self._signer() is not None

    @contextmanager
    def alone(self) -> Iterator[StoredCheckpoint | None]:
        """Change, alone, what is kept; gives the highest head as it is then, or NoHead."""
        with locked(self.file.path):
            yield self.kept()

    def _begun(self, size: int) -> bytes:
        """The digest of the first lines; of an act they are hashed but once."""
        if self._digest.size != size:
            self._digest = Digest()
            self._digest.feed(self.book.lines[:size])
        return self._digest.feed([])

    def _signed(
        self, kept: StoredCheckpoint | None, lines: Sequence[bytes], digest: bytes, signer: Signer
    ) -> StoredCheckpoint:
        from ledger.proof.notes import checkpoint_text, signed_note
        from ledger.proof.signatures import origin_of

        tree = Tree(kept.size, kept.frontier) if kept else Tree()
        tree.add_lines(lines[tree.size :])
        head = Checkpoint(origin_of(self.book.stream), tree.size, tree.root())
        with proving():
            note = signed_note(checkpoint_text(head), signer)
        last = leaf_hash(lines[-1])
        return StoredCheckpoint(tree.size, note.decode(), last, tuple(tree.frontier), digest)

    @contextmanager
    def abandoning(self, size: int) -> Iterator[None]:
        """Rename a fork's other head, as evidence; back again where the act does not land."""
        with locked(self.file.path):
            renamed = self.file.rename_abandoned(size)
        self._is_abandoned = True
        try:
            yield
        except BaseException:
            for path, other in renamed.items():
                replace_file(other, path)
            sync_folder(self.file.path.parent)
            raise
        finally:
            self._is_abandoned = False
