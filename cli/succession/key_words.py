"""Distinguish keys of followers from the log's other keys, to renew or replace a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.languages.speaking import tr
from cli.machine.keyring import LOG, follower_path, is_kept, key_path, unlocked
from ledger.errors import Refused
from ledger.problems import marked, problem
from ledger.proof.signatures import LOG as LOG_ITSELF
from ledger.proof.signatures import is_follower
from ledger.rules.signing import active

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.desk.session import Desk
    from ledger.proof.signatures import Held


def _here(desk: Desk) -> bytes:
    """Return the log's key on this computer; empty bytes if this computer has no key of the log."""
    path = key_path(LOG, desk.book.stream)
    return unlocked(path).key.public if is_kept(path) else b""


def is_of_follower(desk: Desk, held: Held) -> bool:
    """Return whether a key of the log is a follower's, and this desk has the key of its heads."""
    keys = active(desk.tournament, LOG_ITSELF)
    public = _here(desk) if held in keys and len(keys) > 1 else b""
    return bool(public) and held.public != public and any(key.public == public for key in keys)


def key_to_renew(desk: Desk, own: Sequence[Held]) -> Held:
    """Return the key to renew: the key of this computer, or else the first of these keys."""
    if len(own) > 1:
        public = _here(desk)
        for key in own:
            if key.public == public:
                return key
    return own[0]


def _followers(desk: Desk) -> list[Held]:
    keys, public = desk.tournament.keys, _here(desk)
    of_log = active(desk.tournament, LOG_ITSELF)
    return [key for key in of_log if key.public != public and is_follower(keys, key)]


def refuse_if_it_follows(desk: Desk) -> None:
    """Refuse to renew a lost key on a computer that followed: phones believe its take-over.

    Raises:
        Refused: a key of this computer was registered for a take-over.
    """
    path = follower_path(desk.book.stream)
    if not path.exists():
        return
    public = unlocked(path).key.public
    if any(key.public == public for key in _followers(desk)):
        text = marked("this computer followed the one that is lost: use `tourney take-over`")
        raise Refused(problem("takeover.instead", text))


def what_phones_ask(desk: Desk) -> str:
    """Describe what phones show after a key of the log was lost."""
    if _followers(desk):
        return tr(
            "another computer followed this tournament, and only its `tourney take-over` is "
            "believed by phones without a question: if it can be used, go on there and not here"
        )
    return tr(
        "no computer was on record to take over, so phones ask: compare the six words of the wall "
        "sheet with theirs, and say so in the room"
    )
