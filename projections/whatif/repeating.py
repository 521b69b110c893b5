"""The rounds and cuts of a log, each decided again on all that was played before it.

A draw that can be repeated (its procedure known, its key at hand) is made with the same key for
the same place, so it differs only by what was played. Where it cannot, the tables are left out:
who has the bye and the least gap do not hang on the draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events.elimination import CutMade
from ledger.events.rounds import RoundPaired
from ledger.fold import collector_paused, evolve
from ledger.lines.recorded import Recorded
from ledger.pairing.board import gap_of
from ledger.pairing.meetings import barred, grounds
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound, elimination_round, is_ranked, swiss_round
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.rules.command import Context

Games = tuple[tuple[int, int], ...]
"""Who meets whom by table; 0 is nobody."""

_ANY_KEY = b"used where no table of the draw is known"


class RepeatedRound(Struct, frozen=True):
    """A round decided again: its games, and how the games that were made measure up to it.

    `gap` is the gap of the tables that were made, `least` the least there is; -1 in an
    elimination. `rematches` are the tables made that would be a second meeting. `by_rank`: the
    bye goes by the standings, not by lot. `problem` says why there is no such round.
    """

    games: Games = ()
    gap: int = -1
    least: int = -1
    rematches: Games = ()
    by_rank: bool = False
    problem: str = ""

    @property
    def certain(self) -> tuple[object, ...]:
        """What does not hang on the draw."""
        return self.bye if self.by_rank else 0, self.gap, self.least, self.rematches, self.problem

    @property
    def bye(self) -> int:
        """Who has the bye; 0: nobody."""
        return next((max(game) for game in self.games if 0 in game), 0)


class RepeatedCut(Struct, frozen=True):
    """A cut decided again, best seed first; problem says why it cannot be made."""

    seeds: tuple[int, ...] = ()
    problem: str = ""


Originals = Mapping[int, RoundPaired | CutMade]
"""Rounds and cuts as they were made, by their number."""

Repeats = dict[int, RepeatedRound | RepeatedCut]
"""The same as they are decided again."""


def repeat_decisions(log: Iterable[Recorded], originals: Originals, context: Context) -> Repeats:
    """Fold a log and decide each round and cut that was made again at its place."""
    tournament = Tournament()
    repeats: Repeats = {}
    with collector_paused():
        for recorded in log:
            event = originals.get(recorded.seq)
            if isinstance(event, RoundPaired) and isinstance(recorded.event, RoundPaired):
                repeats[recorded.seq] = _round(tournament, event, context)
            elif isinstance(event, CutMade) and isinstance(recorded.event, CutMade):
                repeats[recorded.seq] = _cut(tournament, event, context)
            if len(repeats) == len(originals):
                break  # nothing of what comes later is asked for
            evolve(tournament, recorded)
    return repeats


def key_at_hand(tournament: Tournament, context: Context) -> Context:
    """The context with the key that was revealed, or with one that only the gap is found by."""
    if context.shuffle_key:
        return context
    return replace(context, shuffle_key=bytes.fromhex(tournament.shuffle_key) or _ANY_KEY)


def _round(tournament: Tournament, original: RoundPaired, context: Context) -> RepeatedRound:
    stage = tournament.stages[original.stage - 1]
    command = _command(tournament, original)
    try:
        if not stage.is_swiss:
            return RepeatedRound(elimination_round(command, tournament, context, stage).games)
        known = grounds(tournament, stage)
        drawn = swiss_round(command, tournament, context, stage, known)
    except Refused as error:
        return RepeatedRound(problem=str(error))
    return RepeatedRound(
        drawn.games,
        _gap(original.games, known.score),
        _gap(drawn.games, known.score),
        tuple(barred(known, original.games, original.by_hand)),
        by_rank=is_ranked(stage),
    )


def _command(tournament: Tournament, original: RoundPaired) -> PairRound:
    """The command that made a round, without the tables by hand of those who would have left."""
    active = {0, *tournament.active()}
    by_hand = tuple(game for game in original.games[: original.by_hand] if active.issuperset(game))
    ban = tournament.ruleset.rematch.clause
    waived = original.waiver is not None and ban in original.waiver.clauses
    return PairRound(by_hand, original.reason, allow_rematch=waived)


def _gap(games: Games, score: Sequence[int]) -> int:
    return gap_of([game for game in games if 0 not in game], score)


def _cut(tournament: Tournament, original: CutMade, context: Context) -> RepeatedCut:
    by_list = tournament.stages[original.stage - 1].plan.entry == "list"
    try:
        for event in MakeCut(original.seeds if by_list else ()).decide(tournament, context, ""):
            if isinstance(event, CutMade):
                return RepeatedCut(event.seeds)
    except Refused as error:
        return RepeatedCut(problem=str(error))
    return RepeatedCut(original.seeds)
