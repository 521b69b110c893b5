"""Several desks in one folder, each a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import Desk

if TYPE_CHECKING:
    from pathlib import Path


def by_turns(folder: Path, label: str, count: int) -> list[int]:
    """Act and look at one desk of a shared folder; returns every exit code."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(folder, patch)
        patch.setenv("TOURNEY_KEYS", ".tourney-keys")
        codes = []
        for number in range(count):
            codes.append(desk.type("official", "add", f"{label} {number}", "--role", "judge").code)
            codes.append(desk.type("list").code)
        return codes
