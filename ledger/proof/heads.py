"""The files beside a log, compared with its lines: part five of the files that a sceptic reads.

FILE.checkpoint is the log's signed head: the number of lines at the signature, and the root of
their tree. FILE.hashes has 32 bytes for each of those lines: the hash of its leaf, which shows the
first line that differs. Further heads of the same log, newer ones above all, may be compared with
the lines as well. Part six is table.py.
"""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from ledger.proof import formats
from ledger.proof.formats import (
    HASH_BYTES,
    NOTE_BYTES_MAX,
    Checkpoint,
    Invalid,
    Key,
    Note,
    Tree,
    opened,
)
from ledger.proof.policy import Pinning, Trust
from ledger.proof.signatures import LOG, Held, followed, origin_of, renewal, revoked
from ledger.proof.table import Other, Vouched

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

CHECKPOINT = ".checkpoint"
"""What is added to a log's file name for its head."""

HASHES = ".hashes"
"""What is added to a log's file name for the hashes of its lines."""

TOURNAMENT = re.compile(rb'"tournament":"([^"\\]{1,64})"')
ASK_AGAIN = "ask the organizer for the export again"


def beside(path: Path, suffix: str) -> Path:
    """Return the file that belongs to a log."""
    return path.with_name(path.name + suffix)


def tournament_in(path: Path) -> str:
    """Return the tournament that a log's first line names; empty where it names none."""
    with opened(path) as file:
        found = TOURNAMENT.search(file.readline(NOTE_BYTES_MAX))
    return found[1].decode("utf-8", "replace") if found else ""


