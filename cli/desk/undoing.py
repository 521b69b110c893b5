"""Taking the last act back: in words what it was, and what to do instead where it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from cli.desk.acts import act_as_json, answer
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json
from cli.wording.event_words import acts_in_words
from ledger.decisions.undo import Undo, instead_of
from ledger.errors import Refused
from ledger.events.opening import TournamentFinished

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.problems import Problem
    from ledger.tournament.state import Tournament


def _with_advice(
    tournament: Tournament, act: list[Recorded], problems: Iterable[Problem]
) -> Iterator[Problem]:
    """Say, beside why an act cannot be taken back, what to do instead."""
    instead = instead_of(tournament, act)
    for each in problems:
        has_advice = each.remedies or "`" in str(each)
        yield each if has_advice else structs.replace(each, remedies=instead)


def take_back(desk: Desk, reason: str) -> None:
    """Take this desk's last act back; Refused says what to do instead, where something needs it."""
    act = desk.tournament.last_act(desk.by)
    undone = "; ".join(acts_in_words(act, desk.tournament))
    try:
        recorded = desk.act(Undo(reason))
    except Refused as refusal:
        if any(isinstance(each.event, TournamentFinished) for each in act):
            say("the end stays: the key of the draws is revealed; results can be corrected")
        raise Refused(*_with_advice(desk.tournament, act, refusal.problems)) from None
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    say(f"taking back: {undone}")
    answer(desk, recorded)
