"""Proofs and marks of browsers, so that a link's secret never crosses the wire.

A browser that signs in sends the SHA-256 of its secret and an HMAC of a nonce. It keeps a key K
that follows from the secret, and each of its acts carries a mark that is made with K. A listener
learns neither the secret nor K, and a mark fits only one act of one browser.

    proof = HMAC-SHA-256(secret, nonce)
    K     = HMAC-SHA-256(secret, acts LF log LF link LF browser)
    mark  = HMAC-SHA-256(K, log LF link LF browser LF path LF id LF seen LF body)

All are written as hex digits. The secret is the text behind the # in the address of a link, or its
code of 16 letters. A nonce begins with "in-", so that no nonce makes a proof that is a K.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

NONCE_BEGINS = "in-"
MARK_DIGITS = 64
"""Hex digits of a proof and of a mark."""


class MarkedAct(NamedTuple):
    """Act that a mark covers; its id and the event that it had seen are those of its body."""

    path: str
    id: str
    seen: str
    body: bytes


def proof_of(secret: str, nonce: str) -> str:
    """Return what shows that a browser has a secret, for one nonce."""
    return hmac.digest(secret.encode(), nonce.encode(), "sha256").hex()


def acts_key(secret: str, log: str, link: int, browser: str) -> bytes:
    """Return the key K, which one browser marks its acts with."""
    text = f"acts\n{log}\n{link}\n{browser}"
    return hmac.digest(secret.encode(), text.encode(), "sha256")


def mark_of(key: bytes, log: str, link: int, browser: str, act: MarkedAct) -> str:
    """Return the mark of an act."""
    head = f"{log}\n{link}\n{browser}\n{act.path}\n{act.id}\n{act.seen}\n"
    return hmac.digest(key, head.encode("utf-8", "surrogatepass") + act.body, "sha256").hex()


def is_same(shown: str, made: str) -> bool:
    """Return whether a proof or mark is the expected one, in a time that tells nothing."""
    return hmac.compare_digest(shown.encode("utf-8", "surrogatepass"), made.encode())
