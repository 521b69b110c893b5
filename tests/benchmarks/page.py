"""Measure every row of this folder's page again: `python -m tests.benchmarks.page [FILE ...]`.

Each bench file runs in a process of its own, the peers of its works in the same run. Then the page
is written: what was measured, on which machine, at which commit, when, and whether it was busy.
With names of files only their sections are measured, and the others stay as they are, each with its
own commit and date. A file that does not come to its end in time has no figures, and says so.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PAGE = FOLDER / "README.md"
BEGIN, END = "<!-- measured: `python -m tests.benchmarks.page` writes what follows -->", "<!-- -->"
SECONDS = 300
"""How long one file may take."""

SAID_VARIABLE = "TOURNEY_BENCH_SAID"
"""Names the file that the tests' own lines go to."""

BUSY = 0.3
"""Load for each processor, before anything is measured, from which on a machine counts as busy."""

UNITS = ((1.0, "s", 1.0), (1e-3, "ms", 1e3), (0.0, "µs", 1e6))


class Row(NamedTuple):
    """One work: how long it took in the middle, and half of its rounds."""

    work: str
    median: float
    low: float
    high: float
    rounds: int
    further: str


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what a test said of its figures itself: this module is a plugin of its own runs."""
    place = os.environ.get(SAID_VARIABLE)
    if place and report.when == "call" and report.passed:
        said = [*report.capstdout.splitlines(), *report.capstderr.splitlines()]
        with Path(place).open("a", encoding="utf-8") as file:
            file.write("".join(f"{each.rstrip()}\n" for each in said if each.strip()))


def main() -> int:
    """Measure, write the page, and return 1 if a file could not be measured."""
    parser = ArgumentParser(prog="page", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", help="bench files, such as bench_fold; all without one")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"of a file; {SECONDS}")
    given = parser.parse_args()
    names = [Path(each).stem for each in given.files] or [
        each.stem for each in sorted(FOLDER.glob("bench_*.py"))
    ]
    sections = sections_of(PAGE.read_text("utf-8"))
    failed = []
    for name in names:
        begun, stamp = monotonic(), stamp_now()
        try:
            body = measured(name, given.seconds)
        except (subprocess.SubprocessError, OSError) as error:
            failed.append(name)
            body = [f"Not measured: {type(error).__name__} after {monotonic() - begun:.0f} s."]
        sections[name] = "\n".join([f"### {title_of(name)}", "", stamp, "", *body])
        PAGE.write_text(page_with(PAGE.read_text("utf-8"), sections), "utf-8")
        sys.stderr.write(f"{name}: {monotonic() - begun:.0f} s\n")
    return 1 if failed else 0


def measured(name: str, seconds: int) -> list[str]:
    """Run a bench file, and return the lines of its section."""
    with tempfile.TemporaryDirectory(prefix="tourney-page-") as folder:
        figures, said = Path(folder) / "figures.json", Path(folder) / "said.txt"
        words = ["pytest", str(FOLDER / f"{name}.py"), "-q", "-p", "tests.benchmarks.page"]
        words += ["-p", "no:cacheprovider", "--benchmark-disable-gc", "--benchmark-warmup=on"]
        words += ["--benchmark-max-time=0.5", "--benchmark-min-rounds=5"]
        words += [f"--benchmark-json={figures}", "--benchmark-quiet"]
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env={**os.environ, SAID_VARIABLE: str(said), "COLUMNS": "240"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
        rows = rows_of(json.loads(figures.read_bytes())) if _has_text(figures) else []
        lines = said.read_text("utf-8").splitlines() if said.exists() else []
    if done.returncode and not rows and not lines:
        raise subprocess.SubprocessError(done.stdout[-400:])
    return [*table(rows), *(["", "```", *lines, "```"] if lines else []), *_failures(done.stdout)]


def _has_text(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _failures(output: str) -> list[str]:
    found = re.findall(r"^(?:FAILED|ERROR) \S+?::(\S+)(?: - (.+))?", output, re.MULTILINE)
    lines = [f"* failed: `{name}` ({why or 'no reason given'})" for name, why in found]
    return ["", *lines] if lines else []


def rows_of(figures: dict[str, Any]) -> list[Row]:
    """Return a row for each benchmark of a run."""
    rows = []
    for each in figures["benchmarks"]:
        stats, extra = each["stats"], each["extra_info"]
        work = each["name"].removeprefix("test_").replace("_", " ")
        further = ", ".join(
            f"{key.replace('_', ' ')} {value:,}" for key, value in sorted(extra.items())
        )
        rows.append(Row(work, stats["median"], stats["q1"], stats["q3"], stats["rounds"], further))
    return rows


def table(rows: Iterable[Row]) -> list[str]:
    """Return the lines of a table of works."""
    rows = list(rows)
    if not rows:
        return []
    shown = [
        f"| {each.work} | {in_units(each.median)} | {in_units(each.low)} to {in_units(each.high)} "
        f"| {each.rounds} | {each.further} |"
        for each in rows
    ]
    head = "| work | in the middle | half of the rounds | rounds | |"
    return [head, "| --- | --- | --- | --- | --- |", *shown]


def in_units(seconds: float) -> str:
    """Return a time with three digits: 2.41 ms."""
    _, unit, factor = next(each for each in UNITS if seconds >= each[0])
    value = seconds * factor
    digits = max(0, 2 - len(str(int(value))) + 1)
    return f"{value:,.{digits}f} {unit}"


def title_of(name: str) -> str:
    """Return what a bench file is about: the first line of its docstring."""
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    found = re.match(r'"""(.+?)[.:]?(?:"""|\n)', text)
    return f"`{name}`: {found[1] if found else name}"


def stamp_now() -> str:
    """Return the machine, the commit and the moment of a run, and whether the machine was busy."""
    load, cores = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0, os.cpu_count() or 1
    busy = "" if load <= BUSY * cores else f" **Busy machine (load {load:.1f}): take the ratios.**"
    day = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"At {commit()} on {day}; {machine()}.{busy}"


def machine() -> str:
    """Return what this machine is: processor, cores, system and Python."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        found = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text("utf-8"))
        processor = found[1] if found else processor
    return (
        f"{os.cpu_count()} x {processor.strip()}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def commit() -> str:
    """Return the commit of this checkout, and whether files differ from it, this page apart."""
    git = ["git", "-C", str(ROOT)]
    named = subprocess.run(
        [*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    page = f":(exclude){PAGE.relative_to(ROOT).as_posix()}"
    differs = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", ".", page], check=False)
    return f"{named}, changed since" if named and differs.returncode else named or "no commit"


def sections_of(text: str) -> dict[str, str]:
    """Return the sections of a page by the names of their files."""
    inside = text.partition(BEGIN)[2].partition(END)[0]
    parts = re.split(r"(?m)^(?=### `)", inside)
    return {found[1]: each.strip() for each in parts if (found := re.match(r"### `(\w+)`", each))}


def page_with(text: str, sections: dict[str, str]) -> str:
    """Return a page with these sections in the place of its own, by the names of their files."""
    before, mark, rest = text.partition(BEGIN)
    if not mark:
        raise SystemExit(f"{PAGE} has no line {BEGIN}")
    after = rest.partition(END)[2]
    inside = "\n\n".join(sections[name] for name in sorted(sections))
    return f"{before}{BEGIN}\n\n{inside}\n\n{END}{after}"


if __name__ == "__main__":
    raise SystemExit(main())
