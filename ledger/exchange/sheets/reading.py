"""A sheet as a foreign tournament: its columns, its rows read, its event's id."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec import Struct

from ledger.events.opening import Source, id_from_file
from ledger.exchange.account import Passed
from ledger.exchange.foreign import ForeignCut, ForeignTournament
from ledger.exchange.sheets.cells import PASSED_OVER, InvalidSheet, plain, rows_of
from ledger.exchange.sheets.result_columns import columns_of
from ledger.exchange.sheets.round_rows import RoundRows
from ledger.exchange.sheets.sheet_people import columns_of_people, keep_problems, tier_of
from ledger.rulesets import parse

KIND = "csv"
PASSED_REASONS = {
    f"column {title}": "anybody may keep such a column for themselves" for title in PASSED_OVER
}
NEEDED = ("round", "player1")
PLAIN: Mapping[str, tuple[str, ...]] = {
    "round": ("rd", "roundnumber"),
    "player1": ("p1", "player", "player1name", "name1"),
    "player2": ("p2", "opponent", "player2name", "name2"),
    "table": ("tablenumber", "match"),
    "stage": ("phase",),
    "drop": ("drops", "dropped"),
    "tier": (),
}
"""The columns of every game, and further titles that they may have."""


class Details(Struct, frozen=True):
    """What a spreadsheet does not say: the ruleset's whole text, a day, a name.

    Without a name the event has that of its file. `keep` are further columns of either side that
    become attributes, `allowed` the doubts that are meant (`DOUBTS`), and `is_whole` says that the
    sheet does not grow any more.
    """

    ruleset: str
    name: str = ""
    date: str = ""
    keep: tuple[str, ...] = ()
    allowed: frozenset[str] = frozenset()
    is_whole: bool = False
    is_sheet: bool = False
    """Whether it is about a spreadsheet, and not about another program's file."""


def read_rounds(data: bytes, details: Details, file: str = "") -> ForeignTournament:
    """Read and validate a file; equal bytes, details and name of the file give an equal tournament.

    Raises:
        InvalidSheet: everything that is wrong, by row and column.
    """
    rules, passed = parse(details.ruleset), Passed(PASSED_REASONS)
    if problems := keep_problems(details.keep):
        raise InvalidSheet(*problems)
    columns = {**PLAIN, **columns_of(rules), **columns_of_people(details.keep)}
    rows = rows_of(data, _titled(columns), NEEDED, passed)
    reader = RoundRows(rules, details.keep, details.allowed)
    reader.read(rows)
    tier = tier_of(rows, reader.problems)
    reader.problems.refuse()
    sha256, name = hashlib.sha256(data).hexdigest(), details.name or file
    swiss = tuple(round_ for _, round_ in reader.rounds if not round_.elimination)
    elimination = tuple(round_ for _, round_ in reader.rounds if round_.elimination)
    return ForeignTournament(
        source=Source(KIND, sha256),
        tournament=id_from_file(sha256, name, details.date),
        ruleset=details.ruleset,
        name=name,
        date=details.date,
        recorder="Imported from a CSV file",
        players=reader.people.players(),
        swiss=swiss,
        elimination=elimination,
        swiss_announced=len(swiss),
        cut=ForeignCut.of(elimination),
        swiss_stages=reader.swiss_stages(),
        ignored=passed.ignored(),
        notes=reader.doubts.notes(),
        tier=tier,
        stays_open=not details.is_whole,
    )


def _titled(columns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns by their titles; a title that could be two columns' is neither's."""
    found: dict[str, str] = {}
    for column, titles in columns.items():
        for title in {plain(each) for each in titles}:
            found[title] = "" if title in found else column
    return found | {plain(column): column for column in columns}
