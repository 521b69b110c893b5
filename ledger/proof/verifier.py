"""Check an exported log: `python -m ledger.proof.verifier FILE --policy POLICY`.

Beside FILE stand FILE.checkpoint, the log's signed head, and FILE.hashes, the hash of every line,
which names the first line that is not as it was signed. POLICY pins who may sign: nothing that
comes with the log is trusted to say that. Part one, the public formats, is formats.py; the two
import nothing else but the standard library and `cryptography`.

An act that an official signed carries an Ed25519 signature over DSSE's encoding of the line without
its `sig`, bound to the tournament; the line holds its own place and id.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any
from typing import BinaryIO
from typing import NamedTuple

from ledger.proof.formats import HASH_BYTES
from ledger.proof.formats import NOTE_BYTES_MAX
from ledger.proof.formats import Checkpoint
from ledger.proof.formats import Invalid
from ledger.proof.formats import Policy
from ledger.proof.formats import Tree
from ledger.proof.formats import checked_public
from ledger.proof.formats import is_signed
from ledger.proof.formats import leaf_hash
from ledger.proof.formats import pae
from ledger.proof.formats import parse_checkpoint
from ledger.proof.formats import parse_note
from ledger.proof.formats import parse_policy
from ledger.proof.formats import unbase64

LINE_BYTES_MAX = 60_000
NAMES_BYTES_MAX = 1 << 20
WHOLE_MAX = 2**53 - 1
SIGNATURE_BYTES = 64
CHECKPOINT, HASHES = ".checkpoint", ".hashes"
"""What is added to a log's file name for its head, and for the hashes of its lines."""

LINE = re.compile(
    r'\{"seq":([1-9][0-9]{0,15}),"id":"([A-Za-z0-9_-]{1,64}(?:\.[1-9][0-9]{0,5})?)",'
    r'"type":"([A-Z][A-Za-z]*(?:@[1-9][0-9]*)?)","at":"[0-9TZ:.-]{24}",'
    r'"by":"((?:o[1-9][0-9]{0,3}/)?p[1-9][0-9]{0,3}|o[1-9][0-9]{0,3})",'
    r'"data":(\{.*\})(?:,"sig":"([A-Za-z0-9+/]{86}==)")?\}'
)
"""The form of a line: its members in their order, no white space between them."""

NAMES = b'{"names":'
SEALED = re.compile("sealed:1:([A-Za-z0-9+/]{43}=):")
"""How an export's last line may begin, the keys of names, no event and no leaf; and how a sealed
name begins: with the SHA-256 of its key."""

SIGNED = frozenset(
    {
        "OfficialAppointed",
        "KeyRegistered",
        "KeyRevoked",
        "ForkAccepted",
        "RulingMade",
        "ConductNoted",
        "DisqualificationRecommended",
        "PenaltyGiven",
        "ResultCorrected",
        "ResultWithdrawn",
        "PlayerDisqualified",
        "DisqualificationWithdrawn",
        "RulingWithdrawn",
        "ActWithdrawn",
    }
)
"""The acts that need a signature once the official who is answerable for them holds a key."""


class Held(NamedTuple):
    """A key and its holder, 0 for the log itself; event `until` revoked it, 0: none did."""

    holder: int
    public: bytes
    since: int
    until: int = 0


class Act(NamedTuple):
    """A line for its signature; `ruled` is the official whom a ruling names, else 0."""

    tournament: str
    type: str
    by: str
    ruled: int
    unsigned: bytes
    sig: str


def origin_of(tournament: str) -> str:
    """Return the name under which a tournament's log signs."""
    return f"tourney/{tournament}"


def encoded(kind: str, tournament: str, body: bytes) -> bytes:
    """Return what is signed: in DSSE's encoding, the tournament's id, a newline and the body."""
    return pae(f"application/vnd.tourney.{kind}", f"{tournament}\n".encode() + body)


def possession(tournament: str, holder: int, public: str) -> bytes:
    """Return what the holder signs with a new key, to have it registered."""
    return encoded("key", tournament, f"{holder} {public}".encode())


