"""The command that takes the last own act back."""

from __future__ import annotations

from ledger.commands.base import Command


class Undo(Command, frozen=True):
    """Take the last own act back, where nothing depends on it."""

    reason: str = "undone"
