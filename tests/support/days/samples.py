"""The samples of the current editions: `python -m tests.support.days.samples` writes them anew."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from tests.support.days import (
    sample_ashes,
    sample_kinds,
    sample_l5r,
    sample_legacy,
    sample_legion,
    sample_runewars,
)
from tests.support.days.sample_desk import DAYS, KINDS_OF_EVENTS, sample_desk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.support.days.sample_desk import SampleDesk


class Sample(NamedTuple):
    """A day's script, its title, and when it begins, in UTC."""

    play: Callable[[SampleDesk], None]
    title: str
    begins: str
    folder: Path = DAYS


def _kind(play: Callable[[SampleDesk], None], title: str) -> Sample:
    return Sample(play, title, "2026-11-21T08:02:17", KINDS_OF_EVENTS)


SAMPLES: Mapping[str, Sample] = {
    "l5r-24": Sample(sample_l5r.play, "Frostgate Kotei", "2026-11-07T07:31:12"),
    "runewars-32": Sample(sample_runewars.play, "Ravine Regional", "2026-10-17T07:04:40"),
    "ashes-36": Sample(sample_ashes.play, "Ashfall Open", "2026-10-24T07:12:25"),
    "legion-28": Sample(sample_legion.play, "Pale Moon Regional", "2026-10-31T06:48:03"),
    "l5r-legacy-12": Sample(sample_legacy.play, "Lotus Evening", "2026-11-12T17:06:51"),
    "import": _kind(sample_kinds.imported, "Autumn League"),
    "forgotten": _kind(sample_kinds.forgotten, "Moss Cup"),
    "renewed-keys": _kind(sample_kinds.renewed, "Fern Cup"),
    "fork": _kind(sample_kinds.forked, "Reed Cup"),
    "draft": _kind(sample_kinds.drafted, "Clay Draft"),
    "confirmed": _kind(sample_kinds.confirmed, "Rush Night"),
    "witnessed": _kind(sample_kinds.witnessed, "Sedge Cup"),
    "guessed-links": _kind(sample_kinds.guessed, "Marsh Cup"),
}


def write(name: str, folder: Path) -> None:
    """Play a day and write it with its head."""
    sample = SAMPLES[name]
    with sample_desk(sample.title, sample.begins) as day:
        sample.play(day)
        day.export(folder, name)


def main(names: list[str]) -> None:
    """Write the named samples, or all."""
    for name in names or SAMPLES:
        write(name, SAMPLES[name].folder)


if __name__ == "__main__":
    main(sys.argv[1:])
