"""The last head of a log that this desk saw, without any key: a past that changed is refused.

    seen/<tournament>.json     size, root and frontier of the tree of all lines, and their digest
    seen/<tournament>.hashes   the hash of each of those lines: they name the one changed

They lie in the key folder, by tournament, whichever store or file the lines were read from. Nobody
signed them, so they prove nothing to anybody else; who can change this folder can delete them.
Two desks in one folder may write at once: both write what they read, the longer one stays, and one
that is lost is a shorter memory. They are put in place whole, without waiting for the disk: what a
power cut damages is said once, and the memory begins again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from cli.heads import checkpoint_file
from cli.heads.checkpoint_file import WAYS_OUT, NotAsSigned, StoredCheckpoint
from cli.heads.line_hashes import Digest, first_changed, write_hashes
from cli.keys.keyring import folder
from cli.terminal.diagnostics import say
from ledger.files.access import first_bytes
from ledger.files.durable import make_private_folder
from ledger.proof.formats import Tree

FOLDER = "seen"
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

    def __init__(self, stream: str, of: str = "") -> None:
        self.path = folder() / FOLDER / f"{stream}{of}.json"
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
            problem = "it does not fit itself"
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = getattr(error, "strerror", None) or str(error)
        say(f"{self.path}, what this desk saw last, cannot be read: {problem}; it begins again")
        return None

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
            what = f"the store went back: this desk saw {last.size} events, and it holds {size}"
        elif seq:
            what = f"the past changed: event {seq} is not the one that this desk saw"
        else:
            what = f"the past changed: its first {last.size} events are not those that were seen"
        return NotAsSeen(
            f"{what}; {WAYS_OUT}; to go on without what was seen, move {self.path} away", seq
        )

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
            draft.replace(self.path)
        except OSError as error:
            say(f"what this desk saw cannot be kept in {self.path.parent}: {error.strerror}")
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
            return (
                f"event {place} has on record that the log lost events which this desk saw "
                f"({size} of them): `tourney log` shows why"
            )
    return ""


class Known(NamedTuple):
    """What is known here of a log before its lines are read: its signed head, and the last seen."""

    stream: str
    kept: StoredCheckpoint | None
    last: LastHead | None

    def hold(self, lines: Sequence[bytes], *, quickly: bool = False) -> StoredCheckpoint | None:
        """Hold lines to both; returns the signed one, if one was signed here; or NotAsSigned.

        That is done by their tree, or `quickly` by their digest, as an open log is held to it.
        """
        from ledger.checks.authority.signing import named_in

        checkpoints, kept, last = checkpoint_file.CheckpointFile(self.stream), self.kept, self.last
        if kept is None:
            checkpoints.refuse_absence(named_in(lines), lines)
        else:
            checkpoints.verify(kept, named_in(lines))
            if not quickly or Digest().feed(lines[: kept.size]) != kept.digest:
                checkpoints.check(kept, lines)
        if last is not None:
            LastHeads(self.stream).hold(last, lines)
        return kept


def known(stream: str) -> Known:
    """Read what is known here of a log; NoHead where its signed head is damaged."""
    return Known(stream, checkpoint_file.CheckpointFile(stream).read(), LastHeads(stream).read())
