"""The word that is called out at the start, as the log writes it.

A word of the room is one word however it was typed: decomposed (NFD), case folded, composed (NFC),
each run of white space one space, none around it; over again until nothing changes. It holds
letters, digits and signs that Unicode 3.2 knows, so that every Python reads it alike; no control,
format or private characters.
"""

from __future__ import annotations

import unicodedata
from unicodedata import ucd_3_2_0

from ledger.events.base import WORD_MAX

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


def word_problem(word: str) -> str:
    """Say why a normalized word cannot be recorded; empty where it can."""
    if len(word) > WORD_MAX:
        return f"a word has at most {WORD_MAX} characters, not {len(word):,}"
    odd = next((c for c in word if ucd_3_2_0.category(c) in _NOT_CALLED_OUT), "")
    if odd:
        return f"a word that is called out has letters and digits: U+{ord(odd):04X} is neither"
    return ""
