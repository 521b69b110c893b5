"""From logs that were checked to the season's tables, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Final

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

    from ledger.rulesets import Ruleset
    from projections.season.spooling import Batch
    from projections.season.spooling import Logged

TOLD = ("finishes", "qualified", "unconfirmed", "set_up", "hashed")
"""What comes in files of rows beside the lines, each into the working table of that name."""

TIEBREAKERS: Final = "MAP(VARCHAR, STRUCT(exact VARCHAR, value DOUBLE))"


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
    connection.execute(sql("standings"), {"files": batch.files("standings")})
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
    _enter_rulesets(connection, {number: parse(text) for text, number in numbers.items()})


def _enter_rulesets(connection: DuckDBPyConnection, rulesets: dict[int, Ruleset]) -> None:
    """Tell what each outcome counts as, and by which codes tiebreakers are known."""
    letters = [
        (number, outcome, letter)
        for number, ruleset in rulesets.items()
        for outcome, letter in ruleset.records.items()
    ]
    connection.executemany("INSERT INTO letters VALUES (?, ?, ?)", letters)
    cases = " ".join(
        f"WHEN {number} THEN {_named_by_code(ruleset)}" for number, ruleset in rulesets.items()
    )
    connection.execute(
        "CREATE OR REPLACE TEMP MACRO tiebreakers_of(ruleset, exact, value) AS "
        f"CASE ruleset {cases} END"
    )


def _named_by_code(ruleset: Ruleset) -> str:
    """What gives tiebreakers by their codes: capital letters and digits, as a ruleset has them.

    A cast of columns to a map costs a fifth of a map that is made of lists.
    """
    entries = ", ".join(
        f"'{each.code}': {{'exact': exact[{place}], 'value': value[{place}]}}"
        for place, each in enumerate(ruleset.tiebreakers, start=1)
    )
    return f"{'' if entries else 'MAP '}{{{entries}}}::{TIEBREAKERS}"


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
