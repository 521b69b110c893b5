"""Logs read, held to the rules and spooled: in this process, or in several where it saves time.

What a log is to the season is decided by the caller, log by log in their order: however many
processes there are, the season and the problems reported are the same.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.fold import collector_paused
from projections.processes import processes
from projections.season.loading.known_checks import NOTHING_KNOWN, KnownChecks
from projections.season.loading.signed_prefix import SignedPrefix, leaves_of
from projections.season.loading.sources import FileLog, Source, opening_of
from projections.season.loading.spooling import BATCH_BYTES, Logged, Spool
from projections.season.tables.database import THREADS

if TYPE_CHECKING:
    from ledger.proof.heads import Asked

PROCESSES = THREADS

WORTH_BYTES = 8 << 20
"""From how many bytes of logs on, further processes save more than their start takes."""

LOGS_AT_ONCE = 4
"""How many logs a process is handed at a time."""


class CheckedLog(Struct, frozen=True):
    """What is known of one log; without a stream it is not a log, and problem says why.

    `logged` is None where nothing had to be spooled: the season has as much of the tournament, or
    the log is wrong.
    """

    stream: str = ""
    size: int = 0
    leaves: bytes = b""
    root: str = ""
    signed: SignedPrefix = SignedPrefix()
    logged: Logged | None = None
    problem: LedgerError | None = None
    known: int = 0
    """How many of its events count as checked before."""


class LogChecker:
    """Checks logs; sizes says how much the season has of each tournament.

    With `trust` a log has to have a head that it accepts; `before` says what was checked already.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        spool: Spool,
        trust: Asked = None,
        before: KnownChecks = NOTHING_KNOWN,
    ) -> None:
        self._sizes = sizes
        self._spool = spool
        self._trust = trust
        self._before = before

    def check(self, number: int, source: Source) -> CheckedLog:
        """Read a log; check it and spool it, if there is more in it than the season has."""
        try:
            lines = source.lines()
            stream = opening_of(source, lines).tournament
            leaves = leaves_of(lines)
            root, signed = source.known_by(stream, lines, leaves, self._trust)
        except LedgerError as error:
            return CheckedLog(problem=error)
        size = len(lines)
        checked = CheckedLog(stream, size, leaves, root, signed)
        if size <= self._sizes.get(stream, 0):
            return checked
        held = self._before.events_checked(stream, leaves, root)
        known = max(held, self._before.events_accepted(signed))
        try:
            with collector_paused():
                tournament = source.checked(lines, known, leaves)
                logged = self._spool.add(number, tournament, lines, leaves, root)
        except LedgerError as error:
            return replace(checked, problem=error)
        is_checked = source.holds_to_rules and known == held
        logged = replace(logged, signed=signed, is_checked=is_checked)
        return replace(checked, logged=logged, known=known if source.holds_to_rules else 0)


def check_all(
    sources: Sequence[Source],
    sizes: Mapping[str, int],
    folder: Path,
    trust: Asked = None,
    before: KnownChecks = NOTHING_KNOWN,
) -> Generator[CheckedLog, None, None]:
    """Check logs, in their order, and spool them to the folder.

    `sizes` may grow while this goes on: what it says in time need not be checked. With `trust` each
    has to have a head that it accepts; `before` says what was checked already.

    Raises:
        Refused: a process was ended from outside.
    """
    files = [source for source in sources if isinstance(source, FileLog)]
    if len(files) == len(sources) and sum(file.size for file in files) >= WORTH_BYTES:
        yield from _in_processes(files, sizes, folder, trust, before)
    else:
        with closing(Spool(folder, BATCH_BYTES)) as spool:
            checker = LogChecker(sizes, spool, trust, before)
            yield from map(checker.check, count(1), sources)


def _in_processes(
    sources: Sequence[FileLog],
    sizes: Mapping[str, int],
    folder: Path,
    trust: Asked,
    before: KnownChecks,
) -> Iterator[CheckedLog]:
    plain = KnownChecks(dict(before.logs), before.by_head)  # a view of a mapping cannot be sent
    given = dict(sizes), folder, BATCH_BYTES // PROCESSES, trust, plain
    with processes(PROCESSES, _Worker.begin, *given) as working:
        yield from working.map(_Worker.check, count(1), sources, chunksize=LOGS_AT_ONCE)


class _Worker:
    """The checker of a further process."""

    checker: ClassVar[LogChecker]

    @classmethod
    def begin(
        cls,
        sizes: Mapping[str, int],
        folder: Path,
        room: int,
        trust: Asked,
        before: KnownChecks,
    ) -> None:
        cls.checker = LogChecker(sizes, Spool(folder, room), trust, before)

    @classmethod
    def check(cls, number: int, source: FileLog) -> CheckedLog:
        return cls.checker.check(number, source)
