"""The last head of a log that this desk saw, without any key: a past that changed is refused.

    seen/<tournament>.json     size, root and frontier of the tree of all lines, and their digest
    seen/<tournament>.hashes   the hash of each of those lines: they name the one changed

They lie in the key folder, by tournament, whichever store or file the lines were read from: a store
that was moved, copied or restored is compared with them as well.

An imported log has its id from the file that it came from, so that two stores may hold two logs of
one id, of one file under two rulesets. The second one has its own last head, by its first line:

    seen/<tournament>-<hash of line 1>.json, .hashes
    seen/<tournament>.stores.json          which of the logs each store held

A store that held one of them and then holds another one is refused, as is any log whose id does not
follow from a file: its first line never changes.

Nobody signed them, so they prove nothing to anybody else; who can change this folder can delete
them.
Two desks in one folder may write at once: both write what they read, the longer one stays, and one
that is lost is a shorter memory. They are put in place whole, without waiting for the disk: what a
power cut damages is said once, and the memory begins again.

Files are compared with what this desk saw of them, too: a file with another past is refused.

    seen/<tournament>.files.json, seen/<tournament>.files.hashes

Anybody can write a file, so its head is kept only if a policy accepted the head of all its lines. A
store is not compared with it: a file may well be newer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from cli.languages.speaking import tr
from cli.machine import checkpoint_file
from cli.machine.checkpoint_file import (
    BEGINNING_DIGITS,
    WAYS_OUT,
    CheckpointFile,
    Digest,
    NotAsSigned,
    StoredCheckpoint,
    first_changed,
    write_hashes,
)
from cli.machine.keyring import folder
from cli.terminal.output import say
from cli.terminal.visible import how_many
from ledger.errors import LedgerError
from ledger.files.access import first_bytes, make_private_folder, whole_file
from ledger.files.system import replace_file
from ledger.problems import phrase
from ledger.proof.formats import HASH_BYTES, Tree, leaf_hash

if TYPE_CHECKING:
    from ledger.store import Store

FOLDER = "seen"
STORES_MAX = 400
"""How many stores of one id are remembered, the latest ones."""

_ON_RECORD = re.compile(rb'"type":"ForkAccepted["@]')


class NotAsSeen(NotAsSigned):
    """Lines that are not those which this desk saw; `seq` is the first, 0 if not known."""


class LastHead(Struct, frozen=True, forbid_unknown_fields=True):
    """What was seen: the number of lines, the root of their tree and its frontier, their digest."""

    size: int
    root: bytes
    frontier: tuple[bytes, ...]
    digest: bytes


class LastHeads:
    """The files of one log's last head."""

    def __init__(self, stream: str, of: str = "", beginning: bytes = b"") -> None:
        """`beginning` is the hash of the first line, for another log of the same id."""
        name = f"{stream}-{beginning.hex()[:BEGINNING_DIGITS]}" if beginning else stream
        self.path = folder() / FOLDER / f"{name}{of}.json"
        self.hashes = self.path.with_suffix(".hashes")

    def read(self) -> LastHead | None:
        """Read the last head; None where it is missing or damaged, which is said."""
        import msgspec

        try:
            last = msgspec.json.decode(
                first_bytes(self.path, checkpoint_file.STATE_BYTES_MAX), type=LastHead
            )
            is_of_size = last.size > 0 and last.size.bit_count() == len(last.frontier)
            if is_of_size and Tree(last.size, last.frontier).root() == last.root:
                return last
            problem = tr("its parts contradict each other")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = getattr(error, "strerror", None) or str(error)
        say(
            tr(
                "{path}, this desk's record of the last heads, cannot be read: {problem}; a new "
                "record is started",
                path=self.path,
                problem=problem,
            )
        )
        return None

    def first(self) -> bytes:
        """Return the hash of the first line that was seen; empty if that is not known."""
        with suppress(OSError):
            if self.path.exists():
                return first_bytes(self.hashes, HASH_BYTES)
        return b""

    def hold(self, last: LastHead, lines: Sequence[bytes], digest: bytes = b"") -> str:
        """Hold lines to the last head; returns what to say where their past changed on record.

        `digest` is that of as many lines, where it is at hand. NotAsSeen where they do not begin
        with those that were seen.
        """
        if begins_with(last, lines, digest):
            return ""
        seq = first_changed(self.hashes, last.size, last.root, lines)
        if said := fork_on_record(lines, seq, last.size):
            return said
        raise self._changed(last, len(lines), seq)

    def _changed(self, last: LastHead, size: int, seq: int) -> NotAsSeen:
        if size < last.size and not 0 < seq <= size:
            what = phrase(
                "the store is older than before: this desk saw {before}, and it now has {size}",
                before=how_many(last.size, "event"),
                size=size,
            )
        elif seq:
            what = phrase(
                "the past changed: event {seq} is not the one that this desk saw", seq=seq
            )
        else:
            what = phrase(
                "the past changed: its first {size} events are not those that were seen",
                size=last.size,
            )
        text = phrase(
            "{what}; {ways_out}; to ignore what was seen and continue, move {path} away",
            what=what,
            ways_out=WAYS_OUT,
            path=str(self.path),
        )
        return NotAsSeen(text, seq)

    def write(self, last: LastHead | None, lines: Sequence[bytes], digest: bytes) -> None:
        """Keep the head of these lines, which begin with those of `last`; or say why not."""
        import msgspec

        tree = Tree(last.size, last.frontier) if last is not None else Tree()
        after = tree.size
        tree.add_lines(lines[after:])
        made = LastHead(tree.size, tree.root(), tuple(tree.frontier), digest)
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            make_private_folder(self.path.parent)
            write_hashes(self.hashes, after, lines)
            with draft.open("wb") as file:
                file.write(msgspec.json.encode(made))
            replace_file(draft, self.path)
        except OSError as error:
            say(
                tr(
                    "what this desk saw cannot be kept in {folder}: {reason}",
                    folder=self.path.parent,
                    reason=error.strerror,
                )
            )
            with suppress(OSError):
                draft.unlink()


