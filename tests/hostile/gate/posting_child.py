"""Lines posted to a hall in a process of its own, between two marks that a system-call trace shows.

`python -m tests.hostile.gate.posting_child STRANGER` posts every line that names a file of the
folder STRANGER, a line of each verb, and every command. With HAS_FILES in the environment a page's
desk has files, in the hall and in its reader: the control, which the trace has to show.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from cli.desk.machine_files import Files
from cli.desk.session import ReadingDesk
from cli.outside import TO_TERMINAL
from cli.serve.commands import SENT
from tests.hostile.gate.served_day import OFFICIALS, ORGANIZER, SENTINEL
from tests.hostile.gate.spelled_lines import lines_with
from tests.hostile.gate.test_commands_reach_no_files import spelled, values_of
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from tests.support.hall import Browser

HAS_FILES = "GATE_HAS_FILES"
if HAS_FILES in os.environ:  # as each process of the hall imports this module
    ReadingDesk.files = Files()  # type: ignore[assignment] # the control
    ReadingDesk.grants = TO_TERMINAL

BEGIN, END = "/mark-of-the-first-line", "/mark-of-the-last-line"
WARM = ("explain pairing 1/1", "drop #1", "lists", "standings", "match 1/1", "whatif 1/1 #1")


def post_all(browser: Browser, stranger: Path) -> None:
    """Post what is tried; raise if an answer shows the secret."""
    secret = str(stranger / "creds.env")
    lines = [line for line in lines_with(secret) if line.is_for_pages]
    first = {line.path: line for line in reversed(lines)}
    lines = [line for line in lines if line.names_file or first[line.path] is line]
    for number, (who, line) in enumerate(zip(cycle(OFFICIALS), lines, strict=False)):
        browser.who = official(who)
        data = {"id": f"abcdefg{number:08}", "at": "/desk", "seen": "10000", "line": line.typed}
        to = "/line" if number % 5 == 0 else "/line/reading"
        answer = browser.post(to, data=data, headers={"origin": HERE}, follow_redirects=False)
        assert HAS_FILES in os.environ or SENTINEL not in answer.text, line
    for number, (text, command) in enumerate(zip(cycle(spelled(secret)), SENT, strict=False)):
        browser.who = official(ORGANIZER)
        answer = browser.act(next(values_of(command, text)), f"abcdefgh{number:08}")
        assert SENTINEL not in answer.text, command


def mark(name: str) -> None:
    """Ask for a file that is missing: a trace shows the call."""
    with suppress(OSError):
        Path(name).stat()


def main() -> None:
    """Serve the event of this folder, and post."""
    with hall_open(official(ORGANIZER)) as browser:
        for line in WARM:  # its modules are loaded, and the reader runs
            browser.line(line)
        mark(BEGIN)
        post_all(browser, Path(sys.argv[1]))
        mark(END)


if __name__ == "__main__":
    main()
