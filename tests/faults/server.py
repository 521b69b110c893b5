"""A process that has loaded the program once and forks a child for each line that is typed.

Between the children and their system stands `shim.c`: it writes down what they do to the files of
a folder, or lets one of their calls fail. Run as a program, this module is that process: requests
come as lines of JSON on its standard input, outcomes go to its standard output.
"""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SOURCE = Path(__file__).with_name("shim.c")
SECONDS_MAX = 60
"""After so long a child is ended: it waits for something that never comes."""

KILL = -1
"""In the place of an error's number: the process is killed."""

LOADED = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.ciphers.aead",
)
"""What the program imports late, beside its own modules."""

LEFT_OUT = ("cli.entry", "ledger.store.postgres", "projections.season.ratings")


class Request(msgspec.Struct, frozen=True):
    """A line to be typed in a folder, and what to do to the calls on its files.

    `fail`: the number of the call that fails with `error`, from 1; 0 for none. `log`: where to
    write the calls down; empty for nowhere.
    """

    folder: str
    words: list[str]
    stdin: str = ""
    log: str = ""
    fail: int = 0
    error: int = 0
    streams: bool = False
    hold: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What a line came to: a negative code is the signal that ended it.

    `calls`: how many it made on the folder's files, where it came to its end.
    """

    code: int
    out: str
    err: str
    calls: int = 0


@cache
def built() -> Path:
    """Compile the shim, once for each process that asks.

    A test that needs it is skipped where there is no compiler, or no `LD_PRELOAD`.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("calls are recorded and failed on Linux, with a C compiler (cc or gcc)")
    library = Path(tempfile.mkdtemp(prefix="tourney-shim-")) / "shim.so"
    options = ["-O1", "-shared", "-fPIC", "-Wno-nonnull-compare", "-o", str(library)]
    subprocess.run([compiler, *options, str(SOURCE), "-ldl"], check=True, timeout=SECONDS_MAX)
    return library


@contextmanager
def serving(weakened: str = "") -> Iterator[Server]:
    """A server for as long as the block runs; `weakened` names one of `WEAKENED`."""
    library = built()
    words = [sys.executable, "-m", "tests.faults.server", str(library), weakened]
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}
    for name in ("TOURNEY_STORE", "TOURNEY_KEYS", "TOURNEY_TRACE", "COLUMNS"):
        environment.pop(name, None)
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as process:
        yield Server(process)
        assert process.stdin is not None
        process.stdin.close()


class Server:
    """The other process, as the tests speak to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def run(self, request: Request) -> Outcome:
        """Have a line typed, and wait for what it comes to."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(request) + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=Outcome)

    @contextmanager
    def holding(self, folder: Path, log: str) -> Iterator[None]:
        """Have the store of a folder open in another child, as long as the block runs."""
        child = self.run(Request(str(folder), [], log=log, hold=True)).code
        try:
            yield
        finally:
            os.kill(child, signal.SIGKILL)


def _serve(library: str, weakened: str) -> None:
    """Answer requests until there are no more."""
    shim = ctypes.CDLL(library)
    for name in (*LOADED, *_modules()):
        import_module(name)
    if weakened:
        WEAKENED[weakened]()
    gc.freeze()  # a child that collects garbage leaves these pages alone
    with tempfile.TemporaryDirectory(dir=memory_folder()) as aside:
        for line in sys.stdin.buffer:
            request = msgspec.json.decode(line, type=Request)
            outcome = _forked(shim, request, Path(aside))
            os.write(1, msgspec.json.encode(outcome) + b"\n")


