"""A Swiss round: legal first, then the right bye, then the least gap, the rest at random.

FFG-SWISS-FIRST (one score group), FFG-SWISS-LATER, FFG-REMATCH, FFG-BYE-FIRST and FFG-BYE-LATER
(the caller ranks the candidates). Nobody has a chance that hangs on their number or their entry.

*The board.* The players are in one line from the highest score group to the lowest. If an odd
number of players is above a border between two groups, at least one table must reach across it; if
the number is even, no table needs to. So every round's gap is at least the number of odd borders,
and reaches that bound only if each odd border is crossed by one table, by one step, and no even
border by any. A block is a run of groups between two even borders: rounds that meet the bound pair
each block by itself. The excess of a round is its gap less the bound, and is always even.

*The quick path.* Every group of a block is shuffled, and neighbours in the line are paired. They
always meet the bound of their block, and every round that meets the bound can be such a line. The
remaining fault may be rematches: a small block is shuffled again a few times, which keeps all its
rounds equally likely; then a player of a rematch is exchanged with a random player of the same
score group, which leaves the gap as it is.

*Windows.* Blocks that the quick path left illegal are solved exactly, by a maximum weight matching,
with as many neighbours as the proof needs. A window is a run of blocks around one or more suspects
(blocks without a legal line found), and has an allowance A, an even number, 0 at first. What is
matched exactly is the window with

*   A/2 good blocks on either side of the suspects, or all there are,
*   tables of at most d steps, d(d - 1) <= A,
*   of a large group only A + 2D + 4 random players, D being the most bans that anybody has; the
    others keep the legal tables inside their group that the quick path gave them.

If the least excess X found is at most A, no better round exists, and every best one could have
come up; otherwise the window is solved again with a larger allowance. Why:

*   A table of d steps has by itself an excess of d(d - 1); a border crossed by k tables more than
    it must be adds k. So in a best round of the window no table has more steps, and at most A + 2
    players of a group meet somebody outside it.
*   Where only a part of the group is there, other players of this part can take the places of
    these A + 2, one after the other, each having at most D bans; the 2D + 2 or more who are left
    can be paired among themselves, since each may meet at least half of them (Dirac's theorem).
    So the part does as well as the group.
*   An even border is crossed by no table or by two at least, an excess of 2. Blocks tied together
    by tables across their borders have a suspect among them, or each would be better off by
    itself. So tables that lead out of a window cross its own border and the A/2 borders between
    the good blocks and up to the suspects: an excess of A + 2, more than the X <= A that solving
    the window by itself costs. Where they tie windows together, each window's own A/2 borders pay
    for its X, and the border between is to spare. So no best round leaves a window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import isqrt
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from ledger.errors import Refused
from ledger.pairing.shuffling import Draws
from ledger.problems import Problem, Value, marked, remedy

Method = Literal["quick", "groups", "whole field"]
"""quick: random groups met the bound; groups: some were solved exactly; or all had to be."""


class Field(Struct, frozen=True):
    """The players of a round and what a legal and fair round has to look at.

    `score` gives each player's total points in the stage: one value is one score group. `met`
    gives whom a player must not meet: earlier opponents in the stage and any other ban; a ban
    counts for both, whichever lists it. `bye_order` is looked at where the field is odd: who should
    get the bye, the first choice first; who is not in it gets none. `spare` gives whom a player may
    meet, though as few as possible do. `clause` is the one that bans rematches.
    """

    players: Sequence[int]
    score: Mapping[int, int] | Sequence[int]
    met: Mapping[int, Collection[int]]
    bye_order: Sequence[int] = ()
    spare: Mapping[int, Collection[int]] = MappingProxyType({})
    clause: str = "FFG-REMATCH"


class Pairing(Struct, frozen=True):
    """A round: the place of a pair in `tables` is its table number less one.

    `gap` is the sum over the tables of the squared number of steps between the two score groups,
    a step leading from one score to the next that any paired player has. `bye_passed_over` are
    those earlier in the order whose bye would have left no legal round (or more rematches).
    """

    tables: list[tuple[int, int]]
    bye: int | None
    bye_passed_over: list[int]
    gap: int
    rematches: int
    method: Method


Bans = dict[int, set[int]]
"""Whom a player must not meet; mutual."""

Tables = list[tuple[int, int]]
"""Who meets whom."""


def mutual_bans(players: Collection[int], met: Mapping[int, Collection[int]]) -> Bans:
    """List everybody's bans, each for both sides."""
    bans = {player: set(met.get(player, ())) for player in players}
    for player, others in met.items():
        for other in others:
            if other in bans:
                bans[other].add(player)
    return bans


