"""The sample days of the current editions: `python -m tests.support.samples` writes them anew."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.support.days import sample_ashes, sample_l5r, sample_legacy, sample_legion, sample_runewars
from tests.support.days.sample_desk import DAYS, sample_desk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.support.days.sample_desk import SampleDesk

PLAYED: Mapping[str, tuple[Callable[[SampleDesk], None], str, str]] = {
    "l5r-24": (sample_l5r.play, "Frostgate Kotei", "2026-11-07T07:31:12"),
    "runewars-32": (sample_runewars.play, "Ravine Regional", "2026-10-17T07:04:40"),
    "ashes-36": (sample_ashes.play, "Ashfall Open", "2026-10-24T07:12:25"),
    "legion-28": (sample_legion.play, "Pale Moon Regional", "2026-10-31T06:48:03"),
    "l5r-legacy-12": (sample_legacy.play, "Lotus Evening", "2026-11-12T17:06:51"),
}
"""Each day's script, its title, and when it begins."""


def write(name: str, folder: Path) -> None:
    """Play a day and write it with its head."""
    play, title, begins = PLAYED[name]
    with sample_desk(title, begins) as day:
        play(day)
        day.export(folder, name)


def main(names: list[str]) -> None:
    """Write the named days, or all."""
    for name in names or PLAYED:
        write(name, DAYS)


if __name__ == "__main__":
    main(sys.argv[1:])
