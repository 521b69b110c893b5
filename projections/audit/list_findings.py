"""What is found in a list that was corrected, and in a pairing over decks that nobody passed."""

from __future__ import annotations

from ledger.events import lists, rounds
from ledger.lines.recorded import Recorded
from ledger.tournament.lists import hidden_hands
from ledger.tournament.lists.card_changes import text_changes
from ledger.tournament.lists.list_rules import check_clause, decks_failing, decks_unchecked
from ledger.tournament.state import Tournament
from projections.audit.finding import AuditFinding, Findings, Readers

CARDS_MAX = 40
"""How many cards of a correction are listed."""


def _corrected(tournament: Tournament, event: lists.ListCorrected, recorded: Recorded) -> Findings:
    """A correction is always found: what it changes of the open part, card by card."""
    held = tournament.lists[event.player]
    changes = text_changes(held.text, event.text, hidden_hands.shape_of(tournament))
    yield AuditFinding(
        "list-corrected" if event.significant else "list-clearer",
        (event.corrects, recorded.seq),
        players=(event.player,),
        reason="" if event.hidden else event.reason,  # it may name hidden cards
        cards=tuple(map(str, changes[:CARDS_MAX])),
    )


def over_decks(tournament: Tournament, event: rounds.RoundPaired, recorded: Recorded) -> Findings:
    """Find the decks that a round was paired over (AOP-DECKCHECK)."""
    waiver = event.waiver
    if waiver is None or check_clause(tournament) not in waiver.clauses:
        return
    players = tuple(dict.fromkeys((*decks_unchecked(tournament), *decks_failing(tournament))))
    seqs, reason = (recorded.seq,), waiver.reason
    yield AuditFinding("over-decks", seqs, event.round, players=players, reason=reason)


LISTS: Readers = {lists.ListCorrected: _corrected}
