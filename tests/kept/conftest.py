"""The set as files, and desks in copies of its folders."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kept.asking import PHRASE, unpack
from tests.support.cli_desk import Desk

if TYPE_CHECKING:
    from collections.abc import Callable

ARCHIVE = Path(__file__).with_name("set.tar.xz")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The set as files."""
    folder = tmp_path_factory.mktemp("kept")
    unpack(ARCHIVE, folder)
    return folder


@pytest.fixture
def at(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Desk]:
    """A desk in a copy of a folder of the set."""

    def opened(scene: str) -> Desk:
        monkeypatch.setenv("TOURNEY_PASSPHRASE", PHRASE)
        return Desk(Path(shutil.copytree(kept / scene, tmp_path / scene)), monkeypatch)

    return opened
