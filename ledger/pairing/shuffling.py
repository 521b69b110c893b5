"""Random draws that anyone who holds the shuffle key can repeat with nothing but HMAC-SHA256.

The procedure, byte by byte, so that a stranger can write it again:

1.  The label of a draw is the UTF-8 text of five lines with one newline (0x0A) between them and
    none at the end: `tourney draws 2`; the procedure with its version, such as `swiss@1`; the
    numbers of the context in decimal with one space (0x20) between them, such as `1 4 1` for
    stage 1, round 4, attempt 1; the word called out in the room, exactly as `TournamentStarted`
    has it, or nothing; the anchor: base64 of what was signed for the head that covers the word,
    exactly as the log has it: the `cosignature` of `HeadCosigned` where the first event names a
    witness, else the `signature` of `HeadRecorded`, else nothing. None of them holds a newline,
    so no two draws share a label.
2.  Block i, for i = 0, 1, 2, ..., is HMAC-SHA256(shuffle key, label followed by i as 8 bytes,
    most significant first): 32 bytes. The stream is block 0, block 1, block 2, ...
3.  A number is the next 8 bytes of the stream, most significant first: 0 to 2^64 - 1.
4.  `below(n)`, for n from 1 to 2^64: take numbers until one is less than the greatest multiple of
    n that does not exceed 2^64; the draw is its remainder by n. Also `below(1)` takes a number.
5.  `shuffled(items)`: for i from the last place (counted from 0) down to 1, exchange the items at
    the places i and `below(i + 1)`.
6.  `random_rank()` is `below(2^48)`. The random rank of player n is that of the draw
    `random-rank@1` with the context `n`: of everyone registered, in order, right after the start,
    and of a late entrant with the registration.

The key is what makes a draw unforeseeable: its SHA-256 is posted before the word is called out,
and the key is revealed when the tournament is over. Nothing is drawn before the word and its head
are on record, and there is one word and one head for ever: so who has the key cannot try words, as
long as somebody else signs the head.

The word itself: a word of the room is one word however it was typed: decomposed (NFD), case folded,
composed (NFC), each run of white space one space, none around it; over again until nothing changes.
It has letters, digits and signs that Unicode 3.2 knows, so that every Python reads it alike; no
control, format or private characters.
"""

from __future__ import annotations

import hmac
import struct
import unicodedata
from collections.abc import Iterable
from typing import TypeVar
from unicodedata import ucd_3_2_0

from ledger.facts.base import RANKS_MAX, WORD_MAX
from ledger.problems import Phrase, phrase

Item = TypeVar("Item")

_DOMAIN = "tourney draws 2"
_SPAN = 2**64
_NUMBERS_A_BLOCK = 4
_BLOCKS_MAX = 64


class Draws:
    """A stream of draws, fixed by the key, the procedure, the context, the word and the anchor.

    The context are whole numbers that tell this draw from every other of the procedure: stage,
    round, attempt. Raises ValueError for an empty key, and for a procedure, word or anchor of more
    than one line.
    """

    __slots__ = ("_blocks", "_key", "_label", "_next_block", "_numbers")

    def __init__(
        self, shuffle_key: bytes, procedure: str, *context: int, word: str = "", anchor: str = ""
    ) -> None:
        if not shuffle_key:
            raise ValueError("a draw needs a shuffle key")
        for what, text in (("procedure", procedure), ("word", word), ("anchor", anchor)):
            if "\n" in text:
                raise ValueError(f"a {what} is named in one line: {text!r}")
        numbers = " ".join(map(str, context))
        self._key = shuffle_key
        self._label = f"{_DOMAIN}\n{procedure}\n{numbers}\n{word}\n{anchor}".encode()
        self._numbers: list[int] = []
        self._next_block = 0
        self._blocks = 1

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1, each as likely; ValueError unless 1 <= n <= 2^64."""
        if not 1 <= n <= _SPAN:
            raise ValueError(f"cannot draw below {n}")
        limit = _SPAN - _SPAN % n
        while True:
            number = (self._numbers or self._refill()).pop()
            if number < limit:
                return number % n

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items as a new list in random order, each order as likely."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.below(last + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn

    def random_rank(self) -> int:
        """Draw a 48-bit number: a player's place where nothing else tells two apart."""
        return self.below(RANKS_MAX)

    def _refill(self) -> list[int]:
        blocks = range(self._next_block, self._next_block + self._blocks)
        stream = b"".join(
            hmac.digest(self._key, self._label + i.to_bytes(8, "big"), "sha256") for i in blocks
        )
        self._next_block = blocks.stop
        # A single rank should not pay for 64 blocks, a field of 5,000 not for 2,500 calls.
        self._blocks = min(2 * self._blocks, _BLOCKS_MAX)
        self._numbers = list(struct.unpack(f">{_NUMBERS_A_BLOCK * len(blocks)}Q", stream)[::-1])
        return self._numbers


_NOT_CALLED_OUT = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_ROUNDS_MAX = 5


def normalized(word: str) -> str:
    """Write a word as the log has it."""
    for _ in range(_ROUNDS_MAX):
        before = word
        word = " ".join(unicodedata.normalize("NFD", word).casefold().split())
        word = unicodedata.normalize("NFC", word)
        if word == before:
            break
    return word


def word_problem(word: str) -> Phrase | None:
    """Say why a normalized word cannot be recorded; None where it can."""
    if len(word) > WORD_MAX:
        size = f"{len(word):,}"
        return phrase(
            "a word can have at most {most} characters, not {size}", most=WORD_MAX, size=size
        )
    odd = next((c for c in word if ucd_3_2_0.category(c) in _NOT_CALLED_OUT), "")
    if odd:
        letter = f"U+{ord(odd):04X}"
        return phrase("a word cannot contain {letter}: use letters and digits", letter=letter)
    return None
