"""Rulings, conduct, penalties and notes for scripts, each with the event that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.events.office import ConductNoted, DisqualificationRecommended, NoteTaken, PenaltyGiven
from ledger.tournament import disputes, office

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import Ruling


def rulings_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Every ruling, in order; `state` is final, reviewed, review asked or open to review.

    `decides` is the result it gives its match, `due` whether that is still to be entered.
    """
    return [
        {
            "seq": ruling.seq,
            "match": ruling.made.match or None,
            "official": ruling.made.official,
            "clause": ruling.made.clause,
            "ruling": ruling.made.ruling,
            "raised": ruling.made.raised,
            "player": ruling.made.player or None,
            "reviews": ruling.made.reviews or None,
            "overrules": ruling.made.overrules,
            "state": state_of(ruling),
            "decides": msgspec.to_builtins(ruling.made.decides),
            "due": is_due(tournament, ruling),
        }
        for ruling in tournament.floor.rulings
    ]


def state_of(ruling: Ruling) -> str:
    """Return whether a ruling is final, was reviewed, or may yet be (FFG-ROLE-JUDGE)."""
    if ruling.reviewed_by:
        return f"reviewed by {ruling.reviewed_by}"
    if ruling.final:
        return "final"
    return "review asked" if disputes.is_appealed(ruling) else "open to review"


def is_due(tournament: Tournament, ruling: Ruling) -> bool:
    """Whether a ruling is in force on a result that is not entered yet (FFG-RULING)."""
    dispute = disputes.dispute_ruled_by(tournament, ruling.seq)
    if dispute is None or disputes.state_of(tournament, dispute) != "correction due":
        return False
    return disputes.ruling_on(tournament, dispute) is ruling


def conduct_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Everything noted of anybody's conduct, in order (FFG-AUTH-CONDUCT)."""
    return [
        {
            "seq": each.seq,
            "by": each.by,
            "player": each.event.player,
            "kind": each.event.kind,
            "remedy": each.event.remedy,
            "match": each.event.match or None,
            "note": each.event.note,
        }
        for each in tournament.floor.conduct
        if isinstance(each.event, ConductNoted)
    ]


def recommendations_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Every recommended disqualification, in order; `state` says what came of it (FFG-AUTH-DQ)."""
    waiting = office.recommended(tournament)
    return [
        {
            "seq": each.seq,
            "by": each.by,
            "player": each.event.player,
            "clause": each.event.clause,
            "reason": each.event.reason,
            "state": "to decide" if each.event.player in waiting else "disqualified",
        }
        for each in tournament.floor.acts.values()
        if isinstance(each.event, DisqualificationRecommended)
    ]


def notes_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Every note, in order; `match` and `player` are null where it is on none."""
    return [
        {
            "seq": each.seq,
            "at": each.at,
            "by": each.by,
            "match": each.event.match or None,
            "player": each.event.player or None,
            "text": each.event.text,
        }
        for each in tournament.floor.notes
        if isinstance(each.event, NoteTaken)
    ]


def penalties_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Every penalty, in order (AOP-PENALTY)."""
    return [
        {
            "seq": each.seq,
            "by": each.by,
            "player": each.event.player,
            "kind": each.event.kind,
            "infraction": each.event.infraction,
            "clause": each.event.clause,
            "match": each.event.match or None,
        }
        for each in tournament.floor.penalties
        if isinstance(each.event, PenaltyGiven)
    ]