def signers(keys: dict[bytes, Held], ruled: int, by: str) -> list[Held]:
    """Return the keys one of which has to sign: of who ruled, else of who entered it."""
    desk = int(by.partition("/")[0][1:]) if by.startswith("o") else 0
    for official in (ruled, desk):
        held = [key for key in keys.values() if key.holder == official and not key.until]
        if official and held:
            return held
    return []


def check_signature(keys: dict[bytes, Held], act: Act) -> None:
    """Hold that whoever has to have signed the act did, and nobody else."""
    held = signers(keys, act.ruled, act.by)
    if not act.sig and (not held or act.type not in SIGNED):
        return
    message = encoded("event", act.tournament, act.unsigned)
    signature = unbase64(act.sig, SIGNATURE_BYTES) if act.sig else b""
    if not held:
        raise Invalid(f"{act.type} is signed, but nobody it could be by holds a key")
    if not any(is_signed(key.public, signature, message) for key in held):
        state = "is not signed" if not act.sig else "carries a signature that is not made"
        raise Invalid(f"{act.type} {state} with a key of o{held[0].holder}")


def check_registration(
    keys: dict[bytes, Held], tournament: str, holder: int, public: str, proof: str
) -> Held:
    """Return who holds which key from now on; the key itself has signed for that."""
    key = checked_public(unbase64(public, HASH_BYTES))
    if key in keys:
        raise Invalid("this key stands in the log already: every holder has a key of their own")
    signature = unbase64(proof, SIGNATURE_BYTES)
    if not is_signed(key, signature, possession(tournament, holder, public)):
        raise Invalid("the key did not sign for its registration: its holder may not have it")
    return Held(holder, key, 0)


def _whole(text: str) -> int:
    is_short = len(text) <= len(str(-WHOLE_MAX)) and text.lstrip("-").isdigit()
    if not is_short or abs(int(text)) > WHOLE_MAX:
        raise Invalid(f"{text[:20]} is no whole number that a line can hold")
    return int(text)


