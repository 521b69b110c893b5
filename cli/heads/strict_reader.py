"""Lines of a store read as a verifier reads them: before they are saved, or a head covers them.

The desk reads its own store quickly: what was admitted once is applied again. So a bit that was
flipped since in a member which nothing is computed from would be signed over, and the log be
refused by everybody from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.visible import short_id
from ledger.errors import LedgerError, StoreUnavailable
from ledger.exchange.replaying import admit_line
from ledger.files.access import one_line
from ledger.fold import fold_lines
from ledger.lines.sealing import Seals
from ledger.proof.formats import Tree
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.tournament.state import Tournament


class StrictReader:
    """The lines of one log, each read once as from outside, from the end of its signed head on."""

    def __init__(self, where: str, stream: str) -> None:
        self._where = where
        self._seals = Seals(stream)
        self._tournament: Tournament | None = None
        self._tree = Tree()
        self._last: Sequence[bytes] = []

    def read(self, lines: Sequence[bytes], after: int) -> None:
        """Hold the lines past `after` to all that a line is held to; or StoreUnavailable."""
        read = self._tournament
        if read is not None and lines[read.seq - 1 : read.seq] != self._last:
            read = self._tournament = None  # an act that did not land stood there
        if len(lines) <= max(after, read.seq if read else 0):
            return
        if read is None or read.seq < after:
            read = self._tournament = fold_lines(lines[:after], self._seals.open)
            self._tree = Tree().add_lines(lines[:after])
        for seq, line in enumerate(lines[read.seq :], start=read.seq + 1):
            try:
                admit_line(read, line, self._tree, ranking, self._seals)
            except LedgerError as error:
                self._tournament = None
                raise StoreUnavailable(
                    f"the store at {self._where} is damaged: in tournament "
                    f"{short_id(self._seals.tournament)} no verifier would take event {seq} "
                    f"({one_line(str(error))}), so nothing is signed over it or saved; restore the "
                    "newest backup into a new store"
                ) from None
        self._last = lines[read.seq - 1 : read.seq]
