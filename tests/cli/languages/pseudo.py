"""A made-up language in which every text differs from English: Greek letters for Latin ones.

What is left in Latin letters on a page is a text that passed by the catalogues, or data.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from html.parser import HTMLParser
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from cli.languages import speaking

if TYPE_CHECKING:
    import pytest

STANDS_FOR = "de"
"""The code of the language in whose place it is spoken."""

_KEPT = re.compile(r"(`[^`]*`|\{\w*\}|\{\{|\}\})")
_GREEK = "αβψδεφγηιξκλμνοπχρστυωςθζϑ"
_LETTERS = str.maketrans(ascii_lowercase + ascii_uppercase, _GREEK + _GREEK.upper()[:26])


class Pseudo(NullTranslations):
    """Translates every text; commands and what stands in braces stay."""

    def gettext(self, message: str) -> str:
        """Translate a text."""
        parts = _KEPT.split(message)
        return "".join(part if n % 2 else part.translate(_LETTERS) for n, part in enumerate(parts))

    def pgettext(self, context: str, message: str) -> str:
        """Translate a text, whatever its place."""
        del context
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Translate the form for a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


def speak_pseudo(patch: pytest.MonkeyPatch) -> None:
    """Put the made-up language into the place of one of the languages, in this process."""
    made = Pseudo()
    patch.setattr("cli.languages.speaking.catalogue", lambda _: made)
    patch.setattr("cli.languages.speaking._spoken", speaking._Spoken)


def speaks_pseudo(text: str) -> bool:
    """Whether a text has a letter of the made-up language."""
    return any(letter in _GREEK for letter in text)


_UNSEEN = frozenset({"script", "style", "code", "kbd", "template", "pre"})
_VOID = frozenset(
    {"br", "hr", "img", "input", "link", "meta", "wbr", "path", "rect", "line", "use"}
)
_SAID = ("aria-label", "title", "placeholder", "alt", "data-away", "data-closed", "data-signed-out")


class Seen(HTMLParser):
    """Collects what a page says: its texts, and the attributes that are read or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        given = dict(attrs)
        unseen = (
            tag in _UNSEEN
            or (tag != "html" and "lang" in given)
            or given.get("translate") == "no"
            or self._is_unseen
        )
        if not unseen:
            self.texts += [given[name] or "" for name in _SAID if given.get(name)]
            if tag == "input" and given.get("type") in {"submit", "button"}:
                self.texts.append(given.get("value") or "")
        if tag not in _VOID:
            self._open.append((tag, unseen))

    def handle_endtag(self, tag: str) -> None:
        """See `HTMLParser`."""
        while self._open:
            if self._open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        """See `HTMLParser`."""
        if not self._is_unseen and data.strip():
            self.texts.append(data.strip())

    @property
    def _is_unseen(self) -> bool:
        return bool(self._open) and self._open[-1][1]


_WORD = re.compile(r"[A-Za-z][A-Za-z]+")
_DATA = re.compile(
    r"https?://\S+|\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b|`[^`]*`|\b[0-9a-f]{7,}\b|/[a-z0-9/]+|#?p\d+\b|\bo\d+\b"
)
"""Addresses, IDs of clauses, commands, hashes: the same in every language."""


def left_in_english(page: str, names: frozenset[str]) -> list[str]:
    """Return the texts of a page that have Latin words besides these names."""
    seen = Seen()
    seen.feed(page)
    left = []
    for text in seen.texts:
        words = set(_WORD.findall(_DATA.sub(" ", text))) - names
        if words:
            left.append(text)
    return left
