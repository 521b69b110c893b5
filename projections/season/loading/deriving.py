"""Logs into the next manifest of a season: compared, derived chunk by chunk, and published.

A chunk is about 200,000 events of one year. A log stays in the chunk that it came to, so that
another log moves none; a chunk with a log that is new or has grown is written again, under another
name. New logs fill the last chunk of their year.

Logs are surveyed before anything is derived: hashed, checked against their heads, and compared.
Whether a log keeps the rules is found when its chunk is derived, which takes most of the time.

From a chunk to its parts leads a pure function, in any process, on any machine: the same chunk
gives the same bytes. Rows are in one order, and one thread writes them. The function knows nothing
of other chunks, of the league, or of the manifest.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count, repeat
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import InvalidLog, LedgerError
from ledger.files.system import replace_file
from ledger.fold import collector_paused
from ledger.problems import phrase
from projections.processes import processes
from projections.season.loading.adding import Progress, head_columns, load
from projections.season.loading.checking import (
    BATCH_BYTES,
    LOGS_AT_ONCE,
    PROCESSES,
    WORTH_BYTES,
    CheckedBefore,
    CheckedLog,
    Logged,
    Spool,
    batches_of,
)
from projections.season.loading.intake import DEFAULT_TERMS, Intake, KnownLog, LoadTerms, LogOutcome
from projections.season.loading.manifest import (
    LEAVES,
    ListedAlias,
    ListedChunk,
    ListedLog,
    Manifest,
    TablePart,
    chunk_name,
    digest_of,
    hold_part,
    leaves_in,
    part_file,
    table_names,
)
from projections.season.loading.publishing import Sealing, publish, season_folder
from projections.season.loading.scratch import room_beside
from projections.season.loading.sources import FileLog, Source, opening_of
from projections.season.tables.database import FORMAT, open_scratch, written
from projections.season.tables.signed_heads import SignedPrefix, leaves_of, root_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ledger.proof.heads import Asked

CHUNK_EVENTS = 200_000


class ChunkLog(Struct, frozen=True):
    """A log of a chunk; without a source its rows are in the chunk's parts before."""

    listed: ListedLog
    source: Source | None = None
    known: int = 0
    """Number of its first events that count as checked before."""


class Chunk(Struct, frozen=True):
    """Logs of a year that one task derives, in the order of their tournaments' ids."""

    year: int
    version: int
    """Version of the tables that they are derived to."""

    logs: tuple[ChunkLog, ...]
    before: ListedChunk | None = None

    @property
    def name(self) -> str:
        """What its parts are called by."""
        return chunk_name(self.version, (log.listed for log in self.logs))


class NewLog(Struct, frozen=True):
    """A log that was taken, and the year that it was opened in."""

    year: int
    log: ChunkLog


class ChunkPlan(Struct, frozen=True):
    """Planned chunks of a season: listed ones that are kept, and those that must be derived."""

    chunks: tuple[ListedChunk | Chunk, ...]

    @property
    def to_derive(self) -> list[Chunk]:
        """The chunks that are not there yet."""
        return [chunk for chunk in self.chunks if isinstance(chunk, Chunk)]


def plan(
    chunks: Iterable[ListedChunk],
    version: int,
    taken: Mapping[str, NewLog],
    newly_signed: Mapping[str, SignedPrefix],
    events_max: int = CHUNK_EVENTS,
) -> ChunkPlan:
    """Give every log its chunk: what was taken, by tournament, and what is there already."""
    planned = [_Planned.of(chunk, version, taken, newly_signed) for chunk in chunks]
    present = {log.listed.tournament for chunk in planned for log in chunk.logs}
    new = [log for tournament, log in sorted(taken.items()) if tournament not in present]
    by_year: dict[int, list[ChunkLog]] = defaultdict(list)
    for new_log in new:
        by_year[new_log.year].append(new_log.log)
    for year, logs in sorted(by_year.items()):
        _fill(planned, year, version, logs, events_max)
    return ChunkPlan(
        tuple(settled for chunk in planned if (settled := chunk.settled()) is not None)
    )


