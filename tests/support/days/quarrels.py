"""Random disputes for the simulator: reported twice, ruled on, appealed, reviewed, corrected.

It draws from a source of its own, so that the day is the same with and without it, but for what a
corrected result changes.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.rules.disputes import (
    Appeal,
    CarryOut,
    ConfirmResult,
    DisputeResult,
    WithdrawAppeal,
    WithdrawDispute,
)
from ledger.rules.office import Rule
from ledger.rules.opening import AppointOfficial
from ledger.rules.results import StatedResult
from ledger.rules.undo import Undo
from ledger.tournament import disputes

if TYPE_CHECKING:
    from ledger.rules.command import Command
    from ledger.tournament.state import Match
    from ledger.tournament.table_records import Dispute
    from tests.support.simulate import Day

CLAIMS = ("win", "loss", "modified win", "modified loss")


class Quarrels:
    """Who quarrels about what, and how it ends."""

    def __init__(self, day: Day, seed: int) -> None:
        self.day = day
        self.chance = random.Random(f"quarrels {seed}")
        day.do(AppointOfficial("Jun Judge", ("judge",)))
        day.do(AppointOfficial("Mara Marshal", ("marshal",)))

    def arise(self) -> None:
        """Let some results of the last round be confirmed, disputed or ruled on unasked."""
        for match in self.day.tournament.rounds[-1].matches if self.day.tournament.rounds else []:
            luck = self.chance.random()
            if match.result is None or match.result.manner != "played":
                continue
            if luck < 0.04:
                self._dispute(match)
            elif luck < 0.08:
                player = self.chance.choice(match.players)
                self._try(ConfirmResult(match.number), f"o1/p{player}")
            elif luck < 0.1:
                self._rule(match.number)

    def _dispute(self, match: Match) -> None:
        player = self.chance.choice((0, *match.players))
        by = f"o1/p{player}" if player else "o2"
        claim = StatedResult(self.chance.choice(CLAIMS)) if self.chance.random() < 0.8 else None
        self._try(DisputeResult(match.number, claim, "the other slip"), by)

    def settle(self) -> None:
        """Bring every dispute to its end, as its state asks."""
        for dispute in disputes.unsettled(self.day.tournament):
            self._end(dispute)
        # What could not be entered, as in a bracket that has gone on, is waived by the organizer.

    def _end(self, dispute: Dispute) -> None:
        luck = self.chance.random()
        match, player = dispute.match, dispute.against.player
        if luck < 0.15:
            self._try(WithdrawDispute(match, "it was a misunderstanding"), "o1")
        elif luck < 0.3 and player:
            self._try(ConfirmResult(match), f"o1/p{player}")
        else:
            self._rule(match)

    def _rule(self, number: int) -> None:
        match = self.day.tournament.matches[number]
        told = StatedResult(self.chance.choice(CLAIMS))
        stands = self.chance.random() < 0.4
        order = Rule(2, "so the slip", number, stands=stands, decides=None if stands else told)
        if not self._try(order, "o2"):
            return
        if self.chance.random() < 0.15 and self._try(Undo("a slip of the pen"), "o2"):
            self._try(order, "o2")
        ruling = self.day.log[-1].seq
        if self.chance.random() < 0.5:
            self._appeal(ruling, match)
            upheld = self.chance.random() < 0.5
            decides = None if upheld else StatedResult(self.chance.choice(CLAIMS))
            review = Rule(3, "seen", number, reviews=ruling, upheld=upheld, decides=decides)
            if not self._try(review, "o3"):
                self._try(Rule(3, "seen", number, reviews=ruling, upheld=True), "o3")
            ruling = self.day.log[-1].seq
        self._try(CarryOut(ruling), "o1")

    def _appeal(self, ruling: int, match: Match) -> None:
        by = f"o1/p{self.chance.choice(match.players)}"
        self._try(Appeal(ruling), by)
        if self.chance.random() < 0.2:
            self._try(WithdrawAppeal(ruling, "it was late"), by)
            self._try(Appeal(ruling, "after all"), by)

    def _try(self, command: Command, by: str) -> bool:
        try:
            self.day.do(command, by=by)
        except Refused:
            return False
        return True
