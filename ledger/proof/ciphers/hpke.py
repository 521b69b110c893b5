"""Sealing to a public key: HPKE (RFC 9180), and the keys of those who may read what is sealed.

The suite is DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305 in base mode, one message
for each key; what is sealed is the 32 bytes of `enc`, then ciphertext and tag. `info` says what it
is sealed for, so that nothing is opened as what it is not. Anyone can seal to a public key: who
sealed it has to be shown otherwise.

    READER+<name>+<id>+<base64 of the 32 bytes of the public key>
    PRIVATE+READER+<name>+<id>+<base64 of the 32 bytes of the private key>

The id is the first four bytes, in hex, of SHA-256(`READER`, newline, name, newline, public key).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof.evidence.notes import base64_of
from ledger.proof.formats import Invalid, is_name, unbase64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.hpke import Suite

PUBLIC = "READER+"
PRIVATE = "PRIVATE+READER+"
KEY_BYTES = 32
ENC_BYTES = 32
TAG_BYTES = 16
NAME_MAX = 80
_PRIME = 2**255 - 19


class Reader(NamedTuple):
    """A public key: who can read what is sealed to it."""

    name: str
    public: bytes

    @property
    def id(self) -> str:
        """Eight hex digits by which a file names the key that opens it."""
        named = f"READER\n{self.name}\n".encode() + self.public
        return hashlib.sha256(named).hexdigest()[:8]

    @property
    def text(self) -> str:
        """The key in one line, to be handed out."""
        return f"{PUBLIC}{self.name}+{self.id}+{base64_of(self.public)}"


class ReaderSecret(NamedTuple):
    """A private key, and the public one that belongs to it."""

    reader: Reader
    private: bytes

    @property
    def text(self) -> str:
        """The private key in one line, for a file of its owner."""
        return f"{PRIVATE}{self.reader.name}+{self.reader.id}+{base64_of(self.private)}"


def reader_secret(name: str, private: bytes) -> ReaderSecret:
    """Make a key pair out of 32 random bytes; Invalid where it cannot be called so."""
    if not _can_be_called(name) or len(private) != KEY_BYTES:
        raise Invalid(f"a reader's key has a name without spaces and +, and {KEY_BYTES} bytes")
    return ReaderSecret(Reader(name, _secret(private).public_key().public_bytes_raw()), private)


def parse_reader(text: str) -> Reader:
    """Read a public key; Invalid unless it fits its id, and none but its holder opens by it."""
    if text.startswith(PRIVATE):
        raise Invalid("this is the private key: keep it, and hand out the line that has no PRIVATE")
    name, hexed, public = _parts(text, PUBLIC)
    reader = Reader(name, _checked_public(public))
    if reader.id != hexed:
        raise Invalid(f"the reader's key of {name} does not fit its id: was it copied as a whole?")
    return reader


def parse_reader_secret(text: str) -> ReaderSecret:
    """Read a private key; Invalid where it is not one, or does not fit its id."""
    name, hexed, private = _parts(text, PRIVATE)
    secret = reader_secret(name, private)
    if secret.reader.id != hexed:
        raise Invalid("a reader's private key does not fit its own id")
    return secret


def seal_for(reader: Reader, plain: bytes, info: bytes) -> bytes:
    """Seal a message to a public key: enc, ciphertext and tag."""
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - few runs seal

    public = x25519.X25519PublicKey.from_public_bytes(reader.public)
    return _suite().encrypt(plain, public, info)


def open_sealed(secret: ReaderSecret, sealed: bytes, info: bytes) -> bytes:
    """Open what was sealed to this key for the same purpose; Invalid if it was not, or changed."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - few runs open what is sealed

    try:
        return _suite().decrypt(sealed, _secret(secret.private), info)
    except (InvalidTag, ValueError):
        raise Invalid(f"it does not open with the key of {secret.reader.name}") from None


def _parts(text: str, beginning: str) -> tuple[str, str, bytes]:
    name, hexed, encoded = (*text.removeprefix(beginning).split("+", 2), "", "")[:3]
    if not text.startswith(beginning) or not _can_be_called(name):
        raise Invalid(f"a reader's key begins with {beginning}, a name and a +: this does not")
    return name, hexed, unbase64(encoded, KEY_BYTES, f"the reader's key of {name}")


def _can_be_called(name: str) -> bool:
    return is_name(name) and len(name) <= NAME_MAX


def _checked_public(public: bytes) -> bytes:
    """Return a public key with one spelling, whose shared secrets nobody knows beforehand."""
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - as above

    try:
        _secret(bytes(KEY_BYTES)).exchange(x25519.X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise Invalid("a reader's key is of low order: anyone could open what is sealed") from None
    if int.from_bytes(public, "little") >= _PRIME:
        raise Invalid("a reader's key is not in its one spelling")
    return public


def _secret(private: bytes) -> X25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - as above

    return x25519.X25519PrivateKey.from_private_bytes(private)


def _suite() -> Suite:
    from cryptography.hazmat.primitives import hpke  # noqa: PLC0415 - as above

    return hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.CHACHA20_POLY1305)
