"""From logs to the next manifest of a season: compared, derived chunk by chunk, and published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ledger import VERSION
from ledger.errors import LedgerError
from projections.processes import processes
from projections.season.derived.chunks import CHUNK_EVENTS, Chunk, ChunkLog, NewLog, plan
from projections.season.derived.manifest import (
    ListedAlias,
    ListedChunk,
    ListedLog,
    Manifest,
)
from projections.season.derived.parts import DerivedChunk, WrongLog, derive_chunk
from projections.season.derived.publishing import publish, season_folder
from projections.season.derived.sealing import Sealing
from projections.season.derived.surveying import Survey
from projections.season.loading.adding import Progress
from projections.season.loading.checking import PROCESSES
from projections.season.loading.intake import DEFAULT_TERMS, Intake, LoadTerms, LogOutcome
from projections.season.loading.scratch import room_beside
from projections.season.loading.sources import FileLog, Source
from projections.season.loading.spooling import Logged
from projections.season.tables.database import FORMAT, written

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
    with written(folder), season_folder(folder) as found, room_beside(folder) as room:
        before = how.sealing.trusted(found) if how.sealing is not None else found
        survey, chunks = _Derivation(folder, room, before, how, progress).of(sources)
        aliases = before.aliases if how.aliases is None else how.aliases
        after = Manifest(FORMAT, chunks, aliases, head=before.head)
        is_new = not before.chunks and any(x.fate != "skipped" for x in survey.intake.taken)
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
                each.tournament: NewLog(
                    survey.years[each.log],
                    _listed(each, sources, intake, is_own=self.how.sealing is not None),
                )
                for each in intake.logs.values()
            }
            planned = plan(
                self.before.chunks, FORMAT, taken, intake.newly_signed, self.how.chunk_events
            )
            found = {
                intake.logs[each.tournament].log: each.problem
                for each in self._derive(planned.to_derive)
            }
            if not found:
                chunks = (self.done.get(each.name) or each for each in planned.chunks)
                return survey, tuple(each for each in chunks if isinstance(each, ListedChunk))
            wrong |= found

    def _derive(self, chunks: Sequence[Chunk]) -> list[WrongLog]:
        """Derive chunks, and return the logs that are wrong.

        Those of one chunk will do, unless the others are to be taken without them.
        """
        missing = [each for each in chunks if each.name not in self.done]
        wrong: list[WrongLog] = []
        total = sum(len(each.logs) for each in missing)
        logs = 0
        by = self.how.by or _in_processes(self.how.processes)
        for each in by(missing, self.folder, self.room):
            wrong += each.wrong
            if each.wrong and not self.how.terms.keep_going:
                break
            if not each.wrong:
                self.done[each.chunk.name] = each.chunk
            logs += len(each.chunk.logs)
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
        sources = [log.source for each in chunks for log in each.logs if log.source is not None]
        if min(most, len(chunks)) < 2 or not all(isinstance(x, FileLog) for x in sources):  # noqa: PLR2004 - one is no more than this one
            yield from map(derive_chunk, chunks, repeat(season), repeat(room))
            return
        with processes(min(most, len(chunks))) as working:
            yield from working.map(derive_chunk, chunks, repeat(season), repeat(room), chunksize=1)

    return derive_all
