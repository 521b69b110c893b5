"""The signed head that is kept beside a store, for a season that takes its logs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.kept_heads import KeptHead

if TYPE_CHECKING:
    from collections.abc import Sequence


def note_kept(location: str, stream: str, lines: Sequence[bytes]) -> bytes | None:
    """Return the signed head of a log in a store, which fits its lines; None where none is kept.

    Raises:
        NotAsSigned: the lines are not those that it was signed for.
        Refused: the head's file is damaged.
    """
    beside = KeptHead(location, stream)
    kept = beside.read()
    if kept is None:
        return None
    beside.check(kept, lines)
    return kept.note.encode()
