"""What Spark says against a question or a task, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ledger.errors import LedgerError, Refused, StoreUnavailable


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
        raise Refused(f"Spark cannot answer {what}: {one_line(error)}") from None
    except (PySparkException, Py4JError, OSError) as error:
        raise StoreUnavailable(f"Spark broke off at {what}: {one_line(error)}") from None


def one_line(error: BaseException) -> str:
    """Return what Spark says of an error, without the path that Java's programs took to it."""
    lines = str(getattr(error, "java_exception", None) or error).strip().splitlines()
    of_python = bool(lines) and "Python worker" in lines[0]
    said = lines[-1 if of_python else 0] if lines else type(error).__name__
    return " ".join(said.split())[:300]
