"""Exports that were mangled on their way: the same list, or it is said what is different.

A list is mangled in one way that may change it (a line cut or doubled, a heading dropped, a name
misspelt, the end torn off) and in any that may not (line ends, byte-order mark, Latin-1, the forms
of the numbers). What is said at the desk is the refusal, the notes, the number of cards of each
section, and each name that no card has.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger import formats
from ledger.errors import Refused
from ledger.exchange.lists import WrittenList, read_written
from ledger.exchange.lists.lines import decoded
from tests.ledger.formats.test_exports import EXPORTS, GAMES, files, game_of

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.formats import PlayList
    from ledger.formats.format import Format

TOOLS = tuple(sorted({*GAMES, "plain"}))
COUNTED = re.compile(r"^(?P<before>\s*)(?P<count>[1-9])x? (?P<name>[A-Z][^\[\]()/]*)$")
FILE_WIDE = re.compile(r"the (list|file)\b|.* copies|'?[a-zA-Z]+'? (stands|holds|is no)|unit \d+")


def cut(lines: list[str], random: Random) -> list[str]:
    at = random.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def doubled(lines: list[str], random: Random) -> list[str]:
    at = random.randrange(len(lines))
    return lines[: at + 1] + lines[at:]


def torn(lines: list[str], random: Random) -> list[str]:
    return lines[: random.randrange(1, len(lines) + 1)]


def without_heading(lines: list[str], random: Random) -> list[str]:
    heads = [at for at, line in enumerate(lines) if re.search(r":\s*$|\(\d+\)|Deck|^[A-Z]+$", line)]
    at = random.choice(heads or [0])
    return lines[:at] + lines[at + 1 :]


def misspelt(lines: list[str], random: Random) -> list[str]:
    at = random.choice([at for at, line in enumerate(lines) if re.search(r"[a-z]{3}", line)])
    line = lines[at]
    letter = random.choice([found.start() for found in re.finditer(r"[a-z]{2}", line)])
    changed = random.choice((line[letter + 1] + line[letter], line[letter], line[letter] * 3))
    return [*lines[:at], line[:letter] + changed + line[letter + 2 :], *lines[at + 1 :]]


def untouched(lines: list[str], _: Random) -> list[str]:
    return lines


def other_counts(lines: list[str], random: Random) -> list[str]:
    """Write the numbers of copies in other forms."""
    forms = ("{count} {name}", "{count}x {name}", "{count}\u00d7 {name}", "{count} x {name}")
    behind = ("{name} x{count}", "{name} (x{count})", "- {count} {name}", "[{count}] {name}")
    made = []
    for line in lines:
        found = COUNTED.match(line)
        form = random.choice(forms + behind)
        made.append(form.format(**found.groupdict()) if found else line)
    return made


def encoded(text: str, random: Random, *, is_json: bool) -> bytes:
    text = text.replace("\n", random.choice(("\n", "\r\n", "\n")))
    data = [text.encode(), text.encode("utf-8-sig"), text.encode("cp1252", "replace")]
    data += [text.encode().decode("latin-1").encode()]
    return data[0 if is_json else random.choices(range(4), (8, 2, 2, 1))[0]]


MANGLINGS = (cut, doubled, torn, without_heading, misspelt, untouched)


class Known:
    """One export, the list that is meant, and what is said of it as it is."""

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, decoded(path.read_bytes())[0]
        self.is_json = path.suffix == ".json"
        self.made: Format = formats.load(game_of(path)).format
        cards = path.with_name("cards.csv")
        self.cards = (
            formats.read_cards(cards.read_bytes(), self.made, "cards.csv")
            if cards.exists()
            else None
        )
        self.lines = self.text.replace("\r", "").split("\n")
        self.whole = self.read(path.read_bytes())
        self.names = names(self.whole.listed)

    def read(self, data: bytes) -> WrittenList:
        """Read the export, or what became of it."""
        return read_written(data, self.made, self.cards)

    def mangled(self, seed: int) -> bytes:
        """The same bytes for the same seed."""
        random = Random(f"{self.path.parent.name}/{self.path.name} {seed}")
        mangling = MANGLINGS[seed % len(MANGLINGS)]
        lines = mangling(self.lines, random)
        if not self.is_json and random.random() < 0.5 and self.made.key in {"l5r", "ashes"}:
            lines = other_counts(lines, random)
        return encoded("\n".join(lines), random, is_json=self.is_json)


def names(listed: PlayList) -> set[str]:
    held = [each for cards in listed.sections.values() for each in cards]
    return {each.name for each in held} | {up.name for each in held for up in each.upgrades}


def cards_of(listed: PlayList) -> dict[str, list[str]]:
    """What is in each section; the order of the sections is no matter."""
    return {
        section: [f"{each.count} {each.name} {each.upgrades}" for each in cards]
        for section, cards in listed.sections.items()
        if cards
    }


def is_said(known: Known, written: WrittenList) -> bool:
    """Whether the desk hears that a list is not the one that was exported."""
    of_file = {re.sub(r"line \d+", "", str(note)) for note in known.whole.notes}
    new = [n for n in written.notes if re.sub(r"line \d+", "", str(n)) not in of_file]
    is_counted = written.counts != known.whole.counts
    return bool(new) or is_counted or not names(written.listed) <= known.names


def silent(known: Known, seed: int) -> str:
    """What went wrong with a list without a word; empty where nothing did."""
    data = known.mangled(seed)
    try:
        written = known.read(data)
    except Refused as refused:
        wrong = [
            each
            for each in refused.sentences
            if "\n" in each or not (re.search(r"line \d+", each) or FILE_WIDE.match(each))
        ]
        return f"{known.path.name} {seed}: {wrong}" if wrong else ""
    same = cards_of(written.listed) == cards_of(known.whole.listed)
    if same or is_said(known, written):
        return ""
    return f"{known.path.name} {seed}: {written.counts}"


def wrong(tool: str, ways: int) -> list[str]:
    found = [Known(path) for path in files(tool)]
    return [each for known in found for seed in range(ways) if (each := silent(known, seed))]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_mangled_export_is_never_another_list_in_silence(tool: str) -> None:
    """FFG-LIST, AOP-DECKCHECK: fifty ways for each tool."""
    assert wrong(tool, 5) == []


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_a_thousand_ways(tool: str) -> None:
    """FFG-LIST, AOP-DECKCHECK: a thousand ways for each tool."""
    assert wrong(tool, 100) == []


def test_every_tool_is_there() -> None:
    assert all((EXPORTS / tool).is_dir() for tool in TOOLS)
