"""Logs into a season: what is new, what has grown, what is there already, what contradicts."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING
from typing import Literal

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.files import one_line
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

Fate = Literal["new", "grown", "known", "older", "shorter", "skipped"]
"""`shorter`: perhaps older; the season took the longer one from an archive, which has no hashes."""

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
            tournament: _Known("the season", size, root) for tournament, size, root in rows
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
        if known is not None and size < known.size:
            fate = self._fate_of_shorter(source, looked.leaves, known, stream)
        elif known is not None:
            fate = _fate(source, looked, known)
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

    def _fate_of_shorter(self, source: Source, leaves: bytes, known: _Known, stream: str) -> Fate:
        """What a log is to a longer one of the same tournament.

        Raises:
            InvalidLog: the longer one does not begin with it.
        """
        if known.source is not None:
            longer = leaves_of(known.source.lines())
        else:
            found = self._leaves.filter(f"tournament = '{stream}'").select("hashes").fetchall()
            if not found:
                return "shorter"
            ((longer,),) = found
        if not longer.startswith(leaves):
            raise _other_history(source, known)
        return "older"


def _fate(source: Source, looked: Looked, known: _Known) -> Fate:
    """What a log is to one of the same tournament, no longer than it, that came before.

    Raises:
        InvalidLog: they tell of different histories.
    """
    if root_of(beginning(looked.leaves, known.size)) != known.root:
        raise _other_history(source, known)
    return "known" if looked.size == known.size else "grown"


def _other_history(source: Source, known: _Known) -> InvalidLog:
    return InvalidLog(f"{source.where} tells another history of its tournament than {known.where}")
