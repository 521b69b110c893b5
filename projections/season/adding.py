"""Logs into a season: what is new, what has grown, what is there already, what contradicts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from typing import Literal

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.errors import LedgerError
from ledger.events.opening import TournamentOpened
from ledger.files import one_line
from ledger.lines import decode
from projections.season.loading import load
from projections.season.roots import beginning
from projections.season.roots import leaves_of
from projections.season.roots import root_of
from projections.season.spooling import Spool

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

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
    logged: Logged | None = None


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
    with TemporaryDirectory(prefix=".season-", dir=folder) as aside:
        intake = _Intake(connection, Spool(Path(aside)), kept_in)
        taken: list[Taken] = []
        for number, source in enumerate(sources, start=1):
            taken.append(intake.take_or_skip(source, keep_going=keep_going))
            progress(CHECKED, number, len(sources))
        total = sum(len(batch.logs) for batch in intake.spool.batches)
        load(
            connection,
            intake.spool.batches,
            intake.replaced,
            lambda done: progress(LOADED, done, total),
        )
    return taken


class _Intake:
    """One load: what the season knows, and what this load has put aside."""

    def __init__(self, connection: DuckDBPyConnection, spool: Spool, kept_in: str) -> None:
        self.spool = spool
        self.replaced: list[str] = []
        self._leaves = connection.table(f"{kept_in}leaves")
        kept = connection.table(f"{kept_in}tournaments")
        rows = kept.select("tournament, size, root").fetchall()
        self._known = {
            tournament: _Known("the season", size, root) for tournament, size, root in rows
        }

    def take_or_skip(self, source: Source, *, keep_going: bool) -> Taken:
        """Take one log; with `keep_going` a wrong one is skipped."""
        try:
            return self._take(source)
        except InvalidLog as error:
            problem = one_line(str(error))
            if not keep_going:
                raise InvalidLog(f"{problem}; nothing was changed") from None
            return Taken(source.where, "skipped", problem=problem)

    def _take(self, source: Source) -> Taken:
        lines = source.lines()
        stream = _stream(source, lines)
        leaves = leaves_of(lines)
        root = root_of(leaves)
        known = self._known.get(stream)
        fate: Fate = "new"
        if known is not None and len(lines) < known.size:
            fate = self._fate_of_shorter(source, leaves, known, stream)
        elif known is not None:
            fate = _fate(source, leaves, len(lines), known)
        if fate in {"known", "older", "shorter"}:
            return Taken(source.where, fate, stream, len(lines))
        logged = self.spool.add(source.checked(lines), lines, leaves, root)
        if known is not None and known.logged is not None:
            self.spool.forget(known.logged)
        elif known is not None:
            self.replaced.append(stream)
        self._known[stream] = _Known(source.where, len(lines), root, source, logged)
        return Taken(source.where, fate, stream, len(lines))

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


def _stream(source: Source, lines: list[bytes]) -> str:
    """The id of the tournament that a log opens with."""
    if not lines:
        raise InvalidLog(f"{source.where} is empty: a log begins with TournamentOpened")
    try:
        event = decode(lines[0]).event
    except LedgerError as error:
        raise InvalidLog(f"{source.where}: line 1: {error}") from None
    if not isinstance(event, TournamentOpened):
        raise InvalidLog(f"{source.where}: line 1: a log begins with TournamentOpened")
    return event.tournament


def _fate(source: Source, leaves: bytes, size: int, known: _Known) -> Fate:
    """What a log is to one of the same tournament, no longer than it, that came before.

    Raises:
        InvalidLog: they tell of different histories.
    """
    if root_of(beginning(leaves, known.size)) != known.root:
        raise _other_history(source, known)
    return "known" if size == known.size else "grown"


def _other_history(source: Source, known: _Known) -> InvalidLog:
    return InvalidLog(f"{source.where} tells another history of its tournament than {known.where}")
