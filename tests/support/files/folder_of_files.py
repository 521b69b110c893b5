"""A folder with files of every format that `import` reads, and of some that it passes over.

Files of other programs are those of `foreign_files.py`; sheets of rounds are made here, some of
them with rows about their event; logs are simulated days. Published files are added if they are
next to this checkout.
"""

from __future__ import annotations

import random
import shutil
from itertools import cycle, islice
from typing import TYPE_CHECKING

from tests.support.files.foreign_files import foreign_files
from tests.support.files.played_events import name_of
from tests.support.season import write_log
from tests.support.shared import SHARED
from tests.support.simulate import play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG_SIZES = (16, 24, 32, 48)


def sheet(seed: int, *, with_event: bool = True) -> bytes:
    """Return a sheet of Magic rounds, by the circle method; `with_event` says what it is of."""
    chance = random.Random(f"sheet {seed}")
    people = 2 * chance.randint(4, 10)
    rows = ["round,table,player1,player2,games1,games2"]
    if with_event:
        day = f"2024-{seed % 12 + 1:02}-{seed % 28 + 1:02}"
        rows += [f"event,,name,Sheet {seed},,", f"event,,date,{day},,", "event,,ruleset,mtg,,"]
    for round_ in range(1, chance.randint(3, 5) + 1):
        others = list(range(2, people + 1))
        turned = [1, *others[round_:], *others[:round_]]
        for table in range(people // 2):
            names = [name_of(turned[table]), name_of(turned[-1 - table])]
            games = chance.choice([(2, 0), (2, 1), (1, 2), (0, 2)])
            rows.append(f"{round_},{table + 1},{names[0]},{names[1]},{games[0]},{games[1]}")
    return "".join(f"{row}\n" for row in rows).encode()


def _files(folder: Path, kind: str) -> Iterator[Path]:
    """Write files of one kind, one after the other, without an end."""
    if kind == "foreign":
        seed = 0
        while True:
            for file in foreign_files(seed):
                path = folder / f"{file.name}{file.suffix}"
                path.write_bytes(file.data)
                yield path
            seed += 1
    for seed in range(1, 1_000_000):
        if kind == "sheet":
            path = folder / f"sheet-{seed}.csv"
            path.write_bytes(sheet(seed, with_event=seed % 4 != 0))
            yield path
        else:
            size = LOG_SIZES[seed % len(LOG_SIZES)]
            day = play(seed, size, structure="advanced")
            yield write_log(folder / f"day-{seed}.jsonl", day.lines)


def fill(folder: Path, count: int) -> list[Path]:
    """Write that many tournaments of every format into a folder, and return their paths.

    Sheets without rows about their event need `--ruleset mtg` and `--date`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for place in sorted((SHARED / "real").rglob("*.json"))[: count // 4]:
        paths.append(folder / f"published-{place.name}")
        shutil.copyfile(place, paths[-1])
    kinds = ("foreign",) * 7 + ("sheet",) * 2 + ("log",)
    made = {kind: _files(folder, kind) for kind in kinds}
    paths += [next(made[kind]) for kind in islice(cycle(kinds), count - len(paths))]
    return sorted(paths)


def add_others(folder: Path) -> list[Path]:
    """Add files that are not tournaments, and return their paths."""
    contents = {
        "README.md": b"# Results\n",
        "players.csv": b"name,faction\nAnn Lee,Crane\n",
        "package.json": b'{"name": "results", "version": "1"}',
        "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "old.zip": b"PK\x03\x04 and so on",
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return sorted(folder / name for name in contents)
