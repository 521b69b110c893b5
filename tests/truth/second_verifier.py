"""The verifier once more, from the specifications alone and sharing no code with the program.

Trees by their recursive definition (RFC 6962 2.1), proofs by the same recursion from the top down,
Ed25519 by RFC 8032 in plain integers, notes and policies by C2SP's texts. Slow, and meant to be.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from typing import NamedTuple

from tests.truth.second_curve import is_usable, signed_by
from tests.truth.second_lines import plain, strict
from tests.truth.second_officials import Outcome, read, split
from tests.truth.second_pins import Pins, after, counted
from tests.truth.second_trees import included, tree_hash


@cache
def key_of(vkey: str) -> tuple[str, bytes, bytes] | None:
    """Name, id and public bytes (with the algorithm's) of a verifier key."""
    found = re.fullmatch(r"([^\s+\x7f]+)\+([0-9a-f]{8})\+(.+)", vkey)
    data = plain(found[3]) if found else None
    if found is None or data is None or data[:1] not in {b"\x01", b"\x04"}:
        return None
    expected = hashlib.sha256(found[1].encode() + b"\n" + data).digest()[:4]
    if expected.hex() != found[2] or not is_usable(data[1:]):
        return None
    return found[1], expected, data


def note_of(data: bytes, vkeys: list[str]) -> tuple[str, set[str]] | None:
    """The text of a signed note and which of the keys signed; None where it is to be rejected."""
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    found = re.fullmatch("(.*\n)\n((?:\u2014 [^\n]+\n)+)", whole, re.DOTALL)
    if found is None or re.search("[\x00-\x09\x0b-\x1f]", whole):
        return None
    known = {key[:2]: (key[2], vkey) for vkey in vkeys if (key := key_of(vkey))}
    signers: set[str] = set()
    for line in found[2].splitlines():
        one = re.fullmatch("\u2014 ([^\\s+\x7f]+) ([^ ]+)", line)
        blob = plain(one[2]) if one else None
        if one is None or blob is None or len(blob) < 5:
            return None
        if (one[1], blob[:4]) in known:
            public, vkey = known[one[1], blob[:4]]
            if vkey not in signers and not _holds(public, blob[4:], found[1]):
                return None
            signers.add(vkey)
    return (found[1], signers) if signers else None


def _holds(public: bytes, signature: bytes, text: str) -> bool:
    if public[0] == 1:
        return signed_by(public[1:], signature, text.encode())
    time = int.from_bytes(signature[:8], "big")
    message = f"cosignature/v1\ntime {time}\n{text}".encode()
    return time < 2**63 and signed_by(public[1:], signature[8:], message)


Head = tuple[str, int, bytes]
"""Of which log, how many lines, the root of their tree."""


def head_of(text: str) -> Head | None:
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] or not lines[0] or not re.fullmatch("0|[1-9][0-9]*", lines[1]):
        return None
    root = plain(lines[2])
    if root is None or len(root) != 32 or len(lines[1]) > 16:
        return None
    return lines[0], int(lines[1]), root


def accepts(lines: list[bytes], note: bytes, log_vkey: str) -> Outcome | None:
    """What came of lines (each with its newline) whose head the key signed; None: refused."""
    return accepts_under(lines, note, Policy([log_vkey], {}, {"none": (0, [])}, "none"))


def hashes_fit(lines: list[bytes], hashes: bytes) -> bool:
    """Whether a file of hashes is that of these lines (each with its newline)."""
    return hashes == b"".join(hashlib.sha256(b"\x00" + line[:-1]).digest() for line in lines)


def names_fit(lines: list[bytes], end: bytes) -> bool:
    """Whether the last line of an export has the key of every name in these lines, and no other."""
    log = read([*lines, end])
    return log is not None and log.names > 0


class Policy(NamedTuple):
    """C2SP tlog-policy: verifier keys by name, groups with their least number, the quorum."""

    logs: list[str]
    witnesses: dict[str, str]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str
    pins: Pins = Pins({}, [], [])

    def is_met(self, signers: set[str], name: str) -> bool:
        """Whether the witness or group of that name signed."""
        if name in self.witnesses:
            return self.witnesses[name] in signers
        least, members = self.groups[name]
        return sum(self.is_met(signers, each) for each in members) >= least


def policy_of(data: bytes) -> Policy | None:
    """The policy that a file declares; None where any line is not one of its seven kinds."""
    policy = Policy([], {}, {"none": (0, [])}, "")
    for line in data.split(b"\n"):
        words = line.decode("latin-1").split() if line.strip().isascii() else ["?"]
        if line.strip().startswith(b"#") or not words:
            continue
        after = _after(policy, words)
        if after is None:
            return None
        policy = after
    return policy if policy.logs and policy.quorum and len(data) <= 1 << 16 else None


