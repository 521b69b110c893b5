"""The vocabulary: every fact that a tournament's log can hold, by theme."""

from __future__ import annotations

from ledger.events.base import Event

__all__ = ["Event"]
