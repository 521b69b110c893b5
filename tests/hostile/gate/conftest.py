"""The fixtures of these tests: a typed day, a secret file of the server, and who posts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from cli.serve.reader import HallReader, ReadersDesk
from tests.hostile.gate.served_day import ORGANIZER, SENTINEL, Sender, type_day
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, official

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

day = typed_once(type_day)


@pytest.fixture
def stranger(day: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the server with a secret file, which no page may read or change."""
    del day
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "creds.env").write_text(f"name\nPASSWORD={SENTINEL}\n", "utf-8")
    return folder


async def _answered_here(
    self: HallReader,
    position: int,
    work: Callable[..., object],
    *given: object,
    is_kept: bool = False,
) -> object:
    del position, is_kept

    def answered() -> object:
        desk = ReadersDesk(self._place())
        try:
            return work(desk, *given)
        finally:
            desk.close()

    return await asyncio.to_thread(answered)


@pytest.fixture
def sender(day: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sender]:
    """Who posts to a hall whose reader is this process, as no hook is told of another's files."""
    monkeypatch.setattr(HallReader, "ask", _answered_here)
    monkeypatch.setattr(HallReader, "warm", lambda _: None)
    with hall_open(official(ORGANIZER)) as browser:
        yield Sender(browser, day)
