"""Disputes in words: the events, the claims, and what has to be typed next."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.wording.phrases import Phrase, official_in_words, phrase, result_in_words, table_in_words
from ledger.facts import disputes
from ledger.facts.office import authority_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.tournament.table_records import Claim, Dispute


def whose(tournament: Tournament, player: int) -> str:
    """Name a side of a match, or the desk."""
    return labelled(tournament, player) if player else "the desk"


def claim_in_words(tournament: Tournament, match: int, claim: Claim) -> str:
    """Say who claims what."""
    said = "the result is wrong"
    if claim.result is not None:
        said = result_in_words(tournament, tournament.matches[match], claim.result)
    ruling = tournament.floor.ruling(claim.seq)
    who = f"ruling {ruling.seq}" if ruling is not None else whose(tournament, claim.player)
    return f"{who}: {said}"


def next_act(tournament: Tournament, dispute: Dispute, *, is_paper: bool = False) -> str:
    """Say what ends the state that a dispute is in, as a line to type; on paper only who acts."""
    from projections.disputes import next_to_act

    where = table_in_words(tournament, dispute.match)
    due = next_to_act(tournament, dispute)
    if due is None:
        return f"{where}: settled"
    names = " or ".join(official_in_words(tournament, each) for each in due.officials)
    if due.role in {"judge", "leader"}:
        line = f': `rule {where} "why" --stands`, or with --result as for `report`'
        return f"{where} is disputed: {names or 'no official'} can rule{'' if is_paper else line}"
    if due.role != "desk":
        line = f': `review {where} "why" --upheld`, or --overturned'
        return f"{where} is appealed: {names or 'no official'} can review{'' if is_paper else line}"
    return f"{where} is ruled on{_entering(tournament, dispute, is_paper=is_paper)}"


def _entering(tournament: Tournament, dispute: Dispute, *, is_paper: bool) -> str:
    """Say what enters the result that was ruled, or why nothing does while the bracket stands."""
    from cli.terminal.problems import line_of
    from ledger.rules.results import bracket_stands
    from ledger.tournament.disputes import decided

    match, result = tournament.matches[dispute.match], decided(tournament, dispute)
    barred = next(bracket_stands(tournament, match, result), None) if result else None
    where = table_in_words(tournament, dispute.match)
    due = ", not yet entered" + ("" if is_paper else f": `correct --ruling {where}`")
    return f", but {line_of(barred, {})}" if barred else due


def _who(event: disputes.ResultConfirmed | disputes.ResultDisputed, tournament: Tournament) -> str:
    return whose(tournament, event.player)


def _claimed(event: disputes.ResultDisputed, tournament: Tournament) -> str:
    if not event.claim:
        return ""
    match = tournament.matches[event.match]
    return f" and claims: {result_in_words(tournament, match, event.claim)}"


DISPUTE_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        disputes.ResultConfirmed: phrase(
            "{match}: {who} confirmed result {confirms}{ruled}",
            who=_who,
            ruled=lambda event, _: (
                f", which ruling {event.ruling} left unchanged" if event.ruling else ""
            ),
        ),
        disputes.ConfirmationWithdrawn: phrase(
            "{match}: confirmation {withdraws} withdrawn{reason}"
        ),
        disputes.ResultDisputed: phrase(
            "{match}: {who} disputes result {disputes}{claimed}{reason}", who=_who, claimed=_claimed
        ),
        disputes.DisputeWithdrawn: phrase("{match}: dispute {withdraws} withdrawn{reason}"),
        disputes.AppealMade: phrase(
            "{player} appeals ruling {ruling} to {reviewer}{reason}",
            reviewer=lambda _, tournament: str(authority_of(tournament).last_word),
        ),
        disputes.AppealWithdrawn: phrase("appeal {withdraws} of ruling {ruling} withdrawn{reason}"),
        disputes.RulingWithdrawn: phrase(
            "{table}{official} withdrew ruling {withdraws}{reason}",
            table=lambda event, tournament: (
                f"{table_in_words(tournament, event.match)}: " if event.match else ""
            ),
        ),
    }
)
"""What says each event of a dispute."""
