"""Whose word a result is, what is confirmed, and how far each dispute has come.

    open            nobody has ruled: a judge does
    appealed        ruled, and a review was asked for: a marshal decides, for good
    correction due  ruled, and the book does not say so yet: the desk corrects
    settled         ruled and entered, or taken back, or accepted by who had disputed

A ruling on a result that nobody disputed opens what it settles: the book says so, or a correction
is due. Whatever is not settled keeps the next round, a cut and the end from being entered, unless
the organizer waives it.
"""

from __future__ import annotations

from typing import Literal

from ledger.facts.base import NOBODY
from ledger.facts.shared import Result, RulingMade
from ledger.problems import Remedy, remedy
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import Claim, Dispute, Ruling

OPEN_DISPUTE = "OPEN-DISPUTE"
"""What a waiver names where the day goes on over a dispute."""

WAITING = frozenset({"played", "time"})
"""Manners of a result that a ruleset may want confirmed: both sides were there to see it."""

State = Literal["open", "appealed", "correction due", "settled"]


def word_of(tournament: Tournament, by: str) -> int:
    """The player on whose word somebody enters something; 0: an official's own, who plays not."""
    _, spoken, player = by.partition("p")  # `p7` and `o1/p7`
    return int(player) if spoken else tournament.officials[int(by[1:])].player


def speaker(tournament: Tournament, by: str, match: Match) -> int:
    """The player of the match on whose word something is entered; 0: the desk's.

    An official who plays the match speaks for their own side of it.
    """
    word = word_of(tournament, by)
    return word if word and word in (match.first, match.second) else 0


def waits(tournament: Tournament, match: Match, result: Result, player: int) -> bool:
    """Whether a report on the player's word counts only once it is confirmed."""
    if not player or tournament.ruleset.confirmation == "none" or tournament.importing:
        return False
    return result.manner in WAITING and player in match.players


def is_reported(tournament: Tournament, match: Match) -> bool:
    """Whether somebody said how the match ended, be it confirmed or not."""
    return match.result is not None or match.number in tournament.floor.unconfirmed


def current_claim(tournament: Tournament, match: Match) -> Claim | None:
    """Return the report that counts, or waits to be confirmed; none while nobody reported."""
    waiting = tournament.floor.unconfirmed.get(match.number)
    if waiting is not None or match.result is None:
        return waiting
    reporter = tournament.floor.reporters.get(match.number, NOBODY)
    return Claim(match.result_seq, reporter, "", match.result)


def latest_dispute(tournament: Tournament, match: int) -> Dispute | None:
    """The last dispute of a match, whatever its state."""
    found = (each for each in reversed(tournament.floor.disputes) if each.match == match)
    return next(found, None)


def dispute_of(tournament: Tournament, match: int) -> Dispute | None:
    """The dispute of a match that is not settled; there is one at most."""
    latest = latest_dispute(tournament, match)
    return None if latest is None or state_of(tournament, latest) == "settled" else latest


def has_confirmed(tournament: Tournament, match: int, player: int) -> bool:
    """Whether a side, or the desk (0), confirmed a match's result and has not disputed it since."""
    dispute = dispute_of(tournament, match)
    since = dispute.seq if dispute is not None and dispute.against.player == player else 0
    said = tournament.floor.confirmed.get(match, ())
    return any(each.player == player and each.seq > since for each in said)


def is_repeated(dispute: Dispute, player: int, claim: Result | None, reason: str = "") -> bool:
    """Whether words say of a dispute what it says, before a ruling; no reason adds none."""
    against = dispute.against
    is_same = (against.player, against.result) == (player, claim)
    return is_same and not dispute.ruling and reason.strip() in {"", dispute.reason.strip()}


def unsettled(tournament: Tournament) -> list[Dispute]:
    """The disputes that are not settled, in order."""
    return [each for each in tournament.floor.disputes if state_of(tournament, each) != "settled"]


def state_of(tournament: Tournament, dispute: Dispute) -> State:
    """How far a dispute has come; see the module."""
    if dispute.closed:
        return "settled"
    ruling = ruling_on(tournament, dispute)
    if ruling is None:
        return "open"
    if is_appealed(ruling):
        return "appealed"
    stands = tournament.matches[dispute.match].result
    return "settled" if stands == decided(tournament, dispute) else "correction due"


def ruling_on(tournament: Tournament, dispute: Dispute) -> Ruling | None:
    """The ruling in force: the review where there was one."""
    first = tournament.floor.ruling(dispute.ruling)
    reviewed = tournament.floor.ruling(first.reviewed_by) if first else None
    return reviewed or first


def last_ruling_on(tournament: Tournament, dispute: Dispute) -> int:
    """The last event to rule on a dispute at first instance; 0: none has."""
    later = (each for each in tournament.floor.rulings if each.seq >= dispute.seq)
    on_match = (each for each in later if each.made.match == dispute.match)
    return max((each.seq for each in on_match if decides_on(tournament, each.made)), default=0)


def decides_on(tournament: Tournament, made: RulingMade) -> bool:
    """Whether a ruling is the first to say what the result of its match is.

    So may be a review, where the ruling that it reviews said nothing of a result.
    """
    reviewed = tournament.floor.ruling(made.reviews)
    if reviewed is not None and decides_on(tournament, reviewed.made):
        return False
    return bool(made.settles) or made.decides is not None


def is_appealed(ruling: Ruling) -> bool:
    """Whether a marshal has been asked for a review that is still to come."""
    return not (ruling.final or ruling.reviewed_by) and bool(ruling.appealed or ruling.made.review)


def appeal_of(ruling: Ruling) -> tuple[Remedy, ...]:
    """Return what is done against a ruling, unless it is final."""
    return () if ruling.final else (remedy("appeal", ruling=ruling.seq),)


def unreviewed(tournament: Tournament) -> list[Ruling]:
    """The rulings on no result whose review was asked for and is still to come, in order."""
    return [
        each
        for each in tournament.floor.rulings
        if is_appealed(each) and dispute_ruled_by(tournament, each.seq) is None
    ]


def decided(tournament: Tournament, dispute: Dispute) -> Result | None:
    """The result that the ruling in force gives the match; none while nobody ruled."""
    ruling = ruling_on(tournament, dispute)
    if ruling is None:
        return None
    if ruling.made.upheld:
        ruling = tournament.floor.ruling(dispute.ruling)
    decides = ruling.made.decides if ruling else None
    return decides or dispute.reported.result


def dispute_ruled_by(tournament: Tournament, seq: int) -> Dispute | None:
    """The dispute that the ruling of an event is about, at first instance or in review."""
    for dispute in tournament.floor.disputes:
        first = tournament.floor.ruling(dispute.ruling)
        if first is not None and seq in {first.seq, first.reviewed_by}:
            return dispute
    return None
