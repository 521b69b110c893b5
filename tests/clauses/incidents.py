"""The incidents of `incidents.toml`: `python -m tests.clauses.incidents` prints them as a table.

`wrong_acts.toml` has days of the same form, on which nearly every act is refused.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ACTS = {"+": "allow", "-": "forbid", "?": "ask", "!": "find"}
"""What a line of a play begins with, and what the program must do with the command behind it."""


class Step(NamedTuple):
    """A command that is typed, what must become of it, and what the answer must say."""

    act: str
    command: str
    says: list[str]


@cache
def incidents() -> list[dict[str, Any]]:
    """Read the table."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["incident"]
    return rows


@cache
def days_of_wrong_acts() -> list[dict[str, Any]]:
    """Read the days of the wrong acts."""
    text = Path(__file__).with_name("wrong_acts.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["day"]
    return rows


def steps(play: str) -> list[Step]:
    """Read a play: a command to a line, and below it, indented, what the answer says.

    `!` is a check that is recorded and finds something: its exit code is 1.
    """
    read: list[Step] = []
    for line in play.strip().splitlines():
        if line[0] in ACTS:
            read.append(Step(ACTS[line[0]], line[1:].strip(), []))
        else:
            read[-1].says.append(line.strip())
    return read


def table() -> str:
    """Write the table as Markdown, without the plays."""
    columns = ("games", "incident", "clauses", "says", "allow", "forbid", "ask", "tell")
    lines = ["| " + " | ".join(columns) + " |", "| --- " * len(columns) + "|"]
    for row in incidents():
        cells = (row[name] for name in columns)
        texts = (cell if isinstance(cell, str) else ", ".join(cell) for cell in cells)
        lines.append("| " + " | ".join(texts) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