_READ = json.JSONDecoder(parse_int=_whole, parse_float=_whole, parse_constant=_whole).decode
_WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Log:
    """A log, line by line: its tree, its ids and keys so far, and the signatures that held."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.tournament = ""
        self.ids: set[str] = set()
        self.keys: dict[bytes, Held] = {}
        self.sealed: dict[str, str] = {}  # by person: the digest of their name's key; "": forgotten
        self.signatures = self.named = 0

    def take(self, line: bytes) -> bytes:
        """Take the next line, without its newline; returns its hash."""
        seq, event_id, kind, by, data, sig = read_line(line)
        if seq != self.tree.size + 1:
            raise Invalid(f"seq {seq} stands where {self.tree.size + 1} comes next")
        if event_id in self.ids:
            raise Invalid(f"the id {event_id} stands in the log already")
        if (kind == "TournamentOpened") != (seq == 1):
            raise Invalid("a log begins with TournamentOpened, once")
        if seq == 1:
            self.tournament = str(data.get("tournament"))
            if own := data.get("log_key"):
                public = checked_public(unbase64(str(own), HASH_BYTES))
                self.keys[public] = Held(0, public, seq)
        if sig or kind in SIGNED:
            self._check(kind, by, data, line, sig)
        if kind == "PersonRecorded" and (found := SEALED.match(str(data.get("name")))):
            self.sealed.setdefault(str(data.get("of")), found[1])
        elif kind == "PersonForgotten":
            self.sealed[str(data.get("of"))] = ""
        self.ids.add(event_id)
        leaf = leaf_hash(line)
        self.tree.add(leaf)
        return leaf

    def check_names(self, line: bytes) -> None:
        """Hold the keys at the end to the sealed names they open, of everybody not forgotten."""
        expected = {of: digest for of, digest in self.sealed.items() if digest}
        try:
            found = _READ(line.decode())
            keys = {of: unbase64(key, HASH_BYTES) for of, key in found["names"].items()}
            is_canonical = _WRITE({"names": found["names"]}).encode() + b"\n" == line
        except (ValueError, RecursionError, AttributeError, TypeError, KeyError):
            is_canonical, keys = False, {}
        if not is_canonical:
            raise Invalid("the keys of names are not in one line, at the end, in their one form")
        for of, key in keys.items():
            if of not in expected:
                raise Invalid(f"{of[:8]!r} has a key, but no sealed name, or is forgotten")
            if hashlib.sha256(key).digest() != unbase64(expected[of]):
                raise Invalid(f"the key of {of!r} is not the one that sealed their name")
        if list(keys) != list(expected) or not keys:
            raise Invalid("the keys of names are not those of everybody, in the order of the log")
        self.named = len(keys)

    def _check(self, kind: str, by: str, data: dict[str, Any], line: bytes, sig: str) -> None:
        unsigned = line[: -len(f',"sig":"{sig}"' + "}")] + b"}" if sig else line
        ruled = data.get("official") if kind == "RulingMade" else 0
        ruled = ruled if isinstance(ruled, int) else 0
        check_signature(self.keys, Act(self.tournament, kind, by, ruled, unsigned, sig))
        self.signatures += bool(sig)
        seq = self.tree.size + 1
        try:
            if kind == "KeyRegistered":
                holder, public, proof = data["holder"], data["public"], data["proof"]
                held = check_registration(self.keys, self.tournament, holder, public, proof)
                self.keys[held.public] = held._replace(since=seq)
            elif kind == "KeyRevoked":
                public = unbase64(data["public"])
                self.keys[public] = self.keys[public]._replace(until=seq)
        except (KeyError, TypeError, AttributeError):
            raise Invalid(f"{kind} names no key that it could name") from None


def read_line(line: bytes) -> tuple[int, str, str, str, dict[str, Any], str]:
    """Return a line's seq, id, type, by, data and sig; Invalid unless it has its one form."""
    if len(line) > LINE_BYTES_MAX:
        raise Invalid(f"it is longer than {LINE_BYTES_MAX:,} bytes")
    data: Any = None
    try:
        found = LINE.fullmatch(line.decode())
        if found:
            data = _READ(found[5])
    except Invalid:
        raise
    except (ValueError, RecursionError) as error:
        raise Invalid(f"it is no JSON in UTF-8 ({type(error).__name__})") from None
    if not found or _WRITE(data) != found[5]:
        raise Invalid("its members, their order or their spelling are not those of a line")
    assert isinstance(data, dict)  # noqa: S101 - it begins with a brace
    return int(found[1]), found[2], found[3], found[4], data, found[6] or ""


class Verdict(NamedTuple):
    """What was checked of a file, and what could not be: layer by layer, one line each."""

    log: Log
    head: Checkpoint | None
    checked: dict[str, str]
    unchecked: dict[str, str]


def verify_file(path: Path, policy: Policy | None = None) -> Verdict:
    """Check a log and the head beside it; Invalid names the first line that is wrong."""
    checked: dict[str, str] = {}
    unchecked: dict[str, str] = {}
    head = _open_head(path, policy, checked, unchecked)
    hashes = _open_hashes(path, head)
    log = _take_lines(path, head, hashes)
    size = log.tree.size
    if head is None:
        unchecked["tree"] = f"there is no {path.name}{CHECKPOINT}"
    elif head.size != size:
        raise Invalid(f"line {size + 1} on: the lines up to {head.size} that were signed are gone")
    elif head.root != log.tree.root():
        raise Invalid(f"a line is not as it was signed; {path.name}{HASHES} would tell which one")
    else:
        checked["tree"] = f"{size} lines are those that the head was made of"
    checked["lines"] = f"{size} in order, each in its one form"
    if log.named:
        checked["names"] = f"{log.named} keys, each the one that sealed its name"
    elif any(log.sealed.values()):
        unchecked["names"] = "the line of their keys was left out: they stay sealed"
    holders = {key.holder for key in log.keys.values() if key.holder}
    if holders:
        checked["acts"] = f"{log.signatures} signed by their officials"
    else:
        unchecked["acts"] = "no official has registered a key: nobody's acts are signed"
    return Verdict(log, head, checked, unchecked)


