"""Forms on results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.forms.posted import ActForm, number, seen
from ledger.decisions.results import Report, StatedResult

if TYPE_CHECKING:
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.tournament.state import Tournament


def _report(fields: Fields, _state: Tournament, _visitor: Visitor) -> Report:
    """Read `match`, `seen`, and either `outcome` of the first player or `points1`, `points2`."""
    match = number(fields, "match")
    points = None
    if fields.get("points1") or fields.get("points2"):
        points = (number(fields, "points1"), number(fields, "points2"))
    result = StatedResult(outcome=fields.get("outcome", ""), points=points)
    return Report(match=match, result=result, seen=seen(fields, match))


FORMS = (ActForm("report", _report),)
