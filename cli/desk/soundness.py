"""Whether what is saved, and what is taken back, can be gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.kept_heads import NotAsSigned
from cli.desk.kept_heads import hold
from cli.desk.shelf import SHORT
from ledger.errors import InvalidLog
from ledger.errors import StoreUnavailable
from ledger.reading import taken

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.store import Store


def hold_stored(location: str, where: str, stream: str, lines: Sequence[bytes]) -> None:
    """Refuse to save what can not be gone on with, or is not what was signed.

    Raises:
        StoreUnavailable: the store is damaged.
        NotAsSigned: it was changed.
    """
    try:
        taken(lines)
    except InvalidLog as error:
        raise StoreUnavailable(
            f"the store at {where} is damaged: in tournament {stream[:SHORT]} {error}; no backup "
            "was made, so that the last good one stays: restore that into a new store"
        ) from None
    hold(location, stream, lines)


def hold_saved(file: str, stream: str, lines: Sequence[bytes]) -> None:
    """Refuse a backup of a damaged store.

    Raises:
        InvalidLog: it is one.
    """
    try:
        taken(lines)
    except InvalidLog as error:
        raise InvalidLog(
            f"{file} was made of a damaged store: in tournament {stream[:SHORT]} {error}; nothing "
            "was restored: take an older backup"
        ) from None


def departures(location: str, store: Store, streams: Iterable[str]) -> Iterator[str]:
    """Say of which tournaments the lines are not those that the head beside the store covers."""
    for stream in streams:
        try:
            hold(location, stream, store.lines(stream))
        except NotAsSigned as error:
            yield str(error)
