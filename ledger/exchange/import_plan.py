"""Plan of an import of many files: every fault is found before the store is written.

Each file is compared with what the store has, and with the files before it: two files of one folder
may be the same tournament, or two histories of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.exchange.importing import (
    DifferentLines,
    KnownImports,
    ParsedFile,
    refuse_other_ruleset,
)
from ledger.facts.shared import TournamentOpened
from ledger.lines.line import decode
from ledger.proof.formats import HASH_BYTES, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.exchange.importing import Imported
    from ledger.store import Store


def opening_in(parsed: ParsedFile) -> TournamentOpened | None:
    """Return the event that opens the tournament of a file; None for a file without lines."""
    events = (decode(line).event for _, line in parsed.entries[:1])
    return next((event for event in events if isinstance(event, TournamentOpened)), None)


def note_taken(imports: KnownImports, parsed: ParsedFile, imported: Imported) -> None:
    """Let the imports of a store have a tournament that was taken into it just now."""
    if 0 < imported.added == imported.events:
        imports.add(opening_in(parsed))


class ImportPlan:
    """Files compared with a store and with one another, in their order; nothing is written."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._imports = KnownImports() if store is None else KnownImports.of(store)
        self._leaves: dict[str, bytes] = {}
        """Hashes of the lines of each tournament: of the store's, and behind them of the files'."""

    def add(self, parsed: ParsedFile) -> None:
        """Compare a file with the store as it will be when the file is imported.

        Raises:
            DifferentLines: the store, or a file before this one, has another history.
            Refused: another file had the same event, or the same file was read otherwise.
        """
        foreign = parsed.foreign
        if foreign is None:
            self._add_lines(parsed, parsed.log.stream if parsed.log else "")
            return
        earlier = self._imports.same_file(foreign)
        if earlier is None:
            self._imports.refuse_same_event(parsed.path, foreign)
            if not self._known(foreign.tournament):
                self._add_lines(parsed, foreign.tournament)
        elif self._store is not None:
            refuse_other_ruleset(self._store, parsed, earlier.tournament)

    def _add_lines(self, parsed: ParsedFile, stream: str) -> None:
        before, added = self._known(stream), _leaves(line for _, line in parsed.entries)
        shared = min(len(before), len(added))
        if before[:shared] != added[:shared]:
            places = range(0, shared, HASH_BYTES)
            differing = (at for at in places if before[at:][:HASH_BYTES] != added[at:][:HASH_BYTES])
            raise DifferentLines(parsed.path, stream, next(differing) // HASH_BYTES + 1)
        if not before:
            self._imports.add(opening_in(parsed))
        self._leaves[stream] = max(before, added, key=len)

    def _known(self, stream: str) -> bytes:
        if stream not in self._leaves:
            lines = self._store.lines(stream) if self._store is not None else []
            self._leaves[stream] = _leaves(lines)
        return self._leaves[stream]


def _leaves(lines: Iterable[bytes]) -> bytes:
    return b"".join(map(leaf_hash, lines))
