"""Disputes in words: the events, the claims, and what has to be typed next."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.languages.speaking import marked, tr
from cli.terminal.problems import said
from cli.wording.phrases import (
    Phrase,
    at_table,
    because,
    by_clause,
    official_in_words,
    phrase,
    result_in_words,
    safe_text,
    table_in_words,
)
from ledger.facts import disputes
from ledger.facts.office import authority_of
from ledger.tournament.disputes import dispute_ruled_by
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.facts.shared import RulingMade
    from ledger.tournament.table_records import Claim, Dispute


def whose(tournament: Tournament, player: int) -> str:
    """Name a side of a match, or the desk."""
    return labelled(tournament, player) if player else tr("the desk")


def claim_in_words(tournament: Tournament, match: int, claim: Claim) -> str:
    """Say who claims what."""
    said = tr("the result is wrong")
    if claim.result is not None:
        said = result_in_words(tournament, tournament.matches[match], claim.result)
    ruling = tournament.floor.ruling(claim.seq)
    is_ruled = ruling is not None
    who = tr("ruling {seq}", seq=claim.seq) if is_ruled else whose(tournament, claim.player)
    return tr("{label}: {text}", label=who, text=said)


def next_act(tournament: Tournament, dispute: Dispute, *, is_paper: bool = False) -> str:
    """Say what ends the state that a dispute is in, as a line to type; on paper only who acts."""
    from projections.disputes import next_to_act

    where = table_in_words(tournament, dispute.match)
    due = next_to_act(tournament, dispute)
    if due is None:
        return tr("{where}: settled", where=where)
    names = tr(" or ").join(official_in_words(tournament, each) for each in due.officials)
    if due.role in {"judge", "leader"}:
        line = tr(': `rule {where} "why" --stands`, or with --result as for `report`', where=where)
        return tr(
            "{where} is disputed: {officials} can rule{command}",
            where=where,
            officials=names or tr("no official"),
            command="" if is_paper else line,
        )
    if due.role != "desk":
        line = tr(': `review {where} "why" --upheld`, or --overturned', where=where)
        return tr(
            "{where} is appealed: {officials} can review{command}",
            where=where,
            officials=names or tr("no official"),
            command="" if is_paper else line,
        )
    entering = _entering(tournament, dispute, is_paper=is_paper)
    return tr("{where} is ruled on{entering}", where=where, entering=entering)


def _entering(tournament: Tournament, dispute: Dispute, *, is_paper: bool) -> str:
    """Say what enters the result that was ruled, or why nothing does while the bracket stands."""
    from cli.terminal.problems import line_of
    from ledger.rules.results import bracket_stands
    from ledger.tournament.disputes import decided

    match, result = tournament.matches[dispute.match], decided(tournament, dispute)
    barred = next(bracket_stands(tournament, match, result), None) if result else None
    where = table_in_words(tournament, dispute.match)
    if barred:
        return tr(", but {reason}", reason=line_of(barred, {}))
    if is_paper:
        return tr(", not yet entered")
    return tr(", not yet entered: `correct --ruling {where}`", where=where)


def _who(event: disputes.ResultConfirmed | disputes.ResultDisputed, tournament: Tournament) -> str:
    return whose(tournament, event.player)


def _claimed(event: disputes.ResultDisputed, tournament: Tournament) -> str:
    if not event.claim:
        return ""
    match = tournament.matches[event.match]
    return tr(
        " and claims: {result}",
        result=result_in_words(tournament, match, event.claim),
    )


def ruled_in_words(event: RulingMade, tournament: Tournament) -> str:
    """Say who ruled what: with a result, or on a ruling that is reviewed."""
    asked = ""
    if event.raised != "official":
        by = f" {labelled(tournament, event.player)}" if event.player else ""
        of_player, of_spectator = tr(", raised by a player{by}"), tr(", raised by a spectator{by}")
        asked = (of_player if event.raised == "player" else of_spectator).format(by=by)
    about = tr(" on dispute {settles}", settles=event.settles) if event.settles else ""
    more = tr(", review requested") if event.review else ""
    overruled = (
        tr(", overruling the documents: {text}", text=safe_text(event.overrules))
        if event.overrules
        else ""
    )
    where, clause = at_table(tournament, event.match), by_clause(event.clause)
    result = result_ruled(event, tournament)
    more = f"{where}{about}{clause}{asked}{more}{because(event.ruling)}{result}{overruled}"
    official = official_in_words(tournament, event.official)
    if not event.reviews:
        return tr("{official} ruled{more}", official=official, more=more)
    upheld = marked("{official} upheld ruling {ruling} (final){more}")
    overturned = marked("{official} overturned ruling {ruling} (final){more}")
    text = upheld if event.upheld else overturned
    return tr(text, official=official, ruling=event.reviews, more=more)


def result_ruled(event: RulingMade, tournament: Tournament) -> str:
    """Return the result after a ruling, to append to its text; empty if it decides no result."""
    dispute = dispute_ruled_by(tournament, event.reviews) if event.reviews else None
    first = tournament.floor.ruling(dispute.ruling) if dispute and event.upheld else None
    decides = first.made.decides if first else event.decides
    if decides is not None:
        result = result_in_words(tournament, tournament.matches[event.match], decides)
        if event.reviews:
            return tr(" | the result is now: {result}", result=result)
        return f" | {result}"
    if dispute is not None and dispute.reported.result is not None:
        match, reported = tournament.matches[event.match], dispute.reported.result
        return tr(
            " | the reported result counts: {result}",
            result=result_in_words(tournament, match, reported),
        )
    return tr(" | the reported result counts") if event.settles or dispute else ""


DISPUTE_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        disputes.ResultConfirmed: phrase(
            "{match}: {who} confirmed result {confirms}{ruled}",
            who=_who,
            ruled=lambda event, _: (
                tr(", which ruling {ruling} left unchanged", ruling=event.ruling)
                if event.ruling
                else ""
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
            reviewer=lambda _, tournament: said(authority_of(tournament).last_word),
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
