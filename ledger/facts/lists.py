"""Lists of players: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, ORGANIZER, Event, Recording
from ledger.facts.shared import DeckChecksDrawn, Hidden, ListChecked
from ledger.problems import marked, remedy
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import HandedList, SubmittedList

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

ListText = Annotated[str, Meta(max_length=24_000)]
"""A list as it was handed in, or its open part; the check of the event holds it to its bytes."""


class ListSubmitted(Event, frozen=True):
    """A player handed in a list, before the start; a later one replaces it (FFG-LIST).

    Where opponents may not see all of it, `text` is the open part alone, and `hidden` the seal of
    the other, which opens with the hidden key (SWL-HIDDEN); see
    `ledger.facts.hands`.
    """

    recording = Recording(
        marked("submitting a list"), DESK | LEADERS, by_players=True, instead=remedy("lists.submit")
    )

    player: base.Number
    text: ListText
    hidden: Hidden = ""


class ListCorrected(Event, frozen=True):
    """A leader brought a list in line with what is played; event `corrects` keeps the old one.

    `significant`: other things are listed, not only clearer names. With `advantageous` as well it
    is flagged for investigation (FFG-LIST). `hidden` as in `ListSubmitted`. `clerical`: the sheet
    was wrong, and what is played stays as it was (AOP-DECK).
    """

    recording = Recording(marked("correcting a list"), LEADERS, instead=remedy("lists.correct"))

    player: base.Number
    corrects: base.Seq
    text: ListText
    reason: base.Text
    significant: bool = False
    advantageous: bool = False
    hidden: Hidden = ""
    clerical: bool = False


class ExclusiveGiven(Event, frozen=True):
    """A player was given something out at registration that may be played then (AOP-EXCLUSIVE).

    `back`: it was a mistake, and the player does not have it.
    """

    recording = Recording(
        marked("recording a card given out"),
        ORGANIZER,
        instead=remedy("lists.give_back"),
    )

    player: base.Number
    name: base.Label
    back: bool = False


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
