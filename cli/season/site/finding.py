"""The index of the season: tournaments and persons, in scripts by the first letters of words.

A page reads only the scripts of the words that a reader types, so a season of any size is searched
without a server and without network. Case and accents make no difference: `folded` is the same
function in `find.js`. Tournaments are found by their days, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli.languages.speaking import language, marked, tr
from cli.season.site.frame import PERSONS, event_file, person_anchor, person_file
from cli.season.site.front_page import months_said
from cli.season.site.tables import SCRIPT_BYTES, in_parts, rows_text
from cli.terminal.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cli.season.site.frame import Readable

PREFIX_MAX = 8
"""Maximum letters by which a script of the index is chosen."""

_MARKS = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SAME = str.maketrans(  # letters without marks that readers type as others
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
    | {"\u0131": "i", "\u03c2": "\u03c3", "ħ": "h"}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Findable(NamedTuple):
    """A tournament or person that is found: what it is called, what it is, its address, its day."""

    label: str
    about: str
    place: str
    day: str = ""


def folded(text: str) -> str:
    """Return a text without case and accents, as `fold` of find.js does."""
    plain = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _MARKS.sub("", plain)).lower().translate(_SAME)


def words_of(text: str) -> set[str]:
    """Return the folded words of a text; it is found by the beginning of each.

    A letter with two dots is found with and without an e; texts without spaces at each letter.
    """
    dotted = unicodedata.normalize("NFC", text).lower().translate(_GERMAN)
    words = set(_WORD.findall(folded(text))) | set(_WORD.findall(folded(dotted)))
    inner = {word[at:] for word in words if _CJK.search(word) for at in range(1, len(word))}
    return words | inner


def findable(season: Readable, anchors: Mapping[str, str]) -> Iterator[Findable]:
    """Yield the tournaments, and the persons with the page that lists each, by anchor."""
    for event in season.events:
        about = f"{event.held_on or '?'}, {event.ruleset}"
        label = season.event_labels[event.tournament]
        day = str(event.held_on or "")
        yield Findable(visible(label), visible(about), event_file(event.tournament), day)
    for person in season.persons:
        anchor = person_anchor(season, person.person)
        in_list = f"{anchors.get(anchor, PERSONS)}#{anchor}"
        place = person_file(person.person) if person.person in season.named else in_list
        yield Findable(visible(season.labels[person.person]), "", place)


def index_files(entries: Iterable[Findable]) -> Iterator[tuple[str, bytes]]:
    """Yield the scripts of the index; the last file has the list of them for `find.js`."""
    by_word: dict[str, list[bytes]] = defaultdict(list)
    for entry in entries:
        packed = msgspec.json.encode(entry)
        for word in sorted(_keys(entry)):
            by_word[word].append(packed)
    parts: dict[str, int] = {}
    for prefix, items in sorted(_by_prefix(dict(by_word), 1)):
        scripts = in_parts(items)
        parts[prefix] = len(scripts)
        for number, script in enumerate(scripts, start=1):
            name = index_file(prefix, number)
            yield name, b"FOUND(" + msgspec.json.encode(prefix) + b"," + script + b");\n"
    yield "", msgspec.json.encode(parts)


def _keys(entry: Findable) -> set[str]:
    words = {word[:PREFIX_MAX] for word in words_of(f"{entry.label} {entry.about}")}
    return words | {entry.day[:PREFIX_MAX]} - {""}


def index_file(prefix: str, number: int) -> str:
    """Name a script of the index, in letters that every host has."""
    return f"find-{prefix.encode().hex()}-{number}.js"


def _by_prefix(
    by_word: Mapping[str, list[bytes]], length: int
) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the entries by the first letters of their words, so many that each part is small."""
    groups: dict[str, dict[str, list[bytes]]] = defaultdict(dict)
    for word, items in by_word.items():
        groups[word[:length]][word] = items
    for prefix, words in groups.items():
        size = sum(len(item) + 1 for items in words.values() for item in items)
        if size <= SCRIPT_BYTES or length == PREFIX_MAX or set(words) == {prefix}:
            distinct = dict.fromkeys(item for items in words.values() for item in items)
            yield prefix, list(distinct)
        else:
            yield from _by_prefix(words, length + 1)


FOUND = {
    "here": marked("{shown} of {rows} rows on this page"),
    "both": marked("{here}; {found} in the season"),
    "first": marked("{here}; {found} in the season, the first {most} here"),
}
"""Texts of the script for the number of results."""


def script_words(parts: bytes) -> bytes:
    """Return what the script reads: its texts, the months, and the parts of the index."""
    words = {name: tr(text) for name, text in FOUND.items()} | rows_text()
    months = _months(language())
    return (
        b"const WORDS = "
        + msgspec.json.encode(words)
        + b";\nconst MONTHS = "
        + msgspec.json.encode(months)
        + b";\nconst PARTS = "
        + parts
        + b";\n"
    )


@cache
def _months(code: str) -> list[list[str]]:
    return [[folded(name) for name in names] for names in months_said(code)]
