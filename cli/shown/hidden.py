"""What the lines of a running event tell that players may not know (SWL-HIDDEN)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.diagnostics import say

if TYPE_CHECKING:
    from ledger.state import Tournament


def warn_of_lists(tournament: Tournament) -> None:
    """Say that these lines are for officials, where they hold lists with hidden cards."""
    hides = tournament.ruleset.floor.battle is not None and not tournament.finished
    if hides and any(held.text for held in tournament.lists.values()):
        say(
            "these lines hold the lists, and with them hidden cards: for officials alone until "
            "`finish` (SWL-HIDDEN)"
        )
