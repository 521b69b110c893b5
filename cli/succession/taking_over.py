"""Take over: with one signed act, a desk that followed another desk replaces it.

The act continues exactly the last head of the other desk that this computer checked, and revokes
the key that signed that head. Then the new key signs the head of all lines, and replaces the log's
key on this computer. If these steps are interrupted, the same verb completes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import to_builtins

from cli.machine.checkpoint_file import head_of
from cli.machine.keyring import (
    LOG,
    follower_path,
    key_path,
    taken_over_path,
    unlocked,
    unmark_only_read,
)
from cli.succession.acts_of_desks import TakeOverLine, last_take_over
from cli.succession.follower import (
    SECRETS_BYTES_MAX,
    complete_head,
    read_state,
    secrets_path,
    signer_of_head,
)
from cli.succession.remote import RemoteDesk
from cli.succession.secrets import opened_secrets
from ledger.books.vault import worth_taking
from ledger.errors import LedgerError, Refused
from ledger.files.access import first_bytes, sync_folder
from ledger.files.system import rename_file
from ledger.lines.recorded import signed
from ledger.problems import marked, problem
from ledger.proof.notes import base64_of
from ledger.proof.signatures import is_follower
from ledger.rules.keys import TakeOver
from ledger.rules.signing import signing_with

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.proof.notes import Signer


TELL_SECONDS = 3.0
"""Seconds to wait for an answer of the former desk, which is usually lost."""


class TakenOver(NamedTuple):
    """Result of a take-over."""

    recorded: list[Recorded]
    size: int
    """Number of events that the former desk recorded."""

    has_secrets: bool


def take_over(desk: Desk) -> TakenOver:
    """Replace the desk that this one followed.

    Raises:
        Refused: no key of this computer was registered for a take-over, or it was revoked.
        InvalidLog: the secrets that the former desk sent are damaged.
    """
    stream = desk.book.stream
    successor = _successor(desk)
    has_secrets = _take_secrets(desk)
    landed = last_take_over(desk.book)
    if landed and not _is_own(desk, landed, successor):
        landed = 0
    recorded: list[Recorded] = [desk.book.recorded_at(landed)] if landed else []
    if not recorded:
        recorded = _act(desk, successor)
    desk.heads.sign(successor=successor)
    _put_in_place(stream)
    return TakenOver(recorded, recorded[0].seq - 1, has_secrets)


def tell_former(desk: Desk, event: int) -> str:
    """Send the act to the former desk, and return its address; an empty text if it did not answer.

    A former desk that answers stops. A desk that does not answer gets the act later, from a phone
    or from this verb when it is typed again.
    """
    state = read_state(desk.book.stream)
    if not state.address:
        return ""
    line, root = desk.book.lines[event - 1], desk.book.tree_at(event - 1).root()
    act = TakeOverLine(line.decode(), base64_of(root))
    remote = None
    try:
        remote = RemoteDesk(state.address, state.fingerprint, TELL_SECONDS)
        remote.ask("/api/v1/taken-over", to_builtins(act))
    except LedgerError:
        return ""
    finally:
        if remote is not None:
            remote.close()
    return state.address


def _successor(desk: Desk) -> Signer:
    """Return the key of this computer that the log's key signed for, while it was followed."""
    stream, keys = desk.book.stream, desk.tournament.keys
    path = follower_path(stream)
    if not path.exists() and last_take_over(desk.book):
        path = key_path(LOG, stream)  # the same verb once more
    if not path.exists() or taken_over_path(stream).exists():
        text = marked(
            "no key of this computer was registered before, by `tourney follow ADDRESS`: phones "
            "would not believe it; without a follower, restore a backup and use `key renew --lost`"
        )
        raise Refused(problem("takeover.no_follower", text))
    successor = unlocked(path)
    registered = keys.get(successor.key.public)
    if registered is None or not is_follower(keys, registered):
        text = marked(
            "the key of this computer is not in the log that it followed: follow it first"
        )
        raise Refused(problem("takeover.not_registered", text))
    if registered.until:
        text = marked("the key of this computer was revoked (event {event})")
        raise Refused(problem("takeover.revoked", text, event=registered.until))
    return successor


def _is_own(desk: Desk, event: int, successor: Signer) -> bool:
    """Return whether this computer signed an earlier take-over, which it then only completes."""
    recorded = desk.book.recorded_at(event)
    tree = desk.book.tree_at(event - 1)
    return (
        signing_with({successor.key.public: successor})(
            desk.book.at(event - 1), signed(recorded, ""), tree.root()
        ).sig
        == recorded.sig
    )


def _take_secrets(desk: Desk) -> bool:
    """Store the former desk's secrets that fit the lines; return whether this desk has secrets."""
    store, stream = desk.store(), desk.book.stream
    path = secrets_path(stream)
    if not path.exists():
        return bool(store.vault_items(stream))
    try:
        data = first_bytes(path, SECRETS_BYTES_MAX)
    except OSError as error:
        text = marked("{path} cannot be read: {why}")
        why = error.strerror or str(error)
        raise Refused(problem("takeover.unread", text, path=str(path), why=why)) from None
    secrets = opened_secrets(stream, data)
    fitting = worth_taking(desk.book.lines, secrets, store.vault_items(stream))
    if fitting:
        store.vault_put_all(stream, fitting)
        desk.book.destroy_forgotten()
    return True


def _act(desk: Desk, successor: Signer) -> list[Recorded]:
    book = desk.book
    root = book.tree_at(len(book.lines)).root()
    complete_head(book.stream, desk.tournament, book.lines, root)
    stored = desk.heads.kept()
    if stored is None:
        text = marked("no signed head of the desk that was followed is here: follow it first")
        raise Refused(problem("takeover.no_head", text))
    head = head_of(stored)
    former = signer_of_head(book.stream, desk.tournament, stored.note)
    order = TakeOver(head.size, head.root.hex(), base64_of(former))
    book.sign, desk.heads.takes_over = signing_with({successor.key.public: successor}), True
    try:
        return desk.act(order)
    finally:
        book.sign, desk.heads.takes_over = None, False


def _put_in_place(stream: str) -> None:
    """Use the key that took over to sign the log's heads on this computer from now on."""
    path, place = follower_path(stream), key_path(LOG, stream)
    if path.exists():
        rename_file(path, place)
        sync_folder(place.parent)
    unmark_only_read(stream)
    try:
        secrets_path(stream).unlink(missing_ok=True)
    except OSError as error:
        raise LedgerError(problem("takeover.left", "{why}", why=str(error))) from None