def gap_of(tables: Tables, score: Mapping[int, int] | Sequence[int]) -> int:
    """Sum the squared steps of the tables, the score groups being those of who sits there."""
    scores = sorted({score[player] for table in tables for player in table})
    group = {points: at for at, points in enumerate(scores)}
    return sum((group[score[first]] - group[score[second]]) ** 2 for first, second in tables)


class Board:
    """An even number of players in score groups.

    `groups` are from the highest score, each in the order of the players' numbers; `starts` is
    the place in the line where each group begins, with the end of the line as the last one;
    `group_at` is the group of each place in the line, `group_of` of each player.
    """

    __slots__ = ("bans", "blocks", "group_at", "group_of", "groups", "most_bans", "starts")

    def __init__(
        self, players: Collection[int], score: Mapping[int, int] | Sequence[int], bans: Bans
    ) -> None:
        groups: dict[int, list[int]] = {}
        for player in sorted(players):
            groups.setdefault(score[player], []).append(player)
        self.groups = [groups[points] for points in sorted(groups, reverse=True)]
        self.starts = [0, *accumulate(map(len, self.groups))]
        self.group_at = [at for at, group in enumerate(self.groups) for _ in group]
        self.group_of = {player: at for at, group in enumerate(self.groups) for player in group}
        self.bans = bans
        self.most_bans = max((len(bans[player]) for player in self.group_of), default=0)
        evens = [at for at, start in enumerate(self.starts) if start % 2 == 0]
        self.blocks = [range(*pair) for pair in pairwise(evens)]

    def gap(self, tables: Tables) -> int:
        """Sum the squared steps of the tables."""
        group_of = self.group_of
        return sum((group_of[first] - group_of[second]) ** 2 for first, second in tables)

    def bound(self, groups: range) -> int:
        """Count the odd borders inside a run of groups: the least gap that it can have."""
        return sum(self.starts[at] % 2 for at in groups[1:])


Edge = tuple[int, int, int]
"""Two nodes and what it costs to match them; nodes are counted from 0."""

_TIE_BITS = 56


def least_cost(count: int, edges: Iterable[Edge], draws: Draws) -> list[tuple[int, int]]:
    """Match as many nodes as possible, at the least total cost.

    Every matching of least cost can come up. The random tie weights do not only choose between
    them: they leave one optimum alone (two of equal weight have a chance below 2^-30), and so make
    the answer independent of the order in which the library walks its hash tables. A cost may be
    up to 2^40: the library computes in 128 bits.
    """
    unit = 1 << (_TIE_BITS + count.bit_length())
    span = 1 << _TIE_BITS
    below = draws.below
    return matched(count, ((a, b, cost * unit + below(span)) for a, b, cost in edges))


def matched(count: int, edges: Iterable[Edge]) -> list[tuple[int, int]]:
    """Match as many nodes as possible, at the least total cost; any one of several such."""
    # Rounds that the quick path pairs should not pay for loading the library.
    from rustworkx import PyGraph, max_weight_matching  # noqa: PLC0415

    graph: PyGraph[None, int] = PyGraph()
    graph.add_nodes_from([None] * count)
    graph.add_edges_from([(a, b, -cost) for a, b, cost in edges])
    pairs = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)


_SMALL = 24
_TRIES = 12


def draw_line(board: Board, draws: Draws) -> tuple[list[int], list[int]]:
    """Draw a line for the whole board; return it with the numbers of the blocks left illegal.

    The players at the places 2i and 2i + 1 of the line meet.
    """
    line: list[int] = []
    illegal = []
    for number, block in enumerate(board.blocks):
        drawn = _draw_block(board, block, draws)
        if rematches(drawn, board) and not _repair(drawn, board, block, draws):
            illegal.append(number)
        line += drawn
    return line, illegal


def rematches(line: list[int], board: Board) -> list[int]:
    """List the places of the line where two stand together who must not meet."""
    bans = board.bans
    return [at for at in range(0, len(line), 2) if line[at + 1] in bans[line[at]]]


def _draw_block(board: Board, block: range, draws: Draws) -> list[int]:
    size = board.starts[block.stop] - board.starts[block.start]
    for _ in range(_TRIES if size <= _SMALL else 1):
        line = [player for at in block for player in draws.shuffled(board.groups[at])]
        if not rematches(line, board):
            break
    return line


def _repair(line: list[int], board: Board, block: range, draws: Draws) -> bool:
    """Exchange rematches away within their score groups; tell whether none is left."""
    start = board.starts[block.start]
    for table in rematches(line, board):
        for place in (table, table + 1):
            at = board.group_at[start + place]
            span = range(board.starts[at] - start, board.starts[at + 1] - start)
            if _exchange(line, place, span, board, draws):
                break
    return not rematches(line, board)


