"""The TOML that describes a game: from a text to a struct, or to all that is wrong with it.

Rulesets, formats, points schemes and the mapping of a file format are all read here. The types of
words and numbers in these files come first, and how a finding names what is wrong in them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
)

import msgspec
from msgspec import Meta, Struct

from ledger.errors import InvalidRuleset, NotFound
from ledger.facts.base import LABEL, LABEL_MAX
from ledger.files.access import first_bytes
from ledger.problems import One, Phrase, chained, marked, phrase

Key = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9-]{0,63}\Z")]
"""A file's or a column's name: small letters, digits and hyphens."""

Code = Annotated[str, Meta(pattern=r"\A[A-Z][A-Z0-9]{1,15}\Z")]
"""A tiebreaker's published code: SOS, MOV."""

Clause = Annotated[str, Meta(pattern=r"\A[A-Z][A-Z0-9]*(-[A-Z0-9]+)*\Z", max_length=64)]
"""The ID of the clause that a table follows."""

Name = Annotated[str, Meta(pattern=r"\A[a-z0-9]+([ -][a-z0-9]+)*\Z", max_length=64)]
"""What people call a thing of the ruleset: small letters, words apart by one space."""

Word = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]*\Z", max_length=32)]
"""What is typed at the desk."""

Faction = Annotated[
    str, Meta(pattern=r"\A[^\s\x00-\x1f\x7f-\x9f]+( [^\s\x00-\x1f\x7f-\x9f]+)*\Z", max_length=64)
]
"""A faction of the game, as it is printed."""

Line = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f]+\Z", max_length=1_000)]
"""One line of text for a person."""

Edition = Annotated[str, Meta(min_length=1, max_length=LABEL_MAX, pattern=LABEL)]
"""The edition of a file, which the log has as a label."""


PROBLEMS_MAX = 40
"""How many problems of one file are listed."""

Listed = TypeVar("Listed")


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a ruleset file; a misspelled entry is refused, not skipped."""

    def problems(self) -> Iterator[Phrase | str]:
        """Yield every contradiction, with its place."""
        yield from ()


def place(table: str, number: int, name: str) -> str:
    """Name an entry of a list in a file; its number counts from 1, as a reader does."""
    return f"{table} {number} ({name})"


def span(first: int, last: int | None) -> str:
    """Return a range as "9-16", or as "17-" without an end."""
    return f"{first}-{last if last is not None else ''}"


def span_problems(
    table: str, spans: Iterable[tuple[int, int | None]], start: int | None = None
) -> Iterator[Phrase]:
    """Yield every gap and overlap of ranges, which go from a start or the least to the most."""
    before = start - 1 if start is not None else None
    for number, (first, last) in enumerate(spans, start=1):
        where = place(table, number, span(first, last))
        if last is not None and last < first:
            yield phrase("{where}: it ends before it begins", where=where)
        if number > 1 and before is None:
            yield phrase("{where}: overlaps the previous one, which has no end", where=where)
        elif before is not None and first <= before:
            yield phrase(
                "{where}: overlaps the previous one, which ends at {before}",
                where=where,
                before=before,
            )
        elif before is not None and first > before + 1:
            yield phrase(
                "{where}: there is a gap before it: the previous one ends at {before}",
                where=where,
                before=before,
            )
        before = last


def twice(names: Iterable[str]) -> list[str]:
    """Return the names that are there more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def of_file(text: str) -> Phrase:
    """Return a word or a sentence of a file; of a file that ships, translators have all of them."""
    return Phrase(text.replace("{", "{{").replace("}", "}}"))


def either(words: Iterable[One]) -> Phrase:
    """Return words as a choice: "a or b or c"."""
    return chained(marked("{first} or {second}"), tuple(words) or ("",))


def both(words: Iterable[One]) -> Phrase:
    """Return words that hold together: "a and b"."""
    return chained(marked("{first} and {second}"), tuple(words) or ("",))


def nearest(word: str, known: Iterable[str]) -> Phrase:
    """Return the end of a refusal: the words that were probably meant, else all that is known."""
    candidates = tuple(dict.fromkeys(known))
    close = get_close_matches(word, candidates, n=3)
    if close:
        return phrase("did you mean {words}?", words=either(close))
    return phrase("known: {words}", words=candidates or phrase("none"))


def first_few(problems: Sequence[Listed]) -> list[Listed | Phrase]:
    """Return as many problems as anybody reads, and how many more there are."""
    more = len(problems) - PROBLEMS_MAX
    remainder = [phrase("and {count} more", count=f"{more:,}")] if more > 0 else []
    return [*problems[:PROBLEMS_MAX], *remainder]


