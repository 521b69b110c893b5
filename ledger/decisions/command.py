"""What every command has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.tournament.state import Tournament


class Seen(Struct, frozen=True):
    """The matches that the words of an act named, and the event up to which they were known."""

    matches: tuple[int, ...]
    seq: int


class Command(Struct, frozen=True, kw_only=True):
    """What somebody asks for, in numbers: it becomes events, or is refused with a reason.

    `seen`: it is meant for these matches as they were then, and for no others.
    """

    seen: Seen | None = None

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        """Propose the events that the command comes to, one after the other.

        Each is admitted before the next one is proposed, so a decision always looks at the state
        that its earlier events have made. Where what is asked for is so already, it proposes
        nothing: asking twice is no error.

        Raises:
            Refused: nothing sensible can be proposed.
        """
        raise NotImplementedError
