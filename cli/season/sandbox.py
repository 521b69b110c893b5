"""Questions in SQL in a separate process with bounds of memory and time, and forms of answers.

The database's own limit leaves out texts on their way through a question and what is made of its
answer; and if there is no memory left, the code that makes Python's values of them may not survive
it. The answer is a table, CSV or JSON: all of it is made, in bounds, before any of it is shown.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cli.languages.speaking import tr
from cli.terminal.output import json_parts, say, show_layout, show_parts, write_bytes
from cli.terminal.tables import Column, as_json, as_text, csv_lines, fitted
from cli.terminal.visible import ELLIPSIS, cells, how_many, shortened, visible
from ledger.errors import LedgerError, Refused
from ledger.files.access import one_line
from ledger.files.system import memory_of
from ledger.problems import phrase
from projections.processes import limit_memory, one_process
from projections.season.asking import SECONDS_MAX

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from duckdb import DuckDBPyConnection

    from ledger.problems import Problem

CELL_CHARACTERS = 500
"""How much of a value a table shows at most."""

TITLE_CELLS = 60
"""How much of a column's name it shows."""

BLOCK_BYTES = 1_000_000

BETWEEN_CELLS, BETWEEN_ROWS = "\t", "\n"
"""No visible text holds one."""


def blocks_of(parts: Iterable[bytes]) -> list[bytes]:
    """Join the parts of an answer to a few blocks; Refused where they take more than one may."""
    from projections.season.asking import ANSWER_MB

    blocks, block = [], bytearray()
    room = ANSWER_MB * 1_000_000
    for part in parts:
        room -= len(part)
        if room < 0:
            text = phrase(
                "the answer takes more than {most} MB: ask for fewer rows, with LIMIT, or for "
                "fewer columns",
                most=ANSWER_MB,
            )
            raise Refused(text)
        block += part
        if len(block) > BLOCK_BYTES:
            blocks.append(bytes(block))
            block.clear()
    return [*blocks, bytes(block)]


class Form:
    """How an answer is shown: as CSV, for a spreadsheet, or in the way of a class below."""

    def __init__(self, columns: list[str]) -> None:
        self._columns = columns

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield what has to be kept of the answer."""
        return csv_lines(self._columns, rows)

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print it, of the blocks that its parts were joined to."""
        write_bytes(blocks)


class JsonForm(Form):
    """For a script: a row as an object; Refused where two columns of one name would lose one."""

    def __init__(self, columns: list[str]) -> None:
        twice = [name for name, count in Counter(columns).items() if count > 1]
        if twice:
            named = one_line(", ".join(twice))
            raise Refused(
                phrase(
                    "with --json each column needs its own name (AS): {names} appears twice",
                    names=named,
                )
            )
        super().__init__(columns)

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield its objects, with what stands between them."""
        objects = (dict(zip(self._columns, map(as_json, row), strict=True)) for row in rows)
        return (part.encode() for part in json_parts(objects))

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print them."""
        show_parts(block.decode() for block in blocks)