def _fill(
    planned: list[_Planned], year: int, version: int, logs: Sequence[ChunkLog], events_max: int
) -> None:
    """Add logs to the last chunk of their year, and to further ones once it is full."""
    last = next((chunk for chunk in reversed(planned) if chunk.year == year), None)
    for log in logs:
        if last is None or (last.events and last.events + log.listed.size > events_max):
            last = _Planned(year, version, [])
            planned.append(last)
        last.logs.append(log)


class _Planned:
    """A chunk while logs are added to it."""

    def __init__(
        self, year: int, version: int, logs: list[ChunkLog], before: ListedChunk | None = None
    ) -> None:
        self.year, self.version, self.logs, self.before = year, version, logs, before

    @classmethod
    def of(
        cls,
        chunk: ListedChunk,
        version: int,
        taken: Mapping[str, NewLog],
        newly_signed: Mapping[str, SignedPrefix],
    ) -> _Planned:
        """Begin with a chunk as it is; a log of another year in the place of one leaves it."""
        logs = list(_renewed(chunk, taken, newly_signed))
        return cls(chunk.year, version, logs, chunk)

    @property
    def events(self) -> int:
        return sum(log.listed.size for log in self.logs)

    def settled(self) -> ListedChunk | Chunk | None:
        """Return the chunk as it was, or what has to be derived; None where no log is left."""
        if not self.logs:
            return None
        logs = tuple(sorted(self.logs, key=lambda log: log.listed.tournament))
        chunk = Chunk(self.year, self.version, logs, self.before)
        is_as_before = (
            self.before is not None
            and self.before.name == chunk.name
            and all(log.source is None for log in logs)  # the same log may be derived again
        )
        return self.before if is_as_before else chunk


def _renewed(
    chunk: ListedChunk, taken: Mapping[str, NewLog], newly_signed: Mapping[str, SignedPrefix]
) -> Iterator[ChunkLog]:
    for listed in chunk.logs:
        new = taken.get(listed.tournament)
        if new is None:
            signed = newly_signed.get(listed.tournament, listed.signed)
            yield ChunkLog(
                replace(
                    listed,
                    signed_size=signed.size,
                    signed_by=signed.by,
                    by_policy=signed.by_policy,
                    unsigned=signed.unsigned,
                )
            )
        elif new.year == chunk.year:
            yield new.log


class WrongLog(Struct, frozen=True):
    """A log that a chunk cannot be derived with, and why."""

    tournament: str
    problem: LedgerError


class DerivedChunk(Struct, frozen=True):
    """Result of deriving a chunk: its parts, or every log that is wrong, and then no part."""

    chunk: ListedChunk
    wrong: tuple[WrongLog, ...] = ()


def derive_chunk(chunk: Chunk, season: Path, into: Path) -> DerivedChunk:
    """Check a chunk's logs, derive every table from them, and write each as a part.

    Parts are written elsewhere and renamed, to their places as from a season's folder, but in the
    folder `into`: doing it twice does no harm. Rows of logs without a source are taken from the
    parts of the chunk before, in the folder `season`.

    Raises:
        StoreUnavailable: a part of the chunk before is missing or altered.
        OSError: there is no room.
    """
    room = Path(mkdtemp(prefix=".chunk-", dir=into))
    try:
        spooled, wrong = _spooled(chunk, room)
        listed = ListedChunk(chunk.name, chunk.year, tuple(x.listed for x in chunk.logs), {})
        if wrong:
            return DerivedChunk(listed, tuple(wrong))
        with open_scratch() as connection:
            _take_over(connection, chunk, season)
            load(connection, batches_of(spooled, room), (), lambda _done: None)
            parts = dict(_written(connection, chunk, room, into))
        return DerivedChunk(replace(listed, parts=parts))
    finally:
        shutil.rmtree(room)


