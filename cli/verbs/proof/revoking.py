"""Keys put out of use: an official's, and those of the log, which give way to new ones.

Where the log's key is lost and two other leaders hold keys, they agree to the next one, by lines
that are typed at each machine; otherwise this desk's word is enough, and readers are warned of it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cli.desk.acts import acting_official, carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.machine.keyring import (
    LOG,
    is_kept,
    key_is_away,
    key_path,
    next_log_path,
    take_next_log_key,
    unlocked,
)
from cli.machine.trust import next_log_key
from cli.terminal.output import say, show
from ledger.errors import NotFound, Refused, Unsigned
from ledger.proof.notes import base64_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.proof.signatures import Held

NAMED_FROM = 8
"""How many characters of a key's text name it at least: what is revoked stays revoked."""


def revoke(desk: Desk, held: Held, reason: str, *, is_lost: bool) -> None:
    """Take a key out of use; the log's own gives way to a new one on this machine."""
    from ledger.rules.keys import RevokeKey

    path, keys = next_log_path(desk.book.stream), desk.tournament.keys
    is_agreed_to = not held.holder and is_kept(path) and unlocked(path).key.public in keys
    if held.holder or is_agreed_to:
        carry_out(desk, RevokeKey(base64_of(held.public), reason))
        if is_agreed_to:
            _sign_with_next(desk, is_followed=False)
        return
    if not is_lost and not is_kept(key_path(LOG, desk.book.stream)):
        raise Refused(
            f"{key_is_away()}, and it signs for the next one: renew it there, or where it is lost "
            "for good with `tourney key renew --lost --reason TEXT`"
        )
    successor = next_log_key(desk)
    if is_lost and _others_agree(desk):
        show(f"tourney key agree {LOG} {' '.join(successor)}")
        say(
            "two leaders agree to it: one enters this line (--as), another the line that it "
            "shows; then here the same again"
        )
        return
    lost = reason if is_lost else ""
    carry_out(desk, RevokeKey(base64_of(held.public), reason, *successor, lost=lost))
    _sign_with_next(desk, is_followed=not is_lost)


def _others_agree(desk: Desk) -> bool:
    """Whether the log's key is for two others to agree to, and this command did not land yet."""
    from ledger.proof.signatures import AGREEING
    from ledger.tournament.keyholders import holders_of

    if desk.command_id in desk.book.tournament.ids:
        return False
    return len(holders_of(desk.tournament).agreeing(acting_official(desk))) >= AGREEING


def _sign_with_next(desk: Desk, *, is_followed: bool) -> None:
    take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    desk.heads.sign()  # else nothing covers the lines until somebody does
    how = "did not sign for it: hand out `tourney checkpoint --policy` again"
    if is_followed:
        how = "signed for it: who has the policy can go on with it"
    say(f"the key before {how}")


def key_named(tournament: Tournament, beginning: str) -> Held:
    """Find a registered key by how its text begins; UsageError where that is short, NotFound."""
    if len(beginning) < NAMED_FROM:
        raise UsageError(
            f"a key is named by {NAMED_FROM} of its first characters or more: "
            "`tourney key list` shows them"
        )
    found = [
        each for each in tournament.keys.values() if base64_of(each.public).startswith(beginning)
    ]
    if len(found) != 1:
        raise NotFound(f"{len(found)} registered keys begin so: `tourney key list` shows them")
    return found[0]


def replace_draw_key(desk: Desk, reason: str, *, sealed: bool) -> None:
    """Go on with another key of the draws, perhaps `sealed`, in place of one lost for good."""
    from cli.machine.draw_keys import another_draw_key
    from ledger.rules.keys import ReplaceShuffleKey

    if desk.command_id not in desk.book.tournament.ids:
        with suppress(Unsigned):
            desk.preview(ReplaceShuffleKey("0" * 64, reason))  # what is refused leaves no key
    commitment = another_draw_key(desk.book, desk.command_id, sealed=sealed)
    carry_out(desk, ReplaceShuffleKey(commitment, reason))
    say("post the new commitment: it proves later that nobody chose the draws from here on")
