"""Long runs in slices: a harness goes on where its last slice stopped, so that runs add up.

A harness has numbered cases, and a case is made of its number and the seed alone. In a normal run
it tries its first few cases. A long run (TOURNEY_FAULTS=long) keeps in a state file what was tried
and lost, and goes on from there. Figures of different code are not added up unless asked.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import subprocess
import time
from collections import Counter
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

CODE = ("ledger", "projections", "cli", "tests/faults")
"""The folders whose code a figure belongs to."""

MINUTES_MAX = 30.0
SAVED_EVERY = 30.0
LOSSES_WRITTEN = 200


class Settings(msgspec.Struct, frozen=True):
    """How long to run and where to remember it: the variables TOURNEY_FAULTS and its family."""

    long: bool = False
    minutes: float = MINUTES_MAX
    folder: Path = Path("faults-state")
    seed: int = 1
    goal: int = 0
    case: int | None = None
    add: bool = False


def settings(environment: dict[str, str]) -> Settings:
    """Read the variables; the README beside this file says what each is for."""
    given = {
        name.removeprefix("TOURNEY_FAULTS").strip("_").lower(): text
        for name, text in environment.items()
        if name.startswith("TOURNEY_FAULTS") and text
    }
    known = {"", "minutes", "state", "seed", "goal", "case", "add"}
    if set(given) - known or given.get("", "long") not in {"long", "short"}:
        raise ValueError(f"no such setting: {sorted(set(given) - known) or given['']}")
    return Settings(
        long=given.get("") == "long",
        minutes=min(float(given.get("minutes", MINUTES_MAX)), MINUTES_MAX),
        folder=Path(given.get("state", "faults-state")),
        seed=int(given.get("seed", 1)),
        goal=int(given.get("goal", 0)),
        case=int(given["case"]) if "case" in given else None,
        add=given.get("add") == "1",
    )


class State(msgspec.Struct):
    """What the slices of one harness came to so far: a state file."""

    harness: str
    seed: int
    code: str
    commits: list[str]
    since: str
    until: str = ""
    next: int = 0
    cases: int = 0
    lost: int = 0
    seconds: float = 0.0
    slices: int = 0
    counts: dict[str, int] = {}
    losses: list[tuple[int, str]] = []


class Slice:
    """The cases of one harness to try now; iterate over it, and tell it what is lost.

    A case counts when the loop asks for the next one: the case that an exception ends is tried
    again by the next slice.
    """

    def __init__(
        self,
        harness: str,
        *,
        short: int,
        long: int,
        options: Settings,
        must_lose: str | None = None,
    ) -> None:
        """`must_lose`: words of the loss that a negative control has to come to, and ends with."""
        self.harness, self.short, self.options = harness, short, options
        self.goal = options.goal or long
        self.must_lose = must_lose
        self.is_control = is_control = must_lose is not None
        self.is_long = options.long and not is_control and options.case is None
        self.state = _fresh(harness, options.seed)
        self.tried = 0
        self._chance = random.Random()
        self._held: ExitStack | None = None
        self._began = self._saved = time.monotonic()

    def __enter__(self) -> Self:
        """Take up the state file, if this is a long run."""
        if not self.is_long:
            return self
        self.options.folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            lock = stack.enter_context(self._file(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.state = _resumed(self._file(".json"), self.state, may_add=self.options.add)
            self.state.slices += 1
            self._held = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the state file and let the next slice begin."""
        if self._held is not None:
            self._save()
            self._held.close()

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers of the cases, until the time is up or there are enough."""
        if self.options.case is not None and not self.is_control:
            self.tried, self.state.cases = 1, 1
            yield self.options.case
            return
        end = self.goal if self.is_long else self.short
        while self.state.next < end and not self.is_shown:
            if self.is_long and self._is_time_up():
                return
            yield self.state.next
            self.state.next += 1
            self.state.cases += 1
            self.tried += 1

    def chance(self, case: int) -> random.Random:
        """Return the chance of one case: the same for the same harness, seed and number."""
        self._chance.seed(f"{self.harness}/{self.state.seed}/{case}")
        return self._chance

    def count(self, what: str, times: int = 1) -> None:
        """Count what cases came to."""
        self.state.counts[what] = self.state.counts.get(what, 0) + times

    def lose(self, case: int, what: str) -> None:
        """Put a loss on record: the harness found a fault."""
        self.state.lost += 1
        if len(self.state.losses) < LOSSES_WRITTEN:
            self.state.losses.append((case, what[:2_000]))

    @property
    def lost(self) -> int:
        """How many losses there are, those of earlier slices among them."""
        return self.state.lost

    @property
    def is_shown(self) -> bool:
        """Whether a control has lost what it must."""
        words = self.must_lose
        return words is not None and any(words in told for _, told in self.state.losses)

    def report(self) -> str:
        """Say in a line what was tried and lost, and in a line each how the first were lost."""
        state, counts = self.state, Counter(self.state.counts)
        control = "negative control, must lose: " if self.is_control else ""
        told = "".join(f"; {what} {times:,}" for what, times in counts.most_common())
        head = (
            f"{self.harness}: {control}{state.cases:,} cases, {state.lost:,} losses "
            f"({self.tried:,} tried now); seed {state.seed}, {', '.join(state.commits)}{told}"
        )
        shown = [] if self.is_control else state.losses[:20]
        return "\n".join([head, *(f"  case {case}: {what}" for case, what in shown)])

    def _is_time_up(self) -> bool:
        now = time.monotonic()
        if now - self._saved > SAVED_EVERY:
            self._save()
        return now - self._began > 60 * self.options.minutes

    def _save(self) -> None:
        now = time.monotonic()
        self.state.seconds = round(self.state.seconds + now - self._saved, 1)
        self.state.until = _today()
        self._saved = now
        target = self._file(".new")
        target.write_text(json.dumps(msgspec.to_builtins(self.state), indent=1), "utf-8")
        target.replace(self._file(".json"))

    def _file(self, suffix: str) -> Path:
        return self.options.folder / f"{self.harness}{suffix}"


def _fresh(harness: str, seed: int) -> State:
    return State(harness, seed, code(), [commit()], _today())


def _resumed(file: Path, fresh: State, *, may_add: bool) -> State:
    """Return the state of the earlier slices, if its figures may be added to."""
    if not file.exists():
        return fresh
    state = msgspec.json.decode(file.read_bytes(), type=State)
    if (state.harness, state.seed) != (fresh.harness, fresh.seed):
        raise ValueError(f"{file} is of {state.harness} with seed {state.seed}")
    if state.code != fresh.code and not may_add:
        raise ValueError(
            f"{file} belongs to {', '.join(state.commits)}, and the code is another now: take "
            "another folder (TOURNEY_FAULTS_STATE), or add up all the same (TOURNEY_FAULTS_ADD=1)"
        )
    state.code = fresh.code
    state.commits = list(dict.fromkeys([*state.commits, *fresh.commits]))
    return state


@cache
def code() -> str:
    """Return a digest of the code that is tried, and of what tries it."""
    hashed = sha256()
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix in {".py", ".toml", ".sql"}:
                hashed.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return hashed.hexdigest()[:16]


@cache
def commit() -> str:
    """Return the commit at hand, with a plus where the code has changes that are in none."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return "no commit"
    words = [git, "-C", str(ROOT)]
    head = subprocess.check_output([*words, "rev-parse", "--short", "HEAD"], text=True).strip()
    changes = subprocess.check_output([*words, "status", "--porcelain", "--", *CODE], text=True)
    return f"{head}+" if changes.strip() else head


def current() -> Settings:
    """Return the settings of this run."""
    return settings(dict(os.environ))


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
