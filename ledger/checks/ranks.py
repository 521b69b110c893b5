"""What goes by rank: who has the bye, who makes the cut. Checked where a ranking is at hand.

The ranking is a reading of the log that stands above this package, so it is handed in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events.elimination import CutMade
from ledger.events.rounds import RoundPaired
from ledger.problems import Player, problem
from ledger.tournament.byes import bye_order
from ledger.tournament.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.problems import Problem
    from ledger.tournament.state import Stage, Tournament

    Ranking = Callable[[Tournament], list[int]]


def rank_problems(tournament: Tournament, event: Event, ranking: Ranking) -> Iterator[Problem]:
    """Yield what the ranking has against an event that `check` has nothing against."""
    if tournament.importing:
        return
    if isinstance(event, CutMade):
        yield from _cut(tournament, event, ranking)
    elif isinstance(event, RoundPaired):
        yield from _bye(tournament, event, ranking)


def _cut(tournament: Tournament, event: CutMade, ranking: Ranking) -> Iterator[Problem]:
    active = set(tournament.active())
    ranked = [player for player in ranking(tournament) if player in active]
    plan = tournament.stages[event.stage - 1].plan
    going_on = set(ranked[: plan.size] if plan.entry == "top" else event.seeds)
    if list(event.seeds) != [player for player in ranked if player in going_on]:
        yield problem("cut.seeds", "the seeds are not those of the standings", clause="FFG-CUT")
    others = [player for player in ranked if player not in going_on]
    if list(event.waiting) != (others if plan.entry == "top" else []):
        text = "the players who wait for a place are not those of the standings"
        yield problem("cut.waiting", text, clause="FFG-CUT-REPLACE")


def _bye(tournament: Tournament, event: RoundPaired, ranking: Ranking) -> Iterator[Problem]:
    stage = tournament.stages[event.stage - 1]
    drawn = event.games[event.by_hand :]
    byes = [max(game) for game in drawn if 0 in game]
    if not stage.is_swiss or not byes or is_waived("FFG-BYE-LATER", event.waiver, tournament):
        return
    players = {player for game in drawn for player in game if player}
    if not is_ranked(stage):
        fewest = min(tournament.players[player].byes for player in players)
        before = [player for player in players if tournament.players[player].byes == fewest]
        in_line = byes[0] in before or set(before) <= set(event.passed_over)
    else:
        order = bye_order(tournament, players, ranking(tournament))
        in_line = order[: len(event.passed_over) + 1] == [*event.passed_over, byes[0]]
    if not in_line:
        text = "{player} is not the next to have the bye"
        yield problem("bye.not_next", text, clause="FFG-BYE-LATER", player=Player(byes[0]))


def is_ranked(stage: Stage) -> bool:
    """Whether the stage's next round has results behind it that rank the players."""
    return bool(stage.rounds) or stage.plan.carries
