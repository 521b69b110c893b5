"""Who has to have signed an act, and whether they did: all that a sceptic has to read, part two.

An act that an official signed carries an Ed25519 signature over DSSE's encoding of the line without
its `sig`, bound to the tournament; the line holds its own place and id. Who holds which key stands
in the log. Part one is formats.py, part three heads.py.
"""

from __future__ import annotations

import base64
from typing import NamedTuple

from ledger.proof import holders as keys_of
from ledger.proof.formats import SIGNATURE_BYTES, Invalid, is_signed, unbase64
from ledger.proof.holders import Held, Holders, Need, Registration, official_in

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
        "PlayerDisqualified",
        "ActWithdrawn",
    }
)
"""The acts that need a signature once the official who is answerable for them holds a key."""


class SignedAct(NamedTuple):
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
    registers: Registration | None = None
    revokes: bytes = b""
    """The key that it is about, if it is about one."""


def origin_of(tournament: str) -> str:
    """Return the name under which a tournament's log signs."""
    return f"tourney/{tournament}"


def signed_body(tournament: str, size: int, root: bytes, unsigned: bytes) -> bytes:
    """Return what an official signs: the line without sig, behind the tree of the lines before."""
    before = f"{size}\n{base64.b64encode(root).decode()}\n".encode()
    return keys_of.encoded("act", tournament, before + unsigned)


def needed(holders: Holders, act: SignedAct) -> Need:
    """Return the keys one of which signs: of who ruled, else of who entered; Invalid for none."""
    by = official_in(act.by)
    if act.registers:
        return keys_of.needed_to_register(holders, act.registers, by)
    if act.revokes:
        return keys_of.needed_to_revoke(holders, act.revokes)
    need = keys_of.needed_for(holders, act.ruled, by)
    return need._replace(must=need.must and act.type in SIGNED)


def revoked(keys: dict[bytes, Held], publics: list[bytes]) -> int:
    """Return the event that revoked the last of these keys; 0 while one is used, or unknown."""
    ends = [keys[each].until if each in keys else 0 for each in publics]
    return max(ends, default=0) if all(ends) else 0


class SignatureClaim(NamedTuple):
    """A signature that one of these keys has to have made; if none did, that is wrong."""

    publics: tuple[bytes, ...]
    signature: bytes
    message: bytes
    wrong: Invalid
    lost: int = 0
    """The event since which one of the keys goes back to none before it; 0: none does."""


def claimed(need: Need, act: SignedAct) -> SignatureClaim | None:
    """Return the signature that the act carries, if any; Invalid for none that has to be."""
    if not act.sig and not need.must:
        return None
    if not act.sig:
        raise Invalid(f"{act.type} is not signed with {need.in_words}", *need.officials)
    if not need.held:
        raise Invalid(f"{act.type} is signed, but nobody it could be by holds a key")
    wrong = f"{act.type} carries a signature that is not made with {need.in_words}"
    return SignatureClaim(
        tuple(key.public for key in need.held),
        unbase64(act.sig, SIGNATURE_BYTES),
        signed_body(act.tournament, act.size, act.root, act.unsigned),
        Invalid(wrong, *need.officials),
        max(key.lost for key in need.held),
    )


def holds(claim: SignatureClaim) -> bool:
    """Whether a signature is what it claims to be: the one thing here that takes time."""
    return any(is_signed(key, claim.signature, claim.message) for key in claim.publics)
