"""What an audit finds in one event, and what reads an event for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.events import Event
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

    Reader = Callable[[Tournament, Any, Recorded], Iterator["AuditFinding"]]
    """What finds something in an event of one type, in the state before it."""

    Readers = Mapping[type[Event], Reader]


class AuditFinding(Struct, frozen=True):
    """Something found: its kind, the events that show it, and whom and what it is about.

    `tables` are those set by hand, `minutes` how late or how far back, `adjusted` what was added to
    the points of each player, `reason` what was given, `kept` how many texts were not destroyed.
    """

    kind: str
    seqs: tuple[int, ...]
    round: int = 0
    match: int = 0
    players: tuple[int, ...] = ()
    official: int = 0
    tables: int = 0
    minutes: int = 0
    reason: str = ""
    adjusted: tuple[int, ...] = ()
    kept: int = 0


def always(kind: str) -> Reader:
    """Return a reader that finds each event to be of a kind, with all that the event names."""

    def reader(_: Tournament, event: Any, recorded: Recorded) -> Iterator[AuditFinding]:  # noqa: ANN401 - of any type
        seqs = (event.withdraws, recorded.seq) if hasattr(event, "withdraws") else (recorded.seq,)
        round_, match = getattr(event, "round", 0), getattr(event, "match", 0)
        players = (event.player,) if hasattr(event, "player") else ()
        yield AuditFinding(kind, seqs, round_, match, players, reason=event.reason)

    return reader
