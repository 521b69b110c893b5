"""A copy of the tournament in hand after each round, in a folder of the person's choice.

A backup like any other, with its secrets, made by this machine's own key: no passphrase is asked
for. Where it cannot be written the act has landed all the same, and the desk hears why.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.heads.checkpoint_file import CheckpointFile
from cli.terminal.output import say
from cli.terminal.visible import short_id
from ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.lines.recorded import Recorded
    from ledger.store import Store

AFTER = frozenset({"RoundClosed", "TournamentFinished"})
"""The events after which a copy is made."""


def copy_after_round(store: Store, stream: str, folder: str, recorded: Iterable[Recorded]) -> None:
    """Write a copy where a round was closed, or play was; say where it is, or why it is not."""
    if not folder or not any(each.type in AFTER for each in recorded):
        return
    file = Path(folder) / f"{short_id(stream)}-{store.size(stream):05}.backup"
    try:
        write_copy(store, stream, file)
    except (LedgerError, OSError) as error:
        why = getattr(error, "strerror", "") or error
        say(f"no copy was written to {folder}: {why}; what you did has landed")
    else:
        say(f"copy: {file}; it holds the secrets of the draws, keep it private")


def write_copy(store: Store, stream: str, file: Path) -> None:
    """Write one tournament with its secrets; LedgerError or OSError where that is impossible."""
    from cli.keys.backup_keys import vouchers
    from ledger.store.backup import save

    def head_of(each: str) -> bytes:
        kept = CheckpointFile(each).read()
        return kept.note.encode() if kept is not None else b""

    if not file.parent.is_dir():
        raise OSError(2, "no such folder")
    save(
        store,
        str(file),
        [stream],
        heads=head_of,
        vouch=lambda digest: vouchers(digest, {}),
        seal=None,
    )
