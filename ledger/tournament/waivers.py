"""When a rule is waived: its clause is named, and so is the reason."""

from __future__ import annotations

from ledger.events.base import Waiver
from ledger.tournament.state import Tournament


def is_waived(clause: str, waiver: Waiver | None, tournament: Tournament) -> bool:
    """Whether the event's waiver lifts the clause; facts of a foreign file are held to none."""
    if tournament.importing:
        return True
    return waiver is not None and clause in waiver.clauses and bool(waiver.reason.strip())
