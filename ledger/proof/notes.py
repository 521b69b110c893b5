"""Keys and signed notes, made (formats.py checks them), and the six words of a head.

Two people compare the six words aloud: two histories have two sets of words.

    text    the three lines of the head, as they are signed
    digest  SHA-256(text), then 16,384 times SHA-256 of the digest before
    words   the first 66 bits of the digest: six numbers of 11 bits, each a line of six_words.txt

The owner of a server could try many pairs of histories until the words of two are equal, about
2^33 heads. The repetition makes each try 16,384 times as long, and costs a phone a moment.
"""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof import formats
from ledger.proof.formats import COSIGNATURE, ED25519, Checkpoint, Invalid, Key, cosigned

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PRIVATE = "PRIVATE+KEY+"
SEED_BYTES = 32


def base64_of(data: bytes) -> str:
    """Write bytes in base64."""
    return base64.b64encode(data).decode()


class Signer(NamedTuple):
    """A private key: the seed, and the verifier key that belongs to it."""

    key: Key
    seed: bytes

    def sign(self, message: bytes) -> bytes:
        """Make an Ed25519 signature."""
        return _private(self.seed).sign(message)


def signer(name: str, seed: bytes, algorithm: int = ED25519) -> Signer:
    """Make a key out of 32 random bytes; Invalid where it cannot be called so."""
    if not formats.is_name(name) or len(seed) != SEED_BYTES:
        raise Invalid(f"a key needs a name without spaces or +, and {SEED_BYTES} bytes")
    return Signer(Key(name, algorithm, _private(seed).public_key().public_bytes_raw()), seed)


def _private(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - few commands sign

    return ed25519.Ed25519PrivateKey.from_private_bytes(seed)


def vkey(key: Key) -> str:
    """Write a verifier key."""
    return f"{key.name}+{key.id.hex()}+{base64_of(bytes([key.algorithm]) + key.public)}"


def private_text(made: Signer) -> str:
    """Write a private key as Go's note package does."""
    key = made.key
    return f"{PRIVATE}{key.name}+{key.id.hex()}+{base64_of(bytes([key.algorithm]) + made.seed)}"


def parse_private(text: str) -> Signer:
    """Read a private key; Invalid where it is not one, or does not fit its own id."""
    name, _, rest = text.removeprefix(PRIVATE).partition("+")
    hexed, _, written = rest.partition("+")
    data = formats.unbase64(written, SEED_BYTES + 1)
    if not text.startswith(PRIVATE) or data[0] not in {ED25519, COSIGNATURE}:
        raise Invalid("this is not a private key")
    made = signer(name, data[1:], data[0])
    if made.key.id.hex() != hexed:
        raise Invalid("a private key does not match its id")
    return made


def signature_line(made: Signer, text: str, time: int = 0) -> str:
    """Sign a note's text; a witness does so at a Unix time."""
    signature = made.sign(text.encode())
    if made.key.algorithm == COSIGNATURE:
        signature = time.to_bytes(formats.TIME_BYTES, "big") + made.sign(cosigned(text, time))
    return f"\u2014 {made.key.name} {base64_of(made.key.id + signature)}\n"


def signed_note(text: str, *signers: Signer) -> bytes:
    """Make a signed note of a text that ends in a newline."""
    return (text + "\n" + "".join(signature_line(each, text) for each in signers)).encode()


def checkpoint_text(head: Checkpoint) -> str:
    """Write a head's three lines."""
    assert len(head.root) == formats.HASH_BYTES  # noqa: S101 - it comes out of a tree
    return f"{head.origin}\n{head.size}\n{base64_of(head.root)}\n"


FILE = "six_words.txt"
WORDS, WORD_BITS = 6, 11
REPEATED = 1 << 14
"""How often the digest is hashed again."""


@cache
def list_of_words() -> tuple[str, ...]:
    """Return the list: 2,048 words in alphabetical order."""
    return tuple(words_file().decode("ascii").split())


def words_file() -> bytes:
    """Return the file of the list, which phones fetch."""
    return Path(__file__).with_name(FILE).read_bytes()


def six_words(head: Checkpoint) -> tuple[str, ...]:
    """Return the six words of a head."""
    digest = sha256(checkpoint_text(head).encode()).digest()
    for _ in range(REPEATED):
        digest = sha256(digest).digest()
    number = int.from_bytes(digest) >> (8 * len(digest) - WORDS * WORD_BITS)
    last = (1 << WORD_BITS) - 1
    places = (number >> (WORD_BITS * (WORDS - 1 - place)) & last for place in range(WORDS))
    return tuple(list_of_words()[each] for each in places)