def begins_with(last: LastHead, lines: Sequence[bytes], digest: bytes = b"") -> bool:
    """Whether lines begin with those seen, by their digest, or if it was damaged by their tree."""
    begun = lines[: last.size]
    if len(begun) < last.size:
        return False
    if (digest or Digest().feed(begun)) == last.digest:
        return True
    return Tree().add_lines(begun).root() == last.root


def fork_on_record(lines: Sequence[bytes], seq: int, size: int) -> str:
    """Say which event, from the first changed one on, records that this many were lost."""
    for place, line in enumerate(lines, start=1):
        if place >= (seq or 1) and _ON_RECORD.search(line):
            return tr(
                "event {seq} records that the log lost events: this desk had seen {size} "
                "(`tourney log` shows why)",
                seq=place,
                size=size,
            )
    return ""


def heads_for(stream: str, lines: Sequence[bytes], of: str = "") -> LastHeads:
    """Return the last head that lines are compared with: that of their log, if two have this id."""
    heads = LastHeads(stream, of)
    first = heads.first()
    if not (first and lines) or leaf_hash(lines[0]) == first or not _is_import(stream, lines[0]):
        return heads
    return LastHeads(stream, of, leaf_hash(lines[0]))


def checkpoint_file_of(stream: str, lines: Sequence[bytes]) -> CheckpointFile:
    """Return the files of a log's signed head, even if two logs have its id."""
    file = CheckpointFile(stream)
    if not (lines and _is_import(stream, lines[0]) and file.path.exists()):
        return file
    first = b""
    with suppress(OSError):
        first = first_bytes(file.hashes, HASH_BYTES)
    beginning = leaf_hash(lines[0])
    return file if first in {b"", beginning} else CheckpointFile(stream, beginning=beginning)


def kept_head(store: Store, stream: str) -> StoredCheckpoint | None:
    """Return the highest signed head that is kept here of a stored log."""
    return checkpoint_file_of(stream, store.lines(stream, limit=1)).read()


