"""Six words of a head, which two people compare aloud: two histories have two sets of words.

    text    the three lines of the head, as they are signed
    digest  SHA-256(text), then 16,384 times SHA-256 of the digest before
    words   the first 66 bits of the digest: six numbers of 11 bits, each a line of six_words.txt

The owner of a server could try many pairs of histories until the words of two are equal, about
2^33 heads. The repetition makes each try 16,384 times as long, and costs a phone a moment.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.proof.evidence.notes import checkpoint_text

if TYPE_CHECKING:
    from ledger.proof.formats import Checkpoint

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