def _exchange(line: list[int], place: int, span: range, board: Board, draws: Draws) -> bool:
    """Exchange the player at a place with a random one of the span, if both tables turn legal."""
    player, opponent = line[place], line[place ^ 1]
    turn = draws.below(len(span))
    for other in (*span[turn:], *span[:turn]):
        candidate = line[other]
        if (
            other ^ 1 != place
            and opponent not in board.bans[candidate]
            and line[other ^ 1] not in board.bans[player]
        ):
            line[place], line[other] = candidate, player
            return True
    return False


class Window(Struct):
    """The blocks from `first` to `last`, both suspects.

    `tables` are those that replace tables of the line; None until they are proven.
    """

    first: int
    last: int
    allowance: int = 0
    tables: Tables | None = None

    def blocks(self, board: Board) -> range:
        """Span the blocks of the window, the good ones at its sides included."""
        reach = self.allowance // 2
        return range(max(0, self.first - reach), min(len(board.blocks), self.last + reach + 1))


def settle(board: Board, line: list[int], suspects: list[int], draws: Draws) -> list[Window] | None:
    """Solve the suspect blocks; None if there is no legal round.

    `line` is the quick path's, with nothing but legal tables outside the suspects.
    """
    windows = [Window(first=block, last=block) for block in suspects]
    while unproven := [window for window in windows if window.tables is None]:
        if not _solve(unproven[0], board, line, draws):
            return None
        windows = _merged(windows, board)
    return windows


def _solve(window: Window, board: Board, line: list[int], draws: Draws) -> bool:
    """Solve a window, and prove it or raise its allowance; False if there is no legal round."""
    allowance = window.allowance
    blocks = window.blocks(board)
    groups = range(board.blocks[blocks[0]].start, board.blocks[blocks[-1]].stop)
    part = allowance + 2 * board.most_bans + 4
    loose = _loosened(board, groups, part)
    steps_max = (1 + isqrt(1 + 4 * allowance)) // 2
    pairs = least_cost(len(loose), _edges(board, line, loose, steps_max), draws)
    everything = len(loose) == len(line) and steps_max >= len(board.groups) - 1
    if 2 * len(pairs) < len(loose):
        window.allowance = 4 * allowance + 2
        return not everything
    tables = [(line[loose[a]], line[loose[b]]) for a, b in pairs]
    excess = board.gap(tables) - board.bound(groups)
    if everything or excess <= allowance:
        window.tables = tables
    else:
        window.allowance = min(excess, max(2, 4 * allowance))
    return True


def _loosened(board: Board, groups: range, part: int) -> list[int]:
    """List the places of the line to match again.

    Of each group these are all, or at least as many as `part` says: those of its first tables,
    which are random ones, as the line is in random order. The tables that stay are legal, since
    in so large a group the quick path always finds an exchange.
    """
    loose: list[int] = []
    inside: dict[int, list[int]] = {}
    for table in range(board.starts[groups.start], board.starts[groups.stop], 2):
        at = board.group_at[table]
        if at != board.group_at[table + 1] or len(board.groups[at]) <= part:
            loose += (table, table + 1)
        else:
            inside.setdefault(at, []).append(table)
    taken = Counter(board.group_at[place] for place in loose)
    for at, tables in inside.items():
        missing = max(0, (part - taken[at] + 1) // 2)
        loose += [place for table in tables[:missing] for place in (table, table + 1)]
    return sorted(loose)


def _edges(board: Board, line: list[int], loose: list[int], steps_max: int) -> Iterator[Edge]:
    players = [line[place] for place in loose]
    groups = [board.group_at[place] for place in loose]
    for a, player in enumerate(players):
        bans = board.bans[player]
        for b in range(a + 1, len(players)):
            steps = groups[b] - groups[a]
            if steps > steps_max:
                break
            if players[b] not in bans:
                yield a, b, steps * steps


def _merged(windows: list[Window], board: Board) -> list[Window]:
    """Make one unproven window of those that overlap."""
    merged: list[Window] = []
    for window in windows:
        latest = window
        while merged and merged[-1].blocks(board).stop > latest.blocks(board).start:
            left = merged.pop()
            allowance = max(left.allowance, latest.allowance)
            latest = Window(first=left.first, last=latest.last, allowance=allowance)
        merged.append(latest)
    return merged


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
        text = marked(
            "these {players} players cannot be paired without a rematch or another forbidden game"
        )
        about: dict[str, Value] = {"players": len(players)}
        way = remedy("pair.rematch")
        raise Refused(Problem("pairing.rematches", text, about, field.clause, (way,)))
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
