"""Logs into a season: what is new, what has grown, what is there already, what contradicts."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING
from typing import Literal

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.errors import LedgerError
from ledger.files import one_line
from ledger.proof.formats import HASH_BYTES
from projections.season.aside import room_beside
from projections.season.checking import look_at_all
from projections.season.loading import load
from projections.season.roots import beginning
from projections.season.roots import leaves_of
from projections.season.roots import root_of
from projections.season.spooling import batches_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.checking import Looked
    from projections.season.sources import Source
    from projections.season.spooling import Logged

    Progress = Callable[[str, int, int], None]
    """Told what is done, how many logs are through it, and how many there are."""

Fate = Literal["new", "grown", "known", "older", "shorter", "other", "skipped"]
"""`shorter`: perhaps older; the season took the longer one from an archive, which has no hashes.
`other`: another history of its tournament; such a log is never taken."""

CHECKED, LOADED = "checked", "loaded"


class Taken(Struct, frozen=True):
    """What became of one log; `problem` says why it was skipped."""

    where: str
    fate: Fate
    tournament: str = ""
    size: int = 0
    problem: str = ""


class _Known(Struct, frozen=True):
    """A tournament's log as it is in the season, or as this load has it from `source`."""

    where: str
    size: int
    root: str
    source: Source | None = None


def add(
    connection: DuckDBPyConnection,
    sources: Sequence[Source],
    folder: Path,
    progress: Progress,
    *,
    keep_going: bool = False,
    kept_in: str = "",
) -> list[Taken]:
    """Take logs into the season: all of them, or with a wrong one among them none.

    The same log again changes nothing; a longer one replaces what was derived from it. With
    `keep_going` a wrong one is skipped and named. `folder` has room for a copy of the logs.
    `kept_in` stands before the names of the tables that say what the season has already.

    Raises:
        LedgerError: what is wrong with a log; nothing has changed.
    """
    with room_beside(folder) as aside:
        intake = _Intake(connection, kept_in)
        taken: list[Taken] = []
        with closing(look_at_all(sources, intake.sizes, aside)) as all_looked:
            for source, looked in zip(sources, all_looked, strict=True):
                taken.append(intake.take_or_skip(source, looked, keep_going=keep_going))
                progress(CHECKED, len(taken), len(sources))
        total = len(intake.logs)
        load(
            connection,
            batches_of(intake.logs.values(), aside),
            intake.replaced,
            lambda done: progress(LOADED, done, total),
        )
    return taken


class _Intake:
    """One load: what the season knows, and the logs that this load takes."""

    def __init__(self, connection: DuckDBPyConnection, kept_in: str) -> None:
        self.replaced: list[str] = []
        self.logs: dict[str, Logged] = {}
        self._leaves = connection.table(f"{kept_in}leaves")
        kept = connection.table(f"{kept_in}tournaments")
        rows = kept.select("tournament, size, root").fetchall()
        self._known = {
            tournament: _Known("the season has of it", size, root)
            for tournament, size, root in rows
        }
        self.sizes = {tournament: size for tournament, size, _ in rows}

    def take_or_skip(self, source: Source, looked: Looked, *, keep_going: bool) -> Taken:
        """Take one log; with `keep_going` a wrong one is skipped."""
        try:
            return self._take(source, looked)
        except InvalidLog as error:
            problem = one_line(str(error))
            if not keep_going:
                raise InvalidLog(f"{problem}; nothing was changed") from None
            return Taken(source.where, "skipped", problem=problem)

    def _take(self, source: Source, looked: Looked) -> Taken:
        stream, size = looked.stream, looked.size
        if not stream and looked.problem is not None:
            raise looked.problem
        known = self._known.get(stream)
        fate: Fate = "new"
        if known is not None:
            fate = self._fate(looked, known, stream)
        if fate == "other":
            assert known is not None  # noqa: S101 - it is another one than that
            raise looked.problem or self._contradiction(source, looked, known)
        if fate in {"known", "older", "shorter"}:
            return Taken(source.where, fate, stream, size)
        if looked.problem is not None:
            raise looked.problem
        assert looked.logged is not None  # noqa: S101 - what is new was put aside
        if known is not None and known.source is None:
            self.replaced.append(stream)
        self.logs[stream] = looked.logged
        self._known[stream] = _Known(source.where, size, looked.root, source)
        self.sizes[stream] = size
        return Taken(source.where, fate, stream, size)

    def _fate(self, looked: Looked, known: _Known, stream: str) -> Fate:
        """What a log is to one of the same tournament that came before."""
        if looked.size >= known.size:
            if root_of(beginning(looked.leaves, known.size)) != known.root:
                return "other"
            return "known" if looked.size == known.size else "grown"
        longer = self._leaves_of(known, stream)
        if longer is None:
            return "shorter"
        return "older" if longer.startswith(looked.leaves) else "other"

    def _leaves_of(self, known: _Known, stream: str) -> bytes | None:
        """The hashes of what came before; None if it came from an archive, which has none."""
        if known.source is not None:
            return leaves_of(known.source.lines())
        kept = self._leaves.filter(f"tournament = '{stream}'").order("piece")
        return b"".join(hashes for (hashes,) in kept.select("hashes").fetchall()) or None

    def _contradiction(self, source: Source, looked: Looked, known: _Known) -> LedgerError:
        """Say where two histories part; or what is wrong with this one, if it is none by itself."""
        try:
            source.checked(source.lines())
        except LedgerError as error:
            return error
        leaves = self._leaves_of(known, looked.stream)
        seq = _first_difference(looked.leaves, leaves) if leaves is not None else 0
        return InvalidLog(
            f"{source.where} tells another history of its tournament than {known.where}"
            + (f": they differ from event {seq} on" if seq else "")
            + "; find out which one is the true one: `tourney compare` proves two that are signed"
        )


def _first_difference(one: bytes, other: bytes) -> int:
    """The number of the first line whose hash is another."""
    places = range(0, min(len(one), len(other)), HASH_BYTES)
    return next(
        place // HASH_BYTES + 1
        for place in places
        if one[place : place + HASH_BYTES] != other[place : place + HASH_BYTES]
    )
