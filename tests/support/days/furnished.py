"""The empty event of a rehearsal: made once in a process, copied for every further rehearsal."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def furnished_once() -> Iterator[None]:
    """Let rehearsals in the block play in copies of one event, each in a folder of its own."""
    from cli.serve.rehearsals import rehearsal  # noqa: PLC0415 - needs the extra `serve`

    furnish = rehearsal.furnish

    def copied(folder: Path, players: int, rounds: int) -> dict[str, str]:
        made, secrets = _furnished(furnish, players, rounds)
        shutil.copytree(made, folder, dirs_exist_ok=True)
        return secrets

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "furnish", copied)
        yield


@cache
def _furnished(
    furnish: Callable[[Path, int, int], dict[str, str]], players: int, rounds: int
) -> tuple[Path, dict[str, str]]:
    folder = Path(tempfile.mkdtemp(prefix="tourney-furnished-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder, furnish(folder, players, rounds)
