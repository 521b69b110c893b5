"""Carrying an act out, and one short answer: what happened, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.terminal.output import say, show_json
from cli.terminal.tables import terminal_width
from cli.terminal.visible import cells
from ledger.errors import Refused

if TYPE_CHECKING:
    from ledger.events import Event
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command

LISTED_MAX = 4
"""How many events of one act are named one by one."""


def carry_out(
    desk: Desk, command: Command, already: str = "", before: Event | None = None
) -> list[Recorded]:
    """Carry a command out and answer; with --json its events are the answer on stdout.

    `already` says what is so where nothing happens, `before` what was said until now.
    """
    recorded = desk.act(command)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    answer(desk, recorded, already, before)
    return recorded


def answer(
    desk: Desk, recorded: list[Recorded], already: str = "", before: Event | None = None
) -> None:
    """Say what happened, what it replaces, and what comes next."""
    from cli.desk.effects.consequences import Behind, consequences
    from cli.desk.guide import next_step
    from cli.wording.event_words import acts_in_words, in_words

    tournament = desk.book.tournament
    if recorded:
        named = acts_in_words(recorded, tournament)
        more = f", and {len(named) - LISTED_MAX} more" if len(named) > LISTED_MAX else ""
        happened = "; ".join(named[:LISTED_MAX]) + more
        if cells(happened) > terminal_width() and not more:
            *first, happened = named
            for line in first:
                say(line)
    else:
        happened = f"already so{f': {already}' if already else ''}; nothing was written"
    following = next_step(tournament)
    said_besides = consequences(Behind(tournament, desk.book.recorded_at), recorded)
    if recorded and before is not None:
        said_besides.append(f"was: {in_words(before, tournament)}")
    if not said_besides:
        say_with_next(happened, following)
        return
    for line in (happened, *said_besides, following):
        say(line)


def say_with_next(happened: str, following: str) -> None:
    """Say both in one line if they fit into it."""
    line = f"{happened} | {following}"
    if cells(line) <= terminal_width():
        say(line)
    else:
        say(happened)
        say(following)


def act_as_json(command_id: str, recorded: list[Recorded]) -> dict[str, object]:
    """Make an act for scripts: no events where it was so already."""
    return {
        "id": command_id,
        "events": [{"seq": each.seq, "id": each.id, "type": each.type} for each in recorded],
    }


def acting_official(desk: Desk) -> int:
    """Return the number of the official who enters; Refused where a player does."""
    if desk.by.startswith("p"):
        raise Refused(f"this is entered by an official, not by {desk.by}")
    return int(desk.by.partition("/")[0][1:])
