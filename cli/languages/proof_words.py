"""Translate the plain English texts of the small verifier.

`ledger.proof` imports nothing of this program, so that a sceptic can read it alone. Its sentences
are listed in `proof_sentences.toml`. A text is recognised by its words; the parts that vary stay.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from cli.languages.speaking import ENGLISH, in_figures, language, tr, tr_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.proof.table import CheckTable, Row

BETWEEN_PARTS, BEHIND_PLACE = "; ", ": "
TEXT_MAX, PARTS_MAX = 800, 40
"""Maximum letters and parts of a text; a longer text stays English."""

GIVEN = frozenset({"reason", "path", "file", "where", "name", "names"})
"""Names of the parts that people or files give, which are never translated."""


@cache
def sentences() -> Mapping[str, tuple[str, ...]]:
    """Return the sentences by where they are shown: `pages` or `terminal`."""
    import tomllib
    from importlib.resources import files

    text = files("cli.languages").joinpath("proof_sentences.toml").read_text("utf-8")
    return {place: tuple(lines) for place, lines in tomllib.loads(text).items()}


def proof_in_words(text: str) -> str:
    """Return a text of the verifier in the language that is spoken; another text is unchanged."""
    if language() == ENGLISH or not text or len(text) > TEXT_MAX:
        return text
    return _Translating().translated(text) or text


class _Translating:
    """Translation of one text in few steps: a stranger may have written any part of it."""

    def __init__(self) -> None:
        self._translations: dict[str, str] = {}

    def translated(self, text: str) -> str:
        """Translate a sentence, or its parts; empty for another text."""
        if text not in self._translations:
            if len(self._translations) >= PARTS_MAX:
                return ""
            self._translations[text] = ""
            whole = self._whole(text, BETWEEN_PARTS) or self._in_parts(text) or self._whole(text)
            self._translations[text] = whole
        return self._translations[text]

    def _whole(self, text: str, no_value_has: str = "") -> str:
        """Translate a sentence, unless a part that varies has these letters."""
        for pattern, sentence in _patterns():
            match = pattern.fullmatch(text)
            if match is None or (
                no_value_has and any(no_value_has in value for value in match.groups())
            ):
                continue
            values = {
                name: value if name in GIVEN else self.translated(value) or value
                for name, value in match.groupdict().items()
            }
            return tr(sentence, **values)
        return ""

    def _in_parts(self, text: str) -> str:
        for mark in (BETWEEN_PARTS, BEHIND_PLACE):
            before, separator, behind = text.partition(mark)
            if separator and (ending := self.translated(behind)):
                return f"{self.translated(before) or before}{mark}{ending}"
            if separator and mark == BETWEEN_PARTS and (first := self.translated(before)):
                return f"{first}{mark}{behind}"
        return ""


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return each sentence with its pattern; those with the most words come first."""
    patterns = [sentence for lines in sentences().values() for sentence in lines]
    patterns.sort(key=lambda sentence: -len(_VARIES.sub("", sentence)))
    return [(_pattern(sentence), sentence) for sentence in patterns]


_VARIES = re.compile(r"{(\w+)}")


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = _VARIES.split(sentence)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        ),
        re.DOTALL,
    )


def check_name(name: str) -> str:
    """Return the name of a row of the table of checks."""
    return tr_of("check", name)


def lines_of_table(table: CheckTable) -> Iterator[str]:
    """Yield the lines to read first, then each row of the table of checks."""
    if language() == ENGLISH:
        yield from table.lines()
        return
    yield from (proof_in_words(row.first) for row in table if row.first)
    for name, row in table._asdict().items():
        yield f"{check_name(name)}: {_row_in_words(row)}"


def _row_in_words(row: Row) -> str:
    counted = tr("{checked} of {all}", checked=in_figures(row.checked), all=in_figures(row.of))
    words, reason = proof_in_words(row.said), proof_in_words(row.unchecked)
    if not row.unchecked:
        return f"{counted} {words}"
    if not row.checked:
        return tr(
            "UNCHECKED{counted}: {why}", counted=f" ({counted})" if row.of else "", why=reason
        )
    return tr("{counted} {said}; UNCHECKED: {why}", counted=counted, said=words, why=reason)
