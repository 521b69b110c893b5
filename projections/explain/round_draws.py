"""How a round was drawn, what changed its seats since, and why a player had its bye.

A bye is by FFG-BYE-FIRST and FFG-BYE-LATER, as the pairing found the field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ledger.events.rounds import PlayersSeated, RoundPaired, SeatsSwapped, TablesRepaired
from ledger.rules.pairing import is_ranked
from ledger.tournament.byes import bye_order
from ledger.tournament.state import Round, Tournament
from projections.standings.table import ranking

Reseating = SeatsSwapped | TablesRepaired | PlayersSeated


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
    since, number = round_.paired_seq, round_.number
    return [(seq, swap) for seq, swap in log.swaps if seq > since and swap.round == number]


def moved_by(swap: Reseating) -> set[int]:
    """Return who changed seats."""
    if isinstance(swap, SeatsSwapped):
        return set(swap.players)
    if isinstance(swap, PlayersSeated):
        return {player for player in swap.game if player}
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


class Candidate(Struct, frozen=True):
    """Somebody who could have had the bye; rank is 0 where nothing ranked the players."""

    player: int
    rank: int
    byes: int
    passed_over: bool


class Bye(Struct, frozen=True):
    """Why somebody had the bye: who was before them, the first choice first, themselves last."""

    drawn: RoundDraw
    player: int
    by_hand: bool
    swapped: bool
    ranked: bool
    order: tuple[Candidate, ...]


def bye(tournament: Tournament, number: int, player: int, log: PairingLog) -> Bye:
    """Say why a player had a bye; in an elimination the bracket does, and the order is empty."""
    round_ = tournament.rounds[number - 1]
    event = log.paired(round_.paired_seq)
    swaps = swaps_of(round_, log)
    match = next(each for each in round_.matches if player in each.players)
    late = round_.reseated.get(match.number, 0) if player in round_.latecomers else 0
    past = log.before(late - 1 if late else round_.paired_seq - 1)
    stage = past.stages[round_.stage - 1]
    drawn = {each for game in event.games[event.by_hand :] for each in game if each}
    if late:
        drawn = {player}
    ranked = is_ranked(stage)
    best_first = ranking(past) if ranked else sorted(drawn)
    rank = {each: at for at, each in enumerate(best_first, start=1)} if ranked else {}
    order = bye_order(past, drawn, best_first)
    upto = order.index(player) + 1 if ranked and player in order else 0
    shown = (order[:upto] or [*event.passed_over, player]) if stage.is_swiss else []
    return Bye(
        draw_of(tournament, round_, event, swaps),
        player,
        match.table <= event.by_hand,
        any(player in moved_by(swap) for _, swap in swaps),
        ranked,
        tuple(
            Candidate(each, rank.get(each, 0), past.players[each].byes, each in event.passed_over)
            for each in shown
        ),
    )


def byes_of(round_: Round) -> list[int]:
    """Who had the bye of a round."""
    byes = (match for match in round_.matches if match.is_bye and not match.named)
    return [player for match in byes for player in match.players]
