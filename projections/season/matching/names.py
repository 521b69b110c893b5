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
    **{int(each.partition("=")[0], 16): each.partition("=")[2] for each in _OTHERS.split()},
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


def is_one_edit(one: str, other: str) -> bool:
    """Return whether two different words differ by one letter: other, missing or exchanged."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) < EDITED_MIN or len(other) - len(one) > 1 or one == other:
        return False
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    if len(one) != len(other):
        return one[start:] == other[start + 1 :]
    if one[start + 1 :] == other[start + 1 :]:
        return True
    exchanged = one[start : start + 2] == other[start : start + 2][::-1]
    return exchanged and one[start + 2 :] == other[start + 2 :]


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
        for at, one in enumerate(heap):
            for other in heap[at + 1 :]:
                if other not in near[one] and is_one_edit(one, other):
                    near[one].add(other)
                    near[other].add(one)
    return {word: tuple(sorted(others)) for word, others in near.items() if others}


def likeness(one: Name, other: Name, near: Mapping[str, tuple[str, ...]]) -> Likeness | None:
    """Return how two names agree, or None if they contradict each other or share too little."""
    if one.suffix and other.suffix and one.suffix != other.suffix:
        return None
    if one.whole == other.whole:
        return "exact"
    if one.words == other.words:
        return "swapped"
    if min(len(one.given), len(other.given)) == 1:
        agrees = one.family == other.family and _may_agree(one.given, other.given)
        return "initial" if agrees else None
    return _with_full_names(one, other, near)


def _with_full_names(
    one: Name, other: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if one.given == other.given:
        return _with_one_given_name(one, other, near)
    if one.family == other.family:
        return _with_one_family_name(one.given, other.given, near)
    return _in_another_order(one, other, near)


def _in_another_order(
    one: Name, other: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    """Return how two names agree one of which has the family name first, with one other letter."""
    if one.given and one.given == other.family and other.given in near.get(one.family, ()):
        return "family"
    if other.given and one.family == other.given and other.family in near.get(one.given, ()):
        return "given"
    return None


def _with_one_given_name(
    one: Name, other: Name, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if not one.given:
        return "family" if other.family in near.get(one.family, ()) else None
    if one.family == other.family:
        if one.middle and other.middle and not _may_agree(one.middle[0], other.middle[0]):
            return None
        return "middle"
    if other.family in near.get(one.family, ()):
        return "family"
    return "part" if shared_words(one, other) else "changed"


def shared_words(one: Name, other: Name) -> set[str]:
    """Return the words of a family name that the other name has, too."""
    first, second = {one.family, *one.parts}, {other.family, *other.parts}
    shared = (first & second) | (first & set(other.middle)) | (second & set(one.middle))
    return {word for word in shared if len(word) > 1}


def _may_agree(one: str, other: str) -> bool:
    """Return whether one word is the beginning of the other, such as an initial."""
    return one.startswith(other) or other.startswith(one)


def _with_one_family_name(
    one: str, other: str, near: Mapping[str, tuple[str, ...]]
) -> Likeness | None:
    if other in near.get(one, ()):
        return "given"
    return "short" if min(len(one), len(other)) >= SHORT_MIN and _may_agree(one, other) else None