def kept_note(store: Store, stream: str) -> bytes:
    """Return the note of the highest signed head that is kept here; empty if there is no head."""
    kept = kept_head(store, stream)
    return kept.note.encode() if kept is not None else b""


def _is_import(stream: str, line: bytes) -> bool:
    """Return whether a first line is that of an imported log, whose id follows from its file."""
    if b'"imported":' not in line:
        return False
    from ledger.facts.opening import id_from_file
    from ledger.facts.shared import TournamentOpened
    from ledger.lines.line import as_stored, decode

    try:
        event = decode(line, as_stored).event
    except LedgerError:
        return False
    if not isinstance(event, TournamentOpened) or event.imported is None:
        return False
    digest = event.imported.sha256
    return stream in {digest[: len(stream)], id_from_file(digest, event.name, event.date)}


def see_first(stream: str, lines: Sequence[bytes]) -> None:
    """Keep the head of a tournament that was imported just now, if none of its log is kept."""
    heads = heads_for(stream, lines)
    if heads.read() is None:
        heads.write(None, lines, Digest().feed(lines))


class StoresSeen:
    """Which log of an id each store held, for logs whose id follows from a file."""

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self.path = folder() / FOLDER / f"{stream}.stores.json"

    def begin(self, where: str, lines: Sequence[bytes]) -> None:
        """Record which log a store holds, right after its import."""
        if lines and _is_import(self._stream, lines[0]):
            stores = self._read()
            stores[sha256(where.encode()).hexdigest()] = leaf_hash(lines[0]).hex()
            self._write(stores)

    def hold(self, where: str, lines: Sequence[bytes]) -> None:
        """Keep which log a store holds; NotAsSeen if it held another one of the same id."""
        if not lines or not _is_import(self._stream, lines[0]):
            return
        beginning, store = leaf_hash(lines[0]).hex(), sha256(where.encode()).hexdigest()
        stores = self._read()
        before = stores.setdefault(store, beginning)
        if before != beginning:
            text = phrase(
                "the past changed: {where} had another log when this desk saw it last; "
                "{ways_out}; to ignore what was seen and continue, move {path} away",
                where=where,
                ways_out=WAYS_OUT,
                path=str(self.path),
            )
            raise NotAsSeen(text, 1)
        self._write(stores)

    def _read(self) -> dict[str, str]:
        import msgspec

        try:
            data = first_bytes(self.path, checkpoint_file.STATE_BYTES_MAX)
            return msgspec.json.decode(data, type=dict[str, str])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            say(
                tr(
                    "{path}, the record of which stores were seen, cannot be read: {error}; a new "
                    "record is started",
                    path=self.path,
                    error=error,
                )
            )
            return {}

    def _write(self, stores: Mapping[str, str]) -> None:
        import msgspec

        data = msgspec.json.encode(dict(list(stores.items())[-STORES_MAX:]))
        try:
            with suppress(FileNotFoundError):
                if first_bytes(self.path, checkpoint_file.STATE_BYTES_MAX) == data:
                    return
            make_private_folder(self.path.parent)
            with whole_file(self.path) as file:
                file.write(data)
        except OSError as error:
            say(
                tr(
                    "what this desk saw cannot be kept in {folder}: {reason}",
                    folder=self.path.parent,
                    reason=error.strerror,
                )
            )


class Known(NamedTuple):
    """What is known of a log before its lines are read: its signed head, and the last ones seen."""

    stream: str
    kept: StoredCheckpoint | None
    lasts: Mapping[Path, LastHead]

    def last_of(self, lines: Sequence[bytes]) -> tuple[LastHeads, LastHead | None]:
        """Return the last head that these lines are compared with, and what was read of it."""
        heads = heads_for(self.stream, lines)
        return heads, self.lasts.get(heads.path)

    def hold(
        self, lines: Sequence[bytes], where: str = "", *, quickly: bool = False
    ) -> StoredCheckpoint | None:
        """Hold lines to both; returns the signed one, if one was signed here; or NotAsSigned.

        That is done by their tree, or `quickly` by their digest, as an open log is held to it.
        `where` is the store that holds the lines, if it is one.
        """
        from ledger.rules.signing import named_in

        checkpoints = checkpoint_file_of(self.stream, lines)
        kept = checkpoints.read() if checkpoints.is_of_another else self.kept
        if kept is None:
            checkpoints.refuse_absence(named_in(lines), lines)
        else:
            checkpoints.verify(kept, named_in(lines))
            if not quickly or Digest().feed(lines[: kept.size]) != kept.digest:
                checkpoints.check(kept, lines)
        heads, last = self.last_of(lines)
        if where:
            StoresSeen(self.stream).hold(where, lines)
        if last is not None:
            heads.hold(last, lines)
        return kept


