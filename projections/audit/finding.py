"""What an audit finds in one event."""

from __future__ import annotations

from msgspec import Struct


class AuditFinding(Struct, frozen=True):
    """Something found: its kind, the events it stands in, and whom and what it is about.

    `tables` are those set by hand, `minutes` how late or how far back, `adjusted` what was added to
    the points of each player, `reason` what was given, `kept` how many texts were not destroyed.
    """

    kind: str
    seqs: tuple[int, ...]
    round: int = 0
    match: int = 0
    players: tuple[int, ...] = ()
    official: int = 0
    tables: int = 0
    minutes: int = 0
    reason: str = ""
    adjusted: tuple[int, ...] = ()
    kept: int = 0