def printable(text: str) -> str:
    """Return a text with what is invisible spelt out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


LINE_LENGTH_MAX = 2_000
"""The longest line, in characters: a key of thousands of dotted parts would take seconds."""

NAME_SHOWN_MAX = 64
"""How much of a wrong name a finding repeats."""


Declared = TypeVar("Declared", bound=Part)


class TomlFiles(Generic[Declared]):
    """A kind of file: its name, the struct it is read into, its size, and a folder of examples."""

    def __init__(
        self, what: str, kind: type[Declared], bytes_max: int, folder: Path | None = None
    ) -> None:
        self.what, self.kind, self.bytes_max, self.folder = what, kind, bytes_max, folder
        self.parse = lru_cache(maxsize=16)(self._parse)
        """Read and check a text, as `_parse` does; equal texts are read once."""

    def names(self) -> tuple[str, ...]:
        """List the keys of the files that ship with the program, in alphabetical order."""
        paths = self.folder.glob("*.toml") if self.folder else ()
        return tuple(sorted(path.stem for path in paths))

    def text_of(self, key: str) -> str:
        """Read the whole text of a file that ships with the program.

        Raises:
            NotFound: no file has that key.
        """
        if self.folder is None or key not in self.names():
            raise NotFound(
                phrase(
                    "there is no {what} {key}; {nearest}",
                    what=phrase(self.what),
                    key=f"{key!r}",
                    nearest=nearest(key, self.names()),
                )
            )
        return (self.folder / f"{key}.toml").read_bytes().decode()

    def text_in(self, path: Path) -> str:
        """Read a user's own file whole, unless it is too long.

        Raises:
            NotFound: the file cannot be read.
            InvalidRuleset: it is too long, or no UTF-8 text.
        """
        try:
            data = first_bytes(path, self.bytes_max + 1)
        except OSError as error:
            raise NotFound(
                phrase("{path} cannot be read: {why}", path=str(path), why=str(error.strerror))
            ) from None
        if len(data) > self.bytes_max:
            raise InvalidRuleset(
                phrase(
                    "{path} is longer than {size} bytes",
                    path=str(path),
                    size=f"{self.bytes_max:,}",
                )
            )
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            where = error.start + 1
            raise InvalidRuleset(
                phrase("{path} is not UTF-8 text at byte {place}", path=str(path), place=where)
            ) from None

    def _parse(self, text: str) -> Declared:
        """Read and check a text.

        Raises:
            InvalidRuleset: every problem found, each with its place in the text.
        """
        table = self._table(text)
        try:
            declared = msgspec.convert(table, self.kind)
        except msgspec.ValidationError:
            problems: list[Phrase | str] = list(_findings(table, self.kind, ""))
        else:
            problems = list(declared.problems())
            if not problems:
                return declared
        raise InvalidRuleset(*first_few(problems))

    def _table(self, text: str) -> dict[str, object]:
        try:
            length = len(text.encode())
        except UnicodeEncodeError as error:
            why = phrase(
                "the {what} is not UTF-8 text at character {place}",
                what=phrase(self.what),
                place=error.start + 1,
            )
            raise InvalidRuleset(why) from None
        if length > self.bytes_max:
            raise InvalidRuleset(
                phrase(
                    "the {what} is longer than {size} bytes",
                    what=phrase(self.what),
                    size=f"{self.bytes_max:,}",
                )
            )
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > LINE_LENGTH_MAX:
                raise InvalidRuleset(
                    phrase(
                        "line {number} is longer than {length} characters",
                        number=number,
                        length=f"{LINE_LENGTH_MAX:,}",
                    )
                )
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidRuleset(
                phrase(
                    "the {what} is not valid TOML: {why}",
                    what=phrase(self.what),
                    why=printable(str(error)),
                )
            ) from None


def _findings(value: object, kind: Any, where: str) -> Iterator[Phrase]:  # noqa: ANN401 - any type
    if isinstance(kind, UnionType) and len(set(get_args(kind)) - {NoneType}) == 1:
        kind = next(member for member in get_args(kind) if member is not NoneType)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _table_findings(value, kind, where)
    elif get_origin(kind) is tuple and isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            yield from _findings(entry, get_args(kind)[0], _numbered(where, number, entry))
    elif get_origin(kind) is Literal and isinstance(value, str) and value not in get_args(kind):
        short = value[:NAME_SHOWN_MAX]
        yield phrase(
            "{where}: unknown value {text}; {nearest}",
            where=where,
            text=printable(repr(short)),
            nearest=nearest(short, get_args(kind)),
        )
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            yield Phrase("{where}: {why}", {"where": where, "why": printable(str(error))})


def _table_findings(value: object, kind: type[Struct], where: str) -> Iterator[Phrase]:
    if not isinstance(value, dict):
        yield phrase("{where}: must be a table", where=where)
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            short = key[:NAME_SHOWN_MAX]
            yield phrase(
                "{where}: unknown entry {entry}; {nearest}",
                where=where or phrase("the file"),
                entry=f"{short!r}",
                nearest=nearest(short, fields),
            )
    for name, field in fields.items():
        below = f"{where}, {name}" if where else name
        if name in value:
            yield from _findings(value[name], field.type, below)
        elif field.required:
            yield phrase("{below}: missing", below=below)


def _numbered(where: str, number: int, entry: object) -> str:
    label = entry.get("code", entry.get("name")) if isinstance(entry, dict) else None
    if not isinstance(label, str):
        return f"{where} {number}"
    return place(where, number, printable(label[:NAME_SHOWN_MAX]))
