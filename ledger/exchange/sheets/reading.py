"""A sheet as a foreign tournament: its columns, its rows read, its event's id.

A sheet that this program wrote says in rows of the round `event` what it is called, when it was and
which game it is of, and has a record of the event (`own_record`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from ledger.events.opening import Source, id_from_file
from ledger.exchange.account import Passed
from ledger.exchange.dates import day_in
from ledger.exchange.foreign import ForeignCut, ForeignTournament
from ledger.exchange.own_record import CHANGED, named, taken, unpacked
from ledger.exchange.sheets.cells import PASSED_OVER, InvalidSheet, plain, rows_of, table_of
from ledger.exchange.sheets.result_columns import columns_of
from ledger.exchange.sheets.round_rows import RoundRows
from ledger.exchange.sheets.sheet_people import columns_of_people, keep_problems, tier_of
from ledger.files.kinds import unmarked
from ledger.rulesets import names, parse, text_of

KIND = "csv"
RECORDER = "Imported from a CSV file"
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


EVENT = "event"
"""What the column of rounds has in the rows about the whole event."""

NAME, DATE, RULESET, RECORD = "name", "date", "ruleset", "record"
"""What such a row is about, by its column `player1`; the value is in `player2`."""


class SheetAbout(Struct, frozen=True):
    """The rows about the event: their values, the parts of the record, and all other rows."""

    values: dict[str, str]
    parts: list[str]
    rest: list[str]


def about_of(data: bytes) -> SheetAbout:
    """Return what a sheet says of its event.

    Raises:
        InvalidSheet: it is not a CSV file.
    """
    listed = table_of(data)
    titles = [plain(title) for title in listed[0][1]]
    about = SheetAbout({}, [], [])
    places = [
        titles.index(each) if each in titles else -1 for each in ("round", "player1", "player2")
    ]
    for _, row in listed:
        cells = [unmarked(cell.strip()) for cell in row]
        at = [cells[place] if 0 <= place < len(cells) else "" for place in places]
        is_record = at[0] == EVENT and at[1] == RECORD
        if is_record:
            about.parts.append(at[2])
        else:
            about.rest.append("\t".join(cells).rstrip("\t"))
        if at[0] == EVENT and not is_record:
            about.values.setdefault(at[1], at[2])
    return about


def own_details(data: bytes) -> Details | None:
    """Return what a sheet of our own says of its event; None for another one.

    Raises:
        InvalidSheet: it is not a CSV file.
    """
    about = about_of(data)
    event = unpacked(about.parts, about.rest) if about.parts else None
    if event is not None:
        return Details(event.ruleset, event.name, event.date, is_sheet=True)
    key = about.values.get(RULESET, "")
    if key not in names() or not about.values.get(DATE):
        return None
    name, day = about.values.get(NAME, ""), day_in(about.values[DATE])
    return Details(text_of(key), name, day, is_sheet=True)


def read_rounds(data: bytes, details: Details, file: str = "") -> ForeignTournament:
    """Read and validate a file; equal bytes, details and name of the file give an equal tournament.

    Raises:
        InvalidSheet: everything that is wrong, by row and column.
    """
    about = about_of(data)
    event = unpacked(about.parts, about.rest) if about.parts else None
    if event is not None and event.ruleset == details.ruleset:
        return _own(data, named(event, details.name, details.date))
    rules, passed = parse(details.ruleset), Passed(PASSED_REASONS)
    if problems := keep_problems(details.keep):
        raise InvalidSheet(*problems)
    columns = {**PLAIN, **columns_of(rules), **columns_of_people(details.keep)}
    for what in about.values.keys() - {NAME, DATE, RULESET}:
        passed.add(f"event {what}")
    rows = rows_of(data, _titled(columns), NEEDED, passed)
    reader = RoundRows(rules, details.keep, details.allowed)
    reader.read([row for row in rows if row.cell("round") != EVENT])
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
        recorder=RECORDER,
        players=reader.people.players(),
        swiss=swiss,
        elimination=elimination,
        swiss_announced=len(swiss),
        cut=ForeignCut.of(elimination),
        swiss_stages=reader.swiss_stages(),
        ignored=passed.ignored(),
        notes=(*([CHANGED] if about.parts else []), *reader.doubts.notes()),
        tier=tier,
        stays_open=not details.is_whole,
    )


def _own(data: bytes, event: ForeignTournament) -> ForeignTournament:
    found = taken(event, KIND, data, None)
    own_id = id_from_file(found.source.sha256, found.name, found.date)
    return replace(found, tournament=own_id, recorder=RECORDER)


def _titled(columns: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns by their titles; a title that could be two columns' is neither's."""
    found: dict[str, str] = {}
    for column, titles in columns.items():
        for title in {plain(each) for each in titles}:
            found[title] = "" if title in found else column
    return found | {plain(column): column for column in columns}
