"""Keys of followers among the log's own: which one is renewed, and what phones ask after a loss."""

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
    """Return the log's key on this computer; empty without one."""
    path = key_path(LOG, desk.book.stream)
    return unlocked(path).key.public if is_kept(path) else b""


def is_of_follower(desk: Desk, held: Held) -> bool:
    """Whether a key of the log is a follower's, while the key that signs its heads is here."""
    own = active(desk.tournament, LOG_ITSELF)
    here = _here(desk) if held in own and len(own) > 1 else b""
    return bool(here) and held.public != here and any(each.public == here for each in own)


def key_to_renew(desk: Desk, own: Sequence[Held]) -> Held:
    """Return the key that is renewed: the one here, else the first that is no follower's."""
    if len(own) > 1:
        here = _here(desk)
        found = [each for each in own if each.public == here]
        if found:
            return found[0]
    return own[0]


def _followers(desk: Desk) -> list[Held]:
    keys, here = desk.tournament.keys, _here(desk)
    own = active(desk.tournament, LOG_ITSELF)
    return [each for each in own if each.public != here and is_follower(keys, each)]


def refuse_if_it_follows(desk: Desk) -> None:
    """Refuse to renew a lost key on a computer that followed: phones believe its take-over.

    Raises:
        Refused: a key of this computer was registered for a take-over.
    """
    path = follower_path(desk.book.stream)
    if not path.exists():
        return
    public = unlocked(path).key.public
    if any(each.public == public for each in _followers(desk)):
        text = marked("this computer followed the one that is lost: use `tourney take-over`")
        raise Refused(problem("takeover.instead", text))


def what_phones_ask(desk: Desk) -> str:
    """Say what phones show after a key of the log was lost."""
    if _followers(desk):
        return tr(
            "another computer followed this tournament, and only its `tourney take-over` is "
            "believed by phones without a question: if it can be used, go on there and not here"
        )
    return tr(
        "no computer was on record to take over, so phones ask: compare the six words of the wall "
        "sheet with theirs, and say so in the room"
    )
