"""A fork next to the log: its differences, and the rounds and cuts that would have been others.

Each round and cut is decided again on everything that was played before it. A draw that can be
repeated (its procedure is known, its key is available) is made with the same key for the same
place, so it differs only by the results. If a draw cannot be repeated, its tables are left out: the
bye and the least gap do not depend on the draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import Refused
from ledger.facts.elimination import CutMade
from ledger.facts.rounds import RoundPaired
from ledger.facts.shared import Result
from ledger.fold import collector_paused, evolve, fold
from ledger.forks import Fact, OtherResult, fork
from ledger.lines.recorded import Recorded
from ledger.pairing.meetings import barred, grounds
from ledger.pairing.swiss import gap_of
from ledger.rules.elimination import MakeCut
from ledger.rules.pairing import PairRound, elimination_round, is_ranked, swiss_round
from ledger.rules.results import rules_problems
from ledger.tournament.progress import find_match
from ledger.tournament.state import Tournament
from projections.explain.differences import Differences, differences
from projections.whatif.outcomes import considered

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


class LaterRound(Struct, frozen=True):
    """A round that was paired, and that would have been another.

    `would_be` is the draw with the same key; empty where it cannot be repeated, or where there
    would be none, which `problem` tells. `byes` and `gaps` are those of the round as made (the
    gap by what would have been known) and of the other one; `rematches` the tables made that
    would have been second meetings.
    """

    round: int
    made: Games
    would_be: Games
    byes: tuple[int, int]
    gaps: tuple[int, int]
    rematches: Games
    problem: str


class LaterCut(Struct, frozen=True):
    """Who goes on to a stage and who would, best seed first.

    `is_made`: the cut has been made; else this is how it would be made now.
    """

    stage: int
    is_made: bool
    seeds: tuple[int, ...]
    would_be: tuple[int, ...]
    problem: str = ""


class Alternative(Struct, frozen=True):
    """All that would be otherwise; as played on, and what would have been drawn on the way."""

    differences: Differences
    rounds: tuple[LaterRound, ...]
    cuts: tuple[LaterCut, ...]

    def __bool__(self) -> bool:
        """Whether anything would."""
        return bool(self.differences or self.rounds or self.cuts)


def what_if(log: Sequence[Recorded], facts: Sequence[Fact], context: Context) -> Alternative:
    """Compare the log with its fork of these facts; NotFound, or Refused if it cannot have been."""
    return _compared(_Log(log, context), facts)


def every_outcome(
    log: Sequence[Recorded], match: int, context: Context
) -> list[tuple[Result, Alternative]]:
    """Try results that the match can have, its first player's best first.

    Of each outcome and score of points: what has the least or the most of a field.

    Raises:
        NotFound: there is no such match.
        Refused: it is a bye, or its result cannot be another any more.
    """
    compared = _Log(log, context)
    now = compared.tournament
    results, known = considered(now.ruleset), find_match(now, match)
    if known is not None and not known.is_bye:
        results = [each for each in results if not any(rules_problems(now, known, each))]
    return [(result, _compared(compared, [OtherResult(match, result)])) for result in results]


class _Log:
    """The log as it is, folded and decided again once for any number of its forks."""

    def __init__(self, log: Sequence[Recorded], context: Context) -> None:
        self.events = log
        self.tournament = fold(log)
        self.context = key_at_hand(self.tournament, context)
        self._repeats: Repeats = {}

    def repeat_decisions(self, made: Originals) -> Repeats:
        """Decide again what was made, and perhaps more than that."""
        if not made.keys() <= self._repeats.keys():
            self._repeats = repeat_decisions(self.events, made, self.context)
        return self._repeats


def _compared(log: _Log, facts: Sequence[Fact]) -> Alternative:
    before = log.tournament
    forked = fork(log.events, facts, before)
    made = _made(log.events, before, _first_difference(log.events, forked.log))
    was = log.repeat_decisions(made)
    would_be = repeat_decisions(forked.log, made, log.context)
    rounds, cuts = [], []
    for seq, event in made.items():
        one, other = was[seq], would_be[seq]
        if one == other:
            continue
        if isinstance(event, RoundPaired):
            rounds += _later_round(event, one, other)
        else:
            cuts += _later_cut(event, other)
    cuts += _cut_to_come(before, forked.tournament, log.context)
    return Alternative(differences(before, forked.tournament), tuple(rounds), tuple(cuts))


def _first_difference(log: Sequence[Recorded], forked: Sequence[Recorded]) -> int:
    """The place of the first event that is another; after the last one, where none is."""
    pairs = zip(log, forked, strict=False)
    places = (one.seq for one, other in pairs if (one.seq, one.event) != (other.seq, other.event))
    return next(places, min(len(log), len(forked)) + 1)


def _made(log: Sequence[Recorded], tournament: Tournament, since: int) -> Originals:
    """The pairings and cuts that stand, by their number, from a place on."""
    seqs = [round_.paired_seq for round_ in tournament.rounds]
    seqs += [stage.cut_seq for stage in tournament.stages if stage.cut_seq]
    events = {seq: log[seq - 1].event for seq in sorted(seqs) if seq >= since}
    return {seq: event for seq, event in events.items() if isinstance(event, RoundPaired | CutMade)}


def _later_round(
    made: RoundPaired, was: RepeatedRound | RepeatedCut, would_be: RepeatedRound | RepeatedCut
) -> list[LaterRound]:
    assert isinstance(was, RepeatedRound)  # noqa: S101 - what is decided again keeps its kind
    assert isinstance(would_be, RepeatedRound)  # noqa: S101 - as above
    repeatable = was.games == made.games
    if would_be.games == made.games or (not repeatable and was.certain == would_be.certain):
        return []
    bye = next((max(game) for game in made.games if 0 in game), 0)
    byes = bye, would_be.bye if repeatable or would_be.by_rank else bye
    games, gaps = would_be.games if repeatable else (), (would_be.gap, would_be.least)
    rest = would_be.rematches, would_be.problem
    return [LaterRound(made.round, made.games, games, byes, gaps, *rest)]


def _later_cut(made: CutMade, would_be: RepeatedRound | RepeatedCut) -> list[LaterCut]:
    assert isinstance(would_be, RepeatedCut)  # noqa: S101 - what is decided again keeps its kind
    if would_be.seeds == made.seeds:
        return []
    return [LaterCut(made.stage, True, made.seeds, would_be.seeds, would_be.problem)]  # noqa: FBT003 - a field


def _cut_to_come(before: Tournament, after: Tournament, context: Context) -> list[LaterCut]:
    """The cut that is announced next, as the standings are now."""
    stage = next(
        (each for each in before.stages if each.plan.entry == "top" and not each.cut_seq), None
    )
    if stage is None or not before.rounds:
        return []
    was, would_be = (
        tuple(filter(set(each.active()).__contains__, context.ranking(each)))[: stage.plan.size]
        for each in (before, after)
    )
    return [] if was == would_be else [LaterCut(stage.number, False, was, would_be)]  # noqa: FBT003 - a field
