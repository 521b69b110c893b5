"""Disputes and rulings for scripts and people: claims, next steps, conduct, penalties and notes.

A dispute or an unconfirmed report has both claims, its state, and the person who acts next.
Rulings, conduct, penalties and notes each name the event that holds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.disputes import AppealMade
from ledger.facts.office import (
    ConductNoted,
    DisqualificationRecommended,
    NoteTaken,
    PenaltyGiven,
)
from ledger.facts.shared import RulingMade
from ledger.facts.undo import ActWithdrawn
from ledger.lines.recorded import Recorded
from ledger.problems import Phrase, phrase
from ledger.tournament import disputes
from ledger.tournament.disputes import State
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Claim, Dispute, Ruling

if TYPE_CHECKING:
    from collections.abc import Container


class NextToAct(NamedTuple):
    """Who has to act in a dispute: a role in a word, and the officials who may, by number."""

    role: str
    officials: tuple[int, ...] = ()


def next_to_act(tournament: Tournament, dispute: Dispute) -> NextToAct | None:
    """Who brings a dispute on; nobody where it is settled (FFG-ROLE-JUDGE)."""
    match, rules = tournament.matches[dispute.match], office.authority_of(tournament)
    match disputes.state_of(tournament, dispute):
        case "open":
            role = "judge" if rules.has_judges else "leader"
            return NextToAct(role, tuple(office.who_rules(tournament, match)))
        case "appealed":
            reviewer = rules.reviewer or "marshal"
            return NextToAct(reviewer, tuple(office.who_rules(tournament, match, "review")))
        case "correction due":
            return NextToAct("desk")
        case _:
            return None


STATES: Mapping[State, Phrase] = MappingProxyType(
    {
        "open": phrase("open"),
        "appealed": phrase("appealed"),
        "correction due": phrase("correction due"),
    }
)
"""The states in which something is to be done."""


def state_in_words(tournament: Tournament, dispute: Dispute) -> Phrase:
    """The state of a dispute; of a settled one also how."""
    state = disputes.state_of(tournament, dispute)
    if state != "settled":
        return STATES[state]
    ruling = disputes.ruling_on(tournament, dispute)
    if ruling:
        return phrase("ruled by {event}", event=ruling.seq)
    return phrase("ended by {event}", event=dispute.closed)


def disputes_as_json(tournament: Tournament, *, settled: bool = False) -> list[dict[str, object]]:
    """Return what is disputed, in order, or all that ever was; "since" is a desk's clock.

    `unasked`: nobody disputed it, a ruling is what is said against the report.
    """
    listed = tournament.floor.disputes if settled else disputes.unsettled(tournament)
    return [_as_json(tournament, each) for each in listed]


def events_of(tournament: Tournament, dispute: Dispute) -> list[int]:
    """Return the events that a dispute came about and was settled by, in their order."""
    first = tournament.floor.ruling(dispute.ruling)
    review = tournament.floor.ruling(first.reviewed_by) if first else None
    found = {dispute.reported.seq, dispute.seq, dispute.closed}
    for each in (first, review):
        found |= {each.seq, each.appealed, each.entered} if each else set()
    return sorted(found - {0})


def steps_in(tournament: Tournament, dispute: Dispute, log: Iterable[Recorded]) -> list[Recorded]:
    """Return a dispute's events, with rulings and appeals that were taken back, out of a log."""
    known = set(events_of(tournament, dispute))
    following = [each.seq for each in tournament.floor.disputes if each.match == dispute.match]
    end = min((seq for seq in following if seq > dispute.seq), default=tournament.seq + 1)
    steps = []
    for recorded in log:
        if dispute.seq < recorded.seq < end and _belongs(recorded.event, dispute, known):
            known.add(recorded.seq)
        if recorded.seq in known:
            steps.append(recorded)
    return steps


def _belongs(event: Event, dispute: Dispute, known: Container[int]) -> bool:
    match event:
        case RulingMade(match=match):
            return match == dispute.match
        case AppealMade(ruling=seq) | ActWithdrawn(withdraws=seq):
            return seq in known
    return False


def _as_json(tournament: Tournament, dispute: Dispute) -> dict[str, object]:
    match = tournament.matches[dispute.match]
    due = next_to_act(tournament, dispute)
    ruling = disputes.ruling_on(tournament, dispute)
    return {
        "seq": dispute.seq,
        "match": match.number,
        "round": match.round,
        "table": match.table,
        "players": list(match.players),
        "state": disputes.state_of(tournament, dispute),
        "since": dispute.against.at,
        "reason": dispute.reason,
        "unasked": dispute.unasked,
        "claims": [_claim(dispute.reported), _claim(dispute.against)],
        "ruling": ruling.seq if ruling else None,
        "decided": msgspec.to_builtins(disputes.decided(tournament, dispute)),
        "events": events_of(tournament, dispute),
        "next": {"role": due.role, "officials": list(due.officials)} if due else None,
    }


def _claim(claim: Claim) -> dict[str, object]:
    result = msgspec.to_builtins(claim.result)
    return {"seq": claim.seq, "player": claim.player or None, "result": result}


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
    members = ("player", "kind", "remedy", "match", "note", "clause", "spectator")
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
