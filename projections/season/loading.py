"""From logs that were checked to the season's tables, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rulesets import parse
from projections.season.database import transaction
from projections.season.deriving import STEPS
from projections.season.spooling import LINES
from projections.season.tables import sql
from projections.season.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from projections.season.spooling import Batch
    from projections.season.spooling import Logged

TOLD = ("finishes", "qualified", "unconfirmed", "set_up")
"""What comes in files of rows beside the lines, each into the working table of that name."""

READ = ("standings", "leaves")
"""What comes in such files, too, and is read by the SQL of that name."""


def load(
    connection: DuckDBPyConnection,
    batches: Iterable[Batch],
    replaced: Iterable[str],
    tell: Callable[[int], None],
) -> None:
    """Take batches of logs into the tables, in the place of what was there of `replaced`.

    `tell` is called with the number of logs that are in, after each batch.
    """
    with transaction(connection):
        remove(connection, replaced)
        done = 0
        for batch in batches:
            load_batch(connection, batch)
            done += len(batch.logs)
            tell(done)


def remove(connection: DuckDBPyConnection, tournaments: Iterable[str]) -> None:
    """Take every row of these tournaments out."""
    gone = list(tournaments)
    if gone:
        for name in (*(table.name for table in tables()), "leaves"):
            connection.execute(
                f"DELETE FROM {name} WHERE list_contains($gone, tournament)",  # noqa: S608 - our own name
                {"gone": gone},
            )


def load_batch(connection: DuckDBPyConnection, batch: Batch) -> None:
    """Derive the rows of one batch, inside a transaction."""
    connection.execute(sql("working"))
    _enter_logs(connection, batch.logs)
    for kind in TOLD:
        _read_rows(connection, batch, kind)
    for kind in READ:
        connection.execute(sql(kind), {"files": batch.files(kind)})
    derive(connection, batch)


def derive(connection: DuckDBPyConnection, batch: Batch, steps: Sequence[str] = STEPS) -> None:
    """Derive all that SQL can say, beside the working tables of the batch's logs."""
    for kind in LINES:
        connection.execute(f"SET VARIABLE {kind} = $files", {"files": batch.files(kind)})
    for step in steps:
        connection.execute(sql(f"deriving/{step}"))


def _enter_logs(connection: DuckDBPyConnection, logs: list[Logged]) -> None:
    numbers = {text: number for number, text in enumerate(dict.fromkeys(x.ruleset for x in logs))}
    columns = list(
        zip(
            *((x.log, x.tournament, x.size, x.root, numbers[x.ruleset]) for x in logs),
            strict=True,
        )
    )
    connection.execute(
        "INSERT INTO logs SELECT unnest($a), unnest($b), unnest($c), unnest($d), unnest($e)",
        dict(zip("abcde", map(list, columns), strict=True)),
    )
    letters = [
        (number, outcome, letter)
        for text, number in numbers.items()
        for outcome, letter in parse(text).records.items()
    ]
    connection.executemany("INSERT INTO letters VALUES (?, ?, ?)", letters)


def _read_rows(connection: DuckDBPyConnection, batch: Batch, kind: str) -> None:
    """Read a file of rows into the working table of the same columns."""
    described = connection.execute(f"DESCRIBE {kind}").fetchall()
    columns = ", ".join(f"{name}: '{of}'" for name, of, *_ in described)
    names = ", ".join(name for name, *_ in described)
    connection.execute(
        f"INSERT INTO {kind} SELECT {names} FROM read_json($files, "  # noqa: S608 - our own names
        f"format = 'newline_delimited', columns = {{{columns}}})",
        {"files": batch.files(kind)},
    )
