"""Who has to have signed an act, and whether they did: all that a sceptic has to read, part two.

An act that an official signed carries an Ed25519 signature over DSSE's encoding of the line without
its `sig`, bound to the tournament; the line holds its own place and id. Who holds which key stands
in the log. Part one is formats.py, part three heads.py.
"""

from __future__ import annotations

import base64
from typing import NamedTuple

from ledger.proof.formats import HASH_BYTES
from ledger.proof.formats import SIGNATURE_BYTES
from ledger.proof.formats import Invalid
from ledger.proof.formats import checked_public
from ledger.proof.formats import is_signed
from ledger.proof.formats import pae
from ledger.proof.formats import unbase64

SIGNED = frozenset(
    {
        "OfficialAppointed",
        "KeyRegistered",
        "KeyRevoked",
        "ShuffleKeyReplaced",
        "HiddenKeyReplaced",
        "ForkAccepted",
        "RulingMade",
        "ConductNoted",
        "DisqualificationRecommended",
        "PenaltyGiven",
        "NoteTaken",
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
    """A line for its signature, behind the tree of that size and root.

    `ruled` is the official whom a ruling names, else 0.
    """

    tournament: str
    size: int
    root: bytes
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


def signed_body(tournament: str, size: int, root: bytes, unsigned: bytes) -> bytes:
    """Return what an official signs: the line without `sig`, behind the tree of all lines before.

    So a signature holds at one place of one history, and nowhere else.
    """
    before = f"{size}\n{base64.b64encode(root).decode()}\n".encode()
    return encoded("act", tournament, before + unsigned)


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


def revoked(keys: dict[bytes, Held], publics: list[bytes]) -> int:
    """Return the event with which the last of these keys went out of use; 0 while one is in use.

    A key that the log does not know is in use: whoever pinned it says so.
    """
    ends = [keys[each].until if each in keys else 0 for each in publics]
    return max(ends, default=0) if all(ends) else 0


class Claim(NamedTuple):
    """A signature that one of these keys has to have made; if none did, that is `wrong`."""

    publics: tuple[bytes, ...]
    signature: bytes
    message: bytes
    wrong: str


def claimed(keys: dict[bytes, Held], act: Act) -> Claim | None:
    """Return the signature that the act carries, where nobody else could have signed it.

    None where it has none and needs none; Invalid where it needs one, or is signed by nobody.
    """
    held = signers(keys, act.ruled, act.by)
    if not act.sig and (not held or act.type not in SIGNED):
        return None
    if not held:
        raise Invalid(f"{act.type} is signed, but nobody it could be by holds a key")
    owner = f"a key of o{held[0].holder}"
    if not act.sig:
        raise Invalid(f"{act.type} is not signed with {owner}")
    return Claim(
        tuple(key.public for key in held),
        unbase64(act.sig, SIGNATURE_BYTES),
        signed_body(act.tournament, act.size, act.root, act.unsigned),
        f"{act.type} carries a signature that is not made with {owner}",
    )


def holds(claim: Claim) -> bool:
    """Whether a signature is what it claims to be: the one thing here that takes time."""
    return any(is_signed(key, claim.signature, claim.message) for key in claim.publics)


def check_registration(
    keys: dict[bytes, Held], tournament: str, holder: int, public: str, proof: str
) -> Held:
    """Return who holds which key from now on; the key itself has signed for that."""
    key = checked_public(unbase64(public, HASH_BYTES, "the key"))
    if key in keys:
        raise Invalid("this key stands in the log already: every holder has a key of their own")
    signature = unbase64(proof, SIGNATURE_BYTES, "the proof behind the key")
    if not is_signed(key, signature, possession(tournament, holder, public)):
        raise Invalid("the key did not sign for its registration: its holder may not have it")
    return Held(holder, key, 0)
