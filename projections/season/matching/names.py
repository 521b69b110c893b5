"""Read the written names of players, and compare two names.

A name is read without case, accents and marks. "Lee, Ann", "ANN LEE" and "Ann Lee" are read alike.
Letters of Cyrillic and Greek become Latin ones, because events abroad write names so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple
from unicodedata import combining, normalize

Likeness = Literal[
    "exact", "swapped", "middle", "family", "given", "initial", "short", "part", "changed"
]
"""Kind of agreement of two names.

In full, in another order, except a middle name, except one letter of the family name or of the
given name, by an initial, by the beginning of the given name, by a part of a compound family name,
or only in the given name.
"""

EDITED_MIN = 4
"""Minimum letters of a word in which one other letter is read as a typing error."""

SHORT_MIN = 3
"""Minimum letters of a short form of a given name."""

LETTERS_MAX = 200
"""Maximum letters of a name that are read."""

_CYRILLIC = "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch - y - e yu ya"
"""Latin letters for those of Cyrillic from U+0430, in order; - for a letter that falls silent."""

_GREEK = "a v g d e z i th i k l m n x o p r s s t y f ch ps o"
"""Latin letters for those of Greek from U+03B1, in order."""

_OTHERS = (
    "452=dj 454=e 456=i 457=i 458=j 459=lj 45a=nj 45b=c 45e=u 45f=dz 491=g "
    "f8=o 142=l 111=d f0=d 127=h 131=i fe=th e6=ae 153=oe"
)
"""Latin letters for further ones, by the number in Unicode."""

_LETTERS = {
    **{0x430 + at: latin.strip("-") for at, latin in enumerate(_CYRILLIC.split())},
    **{0x3B1 + at: latin for at, latin in enumerate(_GREEK.split())},
    **{int(pair.partition("=")[0], 16): pair.partition("=")[2] for pair in _OTHERS.split()},
}

_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|[\"“”„«»][^\"“”„«»]*[\"“”„«»]|.*\|")
"""A nickname in marks, a note in brackets, and the team before a bar."""

_MARKS = re.compile("['`\u2019\u02bc\u00b4]")
_NO_WORD = re.compile(r"[\W_]+")
_PARTICLES = "van von vom zu zum der den de da di du del della dos das la le el al bin ibn ter ten"
_GLUE = frozenset(_PARTICLES.split())
_SUFFIXES = frozenset(["jr", "sr", "junior", "senior", "ii", "iii", "iv"])


class Name(NamedTuple):
    """A name that was read.

    `whole` has all letters in order, `words` has the words in alphabetical order.
    """

    given: str
    middle: tuple[str, ...]
    family: str
    parts: tuple[str, ...]
    suffix: str
    whole: str
    words: tuple[str, ...]


@lru_cache(maxsize=65_536)
def read_name(written: str) -> Name:
    """Return the name that a text is; a text of one word is a family name."""
    text = _ASIDE.sub(" ", written[:LETTERS_MAX])
    last, comma, first = text.partition(",")
    if comma and first.strip() and _plain(first).strip(". ") not in _SUFFIXES:
        text = f"{first} {last}"
    words = [word for word in _plain(text).split() if _NO_WORD.sub("", word)]
    suffix = next((word for word in words[1:] if _letters(word) in _SUFFIXES), "")
    words = [word for word in words if word != suffix]
    words = words or _plain(written[:LETTERS_MAX]).split() or [""]
    start = len(words) - 1
    while start > 1 and _letters(words[start - 1]) in _GLUE:
        start -= 1
    family_words = words[start:]
    given_words = [part for word in words[:start] for part in _split(word)]
    family = _letters("".join(family_words))
    parts = tuple(part for word in family_words for part in _split(word) if part not in _GLUE)
    given, middle = (given_words[0], tuple(given_words[1:])) if given_words else ("", ())
    return Name(
        given,
        middle,
        family,
        parts if len(parts) > 1 or (parts and parts[0] != family) else (),
        _letters(suffix),
        "".join((*given_words, family)),
        tuple(sorted((*given_words, family))),
    )


def _plain(text: str) -> str:
    """Return a text without case and accents, its letters in Latin if they are of a near script."""
    if not text.isascii():
        apart = normalize("NFKD", text.casefold())
        text = "".join(letter for letter in apart if not combining(letter)).translate(_LETTERS)
        text = normalize("NFKC", text)
    return _MARKS.sub("", text.lower()).replace(".", " ")


def _letters(word: str) -> str:
    return _NO_WORD.sub("", word)


def _split(word: str) -> list[str]:
    return [part for part in _NO_WORD.split(word) if part]


def is_one_edit(first: str, second: str) -> bool:
    """Return whether two different words differ by one letter: other, missing or exchanged."""
    if len(first) > len(second):
        first, second = second, first
    if len(first) < EDITED_MIN or len(second) - len(first) > 1 or first == second:
        return False
    start = 0
    while start < len(first) and first[start] == second[start]:
        start += 1
    if len(first) != len(second):
        return first[start:] == second[start + 1 :]
    if first[start + 1 :] == second[start + 1 :]:
        return True
    exchanged = first[start : start + 2] == second[start : start + 2][::-1]
    return exchanged and first[start + 2 :] == second[start + 2 :]


def near_words(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, for each word that has any, the other words that differ from it by one letter.

    Words that are near agree once one letter is left out of either, so only those are compared.
    """
    heaps: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) >= EDITED_MIN:
            for form in {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}:
                heaps[form].append(word)
    near: defaultdict[str, set[str]] = defaultdict(set)
    for heap in heaps.values():
        for at, word in enumerate(heap):
            for near_word in heap[at + 1 :]:
                if near_word not in near[word] and is_one_edit(word, near_word):
                    near[word].add(near_word)
                    near[near_word].add(word)
    return {word: tuple(sorted(others)) for word, others in near.items() if others}


