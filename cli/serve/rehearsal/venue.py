"""The event of a rehearsal: in a folder of its own, with links and a server, as typed at a desk.

Nothing of what the desk at hand has is touched: its variables are not handed on, and the folder is
gone when the rehearsal is over.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

OPENED = "The event is at "
END_SECONDS = 30
ORGANIZER = "o1"


class Venue(NamedTuple):
    """What the players of a rehearsal stand on."""

    folder: Path
    port: int
    process: subprocess.Popen[str]
    secrets: dict[str, str]
    """What each link lets in with, by whose it is: `p7`, `o1`."""

    opened_in: float
    """Seconds from the start of the server to its address."""

    def tourney(self, *words: str, stdin: str = "") -> str:
        """Type a line at the desk."""
        return typed(self.folder, *words, stdin=stdin)

    def memory_mib(self) -> int:
        """Return what the server holds now, in MiB; 0 where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        return int(status.read_text("utf-8").partition("VmRSS:")[2].split()[0]) // 1_024


def typed(folder: Path, *words: str, stdin: str = "") -> str:
    """Type a line in a folder; StoreUnavailable with what it answers where it fails."""
    done = subprocess.run(  # noqa: S603 - our own program, no shell
        [sys.executable, "-m", "cli", *words],
        cwd=folder,
        env=_own_environment(),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise StoreUnavailable(f"rehearsal: {words[0]} failed: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def built(players: int, rounds: int) -> Iterator[Venue]:
    """Make the event, with nobody paired yet, and serve it for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="tourney-rehearsal-") as name:
        folder = Path(name)
        secrets = furnish(folder, players, rounds)
        with _served(folder) as (process, port, seconds):
            yield Venue(folder, port, process, secrets, seconds)


def furnish(folder: Path, players: int, rounds: int) -> dict[str, str]:
    """Make the event in an empty folder, and return what each link lets in with."""
    sheet = "name\n" + "".join(f"Rehearsal {n:04}\n" for n in range(1, players + 1))
    typed(folder, "new", "Rehearsal", "--ruleset", "swiss", "--organizer", "Kim Rehearsal")
    typed(folder, "register", "--file", "-", stdin=sheet)
    typed(folder, "start", "custom", "--rounds", str(rounds))
    return _links(folder) | _links(folder, ORGANIZER)


def _links(folder: Path, *whose: str) -> dict[str, str]:
    links = msgspec.json.decode(typed(folder, "links", "print", *whose, "--json"))["links"]
    return {each["of"]: each["address"].partition("#")[2] for each in links}


@contextmanager
def _served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, float]]:
    begun = perf_counter()
    said = folder / "server.txt"
    with (
        said.open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", "--port", "0"],
            cwd=folder,
            env=_own_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None  # noqa: S101 - asked for above
        line = next((each for each in process.stdout if each.startswith(OPENED)), "")
        if not line:
            why = said.read_text("utf-8", "replace").strip()
            raise StoreUnavailable(f"rehearsal: the server did not start: {why}")
        seconds = perf_counter() - begun
        try:
            yield process, int(line.rstrip("/\n").rpartition(":")[2]), seconds
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _own_environment() -> dict[str, str]:
    """Return the environment without what points to the desk at hand."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("TOURNEY_")}
    paths = [str(Path(__file__).resolve().parents[3]), own.get("PYTHONPATH", "")]
    return own | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
