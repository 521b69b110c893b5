"""Whether each clause's tests hold it: break the clause in a copy of the project, see them fail.

    python -m tests.hostile.mutations             every entry of mutations.toml
    python -m tests.hostile.mutations AOP RW-MOV  those whose clause begins so
    python -m tests.hostile.mutations --table     each clause and the tests that fail without it

Every text that is replaced must occur exactly once, and the tests must pass before. A mutation
that they do not notice has survived; then the command ends with 1.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from msgspec import Struct, convert

from tests.support.paths import ROOT

PARTS = ("ledger", "projections", "cli", "tests", "sample_logs", "pyproject.toml", "README.md")
JOBS = 2
TESTS_FAILED = 1
MTIMES = count(1)
"""A file written anew within a second would be taken for its compiled form; no two are alike."""


class Mutation(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of one file, what it becomes, and the tests that must fail then."""

    clause: str
    file: str
    old: str
    new: str
    tests: str

    def problem(self, root: Path) -> str:
        """What is wrong with the entry; empty where nothing is."""
        times = (root / self.file).read_text("utf-8").count(self.old)
        if times != 1:
            return f"the text occurs {times} times in {self.file}"
        return "it changes nothing" if self.old == self.new else ""


def mutations() -> list[Mutation]:
    """Every entry, in the order of the file."""
    text = Path(__file__).with_name("mutations.toml").read_text("utf-8")
    return convert(tomllib.loads(text)["mutation"], list[Mutation])


def table() -> list[str]:
    """List each clause with the tests that fail once its behaviour is taken away."""
    pairs = {(each.clause, each.tests) for each in mutations()}
    return [f"{clause:24}  {tests}" for clause, tests in sorted(pairs)]


def copied(folder: Path) -> Path:
    """Copy what the tests need."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part)
        else:
            shutil.copy2(ROOT / part, folder / part)
    return folder


def run(root: Path, tests: list[str]) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy, up to the first that fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    env = os.environ | {"PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)


def is_killed(mutation: Mutation, root: Path) -> bool:
    """Break the clause in a copy, run its tests, and mend it again."""
    path = root / mutation.file
    whole = path.read_text("utf-8")
    try:
        _write(path, whole.replace(mutation.old, mutation.new))
        return run(root, shlex.split(mutation.tests)).returncode == TESTS_FAILED
    finally:
        _write(path, whole)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    moment = next(MTIMES)
    os.utime(path, (moment, moment))


def verdicts(chosen: list[Mutation], copies: list[Path]) -> list[str]:
    """Say of each mutation, as soon as it is known, whether it was killed."""
    free: SimpleQueue[Path] = SimpleQueue()
    for root in copies:
        free.put(root)

    def judged(mutation: Mutation) -> str:
        root = free.get()
        try:
            verdict = "killed" if is_killed(mutation, root) else "SURVIVED"
        finally:
            free.put(root)
        print(f"{verdict:8}  {mutation.clause:24}  {mutation.file}", flush=True)  # noqa: T201 - a command
        return verdict

    with ThreadPoolExecutor(len(copies)) as pool:
        return list(pool.map(judged, chosen))


def main(prefixes: list[str]) -> int:
    """Break the clauses one after the other.

    Returns 1 if one survives, a text is not found once, or the tests fail as they are; else 0.
    """
    if prefixes == ["--table"]:
        print(*table(), sep="\n")  # noqa: T201 - a command
        return 0
    chosen = [
        each for each in mutations() if not prefixes or each.clause.startswith(tuple(prefixes))
    ]
    problems = [f"{each.clause}: {told}" for each in chosen if (told := each.problem(ROOT))]
    if problems or not chosen:
        print(*(problems or ["no clause begins so"]), sep="\n")  # noqa: T201
        return 1
    with tempfile.TemporaryDirectory() as folder:
        copies = [copied(Path(folder) / str(number)) for number in range(JOBS)]
        files = {word for each in chosen for word in shlex.split(each.tests) if "/" in word}
        before = run(copies[0], sorted(files))
        if before.returncode:
            print(before.stdout, "the tests fail as they are", sep="\n")  # noqa: T201
            return 1
        found = verdicts(chosen, copies)
    clauses = len({each.clause for each in chosen})
    survived = found.count("SURVIVED")
    print(f"{len(found)} mutations of {clauses} clauses: {survived} survived")  # noqa: T201
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
