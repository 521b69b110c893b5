"""The head of all lines, signed now, and the key that signs the heads after this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.keys.keyring import key_is_away, next_log_signer
from ledger.errors import Refused

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from cli.heads.checkpoint_file import StoredCheckpoint
    from ledger.store import Store


def signed_head(desk: Desk) -> StoredCheckpoint:
    """Sign the head of all lines, whose hashes are made again; Refused without the log's key."""
    if kept := desk.heads.sign(whole=True):
        return kept
    raise Refused(f"{key_is_away()}: its owner signs heads")


def head_of_all(desk: Desk) -> StoredCheckpoint | None:
    """Return the head of all lines: signed now, or kept where another machine signs."""
    kept = desk.heads.sign(whole=True) or desk.heads.kept()
    return kept if kept is not None and kept.size == len(desk.book.lines) else None


def sign_all(store: Store, stream: str) -> None:
    """Sign the head of all lines of a stored log, if its key is here and none covers them yet."""
    from cli.heads.checkpoint_file import CheckpointFile
    from cli.heads.checkpoints import Checkpoints
    from cli.keys.keyring import LOG, draw_key, key_path
    from ledger.books.book import open_book
    from projections.standings.table import ranking

    if not key_path(LOG, stream).exists():
        return
    kept = CheckpointFile(stream).read()
    if kept is None or kept.size < store.size(stream):
        Checkpoints(open_book(store, stream, ranking, draw_key)).sign()


def vouch_for(desk: Desk) -> StoredCheckpoint:
    """Sign the head of an event that came without a key of its own, with one that is made here.

    Raises:
        Refused: the log has a key, and it is on another machine.
    """
    from cli.keys.keyring import take_next_log_key
    from ledger.proof.signatures import LOG
    from ledger.rules.keys import RegisterKey
    from ledger.rules.signing import active

    if not active(desk.tournament, LOG):
        desk.act(RegisterKey(LOG, *next_log_key(desk)), f"{desk.command_id}-key")
        take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    return signed_head(desk)


def next_log_key(desk: Desk) -> tuple[str, str]:
    """Return the key that the log signs with after this command, and its proof; or InvalidLog."""
    from ledger.proof.notes import base64_of
    from ledger.proof.signatures import possession

    stream, has_landed = desk.book.stream, desk.command_id in desk.book.tournament.ids
    made = next_log_signer(stream, has_landed=has_landed)
    public = base64_of(made.key.public)
    return public, base64_of(made.sign(possession(stream, 0, public)))
