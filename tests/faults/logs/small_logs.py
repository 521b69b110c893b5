"""Small logs of chance with all that a verifier reads: keys of officials and of the log, heads.

A log is made line by line; a line that the verifier would refuse is mostly made again, so that many
logs hold and the others are wrong in one place. It is no judge of its own logs: two verifiers are.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.proof import notes, signatures
from ledger.proof.formats import COSIGNATURE, ED25519, Checkpoint, Invalid, Key, Tree, leaf_hash
from ledger.proof.lines import read_line
from ledger.proof.policy import NAMED
from ledger.proof.signatures import Holders, consent, possession, registration_in, revoked_in
from ledger.proof.verifier import Log

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from ledger.proof.notes import Signer
    from ledger.proof.signatures import Held

TOURNAMENT = "3f2c1d4e5a6b47889900aabbccddeeff"
ORIGIN = signatures.origin_of(TOURNAMENT)
AT = "2026-03-14T12:00:00.000Z"
LINES_MAX = 12
OFFICIALS = (1, 2, 3)
PINNED = 0.3
WRONG_IN = 30
"""One line in so many is left as it is though it is refused."""

LOGS = [notes.signer(ORIGIN, bytes([60 + n]) * 32) for n in range(3)]
KEYS = {
    holder: [notes.signer(f"o{holder}", bytes([10 * holder + n]) * 32) for n in range(3)]
    for holder in OFFICIALS
}
WITNESSES = [notes.signer(f"witness{n}", bytes([n]) * 32, COSIGNATURE) for n in (1, 2, 3)]
EVERYBODY = {
    each.key.public: each for each in [*LOGS, *(one for every in KEYS.values() for one in every)]
}
OPENED_BY = [hashlib.sha256(b"opens a name %d" % n).digest() for n in range(4)]
KINDS_OF_LINES = (
    "key",
    "key",
    "key",
    "gone",
    "act",
    "act",
    "act",
    "act",
    "name",
    "name",
    "plain",
    "forgotten",
)
KINDS = sorted(signatures.SIGNED - {"KeyRegistered", "KeyRevoked"})


class Small(NamedTuple):
    """A log's lines, each with its newline; the head, the hashes and the policy beside them."""

    what: str
    lines: list[bytes]
    note: bytes
    hashes: bytes | None
    policy: bytes


def made(chance: Random) -> list[bytes]:
    """Make the lines of a log, the keys of its names perhaps last."""
    lines = [opening(is_keyed=chance.random() < 0.95)]
    for official in OFFICIALS:
        if chance.random() < 0.9 / official**0.5:
            lines.append(appointed(official, _roles(official), lines, chance))
    for _ in range(chance.randrange(3, LINES_MAX - len(lines))):
        for _ in range(6):
            line = _next(lines, chance)
            if chance.randrange(WRONG_IN) == 0 or not refused([*lines, line]):
                lines.append(line)
                break
    if chance.random() < 0.5 and (names := _names(lines, chance)):
        lines.append(names)
    return lines


def log_of(lines: list[bytes]) -> Log:
    """Read lines as the verifier does; Invalid where it refuses them."""
    log = Log()
    for line in lines:
        log.take(line[:-1])
    return log


def refused(lines: list[bytes]) -> str:
    """Why the verifier refuses lines; empty where it does not."""
    try:
        log_of(lines)
    except Invalid as error:
        return str(error) or "invalid"
    return ""


