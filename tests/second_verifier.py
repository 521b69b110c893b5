"""The verifier once more, from the specifications alone and sharing no code with the program.

Trees by their recursive definition (RFC 6962 2.1), proofs by the same recursion from the top down,
Ed25519 by RFC 8032 in plain integers, notes and policies by C2SP's texts. Slow, and meant to be.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from functools import lru_cache
from typing import Any
from typing import NamedTuple

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = (-121665 * pow(121666, PRIME - 2, PRIME)) % PRIME
Point = tuple[int, int]
Homogeneous = tuple[int, int, int, int]


def tree_hash(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 2.1, over leaf hashes."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = below(len(leaves))
    return node(tree_hash(leaves[:k]), tree_hash(leaves[k:]))


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def below(n: int) -> int:
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def root_by_path(m: int, n: int, leaf: bytes, path: list[bytes]) -> bytes | None:
    """PATH of RFC 6962 2.1.1, undone; None where the path has another length than it needs."""
    if n == 1:
        return leaf if not path else None
    if not path:
        return None
    k, rest = below(n), path[:-1]
    if m < k:
        inner = root_by_path(m, k, leaf, rest)
        return inner and node(inner, path[-1])
    inner = root_by_path(m - k, n - k, leaf, rest)
    return inner and node(path[-1], inner)


def included(m: int, n: int, leaf: bytes, path: list[bytes], root: bytes) -> bool:
    if not 0 <= m < n or any(len(each) != 32 for each in [leaf, root, *path]):
        return False
    return root_by_path(m, n, leaf, path) == root


def both_roots(
    m: int, n: int, proof: list[bytes], old: bytes, *, whole: bool
) -> tuple[bytes, bytes] | None:
    """SUBPROOF of RFC 6962 2.1.2, undone: the roots of the first m and of all n leaves."""
    if m == n:
        if whole:
            return (old, old) if not proof else None
        return (proof[0], proof[0]) if len(proof) == 1 else None
    if not proof:
        return None
    k, rest, last = below(n), proof[:-1], proof[-1]
    if m <= k:
        inner = both_roots(m, k, rest, old, whole=whole)
        return inner and (inner[0], node(inner[1], last))
    inner = both_roots(m - k, n - k, rest, old, whole=False)
    return inner and (node(last, inner[0]), node(last, inner[1]))


def consistent(m: int, n: int, proof: list[bytes], old: bytes, new: bytes) -> bool:
    if not 0 < m <= n or any(len(each) != 32 for each in proof):
        return False
    return both_roots(m, n, proof, old, whole=True) == (old, new)


def add(one: Point, other: Point) -> Point:
    (a, b), (c, d) = one, other
    e = CURVE_D * a * b * c * d
    x = (a * d + c * b) * pow(1 + e, PRIME - 2, PRIME)
    y = (b * d + a * c) * pow(1 - e, PRIME - 2, PRIME)
    return x % PRIME, y % PRIME


def times(scalar: int, point: Point) -> Point:
    result, power = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % PRIME)
    while scalar:
        if scalar & 1:
            result = _sum(result, power)
        power = _sum(power, power)
        scalar >>= 1
    x, y, z, _ = result
    inverse = pow(z, PRIME - 2, PRIME)
    return x * inverse % PRIME, y * inverse % PRIME


def _sum(one: Homogeneous, other: Homogeneous) -> Homogeneous:
    """RFC 8032 5.1.4: no inverse for each step."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * CURVE_D, 2 * z1 * z2
    e, f, g, h = (b - a) % PRIME, (d - c) % PRIME, (d + c) % PRIME, (b + a) % PRIME
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def decompressed(data: bytes) -> Point | None:
    """RFC 8032 5.1.3."""
    whole = int.from_bytes(data, "little")
    sign, y = whole >> 255, whole % 2**255
    if len(data) != 32 or y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, PRIME - 2, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    return (PRIME - x if x % 2 != sign else x), y


def is_usable(public: bytes) -> bool:
    """Whether a public key is a canonical point of an order above 8."""
    point = decompressed(public)
    return point is not None and times(8, point) != (0, 1)


