"""Why two players met, and why one had the bye: read from the log as the pairing found it.

The pairing rules are FFG-SWISS-FIRST, FFG-SWISS-LATER and FFG-REMATCH for who meets whom, and
FFG-BYE-FIRST and FFG-BYE-LATER for the bye; a ruleset's `[rematch]` table may cite another clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.checks.ranks import is_ranked
from ledger.errors import NotFound, Refused
from ledger.events.rounds import SeatsSwapped, TablesRepaired
from ledger.pairing import Field, pair_swiss
from ledger.pairing.board import Board, mutual_bans
from ledger.pairing.draws import Draws
from ledger.pairing.meetings import grounds
from ledger.problems import Table, problem, remedy
from ledger.tournament.byes import bye_order
from ledger.tournament.progress import before_round
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.events.rounds import RoundPaired
    from ledger.pairing.meetings import Grounds
    from ledger.tournament.state import Match, Round, Tournament

    Reseating = SeatsSwapped | TablesRepaired

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


class Meeting(Struct, frozen=True):
    """Why two players met.

    `steps` are the score groups between them; `gap` and `least_gap` the sums of the squared steps
    of the round as it was drawn (as it was played, where seats of this table were swapped), and of
    the best legal round (None without a legal one). Of a drawn table the tables by hand are left
    out of both, as the draw left them out. `repaired` is the event that seated them anew, 0 without
    one: then all is told by what was known at that moment, of all tables as they stood.
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


class Candidate(Struct, frozen=True):
    """Somebody who could have had the bye; `rank` is 0 where nothing ranked the players."""

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


class PairingLog(Struct, frozen=True):
    """What these readings need besides the tournament: a moment of it, and its events by `seq`."""

    before: Callable[[int], Tournament]
    """The tournament after so many events."""

    paired: Callable[[int], RoundPaired]
    """The pairing that an event is."""

    swaps: Sequence[tuple[int, Reseating]]
    """All seats that were swapped and tables that were repaired, with the `seq` of each."""


def meeting(tournament: Tournament, match: Match, log: PairingLog) -> Meeting:
    """Tell why the two of a match met.

    Raises:
        NotFound: it is a bye, or nobody is left to play it.
    """
    if match.is_bye:
        raise NotFound(
            problem(
                "match.bye",
                "{table} is not a game of two players",
                table=Table(match.round, match.table),
                remedy=remedy("explain.bye", round=match.round),
            )
        )
    played = tournament.rounds[match.round - 1]
    event = log.paired(played.paired_seq)
    swaps = _swaps(played, log)
    drawn = _drawn(tournament, played, event, swaps)
    swapped = any(_moved(swap) & set(match.players) for _, swap in swaps)
    by_hand = match.table <= event.by_hand
    stage = tournament.stages[played.stage - 1]
    if not stage.is_swiss:
        return _in_bracket(tournament, match, drawn, swapped=swapped)
    repaired = _repair_of(match, event, swaps)
    if repaired:
        then = log.before(repaired)
        tables = _games(then.rounds[match.round - 1])
        past = before_round(then, then.rounds[match.round - 1])
    else:
        seated = event.games if _is_as_paired(match, event) else _games(played)
        tables = seated[0 if by_hand else event.by_hand :]
        past = log.before(played.paired_seq - 1)
    known = grounds(past, past.stages[played.stage - 1])
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


def bye(tournament: Tournament, number: int, player: int, log: PairingLog) -> Bye:
    """Tell why a player had a bye; in an elimination the bracket says so, and `order` is empty."""
    played = tournament.rounds[number - 1]
    event = log.paired(played.paired_seq)
    swaps = _swaps(played, log)
    match = next(each for each in played.matches if player in each.players)
    past = log.before(played.paired_seq - 1)
    stage = past.stages[played.stage - 1]
    drawn = {each for game in event.games[event.by_hand :] for each in game if each}
    ranked = is_ranked(stage)
    best_first = ranking(past) if ranked else sorted(drawn)
    rank = {each: at for at, each in enumerate(best_first, start=1)} if ranked else {}
    order = bye_order(past, drawn, best_first)
    upto = order.index(player) + 1 if ranked and player in order else 0
    shown = order[:upto] or [*event.passed_over, player]
    if not stage.is_swiss:
        shown = []
    return Bye(
        _drawn(tournament, played, event, swaps),
        player,
        match.table <= event.by_hand,
        any(player in _moved(swap) for _, swap in swaps),
        ranked,
        tuple(
            Candidate(each, rank.get(each, 0), past.players[each].byes, each in event.passed_over)
            for each in shown
        ),
    )


def byes_of(played: Round) -> list[int]:
    """Who had a bye in a round."""
    return [player for match in played.matches if match.is_bye for player in match.players]


def _swaps(played: Round, log: PairingLog) -> list[tuple[int, Reseating]]:
    return [
        (seq, swap)
        for seq, swap in log.swaps
        if seq > played.paired_seq and swap.round == played.number
    ]


def _repair_of(match: Match, event: RoundPaired, swaps: Sequence[tuple[int, Reseating]]) -> int:
    """The event that repaired the table, if nobody was seated there since; 0: as drawn, by hand."""
    if _is_as_paired(match, event):
        return 0
    seated = set(match.players)
    seq, last = next((each for each in reversed(swaps) if _moved(each[1]) & seated), (0, None))
    return seq if isinstance(last, TablesRepaired) else 0


def _is_as_paired(match: Match, event: RoundPaired) -> bool:
    return {match.first, match.second} == set(event.games[match.table - 1])


def _games(played: Round) -> Sequence[tuple[int, int]]:
    """The seats of a round as they are now, 0 where nobody sits."""
    return [(each.first, each.second) for each in played.matches]


def _moved(swap: Reseating) -> set[int]:
    """Who was seated anew."""
    if isinstance(swap, SeatsSwapped):
        return set(swap.players)
    return {player for game in swap.games for player in game if player}


def _drawn(
    tournament: Tournament,
    played: Round,
    event: RoundPaired,
    swaps: Sequence[tuple[int, Reseating]],
) -> RoundDraw:
    return RoundDraw(
        played.number,
        played.stage,
        tournament.stages[played.stage - 1].plan.kind,
        played.attempt,
        event.procedure,
        played.paired_seq,
        tuple(seq for seq, _ in swaps),
        event.reason,
        event.waiver.clauses if event.waiver else (),
    )


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
