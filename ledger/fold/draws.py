"""What the head of the start, its cosignature and the ranks do to the tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.events import Event
from ledger.events.draws import HeadCosigned, HeadRecorded, RanksDrawn
from ledger.lines.recorded import Recorded
from ledger.tournament.state import Tournament


def _recorded(tournament: Tournament, event: HeadRecorded, _: Recorded) -> None:
    tournament.head = event


def _cosigned(tournament: Tournament, event: HeadCosigned, _: Recorded) -> None:
    tournament.cosignature = event.cosignature


def _ranked(tournament: Tournament, event: RanksDrawn, recorded: Recorded) -> None:
    for number, rank in enumerate(event.ranks, start=event.first):
        player = tournament.players[number]
        player.random_rank, player.rank_seq = rank, recorded.seq
    tournament.ranked += len(event.ranks)


APPLY: dict[type[Event], Callable[[Tournament, Any, Recorded], None]] = {
    HeadRecorded: _recorded,
    HeadCosigned: _cosigned,
    RanksDrawn: _ranked,
}
