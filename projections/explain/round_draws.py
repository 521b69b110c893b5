"""How a round was drawn, and what changed its seats since: read from the log of pairings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.events.rounds import RoundPaired, SeatsSwapped, TablesRepaired

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.tournament.state import Round, Tournament

    Reseating = SeatsSwapped | TablesRepaired


class RoundDraw(Struct, frozen=True):
    """The pairing of a round: the event, what drew it, and what the organizer did by hand.

    `swaps` are the seats that were swapped and the tables that were repaired later.
    """

    round: int
    stage: int
    kind: str
    attempt: int
    procedure: str
    seq: int
    swaps: tuple[int, ...]
    reason: str
    waives: tuple[str, ...]


class PairingLog(Struct, frozen=True):
    """What these readings need besides the tournament: a moment of it, and its events by seq."""

    before: Callable[[int], Tournament]
    """The tournament after the event of that number."""

    paired: Callable[[int], RoundPaired]
    """The pairing that an event is."""

    swaps: Sequence[tuple[int, Reseating]]
    """All seats that were swapped and tables that were repaired, with the event number of each."""


def swaps_of(round_: Round, log: PairingLog) -> list[tuple[int, Reseating]]:
    """Return the changes of seats in a round since it was paired, each with its seq."""
    return [
        (seq, swap)
        for seq, swap in log.swaps
        if seq > round_.paired_seq and swap.round == round_.number
    ]


def moved_by(swap: Reseating) -> set[int]:
    """Return who changed seats."""
    if isinstance(swap, SeatsSwapped):
        return set(swap.players)
    return {player for game in swap.games for player in game if player}


def draw_of(
    tournament: Tournament,
    round_: Round,
    event: RoundPaired,
    swaps: Sequence[tuple[int, Reseating]],
) -> RoundDraw:
    """Return how a round was drawn."""
    return RoundDraw(
        round_.number,
        round_.stage,
        tournament.stages[round_.stage - 1].plan.kind,
        round_.attempt,
        event.procedure,
        round_.paired_seq,
        tuple(seq for seq, _ in swaps),
        event.reason,
        event.waiver.clauses if event.waiver else (),
    )
