"""The verifier once more, from the specifications alone and sharing no code with the program.

Trees by their recursive definition (RFC 6962 2.1), proofs by the same recursion from the top down,
Ed25519 by RFC 8032 in plain integers, notes and policies by C2SP's texts. Slow, and meant to be.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING
from typing import NamedTuple

from tests.second_curve import is_usable
from tests.second_curve import signed_by
from tests.second_lines import plain
from tests.second_lines import strict
from tests.second_officials import outcome
from tests.second_officials import split
from tests.second_trees import included
from tests.second_trees import tree_hash

if TYPE_CHECKING:
    from tests.second_officials import Outcome


@cache
def key_of(vkey: str) -> tuple[str, bytes, bytes] | None:
    """Name, id and public bytes (with the algorithm's) of a verifier key."""
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(.+)", vkey)
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
        one = re.fullmatch("\u2014 ([^ +]+) ([^ ]+)", line)
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
    opened = note_of(note, [log_vkey])
    head = head_of(opened[0]) if opened else None
    if head is None or head[0] != log_vkey.split("+", maxsplit=1)[0]:
        return None
    return held(lines, head, [log_vkey])


def held(lines: list[bytes], head: Head, signers: list[str]) -> Outcome | None:
    """What came of lines under a head that keys of the log signed; None: refused."""
    if any(not line.endswith(b"\n") for line in lines):
        return None
    events, _ = split(lines)
    hashes = [hashlib.sha256(b"\x00" + line[:-1]).digest() for line in events]
    if (len(events), tree_hash(hashes)) != head[1:] or not _names_itself(events, head[0]):
        return None
    if all(any(_revokes(line, each) for line in events) for each in signers):
        return None
    return outcome(lines)


def hashes_fit(lines: list[bytes], hashes: bytes) -> bool:
    """Whether a file of hashes is that of these lines (each with its newline)."""
    return hashes == b"".join(hashlib.sha256(b"\x00" + line[:-1]).digest() for line in lines)


def names_fit(lines: list[bytes], end: bytes) -> bool:
    """Whether the last line of an export has the key of every name in these lines, and no other."""
    found = outcome([*lines, end])
    return found is not None and found.names > 0


def _revokes(line: bytes, log_vkey: str) -> bool:
    """Whether a line takes the key out of use: what it signs from there on counts no more."""
    value, key = strict(line), key_of(log_vkey)
    if value is None or key is None or value["type"] != "KeyRevoked":
        return False
    public = value["data"].get("public")
    return isinstance(public, str) and plain(public) == key[2][1:]


def _names_itself(lines: list[bytes], origin: str) -> bool:
    opened = strict(lines[0]) if lines else None
    return opened is not None and origin == f"tourney/{opened['data'].get('tournament')}"


class Policy(NamedTuple):
    """C2SP tlog-policy: verifier keys by name, groups with their least number, the quorum."""

    logs: list[str]
    witnesses: dict[str, str]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str

    def is_met(self, signers: set[str], name: str) -> bool:
        """Whether the witness or group of that name signed."""
        if name in self.witnesses:
            return self.witnesses[name] in signers
        least, members = self.groups[name]
        return sum(self.is_met(signers, each) for each in members) >= least


def policy_of(data: bytes) -> Policy | None:
    """The policy that a file declares; None where any line is not one of its four kinds."""
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


def _signs_as(vkey: str, algorithm: bytes) -> bool:
    key = key_of(vkey)
    return key is not None and key[2][:1] == algorithm


def trusted_head(note: bytes, policy: Policy) -> tuple[list[str], Head] | None:
    """The log's verifier keys that signed and the head, where the policy trusts the note."""
    opened = note_of(note, [*policy.logs, *policy.witnesses.values()])
    head = head_of(opened[0]) if opened else None
    if opened is None or head is None or not policy.is_met(opened[1], policy.quorum):
        return None
    own = [each for each in policy.logs if each in opened[1] and each.split("+")[0] == head[0]]
    return (own, head) if own else None


def accepts_under(lines: list[bytes], note: bytes, policy: Policy) -> Outcome | None:
    """What came of lines that a policy trusts by the note beside them; None: refused."""
    trusted = trusted_head(note, policy)
    return held(lines, trusted[1], trusted[0]) if trusted else None


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
