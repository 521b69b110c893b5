"""Every parser gets inputs that are nearly right: only what it declares comes out, in bounds."""

from __future__ import annotations

import resource
import signal
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from tests.faults.inputs.mutators import Grammar, mutated
from tests.faults.inputs.parsers import PARSERS, Parser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tests.faults.slices import Slice
    from tests.faults.summary import Begin

pytestmark = pytest.mark.slow

SECONDS_MAX = 2.0
"""Of this process's own time, for one input of at most 200 kB."""

MEMORY_MAX = 64 << 10
"""In KiB, as the system counts: by how much more one input may fill."""

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it


class TooSlow(BaseException):
    """An input took longer than any may: no parser may take this for an error of its own."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory if the system has it."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


@contextmanager
def bounded() -> Iterator[None]:
    """Let a timer of this process's own time end what takes too long."""

    def ring(_: int, __: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, ring)
    _forget_the_peak()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _forget_the_peak() -> None:
    """What earlier tests filled would hide what an input fills: let the system count again."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def outcome(parser: Parser, data: bytes, folder: Path) -> str:
    """What a parser does with an input: "read", "refused", or what should not be."""
    filled = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_MAX)
    try:
        parser.read(data, folder)
    except parser.raises as error:
        said = str(error)
        came = "refused" if said and not said.isspace() else "refused without a word"
    except TooSlow:
        came = f"took more than {SECONDS_MAX:g} s"
    except BaseException as error:  # noqa: BLE001 - any other is the loss looked for
        came = f"raised {type(error).__name__}: {error!s:.300} at {_place_of(error)}"
    else:
        came = "read"
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - filled
    return came if more <= MEMORY_MAX else f"filled {more >> 10} MiB"


def _place_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"


def shake(run: Slice, parser: Parser, folder: Path) -> None:
    """Feed a parser, and put on record what it should not do."""
    grammar = parser.grammar()
    with bounded():
        for case in run:
            data = parser.mutate(grammar, run.chance(case))
            came = outcome(parser, data, folder)
            if came in {"read", "refused"}:
                run.count(came)
            else:
                run.lose(case, f"{came}; by {data[:200]!r} of {len(data)} bytes")


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_raises_only_what_it_declares(begin: Begin, folder: Path, name: str) -> None:
    parser = PARSERS[name]
    run = begin(f"fuzz-{name}", short=parser.short, long=parser.long)
    shake(run, parser, folder)
    assert not run.lost, run.report()


@pytest.mark.parametrize("name", PARSERS)
def test_the_inputs_that_are_broken_are_read_when_whole(folder: Path, name: str) -> None:
    parser = PARSERS[name]
    with bounded():
        outcomes = [outcome(parser, data, folder) for data in parser.grammar().seeds]
    assert set(outcomes) <= {"read", "refused"}
    assert "read" in outcomes


FOUND = {
    "list": (b"Group" + b" " * 9_000 + b"!", b"3 " + b" " * 9_000 + b"[x", b"a " * 4_000 + b"?"),
    "nrtm": (b'{"date":"2024-02-29","cutToTop":9007199254740993,"players":[],"rounds":[]}',),
    "fork-proof": (b'{"format":"tourney/fork@1","notes":-1,"root":"","proof":" "}',),
    "tiebreakers": (b"\xd0 = 1\n",),
    "verifier-key": (b"we\xdfst+00b2984f+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c",),
}
"""What was found by chance, and would not be found again soon."""


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_before_is_refused(folder: Path, name: str) -> None:
    with bounded():
        outcomes = [outcome(PARSERS[name], data, folder) for data in FOUND[name]]
    assert set(outcomes) == {"refused"}


def planted(data: bytes, kind: str) -> bytes:
    """A parser with a fault in it that few inputs meet."""
    if b"\x1b" in data and kind == "raises":
        raise KeyError("planted")
    while b"\x1b" in data and kind == "hangs":
        pass
    return b"x" * (200 << 20) if b"\x1b" in data and kind == "fills" else b""


@pytest.mark.parametrize(
    ("kind", "found"), [("raises", "raised KeyError"), ("hangs", "took"), ("fills", "filled")]
)
def test_the_control_with_a_planted_fault_loses(
    begin: Begin, folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str, found: str
) -> None:
    monkeypatch.setattr(f"{__name__}.SECONDS_MAX", 0.1)
    parser = Parser(
        lambda data, _: planted(data, kind), (ValueError,), lambda: Grammar((b"a",)), mutated
    )
    run = begin(f"fuzz-planted-{kind}", short=600, must_lose="")
    shake(run, parser, folder)
    assert run.state.losses[0][1].startswith(found)
