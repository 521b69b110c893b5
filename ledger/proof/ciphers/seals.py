r"""Sealing, in its one construction: what a line holds of people, and what players may not see yet.

AES-256-SIV (RFC 5297). Its key is HMAC-SHA512(<32-byte key>, <domain>); the place that a text is
sealed for is a list of associated data, one item each, never joined. Sealed is the text in UTF-8,
the byte 0x80 and zeros up to a multiple of its step. There is no nonce: one text in one place gives
one seal, and any two texts or places differ in the synthetic one. A text of a line is written as

    sealed:2:<base64 SHA-256 of the 32-byte key>:<base64 of the synthetic IV and the ciphertext>

The digest commits to the key: a seal that two keys open has the digest of one of them alone.
`ledger/proof/README.md` has this byte by byte.
"""

from __future__ import annotations

import hmac
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof.formats import HASH_BYTES, Invalid, unbase64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

SEALED = "sealed:2:"
"""How a sealed text begins; nobody can enter a text that does."""

KEY_BYTES = 32
IV_BYTES = 16
TEXT_STEP, NAME_STEP, HIDDEN_STEP = 32, 64, 512
"""To a multiple of how many bytes a free text, a name and what is hidden are filled."""

TEXT_DOMAIN = b"tourney text 2"
HIDDEN_DOMAIN = b"tourney hidden 2"

_END = b"\x80"


class SealedText(NamedTuple):
    """A sealed text of a line, read: the digest of its key, and what the key opens."""

    digest: bytes
    body: bytes


def seal(key: bytes, domain: bytes, place: Sequence[str], plain: bytes, step: int) -> bytes:
    """Seal bytes for a place: synthetic IV, then ciphertext."""
    return _cipher(key, domain).encrypt(_filled(plain, step), _associated(place))


def unseal(key: bytes, domain: bytes, place: Sequence[str], sealed: bytes, step: int) -> bytes:
    """Return what was sealed; Invalid unless it was with this key, for this place."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - see _cipher

    size, rest = divmod(len(sealed) - IV_BYTES, step)
    if size < 1 or rest:
        raise Invalid(f"a seal has {IV_BYTES} bytes and then whole steps of {step}")
    try:
        filled = _cipher(key, domain).decrypt(sealed, _associated(place))
    except InvalidTag:
        raise Invalid("its key does not open it in this place") from None
    plain = filled.rstrip(b"\0").removesuffix(_END)
    if _filled(plain, step) != filled:
        raise Invalid("what is sealed in it is not filled up as it has to be")
    return plain


def seal_text(key: bytes, place: Sequence[str], text: str, step: int = TEXT_STEP) -> str:
    """Seal a text of a line: place is the tournament, the event's id and the text's path."""
    body = seal(key, TEXT_DOMAIN, place, text.encode(), step)
    return f"{SEALED}{digest_of(key)}:{b64encode(body).decode()}"


def unseal_text(key: bytes, place: Sequence[str], text: str, step: int = TEXT_STEP) -> str:
    """Open a sealed text of a line; Invalid unless this key sealed it for this place."""
    read = read_text(text)
    if len(key) != KEY_BYTES or sha256(key).digest() != read.digest:
        raise Invalid("it is sealed with another key")
    try:
        return unseal(key, TEXT_DOMAIN, place, read.body, step).decode()
    except UnicodeDecodeError:
        raise Invalid("what is sealed in it is no text in UTF-8") from None


def read_text(text: str) -> SealedText:
    """Read a sealed text; Invalid unless it has its one form."""
    digest, _, body = text.removeprefix(SEALED).partition(":")
    if not text.startswith(SEALED):
        raise Invalid("it is not sealed")
    read = SealedText(
        unbase64(digest, HASH_BYTES, "the digest of its key"), unbase64(body, what="what is sealed")
    )
    size, rest = divmod(len(read.body) - IV_BYTES, TEXT_STEP)
    if size < 1 or rest:
        raise Invalid(f"a sealed text has {IV_BYTES} bytes and then whole steps of {TEXT_STEP}")
    return read


def digest_of(key: bytes) -> str:
    """Return what a sealed text says of its key."""
    return b64encode(sha256(key).digest()).decode()


def record_key(master: bytes, event_id: str) -> bytes:
    """Return the key of one record of a person's name: it opens no other record of theirs."""
    return hmac.digest(master, f"tourney name 2\n{event_id}".encode(), "sha256")


def _associated(place: Sequence[str]) -> list[bytes]:
    return [each.encode() for each in place]


def _filled(plain: bytes, step: int) -> bytes:
    """Fill up to a multiple of step by ISO/IEC 7816-4: the own length is not to be seen."""
    ended = plain + _END
    return ended + bytes(-len(ended) % step)


@cache
def _siv() -> type[AESSIV]:
    """The cipher: 10 ms that a log without sealed texts does not pay."""
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415 - as said

    return AESSIV


def _cipher(key: bytes, domain: bytes) -> AESSIV:
    return _siv()(hmac.digest(key, domain, "sha512"))
