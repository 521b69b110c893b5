"""Going on with another secret key of the log, in the place of one that is lost for good."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cli.desk.acts import carry_out
from cli.terminal.diagnostics import say
from ledger.errors import Unsigned

if TYPE_CHECKING:
    from cli.desk.session import Desk


def replace_secret(desk: Desk, act: str, reason: str, *, sealed: bool) -> None:
    """Put another key on record: that of the `draws`, perhaps `sealed`, or of what is hidden."""
    if act == "draws":
        _draws(desk, reason, sealed=sealed)
    else:
        _hidden(desk, reason)


def _draws(desk: Desk, reason: str, *, sealed: bool) -> None:
    from cli.keys.draw_keys import another_draw_key
    from ledger.decisions.keys import ReplaceShuffleKey

    if desk.command_id not in desk.book.tournament.ids:
        with suppress(Unsigned):
            desk.preview(ReplaceShuffleKey("0" * 64, reason))  # what is refused leaves no key
    commitment = another_draw_key(desk.book, desk.command_id, sealed=sealed)
    carry_out(desk, ReplaceShuffleKey(commitment, reason))
    say("post the new commitment: it proves later that nobody chose the draws from here on")


def _hidden(desk: Desk, reason: str) -> None:
    from ledger.books.vault import HIDDEN
    from ledger.decisions.keys import ReplaceHiddenKey

    carry_out(desk, ReplaceHiddenKey(desk.book.another_secret(HIDDEN, desk.command_id), reason))
