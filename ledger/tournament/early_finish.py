"""What is announced instead where a cut cannot be made, or play ends early (FFG-ANNOUNCE)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ledger.events.base import PLAYERS_MIN
from ledger.events.opening import Stage as Plan
from ledger.problems import Problem, Remedy, problem, remedy
from ledger.rulesets.outcomes import Scoring
from ledger.tournament.progress import not_started, stage_points
from ledger.tournament.state import Stage, Tournament

END = "play ends early"


def cut_problem(tournament: Tournament, stage: Stage) -> Problem | None:
    """Say why the players who are left make no such cut as was announced; None where they do."""
    field, size = tournament.active(), stage.plan.size
    instead = _instead_of_cut(tournament, stage)
    if stage.plan.entry == "top" and size > len(field):
        text = "a cut to {size} is larger than the field of {players}"
        return problem("cut.too_large", text, remedy=instead, size=size, players=len(field))
    if stage.plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        if not any(points[player] >= size for player in field):
            text = "nobody who plays on has {size} points"
            shown = tournament.ruleset.scoring.shown(size)
            return problem("cut.points_missing", text, remedy=instead, size=shown)
    return None if field else problem("cut.no_players", "nobody plays on", remedy=instead)


def _instead_of_cut(tournament: Tournament, stage: Stage) -> tuple[Remedy, ...]:
    """Return what is announced where a cut cannot be made: a smaller one, or none.

    Nothing where the stages before it can only be imported.
    """
    field = len(tournament.active())
    if not field:
        return (remedy("finish"),)
    plans = [each.plan for each in tournament.stages]
    fitting = field if stage.is_swiss else 1 << field.bit_length() - 1
    if stage.plan.entry == "top" and fitting >= PLAYERS_MIN:
        plans[stage.number - 1] = replace(stage.plan, size=fitting)
    else:
        del plans[stage.number - 1 :]
    return _start(tournament, plans, f"a field of {field}")


def _to_end_now(tournament: Tournament) -> tuple[Remedy, ...]:
    """Return what lets the day end with what has been played; nothing where nothing does."""
    if any(stage.cut_seq and not stage.rounds for stage in tournament.stages):
        return (remedy("cut.withdraw", reason=END),)
    begun = tournament.begun_stages()
    if not begun:
        return ()
    plans = [stage.plan for stage in begun]
    plans[-1] = replace(plans[-1], rounds=len(begun[-1].rounds))
    return _start(tournament, plans, END)


def to_add_a_round(tournament: Tournament, stage: Stage) -> tuple[Remedy, ...]:
    """Return what gives a stage one more round."""
    plans = [each.plan for each in tournament.stages]
    plans[stage.number - 1] = replace(stage.plan, rounds=stage.plan.rounds + 1)
    return _start(tournament, plans, "a late entrant")


def still_to_be_played(tournament: Tournament) -> Problem:
    """Say why the tournament does not end here, and what ends it all the same."""
    if not tournament.started:
        return not_started()
    text = "announced rounds are still to be played"
    return problem("finish.rounds_left", text, remedy=(remedy("pair"), *_to_end_now(tournament)))


def _start(tournament: Tournament, plans: Sequence[Plan], reason: str) -> tuple[Remedy, ...]:
    """Return what announces the stages; nothing where the rules, or their kind, leave none."""
    stages = tuple(_typed(plan, tournament.ruleset.scoring) for plan in plans)
    if not all(stages) or not tournament.ruleset.structures.custom:
        return ()
    swiss, *further = plans
    if stages == (f"swiss {swiss.rounds}",):
        return (remedy("start.change", rounds=swiss.rounds, reason=reason),)
    if stages == (f"swiss {swiss.rounds}", f"single top {further[0].size if further else 0}"):
        size = further[0].size
        return (remedy("start.change", rounds=swiss.rounds, cut=size, reason=reason),)
    return (remedy("start.change", stages=stages, reason=reason),)


def _typed(plan: Plan, scoring: Scoring) -> str:
    """A stage as a person types it; empty for what can only be imported."""
    if plan.kind not in {"swiss", "single"}:
        return ""
    points = f"points>={scoring.shown(plan.size)}"
    sized = {"all": "", "top": f"top {plan.size}", "points": points}
    entry = sized.get(plan.entry, plan.entry)
    carries = "carries" if plan.carries else ""
    rematch = "rematch tournament" if plan.rematch == "tournament" else ""
    rounds = str(plan.rounds) if plan.rounds else ""
    return " ".join(word for word in (plan.kind, rounds, entry, carries, rematch) if word)