def _spooled(chunk: Chunk, room: Path) -> tuple[list[Logged], list[WrongLog]]:
    """Check each log that has a source, as far as it was planned, and spool its rows."""
    logged, wrong = [], []
    with closing(Spool(room, BATCH_BYTES)) as spool:
        for number, log in enumerate(chunk.logs, start=1):
            try:
                if log.source is not None:
                    logged.append(_checked(log, number, spool))
            except LedgerError as error:
                wrong.append(WrongLog(log.listed.tournament, error))
    return logged, wrong


def _checked(log: ChunkLog, number: int, spool: Spool) -> Logged:
    assert log.source is not None  # noqa: S101 - as its caller asked
    listed = log.listed
    lines = log.source.lines()[: listed.size]
    leaves = leaves_of(lines)
    if root_of(leaves) != listed.root:
        raise InvalidLog(
            phrase(
                "{where} changed while it was being read: run the command again",
                where=log.source.where,
            )
        )
    with collector_paused():
        tournament = log.source.checked(lines, log.known, leaves)
        logged = spool.add(number, tournament, lines, leaves, listed.root)
    return replace(logged, signed=listed.signed)


def _take_over(connection: DuckDBPyConnection, chunk: Chunk, season: Path) -> None:
    """Take the rows of logs that are as they were from the parts before, with today's heads."""
    unchanged = [log.listed for log in chunk.logs if log.source is None]
    if not unchanged or chunk.before is None:
        return
    for table, part in chunk.before.parts.items():
        path = hold_part(season, part)
        connection.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet($file, "  # noqa: S608 - our own
            "hive_partitioning = false) WHERE list_contains($kept, tournament)",
            {"file": str(path), "kept": [listed.tournament for listed in unchanged]},
        )
    for listed in unchanged:
        connection.execute(
            "UPDATE tournaments SET signed_size = ?, signed_by = ?, by_policy = ? "
            "WHERE tournament = ?",
            [*head_columns(listed.signed), listed.tournament],
        )


def _written(
    connection: DuckDBPyConnection, chunk: Chunk, room: Path, into: Path
) -> Iterator[tuple[str, TablePart]]:
    for table in table_names():
        draft = room / f"{table}.parquet"
        quoted = str(draft).replace("'", "''")
        written = connection.execute(
            f"COPY (FROM {table} ORDER BY ALL) TO '{quoted}' "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{season_format: '{chunk.version}'}})"
        ).fetchone()
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        name = part_file(table, chunk.year, chunk.name)
        part = TablePart(
            name, digest_of(draft), draft.stat().st_size, int(written[0] if written else 0)
        )
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        replace_file(draft, into / name)
        yield table, part


class SurveyedLog(Struct, frozen=True):
    """A log that was hashed: what it is known by, and the year of its date; 0 without a date."""

    year: int
    log: CheckedLog


