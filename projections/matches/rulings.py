"""Rulings, conduct, penalties and notes for scripts, each with the event that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.events import Event
from ledger.events.office import ConductNoted, DisqualificationRecommended, NoteTaken, PenaltyGiven
from ledger.lines.recorded import Recorded
from ledger.tournament import disputes, office
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Ruling

_OF_A_RULING = ["match", "official", "clause", "ruling", "raised", "player", "reviews", "overrules"]


def rulings_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Every ruling, in order; state is final, reviewed, review asked or open to review.

    `decides` is the result it gives its match, `due` whether that is still to be entered.
    """
    return [
        {
            "seq": ruling.seq,
            **{name: getattr(ruling.made, name) for name in _OF_A_RULING},
            **{name: getattr(ruling.made, name) or None for name in ("match", "player", "reviews")},
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
    """Return everything noted of anybody's conduct, in order (FFG-AUTH-CONDUCT)."""
    members = ("player", "kind", "remedy", "match", "note")
    return [_entry(each, *members) for each in _of_type(tournament.floor.conduct, ConductNoted)]


def recommendations_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Return every recommended disqualification; state says what came of it (FFG-AUTH-DQ)."""
    waiting = office.recommended(tournament)
    entries = (
        _entry(each, "player", "clause", "reason")
        for each in _of_type(tournament.floor.acts.values(), DisqualificationRecommended)
    )
    return [
        each | {"state": "to decide" if each["player"] in waiting else "disqualified"}
        for each in entries
    ]


def notes_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Return every note, in order; match and player are null where it is on neither."""
    return [
        {"seq": each.seq, "at": each.at, **_entry(each, "match", "player", "text")}
        for each in _of_type(tournament.floor.notes, NoteTaken)
    ]


def penalties_as_json(tournament: Tournament) -> list[dict[str, object]]:
    """Return every penalty, in order (AOP-PENALTY)."""
    members = ("player", "kind", "infraction", "clause", "match")
    return [_entry(each, *members) for each in _of_type(tournament.floor.penalties, PenaltyGiven)]


def _of_type(log: Iterable[Recorded], kind: type[Event]) -> Iterator[Recorded]:
    return (each for each in log if isinstance(each.event, kind))


def _entry(recorded: Recorded, *members: str) -> dict[str, object]:
    """Return an event's place, author and members; no match or player is null."""
    values = {name: getattr(recorded.event, name) for name in members}
    nulls = {name: None for name in members if name in {"match", "player"} and not values[name]}
    return {"seq": recorded.seq, "by": recorded.by, **values, **nulls}
