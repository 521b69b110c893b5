"""All of stderr: what happened, what comes next, and refusals as one line each."""

from __future__ import annotations

import sys
from contextlib import suppress

from cli.terminal.overhearing import overheard
from cli.terminal.streams import flush
from cli.terminal.tables import broken, terminal_width
from cli.terminal.visible import visible

PROGRAM = "tourney"
TRACE_VARIABLE = "TOURNEY_TRACE"
"""Set while a fault of ours is looked for: it is raised then, and not only said."""

LINE_CHARACTERS_MAX = 2_000
"""The longest message: what a hostile file or name puts into one is cut off there."""


def say(text: str) -> None:
    """Print one line of talk, broken at words where a terminal shows it."""
    line = visible(text)
    if len(line) > LINE_CHARACTERS_MAX:
        line = line[: LINE_CHARACTERS_MAX - 1] + "…"
    if kept := overheard():
        kept.said.append(line)
        return
    flush()
    with suppress(OSError, ValueError):  # nobody reads on: the exit code still tells
        lines = broken(line, terminal_width(sys.stderr)) if sys.stderr.isatty() else [line]
        sys.stderr.write("".join(f"{each}\n" for each in lines))


def complain(text: str) -> None:
    """Print one line that says what is wrong."""
    say(f"{PROGRAM}: {text}")
