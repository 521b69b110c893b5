"""A Swiss round: legal first, then the right bye, then the least gap, the rest at random.

FFG-SWISS-FIRST (one score group), FFG-SWISS-LATER, FFG-REMATCH, FFG-BYE-FIRST and FFG-BYE-LATER
(the caller ranks the candidates). Nobody has a chance that hangs on their number or their entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ledger.errors import Refused
from ledger.pairing.board import Bans, Board, Tables, mutual_bans
from ledger.pairing.exact import least_cost, matched
from ledger.pairing.field import Field, Method, Pairing
from ledger.pairing.quick import draw_line
from ledger.pairing.shuffling import Draws
from ledger.pairing.windows import settle
from ledger.problems import problem, remedy

_LOTS = 2**62

_ANY_KEY = b"whether there is a round does not hang on the draw"


def pair_swiss(field: Field, draws: Draws, *, allow_rematch: bool = False) -> Pairing:
    """Draw a round of the field, optimal in this order and random among the optimal ones.

    1. No two meet who must not (FFG-REMATCH). With `allow_rematch`, where that is impossible, as
       few as possible do.
    2. As few as possible meet who should be spared it.
    3. The bye of an odd field goes to the first of the order who leaves such a round.
    4. The gap is least.

    The tables are numbered from the highest combined score, at random between equals. Raises
    Refused where no legal round exists, and ValueError for a player listed twice, an odd field
    without a bye order, or a stranger in it.
    """
    players = list(field.players)
    order = _bye_order(players, field)
    bans = mutual_bans(players, field.met)
    spare = mutual_bans(players, field.spare) if field.spare else {}
    passed_over = 0
    board = Board(_without(players, order[:1]), field.score, bans)
    drawn = None if spare else _legal_round(board, draws)
    if drawn is None and order:
        passed_over = _best_bye(players, bans, order, spare)
        board = Board(_without(players, order[passed_over : passed_over + 1]), field.score, bans)
    tables, method = drawn or (_fewest_rematches(board, draws, spare), "whole field")
    rematches = sum(second in bans[first] for first, second in tables)
    if rematches and not allow_rematch:
        text = "no round of these {players} players is without a rematch or another forbidden game"
        about = {"players": len(players)}
        way = remedy("pair.rematch")
        raise Refused(problem("pairing.rematches", text, clause=field.clause, remedy=way, **about))
    return Pairing(
        tables=_numbered(tables, field, draws),
        bye=order[passed_over] if order else None,
        bye_passed_over=order[:passed_over],
        gap=board.gap(tables),
        rematches=rematches,
        method=method,
    )


def has_round(players: Collection[int], bans: Mapping[int, Collection[int]]) -> bool:
    """Whether there is a round in which nobody meets whom they must not, with any bye."""
    field = Field(list(players), dict.fromkeys(players, 0), bans, list(players))
    try:
        pair_swiss(field, Draws(_ANY_KEY, "has-round"))
    except Refused:
        return False
    return True


def _bye_order(players: list[int], field: Field) -> list[int]:
    """Return who should get the bye, nobody for an even field."""
    if len(set(players)) < len(players):
        raise ValueError("a player is listed twice")
    if len(players) % 2 == 0:
        return []
    if not field.bye_order or not set(field.bye_order) <= set(players):
        raise ValueError("an odd field needs a bye order of its own players")
    return list(field.bye_order)


def _without(players: list[int], bye: list[int]) -> list[int]:
    return [player for player in players if player not in bye]


def _legal_round(board: Board, draws: Draws) -> tuple[Tables, Method] | None:
    """Draw a round without a rematch at the least gap; None if no round is legal."""
    line, suspects = draw_line(board, draws)
    if not suspects:
        return list(zip(line[::2], line[1::2], strict=True)), "quick"
    windows = settle(board, line, suspects, draws)
    if windows is None:
        return None
    tables = [table for window in windows for table in window.tables or ()]
    seated = {player for table in tables for player in table}
    tables += [table for table in zip(line[::2], line[1::2], strict=True) if table[0] not in seated]
    is_whole = any(len(window.blocks(board)) == len(board.blocks) for window in windows)
    return tables, "whole field" if is_whole else "groups"


def _numbered(tables: Tables, field: Field, draws: Draws) -> Tables:
    """Put the tables in order; the higher score stands first, at random between equals."""
    score = field.score
    numbered = []
    for table in tables:
        lot = draws.below(_LOTS)
        first, second = table if lot % 2 else table[::-1]
        if score[first] < score[second]:
            first, second = second, first
        numbered.append((-score[first] - score[second], -score[first], lot, first, second))
    return [(first, second) for *_, first, second in sorted(numbered)]


def _best_bye(players: Sequence[int], bans: Bans, bye_order: Sequence[int], spare: Bans) -> int:
    """Find the bye that leaves the fewest rematches, then the fewest games to be spared.

    `players` are an odd number; what comes back is the place in the order, of several such byes
    the first.
    """
    bye = len(players)
    node = {player: at for at, player in enumerate(players)}
    edges = [(node[player], bye, place) for place, player in enumerate(bye_order)]
    edges += ((a, b, len(bye_order) * weight) for a, b, weight in _games(players, bans, spare))
    opponent = {b: a for a, b in matched(bye + 1, edges)}
    return bye_order.index(players[opponent[bye]])


def _fewest_rematches(board: Board, draws: Draws, spare: Bans) -> Tables:
    """Pair the board with the fewest rematches and games to be spared, then at the least gap."""
    players = [player for group in board.groups for player in group]
    unit = len(players) * len(board.groups) ** 2
    edges = (
        (a, b, unit * weight + (board.group_at[b] - board.group_at[a]) ** 2)
        for a, b, weight in _games(players, board.bans, spare)
    )
    return [(players[a], players[b]) for a, b in least_cost(len(players), edges, draws)]


def _games(players: Sequence[int], bans: Bans, spare: Bans) -> Iterator[tuple[int, int, int]]:
    """List any two players, by their places, and what is against their game.

    That is 0 for nothing, 1 where it should be spared, and more than all such games of a round
    for a rematch.
    """
    rematch = len(players) if spare else 1
    for a, player in enumerate(players):
        banned, spared = bans[player], spare.get(player, ())
        for b in range(a + 1, len(players)):
            other = players[b]
            yield a, b, rematch * (other in banned) or int(other in spared)
