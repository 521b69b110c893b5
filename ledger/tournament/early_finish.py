"""The day announced anew, as a line to type: where a cut can not be made, or play ends early.

The lines are for `start` with `--change` (FFG-ANNOUNCE), or for another verb where that comes
first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.events.base import PLAYERS_MIN
from ledger.tournament.progress import stage_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events.opening import Stage as Plan
    from ledger.tournament.state import Stage, Tournament

END = "play ends early"


def cut_problem(tournament: Tournament, stage: Stage) -> str:
    """Why those who are left make no such cut as was announced; empty where they do."""
    field, size = tournament.active(), stage.plan.size
    if stage.plan.entry == "top" and size > len(field):
        return f"a cut to {size} is larger than the field of {len(field)}"
    if stage.plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        if not any(points[player] >= size for player in field):
            return f"nobody who plays on has {size} points"
    return "" if field else "nobody plays on"


def instead_of_cut(tournament: Tournament, stage: Stage) -> str:
    """The line to type where a cut can not be made: for a smaller one, or for none.

    Empty where the stages before it can only be imported.
    """
    field = len(tournament.active())
    if not field:
        return "finish"
    plans = [each.plan for each in tournament.stages]
    fitting = field if stage.is_swiss else 1 << field.bit_length() - 1
    if stage.plan.entry == "top" and fitting >= PLAYERS_MIN:
        plans[stage.number - 1] = replace(stage.plan, size=fitting)
    else:
        del plans[stage.number - 1 :]
    return _start(tournament, plans, f"a field of {field}")


def to_end_now(tournament: Tournament) -> str:
    """The line that lets the day end with what has been played; empty where there is none."""
    if any(stage.cut_seq and not stage.rounds for stage in tournament.stages):
        return f'cut --take-back --reason "{END}"'
    begun = tournament.begun_stages()
    if not begun:
        return ""
    plans = [stage.plan for stage in begun]
    plans[-1] = replace(plans[-1], rounds=len(begun[-1].rounds))
    return _start(tournament, plans, END)


def to_add_a_round(tournament: Tournament, stage: Stage) -> str:
    """The line that gives a stage one more round."""
    plans = [each.plan for each in tournament.stages]
    plans[stage.number - 1] = replace(stage.plan, rounds=stage.plan.rounds + 1)
    return _start(tournament, plans, "a late entrant")


def still_to_be_played(tournament: Tournament) -> str:
    """Why the tournament does not end here, and the line that ends it all the same."""
    if not tournament.started:
        return "the tournament has not started: use `start`"
    line = to_end_now(tournament)
    instead = f"to end earlier, `{line}`" if line else "use `pair`"
    return f"announced rounds are still to be played: {instead}"


def _start(tournament: Tournament, plans: Sequence[Plan], reason: str) -> str:
    """The line that announces the stages; empty where the rules, or their kind, leave none."""
    stages = [_typed(plan) for plan in plans]
    if not all(stages) or not tournament.ruleset.structures.custom:
        return ""
    return f'start custom {_options(plans, stages)} --change --reason "{reason}"'


def _options(plans: Sequence[Plan], stages: Sequence[str]) -> str:
    swiss, *further = plans
    if stages == [f"swiss {swiss.rounds}"]:
        return f"--rounds {swiss.rounds}"
    if stages == [f"swiss {swiss.rounds}", f"single top {further[0].size if further else 0}"]:
        return f"--rounds {swiss.rounds} --cut {further[0].size}"
    return " ".join(f'--stage "{stage}"' for stage in stages)


def _typed(plan: Plan) -> str:
    """A stage as a person types it; empty for what can only be imported."""
    if plan.kind not in {"swiss", "single"}:
        return ""
    entry = {
        "all": "",
        "top": f"top {plan.size}",
        "points": f"points>={plan.size}",
        "list": "list",
    }[plan.entry]
    carries = "carries" if plan.carries else ""
    rematch = "rematch tournament" if plan.rematch == "tournament" else ""
    rounds = str(plan.rounds) if plan.rounds else ""
    return " ".join(word for word in (plan.kind, rounds, entry, carries, rematch) if word)
