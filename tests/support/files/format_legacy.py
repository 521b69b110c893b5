"""Card files and decks of the Legacy format, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.files.format_lists import cards_of, found

if TYPE_CHECKING:
    from ledger import formats

KEY = "l5r-legacy"
COLUMNS = (
    "name",
    "experience",
    "type",
    "clan",
    "keywords",
    "unique",
    "set",
    "souls",
    "counts_as",
    "alternate",
    "changes",
)
HEAD = f"# version: 1\n{','.join(COLUMNS)}\n"
STRONGHOLD = "Shiro X,,Stronghold,Crab Clan,-,no,Ivory,,,,\n"


def person(name: str, level: str = "", **facts: str) -> str:
    """A row of the card file: a personality that is not unique unless it is said."""
    held = {"name": name, "experience": level, "type": "Personality", "clan": "-"}
    held |= {"keywords": "-", "unique": "no", "set": "X"} | facts
    return ",".join(f'"{held.get(column, "")}"' for column in COLUMNS) + "\n"


def dynasty(rows: str, *lines: str, variant: str = "standard") -> list[formats.Finding]:
    """The findings of a deck of these lines."""
    text = "Stronghold\n1 Shiro X\nDynasty\n" + "\n".join(lines)
    return found(text, f"{KEY}:{variant}", cards_of(KEY, HEAD + STRONGHOLD + rows))
