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
    _replace(held, event, recorded.seq)
    held.corrected, held.is_significant = None, False


def _checked(tournament: Tournament, event: ListChecked, _: Recorded) -> None:
    held = _held(tournament, event.player)
    held.checked = event
    held.checks += 1
    held.is_lost = held.is_lost and held.seq > 0


def _corrected(tournament: Tournament, event: ListCorrected, recorded: Recorded) -> None:
    held = _held(tournament, event.player)
    held.corrected = None if held.is_lost else (held.count, held.text, held.hidden)
    held.is_significant = event.significant
    _replace(held, event, recorded.seq)
    if event.significant and event.advantageous:
        held.flagged.append(recorded.seq)


def _replace(held: SubmittedList, event: ListSubmitted | ListCorrected, seq: int) -> None:
    held.seq, held.text, held.hidden, held.checked = seq, event.text, event.hidden, None
    held.count += 1
    held.is_lost = False


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    ListSubmitted: _submitted,
    ListChecked: _checked,
    ListCorrected: _corrected,
}
