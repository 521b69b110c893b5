"""What handing in, checking and correcting a list does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger.events.lists import ListChecked
from ledger.events.lists import ListCorrected
from ledger.events.lists import ListSubmitted
from ledger.state import SubmittedList

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.events import Event
    from ledger.lines import Recorded
    from ledger.state import Tournament


def _held(tournament: Tournament, player: int) -> SubmittedList:
    return tournament.lists.setdefault(player, SubmittedList())


def _submitted(tournament: Tournament, event: ListSubmitted, recorded: Recorded) -> None:
    held = _held(tournament, event.player)
    held.seq, held.text, held.checked = recorded.seq, event.text, None


def _checked(tournament: Tournament, event: ListChecked, _: Recorded) -> None:
    _held(tournament, event.player).checked = event


def _corrected(tournament: Tournament, event: ListCorrected, recorded: Recorded) -> None:
    held = _held(tournament, event.player)
    held.seq, held.text, held.checked = recorded.seq, event.text, None
    if event.significant and event.advantageous:
        held.flagged.append(recorded.seq)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ListSubmitted: _submitted,
    ListChecked: _checked,
    ListCorrected: _corrected,
}