class TableForm(Form):
    """For a person: cells that can be shown, up to a length."""

    def __init__(self, columns: list[str]) -> None:
        super().__init__([shortened(visible(name), TITLE_CELLS) for name in columns])
        self._widest = [0] * len(columns)
        self._is_number = [True] * len(columns)
        self._count = self._cut = 0

    def parts(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        """Yield its rows, and note how wide each column is and what it holds."""
        for row in rows:
            shown = [self._cell(place, value) for place, value in enumerate(row)]
            self._count += 1
            yield (BETWEEN_CELLS.join(shown) + BETWEEN_ROWS).encode()

    def _cell(self, place: int, value: object) -> str:
        text = as_text(value)
        if len(text) > CELL_CHARACTERS:
            self._cut += 1
            text = text[: CELL_CHARACTERS - 1] + ELLIPSIS
        shown = visible(text)
        self._widest[place] = max(self._widest[place], cells(shown))
        self._is_number[place] &= isinstance(value, int | float | None)
        return shown

    def show(self, blocks: Iterator[bytes]) -> None:
        """Print it within the terminal's width."""
        columns = [
            Column(title, right=is_number, flexible=not is_number, yields=place)
            for place, (title, is_number) in enumerate(
                zip(self._columns, self._is_number, strict=True)
            )
        ]
        rows = (
            row.split(BETWEEN_CELLS)
            for block in blocks
            for row in block.decode().removesuffix(BETWEEN_ROWS).split(BETWEEN_ROWS)
            if block
        )
        show_layout(fitted(columns, rows, self._widest))
        say(how_many(self._count, "row"))
        if self._cut:
            say(
                tr(
                    "cut to {most} characters: {values}; --json or --csv shows them whole",
                    most=CELL_CHARACTERS,
                    values=how_many(self._cut, "value"),
                )
            )


Sent = TypeVar("Sent")
"""What is said of an answer before its blocks."""

MEMORY_BYTES = 680_000_000
"""What the process may have; it is ended within some 10 MB of that."""

LOOK_SECONDS = 0.005
"""How often its memory is looked at."""

UNSIGNED_SAID = 10
"""Maximum number of unsigned logs that each view of a season names."""

SECONDS_GRACE = 2.0
"""How much longer than its time a question may take to heed that it is over."""


Answered: TypeAlias = "tuple[tuple[Form, list[str]], Iterator[bytes]]"


@contextmanager
def answered(file: str, question: str, form: type[Form]) -> Iterator[Answered]:
    """Ask a season; yields the answer's form and blocks, or raises what speaks against it.

    With the form comes which logs of the season were taken unsigned, and why.
    """
    with bounded(_asked, file, question, form) as given:
        yield given


@contextmanager
def bounded(
    work: Callable[..., tuple[Sent, Iterable[bytes]]],
    *given: object,
    is_over: Callable[[], bool] = lambda: False,
    seconds: float = SECONDS_MAX,
) -> Iterator[tuple[Sent, Iterator[bytes]]]:
    """Do a work in such a process; yields what it said and its blocks, or raises as it did.

    The work calls `limit_memory` once it has what it needs. It is given up where `is_over` says so.
    """
    with one_process(_answer, work, *given) as (process, answer):
        _wait(process, answer, is_over, seconds)
        said: Sent = _received(process, answer)
        yield said, _blocks(answer)


def _wait(
    process: SpawnProcess, answer: Connection, is_over: Callable[[], bool], seconds: float
) -> None:
    """Wait for the answer; Refused where it takes too much memory, or too long, or nobody waits."""
    from projections.season.asking import too_long, too_much_memory

    end = time.monotonic() + seconds + SECONDS_GRACE
    while not answer.poll(LOOK_SECONDS):
        if memory_of(str(process.pid)) > MEMORY_BYTES:
            raise too_much_memory()
        if time.monotonic() > end:
            raise too_long(seconds)
        if is_over():
            raise Refused(phrase("the question was cancelled"))


def _received(process: SpawnProcess, answer: Connection) -> Any:  # noqa: ANN401 - as the work says
    """Take what the work says, or raise what it found; RuntimeError for a fault of ours."""
    from projections.season.asking import too_much_memory

    try:
        received: tuple[type[LedgerError] | None, Any] = answer.recv()
    except EOFError:
        process.join()
        if (process.exitcode or 0) > 0:
            raise RuntimeError("the process of the question failed") from None
        raise too_much_memory() from None  # ended by a signal: it had no memory left
    kind, said = received
    if kind is None:
        return said
    problems: tuple[Problem, ...] = said
    raise kind(*problems)


def _blocks(answer: Connection) -> Iterator[bytes]:
    with suppress(EOFError):
        while True:
            yield answer.recv_bytes()


def _answer(
    answer: Connection, work: Callable[..., tuple[object, Iterable[bytes]]], *given: object
) -> None:
    """Make all of the answer before any of it is sent: a refusal half-way shows nothing."""
    from projections.season.asking import too_much_memory

    try:
        said, blocks = work(*given)
    except (MemoryError, LedgerError) as error:
        refused = error if isinstance(error, LedgerError) else too_much_memory()
        answer.send((type(refused), refused.problems))
        return
    answer.send((None, said))
    for block in blocks:
        answer.send_bytes(block)


def _asked(
    file: str, question: str, form: type[Form]
) -> tuple[tuple[Form, list[str]], list[bytes]]:
    from projections.season.asking import asked

    connection = confined_season(file)
    unsigned = unsigned_in_words(connection)
    limit_memory()
    with asked(connection, question) as found:
        shown = form(found.columns)
        return (shown, unsigned), blocks_of(shown.parts(found.rows))


def unsigned_in_words(connection: DuckDBPyConnection) -> list[str]:
    """Say for which logs of a season lines were taken unsigned, and why; the first few."""
    found = connection.execute(
        "SELECT name, reason FROM tournaments JOIN unsigned_logs USING (tournament) "
        "ORDER BY held_on, name LIMIT $most",
        {"most": UNSIGNED_SAID + 1},
    ).fetchall()
    more = [tr("and others: `season` shows every reason")] if len(found) > UNSIGNED_SAID else []
    said = [
        tr("{name}: lines were taken unsigned: {reason}", name=name, reason=reason)
        for name, reason in found
    ]
    return [*said[:UNSIGNED_SAID], *more]


def confined_season(file: str) -> DuckDBPyConnection:
    """Open a season for a question that reaches nothing else."""
    from projections.season.asking import confine, prepare
    from projections.season.tables.database import open_season
    from projections.season.tables.definitions import show_questions

    connection = open_season(Path(file), read_only=True)
    show_questions(connection)
    prepare(connection)
    confine(connection)
    return connection
