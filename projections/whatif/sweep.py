"""The running round swept: who is certain of the cut, who can still make it, who is out.

A verdict holds for every result that `check` accepts for the open matches (`outcomes`), in every
combination. Up to twenty open matches it is found by proof. Above that, or where the standings are
no sum of the matches (`score_model`), combinations are drawn at random (`samples`); what bounds
alone show is proven there, too. Where there are more results than can all be tried, that is what
the points say.
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import Refused
from ledger.fold import fold
from ledger.lines.recorded import Recorded
from ledger.tournament.progress import open_matches, round_in_play, stage_points
from ledger.tournament.state import Round, Stage, Tournament
from projections.standings.table import ranking
from projections.whatif.chances import Ends, PlayerChances, Sweep, Verdict
from projections.whatif.outcomes import accepted, kinds
from projections.whatif.samples import margin, sampled, samples_for
from projections.whatif.score_model import is_a_sum, points_alone, score_model
from projections.whatif.verdicts import by_rank

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
        raise Refused("no round is running: there is nothing to sweep")
    if not tournament.stages[round_.stage - 1].is_swiss:
        raise Refused(f"round {round_.number} is an elimination round: no cut follows it")
    ahead = tournament.stages[round_.stage :]
    if not ahead or ahead[0].plan.entry not in {"top", "points"}:
        raise Refused("no cut by the standings is announced after this stage (FFG-ANNOUNCE)")
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
