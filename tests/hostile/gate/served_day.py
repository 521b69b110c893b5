"""A served day with a secret file next to it, and a browser whose opened files are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.files.opened_files import files_opened, outside
from tests.support.hall import HERE, official

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cli.serve.visitors import Visitor
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

OFFICIALS = ORGANIZER, JUDGE, SCOREKEEPER, STOOD_DOWN = (1, 2, 3, 4)
SENTINEL = "sentinel-6f1d0c"

OWN = ("tourney.db", ".tourney")
"""How the names of the day's own files begin: the store with its vault, and what a desk keeps."""


def type_day(desk: Desk) -> Desk:
    """Type a day: four players of whom two have reported, and an official of each kind."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("official", "add", "Pat Jones", "--role", "judge")
    desk.done("official", "add", "Sam Poe", "--role", "scorekeeper")
    desk.done("official", "add", "Una Wells", "--role", "scorekeeper")
    desk.done("official", "stand-down", "Una Wells")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("report", "1", f"#{desk.seats(1)[0]}")
    return desk


class Sender:
    """Posts to the hall, and keeps the files that were opened and what was answered."""

    def __init__(self, browser: Browser, desk: Desk) -> None:
        self.browser, self.folder = browser, desk.folder
        self.opened: list[str] = []
        self.answers: list[str] = []
        self.sent = 0

    def send(self, to: str, who: int, **fields: str) -> str:
        """Post the fields of a form as an official; return the answer."""
        self.sent += 1
        carried = {"id": f"abcdefg{self.sent:08}", "at": "/desk", "seen": "10000"}
        return self._kept(to, official(who), data=carried | fields)

    def act(self, who: Visitor, command: Mapping[str, object]) -> str:
        """Send a command as a program does; return the answer."""
        self.sent += 1
        value = {"id": f"abcdefg{self.sent:08}", "command": command}
        return self._kept("/api/v1/acts", who, json=value)

    def _kept(self, to: str, who: Visitor, **body: object) -> str:
        self.browser.who = who
        with files_opened() as kept:
            answer = self.browser.post(
                to,
                headers={"origin": HERE},
                follow_redirects=False,
                **body,  # type: ignore[arg-type] # the form's fields, or the value
            )
        self.opened += kept
        self.answers.append(answer.text)
        return answer.text

    def reached(self) -> set[str]:
        """Return what was opened, run or connected to apart from the event's own files."""
        return outside(self.opened, *(str(self.folder / name) for name in OWN))


def is_unharmed(sender: Sender, folder: Path) -> bool:
    """Whether no file was reached, read into an answer, made or changed."""
    assert not sender.reached(), sorted(sender.reached())[:9]
    assert not [answer for answer in sender.answers if SENTINEL in answer]
    assert [path.name for path in folder.iterdir()] == ["creds.env"]
    assert SENTINEL in (folder / "creds.env").read_text("utf-8")
    return True
