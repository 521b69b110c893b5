"""A tournament's log, read from its store: each line folded once, up to now or to a moment.

A moment is the last event at some point of the day. The order is `seq`. A clock is only a claim of
the desks: `ByClock` is the last event, by `seq`, that claims to be no later. A round ends at its
last closing; while it runs, its end is now. A posting is the moment of the posted table.

A line's own type and clock come before any text that a person typed, and no text contains a bare
quotation mark; so they are found in the bytes, and few lines have to be decoded.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from msgspec import Struct

from ledger.books.forgetting import covered, gone
from ledger.errors import InvalidLog, LedgerError, NotFound, OtherWire, StoreUnavailable
from ledger.facts.rounds import (
    Posted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
)
from ledger.facts.vocabulary import names_of
from ledger.fold import collector_paused, evolve_all, fold_lines
from ledger.lines.line import decode, decoded_parts
from ledger.lines.sealing import MARK, Seals, unopened
from ledger.problems import Phrase, Problem, Value, marked, phrase, remedy
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.lines.sealing import Opener
    from ledger.store import Store

Kind = TypeVar("Kind", bound="Event")

AT = b'"at":"'
AT_BYTES = len("2026-05-17T10:00:00.000Z")


class TooEarly(NotFound):
    """A clock that no line claims so early; begins is that of the first line."""

    def __init__(self, at: str, begins: str) -> None:
        begun = begins or phrase("no time")
        text = marked("the log has no events up to {at}: it begins at {begins}")
        super().__init__(phrase(text, at=at, begins=begun))
        self.begins = begins or "no time"


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
        raise NotFound(
            phrase("there is no event {event}: the log has {size}", event=seq, size=size)
        )
    return seq


def find_posting(
    lines: Sequence[bytes], what: str = "", number: int | None = None
) -> tuple[Recorded, Posted]:
    """Find the last posting, of a kind and a round if they are given; NotFound if none is."""
    for recorded, posted in events_of(Posted, reversed(lines)):
        if what in {"", posted.what} and number in {None, posted.round}:
            return recorded, posted
    step = remedy("post.standings") if what == "standings" else remedy("post")
    text = marked("no {what} have been posted") if what else marked("nothing has been posted")
    if number is not None:
        text = marked("nothing of round {round} has been posted")
        if what:
            text = marked("no {what} of round {round} have been posted")
    about: dict[str, Value] = {"what": phrase(what), "round": number or 0}
    raise NotFound(Problem("posting.missing", text, about, remedies=(step,)))


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
    if not paired:
        raise NotFound(phrase("there is no round {number}: no round paired so far", number=number))
    raise NotFound(
        phrase(
            "there is no round {number}: {count} round paired so far",
            plural="there is no round {number}: {count} rounds paired so far",
            number=number,
            count=paired,
        )
    )


def _by_clock(lines: Sequence[bytes], at: str) -> int:
    for seq in range(len(lines), 0, -1):
        if clock_of(lines[seq - 1]) <= at:
            return seq
    raise TooEarly(at, clock_of(lines[0]) if lines else "")


def clock_of(line: bytes) -> str:
    """The clock of a line, as it stands there; InvalidLog where the line has none."""
    if (found := line.find(AT)) < 0:
        raise InvalidLog(phrase("a line has no clock"))
    start = found + len(AT)
    return line[start : start + AT_BYTES].decode("ascii", "replace")


class OpenLog:
    """A tournament's lines and what they add up to, as the store has them."""

    def __init__(self, store: Store, stream: str) -> None:
        self.store = store
        self.stream = stream
        self.seals = Seals(stream)
        self.lines: list[bytes] = []
        """Every line that was read, in order; in a book of the past up to its moment."""

        self.tournament = Tournament()
        self.size = 0
        """How many events the store held when it was read."""

        self._dirty = False

    def refresh(self) -> Self:
        """Read what was written since; StoreUnavailable where lines are missing or damaged."""
        self.size = self.store.size(self.stream)
        self._advance(self.store.lines(self.stream, len(self.lines)))
        self._refuse_missing(len(self.lines), self.size)
        return self

    def begin_with(self, lines: Sequence[bytes], tournament: Tournament) -> Self:
        """Begin with all lines of the store, which were checked and folded before."""
        self.lines, self.tournament, self.size = list(lines), tournament, len(lines)
        self.seals.keys = self.store.vault_items(self.stream)
        if gone(tournament):
            self.seals.forgotten = covered(map(decode, self.lines), tournament)
        return self

    def drop_unstored(self) -> None:
        """Take back what was applied and did not reach the store, as far as it is known."""
        if self._dirty:
            self.tournament = self.at(len(self.lines))
            self._dirty = False

    def go_to(self, moment: Moment) -> Self:
        """Read a new book up to a moment of its past, no further; NotFound without such a one."""
        self.size = self.store.size(self.stream)
        seq = self.place_of(moment)
        after = len(self.lines)
        found = self.store.lines(self.stream, after, seq - after)
        self._refuse_missing(after + len(found), seq)
        self._advance(found)
        return self

    def place_of(self, moment: Moment) -> int:
        """The last event at a moment, of those in the store when it was read; or NotFound."""
        lines: list[bytes] = []
        if types := TOLD_BY.get(type(moment)):
            lines = self.store.lines_of(
                self.stream, [name for each in types for name in names_of(each)]
            )
        elif not isinstance(moment, AfterEvent):
            lines = self.store.lines(self.stream)
            self._refuse_missing(len(lines), self.size)
        try:
            return last_event(moment, lines, self.size)
        except InvalidLog as error:
            raise self._damaged(
                phrase("the moment cannot be found ({why})", why=error.words)
            ) from None

    @property
    def is_past(self) -> bool:
        """Whether the book was left at a moment that is not now."""
        return self.tournament.seq < self.size

    def at(self, seq: int) -> Tournament:
        """The tournament as it was after seq events, folded again."""
        return fold_lines(self.lines[:seq], self.seals.open)

    def recorded(self, after: int = 0) -> Iterator[Recorded]:
        """The events past after, opened with the keys at hand."""
        return (decode(line, self.seals.open) for line in self.lines[after:])

    def recorded_at(self, seq: int) -> Recorded:
        """The event at a place, opened with the keys at hand."""
        return decode(self.lines[seq - 1], self.seals.open)

    def recorded_of(
        self, types: Iterable[type[Event]], field: str, number: int, after: int
    ) -> list[Recorded]:
        """The events past after of these types, and those whose field is this number."""
        marks = "|".join(f'"type":"{each.__name__}[@"]' for each in types)
        held = f'"{field}":{number}(?![0-9])'
        wanted = re.compile(f"{marks}|{held}".encode())
        lines = (line for line in self.lines[after:] if wanted.search(line))
        return [decode(line, self.seals.open) for line in lines]

    def _advance(self, unread: Sequence[bytes]) -> None:
        """Fold lines that are not read yet."""
        if any(MARK in line for line in unread):
            self.seals.keys = self.store.vault_items(self.stream)
        if self._dirty:
            self.tournament = self.at(len(self.lines))
            self._dirty = False
        known, unopened_before = len(gone(self.tournament)), len(self.seals.unopened)
        self._take_all(unread)
        forgotten = len(gone(self.tournament))
        if forgotten > known or (forgotten and len(self.seals.unopened) > unopened_before):
            self._open_again()

    def _open_again(self) -> None:
        """Read the log with the keys that are left: what others forgot is not kept in memory."""
        self.seals.keys = self.store.vault_items(self.stream)
        self.seals.forgotten = covered(map(decode, self.lines), self.tournament)
        self.seals.unopened = set()
        self.tournament = self.at(len(self.lines))

    def _take_all(self, lines: Sequence[bytes]) -> None:
        """Apply lines that were admitted once; if one makes no sense, the store is damaged."""
        before = self.tournament.seq
        try:
            take_all(self.tournament, lines, self.seals.open)
        except OtherWire as error:
            text, where = marked("tournament {tournament} of {store}: {why}"), str(self.store.where)
            raise OtherWire(
                phrase(text, tournament=self.stream[:8], store=where, why=error.words)
            ) from None
        except InvalidLog as error:
            self._dirty = True
            raise self._damaged(error.words) from None
        finally:
            self.lines.extend(lines[: self.tournament.seq - before])

    def _refuse_missing(self, found: int, size: int) -> None:
        if found < size:
            text = marked("{missing} of its {size} events are missing")
            raise self._damaged(phrase(text, missing=size - found, size=size))

    def _damaged(self, what: Phrase) -> StoreUnavailable:
        return StoreUnavailable(
            phrase(
                "the store at {store} is damaged: in tournament {tournament} {what}; "
                "restore the newest backup",
                store=str(self.store.where),
                tournament=self.stream[:8],
                what=what,
            )
        )


