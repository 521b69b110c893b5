"""Handing in, checking and correcting lists."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from ledger.checks.lists import is_significant
from ledger.checks.lists import shape_of
from ledger.commands import CheckList
from ledger.commands import Command
from ledger.commands import CorrectList
from ledger.commands import SubmitList
from ledger.errors import Refused
from ledger.events.lists import FINDINGS_MAX
from ledger.events.lists import ListChecked
from ledger.events.lists import ListCorrected
from ledger.events.lists import ListSubmitted

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.state import Tournament


def _submit(command: SubmitList, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    held = tournament.lists.get(command.player)
    if held is None or held.text != command.text:
        yield ListSubmitted(command.player, command.text)


def _check(command: CheckList, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    held = tournament.lists.get(command.player)
    found = command.findings
    checked = ListChecked(
        command.player,
        held.seq if held else 0,
        command.cards,
        found[:FINDINGS_MAX],
        max(0, len(found) - FINDINGS_MAX),
        command.note,
    )
    if held is None or held.checked != checked:
        yield checked


def _correct(command: CorrectList, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
    held = tournament.lists.get(command.player)
    if held is None or not held.seq:
        raise Refused(f"there is no list of player {command.player} to correct")
    if held.text != command.text:
        yield ListCorrected(
            command.player,
            held.seq,
            command.text,
            command.reason,
            significant=is_significant(held.text, command.text, shape_of(tournament)),
            advantageous=command.advantageous,
        )


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    SubmitList: _submit,
    CheckList: _check,
    CorrectList: _correct,
}
