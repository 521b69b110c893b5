"""Orders about disputes: confirm, dispute, appeal; what somebody says of a match's result."""

from __future__ import annotations

from msgspec import Struct

from ledger.commands.base import Command


class Told(Struct, frozen=True):
    """A result as somebody tells it: an outcome of the first player, points, or facts.

    `absent` are who did not come.
    """

    outcome: str = ""
    points: tuple[int, int] | None = None
    facts: dict[str, tuple[int, int]] | None = None
    ending: str = ""
    absent: tuple[int, ...] = ()


class ConfirmResult(Command, frozen=True):
    """Say that the result that stands is right; for a player where one speaks, else the desk."""

    match: int


class DisputeResult(Command, frozen=True):
    """Say that the result that stands is wrong, and what happened instead, if it is known."""

    match: int
    claim: Told | None = None
    reason: str = ""


class WithdrawDispute(Command, frozen=True):
    """Take a dispute back that nobody has ruled on."""

    match: int
    reason: str


class Appeal(Command, frozen=True):
    """Ask a marshal to review a ruling, on a player's word."""

    ruling: int
    reason: str = ""


class WithdrawAppeal(Command, frozen=True):
    """Take the appeal of a ruling back that nobody has reviewed."""

    ruling: int
    reason: str


class WithdrawRuling(Command, frozen=True):
    """Take a ruling back that was a mistake; nothing may have been decided on it."""

    ruling: int
    reason: str


class CarryOut(Command, frozen=True):
    """Enter what a ruling decided; `reason` is the ruling's own where none is given."""

    ruling: int
    reason: str = ""
