"""Moments of a log: which event was the last at some point of the day.

The order is `seq`. A clock is only what the desks claimed: `ByClock` is the last event, by `seq`,
that claims to be no later. A round ends where it was closed for the last time; while it runs, its
end is now. A posting is the moment that the posted table saw.

A line's own type and clock come before any text that a person typed, and no text holds a bare
quotation mark; so they are found in the bytes, and few lines have to be decoded.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct

from ledger.errors import InvalidLog, NotFound
from ledger.events.rounds import Posted, RoundClosed, RoundPaired, RoundReopened, RoundUnpaired
from ledger.lines.line import decode
from ledger.problems import problem, remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.events import Event
    from ledger.lines.recorded import Recorded

Kind = TypeVar("Kind", bound="Event")

AT = b'"at":"'
AT_BYTES = len("2026-05-17T10:00:00.000Z")


class TooEarly(NotFound):
    """A clock that no line claims so early; begins is that of the first line."""

    def __init__(self, at: str, begins: str) -> None:
        super().__init__(f"the log holds nothing by {at}: it begins at {begins}")
        self.begins = begins


class AfterEvent(Struct, frozen=True):
    """After event seq; 0 is before the first one."""

    seq: int


class RoundEnd(Struct, frozen=True):
    """As a round was closed; now, while it is being played."""

    round: int


class ByClock(Struct, frozen=True):
    """By a clock, as a line holds it: `2026-05-17T10:00:00.000Z`."""

    at: str


class Posting(Struct, frozen=True):
    """As the last posting saw it; of one kind or one round, where they are given."""

    what: str = ""
    round: int | None = None


Moment: TypeAlias = AfterEvent | RoundEnd | ByClock | Posting


TOLD_BY: Mapping[type[Moment], tuple[type[Event], ...]] = MappingProxyType(
    {RoundEnd: (RoundPaired, RoundUnpaired, RoundClosed, RoundReopened), Posting: (Posted,)}
)
"""The types of events that tell where such a moment is; a clock needs every line."""


def last_event(moment: Moment, lines: Sequence[bytes], size: int | None = None) -> int:
    """Return the seq of the last event at a moment of a log.

    `lines` are all of them; or those of the types that `TOLD_BY` has for such a moment, out of
    `size` lines. NotFound where the log has no such moment; `TooEarly`, where it is a clock;
    InvalidLog where a line about it makes no sense.
    """
    size = len(lines) if size is None else size
    match moment:
        case AfterEvent(seq=seq):
            return reached(seq, size)
        case RoundEnd(round=number):
            return _end_of_round(lines, number, size)
        case ByClock(at=at):
            return _by_clock(lines, at)
        case Posting(what=what, round=wanted):
            return find_posting(lines, what, wanted)[1].up_to


def reached(seq: int, size: int) -> int:
    """Return seq, if a log of that many events has come so far; NotFound where it has not."""
    if seq > size:
        raise NotFound(f"there is no event {seq}: the log has {size}")
    return seq


def find_posting(
    lines: Sequence[bytes], what: str = "", number: int | None = None
) -> tuple[Recorded, Posted]:
    """Find the last posting, of a kind and a round if they are given; NotFound if none is."""
    for recorded, posted in events_of(Posted, reversed(lines)):
        if what in {"", posted.what} and number in {None, posted.round}:
            return recorded, posted
    named = what or "nothing"
    where = "" if number is None else f" of round {number}"
    subject = f"no {named}{where} have" if what else f"{named}{where} has"
    text = "{subject} been posted"
    raise NotFound(problem("posting.missing", text, subject=subject, remedy=remedy("post")))


def events_of(
    kind: type[Kind], lines: Sequence[bytes] | Iterator[bytes]
) -> Iterator[tuple[Recorded, Kind]]:
    """Yield the events of one type among the lines, each with its place."""
    named = f'"type":"{kind.__name__}'.encode()
    for line in lines:
        if named in line:
            recorded = decode(line)
            if isinstance(recorded.event, kind):
                yield recorded, recorded.event


def _end_of_round(lines: Sequence[bytes], number: int, size: int) -> int:
    paired = 0
    end = size
    for line in lines:
        if b'"type":"Round' not in line:
            continue
        recorded = decode(line)
        match recorded.event:
            case RoundPaired(round=latest):
                paired = latest
            case RoundUnpaired(round=latest):
                paired = latest - 1
            case RoundReopened(round=which) if which == number:
                end = size
            case RoundClosed(round=which) if which == number:
                end = recorded.seq
    if 1 <= number <= paired:
        return end
    rounds = f"{paired} round{'' if paired == 1 else 's'}" if paired else "no round"
    raise NotFound(f"there is no round {number}: {rounds} paired so far")


def _by_clock(lines: Sequence[bytes], at: str) -> int:
    for seq in range(len(lines), 0, -1):
        if clock_of(lines[seq - 1]) <= at:
            return seq
    raise TooEarly(at, clock_of(lines[0]) if lines else "no time")


def clock_of(line: bytes) -> str:
    """The clock of a line, as it stands there; InvalidLog where the line has none."""
    if (found := line.find(AT)) < 0:
        raise InvalidLog("a line has no clock")
    start = found + len(AT)
    return line[start : start + AT_BYTES].decode("ascii", "replace")
