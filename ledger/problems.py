"""A refusal as data: what is wrong, about whom, by which clause, and what would settle it.

A rule yields problems, and whatever shows one decides how. `str` gives its sentence with numbers in
the place of names, `cli.terminal.problems` the line for a person, and `--json` the problem whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct, structs

from ledger import marking

marked = marking.marked


class Player(Struct, frozen=True, tag="player"):
    """A player, by number."""

    number: int

    def __str__(self) -> str:
        """Return the text that replaces an unknown name."""
        return f"player {self.number}"


class Official(Struct, frozen=True, tag="official"):
    """An official, by number."""

    number: int

    def __str__(self) -> str:
        """Return the text that replaces an unknown name."""
        return f"o{self.number}"


class Table(Struct, frozen=True, tag="table"):
    """A table of a round."""

    round: int
    table: int

    def __str__(self) -> str:
        """Return the table as a person types it."""
        return f"{self.round}/{self.table}"


class Act(Struct, frozen=True, tag="act"):
    """The act that an event records, by the name of its type."""

    event: str

    def __str__(self) -> str:
        """Return the type's name."""
        return self.event


class Phrase(Struct, frozen=True, tag="phrase"):
    """Words of ours within a sentence, which are translated, as "the log" or "no player".

    `plural` is the text for every number except one, if `about` has a `count`.
    """

    text: str
    about: dict[str, Value] = {}
    plural: str = ""

    def __str__(self) -> str:
        """Return the words, with numbers in the place of names."""
        return worded(self.text, self.about, self.plural, str)


One: TypeAlias = Player | Official | Table | Act | Phrase | int | str
Value: TypeAlias = One | tuple[One, ...]
"""A value, or a list of values, in the sentence of a problem. A text is shown unchanged."""


class Remedy(Struct, frozen=True):
    """An act that would settle a problem: its name, and what it is done with.

    The name is not a verb's spelling: `cli` prints the act as a command, a page as a button.
    """

    act: str
    about: dict[str, Value] = {}


class Problem(Struct, frozen=True):
    """Why an act is not admissible. `code` is stable, for programs: `result.missing`.

    `text` names what it is about in braces: `{player} has no result in {table}`. Each of the
    `remedies` would do.
    """

    code: str
    text: str
    about: dict[str, Value] = {}
    clause: str = ""
    remedies: tuple[Remedy, ...] = ()
    plural: str = ""
    """The text for every number but one; the number is what it counts."""

    def __str__(self) -> str:
        """Return the sentence, with numbers in the place of names."""
        return self.sentence(str)

    def sentence(self, shown: Callable[[One], str]) -> str:
        """Return the sentence; the callback returns the words for each of its values."""
        text = worded(self.text, self.about, self.plural, shown)
        return f"{text} ({self.clause})" if self.clause else text

    def cited(self, clause: str) -> Problem:
        """Return the problem as one by this clause."""
        return structs.replace(self, clause=clause)

    def within(self, place: One) -> Problem:
        """Return the problem as one of a place: a line, a file, a table."""
        key = f"place{len(self.about)}"
        about = {key: place, **self.about}
        return structs.replace(self, text=f"{{{key}}}: {self.text}", about=about)

    def followed_by(self, words: Phrase | str) -> Problem:
        """Return the problem with these words, unchanged, at the end of its sentence."""
        key = f"words{len(self.about)}"
        about = {**self.about, key: words}
        return structs.replace(self, text=f"{self.text}{{{key}}}", about=about)


Problems: TypeAlias = Iterator[Problem]
"""The problems that a rule yields: every reason against an event."""


def problem(
    code: str,
    text: str,
    /,
    *,
    clause: str = "",
    remedy: Remedy | tuple[Remedy, ...] = (),
    plural: str = "",
    **about: Value,
) -> Problem:
    """Return a problem; its text is a literal, and everything that varies is what it is about.

    `plural` is the text for every number but one, which is `count`.
    """
    remedies = remedy if isinstance(remedy, tuple) else (remedy,)
    return Problem(code, text, about, clause, remedies, plural)


def phrase(text: str, /, *, plural: str = "", **about: Value) -> Phrase:
    """Return words of ours within a sentence; the text is a literal, as that of a problem."""
    return Phrase(text, about, plural)


def chained(text: str, parts: Iterable[One]) -> Phrase:
    """Return one or more parts as one phrase; the text joins `{first}` and `{second}`."""
    first, *others = parts
    whole = first if isinstance(first, Phrase) else Phrase("{word}", {"word": first})
    for part in others:
        whole = Phrase(text, {"first": whole, "second": part})
    return whole


def worded(text: str, about: Mapping[str, Value], plural: str, shown: Callable[[One], str]) -> str:
    """Return a text, or its plural; the callback returns the words for each of its values."""
    if plural and about["count"] != 1:
        text = plural
    return text.format_map(
        {
            key: ", ".join(map(shown, value)) if isinstance(value, tuple) else shown(value)
            for key, value in about.items()
        }
    )


def remedy(act: str, /, **about: Value) -> Remedy:
    """Return an act that would settle a problem."""
    return Remedy(act, about)


_LABEL = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+"
CITED = re.compile(rf" \(({_LABEL}(?:, {_LABEL})*)\)$")
"""The clause at the end of a sentence, as in: a broken province stays broken (L5R-TIME)."""


def in_words(text: Phrase | str, code: str, *officials: int) -> Problem:
    """Make a problem of a sentence; officials are its `{officials}`.

    The problem has the clause in brackets at the end of the sentence.
    """
    if isinstance(text, Phrase):
        cited = CITED.search(text.text)
        sentence = text.text[: cited.start()] if cited else text.text
        return Problem(code, sentence, text.about, cited[1] if cited else "", (), text.plural)
    if not officials:
        cited = CITED.search(text)
        sentence = text[: cited.start()] if cited else text
        return Problem(code, "{text}", {"text": sentence}, cited[1] if cited else "")
    before, _, after = text.rpartition("{officials}")
    named = tuple(map(Official, officials))
    return problem(code, "{before}{named}{after}", before=before, named=named, after=after)
