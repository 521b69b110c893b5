"""What players export, tool by tool: each file is read as the list that is meant.

`exports/TOOL/NN.*` are files as each tool writes them, made from the tools' public layouts and not
from what reads them; `NN.meant.json` is the list, in the JSON form of `ledger/formats/README.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.exchange.lists import read_written

EXPORTS = Path(__file__).parent / "exports"
GAMES = {
    "fiveringsdb-text": "l5r",
    "fiveringsdb-json": "l5r",
    "ashes-live": "ashes",
    "legion-hq": "legion",
    "tabletop-admiral": "legion",
    "runewars": "runewars",
}


def files(tool: str) -> list[Path]:
    known = (EXPORTS / tool).glob("[0-9][0-9].*")
    return sorted(path for path in known if not path.name.endswith(".meant.json"))


def cases() -> list[object]:
    return [
        pytest.param(path, id=f"{tool}-{path.stem}")
        for tool in sorted({*GAMES, "plain"})
        for path in files(tool)
    ]


def game_of(path: Path) -> str:
    """A plain file has the game in its name."""
    return GAMES.get(path.parent.name) or path.name.split(".")[1]


def contents(listed: formats.PlayList) -> object:
    """Everything that a list says of its cards: player, totals, sections with what is in them."""
    return (
        listed.player,
        listed.total,
        dict(listed.totals),
        {name: list(entries) for name, entries in listed.sections.items() if entries},
    )


@pytest.mark.parametrize("path", cases())
def test_an_export_is_the_list_that_is_meant(path: Path) -> None:
    """FFG-LIST, FFG-LIST-CONTENT, AOP-DECKCHECK: no card in silence, none that nobody wrote."""
    made = formats.load(game_of(path)).format
    cards = path.with_name("cards.csv")
    known = formats.read_cards(cards.read_bytes(), made, cards.name) if cards.exists() else None
    meant = path.with_name(f"{path.name[:2]}.meant.json").read_bytes()
    written = read_written(path.read_bytes(), made, known)
    assert contents(written.listed) == contents(formats.read_list(meant, made.shape))
    assert not [str(note) for note in written.notes if note.differs]


def test_ten_of_each_tool() -> None:
    assert {tool: len(files(tool)) for tool in (*GAMES, "plain")} == dict.fromkeys(
        (*GAMES, "plain"), 10
    )