def likeness(first: Name, second: Name, near: Mapping[str, tuple[str, ...]]) -> Likeness | None:
    """Return how two names agree, or None if they contradict each other or share too little."""
    if first.suffix and second.suffix and first.suffix != second.suffix:
        return None
    if first.whole == second.whole:
        return "exact"
    if first.words == second.words:
        return "swapped"
    if min(len(first.given), len(second.given)) == 1:
        agrees = first.family == second.family and _may_agree(first.given, second.given)
        return "initial" if agrees else None
    return _with_full_names(first, second, near)


def _with_full_names(
    first: Name, second: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if first.given == second.given:
        return _with_one_given_name(first, second, near)
    if first.family == second.family:
        return _with_one_family_name(first.given, second.given, near)
    return _in_another_order(first, second, near)


def _in_another_order(
    first: Name, second: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    """Return how two names agree one of which has the family name first, with one other letter."""
    if first.given and first.given == second.family and second.given in near.get(first.family, ()):
        return "family"
    if second.given and first.family == second.given and second.family in near.get(first.given, ()):
        return "given"
    return None


def _with_one_given_name(
    first: Name, second: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if not first.given:
        return "family" if second.family in near.get(first.family, ()) else None
    if first.family == second.family:
        if first.middle and second.middle and not _may_agree(first.middle[0], second.middle[0]):
            return None
        return "middle"
    if second.family in near.get(first.family, ()):
        return "family"
    return "part" if shared_words(first, second) else "changed"


def shared_words(one: Name, other: Name) -> set[str]:
    """Return the words of a family name that the other name has, too."""
    first, second = {one.family, *one.parts}, {other.family, *other.parts}
    shared = (first & second) | (first & set(other.middle)) | (second & set(one.middle))
    return {word for word in shared if len(word) > 1}


def _may_agree(first: str, second: str) -> bool:
    """Return whether one word is the beginning of the other, such as an initial."""
    return first.startswith(second) or second.startswith(first)


def _with_one_family_name(
    first: str, second: str, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if second in near.get(first, ()):
        return "given"
    return (
        "short" if min(len(first), len(second)) >= SHORT_MIN and _may_agree(first, second) else None
    )
