"""Forms on results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.forms.posted import ActForm, number, seen
from ledger.rules.results import Report, StatedResult

if TYPE_CHECKING:
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.tournament.state import Tournament

Pair = tuple[int, int]
HAS: dict[str, Pair] = {"1": (1, 0), "2": (0, 1), "both": (1, 1)}


def _report(fields: Fields, state: Tournament, _visitor: Visitor) -> Report:
    """Read `match`, `seen`, and how it ended."""
    match = number(fields, "match")
    return Report(match=match, result=stated(fields, state), seen=seen(fields, match))


def stated(fields: Fields, state: Tournament) -> StatedResult:
    """Read how a match ended: `outcome` of the first player, or `points1` and `points2`.

    Where the ruleset reads facts also `ending`, `fact.NAME.1` and `fact.NAME.2`, or `has.NAME`.
    """
    points = None
    if fields.get("points1") or fields.get("points2"):
        points = (number(fields, "points1"), number(fields, "points2"))
    facts, ending = _facts(fields, state), fields.get("ending", "")
    outcome = fields.get("outcome", "")
    if not facts and not ending:
        return StatedResult(outcome, points)
    return StatedResult(outcome, None, facts, ending)


def _facts(fields: Fields, state: Tournament) -> dict[str, Pair]:
    """Read the facts that a form gives, in the order of the pairing; an empty field gives none."""
    declared = state.ruleset.derives
    found: dict[str, Pair] = {}
    for label in declared.labels if declared else ():
        sides = f"fact.{label}.1", f"fact.{label}.2"
        if pair := HAS.get(fields.get(f"has.{label}", "")):
            found[label] = pair
        elif any(fields.get(side, "").strip() for side in sides):
            found[label] = (number(fields, sides[0]), number(fields, sides[1]))
    return found


FORMS = (ActForm("report", _report),)
