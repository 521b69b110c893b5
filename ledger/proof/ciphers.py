"""Sealing and opening: texts, files in chunks, keys behind a passphrase, bytes for one reader.

*Texts*, of people in a line and of hands that players may not see yet: AES-256-SIV (RFC 5297). Its
key is HMAC-SHA512(<32-byte key>, <domain>); the place that a text is sealed for is a list of
associated data, one item each, never joined. Sealed is the text in UTF-8, the byte 0x80 and zeros
up to a multiple of its step. There is no nonce: one text in one place gives one seal, and any two
texts or places differ in the synthetic one. A text of a line is written as

    sealed:2:<base64 SHA-256 of the 32-byte key>:<base64 of the synthetic IV and the ciphertext>

The digest commits to the key: a seal that two keys open has the digest of one of them only.

*Files* are sealed in chunks: a file that was cut off, reordered or added to does not open. Each
chunk is 65,536 bytes of the plain text, the last one 1 to 65,536, by ChaCha20-Poly1305 with its tag
behind it. The nonce is the chunk's number, from 0, in 11 bytes (the highest first), then one byte:
1 for the last chunk, 0 for the others. A key seals one file.

*Bytes behind a passphrase* are one line of JSON, AES-256-GCM with a key that scrypt derives:

    {"scrypt":131072,"salt":"<16 bytes>","nonce":"<12 bytes>","sealed":"<ciphertext and tag>"}

in base64. The passphrase is taken in Unicode's NFC, in UTF-8; r is 8 and p is 1; the additional
data states the purpose of the bytes, so that nothing is opened as something else.

*For a reader*: HPKE (RFC 9180). The suite is DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
ChaCha20-Poly1305 in base mode, one message for each key; the sealed bytes are the 32 bytes of
`enc`, then ciphertext and tag. `info` states the purpose. Anyone can seal to a public key: the
sealer has to be shown otherwise.

    READER+<name>+<id>+<base64 of the 32 bytes of the public key>
    PRIVATE+READER+<name>+<id>+<base64 of the 32 bytes of the private key>

The id is the first four bytes, in hex, of SHA-256(`READER`, newline, name, newline, public key).
`ledger/proof/README.md` has all of this byte by byte.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ledger.proof.formats import HASH_BYTES, Invalid, is_name, unbase64
from ledger.proof.notes import base64_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
    from cryptography.hazmat.primitives.hpke import Suite

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
        raise Invalid(f"a seal must have {IV_BYTES} bytes plus a multiple of {step}")
    try:
        filled = _cipher(key, domain).decrypt(sealed, _associated(place))
    except InvalidTag:
        raise Invalid("its key does not open it in this place") from None
    plain = filled.rstrip(b"\0").removesuffix(_END)
    if _filled(plain, step) != filled:
        raise Invalid("its sealed content has the wrong padding")
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
        raise Invalid("its sealed content is not UTF-8 text") from None


def read_text(text: str) -> SealedText:
    """Read a sealed text; Invalid unless it has its one form."""
    digest, _, body = text.removeprefix(SEALED).partition(":")
    if not text.startswith(SEALED):
        raise Invalid("it is not sealed")
    read = SealedText(
        unbase64(digest, HASH_BYTES, "the digest of its key"),
        unbase64(body, what="the sealed text"),
    )
    size, rest = divmod(len(read.body) - IV_BYTES, TEXT_STEP)
    if size < 1 or rest:
        raise Invalid(f"a sealed text must have {IV_BYTES} bytes plus a multiple of {TEXT_STEP}")
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


CHUNK_BYTES = 1 << 16
TAG_BYTES = 16
NUMBER_BYTES = 11


def sealed_chunks(key: bytes, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Seal pieces of any length, of which there is at least one byte."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - few runs seal

    cipher, number, held = ChaCha20Poly1305(key), 0, bytearray()
    for piece in pieces:
        held += piece
        while len(held) > CHUNK_BYTES:
            yield cipher.encrypt(_nonce(number), bytes(held[:CHUNK_BYTES]), None)
            del held[:CHUNK_BYTES]
            number += 1
    yield cipher.encrypt(_nonce(number, is_last=True), bytes(held), None)


def opened_chunks(key: bytes, file: BinaryIO) -> BinaryIO:
    """Open a file, from where it is, to be read in pieces of any length.

    Invalid where a chunk was changed, or the end cut off: nothing is known to be all before it.
    """
    return io.BufferedReader(_Chunks(_opened(key, file)))


class _Chunks(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces, self._rest = pieces, b""

    def readable(self) -> bool:
        """Say that it is read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read what is left of a piece, or the next one."""
        piece = self._rest or next(self._pieces, b"")
        count = min(len(piece), len(buffer))
        buffer[:count], self._rest = piece[:count], piece[count:]
        return count


def _opened(key: bytes, file: BinaryIO) -> Iterator[bytes]:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - as above

    cipher, number, chunk = ChaCha20Poly1305(key), 0, file.read(CHUNK_BYTES + TAG_BYTES)
    while True:
        following = file.read(CHUNK_BYTES + TAG_BYTES)
        try:
            yield cipher.decrypt(_nonce(number, is_last=not following), chunk, None)
        except InvalidTag:
            raise Invalid("it was changed or cut off since it was sealed") from None
        if not following:
            return
        chunk, number = following, number + 1


def _nonce(number: int, *, is_last: bool = False) -> bytes:
    return number.to_bytes(NUMBER_BYTES, "big") + bytes([is_last])


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
    sealed = _passphrase_cipher(passphrase, salt, SCRYPT_COST).encrypt(
        nonce, plain, purpose.encode()
    )
    values = (SCRYPT_COST, base64_of(salt), base64_of(nonce), base64_of(sealed))
    return json.dumps(dict(zip(MEMBERS, values, strict=True)), separators=(",", ":"))


def unlock(line: str, passphrase: str, purpose: str) -> bytes:
    """Open what a passphrase sealed for a purpose; Invalid or `WrongPassphrase` if it does not."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - only for sealed keys

    cost, salt, nonce, sealed = _members(line)
    try:
        return _passphrase_cipher(passphrase, salt, cost).decrypt(nonce, sealed, purpose.encode())
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
        raise Invalid("it is not sealed with a passphrase") from None
    if names != list(MEMBERS) or [type(each) for each in values] != [int, str, str, str]:
        raise Invalid("it does not have the members of a file sealed with a passphrase")
    cost, salt, nonce, sealed = values
    if cost not in SCRYPT_COSTS:
        raise Invalid("its scrypt cost is out of bounds")
    return cost, unbase64(salt, SALT_BYTES), unbase64(nonce, NONCE_BYTES), unbase64(sealed)


