"""Chunks of a season derived as tasks of Spark: the function of every process, on its workers.

Workers read the logs and write the parts under the paths that they have here, and need this program
installed in their Python. A log in a store is read on the machine of the store, by no worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.problems import phrase
from projections.season.loading.deriving import Chunk, ChunkLog, DerivedChunk, derive_chunk
from projections.season.loading.sources import FileLog

if TYPE_CHECKING:
    from pyspark import SparkContext

    from projections.season.loading.deriving import Derive


@contextmanager
def in_one_line(what: str) -> Iterator[None]:
    """Say what Spark has against something: Refused of its words, StoreUnavailable if it fails."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - with Spark
    from pyspark.errors import AnalysisException, ParseException, PySparkException  # noqa: PLC0415 - two seconds that others save

    try:
        yield
    except LedgerError:
        raise
    except (AnalysisException, ParseException) as error:
        raise Refused(
            phrase("Spark cannot answer {what}: {one_line}", what=what, one_line=one_line(error))
        ) from None
    except (PySparkException, Py4JError, OSError) as error:
        raise StoreUnavailable(
            phrase("Spark stopped at {what}: {one_line}", what=what, one_line=one_line(error))
        ) from None


def one_line(error: BaseException) -> str:
    """Return what Spark says of an error, without the path that Java's programs took to it."""
    lines = str(getattr(error, "java_exception", None) or error).strip().splitlines()
    of_python = bool(lines) and "Python worker" in lines[0]
    said = lines[-1 if of_python else 0] if lines else type(error).__name__
    return " ".join(said.split())[:300]


def in_tasks(context: SparkContext) -> Derive:
    """Return what derives each chunk as a task of its own."""

    def derive_all(chunks: Sequence[Chunk], season: Path, room: Path) -> Iterable[DerivedChunk]:
        if not chunks:
            return []
        given = [replace(each, logs=tuple(map(_for_workers, each.logs))) for each in chunks]
        task = partial(derive_in_task, season=season.resolve(), room=room.resolve())
        with in_one_line("deriving"):
            found: list[DerivedChunk | LedgerError] = (
                context.parallelize(given, len(given)).map(task).collect()
            )
        return list(map(_unless_wrong, found))

    return derive_all


def derive_in_task(chunk: Chunk, season: Path, room: Path) -> DerivedChunk | LedgerError:
    """Derive a chunk, or return why that cannot be: errors of a task go through Java's words."""
    try:
        return derive_chunk(chunk, season, room)
    except LedgerError as error:
        return error
    except OSError as error:
        why = f"a worker cannot write to {room}: {error.strerror}"
        return StoreUnavailable(
            phrase("{why}; workers need the season's folder under the same path", why=why)
        )


def _unless_wrong(found: DerivedChunk | LedgerError) -> DerivedChunk:
    if isinstance(found, LedgerError):
        raise found
    return found


def _for_workers(log: ChunkLog) -> ChunkLog:
    if log.source is None:
        return log
    if not isinstance(log.source, FileLog):
        raise Refused(
            phrase(
                "{where} is in a store, which workers cannot read: export it first",
                where=log.source.where,
            )
        )
    return replace(log, source=log.source.from_anywhere())
