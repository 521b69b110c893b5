"""Which logs are derived together: about 200,000 events of one year.

A log stays in the chunk that it came to, so that another log moves none; a chunk with a log that is
new or has grown is written again, under another name. New logs fill the last chunk of their year.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from projections.season.derived.manifest import ListedChunk, ListedLog, chunk_name
from projections.season.loading.signed_prefix import SignedPrefix
from projections.season.loading.sources import Source

CHUNK_EVENTS = 200_000


class ChunkLog(Struct, frozen=True):
    """A log of a chunk; without a source its rows are in the chunk's parts before."""

    listed: ListedLog
    source: Source | None = None
    known: int = 0
    """How many of its first events count as checked before."""


class Chunk(Struct, frozen=True):
    """What one task derives: logs of a year, in the order of their tournaments' ids."""

    year: int
    version: int
    """Which version of the tables they are derived to."""

    logs: tuple[ChunkLog, ...]
    before: ListedChunk | None = None

    @property
    def name(self) -> str:
        """What its parts are called by."""
        return chunk_name(self.version, (each.listed for each in self.logs))


class NewLog(Struct, frozen=True):
    """A log that was taken, and the year that it was opened in."""

    year: int
    log: ChunkLog


class ChunkPlan(Struct, frozen=True):
    """The chunks of a season to be: each as it is, or what has to be derived for it."""

    chunks: tuple[ListedChunk | Chunk, ...]

    @property
    def to_derive(self) -> list[Chunk]:
        """The chunks that are not there yet."""
        return [each for each in self.chunks if isinstance(each, Chunk)]


def plan(
    chunks: Iterable[ListedChunk],
    version: int,
    taken: Mapping[str, NewLog],
    newly_signed: Mapping[str, SignedPrefix],
    events_max: int = CHUNK_EVENTS,
) -> ChunkPlan:
    """Give every log its chunk: what was taken, by tournament, and what is there already."""
    planned = [_Planned.of(each, version, taken, newly_signed) for each in chunks]
    there = {log.listed.tournament for each in planned for log in each.logs}
    new = [each for tournament, each in sorted(taken.items()) if tournament not in there]
    by_year: dict[int, list[ChunkLog]] = defaultdict(list)
    for each in new:
        by_year[each.year].append(each.log)
    for year, logs in sorted(by_year.items()):
        _fill(planned, year, version, logs, events_max)
    return ChunkPlan(tuple(found for each in planned if (found := each.settled()) is not None))


def _fill(
    planned: list[_Planned], year: int, version: int, logs: Sequence[ChunkLog], events_max: int
) -> None:
    """Add logs to the last chunk of their year, and to further ones once it is full."""
    last = next((each for each in reversed(planned) if each.year == year), None)
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
        return sum(each.listed.size for each in self.logs)

    def settled(self) -> ListedChunk | Chunk | None:
        """Return the chunk as it was, or what has to be derived; None where no log is left."""
        if not self.logs:
            return None
        logs = tuple(sorted(self.logs, key=lambda each: each.listed.tournament))
        chunk = Chunk(self.year, self.version, logs, self.before)
        is_as_before = (
            self.before is not None
            and self.before.name == chunk.name
            and all(each.source is None for each in logs)  # the same log may be derived again
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