def beside(path: Path, suffix: str) -> Path:
    """Return the file that belongs to a log."""
    return path.with_name(path.name + suffix)


def _open_head(
    path: Path, policy: Policy | None, checked: dict[str, str], unchecked: dict[str, str]
) -> Checkpoint | None:
    note = beside(path, CHECKPOINT)
    if policy is None:
        unchecked["signature"] = "no policy says whose signature counts"
        unchecked["witnesses"] = "no policy names any"
    if not note.exists():
        if policy is not None:
            raise Invalid(f"there is no {note.name}, which the policy asks for")
        return None
    with note.open("rb") as file:
        data = file.read(NOTE_BYTES_MAX + 1)
    if policy is None:
        return parse_checkpoint(parse_note(data).text)
    head, _, signed = policy.open(data)
    checked["signature"] = f"the head of {head.size} lines, by {head.origin}"
    times = {key.name: at for key, at in signed.items() if key not in policy.logs}
    if times:
        checked["witnesses"] = ", ".join(f"{name} (Unix time {at})" for name, at in times.items())
    else:
        unchecked["witnesses"] = "the policy asks for none"
    return head


def _open_hashes(path: Path, head: Checkpoint | None) -> BinaryIO | None:
    """Open the hashes of the lines, if they are those that were signed."""
    if head is None or not beside(path, HASHES).is_file():
        return None
    file = beside(path, HASHES).open("rb")
    tree = Tree()
    while (leaf := file.read(HASH_BYTES)) and tree.size < head.size:
        tree.add(leaf)
    if leaf or (tree.size, tree.root()) != head[1:]:
        file.close()
        return None
    file.seek(0)
    return file


def _take_lines(path: Path, head: Checkpoint | None, hashes: BinaryIO | None) -> Log:
    log = Log()
    with path.open("rb") as file, hashes or nullcontext() as signed:
        for number in count(1):
            line = file.readline(LINE_BYTES_MAX + 2)
            if not line or (number > 1 and line.startswith(NAMES)):
                break
            try:
                _take(log, line, head, signed)
            except Invalid as error:
                raise Invalid(f"line {number}: {error}") from None
        if number == 1:
            raise Invalid("line 1: the file is empty: a log begins with TournamentOpened")
        try:
            if line:
                log.check_names(line + file.read(NAMES_BYTES_MAX))
        except Invalid as error:
            raise Invalid(f"line {number}: {error}") from None
    return log


def _take(log: Log, line: bytes, head: Checkpoint | None, signed: BinaryIO | None) -> None:
    if not line.endswith(b"\n") and len(line) <= LINE_BYTES_MAX:
        raise Invalid("it has no end: the file was cut off in the middle of it")
    leaf = log.take(line.removesuffix(b"\n"))
    if head is not None and log.tree.size > head.size:
        raise Invalid(f"it stands behind the {head.size} lines that were signed")
    if head is not None and head.origin != origin_of(log.tournament):
        raise Invalid(f"the head beside it is that of another log, {head.origin}")
    if signed is not None and signed.read(HASH_BYTES) != leaf:
        raise Invalid("it is not the line that was signed at this place")


def main(arguments: list[str]) -> int:
    """Check a file and say so; 0 it holds, 1 it does not, 2 wrong usage."""
    try:
        match arguments:
            case [file]:
                verdict = verify_file(Path(file))
            case [file, "--policy", policy] | ["--policy", policy, file]:
                verdict = verify_file(Path(file), read_policy(Path(policy)))
            case _:
                sys.stderr.write("usage: verifier FILE [--policy POLICY]\n")
                return 2
    except (Invalid, OSError) as error:
        sys.stderr.write(ascii(str(error))[1:-1] + "\n")
        return 1
    for layer, said in verdict.checked.items():
        sys.stdout.write(f"{layer}: {said}\n")
    for layer, said in verdict.unchecked.items():
        sys.stdout.write(f"{layer}: UNCHECKED: {said}\n")
    return 0


def read_policy(path: Path) -> Policy:
    """Read a policy file, however large it may be."""
    with path.open("rb") as file:
        return parse_policy(file.read(NOTE_BYTES_MAX + 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
