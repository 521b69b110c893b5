"""What was checked of a log's signature, in words: never more than was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from ledger.proof.table import Vouched


def head_in_words(vouched: Vouched | None, size: int, taken_for: str = "") -> str:
    """Say what the head beside a log of that many lines says of it.

    `taken_for` is the reason for which lines were read that no signed head covers.
    """
    taken = f"; taken unsigned: {taken_for}" if taken_for else ""
    if vouched is None:
        return f"nobody's signature checked: there is no head beside it{taken}"
    covered = vouched.head.size
    place = f"line {covered} of {size}"
    if vouched.is_pinned:
        said = f"signed at {place}, as the policy asks"
    elif vouched.key is not None:
        said = (
            f"the head beside it fits, signed at {place} with the key that the log itself names; "
            "whose key that is, only a policy says"
        )
    else:
        said = (
            f"the head beside it fits, made at {place}; nobody's signature checked: the log names "
            "no key"
        )
    if left := size - covered:
        said += f"; no head covers the {how_many(left, 'line')} behind it"
    return f"{said}{taken}"


def head_as_json(vouched: Vouched | None) -> dict[str, object] | None:
    """A head that fits, for scripts; None without one."""
    if vouched is None:
        return None
    from ledger.proof.notes import vkey

    return {
        "size": vouched.head.size,
        "at": vouched.at or None,
        "key": vkey(vouched.key) if vouched.key else None,
        "by_policy": vouched.is_pinned,
    }
