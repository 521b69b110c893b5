"""Where an engine is: DuckDB in this very program, or Spark by what Spark calls its master."""

from __future__ import annotations

import re

from cli.input.arguments import UsageError

DUCKDB = "duckdb"

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
