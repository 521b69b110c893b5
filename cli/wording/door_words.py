"""Events at the door in words: who is here, who asks to be registered, who calls a judge."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cli.input.find_people import labelled
from cli.wording.phrases import (
    Phrase,
    because,
    official_in_words,
    phrase,
    safe_text,
    table_in_words,
)
from ledger.events import Event, office, opening, rounds
from ledger.tournament.state import Tournament


def call_in_words(event: office.JudgeCalled, tournament: Tournament) -> str:
    """Say who calls a judge, from where and why."""
    who = labelled(tournament, event.player) if event.player else "the desk"
    where = f" to table {table_in_words(tournament, event.match)}" if event.match else ""
    return f"{who} calls a judge{where}{because(event.reason)}"


def _asked(event: opening.RegistrationAsked, _: Tournament) -> str:
    more = (("", event.faction), ("league id ", event.league_id))
    said = "".join(f", {label}{safe_text(text)}" for label, text in more if text)
    return f"{safe_text(event.name)} asks to be registered{said}"


def _answered(event: opening.RegistrationAnswered, tournament: Tournament) -> str:
    if event.player:
        return f"request {event.asked} is registered: {labelled(tournament, event.player)}"
    return f"request {event.asked} is refused{because(event.reason)}"


DOOR_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        rounds.CheckInOpened: phrase("check-in is open"),
        rounds.CheckedIn: phrase("{player} is here"),
        rounds.CheckInClosed: phrase("check-in is closed"),
        office.JudgeCalled: call_in_words,
        office.CallAnswered: lambda event, tournament: (
            f"{official_in_words(tournament, event.official)} answers call {event.call}"
        ),
        opening.RegistrationAsked: _asked,
        opening.RegistrationAnswered: _answered,
    }
)
"""What says each of them."""
