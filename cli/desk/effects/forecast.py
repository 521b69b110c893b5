"""What a command would do, in words, before it is done: nothing is written.

What a draw would give is not said: who could look first and then decide would choose it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from cli.desk.effects.consequences import Behind, consequences
from cli.desk.guide import next_step
from cli.terminal.problems import lines_of
from cli.wording.event_words import acts_in_words, in_words
from ledger.errors import Unsigned
from ledger.events.opening import TournamentFinished

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

LISTED_MAX = 12
"""How many events of one act are named one by one."""


class Forecast(NamedTuple):
    """What would be on record, what it means besides, and what would come next."""

    acts: tuple[str, ...]
    besides: tuple[str, ...]
    next: str


def forecast(desk: Desk, command: Command) -> Forecast:
    """Say what a command would do now; no acts where it is so already; raises as `Desk.act`.

    Where it has to be signed with a key that a page has not, say that, and what it begins with.
    """
    try:
        recorded, after = desk.look_ahead(command)
    except Unsigned as unsigned:
        if not any(holder for holder, _ in unsigned.held):
            raise
        return _once_signed(desk, command, unsigned)
    named = _in_words(recorded, after)
    more = (f"and {len(named) - LISTED_MAX} more",) if len(named) > LISTED_MAX else ()
    behind = Behind(after, desk.book.recorded_at)
    besides = tuple(consequences(behind, recorded))
    return Forecast((*named[:LISTED_MAX], *more), besides, next_step(after))


def _once_signed(desk: Desk, command: Command, unsigned: Unsigned) -> Forecast:
    tournament = desk.book.tournament
    first = next(command.decide(tournament, desk.book.context(), desk.by), None)
    why = " and ".join(lines_of(unsigned, tournament.names))
    waits = f"{why}: it waits here, and counts once it is signed at a terminal, by `sign`"
    acts = (in_words(first, tournament),) if first else ()
    return Forecast(acts, (waits,), next_step(tournament))


def _in_words(recorded: list[Recorded], after: Tournament) -> list[str]:
    """Say what would be on record; of a draw, that it is made."""
    drawn = [each for each in recorded if each.event.recording.drawn]
    others = [_without_keys(each) for each in recorded if not each.event.recording.drawn]
    said = [f"{each.event.recording.act}: drawn when you confirm" for each in drawn]
    return [*acts_in_words(others, after), *said]


def _without_keys(recorded: Recorded) -> Recorded:
    """Leave out the keys that the end would reveal."""
    event = recorded.event
    if not isinstance(event, TournamentFinished):
        return recorded
    return structs.replace(recorded, event=structs.replace(event, shuffle_key="", hidden_key=""))