def take_all(tournament: Tournament, lines: Iterable[bytes], opener: Opener = unopened) -> None:
    """Apply lines that were admitted once, each at its place; OtherWire, or InvalidLog says why."""
    try:
        with collector_paused():
            for part in decoded_parts(lines, opener):
                wrong = _out_of_place(part, tournament.seq + 1)
                evolve_all(tournament, part[:wrong])
                if wrong is not None:
                    break
            else:
                return
    except OtherWire:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged line can break anything
        why = error.words if isinstance(error, LedgerError) else str(error)
        text = marked("event {event} cannot be read ({why})")
        raise InvalidLog(phrase(text, event=tournament.seq + 1, why=why)) from None
    place = tournament.seq + 1
    text = marked("the next event must be {place}, not {found}")
    raise InvalidLog(phrase(text, place=place, found=part[wrong].seq))


def _out_of_place(part: Sequence[Recorded], first: int) -> int | None:
    """Return the index of the first event that is not at its place; None if all are."""
    seqs = [each.seq for each in part]
    places = range(first, first + len(part))
    if seqs == list(places):
        return None
    return next(index for index, place in enumerate(places) if seqs[index] != place)


def taken(lines: Iterable[bytes]) -> Tournament:
    """Fold lines that were admitted once, from the first one; InvalidLog names a wrong one."""
    tournament = Tournament()
    take_all(tournament, lines)
    return tournament
