"""Taking back what has no event of its own that answers it."""

from __future__ import annotations

from ledger.events.base import Event
from ledger.events.base import Seq
from ledger.events.base import Text


class ActWithdrawn(Event, frozen=True):
    """What event `withdraws` said of the floor was a mistake, and is as if it had not been said.

    The start and the clock of a round, conduct and penalties, components and prizes.
    """

    withdraws: Seq
    reason: Text