def _after(policy: Policy, words: list[str]) -> Policy | None:
    kind, names = words[0], {*policy.witnesses, *policy.groups}
    if kind in {"official", "person", "signed"}:
        pins = after(policy.pins, words, policy.logs, _named)
        return policy._replace(pins=pins) if pins else None
    if kind == "log" and 2 <= len(words) <= 3 and _signs_as(words[1], b"\x01"):
        return policy._replace(logs=[*policy.logs, words[1]])
    if kind == "witness" and 3 <= len(words) <= 4 and words[1] not in names:
        known = [key_of(each) for each in policy.witnesses.values()]
        new = key_of(words[2]) if _signs_as(words[2], b"\x04") else None
        if new is not None and new[2] not in [each[2] for each in known if each]:
            return policy._replace(witnesses={**policy.witnesses, words[1]: words[2]})
    if kind == "group" and len(words) >= 4 and words[1] not in names:
        members = words[3:]
        least = {"any": "1", "all": str(len(members))}.get(words[2], words[2])
        known_once = set(members) <= names - {"none"} and len(set(members)) == len(members)
        if known_once and re.fullmatch("[1-9][0-9]{0,4}", least) and int(least) <= len(members):
            return policy._replace(groups={**policy.groups, words[1]: (int(least), members)})
    if kind == "quorum" and len(words) == 2 and words[1] in names and not policy.quorum:
        return policy._replace(quorum=words[1])
    return None


def _named(vkey: str) -> tuple[str, bytes] | None:
    """The name and public key of a verifier key by which a log, or an official, signs."""
    key = key_of(vkey)
    return (key[0], key[2][1:]) if key and key[2][:1] == b"\x01" else None


def _signs_as(vkey: str, algorithm: bytes) -> bool:
    key = key_of(vkey)
    return key is not None and key[2][:1] == algorithm


def trusted_head(
    note: bytes, policy: Policy, renewed: list[str] | None = None
) -> tuple[list[str], Head] | None:
    """The log's verifier keys that signed and the head, where the policy trusts the note.

    `renewed` are further keys of that log, which go back to those that the policy pins.
    """
    logs = [*policy.logs, *(renewed or [])]
    opened = note_of(note, [*logs, *policy.witnesses.values()])
    head = head_of(opened[0]) if opened else None
    if opened is None or head is None or not policy.is_met(opened[1], policy.quorum):
        return None
    own = [each for each in logs if each in opened[1] and each.split("+")[0] == head[0]]
    return (own, head) if own else None


def accepts_under(lines: list[bytes], note: bytes, policy: Policy) -> Outcome | None:
    """What came of lines that a policy trusts by the note beside them; None: refused."""
    text = note.partition(b"\n\n")[0].decode("utf-8", "replace") + "\n"
    head, (events, _) = head_of(text), split(lines)
    hashes = [hashlib.sha256(b"\x00" + line[:-1]).digest() for line in events]
    if head is None or (len(events), tree_hash(hashes)) != head[1:]:
        return None
    log = read(lines) if all(line.endswith(b"\n") for line in lines) else None
    if log is None or head[0] != f"tourney/{log.keys.tournament}":
        return None
    pinned = {public_of(each) for each in policy.logs if each.split("+")[0] == head[0]}
    renewed = [vkey_of(head[0], each) for each in log.keys.followed(pinned)]
    trusted = trusted_head(note, policy, renewed)
    if trusted is None or all(log.keys.is_gone(public_of(each)) for each in trusted[0]):
        return None
    count = counted(policy.pins, head[0], log.values)
    return None if count is None else Outcome(len(events), log.signed, log.names, count)


def public_of(vkey: str) -> bytes:
    """The public key in a verifier key."""
    key = key_of(vkey)
    return key[2][1:] if key else b""


def vkey_of(name: str, public: bytes) -> str:
    """The verifier key by which a log of that name signs."""
    data = b"\x01" + public
    number = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    return f"{name}+{number.hex()}+{base64.b64encode(data).decode()}"


def receipt_holds(data: bytes, policy: Policy) -> bool:
    """C2SP tlog-proof: whether its line stands in the log of a head that the policy trusts."""
    top, _, note = data.partition(b"\n\n")
    found = re.fullmatch(
        rb"c2sp\.org/tlog-proof@v1\nextra ([^\n]+)\nindex (0|[1-9][0-9]{0,15})((?:\n[^\n]+)*)", top
    )
    trusted = trusted_head(note, policy)
    if found is None or trusted is None or len(data) >= 3 << 16:
        return False
    index, path = (
        int(found[2]),
        [plain(each.decode("latin-1")) for each in found[3].split(b"\n")[1:]],
    )
    line = plain(found[1].decode("latin-1"))
    if line is None or len(path) > 63 or any(each is None for each in path):
        return False
    value = strict(line + b"\n")
    leaf = hashlib.sha256(b"\x00" + line).digest()
    proof = [each for each in path if each]
    is_in = included(index, trusted[1][1], leaf, proof, trusted[1][2])
    return is_in and value is not None and value["seq"] == index + 1
