"""The words and numbers of a game's file, and how a finding names what is wrong in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from ledger.events.base import LABEL, LABEL_MAX

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

    def problems(self) -> Iterator[str]:
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
) -> Iterator[str]:
    """Yield every gap and overlap of ranges, which go from a start or the least to the most."""
    before = start - 1 if start is not None else None
    for number, (first, last) in enumerate(spans, start=1):
        where = place(table, number, span(first, last))
        if last is not None and last < first:
            yield f"{where}: it ends before it begins"
        if number > 1 and before is None:
            yield f"{where}: an overlap, the one before has no end"
        elif before is not None and first <= before:
            yield f"{where}: an overlap, the one before goes up to {before}"
        elif before is not None and first > before + 1:
            yield f"{where}: a gap, the one before ends at {before}"
        before = last


def twice(names: Iterable[str]) -> list[str]:
    """Return the names that are there more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a refusal: the words that were probably meant, else all that is known."""
    candidates = tuple(dict.fromkeys(known))
    close = get_close_matches(word, candidates, n=3)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"known: {', '.join(candidates) or 'none'}"


def first_few(problems: Sequence[Listed]) -> list[Listed | str]:
    """Return as many problems as anybody reads, and how many more there are."""
    more = len(problems) - PROBLEMS_MAX
    return [*problems[:PROBLEMS_MAX], *([f"and {more:,} more"] if more > 0 else [])]


def printable(text: str) -> str:
    """Return a text with what is invisible spelt out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
