"""What handing in, checking and correcting a list does to the tournament."""

from __future__ import annotations

from ledger.events.lists import (
    DeckChecksDrawn,
    ExclusiveGiven,
    ListChecked,
    ListCorrected,
    ListSubmitted,
)
from ledger.lines.recorded import Recorded
from ledger.tournament.lists.handed_lists import HandedList, SubmittedList
from ledger.tournament.state import Tournament


def _held(tournament: Tournament, player: int) -> SubmittedList:
    return tournament.lists.setdefault(player, SubmittedList())


def list_submitted(tournament: Tournament, event: ListSubmitted, recorded: Recorded) -> None:
    _replace(tournament, HandedList(recorded.seq, event.text, event.hidden), event.player)


def list_checked(tournament: Tournament, event: ListChecked, recorded: Recorded) -> None:
    held = _held(tournament, event.player)
    held.checked, held.checked_seq = event, recorded.seq
    held.checks += 1
    held.is_lost = held.is_lost and held.seq > 0


def list_corrected(tournament: Tournament, event: ListCorrected, recorded: Recorded) -> None:
    handed = HandedList(recorded.seq, event.text, event.hidden, event.significant)
    _replace(tournament, handed, event.player)
    if event.significant and event.advantageous:
        tournament.lists[event.player].flagged.append(recorded.seq)


def exclusive_given(tournament: Tournament, event: ExclusiveGiven, _: Recorded) -> None:
    given = tournament.floor.given_out.setdefault(event.player, [])
    if not event.back:
        given.append(event.name)
    elif event.name in given:
        given.remove(event.name)


def deck_checks_drawn(tournament: Tournament, event: DeckChecksDrawn, _: Recorded) -> None:
    tournament.floor.deck_checks.append(event)


def _replace(tournament: Tournament, handed: HandedList, player: int) -> None:
    held = _held(tournament, player)
    held.seq, held.text, held.hidden, held.checked = handed.seq, handed.text, handed.hidden, None
    held.handed.append(handed)
    held.is_lost = False