def note_beside(path: Path) -> bytes | None:
    """Read the head beside a log; None where no file is, Invalid where it cannot be read."""
    note = beside(path, CHECKPOINT)
    try:
        with opened(note) as file:
            return file.read(NOTE_BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Invalid(f"{note.name} next to it cannot be read: {error.strerror}") from None


class Hashes:
    """The hashes of lines, one after the other; wrong says why they are not those of the head."""

    def __init__(self, path: Path, head: Checkpoint | None) -> None:
        place = beside(path, HASHES)
        self.name = place.name
        self.is_there = place.exists()
        self.is_signed = False
        self.wrong = ""
        self.count = head.size if head else 0
        self._file: BinaryIO | None = None
        try:
            if self.is_there:
                self._open(place, path.stat().st_size, head)
        except OSError as error:
            self.wrong = f"it cannot be read: {error.strerror}"

    def _open(self, place: Path, log_bytes: int, head: Checkpoint | None) -> None:
        """Open it; a line is longer than its hash, so a file of holes is not read to its end."""
        size = place.stat().st_size if place.is_file() else 0
        if head is None:
            self.count = size // HASH_BYTES
        if place.is_file() and (size != HASH_BYTES * self.count or size > log_bytes):
            self.wrong = f"it has {size:,} bytes, not {HASH_BYTES} for each line"
            return
        self._file = opened(place)
        if head is not None:
            self._hold_to(head)

    def _hold_to(self, head: Checkpoint) -> None:
        assert self._file is not None  # noqa: S101 - it was opened just now
        tree = Tree()
        while tree.size < head.size and len(leaf := self._file.read(HASH_BYTES)) == HASH_BYTES:
            tree.add(leaf)
        self._file.seek(0)
        self.is_signed = (tree.size, tree.root()) == head[1:]
        if not self.is_signed:
            self.wrong = "it does not match the signed head"
            self.close()

    def hold(self, number: int, leaf: bytes) -> None:
        """Compare the hash of the next line; Invalid where the hashes name another line."""
        if self._file is None or number > self.count or self._file.read(HASH_BYTES) == leaf:
            return
        if self.is_signed:
            raise Invalid(f"it is not the line that was signed at this place: {ASK_AGAIN}")
        raise Invalid(f"it is not the line whose hash is in {self.name}: {ASK_AGAIN}")

    def settle(self, size: int) -> None:
        """Hold that they are those of the head, or without one of every line; Invalid if not."""
        if not self.wrong and not self.is_signed and self.count != size:
            self.wrong = f"it has {self.count} hashes, but the log has {size} lines"
        if self.wrong:
            raise Invalid(f"{self.name} next to it does not match: {self.wrong}; {ASK_AGAIN}")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


POLICY_SINCE = "ask for the newer policy"

NAMES = b'{"names":'
"""How an export's last line may begin: the keys of names, no event and no leaf."""

_AT = re.compile(rb'"at":"([0-9TZ:.-]{24})"')


class HeadWaiver(NamedTuple):
    """Leave to read lines that no signed head covers, and the reason that a person gave for it."""

    reason: str


Asked: TypeAlias = Trust | HeadWaiver | None
"""What is asked of a head: by a policy; nothing, for a reason; or that a key of the log signed."""


class Uncovered(Invalid):
    """Lines of a log that names a key, and no signed head covers them."""

    code = "log.unsigned"


class Comparison:
    """A log's lines compared with heads and hashes, as they come.

    A log that names a key of its own needs a head by it, or by a key that the policy names, over
    every line; lines behind the head are lines without one. They are read only if `asked` is a
    `HeadWaiver`. A head that is there has to fit in any case. A log without a key needs no head.

    With `is_whole` the head of a log without a key has to cover every line, too, and a head that a
    policy does not accept, because its key was renewed without the old one, is reported and not
    refused.

    What the policy pins of officials the lines are held to as well; `asked` is whose policy that
    is, the one of the head unless it is set.
    """

    def __init__(
        self,
        note: bytes | None,
        asked: Asked = None,
        others: Sequence[Other] = (),
        *,
        is_whole: bool = False,
    ) -> None:
        trust = None if isinstance(asked, HeadWaiver) else asked
        self.name = ""
        self.uncovered = 0
        """Number of lines of a log with a key that no signed head covers, once it is settled."""

        self._may_be_unsigned = isinstance(asked, HeadWaiver)
        self.head: Checkpoint | None = None
        self.hashes: Hashes | None = None
        self._note: Note | None = None
        if note is not None:
            self._note = formats.parse_note(note)
            self.head = formats.parse_checkpoint(self._note.text)
        self.note = note or b""
        """The bytes of the head; empty without one."""

        self._trust, self._others = trust, others
        self.asked = trust
        self.pinning: Pinning | None = None
        self.fitting: list[Other] = []
        self.stray: list[tuple[Other, int]] = []
        self._reports_strangers = is_whole
        self._is_whole = is_whole or trust is not None
        self.tree = Tree()
        heads = [each.head for each in others] + ([self.head] if self.head else [])
        self._roots = {each.size: formats.EMPTY_ROOT for each in heads}
        self._at = b""

    @property
    def pinned(self) -> int:
        """How many lines are signed with keys that the policy pins; -1 where it pins none."""
        return self.pinning.pinned if self.pinning is not None and self.pinning.has_keys else -1

    def begin(self, tournament: str) -> None:
        """Take the log's name; Invalid where the head is that of another one."""
        if self.head is not None and self.head.origin != origin_of(tournament):
            raise Invalid(f"the head next to it belongs to another log, {self.head.origin}")
        if self.asked is not None and self.pinning is None:
            self.pinning = Pinning(self.asked.pins_of(origin_of(tournament)))

    def compare(self, line: bytes, leaf: bytes) -> None:
        """Compare the line that is last in the tree, without its newline, and its hash."""
        number = self.tree.size
        if self.head is not None and number > self.head.size and self._must_cover:
            why = f"it comes after line {self.head.size}, the last signed line"
            raise Uncovered(why if self._trust else f"{why}; {self._way_out()}")
        if self.hashes is not None:
            self.hashes.hold(number, leaf)
        if self.pinning is not None:
            self.pinning.hold(line)
        if number in self._roots:
            self._roots[number] = self.tree.root()
        if self.head is not None and number == self.head.size:
            self._at = found[1] if (found := _AT.search(line)) else b""

    @property
    def _must_cover(self) -> bool:
        """Whether a line behind the head is refused, whatever keys the log names."""
        return self._is_whole and not self._may_be_unsigned

    def through(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the log's lines, each compared before it is used; Invalid names another one."""
        with closing(self):
            for number, line in enumerate(lines, start=1):
                if number == 1 or not line.startswith(NAMES):
                    self.take(line, formats.leaf_hash(line))
                yield line

    def take(self, line: bytes, leaf: bytes) -> None:
        """Put the hash of the next line into the tree and compare the line; Invalid names it."""
        self.tree.add(leaf)
        try:
            if self.tree.size == 1 and (found := TOURNAMENT.search(line)):
                self.begin(found[1].decode("utf-8", "replace"))
            self.compare(line, leaf)
        except Invalid as error:
            raise error.within(f"line {self.tree.size}") from None

    def take_all(self, lines: Sequence[bytes], leaves: bytes) -> None:
        """Take every line of a log with its hash.

        If there is no head to compare them with, the hashes are put into the tree together.

        Raises:
            Invalid: it names the first wrong line.
        """
        if self.head is None and self.hashes is None and self.asked is None and not self._roots:
            self.tree.add_leaves(leaves)
            return
        for number, line in enumerate(lines):
            self.take(line, leaves[HASH_BYTES * number : HASH_BYTES * (number + 1)])

    def close(self) -> None:
        """Close what lies beside the log."""
        if self.hashes is not None:
            self.hashes.close()

    def settle(self, tournament: str, keys: Mapping[bytes, Held]) -> Vouched | None:
        """Hold all lines to the heads, by the keys they name; returns the head beside the log.

        Raises:
            Uncovered: the log names a key, and no signed head covers its last lines, or any.
            Invalid: the lines are not those of a head, or nobody signed it whose key counts.
        """
        self.begin(tournament)
        vouched = self._settle_head(tournament, keys) if self.head is not None else None
        for other in self._others:
            self._settle_other(other, origin_of(tournament), keys)
        if self.hashes is not None:
            self.hashes.settle(self.tree.size)
        if self.pinning is not None:
            self.pinning.settle()
        if any(each.holder == LOG for each in keys.values()):
            self._settle_cover(vouched)
        return vouched

    def _settle_cover(self, vouched: Vouched | None) -> None:
        """Count the lines that no signed head covers; Uncovered unless they may be read."""
        covered = vouched.head.size if vouched is not None and vouched.key is not None else 0
        self.uncovered = self.tree.size - covered
        if not self.uncovered or self._may_be_unsigned:
            return
        lines = f"line {covered + 1}"
        if self.uncovered > 1:
            lines = f"lines {covered + 1} to {self.tree.size}"
        if covered:
            wrong = f"no signed head covers {lines}: its head ends at line {covered}"
        else:
            wrong = f"it names a key for its heads, but no signed head covers {lines}"
        raise Uncovered(f"{wrong}; {self._way_out()}")

    def _way_out(self) -> str:
        """Say what gives a log its head."""
        if self.name:
            step = f"put {self.name}{CHECKPOINT} next to it, ask for a new export"
        else:
            step = "export it with -o FILE in the folder with its keys, and use FILE"
        return f"{step}, or accept it with --unsigned REASON"

    def _settle_head(self, tournament: str, keys: Mapping[bytes, Held]) -> Vouched:
        head, size = self.head, self.tree.size
        assert head is not None  # noqa: S101 - the caller has checked
        assert self._note is not None  # noqa: S101 - as above
        if head.size > size:
            raise Invalid(
                f"signed lines are missing, from line {size + 1} up to {head.size}: {ASK_AGAIN}"
            )
        if self._roots[head.size] != head.root:
            which = f"; {self.name}{HASHES} would show which one" if self.name else ""
            raise Invalid(f"a signed line was changed{which}: {ASK_AGAIN}")
        origin, is_pinned = origin_of(tournament), self._trust is not None
        if self._trust is not None:
            signed = self._signed_as_asked(self._trust, origin, keys)
        if self._trust is None or not signed:
            signed, is_pinned = self._signed_by_own(self._note, origin, keys), False
        own = [key for key in signed if key.algorithm == formats.ED25519]
        refuse_revoked(head, own, keys)
        witnesses = {key.name: at for key, at in signed.items() if key not in own}
        key = own[0] if own else None
        renewed = renewal(keys, key.public) if key is not None else ""
        is_strange = self._trust is not None and not is_pinned
        return Vouched(head, key, is_pinned, witnesses, self._at.decode(), renewed, is_strange)

    def _signed_as_asked(
        self, trust: Trust, origin: str, keys: Mapping[bytes, Held]
    ) -> dict[Key, int]:
        """Return who signed the head, as the policy asks; nobody for a reported stranger."""
        pinned = [each.public for each in trust.logs if each.name == origin]
        renewed = [Key(origin, formats.ED25519, each) for each in followed(keys, pinned)]
        try:
            return trust.open(self.note, renewed)[2]
        except Invalid as error:
            strange = self._strange(origin, keys, [*trust.logs, *renewed])
            if not strange:
                raise
            if self._reports_strangers:
                return {}
            raise Invalid(f"{strange} ({error})") from None

    def _strange(self, origin: str, keys: Mapping[bytes, Held], known: Sequence[Key]) -> str:
        """Say how a key that signed came in the place of a known one; empty where none did."""
        by = {(each[0], each[1]) for each in self._note.signatures} if self._note else ()
        own = [each for each in own_keys(origin, keys) if (each.name, each.id) in by]
        if any(each in known for each in own):
            return ""  # it counts, and something else is wrong
        return next(filter(None, (renewal(keys, each.public) for each in own)), "")

    def _signed_by_own(self, note: Note, origin: str, keys: Mapping[bytes, Held]) -> dict[Key, int]:
        """Return which keys that the log itself names signed; none where it names none."""
        own = own_keys(origin, keys)
        if not own:
            return {}
        _refuse_strangers(note, own)
        return formats.open_note(note, own)

    def _settle_other(self, other: Other, origin: str, keys: Mapping[bytes, Held]) -> None:
        """Hold the lines to a further head of the log, which may say that there are more."""
        where, head, size = other.where, other.head, self.tree.size
        if head.origin != origin:
            raise Invalid(f"{where} is a head of another log, {head.origin}")
        try:
            event = self._revoked_for(other, origin, keys) if other.note is not None else 0
        except Invalid as error:
            if other.is_asked_for:
                raise error.within(where) from None
            return
        if event and other.is_asked_for:
            raise Invalid(f"{where}: the key that signed it was revoked by line {event}")
        does_fit = head.size <= size and self._roots[head.size] == head.root
        if event:
            self.stray += [] if does_fit else [(other, event)]
        elif head.size > size:
            raise Invalid(
                f"it ends at line {size}, but a head of its log was signed at line {head.size} "
                f"({where}): it is an earlier export, or lines were removed; {ASK_AGAIN}"
            )
        elif not does_fit:
            raise Invalid(
                f"its first {head.size} lines do not match the head signed at line {head.size} "
                f"({where}): these are two histories of one log; compare two exports to prove it"
            )
        else:
            self.fitting.append(other)

    def _revoked_for(self, other: Other, origin: str, keys: Mapping[bytes, Held]) -> int:
        """Hold that a key of the log signed a head; returns the line that revoked it by then."""
        assert other.note is not None  # noqa: S101 - the caller has checked
        own = own_keys(origin, keys)
        if self._trust is not None:
            own = [key for key in self._trust.logs if key.name == origin]
            renewed = followed(keys, [each.public for each in own])
            own += [Key(origin, formats.ED25519, each) for each in renewed]
        _refuse_strangers(other.note, own)
        signed = formats.open_note(other.note, own)
        event = revoked(dict(keys), [key.public for key in signed])
        return event if event <= other.head.size else 0


def compared_file(
    path: Path,
    asked: Asked = None,
    others: Sequence[Other] = (),
    *,
    is_whole: bool = False,
) -> Comparison:
    """Begin to compare a log's file with what lies beside it; Invalid where that is damaged."""
    note = note_beside(path)
    if note is None and not isinstance(asked, HeadWaiver | None):
        raise Uncovered(f"there is no {path.name}{CHECKPOINT}, which the policy asks for")
    try:
        compared = Comparison(note, asked, others, is_whole=is_whole)
    except Invalid as error:
        raise error.within(f"{path.name}{CHECKPOINT}") from None
    compared.name = path.name
    hashes = Hashes(path, compared.head)
    compared.hashes = hashes if hashes.is_there else None
    return compared


def own_keys(origin: str, keys: Mapping[bytes, Held]) -> list[Key]:
    """List the keys by which the log itself says that it signs."""
    return [Key(origin, formats.ED25519, each.public) for each in keys.values() if not each.holder]


def refuse_revoked(head: Checkpoint, signed: Iterable[Key], keys: Mapping[bytes, Held]) -> None:
    """Refuse a head if a line that it covers revoked every key that signed it.

    Raises:
        Invalid: the number of that line.
    """
    event = revoked(dict(keys), [key.public for key in signed])
    if 0 < event <= head.size:
        raise Invalid(f"line {event} revoked the key that signed the head: {POLICY_SINCE}")


def _refuse_strangers(note: Note, own: list[Key]) -> None:
    known = {(key.name, key.id) for key in own}
    if not any((name, key_id) in known for name, key_id, _ in note.signatures):
        raise Invalid("no valid key of this log signed the head")
