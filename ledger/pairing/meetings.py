"""Whom a round's players must not meet, by who met and who was paired before.

The ruleset's `[rematch]` table says how far back the ban reaches, and whether a pairing that nobody
played is one. Such a pairing is barred like a meeting where a legal round without it exists; where
none does, its repetition is no rematch, and as few as possible are drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from ledger.facts.results import UNPLAYED
from ledger.pairing import has_round
from ledger.problems import Player, Problem, Remedy, marked, problem
from ledger.tournament.progress import before_round, stage_points
from ledger.tournament.state import Match, Round, Stage, Tournament

Opponents = dict[int, set[int]]
"""Each player's opponents; mutual."""

Game = tuple[int, int]

NOBODY: Opponents = {}


class Grounds(Struct, frozen=True):
    """What the rounds so far give a pairing to go by.

    `score` has each player's points at the place of their number, `met` whom they must not meet
    again, `paired` whom they were paired with in games that nobody played, where those count.
    """

    score: list[int]
    met: Opponents
    paired: Opponents

    def bars(self, players: Collection[int]) -> tuple[Opponents, Opponents]:
        """Whom the players of one round must not meet, and whom they meet as little as possible."""
        there = set(players)
        if not any(there & self.paired.get(player, set()) for player in there):
            return self.met, NOBODY
        every = {player: met | self.paired[player] for player, met in self.met.items()}
        if has_round(players, every):
            return every, NOBODY
        return self.met, self.paired


def grounds(tournament: Tournament, stage: Stage) -> Grounds:
    """Look up what the next round of a stage is paired by."""
    met, paired = _earlier(tournament, stage)
    return Grounds(stage_points(tournament, stage), met, paired)


def grounds_of(tournament: Tournament, round_: Round) -> Grounds:
    """Look up what the latest round was paired by, as it is known now."""
    before = before_round(tournament, round_)
    return grounds(before, before.stages[round_.stage - 1])


def barred(known: Grounds, games: Sequence[Game], by_hand: int = 0) -> Iterator[Game]:
    """Yield those of a round's games that the ban forbids.

    What was set by hand is held to all the rounds that there could have been, what was drawn to
    those of the players who were left.
    """
    for part, among in ((games[:by_hand], games), (games[by_hand:], games[by_hand:])):
        yield from _forbidden(known, part, among)


def _forbidden(known: Grounds, part: Sequence[Game], among: Sequence[Game]) -> Iterator[Game]:
    bars = known.met
    if any(other in known.paired.get(one, ()) for one, other in part):
        bars, _ = known.bars([player for game in among for player in game if player])
    yield from (game for game in part if game[1] in bars.get(game[0], ()))


def has_sat_together(tournament: Tournament, stage: Stage, games: Sequence[Game]) -> bool:
    """Return whether two of a game sat at one table before, in a round that the ban looks back to.

    If none did, `barred` finds nothing: this is answered in a fraction of the time of `grounds`.
    """
    opposite = {
        first: second for game in games for first, second in (game, game[::-1]) if first and second
    }
    return any(
        match.second and opposite.get(match.first) == match.second
        for number in _banned_rounds(tournament, stage)
        for match in tournament.rounds[number - 1].matches
    )


def rematch_problem(
    tournament: Tournament, known: Grounds, game: Game, remedy: Remedy | tuple[()] = ()
) -> Problem:
    """Say why two must not meet, and what allows it."""
    one, other = map(Player, game)
    clause = tournament.ruleset.rematch.clause
    if game[1] in known.met[game[0]]:
        text = marked("{one} and {other} have already met")
        return problem("rematch.met", text, clause=clause, remedy=remedy, one=one, other=other)
    text = marked("{one} and {other} have already been paired")
    return problem("rematch.paired", text, clause=clause, remedy=remedy, one=one, other=other)


def _earlier(tournament: Tournament, stage: Stage) -> tuple[Opponents, Opponents]:
    """Whom each player has met, and whom they were paired with in vain, where that is banned.

    A match without a result yet is a meeting.
    """
    met: Opponents = {number: set() for number in range(len(tournament.players))}
    paired: Opponents = {number: set() for number in met}
    counts = tournament.ruleset.rematch.no_show == "counts"
    for number in _banned_rounds(tournament, stage):
        for match in tournament.rounds[number - 1].matches:
            first, second = match.first, match.second
            if first and second and (counts or not _is_unplayed(match)):
                of = paired if _is_unplayed(match) else met
                of[first].add(second)
                of[second].add(first)
    return met, paired


def _banned_rounds(tournament: Tournament, stage: Stage) -> Iterable[int]:
    """The rounds that the ban looks back to; a ruleset's own leaves the bracket out."""
    if stage.plan.rematch == "tournament":
        return range(1, len(tournament.rounds) + 1)
    if tournament.ruleset.rematch.scope == "tournament":
        return [number for each in tournament.stages if each.is_swiss for number in each.rounds]
    return stage.rounds


def _is_unplayed(match: Match) -> bool:
    return match.result is not None and match.result.manner in UNPLAYED
