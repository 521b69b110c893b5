"""Where an engine is: DuckDB in this very program, or Spark by what Spark calls its master."""

from __future__ import annotations

import re
from contextlib import closing

from cli.input.arguments import UsageError
from ledger.errors import StoreUnavailable

DUCKDB = "duckdb"
SECONDS_TO_ANSWER = 5.0

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}"
_MASTER = re.compile(
    rf"spark://{_HOST}(?:,{_HOST})*"
    r"|local(?:\[(?:\*|[1-9][0-9]{0,3})\])?"
    r"|local-cluster\[[1-9][0-9]{0,2},[1-9][0-9]{0,2},[1-9][0-9]{2,6}\]"
    rf"|yarn|k8s://(?:https?://)?{_HOST}"
)


def is_spark(engine: str) -> bool:
    """Whether an engine is Spark; UsageError of what is no engine."""
    if engine == DUCKDB:
        return False
    if not _MASTER.fullmatch(engine):
        known = (
            "duckdb, spark://HOST:PORT, local[2], local-cluster[2,1,1024], yarn or k8s://HOST:PORT"
        )
        raise UsageError(f"no engine {engine!r}: it is {known}")
    return True


def is_here(master: str) -> bool:
    """Whether Spark runs on this machine, started for this question and ended with it."""
    return master.startswith("local")


def is_local_cluster(master: str) -> bool:
    """Whether it is Spark's cluster to try on: workers that are processes of this machine."""
    return master.startswith("local-cluster")


def refuse_absent(master: str) -> None:
    """Refuse a master of Spark's own where nobody answers; the others are asked by Spark."""
    if not master.startswith("spark://"):
        return
    import socket

    why = ""
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            with closing(
                socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER)
            ):
                return
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
    raise StoreUnavailable(f"{master} does not answer ({why}): is that engine running?")