class Survey:
    """What logs are to a season in a folder, one by one in their order."""

    def __init__(
        self, folder: Path, manifest: Manifest, terms: LoadTerms, *, is_signed: bool = False
    ) -> None:
        self._folder = folder
        self._chunk_of = {log.tournament: chunk for chunk in manifest.chunks for log in chunk.logs}
        known_logs = {
            log.tournament: KnownLog(
                log.size, log.root, log.signed, is_derived_again=is_signed and not log.is_own
            )
            for log in manifest.logs()
        }
        self.intake = Intake(known_logs, self._leaves_of, terms)
        self.years: dict[int, int] = {}
        self._trust = terms.trust
        self._before = terms.before.beside(
            {
                log.tournament: CheckedBefore(log.size, log.root)
                for log in manifest.logs()
                if log.checked_by == VERSION
            }
        )

    def look(
        self,
        sources: Sequence[Source],
        wrong: Mapping[int, LedgerError],
        tell: Callable[[int, int], None],
        most: int,
    ) -> None:
        """Take every log in, or leave it out, by what it is to the season.

        Of those in `wrong`, by number from 1, it is known already that they break a rule.
        """
        with closing(_surveyed(sources, self._trust, most)) as surveyed:
            for number, (source, survey) in enumerate(zip(sources, surveyed, strict=True), start=1):
                self.years[number] = survey.year
                log = replace(survey.log, problem=wrong.get(number, survey.log.problem))
                self.intake.take_or_skip(source, self._with_known(source, log))
                tell(number, len(sources))

    def _with_known(self, source: Source, log: CheckedLog) -> CheckedLog:
        """Say how much of a log that the season has not wholly counts as checked before."""
        if log.logged is None or not source.holds_to_rules:
            return log
        accepted = checked = 0
        if log.size > self.intake.sizes.get(log.stream, 0):
            checked = self._before.events_checked(log.stream, log.leaves, log.root)
            accepted = max(checked, self._before.events_accepted(log.signed))
        return replace(
            log, logged=replace(log.logged, is_checked=accepted == checked), known=accepted
        )

    def _leaves_of(self, tournament: str) -> bytes | None:
        chunk: ListedChunk = self._chunk_of[tournament]
        return leaves_in(hold_part(self._folder, chunk.parts[LEAVES]), tournament)


def _surveyed(
    sources: Sequence[Source], trust: Asked, most: int
) -> Generator[SurveyedLog, None, None]:
    files = [source for source in sources if isinstance(source, FileLog)]
    is_worth = sum(file.size for file in files) >= WORTH_BYTES and len(files) == len(sources)
    if is_worth and most > 1:
        with processes(most) as working:
            numbers = range(1, len(files) + 1)
            yield from working.map(
                survey_log, numbers, files, repeat(trust), chunksize=LOGS_AT_ONCE
            )
    else:
        yield from map(survey_log, count(1), sources, repeat(trust))


def survey_log(number: int, source: Source, trust: Asked) -> SurveyedLog:
    """Read a log and hash it; what is no log has a problem, and no tournament."""
    try:
        lines = source.lines()
        opening = opening_of(source, lines)
        leaves = leaves_of(lines)
        root, signed = source.known_by(opening.tournament, lines, leaves, trust)
    except LedgerError as error:
        return SurveyedLog(0, CheckedLog(problem=error))
    logged = Logged(number, 0, opening.tournament, len(lines), root, signed)
    checked = CheckedLog(opening.tournament, len(lines), leaves, root, signed, logged)
    return SurveyedLog(int(opening.date[:4]), checked)


COMPARED, DERIVED = "compared", "derived"

Derive = Callable[[Sequence[Chunk], Path, Path], Iterable[DerivedChunk]]
"""Derives chunks, in their order; the season's folder, and the one for parts, come with them."""


class Deriving(Struct, frozen=True):
    """How a season is derived: on which terms, and by how many processes or by what else.

    `aliases` are the league's, None: as they are; `chunk_events` is how much is derived at once.
    With `sealing` the manifest is signed.
    """

    terms: LoadTerms = DEFAULT_TERMS
    processes: int = PROCESSES
    by: Derive | None = None
    aliases: tuple[ListedAlias, ...] | None = None
    sealing: Sealing | None = None
    chunk_events: int = CHUNK_EVENTS


def derive(
    folder: Path, sources: Sequence[Source], progress: Progress, how: Deriving
) -> list[LogOutcome]:
    """Take logs into the season of a folder: all of them, or with a wrong one among them none.

    The same log again changes nothing; a longer one has its chunk written again.

    Raises:
        LedgerError: what is wrong with a log or the folder; nothing has changed.
    """
    with written(folder), season_folder(folder) as manifest, room_beside(folder) as room:
        before = how.sealing.trusted(folder, manifest) if how.sealing is not None else manifest
        survey, chunks = _Derivation(folder, room, before, how, progress).of(sources)
        aliases = before.aliases if how.aliases is None else how.aliases
        after = Manifest(FORMAT, chunks, aliases, head=before.head)
        is_new = not before.chunks and any(
            log.fate not in {"skipped", "removed"} for log in survey.intake.taken
        )
        if is_new or (after.chunks, after.aliases) != (before.chunks, before.aliases):
            after = (
                how.sealing.sealed(after) if how.sealing is not None else replace(after, head=None)
            )
            publish(folder, before, after, room)
    return survey.intake.taken


