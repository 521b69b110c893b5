"""The served hall in a test: a browser that asks and posts as a person would, and who it is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from cli.desk import session
from cli.input.arguments import Options
from cli.serve.app import app_of
from cli.serve.hall import Hall
from cli.serve.visitors import NOBODY, Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

HERE = "http://127.0.0.1:8600"


def opened() -> Hall:
    """The event in hand in this directory."""
    return Hall(session.Desk(Options(), []))


class Browser(TestClient):
    """Asks and posts; `who` is taken for whoever asks."""

    who: Visitor = NOBODY

    def act(self, command: dict[str, Any], command_id: str = "abcdefgh", **more: str) -> Response:
        """Send an act as a program does."""
        value = {"id": command_id, "command": command, **more}
        return self.post("/api/v1/acts", json=value, headers={"origin": HERE})

    def do(self, name: str, command_id: str = "abcdefgh", **fields: str) -> Response:
        """Post a form as a page does; where it leads to is not followed."""
        data = {"id": command_id, **fields}
        headers = {"origin": HERE}
        return self.post(f"/do/{name}", data=data, headers=headers, follow_redirects=False)


@contextmanager
def hall_open(who: Visitor = NOBODY) -> Iterator[Browser]:
    """Open the event in hand to a browser, of a visitor who needs no link."""

    async def visitors(_: object) -> Visitor:
        return browser.who

    browser = Browser(app_of(opened(), visitors), base_url=HERE)
    browser.who = who
    with browser:
        yield browser


def player(number: int) -> Visitor:
    """A player who has signed in."""
    return Visitor(f"p{number}", player=number)


def official(number: int) -> Visitor:
    """An official who has signed in."""
    return Visitor(f"o{number}", official=number)
