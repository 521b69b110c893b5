"""The machine around the program: its clock, random ids, and the parts that a verb may touch.

Each kind of caller grants some of these parts to a verb.
"""

from __future__ import annotations

import os
from enum import Flag, auto
from typing import TYPE_CHECKING

from ledger.marking import marked

if TYPE_CHECKING:
    from datetime import datetime

    from ledger.problems import Phrase


def draw_id() -> str:
    """Draw a command's id: 128 random bits in hex."""
    return os.urandom(16).hex()


def now() -> str:
    """Read the clock as a line holds it: UTC, in milliseconds. No other code reads the date."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment() -> datetime:
    """Return the same as a moment."""
    from datetime import datetime

    return datetime.fromisoformat(now())


def environment_elsewhere() -> dict[str, str]:
    """Return the environment for this program in another folder: nothing points to this desk."""
    from pathlib import Path

    variables = {name: text for name, text in os.environ.items() if not name.startswith("TOURNEY_")}
    paths = [str(Path(__file__).resolve().parents[1]), variables.get("PYTHONPATH", "")]
    return variables | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


class Touches(Flag):
    """Parts of a machine, each granted or not."""

    LOG = auto()
    """The lines of the tournament, to be read."""

    STORE = auto()
    """The store of the tournament with its vault: its acts, their signed heads, its draws."""

    KEYS = auto()
    """Private keys of this machine: made, opened, revoked, or used to sign on request."""

    FILES_IN = auto()
    """Files, folders, seasons, policies and keys that the line names, to be read."""

    FILES_OUT = auto()
    """Files, folders and seasons that the line names, to be written."""

    NETWORK = auto()
    """Ports, other machines and the names of this one."""

    PROCESSES = auto()
    """Further processes."""

    TERMINAL = auto()
    """What is typed after the line, and the terminal itself until Ctrl-C."""

    @property
    def in_words(self) -> Phrase:
        """The parts, as a refusal lists them."""
        from ledger import problems  # help needs none

        parts = tuple(problems.Phrase(_IN_WORDS[part]) for part in self)
        return problems.phrase("{parts}", parts=parts)


LOG, STORE, KEYS, NETWORK = Touches.LOG, Touches.STORE, Touches.KEYS, Touches.NETWORK
PROCESSES, TERMINAL = Touches.PROCESSES, Touches.TERMINAL
NOTHING = Touches(0)

_IN_WORDS = {
    Touches.LOG: marked("the log"),
    Touches.STORE: marked("the store"),
    Touches.KEYS: marked("private keys"),
    Touches.FILES_IN: marked("input files"),
    Touches.FILES_OUT: marked("output files"),
    Touches.NETWORK: marked("the network"),
    Touches.PROCESSES: marked("other processes"),
    Touches.TERMINAL: marked("the terminal"),
}

TO_TERMINAL = ~NOTHING
"""What a line that was typed at this machine may touch: everything."""

TO_PAGE = LOG | STORE
"""What a line from a page of the hall may touch: the tournament."""

TO_FILE = LOG
"""The part for a line with `--log FILE`: the lines of the file."""
