"""The fixtures of these tests: a typed day, a secret file of the server, and who posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hostile.gate.served_day import ORGANIZER, SENTINEL, Sender, type_day
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, official

if TYPE_CHECKING:
    from collections.abc import Iterator
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


@pytest.fixture
def sender(day: Desk) -> Iterator[Sender]:
    with hall_open(official(ORGANIZER)) as browser:
        yield Sender(browser, day)
