"""The order to stop tables of the round in play and seat their players anew."""

from __future__ import annotations

from ledger.commands.base import Command


class RepairRound(Command, frozen=True):
    """Carry the repair out that stops so many tables; 0 leaves the round as it is."""

    stopped: int
    reason: str
