"""The marks that are shown instead of a sealed text that cannot be read."""

from __future__ import annotations

UNOPENED = "(sealed)"
"""Shown of a text whose key is not at hand."""

FORGOTTEN = "(forgotten)"
"""Shown of a text whose key was destroyed on purpose."""

DAMAGED = "(damaged)"
"""Shown of a text that its key does not open: it was tampered with, or the vault was."""
