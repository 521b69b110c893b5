"""A second judge of what a desk shows, written from the page on the hall.

A phone keeps a signed head. A log that continues it is believed. A shorter or another log is
believed only if an act at the fork, signed with a key that the phone knew before, revokes the key
of the head that was kept. An older copy without such an act is believed only after a person
compared six words.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any, Literal, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Kind = Literal["goes-on", "taken-over", "replaced", "other-key", "gone", "strange"]
"""Conclusions: the log goes on; another desk took over; this desk was replaced; all events that
were seen are there, under a key that is unknown; events are missing, without a reason that counts;
the answer makes no sense."""

HASH_BYTES, KEY_BYTES, ID_BYTES = 32, 33, 4
ACT_TYPE = b"application/vnd.tourney.act"
_HEAD = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n")


class WrongError(Exception):
    """A text, a signature or a proof that does not hold."""


class Tree(NamedTuple):
    """The first `size` lines of a log, by their root."""

    size: int
    root: bytes


class Kept(NamedTuple):
    """What a phone keeps of a log."""

    note: str
    keys: tuple[bytes, ...]
    registered: tuple[tuple[int, bytes, bytes], ...]
    """Keys that were registered by a known key: the event, the root before it, the key."""

    shown: dict[str, Any]
    """The head as it was shown, for a second judge."""

    act: dict[str, str] | None = None
    """The line of the take-over that this phone believed, to bring it to the first desk."""


class Verdict(NamedTuple):
    """A conclusion, and what the phone keeps from now on."""

    kind: Kind
    kept: Kept | None
    lost: int = 0
    """Number of events that the phone saw and that are not in the log any more."""

    carry: dict[str, str] | None = None


def unbase64(text: str, size: int = 0) -> bytes:
    """Read base64 text in its only form."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise WrongError("base64") from None
    if base64.b64encode(data).decode() != text or (size and len(data) != size):
        raise WrongError("base64")
    return data


def is_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether a key signed a message."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_of(text: str, origin: str) -> bytes:
    """Read a key of a log, as `NAME+ID+BASE64`."""
    name, _, rest = text.partition("+")
    identity, _, encoded = rest.partition("+")
    data = unbase64(encoded, KEY_BYTES)
    digest = hashlib.sha256(name.encode() + b"\n" + data).digest()[:ID_BYTES]
    if name != origin or data[0] != 1 or digest.hex() != identity:
        raise WrongError("key")
    return data[1:]


def head_of(note: str, keys: tuple[bytes, ...], origin: str) -> tuple[Tree, bytes]:
    """Return the head of a note, and which of the keys signed it."""
    text, _, block = note.rpartition("\n\n")
    text += "\n"
    read = _HEAD.fullmatch(text)
    if read is None or read[1] != origin:
        raise WrongError("head")
    for line in block.splitlines():
        name, _, encoded = line.removeprefix("\u2014 ").partition(" ")
        signature = unbase64(encoded)[ID_BYTES:]
        for key in keys:
            if name == origin and is_signed(key, signature, text.encode()):
                return Tree(int(read[2]), unbase64(read[3], HASH_BYTES)), key
    raise WrongError("no known key signed the head")


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def goes_on(old: Tree, new: Tree, proof: list[str] | None) -> bool:
    """Return whether a tree continues another one (RFC 9162, 2.1.4.2)."""
    if proof is None or not 0 < old.size <= new.size:
        return False
    path = [unbase64(text, HASH_BYTES) for text in proof]
    if old.size == new.size:
        return not path and old.root == new.root
    if old.size & (old.size - 1) == 0:
        path.insert(0, old.root)
    if not path:
        return False
    inner, last = old.size - 1, new.size - 1
    while inner & 1:
        inner, last = inner >> 1, last >> 1
    before = after = path[0]
    for digest in path[1:]:
        if not last:
            return False
        if inner & 1 or inner == last:
            before, after = _node(digest, before), _node(digest, after)
            while inner and not inner & 1:
                inner, last = inner >> 1, last >> 1
        else:
            after = _node(after, digest)
        inner, last = inner >> 1, last >> 1
    return not last and before == old.root and after == new.root


def _is_act_of(key: bytes, origin: str, line: str, root: str, seq: int) -> bool:
    """Return whether a key signed a line at its place, behind the lines with a root."""
    unsigned, found, tail = line.rpartition(',"sig":"')
    if not found:
        return False
    body = f"{origin.removeprefix('tourney/')}\n{seq - 1}\n{root}\n{unsigned}}}".encode()
    sealed = b"DSSEv1 %d %s %d %s" % (len(ACT_TYPE), ACT_TYPE, len(body), body)
    return is_signed(key, unbase64(tail.removesuffix('"}')), sealed)


def _registered(
    keys: tuple[bytes, ...], origin: str, lines: list[dict[str, str]]
) -> tuple[tuple[int, bytes, bytes], ...]:
    """Return the keys that known keys signed for, directly or through each other."""
    known, found = set(keys), []
    for each in lines:
        line = json.loads(each["line"])
        if line["type"] != "KeyRegistered" or line["data"]["holder"] != 0:
            continue
        if any(_is_act_of(key, origin, each["line"], each["root"], line["seq"]) for key in known):
            public = unbase64(line["data"]["public"], HASH_BYTES)
            known.add(public)
            found.append((line["seq"], unbase64(each["root"], HASH_BYTES), public))
    return tuple(found)


