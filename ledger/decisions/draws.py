"""What the draws rest on: the head of the start, the witness's cosignature, the random ranks."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.checks.draws import head_text
from ledger.decisions.command import Command, Context
from ledger.errors import Refused
from ledger.events import Event
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.problems import problem, remedy
from ledger.proof.evidence.notes import base64_of
from ledger.tournament.progress import next_ranks
from ledger.tournament.state import Tournament

RANK = "random-rank@1"


def recorded_head(tournament: Tournament, context: Context) -> HeadRecorded:
    """Make the head that covers the word, signed where the log's key is at hand."""
    unsigned = HeadRecorded(context.tree.size, context.tree.root().hex())
    if context.sign_head is None:
        return unsigned
    signature = context.sign_head(head_text(tournament, unsigned).encode())
    return HeadRecorded(unsigned.size, unsigned.root, base64_of(signature))


def drawn_ranks(tournament: Tournament, context: Context) -> Iterator[Event]:
    """Draw the random ranks of everyone who has none, unless something comes before them."""
    while following := next_ranks(tournament):
        ranks = [rank_of(tournament, context, number) for number in following]
        yield RanksDrawn(following[0], tuple(ranks))


def rank_of(tournament: Tournament, context: Context, number: int) -> int:
    """Draw the random rank of one player."""
    return context.draws(tournament, RANK, number).random_rank()


class CosignHead(Command, frozen=True):
    """Record the witness's cosignature of the head of the start, in base64; the ranks are drawn."""

    cosignature: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if self.cosignature == tournament.cosignature != "":
            return
        if tournament.head is None:
            text = "the tournament has not started: no head of it is on record"
            raise Refused(problem("start.none", text, remedy=remedy("start")))
        yield HeadCosigned(self.cosignature)
        yield from drawn_ranks(tournament, context)
