"""Writing the events of an import: each one bounded, checked and applied like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import InvalidLog, LedgerError, Refused
from ledger.exchange.places import placed
from ledger.fold import evolve
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.rules import check
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events import Event

RECORDER = "o1"
"""The official that an import is entered by."""


class ImportWriter:
    """A tournament in the making and its lines.

    Ids and times depend on nothing but the file: the same file gives the same bytes.
    """

    def __init__(self, date: str) -> None:
        self.tournament = Tournament()
        self.entries: list[tuple[str, bytes]] = []
        self.events: list[Event] = []
        self._at = f"{date}T00:00:00.000Z"

    def write(self, event: Event) -> None:
        """Add one event.

        Raises:
            InvalidLog: the event is not admissible, or a value in it is out of bounds.
        """
        seq = self.tournament.seq + 1
        recorded = record(seq, f"import-{seq}", self._at, RECORDER, event)
        try:
            line = encode(recorded)
            if problems := check(self.tournament, recorded):
                raise Refused(*problems)
        except LedgerError as error:
            raise InvalidLog(*placed(error, "the rules refuse what the file says")) from None
        evolve(self.tournament, recorded)
        self.entries.append((recorded.name, line))
        self.events.append(event)