@cache
def signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """RFC 8032 5.1.7, without the cofactor."""
    a, r = decompressed(public), decompressed(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    base = decompressed((4 * pow(5, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little"))
    assert base is not None
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    return times(s, base) == add(r, times(h % ORDER, a))


def plain(text: str) -> bytes | None:
    """Base64 that has one spelling."""
    if not re.fullmatch("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text):
        return None
    data = base64.b64decode(text)
    return data if base64.b64encode(data).decode() == text else None


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


def head_of(text: str) -> tuple[str, int, bytes] | None:
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] or not lines[0] or not re.fullmatch("0|[1-9][0-9]*", lines[1]):
        return None
    root = plain(lines[2])
    if root is None or len(root) != 32 or len(lines[1]) > 16:
        return None
    return lines[0], int(lines[1]), root


def accepts(lines: list[bytes], note: bytes, log_vkey: str) -> bool:
    """Whether lines (each with its newline) are a log whose head the key signed."""
    opened = note_of(note, [log_vkey])
    head = head_of(opened[0]) if opened else None
    if head is None or any(not line.endswith(b"\n") for line in lines):
        return False
    hashes = [hashlib.sha256(b"\x00" + line[:-1]).digest() for line in lines]
    if (len(lines), tree_hash(hashes)) != head[1:]:
        return False
    if head[0] != log_vkey.split("+", maxsplit=1)[0] or not _well_formed(lines, head[0]):
        return False
    return not any(_revokes(line, log_vkey) for line in lines)


def hashes_fit(lines: list[bytes], hashes: bytes) -> bool:
    """Whether a file of hashes is that of these lines (each with its newline)."""
    return hashes == b"".join(hashlib.sha256(b"\x00" + line[:-1]).digest() for line in lines)


def names_fit(lines: list[bytes], end: bytes) -> bool:
    """Whether the last line of an export has the key of every name in these lines, and no other."""
    sealed: dict[str, tuple[str, str]] = {}
    forgotten: set[str] = set()
    for line in lines:
        value = _strict(line)
        if value is None:
            return False
        name = str(value["data"].get("name")) if value["type"] == "PersonRecorded" else ""
        if name.startswith("sealed:2:"):
            sealed[value["id"]] = value["data"]["of"], name.split(":")[2]
        if value["type"] == "PersonForgotten":
            forgotten.add(value["data"]["of"])
    wanted = [(event, digest) for event, (of, digest) in sealed.items() if of not in forgotten]
    try:
        keys = json.loads(end)["names"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return False
    written = json.dumps({"names": keys}, ensure_ascii=False, separators=(",", ":"))
    if not wanted or not isinstance(keys, dict) or f"{written}\n".encode() != end:
        return False
    digests = [(event, _digest_of_key(key)) for event, key in keys.items()]
    return digests == wanted


def _digest_of_key(key: object) -> str:
    data = plain(key) if isinstance(key, str) else None
    if data is None or len(data) != 32:
        return ""
    return base64.b64encode(hashlib.sha256(data).digest()).decode()


def _revokes(line: bytes, log_vkey: str) -> bool:
    """Whether a line takes the key out of use: what it signs from there on counts no more."""
    value, key = _strict(line), key_of(log_vkey)
    if value is None or key is None or value["type"] != "KeyRevoked":
        return False
    return plain(value["data"]["public"]) == key[2][1:]


def _well_formed(lines: list[bytes], origin: str) -> bool:
    seen: set[str] = set()
    for place, line in enumerate(lines, start=1):
        value = _strict(line)
        if value is None or value["seq"] != place or value["id"] in seen:
            return False
        seen.add(value["id"])
        if (value["type"] == "TournamentOpened") != (place == 1):
            return False
    opened = _strict(lines[0]) if lines else None
    return opened is not None and origin == f"tourney/{opened['data']['tournament']}"


@lru_cache(256)
def _strict(line: bytes) -> dict[str, Any] | None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def never(_: str) -> None:
        raise ValueError

    try:
        value = json.loads(line, object_pairs_hook=once, parse_float=never, parse_constant=never)
    except (ValueError, RecursionError):
        return None
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    members = ["seq", "id", "type", "at", "by", "data"]
    if not isinstance(value, dict) or list(value)[:6] != members or len(line) > 60_001:
        return None
    return value if f"{written}\n".encode() == line and set(value) <= {*members, "sig"} else None


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


def trusted_head(note: bytes, policy: Policy) -> tuple[str, tuple[str, int, bytes]] | None:
    """The log's verifier key and the head, where the policy trusts the note."""
    opened = note_of(note, [*policy.logs, *policy.witnesses.values()])
    head = head_of(opened[0]) if opened else None
    if opened is None or head is None or not policy.is_met(opened[1], policy.quorum):
        return None
    own = [each for each in policy.logs if each in opened[1] and each.split("+")[0] == head[0]]
    return (own[0], head) if own else None


def accepts_under(lines: list[bytes], note: bytes, policy: Policy) -> bool:
    """Whether a policy trusts these lines by the note beside them."""
    trusted = trusted_head(note, policy)
    return trusted is not None and accepts(lines, note, trusted[0])


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
    value = _strict(line + b"\n")
    leaf = hashlib.sha256(b"\x00" + line).digest()
    proof = [each for each in path if each]
    is_in = included(index, trusted[1][1], leaf, proof, trusted[1][2])
    return is_in and value is not None and value["seq"] == index + 1
