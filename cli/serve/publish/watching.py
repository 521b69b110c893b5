"""Published again after each act, until it is ended; what goes wrong is said once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cli.serve.publish.files import site
from cli.serve.publish.folder import write_site
from cli.terminal.output import say
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from pathlib import Path
    from threading import Event

    from cli.desk.session import Desk

POLL_SECONDS = 0.5
"""How often the store is asked for what other desks have written."""


REST = 4
"""How many times as long as a writing took nothing is written: the hall has the processor first."""


def write(desk: Desk, folder: Path) -> int:
    """Write the files once; returns how many there are, and says what is left out."""
    made = site(desk)
    count = write_site(folder, desk.book.stream, made.files.items())
    for text in made.said:
        say(f"{folder}: {text}")
    return count


def follow(desk: Desk, folder: Path, ended: Event, written: int) -> None:
    """Write again whenever the log has grown beyond an event, until `ended` is set."""
    problem, took = "", 0.0
    while not ended.wait(max(POLL_SECONDS, REST * took)):
        begun, took = time.monotonic(), 0.0
        try:
            book = desk.book.refresh()
            if len(book.lines) == written:
                continue
            made, written = site(desk), len(book.lines)
            write_site(folder, book.stream, made.files.items())
            problem, took = "", time.monotonic() - begun
        except LedgerError as error:
            if problem != str(error):
                say(f"{folder}: {error}")
            problem, written = str(error), 0
