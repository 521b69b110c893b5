"""Two desks on one store, each with a key folder and a machine name of its own."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

PHRASE = "TOURNEY_PASSPHRASE"
OWN, HALL = "olgas-laptop", "hall-desk"
SAVED, LOG = "day.backup", "day.jsonl"
NEW = ("new", "Library Night", "--ruleset", "l5r", "--organizer", "Kim Larsen", "--draw-key")


class Event(NamedTuple):
    """A day whose key of the draws is a file at the organizer's desk."""

    desk: Desk
    location: str

    def go_to(self, machine: str) -> Desk:
        """Be at the desk of a machine."""
        self.desk.patch.setenv("TOURNEY_KEYS", f"{machine}-keys")
        self.desk.patch.setattr(socket, "gethostname", lambda: machine)
        return self.desk

    def refused(self, *words: str) -> str:
        """What the one line says to an act that is refused, and writes nothing."""
        lines, vault = self._stored()
        answer = self.desk.type(*words)
        assert answer.code == 1, (words, answer)
        assert answer.err.count("\n") == 1, answer.err
        assert self._stored() == (lines, vault)
        return answer.err

    def _stored(self) -> tuple[list[bytes], dict[str, bytes]]:
        with open_store(self.location) as store:
            stream = store.streams()[0]
            return store.lines(stream), store.vault_items(stream)

    def file(self, machine: str = OWN) -> Path:
        """The file of the key of the draws at a machine."""
        (found,) = self.desk.folder.glob(f"{machine}-keys/draws-*.key")
        return found

    def key(self) -> bytes:
        """The key itself, of a file without a passphrase."""
        found = re.fullmatch(r"PRIVATE\+DRAWS\+[0-9a-f]{32}\+([0-9a-f]{64})\n", self.text())
        assert found is not None
        return bytes.fromhex(found[1])

    def text(self) -> str:
        """What is in the file."""
        return self.file().read_text("ascii")

    def play(self) -> None:
        """Pair a round, and report it."""
        self.desk.done("pair")
        self.desk.report_all()


def opened(desk: Desk, location: str, *words: str) -> Event:
    """An event of four that has not started."""
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    desk.done(*NEW, "here", *words)
    names = "".join(f"Player {number:02}\n" for number in range(1, 5))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    return event


@pytest.fixture
def event(desk: Desk, location: str) -> Event:
    """On each kind of store, two rounds announced, nobody paired."""
    event = opened(desk, location)
    desk.done("start", "custom", "--rounds", "2", "--word", "plum")
    return event
