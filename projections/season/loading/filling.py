"""From logs that were checked to the season's tables, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.rulesets import parse
from projections.season.deriving import STEPS
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.loading.snapshots import ROW_FILES
from projections.season.loading.spooling import LINES, Batch, Logged
from projections.season.tables.database import transaction
from projections.season.tables.definitions import sql, tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SQL_FILES = ("standings", "leaves")
"""What comes in files of rows, too, and is read by the SQL of that name."""


def load(
    connection: DuckDBPyConnection,
    batches: Iterable[Batch],
    replaced: Iterable[str],
    tell: Callable[[int], None],
    newly_signed: Mapping[str, SignedPrefix] = MappingProxyType({}),
) -> None:
    """Take batches of logs into the tables, in the place of tournaments that are replaced.

    `tell` is called with the number of logs that are in, after each batch. Of those `newly_signed`
    the season has the lines already.
    """
    with transaction(connection):
        remove(connection, replaced)
        for stream, signed in newly_signed.items():
            connection.execute(
                "UPDATE tournaments SET signed_size = ?, signed_by = ?, by_policy = ? "
                "WHERE tournament = ?",
                [*head_columns(signed), stream],
            )
        done = 0
        for batch in batches:
            _load_batch(connection, batch)
            done += len(batch.logs)
            tell(done)


def head_columns(signed: SignedPrefix) -> tuple[int, str | None, bool]:
    """Return what the table of tournaments has of a head."""
    return signed.size, signed.by or None, signed.by_policy


def remove(connection: DuckDBPyConnection, tournaments: Iterable[str]) -> None:
    """Take every row of these tournaments out."""
    gone = list(tournaments)
    if gone:
        for name in (*(table.name for table in tables()), "leaves"):
            connection.execute(
                f"DELETE FROM {name} WHERE list_contains($gone, tournament)",  # noqa: S608 - our own name
                {"gone": gone},
            )


def _load_batch(connection: DuckDBPyConnection, batch: Batch) -> None:
    connection.execute(sql("tables/working"))
    _enter_logs(connection, batch.logs)
    for kind in ROW_FILES:
        _read_rows(connection, batch, kind)
    for kind in SQL_FILES:
        connection.execute(sql(f"tables/{kind}"), {"files": batch.files(kind)})
    derive(connection, batch)


def derive(connection: DuckDBPyConnection, batch: Batch, steps: Sequence[str] = STEPS) -> None:
    """Derive all that SQL can say, beside the working tables of the batch's logs."""
    for kind in LINES:
        connection.execute(f"SET VARIABLE {kind} = $files", {"files": batch.files(kind)})
    for step in steps:
        connection.execute(sql(f"deriving/{step}"))


def _enter_logs(connection: DuckDBPyConnection, logs: list[Logged]) -> None:
    texts = {text: parse(text) for text in dict.fromkeys(x.ruleset for x in logs)}
    numbers = {text: number for number, text in enumerate(texts)}
    full = {text: (rules.full_win.name, rules.full_points) for text, rules in texts.items()}
    rows = (
        (x.log, x.tournament, x.size, x.root, numbers[x.ruleset], *head_columns(x.signed))
        + full[x.ruleset]
        for x in logs
    )
    columns = list(map(list, zip(*rows, strict=True)))
    connection.execute(
        f"INSERT INTO logs SELECT {', '.join(['unnest(?)'] * len(columns))}", columns
    )
    letters = [(n, *each) for text, n in numbers.items() for each in texts[text].records.items()]
    connection.executemany("INSERT INTO letters VALUES (?, ?, ?)", letters)


def _read_rows(connection: DuckDBPyConnection, batch: Batch, kind: str) -> None:
    """Read a file of rows into the working table of the same columns."""
    described = connection.execute(f"DESCRIBE {kind}").fetchall()
    columns = ", ".join(f"{name}: '{of}'" for name, of, *_ in described)
    connection.execute(
        f"INSERT INTO {kind} BY NAME FROM read_json($files, "
        f"format = 'newline_delimited', columns = {{{columns}}})",
        {"files": batch.files(kind)},
    )
