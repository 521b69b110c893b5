"""Reading a tournament's log from its store: each line folded once, up to now or to a moment.

A long log is not folded from its start: the reading begins with a snapshot (`ledger.snapshots`),
and the lines before it are read when somebody asks for them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from typing import Self

from ledger import snapshots
from ledger.errors import InvalidLog
from ledger.errors import StoreUnavailable
from ledger.fold import collector_paused
from ledger.fold import evolve
from ledger.fold import fold_lines
from ledger.forgetting import covered
from ledger.lines import decode
from ledger.moments import TOLD_BY
from ledger.moments import AfterEvent
from ledger.moments import last_event
from ledger.sealing import MARK
from ledger.sealing import Seals
from ledger.sealing import unopened
from ledger.snapshots import Snapshots
from ledger.state import Tournament
from ledger.store.base import SNAPSHOT_KEY

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.events import Event
    from ledger.lines import Recorded
    from ledger.moments import Moment
    from ledger.sealing import Opener
    from ledger.store import Store

    DrawKey = Callable[[], bytes]


class Reading:
    """A tournament's lines and what they add up to, as the store has them."""

    def __init__(self, store: Store, stream: str, draw_key: DrawKey | None = None) -> None:
        """`draw_key` draws 32 random bytes; only a log with sealed names needs it to be written."""
        self.store = store
        self.stream = stream
        self.seals = Seals(stream)
        self._draw_key = draw_key
        self._snapshots = Snapshots(store, stream)
        self._snapshot_key = b""
        self._unread = 0
        self._read: list[bytes] = []
        self.tournament = Tournament()
        self.size = 0
        """How many events the store held when it was read."""

        self._dirty = False

    @property
    def lines(self) -> list[bytes]:
        """Every line; those before the snapshot that the book was opened with are read now."""
        if self._unread:
            self._read, self._unread = self.since(0), 0
            self._have_keys()
        return self._read

    def since(self, after: int, until: int | None = None) -> list[bytes]:
        """The lines past `after`, up to `until`; what is not read yet is read for this once."""
        end = self.length if until is None else until
        read = self._read[max(0, after - self._unread) : max(0, end - self._unread)]
        missing = min(end, self._unread) - after
        return [*self._stored(after, missing), *read] if missing > 0 else read

    def line(self, seq: int) -> bytes:
        """The line of one event."""
        return self.since(seq - 1, seq)[0]

    def _stored(self, after: int, count: int) -> list[bytes]:
        found = [line for _, line in self.store.entries(self.stream, after, count)]
        self._refuse_missing(after + len(found), after + count)
        return found

    @property
    def unread(self) -> int:
        """How many lines, the first ones, were passed over: a snapshot stands for them."""
        return self._unread

    @property
    def length(self) -> int:
        """How many lines the book has, read or not."""
        return self._unread + len(self._read)

    @property
    def last_line(self) -> bytes:
        """The line of the last event; there is one as soon as the book is opened."""
        return self._read[-1]

    def refresh(self) -> Self:
        """Read what has been written since; returns the book itself.

        Raises:
            StoreUnavailable: the store is damaged: lines are missing or make no sense.
        """
        self.size = self.store.size(self.stream)
        self._resume(self.size)
        self._advance(self.store.lines(self.stream, self.length))
        self._refuse_missing(self.length, self.size)
        return self

    def go_to(self, moment: Moment) -> Self:
        """Read a new book up to a moment of its past, and fold no further; returns the book.

        Raises:
            NotFound: the log has no such moment.
            StoreUnavailable: as `refresh`.
        """
        self.size = self.store.size(self.stream)
        seq = self.place_of(moment)
        self._resume(seq)
        self._advance(self._stored(self.length, seq - self.length))
        return self

    def place_of(self, moment: Moment) -> int:
        """The last event at a moment, of those that the store held when it was read.

        Raises:
            NotFound: the log has no such moment.
            StoreUnavailable: as `refresh`.
        """
        lines: list[bytes] = []
        if types := TOLD_BY.get(type(moment)):
            lines = self.store.lines_of(self.stream, [each.__name__ for each in types])
        elif not isinstance(moment, AfterEvent):
            lines = self.store.lines(self.stream)
            self._refuse_missing(len(lines), self.size)
        try:
            return last_event(moment, lines, self.size)
        except InvalidLog as error:
            raise self._damaged(f"the moment can not be found ({error})") from None

    @property
    def is_past(self) -> bool:
        """Whether the book was left at a moment that is not now."""
        return self.tournament.seq < self.size

    def at(self, seq: int) -> Tournament:
        """The tournament as it was after `seq` events, folded anew.

        That begins with a snapshot, but where somebody was forgotten: what is shown in the place
        of their texts now was not known to those made before.
        """
        found = None if self.tournament.forgotten else self._snapshots.nearest(seq)
        if found is None:
            return fold_lines(self.lines[:seq], self.seals.open)
        self._have_keys()
        tournament = found.state.tournament
        after = tournament.seq
        return fold_lines(self.since(after, seq), self.seals.open, tournament)

    def _have_keys(self) -> None:
        """Read the vault, if no line so far asked for it."""
        if self.tournament.is_sealed and not self.seals.keys:
            self.seals.keys = self.store.vault_items(self.stream)

    def recorded(self, after: int = 0) -> Iterator[Recorded]:
        """The events past `after`, opened with the keys at hand."""
        lines = self._read if after >= self._unread else self.lines
        return (decode(line, self.seals.open) for line in lines[after - self._unread :])

    def recorded_at(self, seq: int) -> Recorded:
        """The event at a place, opened with the keys at hand."""
        line = self.line(seq)
        self._have_keys()
        return decode(line, self.seals.open)

    def recorded_of(
        self, types: Iterable[type[Event]], field: str, number: int, after: int
    ) -> list[Recorded]:
        """The events past `after` of these types, and those whose `field` is this number."""
        names = [each.__name__ for each in types]
        held = f'"{field}":{number}'.encode()
        if after >= self._unread:  # what was read, and may have been held to a signed head
            marks = "|".join(f'"type":"{name}[@"]' for name in names)
            wanted = re.compile(marks.encode() + b"|" + held + rb"(?![0-9])")
            lines = [line for line in self._read[after - self._unread :] if wanted.search(line)]
        else:
            lines = self.store.lines_of(self.stream, names, after, held)
        self._have_keys()
        found = (decode(line, self.seals.open) for line in lines)
        return [recorded for recorded in found if recorded.seq <= self.length]

    def _resume(self, most: int) -> None:
        """Begin an empty book with a snapshot, if there is one of at most so many events."""
        with collector_paused():
            found = None if self.length else self._snapshots.nearest(most)
        if found is None:
            return
        self.tournament, seals = found.state.tournament, self.seals
        seals.digests, seals.forgotten, seals.unopened = found.state[1:]
        self._snapshot_key = found.key
        self._unread, self._read = self.tournament.seq - 1, [found.line]
        if MARK in found.line:
            seals.keys = self.store.vault_items(self.stream)

    def _advance(self, unread: Sequence[bytes], *, is_locked: bool = False) -> None:
        """Fold lines; the snapshots on the way are written at once, but inside the write lock."""
        if any(MARK in line for line in unread):
            self._read_keys(len(unread))
        if self._dirty:
            self.tournament = self.at(self.length)
            self._dirty = False
        with collector_paused():
            while unread:
                some = snapshots.EVERY - self.length % snapshots.EVERY
                self._take_all(unread[:some])
                unread = unread[some:]
                if not is_locked:
                    self._snapshots.keep()

    def _read_keys(self, coming: int) -> None:
        """Read the vault; the key of a snapshot that is coming is there before, or never used.

        What an earlier reading opened may have been destroyed since: no later key seals it.
        """
        self.seals.keys = self.store.vault_items(self.stream)
        if self.length or coming < snapshots.EVERY:
            return
        if SNAPSHOT_KEY not in self.seals.keys and self._draw_key is not None:
            with suppress(StoreUnavailable):
                self.store.vault_put(self.stream, SNAPSHOT_KEY, self._drawn())
            self.seals.keys = self.store.vault_items(self.stream)
        self._snapshot_key = self.seals.keys.get(SNAPSHOT_KEY, b"")

    def _take_all(self, lines: Sequence[bytes]) -> None:
        """Fold lines up to the next place of a snapshot at most, and make it there."""
        known, unopened = len(self.tournament.forgotten), len(self.seals.unopened)
        for line in lines:
            self._take(line)
            self._read.append(line)
        forgotten = len(self.tournament.forgotten)
        if forgotten > known or (forgotten and len(self.seals.unopened) > unopened):
            self._open_again()
        if self.length % snapshots.EVERY == 0:
            self._snapshots.make(self.tournament, self.seals, lines[-1], self._snapshot_key)

    def _open_again(self) -> None:
        """Read the log with the keys that are left: what others forgot is not kept in memory."""
        self.seals.keys = self.store.vault_items(self.stream)
        self.seals.forgotten = covered(map(decode, self.lines), self.tournament)
        self.seals.unopened = set()
        self.tournament = self.at(self.length)

    def _drawn(self) -> bytes:
        assert self._draw_key is not None  # noqa: S101 - whoever writes in a sealed log has one
        return self._draw_key()

    def _take(self, line: bytes) -> None:
        """Apply a line that was admitted once; if it makes no sense now, the store is damaged."""
        try:
            take(self.tournament, line, self.seals.open)
        except InvalidLog as error:
            self._dirty = True
            raise self._damaged(str(error)) from None

    def _refuse_missing(self, found: int, size: int) -> None:
        if found < size:
            raise self._damaged(f"{size - found} of its {size} events are missing")

    def _damaged(self, what: str) -> StoreUnavailable:
        return StoreUnavailable(
            f"the store at {self.store.where} is damaged: in tournament {self.stream[:8]} {what}; "
            "restore the newest backup"
        )


def take(tournament: Tournament, line: bytes, opener: Opener = unopened) -> None:
    """Apply a line that was admitted once.

    Raises:
        InvalidLog: it makes no sense now; the tournament may be half changed.
    """
    place = tournament.seq + 1
    try:
        recorded = decode(line, opener)
        if recorded.seq == place:
            evolve(tournament, recorded)
            return
    except Exception as error:  # noqa: BLE001 - a damaged line can break anything
        raise InvalidLog(f"event {place} can not be read ({error})") from None
    raise InvalidLog(f"event {recorded.seq} stands where {place} comes next")


def taken(lines: Iterable[bytes]) -> Tournament:
    """Fold lines that were admitted once, from the first one on, each at its place.

    Raises:
        InvalidLog: the first one that makes no sense now, and why.
    """
    tournament = Tournament()
    with collector_paused():
        for line in lines:
            take(tournament, line)
    return tournament