def judge(answer: dict[str, Any], kept: Kept | None) -> Verdict:
    """Judge the answer to a witness, with what a phone kept of this log."""
    try:
        return _judged(answer, kept)
    except (WrongError, KeyError, TypeError, ValueError, AttributeError):
        return Verdict("strange", kept)


def _judged(answer: dict[str, Any], kept: Kept | None) -> Verdict:
    origin, shown = answer["origin"], answer["head"]
    whole = Tree(answer["size"], unbase64(answer["root"], HASH_BYTES))
    keys = tuple(key_of(text, origin) for text in shown["keys"])
    head, signer = head_of(shown["note"], keys, origin)
    if not goes_on(head, whole, shown["proof"]):
        return Verdict("gone" if kept else "strange", kept)
    if kept is None:
        return Verdict(
            "goes-on",
            Kept(shown["note"], keys, _registered(keys, origin, shown["renewed"]), shown),
        )
    registered = _registered(kept.keys, origin, shown["renewed"])
    trusted = {*kept.keys, *(public for _, _, public in registered)}
    known, _ = head_of(kept.note, kept.keys, origin)
    now = Kept(shown["note"], keys, registered, shown, kept.act)
    act = answer.get("takeover")
    if goes_on(known, whole, answer["proof"]):
        return _continued(act, kept, now, trusted)
    if kept.act and not act:
        former = unbase64(json.loads(kept.act["line"])["data"]["public"], HASH_BYTES)
        if signer == former:
            return Verdict("replaced", kept, carry=kept.act)
    if act and (seq := _believed(answer, act, kept, known, whole)):
        carried = {"line": act["line"], "root": act["root"]}
        return Verdict("taken-over", now._replace(act=carried), known.size - seq + 1)
    return Verdict("gone", kept)


def _continued(act: dict[str, Any] | None, kept: Kept, now: Kept, trusted: set[bytes]) -> Verdict:
    """Judge a log that continues the head of a phone: its keys, and a take-over that is news."""
    origin = now.note.split("\n")[0]
    keys = {key_of(text, origin) for text in now.shown["keys"]}
    if not keys <= trusted:
        return Verdict("other-key", kept)
    is_old = act is None or (kept.act is not None and kept.act["line"] == act["line"])
    if act is None or is_old or _former(act, origin, tuple(trusted)) is None:
        return Verdict("goes-on", now if size_of(now) >= size_of(kept) else kept)
    carried = {"line": act["line"], "root": act["root"]}
    return Verdict("taken-over", now._replace(act=carried))


def _former(act: dict[str, Any], origin: str, signers: tuple[bytes, ...]) -> bytes | None:
    """Return the key that a take-over revokes, if another one of these keys signed it."""
    line = json.loads(act["line"])
    data, seq = line["data"], line["seq"]
    root = unbase64(act["root"], HASH_BYTES)
    if line["type"] != "DeskTakenOver" or (data["size"], data["root"]) != (seq - 1, root.hex()):
        return None
    former = unbase64(data["public"], HASH_BYTES)
    signed = (
        _is_act_of(key, origin, act["line"], act["root"], seq) for key in signers if key != former
    )
    return former if any(signed) else None


def _believed(
    answer: dict[str, Any], act: dict[str, Any], kept: Kept, known: Tree, whole: Tree
) -> int:
    """Return the event of a take-over that makes a shorter history count; 0 if it does not."""
    origin, shown = answer["origin"], answer["head"]
    line = json.loads(act["line"])
    seq, root = int(line["seq"]), unbase64(act["root"], HASH_BYTES)
    if not 1 < seq <= known.size:
        return 0
    for since, before, public in kept.registered:
        former = _former(act, origin, (public,))
        if since >= seq or public not in kept.keys or former is None:
            continue
        if head_of(kept.note, kept.keys, origin)[1] != former:
            continue
        after = (public, *(each[2] for each in _registered((public,), origin, shown["renewed"])))
        keys = tuple(key_of(text, origin) for text in shown["keys"])
        head, _ = head_of(shown["note"], tuple(key for key in after if key in keys), origin)
        is_whole = (
            head.size >= seq
            and former not in keys
            and goes_on(Tree(seq - 1, root), whole, act["proof"])
            and goes_on(Tree(since - 1, before), whole, act["registered"])
        )
        if is_whole:
            return seq
    return 0


def accepted(answer: dict[str, Any], place: Tree) -> Kept | None:
    """Return what a phone keeps of a log that continues a place whose words were compared."""
    whole = Tree(answer["size"], unbase64(answer["root"], HASH_BYTES))
    if not goes_on(place, whole, answer["proof"]):
        return None
    return judge(answer, None).kept


def size_of(kept: Kept | None) -> int:
    """Return the number of lines under the head that a phone keeps."""
    return int(kept.note.split("\n")[1]) if kept else 0