def known(stream: str) -> Known:
    """Read what is known here of a log; NoHead where its signed head is damaged."""
    return Known(stream, CheckpointFile(stream).read(), seen_of(stream))


def seen_of(stream: str) -> dict[Path, LastHead]:
    """Read the last heads that were seen of the logs of an id, by their files."""
    heads = LastHeads(stream)
    found: dict[Path, LastHead] = {}
    others = heads.path.parent.glob(f"{stream}-{'?' * BEGINNING_DIGITS}.json")
    for path in (heads.path, *others):
        heads.path, heads.hashes = path, path.with_suffix(".hashes")
        if (last := heads.read()) is not None:
            found[path] = last
    return found


FILES = ".files"
_STREAM = re.compile("[0-9a-f]{32}")


def hold_file(where: str, stream: str, lines: Sequence[bytes], *, is_accepted: bool) -> None:
    """Hold a file's lines to those seen, and keep them if `is_accepted`; or NotAsSeen."""
    if not _STREAM.fullmatch(stream):
        return
    files, seen = heads_for(stream, lines, FILES), heads_for(stream, lines)
    of_files = files.read()
    fits = of_files is None or _fits(where, files, of_files, lines)
    if (of_store := seen.read()) is not None:
        _fits(where, seen, of_store, lines)
    if is_accepted and (of_files is None or of_files.size < len(lines)):
        files.write(of_files if fits else None, lines, Digest().feed(lines))


def _fits(where: str, heads: LastHeads, last: LastHead, lines: Sequence[bytes]) -> bool:
    """Whether lines begin with those that were seen; where they are only shorter, that is said."""
    size = len(lines)
    if begins_with(last, lines):
        return True
    seq = first_changed(heads.hashes, last.size, last.root, lines)
    if size < last.size and not 0 < seq <= size:
        about = {"where": where, "size": size, "seen": last.size}
        known = (
            tr("{where} has {size} events, and this desk saw {seen} of this log", **about)
            if seq
            else tr(
                "{where} has {size} events, and this desk saw {seen} of this log, but its record "
                "of them is lost: the events cannot be compared",
                **about,
            )
        )
        say(known)
        return False
    if said := fork_on_record(lines, seq, last.size):
        say(said)
        return False
    what = phrase("event {seq} is not what this desk saw of this log", seq=seq)
    if not seq:
        what = phrase(
            "its first {size} events are not what this desk saw of this log", size=last.size
        )
    text = phrase(
        "{where} has a different history: {what}; `tourney diff` can prove this from two signed "
        "copies; to ignore what was seen and continue, move {path} away",
        where=where,
        what=what,
        path=str(heads.path),
    )
    raise NotAsSeen(text, seq)


def hold_file_at(path: Path, *, is_accepted: bool) -> None:
    """Hold a file that was checked already, as `hold_file`; it is read only if there is a use."""
    from ledger.exchange import read_log
    from ledger.exchange.log_files import is_names
    from ledger.proof.heads import tournament_in

    stream = tournament_in(path)
    if not _STREAM.fullmatch(stream):
        return
    heads = [LastHeads(stream), LastHeads(stream, FILES)]
    if is_accepted or any(head.path.exists() for head in heads):
        lines = [line for line in read_log(path) if not is_names(line)]
        hold_file(str(path), stream, lines, is_accepted=is_accepted)
