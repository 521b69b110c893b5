"""The exports with one place spoiled, a thousand times: refused in a line, or no card is lost.

Nothing is known here of how they are read. A name that comes out stands in the file; one that still
stands in a line that nobody touched comes out, or the reader says that something is not as it was.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from ledger import formats
from ledger.errors import Refused
from ledger.exchange.lists import read_written
from tests.ledger.formats.test_exports import EXPORTS, GAMES, files, game_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.exchange.lists import WrittenList

TIMES = 15
SIGNS = "xX()[]:/,.-+*#0379 =\u2022\u00e9\u00df\u00d7\t"
TRAYS = re.compile(r" \((\d+x\d+|\d+ trays?)\)$")
Lines = list[str]


def _drop(chance: random.Random, lines: Lines, at: int) -> None:
    place = chance.randrange(len(lines[at]))
    lines[at] = lines[at][:place] + lines[at][place + 1 :]


def _insert(chance: random.Random, lines: Lines, at: int) -> None:
    place = chance.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:place] + chance.choice(SIGNS) + lines[at][place:]


def _twice(_: random.Random, lines: Lines, at: int) -> None:
    lines.insert(at, lines[at])


def _gone(_: random.Random, lines: Lines, at: int) -> None:
    del lines[at]


def _swap(chance: random.Random, lines: Lines, at: int) -> None:
    other = chance.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _cut_off(chance: random.Random, lines: Lines, at: int) -> None:
    lines[at:] = [lines[at][: chance.randrange(len(lines[at]) + 1)]]


def _join(_: random.Random, lines: Lines, at: int) -> None:
    if at + 1 < len(lines):
        lines[at] += " " + lines.pop(at + 1)


def _split(chance: random.Random, lines: Lines, at: int) -> None:
    place = chance.randrange(len(lines[at]) + 1)
    lines[at : at + 1] = [lines[at][:place], lines[at][place:]]


def _upper(_: random.Random, lines: Lines, at: int) -> None:
    lines[at] = lines[at].upper()


def _digits(chance: random.Random, lines: Lines, at: int) -> None:
    lines[at] = re.sub(r"\d", lambda _: str(chance.randrange(10)), lines[at])


def _spaces(_: random.Random, lines: Lines, at: int) -> None:
    lines[at] = "   " + lines[at].replace(" ", "  ")


WAYS: tuple[Callable[[random.Random, Lines, int], None], ...] = (
    _drop,
    _insert,
    _twice,
    _gone,
    _swap,
    _cut_off,
    _join,
    _split,
    _upper,
    _digits,
    _spaces,
)


def text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return path.read_bytes().decode("latin-1")


def plainly(text: str) -> str:
    return re.sub(r"\s+", " ", text).casefold()


def names(listed: formats.PlayList) -> list[str]:
    """All names of a list, upgrades too."""
    entries = [entry for held in listed.sections.values() for entry in held]
    bearing = [(entry.name, *(each.name for each in entry.upgrades)) for entry in entries]
    return [name for held in bearing for name in held]


def spoiled(path: Path, time: int) -> tuple[str, str]:
    """The text with one place of it spoiled, and its lines that nobody touched."""
    chance = random.Random(f"{path.parent.name} {path.name} {time}")
    before = text_of(path).splitlines()
    lines = list(before)
    at = chance.choice([n for n, line in enumerate(lines) if line.strip()])
    WAYS[time % len(WAYS)](chance, lines, at)
    kept = [line for line in lines if lines.count(line) == before.count(line)]
    return "\n".join(lines) + "\n", plainly("\n".join(kept))


def complaint(path: Path, time: int) -> str:
    """What is wrong with what the program makes of it; nothing as a rule."""
    made = formats.load(game_of(path)).format
    cards = path.with_name("cards.csv")
    known = formats.read_cards(cards.read_bytes(), made, cards.name) if cards.exists() else None
    text, kept = spoiled(path, time)
    try:
        written = read_written(text.encode(), made, known)
    except Refused as refused:
        long = [each for each in refused.sentences if "\n" in each or len(each) > 400]
        return f"time {time}: said at length: {long}" if long else ""
    if path.suffix == ".json":
        return ""  # the names are the card file's
    came_out = plainly("\n".join(names(written.listed)))
    invented = [
        name for name in names(written.listed) if plainly(TRAYS.sub("", name)) not in plainly(text)
    ]
    meant = path.with_name(f"{path.name[:2]}.meant.json").read_bytes()
    told = said_of(written, text)
    lost = [
        name
        for name in alone(names(formats.read_list(meant, made.shape)))
        if plainly(name) in kept and plainly(name) not in came_out + told
    ]
    if any(note.differs for note in written.notes):
        lost = []  # that something is missing is said
    return f"time {time}: invented {invented}, lost {lost}" if invented or lost else ""


def said_of(written: WrittenList, text: str) -> str:
    """What the notes say, and the lines that they name."""
    notes = " ".join(map(str, written.notes))
    lines = text.splitlines()
    named = {int(number) for number in re.findall(r"line (\d+)", notes)}
    return plainly(notes + " ".join(lines[n - 1] for n in named if n <= len(lines)))


def alone(everything: list[str]) -> list[str]:
    """The names that are no part of another one."""
    plain = {plainly(name) for name in everything}
    return [name for name in everything if sum(plainly(name) in each for each in plain) == 1]


PATHS = [path for tool in (*GAMES, "plain") for path in files(tool)]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_export_with_a_spoiled_place(path: Path) -> None:
    """FFG-LIST: refused in lines, or read without a card that is lost or made up in silence."""
    assert not [said for time in range(TIMES) if (said := complaint(path, time))]


MINIMAL = "90/800 (1 activation)\nAmber Scout (Rapid Fire 2, Field Scope)\nCommands: \u2022 Storm\n"
BULLETS = "The wall:\n\u2022 Pikes 3x3 (Horn of Rank 2, War Drum) - 81 points\n"


@pytest.mark.parametrize(
    ("game", "text", "meant"),
    [
        ("legion", MINIMAL, ["Amber Scout", "Rapid Fire 2", "Field Scope", "Storm"]),
        ("runewars", BULLETS, ["Pikes (3x3)", "Horn of Rank 2", "War Drum"]),
    ],
    ids=["minimal", "bullets"],
)
def test_an_upgrades_name_may_end_in_a_number(game: str, text: str, meant: list[str]) -> None:
    """In parentheses, where these layouts have no cost without parentheses of its own."""
    assert names(read_written(text.encode(), formats.load(game).format).listed) == meant


def test_a_misspelt_heading_is_said() -> None:
    """What stands behind it is not dropped in silence."""
    text = text_of(EXPORTS / "ashes-live" / "01.txt")
    text = text.replace("Phoenixborn: Ysolde Marr", "Phoenixbrn: Quill Adder")
    written = read_written(text.encode(), formats.load("ashes").format)
    assert "quill adder" in plainly(" ".join(names(written.listed)) + said_of(written, text))


def test_a_thousand_of_them() -> None:
    assert len(PATHS) * TIMES >= 1_000
