"""The logs of a season as this desk reads them: held to what is known of them here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.heads.seen_files import hold_file
from cli.season.heads import note_signed
from projections.season.loading.sources import FileLog, Known, Source, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.proof.heads import Trust


class SeenFile(FileLog):
    """A log in a file, held to what this desk saw of it."""

    def known_by(
        self, stream: str, lines: Sequence[bytes], leaves: bytes, trust: Trust | None
    ) -> Known:
        """Hold the lines to the head beside the file, and to what was seen here.

        Raises:
            InvalidLog: they contradict one of them, or there is no head that `trust` accepts.
        """
        known = super().known_by(stream, lines, leaves, trust)
        hold_file(self.where, stream, lines, is_accepted=known[1].by_policy)
        return known


def sources_here(places: Iterable[str]) -> Iterator[Source]:
    """Yield every log of files, folders and stores, each held to what is known of it here.

    Raises:
        NotFound: there is no such place, or a folder has no log.
        StoreUnavailable: a store gives no answer.
    """
    return sources_of(places, note_signed, SeenFile)
