"""Many files of any kind, read and translated side by side, for a store that one process writes.

The files are read by several processes if that saves time, and come back in their order. What is
made of a file depends on the file alone, so a store gets the same lines as from one file after the
other. What a process has read waits in a folder for the process that writes, which holds one file
in memory at a time.

A file that another verb takes, or that no reader knows, is passed over. A file that begins as a
tournament does and cannot be read is wrong.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct

from ledger.errors import InvalidLog, LedgerError, NotFound
from ledger.exchange.importing import (
    LOG,
    NRTM,
    FileKey,
    ParsedFile,
    file_key,
    kind_of_file,
    read_file,
)
from ledger.exchange.programs.building import decoded
from ledger.exchange.programs.nrtm import RECORD_MEMBER
from ledger.exchange.sheets import Details, names_rounds, sheet_details
from ledger.files import kinds
from ledger.files.access import Unreadable, kind_at, whole
from ledger.problems import Phrase, in_words, phrase
from ledger.proof.heads import Asked, HeadWaiver
from projections.processes import processes
from projections.published_tables import ReproductionVerdict
from projections.readings import read_as
from projections.reproduction import (
    never,
    reproduce,
    several_readings,
    verdict_and_reading,
)
from projections.standings.table import ranking

if TYPE_CHECKING:
    from ledger.books.vault import Secrets
    from ledger.exchange.foreign import ForeignTournament
    from ledger.problems import Problem

NO_DETAILS = Details("")

PASSED_OVER = "import.passed_over"
"""The code of the reasons for which files are passed over."""

PROCESSES = 2
"""As many as a small computer has cores."""

WORTH_BYTES = 2 << 20
"""From how many bytes of files on, further processes save more than their start takes."""

FILES_AT_ONCE = 4
"""Number of files that a process gets at a time."""

ENDINGS = frozenset({".jsonl", ".json", ".trf", ".h9", ".xml", ".csv"})
"""Names of files that a person means to be read, even if their bytes are not text."""

OTHERS = frozenset(kinds.KINDS) - {kinds.LOG, kinds.FOREIGN}
"""Kinds of our own files that are not one tournament."""


def unlimited() -> Callable[[], bool]:
    """Let a search take as long as it needs."""
    return never


class ReadingTerms(Struct, frozen=True):
    """Terms of reading: details of sheets, heads of logs, and files that the store already has."""

    sheets: Details = NO_DETAILS
    """Details that sheets of rounds leave out, the same for all sheets."""

    trust: Asked = None
    known: frozenset[FileKey] = frozenset()
    search_ends: Callable[[], Callable[[], bool]] = unlimited
    """Starts the clock of a search for readings, and returns the check of its time limit."""


class FileOutcome(Struct, frozen=True):
    """The result of reading a file, or the problems for which nothing was read."""

    where: str
    fate: Literal["read", "passed over", "wrong"]
    problems: tuple[Problem, ...] = ()
    parsed: ParsedFile | None = None
    spooled: Path | None = None
    """Path of the parsed file, if another process read it."""

    verdict: ReproductionVerdict | None = None
    reading: tuple[str, ...] = ()

    def content(self) -> ParsedFile:
        """Return the parsed file, and leave it nowhere else."""
        if self.parsed is not None:
            return self.parsed
        assert self.spooled is not None  # noqa: S101 - one of the two is there for a file "read"
        parsed: ParsedFile = pickle.loads(self.spooled.read_bytes())  # noqa: S301 - ours
        return parsed


class FileReader:
    """Reads files of any kind by the same terms; with a folder it leaves there what it has read."""

    def __init__(self, terms: ReadingTerms, folder: Path | None = None) -> None:
        self._terms = terms
        self._folder = folder

    def read(self, number: int, path: Path, secrets: Secrets) -> FileOutcome:
        """Read a file; translate it if the store does not have it, and compare its numbers.

        `secrets` are those of a tournament that is still running.
        """
        where = str(path)
        try:
            kind, reason = self._kind(path)
            if reason is not None:
                return FileOutcome(where, "passed over", (in_words(reason, PASSED_OVER),))
            parsed = self._parsed(path, kind, secrets)
        except LedgerError as error:
            return FileOutcome(where, "wrong", error.problems)
        verdict: ReproductionVerdict | None = None
        reading: tuple[str, ...] = ()
        if parsed.foreign is not None and parsed.tournament is not None:
            verdict, reading = verdict_and_reading(parsed.foreign, parsed.tournament)
        if self._folder is None:
            return FileOutcome(where, "read", (), parsed, None, verdict, reading)
        spooled = self._folder / f"{number}.read"
        with spooled.open("wb") as file:
            pickle.dump(parsed, file, pickle.HIGHEST_PROTOCOL)
        return FileOutcome(where, "read", (), None, spooled, verdict, reading)

    def _kind(self, path: Path) -> tuple[str, Phrase | None]:
        """Return what a file is, empty for a sheet, and why it is passed over if it is.

        Raises:
            InvalidLog: it cannot be read.
        """
        try:
            kind = kind_at(path)
        except OSError as error:
            raise NotFound(
                phrase("{file} cannot be read: {error}", file=str(path), error=error.strerror or "")
            ) from None
        if kind in OTHERS:
            return "", Phrase(kinds.KINDS[kind][1])
        try:
            if path.suffix.lower() == ".csv":
                return "", None if names_rounds(whole(path)) else phrase("a table without rounds")
            kind = kind_of_file(path)
        except Unreadable as error:
            if path.suffix.lower() in ENDINGS:
                raise
            return "", error.words
        except InvalidLog as error:
            if all(fault.code != "import.unknown_kind" for fault in error.problems):
                raise
            return "", None if names_rounds(whole(path)) else phrase("a file of an unknown kind")
        if kind == NRTM and _is_other_json(whole(path)):
            return "", phrase("JSON without players and rounds")
        return kind, None

    def _parsed(self, path: Path, kind: str, secrets: Secrets) -> ParsedFile:
        sheets, trust = self._terms.sheets, self._terms.trust
        details: Details | None = None
        if not kind:
            try:
                details = sheet_details(whole(path), sheets)
            except InvalidLog as error:
                raise InvalidLog(*(fault.within(str(path)) for fault in error.problems)) from None
        if kind != LOG and isinstance(trust, HeadWaiver):
            trust = None
        return read_file(
            path,
            ranking=ranking,
            secrets=secrets,
            details=details,
            trust=trust,
            read_as=lambda foreign: self._chosen(path, foreign),
        )

    def _chosen(self, path: Path, foreign: ForeignTournament) -> ForeignTournament | None:
        """Return a tournament by the reading that is taken; None if the store has the file."""
        if file_key(foreign) in self._terms.known:
            return None
        return settled(path, foreign, self._terms.search_ends())


def _is_other_json(data: bytes) -> bool:
    """Return whether a file is JSON of which nothing looks like a tournament."""
    try:
        raw = decoded(data)
    except InvalidLog:
        return False  # cut off or changed: reading it reports the fault
    return isinstance(raw, dict) and raw.keys().isdisjoint({"players", "rounds", RECORD_MEMBER})


def settled(
    path: Path, foreign: ForeignTournament, is_over: Callable[[], bool] = never
) -> ForeignTournament:
    """Return a tournament by the one reading by which all numbers follow, else by the plain one.

    Raises:
        Refused: all numbers follow by several readings, so a person has to choose.
    """
    reproduction = reproduce(foreign, is_over=is_over, is_explained=False)
    if not reproduction.explained:
        return foreign
    if not reproduction.is_settled:
        raise several_readings(path, reproduction)
    return read_as(foreign, reproduction.explained[0].readings)


def read_files(
    files: Sequence[tuple[Path, Secrets]], terms: ReadingTerms, folder: Path
) -> Iterator[FileOutcome]:
    """Read files, some at a time if that is worth it; yield what became of each, in their order."""
    if sum(path.stat().st_size for path, _ in files) < WORTH_BYTES:
        reader = FileReader(terms)
        for number, (path, secrets) in enumerate(files):
            yield reader.read(number, path, secrets)
        return
    numbers, paths, keys = range(len(files)), [p for p, _ in files], [s for _, s in files]
    with processes(PROCESSES, _Worker.begin, terms, folder) as working:
        yield from working.map(_Worker.read, numbers, paths, keys, chunksize=FILES_AT_ONCE)


class _Worker:
    """The reader of a further process."""

    reader: ClassVar[FileReader]

    @classmethod
    def begin(cls, terms: ReadingTerms, folder: Path) -> None:
        cls.reader = FileReader(terms, folder)

    @classmethod
    def read(cls, number: int, path: Path, secrets: Secrets) -> FileOutcome:
        return cls.reader.read(number, path, secrets)
