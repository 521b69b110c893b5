"""Stores to test with: each test that asks for `location` runs once on each kind of store.

PostgreSQL is the server named by TOURNEY_TEST_POSTGRES (the URL of a throw-away one); else one that
is started here, if its programs are found; else those tests are skipped. Every test has a schema of
its own.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self
from uuid import uuid4

import pytest

from ledger.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.store import Store

NO_SERVER = (
    "no PostgreSQL: set TOURNEY_TEST_POSTGRES to the URL of a throw-away server, or install the"
    " server's programs (Debian: apt install postgresql)"
)
START_SECONDS = 30
USER, PASSWORD = "desk", "open sesame/1"


class Server:
    """A throw-away PostgreSQL server on a free port of this machine, in a directory of its own."""

    def __init__(self, programs: Path, directory: Path, *settings: str) -> None:
        self._programs = programs
        self._data = directory / "data"
        self._settings = settings
        self._log = directory / "log"
        # The server refuses to run as root; any user without rights will do then.
        self._user = _ordinary_user() if os.geteuid() == 0 else None
        if self._user:
            directory.chmod(0o755)
            shutil.chown(directory, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        self._alive: BinaryIO | None = None
        self.port = free_port()
        self._initialize(directory / "password")

    @property
    def url(self) -> str:
        """The URL of its database."""
        return f"postgresql://{USER}:open%20sesame%2F1@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the server, also after it was killed, and wait until it answers."""
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, self._log.read_text(encoding="utf-8")
            if self._process is None or self._process.poll() is not None:
                self._process = self._start_process()
            time.sleep(0.05)

    def _start_process(self) -> subprocess.Popen[bytes]:
        """Start the server with a pipe that it and all its children hold open while they live."""
        settings = [f"-c{each}" for each in self._settings]
        where = ("-D", str(self._data), f"-p{self.port}", "-h127.0.0.1", "-k", "")
        reading, writing = os.pipe()
        self._close_pipe()
        self._alive = os.fdopen(reading, "rb")
        try:
            return self._popen("postgres", *where, *settings, pass_fds=(writing,))
        finally:
            os.close(writing)

    def stop(self) -> None:
        """Stop it in good order."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End it with SIGKILL; its other processes notice and follow."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None
            self._wait_for_its_children()

    def _wait_for_its_children(self) -> None:
        """Wait for those that outlive it for a moment: until then they can still commit."""
        assert self._alive is not None
        assert wait([self._alive.fileno()], START_SECONDS), "a child does not end"
        self._close_pipe()

    def _close_pipe(self) -> None:
        if self._alive is not None:
            self._alive.close()
            self._alive = None

    def _initialize(self, password: Path) -> None:
        password.write_text(PASSWORD, encoding="utf-8")
        password.chmod(0o644)
        options = ("-U", USER, f"--pwfile={password}", "-Ascram-sha-256", "-EUTF8", "--no-locale")
        made = self._popen("initdb", "-D", str(self._data), "--no-sync", *options)
        assert made.wait(START_SECONDS * 2) == 0, self._log.read_text(encoding="utf-8")

    def _popen(
        self, program: str, *words: str, pass_fds: tuple[int, ...] = ()
    ) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                cwd=self._data.parent,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
                pass_fds=pass_fds,
            )

    def _answers(self) -> bool:
        import psycopg  # noqa: PLC0415 - the tests on SQLite do without it

        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


def _ordinary_user() -> str:
    import pwd  # noqa: PLC0415 - only where there is a root

    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


FIRST_PORT, AFTER_LAST_PORT = 20_000, 32_000
"""Below the numbers that systems give to connections, which come and go at any moment."""


def free_port() -> int:
    """Return a port that nobody has now; nor has anybody the next one, which is that of `--tls`."""
    while True:
        port = FIRST_PORT + randbelow(AFTER_LAST_PORT - FIRST_PORT)
        if _is_free(port) and _is_free(port + 1):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as taken:
        try:
            taken.bind(("", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
    return True


def _programs() -> Path | None:
    """Return the directory of the newest server's programs."""
    on_path = shutil.which("postgres")
    if on_path and shutil.which("initdb"):
        return Path(on_path).parent
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((each.parent for each in found), default=None, key=lambda at: float(at.parent.name))


@contextmanager
def running_server(*settings: str) -> Iterator[Server]:
    """A server for as long as the block runs; the test is skipped where there is none."""
    programs = _programs()
    if programs is None:
        pytest.skip(NO_SERVER)
    directory = Path(tempfile.mkdtemp(prefix="tourney-postgres-"))
    try:
        server = Server(programs, directory, *settings)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL database to make schemas in."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    given = os.environ.get("TOURNEY_TEST_POSTGRES")
    if given:
        yield given
        return
    # No test cuts the power: the disk need not be waited for.
    with running_server("fsync=off", "full_page_writes=off") as server:
        yield server.url


@pytest.fixture
def new_postgres(postgres_url: str) -> Iterator[Callable[[], str]]:
    """Make locations of new, empty stores on PostgreSQL."""
    import psycopg  # noqa: PLC0415 - the tests on SQLite do without it

    made: list[str] = []

    def new() -> str:
        schema = f"test_{uuid4().hex}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        made.append(schema)
        mark = "&" if "?" in postgres_url else "?"
        return f"{postgres_url}{mark}options=-csearch_path%3D{schema}"

    yield new
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for schema in made:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def new_location(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Make locations of new, empty stores of either kind: `sqlite` or `postgres`."""

    def new(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"{uuid4().hex}.db")
        made: Callable[[], str] = request.getfixturevalue("new_postgres")
        return made()

    return new


KINDS: Final = ("sqlite", "postgres")


@pytest.fixture(params=KINDS)
def location(request: pytest.FixtureRequest, new_location: Callable[[str], str]) -> str:
    """The location of a store that is not made yet; the test runs on each kind."""
    return new_location(request.param)


@pytest.fixture
def store(location: str) -> Iterator[Store]:
    """A new store; the test runs on each kind."""
    with open_store(location) as opened:
        yield opened


class Desk:
    """A process of `store_worker.py`, held at its start."""

    def __init__(self, *words: str) -> None:
        here = Path(__file__).resolve().parent
        paths = filter(None, (str(here.parents[1]), os.environ.get("PYTHONPATH")))
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", str(here / "store_worker.py"), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        try:
            assert self.read() == "ready"
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def read(self) -> str:
        """Return its next line; an empty one when it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def go(self) -> None:
        """Let it act."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill(self) -> list[str]:
        """End it with SIGKILL, and return all whole lines that it had still said."""
        self._process.kill()
        return [line for line in self._finish().split("\n")[:-1] if line]

    def end(self) -> str:
        """Wait until it is done and well; return what it said."""
        said = self._finish()
        assert self._process.returncode == 0
        return said.strip()

    def _finish(self) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._process.stdin, self._process.stdout:
            said = self._process.stdout.read()
        self._process.wait(START_SECONDS)
        return said


def all_at_once(*works: tuple[str, ...]) -> float:
    """Run several desks, let go together when all are ready; seconds until all say `done`."""
    with ExitStack() as open_desks:
        desks = [open_desks.enter_context(Desk(*words)) for words in works]
        begun = time.perf_counter()
        for desk in desks:
            desk.go()
        said = [desk.read() for desk in desks]
        seconds = time.perf_counter() - begun
    assert said == ["done"] * len(works)
    return seconds


def recorder_of(store: Store) -> Any:  # noqa: ANN401 - each kind has its own
    """The recorder of the library behind a store: what another program would write through."""
    return store._recorder  # type: ignore[attr-defined]