class _Derivation(Struct):
    """Logs on their way into a season's folder; what is done is not done again."""

    folder: Path
    room: Path
    before: Manifest
    how: Deriving
    progress: Progress
    done: dict[str, ListedChunk] = {}

    def of(self, sources: Sequence[Source]) -> tuple[Survey, tuple[ListedChunk, ...]]:
        """Derive what is missing; where a log turns out to be wrong, decide again without it."""
        wrong: dict[int, LedgerError] = {}
        while True:
            survey = Survey(
                self.folder, self.before, self.how.terms, is_signed=self.how.sealing is not None
            )
            survey.look(
                sources, wrong, lambda n, of: self.progress(COMPARED, n, of), self.how.processes
            )
            intake = survey.intake
            taken = {
                log.tournament: NewLog(
                    survey.years[log.log],
                    _listed(log, sources, intake, is_own=self.how.sealing is not None),
                )
                for log in intake.logs.values()
            }
            planned = plan(
                self.before.chunks, FORMAT, taken, intake.newly_signed, self.how.chunk_events
            )
            problems = {
                intake.logs[wrong_log.tournament].log: wrong_log.problem
                for wrong_log in self._derive(planned.to_derive)
            }
            if not problems:
                chunks = (self.done.get(chunk.name) or chunk for chunk in planned.chunks)
                return survey, tuple(chunk for chunk in chunks if isinstance(chunk, ListedChunk))
            wrong |= problems

    def _derive(self, chunks: Sequence[Chunk]) -> list[WrongLog]:
        """Derive chunks, and return the logs that are wrong.

        Those of one chunk will do, unless the others are to be taken without them.
        """
        missing = [chunk for chunk in chunks if chunk.name not in self.done]
        wrong: list[WrongLog] = []
        total = sum(len(chunk.logs) for chunk in missing)
        logs = 0
        by = self.how.by or _in_processes(self.how.processes)
        for derived in by(missing, self.folder, self.room):
            wrong += derived.wrong
            if derived.wrong and not self.how.terms.keep_going:
                break
            if not derived.wrong:
                self.done[derived.chunk.name] = derived.chunk
            logs += len(derived.chunk.logs)
            self.progress(DERIVED, logs, total)
        return wrong


def _listed(log: Logged, sources: Sequence[Source], intake: Intake, *, is_own: bool) -> ChunkLog:
    signed = log.signed
    listed = ListedLog(
        log.tournament,
        log.size,
        log.root,
        signed.size,
        signed.by,
        signed.by_policy,
        VERSION if log.is_checked else "",
        signed.unsigned,
        is_own,
    )
    place = log.log - 1
    return ChunkLog(listed, sources[place], intake.taken[place].checked_before)


def _in_processes(most: int) -> Derive:
    """Derive in as many processes, or in this one where a log is in a store, which is open here."""

    def derive_all(chunks: Sequence[Chunk], season: Path, room: Path) -> Iterator[DerivedChunk]:
        sources = [log.source for chunk in chunks for log in chunk.logs if log.source is not None]
        if min(most, len(chunks)) < 2 or not all(isinstance(x, FileLog) for x in sources):  # noqa: PLR2004 - one is no more than this one
            yield from map(derive_chunk, chunks, repeat(season), repeat(room))
            return
        with processes(min(most, len(chunks))) as working:
            yield from working.map(derive_chunk, chunks, repeat(season), repeat(room), chunksize=1)

    return derive_all
