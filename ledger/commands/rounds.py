"""Commands about rounds: pairing, posting, starting, closing."""

from __future__ import annotations

from typing import Literal

from ledger.commands.base import Command


class PairRound(Command, frozen=True):
    """Pair the next round; `by_hand` sets tables first, the rest is drawn.

    `unchecked` seats players whose decks are still to be checked. `despite_dispute` goes on over
    what is disputed, for `reason`; so in the commands to make the cut and to finish.
    """

    by_hand: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    allow_rematch: bool = False
    unchecked: bool = False
    despite_dispute: bool = False


class UnpairRound(Command, frozen=True):
    """Take the pairing of the round in play back."""

    reason: str


class SwapSeats(Command, frozen=True):
    """Let two players of the round in play change places."""

    players: tuple[int, int]
    reason: str
    allow_rematch: bool = False


class PostTable(Command, frozen=True):
    """Record what was put on the wall."""

    what: Literal["pairings", "standings"]
    round: int
    up_to: int
    sha256: str


class StartRound(Command, frozen=True):
    """Start the round in play and its clock."""


class CloseRound(Command, frozen=True):
    """Close the round in play."""
