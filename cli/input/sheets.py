"""A table of players in a CSV file, every problem named with its row.

What is read is in the log for good, so of other columns only those are kept that are asked for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from cli.languages.speaking import in_figures, marked, tr
from cli.terminal.visible import how_many
from ledger.errors import Refused
from ledger.exchange.sheets.cells import InvalidSheet, table_of
from ledger.facts.base import PLAYERS_MAX, label_problem
from ledger.facts.people import name_key
from ledger.problems import Phrase, phrase
from ledger.rules.people import UNREADABLE, Entry

if TYPE_CHECKING:
    from ledger.problems import Problem, Value

NAME = "name"
COLUMNS = ("faction", "league_id")
ALIASES = MappingProxyType({"clan": "faction"})
"""Other names of columns."""

CELL_MAX = MappingProxyType({"faction": 64, "league_id": 64})
TEXT_MAX = 1_000
TITLE_MAX = 64

_LINE_BREAK = re.compile(r"[\r\n]")
_OF_ROWS = (
    marked("{id} is also the league id of row {entry}: in a league, each person has their own id"),
    marked("{name} is also row {entry}: omit this entry, or confirm that this is another person"),
)
"""Texts of refusals of entries, with rows in the place of entries."""

_ENTRY = re.compile(r"entry (\d+)")


class Sheet(Struct, frozen=True):
    """The players of a file, the row of each player, and the columns of the file."""

    path: str
    entries: tuple[Entry, ...]
    rows: tuple[int, ...]
    read: tuple[str, ...]
    ignored: tuple[str, ...]

    @property
    def columns_in_words(self) -> str:
        """Say what was read of the file and what was not."""
        read = tr("read: {columns}", columns=", ".join(self.read))
        if not self.ignored:
            return read
        return tr(
            "{read}; ignored: {columns} (--keep keeps a column permanently in the log)",
            read=read,
            columns=", ".join(self.ignored),
        )

    @property
    def columns(self) -> frozenset[str]:
        """Return the members of a registration that the file has: attributes by their titles."""
        return frozenset(map(_known_as, self.read))

    @contextmanager
    def rows_named(self) -> Iterator[None]:
        """Let refusals that count the entries name the rows of the file instead."""
        try:
            yield
        except Refused as error:
            raise Refused(*map(self._in_file, error.problems)) from None

    def _in_file(self, problem: Problem) -> Problem:
        about = {key: self._in_rows(key, each) for key, each in problem.about.items()}
        text = problem.text.replace("entry {entry}", "row {entry}")
        return structs.replace(problem, text=text, about=about).within(self.path)

    def _in_rows(self, key: str, value: Value) -> Value:
        """The row of an entry, if a value counts entries."""
        if key == "entry" and isinstance(value, int):
            return self.rows[value - 1]
        if key.startswith("place") and (found := _ENTRY.fullmatch(str(value))):
            return phrase("row {number}", number=self.rows[int(found[1]) - 1])
        return value


def read_entries(
    path: str, data: bytes, keep: Sequence[str] = (), *, namesake: bool = False
) -> Sheet:
    """Read the bytes of a file of players. `keep` names further columns, as attributes.

    With `namesake` one name may be in several rows.

    Raises:
        Refused: every row that is wrong, named with the path.
    """
    try:
        rows = table_of(data)
    except InvalidSheet as error:
        raise Refused(
            *(
                structs.replace(problem.within(path), code=Refused.code)
                for problem in error.problems
            )
        ) from None
    titles = [unicodedata.normalize("NFC", cell.strip()) for cell in rows[0][1]]
    header = _header(path, titles)
    kept = _kept(path, header, keep)
    sheet = Sheet(
        path,
        tuple(_entry(header, row, kept) for _, row in rows[1:]),
        tuple(number for number, _ in rows[1:]),
        tuple(title for title, known in zip(titles, header, strict=True) if known in kept),
        tuple(title for title, known in zip(titles, header, strict=True) if known not in kept),
    )
    _refuse_count(path, len(rows) - 1)
    problems = [
        (number, problem)
        for number, row in rows[1:]
        for problem in _row_problems(_row(path, number), header, row, kept)
    ]
    problems += [] if namesake else _repeated(sheet)
    if problems:
        raise Refused(
            *(each for _, each in sorted(problems, key=lambda found: (found[0], str(found[1]))))
        )
    return sheet


def _header(path: str, titles: list[str]) -> list[str]:
    known = [_known_as(title) for title in titles]
    if NAME not in known:
        raise Refused(
            phrase(
                "{path}: row 1 has no column `name`: it has {titles}",
                path=path,
                titles=", ".join(titles)[:200],
            )
        )
    if any(len(title) > TITLE_MAX for title in known):
        raise Refused(
            phrase(
                "{path}: row 1: a column's name can have at most {most} characters",
                path=path,
                most=TITLE_MAX,
            )
        )
    if len(set(known)) != len(known) or not all(known):
        raise Refused(phrase("{path}: row 1: every column needs its own name", path=path))
    return known


def _known_as(title: str) -> str:
    plain = title.lower().replace(" ", "_")
    plain = ALIASES.get(plain, plain)
    return plain if plain in (NAME, *COLUMNS) else title


def _kept(path: str, header: list[str], keep: Sequence[str]) -> frozenset[str]:
    wanted = {unicodedata.normalize("NFC", plain).casefold(): plain for plain in keep}
    found = {title.casefold(): title for title in header}
    unknown = [typed for folded, typed in wanted.items() if folded not in found]
    if unknown:
        raise Refused(
            phrase(
                "{path}: row 1 has no column {column} to keep",
                path=path,
                column=repr(unknown[0]),
            )
        )
    kept = [found[folded] for folded in wanted]
    if problem := next(filter(None, map(label_problem, kept)), ""):
        raise Refused(phrase("{path}: row 1: {problem}", path=path, problem=problem))
    return frozenset((NAME, *COLUMNS, *kept))


def _refuse_count(path: str, count: int) -> None:
    if not count:
        raise Refused(phrase("{path} contains no players below the row of column names", path=path))
    if count > PLAYERS_MAX:
        raise Refused(
            phrase(
                "{path} has {count} players: a tournament can have at most {most}",
                path=path,
                count=in_figures(count),
                most=in_figures(PLAYERS_MAX),
            )
        )


def _row(path: str, number: int) -> Phrase:
    return phrase("{path}: row {number}", path=path, number=number)


def _row_problems(
    place: Phrase, header: list[str], row: list[str], kept: frozenset[str]
) -> Iterator[Phrase]:
    cells = {title: cell for title, cell in zip(header, row, strict=False) if title in kept}
    if len(row) > len(header):
        yield phrase(
            "{place} has {cells} cells under {titles}",
            place=place,
            cells=len(row),
            titles=how_many(len(header), "title"),
        )
    elif not cells.get(NAME, "").strip():
        yield phrase("{place} has no name", place=place)
    for title, cell in cells.items():
        if len(cell) > (most := CELL_MAX.get(title, TEXT_MAX)):
            yield phrase(
                "{place}: over {most} characters in {title}",
                place=place,
                most=in_figures(most),
                title=title,
            )
        if UNREADABLE in cell:
            yield phrase(
                "{place}: in {title} a letter was lost (U+FFFD): save the file as UTF-8",
                place=place,
                title=title,
            )
        if _LINE_BREAK.search(cell):
            yield phrase("{place}: a line break in {title}", place=place, title=title)


def _repeated(sheet: Sheet) -> list[tuple[int, Phrase]]:
    """List the rows whose name is in an earlier one."""
    first: dict[str, int] = {}
    problems: list[tuple[int, Phrase]] = []
    for number, entry in zip(sheet.rows, sheet.entries, strict=True):
        earlier = first.setdefault(name_key(entry.name), number)
        if earlier != number and entry.name:
            text = phrase(
                "{path}: row {number}: {name} is already in row {earlier}; "
                "if this is another person, add --namesake",
                path=sheet.path,
                number=number,
                name=entry.name,
                earlier=earlier,
            )
            problems.append((number, text))
    return problems


def _entry(header: list[str], row: list[str], kept: frozenset[str]) -> Entry:
    cells = dict(zip(header, row, strict=False))
    return Entry(
        cells.get(NAME, "").strip(),
        cells.get("faction", "").strip(),
        cells.get("league_id", "").strip(),
        {
            label: value
            for label, value in cells.items()
            if label in kept and label not in (NAME, *COLUMNS) and value.strip()
        },
    )
