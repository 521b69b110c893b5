"""A question in a process of its own: its memory and its time have an end, whatever it does.

The database's own limit leaves out texts on their way through a question and what is made of its
answer; and where there is no memory left, what turns them into Python's values may not survive it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ledger.errors import LedgerError, Refused
from projections.processes import limit_memory, memory_of, one_process
from projections.season.asking.querying import SECONDS_MAX

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from duckdb import DuckDBPyConnection

    from cli.season.forms import Form
    from ledger.problems import Problem

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
    from projections.season.asking.querying import too_long, too_much_memory

    end = time.monotonic() + seconds + SECONDS_GRACE
    while not answer.poll(LOOK_SECONDS):
        if memory_of(str(process.pid)) > MEMORY_BYTES:
            raise too_much_memory()
        if time.monotonic() > end:
            raise too_long(seconds)
        if is_over():
            raise Refused("the question was given up")


def _received(process: SpawnProcess, answer: Connection) -> Any:  # noqa: ANN401 - as the work says
    """Take what the work says, or raise what it found; RuntimeError for a fault of ours."""
    from projections.season.asking.querying import too_much_memory

    try:
        received: tuple[type[LedgerError] | None, Any] = answer.recv()
    except EOFError:
        process.join()
        if (process.exitcode or 0) > 0:
            raise RuntimeError("the process of the question ended with a fault") from None
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
    from projections.season.asking.querying import too_much_memory

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
    from cli.season.forms import blocks_of
    from projections.season.asking.querying import asked

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
    more = ["and others: `season list` gives every reason"] if len(found) > UNSIGNED_SAID else []
    said = [f"{name}: lines were taken unsigned: {reason}" for name, reason in found]
    return [*said[:UNSIGNED_SAID], *more]


def confined_season(file: str) -> DuckDBPyConnection:
    """Open a season for a question that reaches nothing else."""
    from projections.season.asking.answering import prepare
    from projections.season.asking.querying import confine
    from projections.season.tables.database import open_season
    from projections.season.tables.explaining import show_questions

    connection = open_season(Path(file), read_only=True)
    show_questions(connection)
    prepare(connection)
    confine(connection)
    return connection
