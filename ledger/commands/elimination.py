"""Commands about the cut and its places."""

from __future__ import annotations

from ledger.commands.base import Command


class MakeCut(Command, frozen=True):
    """Decide who goes on to the next stage; `players` only where the stage's entry is a list."""

    players: tuple[int, ...] = ()
    despite_dispute: bool = False
    reason: str = ""


class TakeBackCut(Command, frozen=True):
    """Take a cut back before its stage is paired, to make it anew."""

    reason: str


class AnswerReplacement(Command, frozen=True):
    """The next ranked was asked to replace a qualifier who left: yes or no."""

    player: int
    accepts: bool


class ForfeitPlace(Command, frozen=True):
    """Leave a qualifier's place empty: nobody is left to take it."""