@lru_cache(4)
def _passphrase_cipher(passphrase: str, salt: bytes, cost: int) -> AESGCM:
    """Derive the key, once for a command that needs it several times."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt  # noqa: PLC0415 - as above

    phrase = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogateescape")
    return AESGCM(Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(phrase))


PUBLIC = "READER+"
PRIVATE = "PRIVATE+READER+"
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
        raise Invalid(f"a reader's key needs a name without spaces or +, and {KEY_BYTES} bytes")
    return ReaderSecret(Reader(name, _secret(private).public_key().public_bytes_raw()), private)


def parse_reader(text: str) -> Reader:
    """Read a public key; Invalid unless it fits its id, and none but its holder opens by it."""
    if text.startswith(PRIVATE):
        raise Invalid("this is the private key: keep it secret, and share the line without PRIVATE")
    name, hexed, public = _parts(text, PUBLIC)
    reader = Reader(name, _checked_public(public))
    if reader.id != hexed:
        raise Invalid(f"the reader's key of {name} does not match its id: was all of it copied?")
    return reader


def parse_reader_secret(text: str) -> ReaderSecret:
    """Read a private key; Invalid where it is not one, or does not fit its id."""
    name, hexed, private = _parts(text, PRIVATE)
    secret = reader_secret(name, private)
    if secret.reader.id != hexed:
        raise Invalid("a reader's private key does not match its id")
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
        raise Invalid(f"a reader's key must begin with {beginning}, a name and a +")
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
        raise Invalid("a reader's key is not in canonical form")
    return public


def _secret(private: bytes) -> X25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import x25519  # noqa: PLC0415 - as above

    return x25519.X25519PrivateKey.from_private_bytes(private)


def _suite() -> Suite:
    from cryptography.hazmat.primitives import hpke  # noqa: PLC0415 - as above

    return hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.CHACHA20_POLY1305)