def line_of(seq: int, kind: str, by: str, data: dict[str, Any]) -> bytes:
    """Write a line without a signature."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return (
        f'{{"seq":{seq},"id":"e{seq}","type":"{kind}","at":"{AT}","by":"{by}","data":{written}}}\n'
    ).encode()


def signed_with(signer: Signer, lines: list[bytes], line: bytes) -> bytes:
    """Sign a line, without its own signature, behind the lines before it."""
    bare = line[:-1].partition(b',"sig":"')[0].removesuffix(b"}") + b"}"
    tree = Tree()
    for each in lines:
        tree.add(leaf_hash(each[:-1]))
    message = signatures.signed_body(TOURNAMENT, tree.size, tree.root(), bare)
    return bare[:-1] + f',"sig":"{notes.base64_of(signer.sign(message))}"}}\n'.encode()


def signed_truly(lines: list[bytes], line: bytes, chance: Random) -> bytes:
    """Sign a line with a key that has to, if there is one."""
    if json.loads(line)["type"] not in signatures.SIGNED:
        return line
    signers = _signers(lines, line)
    return signed_with(chance.choice(signers), lines, line) if signers else line


def signed_rightly(lines: list[bytes], line: bytes, chance: Random) -> bytes:
    """Sign a line with a key that might have to; now and then with another, or not."""
    if chance.random() < 0.1:
        return signed_with(chance.choice(list(EVERYBODY.values())), lines, line)
    if json.loads(line)["type"] not in signatures.SIGNED and chance.random() < 0.8:
        return line
    signers = _signers(lines, line)
    if not signers or chance.random() < 0.05:
        return line
    return signed_with(chance.choice(signers), lines, line)


def _signers(lines: list[bytes], line: bytes) -> list[Signer]:
    """Whose keys might have to sign a line, as far as they are ours."""
    log, read = _read(lines), read_line(line[:-1])
    ruled = read.data.get("official") if read.type == "RulingMade" else 0
    ruled = ruled if isinstance(ruled, int) else 0
    try:
        registers = registration_in(read.data) if read.type == "KeyRegistered" else None
        revokes = revoked_in(read.data) if read.type == "KeyRevoked" else b""
        act = signatures.SignedAct(
            TOURNAMENT, 0, b"", read.type, read.by, ruled, b"", "", registers, revokes
        )
        held = signatures.needed(Holders(log.keys, log.roles), act).held
    except Invalid:
        return []
    return [EVERYBODY[each.public] for each in held if each.public in EVERYBODY]


def head_over(lines: list[bytes], size: int, signer: Signer, cosigners: list[Signer]) -> bytes:
    """Sign the head of so many lines."""
    tree = Tree()
    for each in lines[:size]:
        tree.add(leaf_hash(each[:-1]))
    text = notes.checkpoint_text(Checkpoint(ORIGIN, size, tree.root()))
    note = notes.signed_note(text, signer)
    return (
        note
        + "".join(notes.signature_line(each, text, 1_800_000_000) for each in cosigners).encode()
    )


def hashes_of(lines: list[bytes]) -> bytes:
    """The file of the hashes of lines."""
    return b"".join(leaf_hash(each[:-1]) for each in lines)


def policy_of(chance: Random, keys: Mapping[bytes, Held]) -> bytes:
    """A policy that pins one or more keys of the log, and asks for no witness or some.

    Perhaps it asks something of the officials, who have these keys.
    """
    pinned = chance.sample(LOGS, chance.choice((1, 1, 1, 2, 3)))
    if LOGS[0] not in pinned and chance.random() < 0.7:
        pinned[0] = LOGS[0]
    lines = [f"log {notes.vkey(each.key)}" for each in pinned]
    lines += _pins(chance, keys) if chance.random() < PINNED else []
    if chance.random() < 0.7:
        return "\n".join([*lines, "quorum none", ""]).encode()
    lines += [f"witness {each.key.name} {notes.vkey(each.key)}" for each in WITNESSES]
    least = chance.choice(("any", "all", "1", "2", "3"))
    return "\n".join(
        [*lines, f"group g {least} witness1 witness2 witness3", "quorum g", ""]
    ).encode()


def _pins(chance: Random, keys: Mapping[bytes, Held]) -> list[str]:
    """Lines of a policy about officials: their keys mostly, a directory, types of acts."""
    held = [(each.holder, each.public) for each in keys.values() if each.holder]
    known = [(holder, each.key.public) for holder, some in KEYS.items() for each in some]
    pinned = held if chance.random() < 0.7 else chance.sample(known, 3)
    if chance.random() < 0.3:
        pinned = pinned[1:]
    made = [(who, Key(f"{ORIGIN}/o{who}", ED25519, each)) for who, each in pinned]
    lines = [f"official o{who} {notes.vkey(key)}" for who, key in made]
    if chance.random() < 0.25:
        lines += [f"person {notes.vkey(key)}" for _, key in made]
    if chance.random() < 0.3:
        lines.append(f"signed {' '.join(chance.sample(sorted(NAMED), chance.choice((1, 1, 2))))}")
    return lines


def beside(lines: list[bytes], chance: Random, what: str) -> Small:
    """Put a head, hashes and a policy beside lines: right ones mostly."""
    events = [each for each in lines if not each.startswith(b'{"names":')]
    size = len(events) if chance.random() < 0.95 else chance.randrange(len(events) + 1)
    keys = _read(events).keys
    active = [key.public for key in keys.values() if not key.holder and not key.until]
    known = [EVERYBODY[each] for each in active if each in EVERYBODY]
    signer = chance.choice(known) if known and chance.random() < 0.9 else chance.choice(LOGS)
    cosigners = chance.sample(WITNESSES, chance.choice((0, 1, 2, 3, 3, 3, 3)))
    hashes = hashes_of(events) if chance.random() < 0.8 else None
    note = head_over(events, size, signer, cosigners)
    return Small(what, lines, note, hashes, policy_of(chance, keys))


def _read(lines: list[bytes]) -> Log:
    """What lines say, up to the first one that is refused."""
    log = Log()
    try:
        for line in lines:
            log.take(line[:-1])
    except Invalid:
        pass
    return log


def _roles(official: int) -> list[str]:
    return {1: ["organizer"], 2: ["judge"], 3: ["marshal", "scorekeeper"]}[official]


def opening(*, is_keyed: bool = True) -> bytes:
    """The first line, with a key for the log's heads."""
    data: dict[str, Any] = {"wire": 2, "rules": 1, "tournament": TOURNAMENT}
    if is_keyed:
        data["log_key"] = notes.base64_of(LOGS[0].key.public)
    return line_of(1, "TournamentOpened", "o1", data)


