"""The power fails at any moment of a day: what was answered before is on the disk, and whole."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec import structs

from tests.faults.days import MAY_BE_REFUSED, Around, ServedDesk, WritingDay
from tests.faults.disk import Cut, Disk, calls_in, read_tree, write_tree
from tests.faults.server import Request, memory_folder, serving
from tests.faults.truth import NOTHING, Unsound, look, once, problems

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from tests.faults.server import Outcome, Server
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin
    from tests.faults.truth import Found

pytestmark = pytest.mark.slow

STRIDE = 7_919
"""A prime: moments are taken from all over the day."""

AGAIN_EVERY = 25
"""At every so manieth state the line that was under way is typed again."""

FAULT = 70
KINDS = (
    (0.0, 0.0, 0.0),
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.5, 0.5, 0.0),
    (0.5, 0.9, 0.3),
    (0.9, 0.5, 0.3),
    (0.2, 0.2, 0.5),
    (1.0, 1.0, 0.3),
)
"""How often a change of a file, and of a name, is kept; how often one is torn."""


class Moment(NamedTuple):
    """The disk after a call, and the number of the line that was under way."""

    disk: Disk
    line: int


class RecordedDay(Around):
    """A day with all its calls, and what was there after each line."""

    def __init__(self, aside: Path) -> None:
        self.folder = aside / "day"
        self.folder.mkdir()
        self._log = aside / "log"
        self._ends: list[int] = []
        self.lines: list[Request] = []
        self.found: list[Found] = [NOTHING]
        self.moments: list[Moment] = []
        self.inputs: dict[str, bytes | None] = {}

    def before(self, request: Request) -> Request:
        """Have its calls written down."""
        self.lines.append(request)
        return structs.replace(request, log=str(self._log))

    def after(self, request: Request, outcome: Outcome) -> None:
        """Look at a copy, so that nothing is touched."""
        assert outcome.code == 0, request.words
        self._ends.append(self._log.stat().st_size)
        with tempfile.TemporaryDirectory(dir=memory_folder()) as name:
            write_tree(read_tree(self.folder), Path(name))
            self.found.append(look(Path(name)))

    def record(self, server: Server, *, shared: bool) -> None:
        """Play the day; `shared`: another desk has the store open all the time."""
        with ExitStack() as stack:
            desk = ServedDesk(self.folder, server, self)
            if shared:
                desk.first_done = lambda: stack.enter_context(
                    server.holding(self.folder, str(self._log))
                )
            WritingDay(desk).play()
        self._follow()

    def _follow(self) -> None:
        disk, line, place = Disk(str(self.folder)), 0, 0
        made: set[str] = set()
        for call in calls_in(self._log):
            while line < len(self._ends) - 1 and place >= self._ends[line]:
                line += 1
            place += call.size
            made |= {call.path} if call.is_new else {call.other}
            if disk.follow(call) and disk.is_unsafe():
                self.moments.append(Moment(disk.copy(), line))
        for path in self.folder.iterdir():
            if path.is_file() and str(path) not in made:
                self.inputs[path.name] = path.read_bytes()


@contextmanager
def recorded(weakened: str = "", *, shared: bool = False) -> Iterator[tuple[RecordedDay, Server]]:
    """A day that is over, and the server that it was typed at."""
    with (
        tempfile.TemporaryDirectory(dir=memory_folder()) as aside,
        serving(weakened) as server,
    ):
        day = RecordedDay(Path(aside))
        day.record(server, shared=shared)
        yield day, server


def try_states(run: Slice, day: RecordedDay, server: Server) -> None:
    """Cut the power in each case at another moment, and look at what is left."""
    for case in run:
        chance = run.chance(case)
        moment = day.moments[case * STRIDE % len(day.moments)]
        with tempfile.TemporaryDirectory(dir=memory_folder()) as name:
            folder = Path(name)
            write_tree(_tree(moment.disk, chance) | day.inputs, folder)
            lost = list(_lost(day, moment.line, folder))
            if not lost and case % AGAIN_EVERY == 0:
                run.count("typed again")
                lost = list(_lost_again(day, moment.line, folder, server))
        if lost:
            words = " ".join(day.lines[moment.line].words[2:])
            run.lose(case, f"at `{words}`: {'; '.join(lost[:3])}")


def _tree(disk: Disk, chance: random.Random) -> dict[str, bytes | None]:
    files, names, torn = KINDS[chance.randrange(len(KINDS))]
    return Cut(chance, files=files, names=names, torn=torn).tree(disk)


def _lost(day: RecordedDay, line: int, folder: Path) -> Iterator[str]:
    before, after = day.found[line], day.found[line + 1]
    try:
        yield from problems(before, after, look(folder, before))
    except Unsound as error:
        yield str(error)


def _lost_again(day: RecordedDay, line: int, folder: Path, server: Server) -> Iterator[str]:
    """Type the line again that was under way: its act is on record once, and nothing is lost."""
    before, after, request = day.found[line], day.found[line + 1], day.lines[line]
    outcome = server.run(structs.replace(request, folder=str(folder)))
    if outcome.code in {FAULT, *range(-64, 0)}:
        yield f"typed again, it ends with {outcome.code}: {outcome.err}"
    act = request.words[1]
    try:
        found = look(folder, before)
    except Unsound as error:
        yield f"typed again: {error}"
        return
    is_refused = outcome.code and request.words[2] not in MAY_BE_REFUSED
    if once(after.ids(), act) and (is_refused or not once(found.ids(), act)):
        yield f"typed again, it is not on record once: {outcome.code}, {outcome.err}"


@pytest.mark.parametrize("shared", [False, True], ids=["alone", "shared"])
def test_no_act_that_was_answered_is_lost(begin: Begin, shared: bool) -> None:  # noqa: FBT001
    run = begin(f"power-cut-{'shared' if shared else 'alone'}", short=600, long=60_000)
    with recorded(shared=shared) as (day, server):
        try_states(run, day, server)
    assert not run.lost, run.report()


@pytest.mark.parametrize(
    ("weakened", "lost"),
    [("synchronous=OFF", "were acknowledged"), ("folders", "the key .tourney-keys/log-")],
)
def test_without_the_syncs_acts_are_lost(begin: Begin, weakened: str, lost: str) -> None:
    run = begin(f"power-cut-{weakened}", short=300, must_lose=lost)
    with recorded(weakened) as (day, server):
        try_states(run, day, server)
    assert run.is_shown, run.report()
