"""The running round swept: who is certain of the cut, who can still make it, who is out.

Up to twenty open matches every answer is proven, for all combinations of the results considered
(`outcomes`). Above that, or where the standings are no sum of the matches (`race`), combinations
are drawn at random (`samples`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.fold import fold
from ledger.progress import open_matches
from ledger.progress import round_in_play
from projections.standings import ranking
from projections.whatif.hopes import Chance
from projections.whatif.hopes import Hope
from projections.whatif.hopes import Sweep
from projections.whatif.hopes import over_all
from projections.whatif.hopes import points_with
from projections.whatif.outcomes import considered
from projections.whatif.places import by_rank
from projections.whatif.race import is_a_sum
from projections.whatif.race import race
from projections.whatif.samples import margin
from projections.whatif.samples import sampled
from projections.whatif.samples import samples_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events.results import Result
    from ledger.lines import Recorded
    from ledger.state import Match
    from ledger.state import Round
    from ledger.state import Stage
    from ledger.state import Tournament
    from projections.whatif.hopes import Verdict

EXACT_MAX = 20
"""So many open matches are swept exactly."""


def sweep(log: Sequence[Recorded]) -> Sweep:
    """Sweep the running round.

    Raises:
        Refused: no Swiss round is running, no cut follows, or no results can be considered.
    """
    tournament = fold(log)
    played, stage = _at_stake(tournament)
    matches = open_matches(played)
    results = considered(tournament.ruleset)
    active = set(tournament.active())
    ranked = [player for player in ranking(tournament) if player in active]
    count = 0
    if stage.plan.entry == "points":
        hopes = _by_points(tournament, matches, results, stage)
    elif len(matches) <= EXACT_MAX and is_a_sum(tournament.ruleset.tiebreakers):
        hopes = by_rank(race(fold(log), matches, results), stage.plan.size)
    else:
        count = samples_for(tournament)
        hopes = sampled(log, matches, results, stage.plan.size, count)
    running = tournament.stages[played.stage - 1]
    return Sweep(
        played.number,
        stage.number,
        stage.plan.entry == "points",
        stage.plan.size,
        len(running.rounds) >= running.plan.rounds,
        tuple(match.number for match in matches),
        tuple(results),
        count,
        margin(count) if count else 0.0,
        tuple(hopes[player] for player in ranked),
    )


def _at_stake(tournament: Tournament) -> tuple[Round, Stage]:
    """The running round, and the stage that the cut after it leads to."""
    played = round_in_play(tournament)
    if played is None:
        raise Refused("no round is running: there is nothing to sweep")
    if not tournament.stages[played.stage - 1].is_swiss:
        raise Refused(f"round {played.number} is an elimination round: no cut follows it")
    ahead = tournament.stages[played.stage :]
    if not ahead or ahead[0].plan.entry not in {"top", "points"}:
        raise Refused("no cut by the standings is announced after this stage (FFG-ANNOUNCE)")
    return played, ahead[0]


def _by_points(
    tournament: Tournament, matches: list[Match], results: list[Result], stage: Stage
) -> dict[int, Hope]:
    """Whoever has the points goes on: only the own match matters."""
    hopes = {}
    for player in tournament.active():
        chances = []
        for result, points in points_with(tournament, player, matches, results, stage):
            verdict: Verdict = "certain" if points >= stage.plan.size else "out"
            chances.append(Chance(result, verdict))
        hopes[player] = over_all(player, chances)
    return hopes