def _modules() -> Iterator[str]:
    """Name the program's own modules."""
    for package in ("ledger", "projections", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if not name.startswith(LEFT_OUT):
                yield name.removesuffix(".__init__")


def _forked(shim: ctypes.CDLL, request: Request, aside: Path) -> Outcome:
    (aside / "in").write_text(request.stdin, "utf-8")
    (aside / "calls").write_text("0")
    if request.hold:
        return _holder(shim, request)
    child = os.fork()
    if not child:
        _run(shim, request, aside)
    status = os.waitpid(child, 0)[1]
    out, err = ((aside / name).read_text("utf-8", "replace") for name in ("out", "err"))
    calls = int((aside / "calls").read_text())
    return Outcome(os.waitstatus_to_exitcode(status), out, err, calls)


def _holder(shim: ctypes.CDLL, request: Request) -> Outcome:
    """Fork a child that reads from the store and keeps it open; its number is the code."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.chdir(request.folder)
        _begin(shim, request)
        store = import_module("ledger.store").open_store("tourney.db")
        os.write(there, str(store.streams()).encode())
        signal.pause()
    said = os.read(here, 1_000).decode()
    for end in (here, there):
        os.close(end)
    return Outcome(child, said, "")


def _begin(shim: ctypes.CDLL, request: Request) -> None:
    begin = shim.faults_begin
    begin.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int]
    how = (request.fail, request.error, int(request.streams))
    begin(request.folder.encode(), request.log.encode(), *how)


def _run(shim: ctypes.CDLL, request: Request, aside: Path) -> None:
    """Type the line in this process, and end it as the program would."""
    for number, (name, flags) in enumerate(
        [("in", os.O_RDONLY), ("out", os.O_WRONLY), ("err", os.O_WRONLY)]
    ):
        opened = os.open(aside / name, flags | os.O_CREAT | os.O_TRUNC * bool(number), 0o600)
        os.dup2(opened, number)
    os.chdir(request.folder)
    signal.alarm(SECONDS_MAX)
    main = import_module("cli.main").main
    _begin(shim, request)
    code = main(request.words)
    (aside / "calls").write_text(str(shim.faults_end()))
    os._exit(code)


def memory_folder() -> str | None:
    """A folder whose files are in memory, where there is one: syncing them takes no time."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - made by tempfile


def _without_syncs() -> None:
    """SQLite no longer waits for the disk."""
    import sqlite3  # noqa: PLC0415 - nothing else here needs it

    from ledger.store import sqlite_files  # noqa: PLC0415 - as above

    class Careless(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as its base
            is_syncing = sql.startswith("PRAGMA synchronous =")
            return super().execute("PRAGMA synchronous = OFF" if is_syncing else sql, values)

    connect = sqlite3.connect
    vars(sqlite3)["connect"] = lambda *a, **k: connect(*a, **k, factory=Careless)
    vars(sqlite_files)["_FULL"] = 0


def _without_folders() -> None:
    """The names of new files are no longer made durable by us; SQLite still sees to its own."""
    for module in list(sys.modules.values()):
        if "sync_folder" in vars(module):
            vars(module)["sync_folder"] = lambda _: None


def _with_a_deaf_vault() -> None:
    """The vault no longer hears that a secret could not be kept."""
    from contextlib import suppress  # noqa: PLC0415 - only here

    from ledger.errors import StoreUnavailable  # noqa: PLC0415 - only here
    from ledger.store.sqlite import VaultFile  # noqa: PLC0415 - only here

    put = VaultFile.put

    def deaf(vault: VaultFile, stream: str, secrets: Mapping[str, bytes]) -> None:
        with suppress(StoreUnavailable):
            put(vault, stream, secrets)

    setattr(VaultFile, "put", deaf)  # noqa: B010 - so that the types of a method do not matter


def _without_the_head_before_its_lines() -> None:
    """A follower no longer completes the head of lines that it stored."""
    for module in list(sys.modules.values()):
        if "complete_head" in vars(module):
            vars(module)["complete_head"] = lambda *_: None


WEAKENED: dict[str, Callable[[], None]] = {
    "synchronous=OFF": _without_syncs,
    "folders": _without_folders,
    "vault": _with_a_deaf_vault,
    "successor": _without_the_head_before_its_lines,
}
"""The protections that a negative control takes away."""


if __name__ == "__main__":
    _serve(*sys.argv[1:])
