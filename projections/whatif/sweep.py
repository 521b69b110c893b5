"""The current round swept: players certain of the cut, still able to make it, or out.

A verdict holds for every result that `check` accepts for the open matches (`outcomes`), in every
combination. Up to twenty open matches it is found by proof. With more matches, or if the standings
are not a sum of the matches (`score_model`), combinations are drawn at random; verdicts that bounds
alone show are proven there, too. If there are more results than can all be tried, a verdict follows
from the points.

Proof: of two results of a player's own match one is no worse if it adds no more to any other
player, seen from that player. Everything that is possible with the worse one is then possible with
the better one, so a chain of results from the best to the worst goes from certain over possible to
out: if both its ends have one answer, so have all results between them.

Samples are seeded by the log itself. In each open match every kind of result is equally likely, and
of one kind every result. With n combinations a player's share is within `sqrt(ln 200 / 2n)` of the
true one in 99 of 100 cases (Hoeffding's inequality). An end that was seen is possible; an end that
was never seen is not ruled out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import log as logarithm
from math import sqrt

from ledger.errors import Refused
from ledger.facts.results import ResultCorrected, ResultReported
from ledger.fold import fold
from ledger.lines.line import encode
from ledger.lines.recorded import Recorded
from ledger.pairing.shuffling import Draws
from ledger.problems import phrase
from ledger.tournament.progress import open_matches, round_in_play, stage_points
from ledger.tournament.state import Round, Stage, Tournament
from projections.standings.table import ranking
from projections.whatif.outcomes import (
    Ends,
    PlayerChances,
    ResultKind,
    Sweep,
    Verdict,
    accepted,
    kinds,
)
from projections.whatif.rivals import Rivals, no_worse
from projections.whatif.score_model import (
    SWEPT,
    ScoreModel,
    enter,
    is_a_sum,
    points_alone,
    score_model,
)

PROCEDURE = "sweep@1"
ERROR = 0.01
"""How often the margin may be missed."""

WORK = 500_000
SAMPLES_MAX = 2_000
SAMPLES_MIN = 200


def samples_for(tournament: Tournament) -> int:
    """How many combinations are drawn: fewer in a large field."""
    return max(SAMPLES_MIN, min(SAMPLES_MAX, WORK // len(tournament.players)))


def margin(samples: int) -> float:
    """Return how far a share of some combinations may be from the true one."""
    return sqrt(logarithm(2 / ERROR) / (2 * samples))


def sampled(
    log: Sequence[Recorded],
    ends: Ends,
    places: int,
    samples: int,
    proven: Mapping[int, Sequence[Verdict]],
) -> dict[int, PlayerChances]:
    """Draw combinations, and count who is among the first of those who play on.

    What is `proven` of a player's kinds of results goes before what was seen. Who is certain or
    out whatever happens is not counted.
    """
    tournament = fold(log)
    active = set(tournament.active())
    draws = Draws(hashlib.sha256(encode(log[-1])).digest(), PROCEDURE, len(ends.matches))
    made: Counter[tuple[int, int]] = Counter()
    tried: Counter[tuple[int, int]] = Counter()
    for match in ends.matches:
        enter(tournament, ResultReported(match.number, ends.results[0]))
    seats = ends.seats()
    asked = {
        player: seats.get(player, (-1, True))
        for player in active
        if set(proven.get(player, ())) not in ({"certain"}, {"out"})
    }
    for _ in range(samples):
        drawn = [draws.below(len(ends.kinds)) for _ in ends.matches]
        for match, kind in zip(ends.matches, drawn, strict=True):
            alike = ends.kinds[kind].places
            result = ends.results[alike[draws.below(len(alike))] if len(alike) > 1 else alike[0]]
            enter(tournament, ResultCorrected(match.number, 1, result, SWEPT))
        among = set([player for player in ranking(tournament) if player in active][:places])
        for player, (at, _) in asked.items():
            key = (player, drawn[at] if at >= 0 else 0)
            tried[key] += 1
            made[key] += player in among
    return ends.chances(
        {
            player: proven.get(player) or ["not proven"] * len(ends.seen_by(player, seats))
            for player in active
        },
        made,
        tried,
    )


def by_rank(
    model: ScoreModel, kinds: Sequence[ResultKind], places: int, *, searched: bool = True
) -> dict[int, list[Verdict]]:
    """Say of each player, by each kind of their own match's result, what becomes of them.

    Who has no open match has one verdict. Without a search only bounds are asked.
    """
    rivals = Rivals(model)
    playing = {player for effect in model.effects for player in effect.players}
    every = tuple(range(len(model.keys)))
    own = [tuple(kind.places) for kind in kinds]
    found: dict[int, list[Verdict]] = {}
    for player in model.players:
        options = own if player in playing else [()]
        at_once = rivals.at_once(player, places, every if player in playing else ())
        if at_once is not None:
            found[player] = [at_once] * len(options)
        elif searched:
            found[player] = _by_own(rivals, player, places, options)
        else:
            known = [rivals.at_once(player, places, each) for each in options]
            found[player] = [verdict or "not proven" for verdict in known]
    return found


def _by_own(
    rivals: Rivals, player: int, places: int, options: Sequence[tuple[int, ...]]
) -> list[Verdict]:
    """Answer for every kind, asking of a chain of kinds only where its ends do not say it."""
    verdicts: dict[int, Verdict] = {}
    for chain in _chains([rivals.gained_by(player, each) for each in options]):
        verdicts |= _along(chain, lambda kind: rivals.verdict(player, places, options[kind]))
    return [verdicts[kind] for kind in range(len(options))]


def _chains(gained: Sequence[Sequence[int]]) -> list[list[int]]:
    """Put the kinds in chains, each in one, no worse than those after it; nothing known: alone."""
    chains: list[list[int]] = []
    for kind in sorted(range(len(gained)), key=lambda one: sum(gained[one])):
        for chain in chains:
            known = gained[chain[-1]] and gained[kind]
            if known and no_worse(gained[chain[-1]], gained[kind]):
                chain.append(kind)
                break
        else:
            chains.append([kind])
    return chains


def _along(chain: list[int], ask: Callable[[int], Verdict]) -> dict[int, Verdict]:
    """Answer for every result of a chain, asking only where its ends do not say it."""
    known: dict[int, Verdict] = {}
    spans = [(0, len(chain) - 1)]
    while spans:
        first, last = spans.pop()
        for end in (first, last):
            if chain[end] not in known:
                known[chain[end]] = ask(chain[end])
        verdict = known[chain[first]]
        if verdict == known[chain[last]] != "not proven":
            known |= dict.fromkeys(chain[first:last], verdict)
        elif last - first > 1:
            middle = (first + last) // 2
            spans += [(first, middle), (middle, last)]
    return known


EXACT_MAX = 20
"""How many open matches are swept exactly."""


def sweep(log: Sequence[Recorded]) -> Sweep:
    """Sweep the running round; Refused without a Swiss one, a cut after it, or known results."""
    tournament = fold(log)
    round_, stage = _at_stake(tournament)
    known = accepted(tournament.ruleset)
    ends = Ends(open_matches(round_), known.results, kinds(known.results))
    count = 0
    if stage.plan.entry == "points":
        chances = _by_points(tournament, ends, stage)
    else:
        exact = known.whole and is_a_sum(tournament.ruleset.tiebreakers)
        places = stage.plan.size
        proven = _proven(log, ends, places) if exact else _by_points_alone(tournament, ends, stage)
        if exact and len(ends.matches) <= EXACT_MAX:
            chances = ends.chances(proven)
        else:
            count = samples_for(tournament)
            chances = sampled(log, ends, places, count, proven)
    active = set(tournament.active())
    running = tournament.stages[round_.stage - 1]
    return Sweep(
        round_.number,
        stage.number,
        stage.plan.entry == "points",
        stage.plan.size,
        len(running.rounds) >= running.plan.rounds,
        tuple(match.number for match in ends.matches),
        tuple(ends.examples()),
        len(ends.results),
        known.whole,
        count,
        margin(count) if count else 0.0,
        tuple(chances[player] for player in ranking(tournament) if player in active),
    )


def _proven(log: Sequence[Recorded], ends: Ends, places: int) -> dict[int, list[Verdict]]:
    model = score_model(fold(log), ends.matches, ends.results)
    return by_rank(model, ends.kinds, places, searched=len(ends.matches) <= EXACT_MAX)


def _by_points_alone(tournament: Tournament, ends: Ends, stage: Stage) -> dict[int, list[Verdict]]:
    """What the points prove of everyone, whatever the tiebreakers; nothing unless all are known."""
    rules = tournament.ruleset
    outcomes = {(one.name, one.against) for one in rules.outcomes}
    if rules.scoring.kind != "outcome" or outcomes - {kind.outcomes for kind in ends.kinds}:
        return {}
    model = points_alone(tournament, ends.matches, ends.results)
    return by_rank(model, ends.kinds, stage.plan.size, searched=False)


def _at_stake(tournament: Tournament) -> tuple[Round, Stage]:
    """The running round, and the stage that the cut after it leads to."""
    round_ = round_in_play(tournament)
    if round_ is None:
        raise Refused(phrase("no round is running: there is nothing to sweep"))
    if not tournament.stages[round_.stage - 1].is_swiss:
        raise Refused(
            phrase("round {round} is an elimination round: no cut follows it", round=round_.number)
        )
    ahead = tournament.stages[round_.stage :]
    if not ahead or ahead[0].plan.entry not in {"top", "points"}:
        raise Refused(
            phrase("no cut by the standings is announced after this stage (FFG-ANNOUNCE)")
        )
    return round_, ahead[0]


def _by_points(tournament: Tournament, ends: Ends, stage: Stage) -> dict[int, PlayerChances]:
    """Return who goes on by points: only the own match matters, and what it is worth."""
    points = stage_points(tournament, tournament.stages[stage.number - 2])
    seats = ends.seats()
    verdicts: dict[int, list[Verdict]] = {}
    for player in tournament.active():
        own = (result for result, _ in ends.seen_by(player, seats))
        totals = [points[player] + (result.points[0] if result else 0) for result in own]
        verdicts[player] = ["certain" if total >= stage.plan.size else "out" for total in totals]
    return ends.chances(verdicts)
