"""Bytes sealed with a passphrase: one line of JSON, AES-256-GCM under what scrypt makes of it.

    {"scrypt":131072,"salt":"<16 bytes>","nonce":"<12 bytes>","sealed":"<ciphertext and tag>"}

in base64. The passphrase is taken in Unicode's NFC, in UTF-8; r is 8 and p is 1; the additional
data says what the bytes are for, so that nothing is opened as what it is not.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.proof.evidence.notes import base64_of
from ledger.proof.formats import Invalid, unbase64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SALT_BYTES, NONCE_BYTES = 16, 12
RANDOM_BYTES = SALT_BYTES + NONCE_BYTES
SCRYPT_COST = 1 << 17
"""128 MiB and half a second for each try."""

SCRYPT_COSTS = frozenset({SCRYPT_COST, SCRYPT_COST << 1})
"""Those that are read: less is guessed too fast, more is for nobody's good but an attacker's."""

LINE_BYTES_MAX = 4_096
MEMBERS = ("scrypt", "salt", "nonce", "sealed")


def lock(plain: bytes, passphrase: str, purpose: str, random: bytes) -> str:
    """Seal bytes with a passphrase; random are `RANDOM_BYTES` random bytes."""
    salt, nonce = random[:SALT_BYTES], random[SALT_BYTES:RANDOM_BYTES]
    sealed = _cipher(passphrase, salt, SCRYPT_COST).encrypt(nonce, plain, purpose.encode())
    values = (SCRYPT_COST, base64_of(salt), base64_of(nonce), base64_of(sealed))
    return json.dumps(dict(zip(MEMBERS, values, strict=True)), separators=(",", ":"))


def unlock(line: str, passphrase: str, purpose: str) -> bytes:
    """Open what a passphrase sealed for a purpose; Invalid or `WrongPassphrase` if it does not."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - only for sealed keys

    cost, salt, nonce, sealed = _members(line)
    try:
        return _cipher(passphrase, salt, cost).decrypt(nonce, sealed, purpose.encode())
    except InvalidTag:
        raise WrongPassphrase("this is not its passphrase") from None


class WrongPassphrase(Invalid):
    """What is sealed does not open with this passphrase."""


def check_locked(line: str) -> None:
    """Refuse what no passphrase opens, before one is asked for: Invalid says what is wrong."""
    _members(line)


def _members(line: str) -> tuple[int, bytes, bytes, bytes]:
    if len(line) > LINE_BYTES_MAX:
        raise Invalid("it is too long to be sealed with a passphrase")
    try:
        pairs = json.loads(line, object_pairs_hook=list)
        names, values = [name for name, _ in pairs], [value for _, value in pairs]
    except (ValueError, TypeError, RecursionError):
        raise Invalid("it is nothing that a passphrase seals") from None
    if names != list(MEMBERS) or [type(each) for each in values] != [int, str, str, str]:
        raise Invalid("it has not the members of what a passphrase seals")
    cost, salt, nonce, sealed = values
    if cost not in SCRYPT_COSTS:
        raise Invalid("its scrypt cost is out of bounds")
    return cost, unbase64(salt, SALT_BYTES), unbase64(nonce, NONCE_BYTES), unbase64(sealed)


@lru_cache(4)
def _cipher(passphrase: str, salt: bytes, cost: int) -> AESGCM:
    """Derive the key, once for a command that needs it several times."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt  # noqa: PLC0415 - as above

    phrase = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogateescape")
    return AESGCM(Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(phrase))
