"""Check an exported log: python -m ledger.proof.verifier FILE --policy POLICY.

Beside FILE stand FILE.checkpoint, the log's signed head, and FILE.hashes, the hash of every line,
which names the first line that is not as it was signed. POLICY pins who may sign: nothing that
comes with the log is trusted to say that.

This is part seven of the files that a sceptic reads. The others are formats.py (the public
formats), lines.py (the form of a line), signatures.py (the signature that an act needs), policy.py,
heads.py (the files beside a log) and table.py (the table that closes a check). The seven import
only the standard library and `cryptography`.
"""

from __future__ import annotations

import hashlib
import re
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ledger.proof import formats, signatures, table
from ledger.proof.formats import HASH_BYTES, Invalid, Tree, opened, unbase64
from ledger.proof.heads import CHECKPOINT, NAMES, Comparison, HeadWaiver, compared_file
from ledger.proof.lines import (
    LINE_BYTES_MAX,
    READ,
    WRITE,
    Line,
    read_line,
    type_problem,
    wire_problem,
)
from ledger.proof.policy import Policy, read_policy
from ledger.proof.signatures import (
    MAY_NEED_ONE,
    TAKEN_OVER,
    Held,
    Holders,
    SignedAct,
    claimed,
    holds,
    needed,
)
from ledger.proof.table import CheckTable, Row, Vouched

NAMES_BYTES_MAX = 1 << 22

SEALED = re.compile("sealed:2:([A-Za-z0-9+/]{43}=):")
"""How a sealed name begins: with the SHA-256 of its key."""

SEALED_MARK = b'"sealed:'
"""Is in a line as often as it has sealed texts: a quote inside a text is escaped."""


