"""Commands about what the draws rest on."""

from __future__ import annotations

from ledger.commands.base import Command


class CosignHead(Command, frozen=True):
    """Record the witness's cosignature of the head of the start, in base64; the ranks are drawn."""

    cosignature: str