def _next(lines: list[bytes], chance: Random) -> bytes:
    seq = len(lines) + 1
    by = chance.choice(("o1", "o1", "o2", "o3", "p4", "o2/p5"))
    kind = chance.choice(KINDS_OF_LINES)
    match kind:
        case "key":
            return _registered(lines, seq, chance)
        case "gone":
            keys = list(_read(lines).keys) or [LOGS[0].key.public]
            data = {"public": notes.base64_of(chance.choice(keys)), "reason": "lost"}
            line = line_of(seq, "KeyRevoked", by, data)
        case "act":
            official = chance.choice(OFFICIALS)
            told: dict[str, Any] = {"match": seq, "official": official, "roles": _roles(official)}
            line = line_of(seq, chance.choice((*KINDS, "RulingMade", "RulingMade")), by, told)
        case "plain":
            line = line_of(
                seq, "ResultReported", by, {"match": seq, "sides": [chance.randrange(9)]}
            )
        case "name":
            line = _person(seq, by, chance)
        case _:
            line = line_of(seq, "PersonForgotten", by, {"of": f"p{chance.randrange(4)}"})
    return signed_rightly(lines, line, chance)


def appointed(official: int, roles: list[str], lines: list[bytes], chance: Random) -> bytes:
    """The line that gives an official their roles."""
    told = {"official": official, "name": "Kim", "roles": roles}
    line = line_of(len(lines) + 1, "OfficialAppointed", "o1", told)
    return signed_truly(lines, line, chance)


def first_key(holder: int, lines: list[bytes], chance: Random) -> bytes:
    """The line that gives an official their first key."""
    data = _said_of(holder, KEYS[holder][0])
    return signed_truly(lines, line_of(len(lines) + 1, "KeyRegistered", "o1", data), chance)


def _said_of(holder: int, signer: Signer) -> dict[str, Any]:
    public = notes.base64_of(signer.key.public)
    proof = notes.base64_of(signer.sign(possession(TOURNAMENT, holder, public)))
    return {"holder": holder, "public": public, "proof": proof}


def _registered(lines: list[bytes], seq: int, chance: Random) -> bytes:
    holder = chance.choice((*OFFICIALS, 0))
    own = KEYS[holder] if holder else LOGS
    signer = chance.choice(own) if chance.random() < 0.9 else chance.choice(KEYS[1])
    data = _said_of(holder, signer)
    by = chance.choice(OFFICIALS) if chance.random() < 0.5 else 1
    match chance.randrange(5):
        case 0:
            other = chance.choice(OFFICIALS)
            agreed = consent(TOURNAMENT, holder, data["public"])
            sig = notes.base64_of(chance.choice(KEYS[other]).sign(agreed))
            data["second"] = {"official": other, "sig": sig}
        case 1:
            data["lost"] = chance.choice(("the laptop is gone", " ", ""))
        case _:
            pass
    return signed_rightly(lines, line_of(seq, "KeyRegistered", f"o{by}", data), chance)


def _person(seq: int, by: str, chance: Random) -> bytes:
    number = chance.randrange(4)
    digest = notes.base64_of(hashlib.sha256(OPENED_BY[number]).digest())
    name = f"sealed:2:{digest}:QUJDRA==" if chance.random() < 0.8 else "Kim"
    return line_of(seq, "PersonRecorded", by, {"of": f"p{number}", "name": name})


def _names(lines: list[bytes], chance: Random) -> bytes:
    try:
        wanted = log_of(lines).open_names
    except Invalid:
        return b""
    opening = {notes.base64_of(hashlib.sha256(key).digest()): key for key in OPENED_BY}
    names = {record: notes.base64_of(opening[digest]) for record, digest in wanted.items()}
    if chance.random() < 0.1 and names:
        names[chance.choice(list(names))] = notes.base64_of(bytes(32))
    return json.dumps({"names": names}, separators=(",", ":")).encode() + b"\n" if names else b""
