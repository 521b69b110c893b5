"""Rows of the season's base tables as plain Python values, from which questions are answered again.

Nothing here or in the other modules of this folder uses SQL except to read whole base tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Key = TypeVar("Key")
Item = TypeVar("Item")
Row = Mapping[str, Any]
Answer = list[tuple[Any, ...]]

SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
"""Value of a game for a player, by the letter of the player's record."""

BASE_TABLES = (
    "tournaments",
    "people",
    "entrants",
    "stages",
    "rounds",
    "clocks",
    "matches",
    "results",
    "corrections",
    "schedules",
    "cuts",
    "rulings",
    "disputes",
    "setups",
    "events",
)
"""Tables that the named questions are about."""


class Game(NamedTuple):
    """A game that was played, seen by one of its two players."""

    result: Row
    player: int
    opponent: int
    record: str
    person: str
    rival: str
    faction: str
    rival_faction: str

    @property
    def tournament(self) -> str:
        """The tournament's id."""
        return str(self.result["tournament"])

    @property
    def score(self) -> float:
        """1 for a win, 1/2 for a draw, 0 for a loss."""
        return SCORES[self.record]


class SeasonRows:
    """Base tables, and what any question reads from them: keys, entries and games."""

    def __init__(self, tables: Mapping[str, Sequence[Row]]) -> None:
        self.tables = tables
        self.tournament = {row["tournament"]: row for row in tables["tournaments"]}
        self.person = {
            (row["tournament"], row["player"]): row["person"] for row in tables["people"]
        }
        self.known = {(row["tournament"], row["player"]): row["known"] for row in tables["people"]}
        self.entrant = {(row["tournament"], row["player"]): row for row in tables["entrants"]}
        self.stage_kind = {
            (row["tournament"], row["stage"]): row["kind"] for row in tables["stages"]
        }
        self.event = {(row["tournament"], row["seq"]): row for row in tables["events"]}

    def __getitem__(self, table: str) -> Sequence[Row]:
        return self.tables[table]

    def ruleset(self, row: Row) -> str:
        """Return the game of the tournament that a row is of."""
        return str(self.tournament[row["tournament"]]["ruleset"])

    def day(self, row: Row) -> date | None:
        """Return the day of the tournament that a row is of."""
        held_on = self.tournament[row["tournament"]]["held_on"]
        assert held_on is None or isinstance(held_on, date)
        return held_on

    def month(self, row: Row) -> date | None:
        """Return the first day of the month of the tournament that a row is of."""
        held_on = self.day(row)
        return held_on.replace(day=1) if held_on else None

    def is_swiss(self, row: Row) -> bool:
        """Return whether the stage that a row is of is a Swiss stage."""
        return bool(self.stage_kind[row["tournament"], row["stage"]] == "swiss")

    def entries(self) -> list[Row]:
        """Return the entrants, without registrations taken back."""
        return [row for row in self["entrants"] if row["status"] != "withdrawn"]

    def persons_of(self, row: Row) -> str:
        """Return the person of an entrant's row."""
        return str(self.person[row["tournament"], row["player"]])

    def pairs(self) -> list[Row]:
        """Return the tables of two whose pairing was not taken back."""
        return [
            row
            for row in self["matches"]
            if not row["void"] and row["player1"] is not None and row["player2"] is not None
        ]

    def games(self) -> list[Game]:
        """Return each game that was played from either side: of the first player, the second."""
        sides = []
        for row in self["results"]:
            if row["met"]:
                for mine, theirs in (("1", "2"), ("2", "1")):
                    own = row["tournament"], row["player" + mine]
                    other = row["tournament"], row["player" + theirs]
                    sides.append(
                        Game(
                            row,
                            own[1],
                            other[1],
                            row["record" + mine],
                            self.person[own],
                            self.person[other],
                            self.entrant[own]["faction"],
                            self.entrant[other]["faction"],
                        )
                    )
        return sides


def read_rows(connection: DuckDBPyConnection) -> SeasonRows:
    """Read the base tables of a season, whole."""
    tables = {}
    for name in BASE_TABLES:
        found = connection.execute(f"SELECT * FROM {name}")
        columns = [column[0] for column in found.description or ()]
        tables[name] = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
    return SeasonRows(tables)


def chosen(season: SeasonRows, fits: Callable[[Row], bool], by: str = "") -> SeasonRows:
    """Return the rows of tournaments that fit, with an attribute in the place of the faction."""
    ids = {row["tournament"] for row in season["tournaments"] if fits(row)}
    tables = {
        name: [row for row in rows if row["tournament"] in ids]
        for name, rows in season.tables.items()
    }
    if by:
        tables["entrants"] = [
            {**row, "faction": row["attributes"].get(by, "")} for row in tables["entrants"]
        ]
    return SeasonRows(tables)


def grouped(items: Sequence[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Collect items under their keys."""
    groups: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
