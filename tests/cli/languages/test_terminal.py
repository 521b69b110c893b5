"""Every verb, its help and its usage errors in a made-up language: no text of ours is English.

Names, IDs, what people typed, codes and commands are the same in every language, by the rules of
`DATA`, `TYPED` and `KEPT`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.cli.languages.pseudo import Pseudo
from tests.support.days.json_day import JsonDay

WORD = re.compile(r"[A-Za-z][A-Za-z]+")
DATA = re.compile(
    r"`[^`]*`|https?://\S+|\"[^\"]*\"|'[^']*'"
    r"|\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b"  # clauses
    r"|(?<!\w)--?[a-z][a-z-]*(?:=\S+)?"  # options
    r"|\b[0-9a-f]{7,}\b|\b\w+[0-9]\w*\b|[A-Za-z0-9+/]{20,}=*"  # hashes, keys, IDs, dates
    r"|\S*[./@][A-Za-z0-9]\S*"  # files, addresses, procedures
    r"|\b(?:[A-Z][a-z]+){2,}\b"  # types of events
)
"""Values that are the same in every language."""

COMMANDS = re.compile(r"\btourney( [a-z][a-z-]*)+( [A-Z]+)*|\b[A-Z]{2,}\b")


class Typed(NamedTuple):
    """A line, and what it said on each stream."""

    line: str
    out: str
    err: str


class PseudoDay(JsonDay):
    """The day with every verb, typed for a person."""

    typed: list[Typed]

    def _typed(self, *words: str) -> str:
        answer = self.desk.type(*words, "--yes")
        assert answer.code == 0, (words, answer.err)
        self.typed.append(Typed(" ".join(words), answer.out, answer.err))
        return answer.out


class Listening(Pseudo):
    """The made-up language, and every text that it was asked for."""

    asked: set[str]

    def gettext(self, message: str) -> str:
        """Translate a text."""
        self.asked.add(message)
        return super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Translate the form for a number."""
        self.asked.add(msgid1)
        return super().gettext(msgid1 if n == 1 else msgid2)
