"""What a player does from their phone: each act is their own, and on record as theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.forms.posted import ActForm, number, seen
from cli.serve.forms.result_forms import stated
from ledger.rules.disputes import ConfirmResult, DisputeResult
from ledger.rules.lists import SubmitList
from ledger.rules.office import CallJudge
from ledger.rules.people import DropPlayer
from ledger.rules.results import Concede, StatedResult
from ledger.rules.rounds import CheckIn

if TYPE_CHECKING:
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament


def _confirm(fields: Fields, _state: Tournament, _visitor: Visitor) -> Command:
    """Read `match` and `seen`."""
    match = number(fields, "match")
    return ConfirmResult(match, seen=seen(fields, match))


def _dispute(fields: Fields, state: Tournament, _visitor: Visitor) -> Command:
    """Read `match`, `seen`, `reason` and, if it is said, what happened instead."""
    match = number(fields, "match")
    claim = stated(fields, state)
    return DisputeResult(
        match,
        claim if claim != StatedResult() else None,
        fields.get("reason", ""),
        seen=seen(fields, match),
    )


def _concede(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, `seen` and the facts that the points hang on."""
    match = number(fields, "match")
    facts = stated(fields, state).facts or {}
    return Concede(_whose(fields, visitor), facts, seen=seen(fields, match))


def _leave(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, the player's latest one or 0, and `seen`: no other is given up with it."""
    return DropPlayer(_whose(fields, visitor), seen=seen(fields, number(fields, "match", 0)))


def _call(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, 0 for none, and `reason`."""
    player = visitor.player or number(fields, "player", 0)
    return CallJudge(number(fields, "match", 0), player, fields.get("reason", "").strip())


def _check_in(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    return CheckIn((_whose(fields, visitor),))


def _list(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `text`: the list as its player's tool wrote it."""
    return SubmitList(_whose(fields, visitor), fields.get("text", ""))


def _whose(fields: Fields, visitor: Visitor) -> int:
    """Return the player who does it; of an official's form the one in `player`."""
    return visitor.player or number(fields, "player")


FORMS = (
    ActForm("confirm", _confirm),
    ActForm("dispute", _dispute),
    ActForm("concede", _concede),
    ActForm("leave", _leave),
    ActForm("call", _call),
    ActForm("check-in", _check_in),
    ActForm("list", _list),
)
