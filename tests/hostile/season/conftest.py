"""What the tests of hostile seasons share: a genuine season, and a desk with a secret."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cli.season import sandbox
from projections import processes
from tests.support.sample_season import write_four
from tests.support.season import take_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

SECRET = "PRIVATE+KEY+secret+of+this+machine"  # noqa: S105 - a sentinel


@pytest.fixture(scope="session")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four logs, a points scheme and the season of them, which nobody signed."""
    folder: Path = tmp_path_factory.mktemp("genuine")
    write_four(folder)
    take_in(folder / "season.duckdb", folder / "logs")
    return folder


@pytest.fixture
def near(desk: Desk, genuine: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with the logs and a secret; what has a process of its own runs in this one."""
    shutil.copytree(genuine / "logs", desk.folder / "logs")
    shutil.copy(genuine / "points.toml", desk.folder)
    (desk.folder / ".tourney-keys").mkdir(mode=0o700)
    (desk.folder / ".tourney-keys" / "log-0.key").write_text(SECRET)
    (desk.folder / "out").mkdir()

    @contextmanager
    def bounded(work: Any, *given: object, **_: object) -> Iterator[Any]:  # noqa: ANN401 - as it
        yield work(*given)

    monkeypatch.setattr(sandbox, "bounded", bounded)
    for module in (sandbox, processes):
        monkeypatch.setattr(module, "limit_memory", lambda: None)
    return desk