class Log:
    """A log so far: its tree, ids, keys and names, and counts of what was checked."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.tournament = ""
        self.ids: set[str] = set()
        self.keys: dict[bytes, Held] = {}
        self.roles: dict[int, frozenset[str]] = {}
        self.sealed: dict[str, tuple[str, str]] = {}  # by event: whose name, its key's digest
        self.forgotten: set[str] = set()
        self.drawn_again: dict[int, tuple[int, int]] = {}  # by round: how often, and where last
        self.renewed = self.signatures = self.unsigned = self.named = self.texts = 0

    def take(self, line: bytes) -> bytes:
        """Take the next line, without its newline; returns its hash."""
        read = read_line(line)
        self._check_place(read)
        if problem := type_problem(read.type, read.by):
            raise Invalid(problem)
        if read.seq == 1:
            self._begin(read.data)
        if read.sig or read.type in MAY_NEED_ONE:
            self._check_signature(read, line)
            self.unsigned += not read.sig and read.by.startswith("o")
        if read.type == "OfficialAppointed":
            self.roles.update([signatures.appointed_in(read.data)])
        if read.type != "PersonRecorded":
            self.texts += line.count(SEALED_MARK)
        if read.type == "PersonRecorded" and (found := SEALED.match(str(read.data.get("name")))):
            self.sealed[read.id] = str(read.data.get("of")), found[1]
        elif read.type == "PersonForgotten":
            self.forgotten.add(str(read.data.get("of")))
        elif read.type == "RoundPaired":
            self._note_draw(read)
        self.ids.add(read.id)
        leaf = formats.leaf_hash(line)
        self.tree.add(leaf)
        return leaf

    def check_names(self, line: bytes) -> None:
        """Hold the keys at the end to the sealed names they open, of everybody not forgotten."""
        expected = self.open_names
        try:
            found = READ(line.decode())
            keys = {event: unbase64(key, HASH_BYTES) for event, key in found["names"].items()}
            is_canonical = WRITE({"names": found["names"]}).encode() + b"\n" == line
        except (ValueError, RecursionError, AttributeError, TypeError, KeyError):
            is_canonical, keys = False, {}
        if not is_canonical:
            raise Invalid("the keys of names must be in one line, at the end, in canonical form")
        for event, key in keys.items():
            if event not in expected:
                raise Invalid(
                    f"{event[:80]!r} has a key, but no sealed name, or the person was forgotten"
                )
            if hashlib.sha256(key).digest() != unbase64(expected[event]):
                raise Invalid(f"the key of {event!r} is not the key that sealed the name there")
        if list(keys) != list(expected) or not keys:
            raise Invalid(
                "the keys of names must be those of all sealed names, in the order of the log"
            )
        self.named = len(keys)

    @property
    def open_names(self) -> dict[str, str]:
        """The records of sealed names that are not forgotten, with the digests of their keys."""
        names = self.sealed.items()
        return {event: digest for event, (of, digest) in names if of not in self.forgotten}

    def _note_draw(self, read: Line) -> None:
        """Note a round that was drawn before and taken back."""
        number, attempt = read.data.get("round"), read.data.get("attempt")
        if type(number) is int and type(attempt) is int and attempt > 1:
            self.drawn_again[number] = attempt, read.seq

    def _check_place(self, read: Line) -> None:
        if read.seq != self.tree.size + 1:
            raise Invalid(f"seq must be {self.tree.size + 1} here, not {read.seq}")
        if read.id in self.ids:
            raise Invalid(f"the id {read.id} is already in the log")
        if (read.type == "TournamentOpened") != (read.seq == 1):
            raise Invalid("TournamentOpened must be the first line, and only the first")

    def _begin(self, data: dict[str, Any]) -> None:
        if problem := wire_problem(data):
            raise Invalid(problem)
        self.tournament = str(data.get("tournament"))
        if own := data.get("log_key"):
            public = formats.checked_public(unbase64(str(own), HASH_BYTES))
            self.keys[public] = Held(0, public, 1)

    def _check_signature(self, read: Line, line: bytes) -> None:
        """Check the signature that the act needs, and note the keys that come and go with it."""
        unsigned = line[: -len(f',"sig":"{read.sig}"' + "}")] + b"}" if read.sig else line
        ruled = read.data.get("official") if read.type == "RulingMade" else 0
        ruled = ruled if type(ruled) is int else 0
        root = self.tree.root()  # of the lines before
        registers = signatures.registration_in(read.data) if read.type == "KeyRegistered" else None
        is_revocation = read.type in {"KeyRevoked", TAKEN_OVER}
        revokes = signatures.revoked_in(read.data) if is_revocation else b""
        size, by, sig = self.tree.size, read.by, read.sig
        act = SignedAct(self.tournament, size, root, read.type, by, ruled, unsigned, sig)
        act = act._replace(registers=registers, revokes=revokes)
        known = Holders(self.keys, self.roles)
        if read.type == TAKEN_OVER:
            self._hold_to_head(read.data, root)
        need = needed(known, act)
        if claim := claimed(need, act):
            if not holds(claim):
                raise claim.wrong
            self.signatures += 1
            self.renewed += claim.lost > 0
        if registers:
            key = signatures.check_registration(known, self.tournament, registers)
            self.keys[key] = signatures.held_from(registers, key, need, read.seq)
        elif revokes:
            self.keys[revokes] = signatures.revoke(known, revokes, read.seq)

    def _hold_to_head(self, data: dict[str, Any], root: bytes) -> None:
        """Hold a take-over to the lines before it: all of them, and no others."""
        if (data.get("size"), data.get("root")) != (self.tree.size, root.hex()):
            raise Invalid("the head that it continues is not the head of the lines before it")


class Verdict(NamedTuple):
    """A log that holds, the head beside it, and what was checked of it."""

    log: Log
    vouched: Vouched | None
    table: CheckTable


def verify_file(path: Path, policy: Policy | HeadWaiver | None = None) -> Verdict:
    """Check a log and the head beside it; Invalid names the first line that is wrong.

    Nothing is wrong with one whose key was renewed without the old one, which the policy pins: it
    is `is_strange`.

    In the place of a policy stands the reason to read lines that no head covers. The policy says
    what is asked of officials as well.
    """
    log = Log()
    compared = compared_file(path, policy, is_whole=True)
    compared.tree = log.tree
    with closing(compared):
        _take_lines(log, path, compared)
    vouched = compared.settle(log.tournament, log.keys)
    missing = f"there is no {path.name}{CHECKPOINT}"
    reason = policy.reason if isinstance(policy, HeadWaiver) and compared.uncovered else ""
    closing_table = CheckTable(
        *table.rows_of_head(vouched, log.tree.size, missing, unsigned=reason),
        table.row_of_acts(log.signatures, log.unsigned, log.renewed, pinned=compared.pinned),
        Row(unchecked=f"who may do what is not checked here: {table.VERIFY_READS}"),
        Row(unchecked=f"the rules are not checked here: {table.VERIFY_READS}"),
        table.row_of_names(log.named, len(log.open_names)),
        table.row_of_texts(log.texts),
        Row(
            unchecked=f"draws are not repeated here: {table.VERIFY_READS}",
            first=table.drawn_again(log.drawn_again),
        ),
        Row(unchecked=f"postings are not derived again here: {table.VERIFY_READS}"),
    )
    return Verdict(log, vouched, closing_table)


def _take_lines(log: Log, path: Path, compared: Comparison) -> None:
    with opened(path) as file:
        for number in count(1):
            line = file.readline(LINE_BYTES_MAX + 2)
            is_end = number > 1 and (not line or line.startswith(NAMES))
            try:
                if not is_end:
                    _take(log, line, compared)
                elif line:
                    log.check_names(line + file.read(NAMES_BYTES_MAX))
            except Invalid as error:
                raise error.within(f"line {number}") from None
            if is_end:
                return


def _take(log: Log, line: bytes, compared: Comparison) -> None:
    if not line:
        raise Invalid("the file is empty: a log must begin with TournamentOpened")
    if not line.endswith(b"\n") and len(line) <= LINE_BYTES_MAX:
        raise Invalid("it has no end: the file was cut off in the middle of it")
    bare = line.removesuffix(b"\n")
    leaf = log.take(bare)
    if log.tree.size == 1:
        compared.begin(log.tournament)
    compared.compare(bare, leaf)


def main(arguments: list[str]) -> int:
    """Check a file and say so; 0 it holds, 1 it does not, 2 wrong usage."""
    try:
        match arguments:
            case [file]:
                verdict = verify_file(Path(file))
            case [file, "--policy", policy] | ["--policy", policy, file]:
                verdict = verify_file(Path(file), read_policy(Path(policy)))
            case [file, "--unsigned", reason] | ["--unsigned", reason, file]:
                verdict = verify_file(Path(file), HeadWaiver(reason))
            case _:
                sys.stderr.write("usage: verifier FILE [--policy POLICY | --unsigned REASON]\n")
                return 2
    except (Invalid, OSError) as error:
        sys.stderr.write(ascii(str(error))[1:-1] + "\n")
        return 1
    sys.stdout.writelines(f"{line}\n" for line in verdict.table.lines())
    return int(verdict.vouched is not None and verdict.vouched.is_strange)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
