"""Who may do what: every act against every role, in each game, by the regulations' words.

`authority/cells.toml` is made from the sources alone. All wrong cells are said at once, and
`differs.toml` beside it names the cells that the program does not see so; they must differ, and who
mends one takes it out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.clauses.authority.acts import ACTS, Try, carried_out
from tests.clauses.authority.days import COLUMNS, FFG, day_of, desks

TABLE = Path(__file__).parent / "authority" / "cells.toml"
ROWS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["act"]
DIFFERS = frozenset(tomllib.loads(TABLE.with_name("differs.toml").read_text("utf-8"))["cells"])
ROLES = {
    "O": "organizer",
    "M": "marshal",
    "J": "judge",
    "S": "scorekeeper",
    "L": "leader who plays",
    "P": "player concerned",
    "X": "other player",
    "T": "judge who stood down",
}


class Cell(NamedTuple):
    """One act by one role in one game."""

    row: dict[str, Any]
    game: str
    letter: str
    kind: str
    may: bool

    @property
    def id(self) -> str:
        """Game, role, act and clause."""
        role = "co-organizer" if (self.game, self.letter) == ("ashes", "M") else ROLES[self.letter]
        staff = f" ({self.row['staff']})" if "staff" in self.row else ""
        does = " ".join((self.row["does"], self.kind)).strip()
        return f"{self.game}{staff}: {role}: {does} [{self.row['clause']}]"


def _of_row(row: dict[str, Any]) -> Iterator[Cell]:
    games = dict.fromkeys(row.get("games", FFG), row["ffg"]) if "ffg" in row else {}
    games |= {"ashes": row["ashes"]} if "ashes" in row else {}
    for game, signs in games.items():
        there = desks(game, row.get("staff", ""))
        for letter, sign in zip(COLUMNS, signs, strict=True):
            if sign != "-" and letter in there:
                for kind in row.get("kinds", [""]):
                    yield Cell(row, game, letter, kind, sign == "y")


CELLS = [cell for row in ROWS for cell in _of_row(row)]


def said(cell: Cell) -> str:
    """What the program says against it."""
    staff = cell.row.get("staff", "")
    day = day_of(cell.game, staff, cell.row["state"])
    tried = Try(day, cell.game, desks(cell.game, staff)[cell.letter], cell.kind)
    return carried_out(tried, cell.row["does"])


@pytest.mark.parametrize("game", [*FFG, "ashes"])
def test_every_act_by_every_role(game: str) -> None:
    """The clause of a cell is the one in its row."""
    wrong = []
    for cell in CELLS:
        if cell.game == game and cell.id not in DIFFERS:
            told = said(cell)
            if cell.may is bool(told):
                wrong.append(f"{cell.id}: may{'' if cell.may else ' not'}, but {told or 'is done'}")
    assert not wrong, "\n".join(wrong)


def test_what_differs_still_differs() -> None:
    """Who mends a cell takes it out of `differs.toml`."""
    cells = [cell for cell in CELLS if cell.id in DIFFERS]
    assert not [cell.id for cell in cells if cell.may is not bool(said(cell))]


def test_the_table_is_whole() -> None:
    names = [cell.id for cell in CELLS]
    assert len(names) == len(set(names))
    assert set(names) >= DIFFERS
    assert {row["does"] for row in ROWS} == set(ACTS)
    assert len(names) >= 450
