"""Each call on the files of an event fails once, or is the last one: nothing is lost or doubled.

Every line of a day that writes is typed in a copy of the folder that it found, and its calls fail
one after the other: with an error of the disk, with a full disk, with SIGKILL. A line that ended
badly is typed again with its id. Where a line was killed, typing it again is the recovery, and in
every third case a call fails there, too.
"""

from __future__ import annotations

import errno
import tempfile
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec import structs

from cli.exits import EXITS, FAULT
from tests.faults.days import MAY_BE_REFUSED, Around, ServedDesk, WritingDay
from tests.faults.disk import read_tree, write_tree
from tests.faults.server import KILL, memory_folder, serving
from tests.faults.truth import Unsound, look, problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.faults.server import Outcome, Request, Server
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin
    from tests.faults.truth import Found

pytestmark = pytest.mark.slow
STRIDE = 7_919
ERRORS = {"EIO": errno.EIO, "ENOSPC": errno.ENOSPC, "KILL": KILL}


class Try(NamedTuple):
    """A line, the number of the call in it that fails, and how."""

    line: int
    fail: int
    error: str


class KeptDay(Around):
    """A day with the folder that each line found, and how many calls it made."""

    def __init__(self, aside: Path) -> None:
        self.aside = aside
        self.folder = aside / "day"
        self.folder.mkdir()
        self.lines: list[Request] = []
        self.calls: list[int] = []
        self.kept: list[dict[str, bytes | None]] = []
        self.found: list[Found] = []
        self.tries: list[Try] = []

    def before(self, request: Request) -> Request:
        """Keep the folder as the line finds it."""
        self.kept.append(read_tree(self.folder))
        self.lines.append(request)
        return request

    def after(self, request: Request, outcome: Outcome) -> None:
        """Note how many calls it made."""
        assert outcome.code == 0, request.words
        self.calls.append(outcome.calls)

    def play(self, server: Server) -> None:
        """Play the day, then look at what each of its lines found, in a copy."""
        WritingDay(ServedDesk(self.folder, server, self)).play()
        self.kept.append(read_tree(self.folder))
        for line in range(len(self.lines) + 1):
            with self.copied(line) as folder:
                self.found.append(look(folder))
        for line, calls in enumerate(self.calls):
            if self.found[line] != self.found[line + 1]:
                every = product(range(1, calls + 1), ERRORS)
                self.tries += [Try(line, *each) for each in every]

    @contextmanager
    def copied(self, line: int) -> Iterator[Path]:
        """A copy of the folder that a line found, to be spoilt."""
        with written(self.kept[line]) as folder:
            yield folder


@contextmanager
def written(tree: Mapping[str, bytes | None]) -> Iterator[Path]:
    """A folder with these files."""
    with tempfile.TemporaryDirectory(dir=memory_folder()) as name:
        write_tree(tree, Path(name))
        yield Path(name)


def try_calls(run: Slice, day: KeptDay, server: Server) -> None:
    """Let in each case another call fail, and look at what is left."""
    for case in run:
        which = day.tries[case * STRIDE % len(day.tries)]
        with day.copied(which.line) as folder:
            again = run.chance(case).randrange(1, which.fail + 1) if case % 3 == 0 else 0
            lost = list(_lost(run, day, server, which, folder, again))
        if lost:
            words = " ".join(day.lines[which.line].words[2:])
            told = f"call {which.fail} of `{words}` ends with {which.error}"
            run.lose(case, f"{told}: {'; '.join(lost[:3])}")


def _lost(
    run: Slice, day: KeptDay, server: Server, which: Try, folder: Path, again: int
) -> Iterator[str]:
    request = structs.replace(day.lines[which.line], folder=str(folder))
    before, after = day.found[which.line], day.found[which.line + 1]
    error = ERRORS[which.error]
    outcome = server.run(structs.replace(request, fail=which.fail, error=error))
    run.count(which.error)
    yield from badly_ended(outcome, which.error)
    yield from _missing(before, after, folder, request, outcome)
    if again and outcome.code:
        run.count("failing again")
        failed = server.run(structs.replace(request, fail=again, error=error))
        yield from badly_ended(failed, which.error)
        yield from _missing(before, after, folder, request, failed)
    if outcome.code:
        repeated = server.run(request)
        if repeated.code == FAULT or repeated.code < 0:
            yield f"typed again: {repeated.code}, {repeated.err}"
        yield from _missing(before, after, folder, request, repeated)
        yield from _undone(request, after, folder, repeated)


def _undone(request: Request, after: Found, folder: Path, repeated: Outcome) -> Iterator[str]:
    """What was typed again is carried out, once."""
    verb = request.words[2]
    if repeated.code and verb not in MAY_BE_REFUSED:
        yield f"typed again, it is refused: {repeated.err}"
    if verb == "season" and len(look(folder).people) != len(after.people):
        yield f"typed again, the league has {look(folder).people}"


def badly_ended(outcome: Outcome, error: str) -> Iterator[str]:
    """A line ends with a code of the README's, and one line says why."""
    if error == "KILL" and outcome.code == -9:
        return
    if outcome.code not in EXITS or outcome.code == FAULT:
        yield f"it ends with {outcome.code}: {outcome.err}"
    elif "Traceback" in outcome.err or (outcome.code and not _says_why(outcome.err)):
        yield f"it says {outcome.err!r}"


def _says_why(said: str) -> bool:
    """Tell whether the last line says why a line was not carried out; of a loop, the line's own."""
    lines = said.splitlines()
    looped = [line for line in lines if line.startswith("tourney: line ")]
    return len(looped or [line for line in lines[-1:] if line.startswith("tourney: ")]) == 1


def _missing(
    before: Found, after: Found, folder: Path, request: Request, outcome: Outcome
) -> Iterator[str]:
    """What was there is there; so is what was answered, once."""
    try:
        with written(read_tree(folder)) as copy:
            found = look(copy, before)
    except Unsound as error:
        yield str(error)
        return
    yield from problems(before, after, found, exact=False)
    act = request.words[1]
    times = list(found.ids()).count(act)
    expected = {1} if outcome.code == 0 else {0, 1}
    if act in set(after.ids()) and times not in expected:
        yield f"answered with {outcome.code}, it is {times} times on record"


@contextmanager
def kept(weakened: str = "") -> Iterator[tuple[KeptDay, Server]]:
    """A day that is over, and the server that it was typed at."""
    with (
        tempfile.TemporaryDirectory(dir=memory_folder()) as aside,
        serving(weakened) as server,
    ):
        day = KeptDay(Path(aside))
        day.play(server)
        yield day, server


def test_no_call_that_fails_loses_or_doubles_an_act(begin: Begin) -> None:
    run = begin("system-calls", short=120, long=12_000)
    with kept() as (day, server):
        try_calls(run, day, server)
    assert not run.lost, run.report()


def test_without_an_answer_of_the_vault_keys_are_lost(begin: Begin) -> None:
    run = begin("system-calls-vault", short=300, must_lose="keys are lost")
    with kept("vault") as (day, server):
        try_calls(run, day, server)
    assert run.is_shown, run.report()
