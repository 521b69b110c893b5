"""What the head of the start, its cosignature and the ranks do to the tournament."""

from __future__ import annotations

from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def head_recorded(tournament: Tournament, event: HeadRecorded, _: Recorded) -> None:
    tournament.head = event


def head_cosigned(tournament: Tournament, event: HeadCosigned, _: Recorded) -> None:
    tournament.cosignature = event.cosignature


def ranks_drawn(tournament: Tournament, event: RanksDrawn, recorded: Recorded) -> None:
    for number, rank in enumerate(event.ranks, start=event.first):
        player = tournament.players[number]
        player.random_rank, player.rank_seq = rank, recorded.seq
    tournament.ranked += len(event.ranks)
