"""Reasons for a pairing: the draw of a round, its later changes, its byes, and why two players met.

Everything is read from the log as the pairing found it. The pairing rules are FFG-SWISS-FIRST,
FFG-SWISS-LATER and FFG-REMATCH; a ruleset's `[rematch]` table may cite another clause. A bye is by
FFG-BYE-FIRST and FFG-BYE-LATER.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ledger.errors import NotFound, Refused
from ledger.facts.rounds import PlayersSeated, RoundPaired, SeatsSwapped, TablesRepaired
from ledger.pairing import Field, pair_swiss
from ledger.pairing.meetings import Grounds, grounds
from ledger.pairing.shuffling import Draws
from ledger.pairing.swiss import Board, mutual_bans
from ledger.problems import Table, marked, problem, remedy
from ledger.rules.pairing import is_ranked
from ledger.tournament.progress import before_round, bye_order
from ledger.tournament.state import Match, Round, Tournament
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


_ANY_KEY = b"the least gap is the same for every draw"


class PairedSide(Struct, frozen=True):
    """A player of a pairing, as the pairing found them.

    `group` counts the score groups from the highest, 1; `group_size` is how many were in it, and
    `could_meet` those of them whom nothing kept from the player. `paired` are those whom the player
    was paired with in vain, where the ruleset lets that count.
    """

    player: int
    points: int
    group: int
    group_size: int
    met: tuple[int, ...]
    could_meet: tuple[int, ...]
    paired: tuple[int, ...] = ()


class Meeting(Struct, frozen=True):
    """Why two players met.

    `steps` are the score groups between them; `gap` and `least_gap` the sums of the squared steps
    of the round as it was drawn (or as it was when seats of this table were swapped), and of the
    best legal round (None without a legal one). Of a drawn table the tables by hand are left
    out of both, as the draw left them out. `repaired` is the event that repaired the table, or 0:
    where there is one, all of it is by what was known at that moment, of all tables as they stood.
    `rematch` is a game that the ban forbids, by `clause`; `paired_again` one that repeats a pairing
    which nobody played, where no round was without. In an elimination there are no score groups:
    `sides` is empty, and `from_games` are the games
    of the round before whose winners met, or 0 where the seeds did.
    """

    drawn: RoundDraw
    table: int
    players: tuple[int, int]
    by_hand: bool
    swapped: bool
    rematch: bool
    sides: tuple[PairedSide, ...] = ()
    steps: int = 0
    gap: int = 0
    least_gap: int | None = None
    seeds: tuple[int, int] = (0, 0)
    from_games: tuple[int, int] = (0, 0)
    repaired: int = 0
    paired_again: bool = False
    clause: str = "FFG-REMATCH"


def meeting(tournament: Tournament, match: Match, log: PairingLog) -> Meeting:
    """Say why the two of a match met; NotFound of a bye, or where nobody is left to play it."""
    if match.is_bye:
        text, table = (
            marked("{table} is not a game of two players"),
            Table(match.round, match.table),
        )
        explains = remedy("explain.bye", round=match.round)
        raise NotFound(problem("match.no_game", text, table=table, remedy=explains))
    round_ = tournament.rounds[match.round - 1]
    event = log.paired(round_.paired_seq)
    swaps = swaps_of(round_, log)
    drawn = draw_of(tournament, round_, event, swaps)
    swapped = any(moved_by(swap) & set(match.players) for _, swap in swaps)
    by_hand = match.table <= event.by_hand
    stage = tournament.stages[round_.stage - 1]
    if not stage.is_swiss:
        return _in_bracket(tournament, match, drawn, swapped=swapped)
    seating = _seating(tournament, match, event, log)
    past = seating.past
    # Of a drawn table the tables by hand are left out; a repair or a late seat concerns them all.
    repaired = seating.seq if seating.seq not in {seq for seq, _ in _by_hand(swaps)} else 0
    tables = seating.games if repaired or by_hand else seating.games[event.by_hand :]
    known = grounds(past, past.stages[round_.stage - 1])
    bars = known.bars([player for table in tables for player in table if player])
    tables = [table for table in tables if all(table)]
    paired = [player for table in tables for player in table]
    bans = mutual_bans(paired, bars[0])
    board = Board(paired, known.score, bans)
    is_rematch = match.second in bans[match.first]
    return Meeting(
        drawn,
        match.table,
        (match.first, match.second),
        by_hand,
        swapped,
        is_rematch,
        tuple(_side(player, board, known) for player in match.players),
        abs(board.group_of[match.first] - board.group_of[match.second]),
        board.gap(tables),
        _least_gap(Field(paired, known.score, bars[0], spare=bars[1])),
        repaired=repaired,
        paired_again=not is_rematch and match.second in known.paired.get(match.first, ()),
        clause=tournament.ruleset.rematch.clause,
    )


class Seating(Struct, frozen=True):
    """How a match got its seats: the event (0: the pairing), all seats then, what was known then.

    `past` is the tournament at that moment without the round, so it knows every player of `games`.
    """

    seq: int
    games: Sequence[tuple[int, int]]
    past: Tournament


def _seating(tournament: Tournament, match: Match, event: RoundPaired, log: PairingLog) -> Seating:
    """Return the state that explains the seats of a match: of the pairing, or of a later change."""
    round_ = tournament.rounds[match.round - 1]
    seq = round_.reseated.get(match.number, 0)
    if not seq or _is_as_paired(match, event):
        return Seating(0, event.games, log.before(round_.paired_seq - 1))
    then = log.before(seq)
    seated = then.rounds[match.round - 1]
    return Seating(seq, _games(seated), before_round(then, seated))


def _by_hand(swaps: Sequence[tuple[int, Reseating]]) -> list[tuple[int, SeatsSwapped]]:
    return [(seq, swap) for seq, swap in swaps if isinstance(swap, SeatsSwapped)]


def _is_as_paired(match: Match, event: RoundPaired) -> bool:
    games = event.games[match.table - 1 : match.table]
    return {match.first, match.second} == {player for game in games for player in game}


def _games(round_: Round) -> Sequence[tuple[int, int]]:
    """Return the seats of a round, 0 for an empty one."""
    return [(each.first, each.second) for each in round_.matches]


def _side(player: int, board: Board, known: Grounds) -> PairedSide:
    at = board.group_of[player]
    group = board.groups[at]
    banned = board.bans[player]
    met = known.met.get(player, set())
    return PairedSide(
        player,
        known.score[player],
        at + 1,
        len(group),
        tuple(sorted(met)),
        tuple(other for other in group if other != player and other not in banned),
        tuple(sorted(known.paired.get(player, set()) - met)),
    )


def _least_gap(field: Field) -> int | None:
    """The least gap of a legal round of a field; None without one."""
    try:
        return pair_swiss(field, Draws(_ANY_KEY, "least-gap")).gap
    except Refused:
        return None


def _in_bracket(
    tournament: Tournament, match: Match, drawn: RoundDraw, *, swapped: bool
) -> Meeting:
    stage = tournament.stages[drawn.stage - 1]
    seeds = {player: at for at, player in enumerate(stage.seeds, start=1)}
    first, second = match.first, match.second
    before = [number for number in stage.rounds if number < match.round]
    games = {
        player: each.table
        for each in (tournament.rounds[before[-1] - 1].matches if before else ())
        for player in each.players
    }
    return Meeting(
        drawn,
        match.table,
        (first, second),
        by_hand=False,
        swapped=swapped,
        rematch=False,
        seeds=(seeds.get(first, 0), seeds.get(second, 0)),
        from_games=(games.get(first, 0), games.get(second, 0)),
    )
