"""Taking the last act back: in words what it was, and what to do instead where it stays."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import structs

from cli.desk.acts import act_as_json, answer
from cli.desk.confirm_breaches import confirm
from cli.desk.guide import next_step
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json
from cli.wording.event_words import acts_in_words
from ledger.decisions.undo import Undo, instead_of
from ledger.errors import Refused
from ledger.events.opening import TournamentFinished
from ledger.events.undo import ActWithdrawn

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
    _refuse_a_second(desk, act)
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


def _refuse_a_second(desk: Desk, act: list[Recorded]) -> None:
    """Refuse to take a taking back back: the act before it may be meant, which `undo 1` takes."""
    if not act or not all(isinstance(each.event, ActWithdrawn) for each in act):
        return
    before = next(_own_acts(desk), None)
    if before is None:
        raise Refused("your last act is taken back already, and no earlier one stands")
    words = "; ".join(acts_in_words(before, desk.tournament))
    raise Refused(
        f"your last act is taken back already; `undo 1` takes the one before back: {words}"
    )


def take_steps_back(desk: Desk, steps: int, reason: str) -> None:
    """Take the last acts back, the latest first; each is said, and asked about on a terminal."""
    acts = list(islice(_own_acts(desk), steps))
    if len(acts) < steps:
        raise Refused(f"there are {how_many(len(acts), 'act')} of yours to take back")
    for step, act in enumerate(acts, start=1):
        say(f"{step} of {steps}: taking back: {'; '.join(acts_in_words(act, desk.tournament))}")
        confirm(desk, "go on?")
        command_id = desk.command_id if step == 1 else f"{desk.command_id}-{step}"
        try:
            recorded = desk.act(Undo(reason, tuple(act)), command_id)
        except Refused as refusal:
            raise Refused(*_with_advice(desk.tournament, act, refusal.problems)) from None
        if desk.json:
            show_json(act_as_json(command_id, recorded))
    say(next_step(desk.book.tournament))


def _own_acts(desk: Desk) -> Iterator[list[Recorded]]:
    """Yield the acts entered at this desk that still count, the latest first."""
    book, own = desk.book, desk.by.partition("/")[0]
    gone: set[int] = set()
    act: list[Recorded] = []
    for seq in range(len(book.lines), 0, -1):
        recorded = book.recorded_at(seq)
        if act and recorded.command_id != act[0].command_id:
            yield act
            act = []
        if isinstance(recorded.event, ActWithdrawn):
            gone.add(recorded.event.withdraws)
        elif recorded.by.partition("/")[0] == own and recorded.seq not in gone:
            act.insert(0, recorded)
    if act:
        yield act
