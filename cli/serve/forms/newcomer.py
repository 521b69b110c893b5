"""What somebody asks who is not in the event yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.forms.posted import ActForm
from ledger.decisions.opening import AskRegistration

if TYPE_CHECKING:
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.decisions.command import Command
    from ledger.tournament.state import Tournament


def _join(fields: Fields, _state: Tournament, _visitor: Visitor) -> Command:
    """Read `name`, `faction` and `league_id`."""
    faction, league_id = (fields.get(each, "").strip() for each in ("faction", "league_id"))
    return AskRegistration(fields.get("name", ""), faction, league_id)


FORMS = (ActForm("join", _join, for_newcomers=True),)
