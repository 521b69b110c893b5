"""The take-over: one signed act by which a desk that followed goes on in the place of another.

It continues exactly the last head of the other desk that this computer checked, and revokes the key
that signed it. What follows is done again by the same verb if it was cut off: the head of all lines
is signed with the new key, and that key takes the place of the log's key on this computer.
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
"""How long the desk of before may take to answer: mostly it is gone."""


class TakenOver(NamedTuple):
    """What a take-over came to."""

    recorded: list[Recorded]
    size: int
    """How many events of the desk before there are."""

    has_secrets: bool


def take_over(desk: Desk) -> TakenOver:
    """Go on in the place of the desk that this one followed.

    Raises:
        Refused: no key of this computer was registered for it, or it was revoked.
        InvalidLog: the secrets that were handed over are damaged.
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
    """Bring the act to the desk of before, if that one answers; return its address, else nothing.

    It is alive then, and stops; otherwise a phone tells it when it wakes up, or this verb typed
    again.
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
    made = unlocked(path)
    held = keys.get(made.key.public)
    if held is None or not is_follower(keys, held):
        text = marked(
            "the key of this computer is not in the log that it followed: follow it first"
        )
        raise Refused(problem("takeover.not_registered", text))
    if held.until:
        text = marked("the key of this computer was revoked (event {event})")
        raise Refused(problem("takeover.revoked", text, event=held.until))
    return made


def _is_own(desk: Desk, event: int, successor: Signer) -> bool:
    """Whether an earlier take-over was by this computer: it was cut off after its act."""
    recorded = desk.book.recorded_at(event)
    tree = desk.book.tree_at(event - 1)
    return (
        signing_with({successor.key.public: successor})(
            desk.book.at(event - 1), recorded, tree.root()
        ).sig
        == recorded.sig
    )


def _take_secrets(desk: Desk) -> bool:
    """Put the secrets that were handed over into the vault, those that fit the lines."""
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
    given = opened_secrets(stream, data)
    wanted = worth_taking(desk.book.lines, given, store.vault_items(stream))
    if wanted:
        store.vault_put_all(stream, wanted)
        desk.book.destroy_forgotten()
    return True


def _act(desk: Desk, successor: Signer) -> list[Recorded]:
    book, kept = desk.book, desk.heads.kept()
    if kept is None:
        text = marked("no signed head of the desk that was followed is here: follow it first")
        raise Refused(problem("takeover.no_head", text))
    head = head_of(kept)
    former = signer_of_head(book.stream, desk.tournament, kept.note)
    order = TakeOver(head.size, head.root.hex(), base64_of(former))
    book.sign, desk.heads.takes_over = signing_with({successor.key.public: successor}), True
    try:
        return desk.act(order)
    finally:
        book.sign, desk.heads.takes_over = None, False


def _put_in_place(stream: str) -> None:
    """Let the key that took over sign the log's heads here from now on."""
    path, place = follower_path(stream), key_path(LOG, stream)
    if path.exists():
        rename_file(path, place)
        sync_folder(place.parent)
    unmark_only_read(stream)
    try:
        secrets_path(stream).unlink(missing_ok=True)
    except OSError as error:
        raise LedgerError(problem("takeover.left", "{why}", why=str(error))) from None
