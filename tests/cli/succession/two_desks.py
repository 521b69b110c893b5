"""Two computers in one test: the hall of the first, and a second one that follows it."""

from __future__ import annotations

import os
from contextlib import chdir, contextmanager
from typing import TYPE_CHECKING, Any

from cli.machine.keyring import follower_path, unlocked
from cli.succession.follower import Follower
from cli.succession.remote import RemoteDesk, _refusal
from ledger.lines.line import encode, unsigned
from ledger.lines.recorded import record, signed
from ledger.proof.formats import Tree
from ledger.proof.notes import base64_of
from ledger.proof.signatures import signed_body
from ledger.store import open_store
from tests.support.hall import HERE, first_round, hall_open, official

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cli.succession.follower import Standing
    from ledger.facts.base import Event
    from ledger.proof.notes import Signer
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

AT = "2026-03-14T09:00:00.000Z"


class Near(RemoteDesk):
    """The hall of the first desk, asked without a network; `tamper` changes what it answers."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        super().__init__(HERE)
        self.browser, self.folder = browser, folder
        self.tamper: Callable[[dict[str, Any]], None] | None = None

    def ask(self, path: str, body: object = None, **headers: str) -> Any:  # noqa: ANN401 - as there
        """Ask the hall; raises as the desk's."""
        with chdir(self.folder):
            if body is None:
                answer = self.browser.get(path)
            else:
                given = {"origin": HERE, **headers}
                answer = self.browser.post(path, json=body, headers=given)
        value = answer.json()
        if answer.status_code >= 400:
            raise _refusal(answer.status_code, value)
        if self.tamper and path == "/api/v1/follow":
            self.tamper(value)
        return value

    def enter(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - as there
        """Post as whoever sits at the browser."""
        return self.ask(path, body)


class TwoDesks:
    """The first desk with its hall, and the folder of the second."""

    def __init__(self, desk: Desk, browser: Browser) -> None:
        self.desk, self.browser = desk, browser
        self.one = desk.folder
        self.two = desk.folder.parent / f"{desk.folder.name}-two"
        self.two.mkdir(exist_ok=True)
        self.near = Near(browser, self.one)
        self.stream = browser.hall.event
        self._follower: Follower | None = None

    def follow(self) -> Standing:
        """Ask once for what is new."""
        with chdir(self.two):
            if self._follower is None:
                store = open_store("tourney.db", create=True)
                self._follower = Follower(store, self.stream, self.near)
            return self._follower.step()

    def begin_again(self) -> None:
        """Be a process that follows anew."""
        self._follower = None

    def type_on_two(self, *words: str, stdin: str = "") -> Any:  # noqa: ANN401 - an Answer
        """Type a line at the second desk."""
        with chdir(self.two):
            return self.desk.type(*words, stdin=stdin)

    def done_on_two(self, *words: str) -> Any:  # noqa: ANN401 - an Answer
        """Type a line there that must succeed."""
        answer = self.type_on_two(*words)
        assert answer.code == 0, (words, answer.err)
        return answer

    def lines_of_two(self) -> list[bytes]:
        """The lines that the second desk has."""
        return list(open_store(str(self.two / "tourney.db")).lines(self.stream))

    def lines_of_one(self) -> list[bytes]:
        """The lines that the first desk has."""
        return list(open_store(str(self.one / "tourney.db")).lines(self.stream))

    def key_of_two(self) -> Signer:
        """The key with which the second desk follows."""
        with chdir(self.two):
            return unlocked(follower_path(self.stream))


@contextmanager
def two_desks(desk: Desk) -> Iterator[TwoDesks]:
    """Open the hall of a first desk, whose organizer sits at it."""
    if not (desk.folder / "tourney.db").exists():
        first_round(desk)
    with hall_open(official(1)) as browser:
        yield TwoDesks(desk, browser)
    os.chdir(desk.folder)


def line_after(lines: list[bytes], event: Event, *, by: str = "o1", own: str = "forged") -> Any:  # noqa: ANN401
    """Put an event behind lines, not signed yet."""
    return record(len(lines) + 1, own, AT, by, event)


def signed_line(lines: list[bytes], event: Event, signer: Signer, tournament: str) -> bytes:
    """Write the next line of a log, signed with a key for a tournament."""
    made = line_after(lines, event)
    root = Tree().add_lines(lines).root()
    message = signed_body(tournament, len(lines), root, unsigned(made))
    return encode(signed(made, base64_of(signer.sign(message))))
