"""The running round as a sum: who stands above whom, by what each open match may end in.

A place in the standings is a comparison of points, then of each tiebreaker, then of the random
rank. Everybody plays one match of the round, so what a player's own match may come to is a list of
worths, one of which they will have; a tiebreaker adds up, with weights that are known, a term of
each player that depends on their own worth alone (`influence`): so even a ratio with a floor is an
addend. All of it is one integer a player, the weightier part in higher digits.

    total of a player = base + for every open match what its result adds to them

What a result adds to its own two players depends on all of it; to everybody else on what the
tiebreakers over opponents read of it, its `key`: many results have one key.

That holds unless a ruleset bounds or divides a value that several matches make up, or says more of
a tiebreaker than what is summed (`Tiebreaker.is_plain`); `is_a_sum` says whether it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from operator import add

from msgspec import Struct

from ledger.events import Event
from ledger.events.results import Result, ResultReported
from ledger.fold import evolve
from ledger.lines.recorded import record
from ledger.rulesets import Tiebreaker
from ledger.tournament.state import Match, Tournament
from projections.standings.table import crosstable_of
from projections.whatif.influence import Influence, Worths

SWEPT = "sweep"
"""The id of the results that are tried."""


class MatchEffect(Struct, frozen=True):
    """What an open match adds to everybody by its results.

    `own` has for either of its players a number for each result, `others` for everybody else
    whom it moves a number for each key.
    """

    players: tuple[int, int]
    own: tuple[list[int], list[int]]
    others: dict[int, list[int]]


class ScoreModel(Struct, frozen=True):
    """The players who play on, the effects of each open match, and everybody's base.

    `keys` has the key of each result; results of one key are the same to all who do not play it.
    `kinds` has the place of each result's kind: one outcome, one score of points.
    """

    players: list[int]
    base: dict[int, int]
    effects: list[MatchEffect]
    keys: list[int]
    kinds: list[int]


def is_a_sum(declared: Sequence[Tiebreaker]) -> bool:
    """Whether every tiebreaker adds up what single matches change."""
    of_several: set[str] = set()
    for one in declared:
        if not one.is_plain or one.source in {"earned", "held"}:
            return False
        several = one.source in of_several
        if several and (one.least is not None or one.per not in {None, "rounds"}):
            return False
        if several or one.over == "opponents":
            of_several.add(one.code)
    return True


def score_model(
    tournament: Tournament, matches: Sequence[Match], results: Sequence[Result]
) -> ScoreModel:
    """Measure what each result of each open match adds; the tournament is used up by it."""
    for match in matches:
        enter(tournament, ResultReported(match.number, results[0]))
    declared = tournament.ruleset.tiebreakers
    worths = Worths(declared, results)
    moved = Influence(crosstable_of(tournament), declared, worths)
    players = tournament.active()
    first = {player: worths.sides[0][side] for match in matches
             for side, player in enumerate(match.players)}  # fmt: skip
    by_lot = sorted(players, key=lambda one: (tournament.players[one].random_rank, one))
    base, gains = _weighed(moved, by_lot, first)
    effects = [_effect(worths, gains, match) for match in matches]
    return ScoreModel(players, base, effects, worths.keys, _kinds(results))


def points_alone(
    tournament: Tournament, matches: Sequence[Match], results: Sequence[Result]
) -> ScoreModel:
    """Measure the points and nothing else: equals are neither above nor below each other."""
    totals = crosstable_of(tournament).totals("points")
    own = ([one.points[0] for one in results], [one.points[1] for one in results])
    return ScoreModel(
        tournament.active(),
        {player: totals[player] for player in tournament.active()},
        [MatchEffect((match.first, match.second), own, {}) for match in matches],
        [0] * len(results),
        _kinds(results),
    )


def _kinds(results: Sequence[Result]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault((one.outcomes, one.points), len(known)) for one in results]


def enter(tournament: Tournament, event: Event) -> None:
    """Let a result that is tried count."""
    evolve(tournament, record(tournament.seq + 1, SWEPT, "", "o1", event))


MatchGains = dict[int, dict[int, list[int]]]
"""What somebody's match adds to somebody: by who plays it, by whom it moves.

To themselves by each worth, to others by each sight of it.
"""


def _weighed(
    moved: Influence, by_lot: list[int], first: dict[int, int]
) -> tuple[dict[int, int], MatchGains]:
    """Put the columns into one number, from the random rank up to the points."""
    base = {player: -place for place, player in enumerate(by_lot)}
    gains: MatchGains = {player: {} for player in first}
    moves = {player: moved.moves(player, worth) for player, worth in first.items()}
    for place in reversed(range(len(moved.values))):
        value = moved.values[place]
        common = lcm(
            value.denominator,
            *(each[place][0].denominator * each[place][1].denominator for each in moves.values()),
        )
        weight = _range(base, gains) + 1
        for player in by_lot:
            base[player] += weight * (common // value.denominator) * value.numerators[player]
        for player, columns in moves.items():
            terms, spread = columns[place]
            factor = weight * (common // (terms.denominator * spread.denominator))
            seen = [terms.numerators[worth] for worth in moved.worths.sights]
            for other, share in spread.reaches.items():
                added = terms.numerators if other == player else seen
                if other in base and any(added):
                    known = gains[player].get(other) or [0] * len(added)
                    weighed = [share * factor * each for each in added]
                    gains[player][other] = list(map(add, known, weighed))
    return base, gains


def _range(base: dict[int, int], gains: MatchGains) -> int:
    """How far two players can be apart by what has been weighed so far."""
    lowest, highest = dict(base), dict(base)
    for gained in gains.values():
        for player, values in gained.items():
            lowest[player] += min(values)
            highest[player] += max(values)
    return max(highest.values()) - min(lowest.values()) if base else 0


def _effect(worths: Worths, gains: MatchGains, match: Match) -> MatchEffect:
    players = a, b = match.first, match.second
    one, other = gains[a], gains[b]
    nothing = [0] * len(worths.sights)
    plain = [0] * len(worths.worths)
    seen = worths.seen
    from_one = (one.get(a, plain), one.get(b, nothing))
    from_other = (other.get(a, nothing), other.get(b, plain))
    own = (
        [from_one[0][i] + from_other[0][seen[j]] for i, j in worths.sides],
        [from_one[1][seen[i]] + from_other[1][j] for i, j in worths.sides],
    )
    others = {}
    for player in (one.keys() | other.keys()) - set(players):
        left, right = one.get(player, nothing), other.get(player, nothing)
        values = [left[i] + right[j] for i, j in worths.pairs]
        if any(values):
            others[player] = values
    return MatchEffect(players, own, others)
