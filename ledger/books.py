"""Books: one tournament's log bound to its store, to be read and to be written in.

A book folds each line once. An act is decided, checked and appended inside the store's write
lock, after the lines that other desks have written meanwhile; so nothing is decided on an old
state, and two desks never write the same place.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import structs

from ledger import ENGINE
from ledger import snapshots
from ledger.commands import ForgetPerson
from ledger.decisions import admit
from ledger.decisions.context import Context
from ledger.errors import LedgerError
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.errors import StoreUnavailable
from ledger.events.people import PersonForgotten
from ledger.fold import collector_paused
from ledger.fold import evolve
from ledger.fold import fold_lines
from ledger.forgetting import covered
from ledger.keys import signed_before
from ledger.lines import decode
from ledger.lines import encode
from ledger.moments import AfterEvent
from ledger.moments import last_event
from ledger.moments import reached
from ledger.sealing import MARK
from ledger.sealing import Seals
from ledger.snapshots import Snapshots
from ledger.state import Tournament
from ledger.store.base import SNAPSHOT_KEY

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.commands import Command
    from ledger.commands import OpenTournament
    from ledger.keys import Sign
    from ledger.lines import Recorded
    from ledger.moments import Moment
    from ledger.store import Store

    DrawKey = Callable[[], bytes]
    Ranking = Callable[[Tournament], list[int]]

SHUFFLE_KEY = "shuffle-key"
"""The name of the shuffle key in the vault."""

SHUFFLE_KEY_BYTES = 32


class Book:
    """A tournament's lines and what they add up to, kept up to date with the store."""

    def __init__(
        self, store: Store, stream: str, ranking: Ranking, draw_key: DrawKey | None = None
    ) -> None:
        """`draw_key` draws 32 random bytes; only a log with sealed names needs it to be written."""
        self.store = store
        self.stream = stream
        self.seals = Seals(stream)
        self._draw_key = draw_key
        self._snapshots = Snapshots(store, stream)
        self._unread = 0
        self._read: list[bytes] = []
        self.tournament = Tournament()
        self.size = 0
        """How many events the store held when it was read."""

        self._ranking = ranking
        self._dirty = False
        self._fresh: dict[str, bytes] = {}
        self._secret: bytes | None = None
        self.sign: Sign | None = None
        """What signs the acts that need it, once somebody has unlocked their key."""

        self.guard: Callable[[Sequence[bytes]], None] | None = None
        """What refuses to write on after these lines, inside the write lock."""

    @property
    def lines(self) -> list[bytes]:
        """Every line; those before the snapshot that the book was opened with are read now."""
        if self._unread:
            before = [line for _, line in self.store.entries(self.stream, 0, self._unread)]
            self._refuse_missing(len(before), self._unread)
            self._read[:0] = before
            self._unread = 0
            if self.tournament.is_sealed:
                self.seals.keys = self.store.vault_items(self.stream)
        return self._read

    @property
    def length(self) -> int:
        """How many lines the book has, read or not."""
        return self._unread + len(self._read)

    @property
    def last_line(self) -> bytes:
        """The line of the last event; there is one as soon as the book is opened."""
        return self._read[-1]

    def refresh(self) -> Book:
        """Read what has been written since; returns the book itself.

        Raises:
            StoreUnavailable: the store is damaged: lines are missing or make no sense.
        """
        self.size = self.store.size(self.stream)
        self._resume(self.size)
        self._advance(self.store.lines(self.stream, self.length))
        self._refuse_missing(self.length, self.size)
        self._snapshots.keep()
        return self

    def go_to(self, moment: Moment) -> Book:
        """Read a new book up to a moment of its past, and fold no further; returns the book.

        Raises:
            NotFound: the log has no such moment.
            StoreUnavailable: as `refresh`.
        """
        self.size = self.store.size(self.stream)
        if isinstance(moment, AfterEvent):
            most = reached(moment.seq, self.size)
            self._resume(most)
            entries = self.store.entries(self.stream, self.length, most - self.length)
            self._refuse_missing(self.length + len(entries), most)
            self._advance([line for _, line in entries])
        else:
            lines = self.store.lines(self.stream)
            self._refuse_missing(len(lines), self.size)
            seq = last_event(moment, lines)
            self._resume(seq)
            self._advance(lines[self.length : seq])
        self._snapshots.keep()
        return self

    @property
    def is_past(self) -> bool:
        """Whether the book was left at a moment that is not now."""
        return self.tournament.seq < self.size

    def at(self, seq: int) -> Tournament:
        """The tournament as it was after `seq` events, folded anew."""
        return fold_lines(self.lines[:seq], self.seals.open)

    def recorded(self, after: int = 0) -> Iterator[Recorded]:
        """The events past `after`, opened with the keys at hand."""
        lines = self._read if after >= self._unread else self.lines
        return (decode(line, self.seals.open) for line in lines[after - self._unread :])

    def destroy_forgotten(self) -> int:
        """Destroy every key that covers somebody who was forgotten; returns how many there were.

        Once more it destroys what has been sealed of them since, and what a failure left.
        """
        names = covered(map(decode, self.lines), self.tournament)
        there = sorted(names & self.store.vault_items(self.stream).keys())
        if there:
            self.store.vault_delete_all(self.stream, there)
        self._open_again()
        return len(there)

    def act(self, command: Command, *, by: str, command_id: str, at: str) -> list[Recorded]:
        """Carry a command out; an empty list says that its wish was fulfilled already.

        Sent again with the same `command_id` it changes nothing and returns its first events.
        `at` is the desk's clock as a line holds it.

        Raises:
            Refused: a rule or the state forbids it, or the id belongs to another command.
            StoreUnavailable: no answer; the same command with the same id may be repeated.
        """
        done: list[Recorded] = []
        written: list[bytes] = []

        def decide(unread: Sequence[bytes]) -> list[tuple[str, bytes]]:
            self._advance(unread)
            if command_id in self.tournament.ids:
                done.extend(self._done_before(command, command_id, by))
                return []
            if self.guard is not None:
                self.guard(self.lines)
            self._dirty = True
            self._fresh = {}
            done.extend(
                admit(
                    command,
                    self.tournament,
                    self.context(),
                    by=by,
                    command_id=command_id,
                    at=at,
                )
            )
            written.extend(self._written(done))
            return [(each.type, line) for each, line in zip(done, written, strict=True)]

        self.store.transact(self.stream, self.length, decide)
        self._read.extend(written)
        self._dirty = False
        return done

    def preview(self, command: Command, *, by: str, at: str) -> list[Recorded]:
        """Decide a command on a copy: what it would come to as things stand. Nothing is written.

        Raises:
            Refused: as `act`.
        """
        copy = self.at(self.length)
        return admit(command, copy, self.context(), by=by, command_id="preview", at=at)

    def _resume(self, most: int) -> None:
        """Begin an empty book with a snapshot, if there is one of at most so many events."""
        with collector_paused():
            found = None if self.length else self._snapshots.nearest(most)
        if found is None:
            return
        self.tournament, seals = found.state.tournament, self.seals
        seals.digests, seals.forgotten, seals.unopened = found.state[1:]
        if found.key:
            seals.keys = {SNAPSHOT_KEY: found.key}
        self._unread, self._read = self.tournament.seq - 1, [found.line]

    def _advance(self, unread: Sequence[bytes]) -> None:
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

    def _read_keys(self, coming: int) -> None:
        """Read the vault; the key of a snapshot that is coming is there before (see there)."""
        self.seals.keys = self.store.vault_items(self.stream)
        ends = self.length % snapshots.EVERY + coming >= snapshots.EVERY
        if ends and SNAPSHOT_KEY not in self.seals.keys and self._draw_key is not None:
            with suppress(StoreUnavailable):
                self.store.vault_put(self.stream, SNAPSHOT_KEY, self._drawn())
            self.seals.keys = self.store.vault_items(self.stream)

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
            self._snapshots.make(self.tournament, self.seals, lines[-1])

    def _open_again(self) -> None:
        """Read the log with the keys that are left: what others forgot is not kept in memory."""
        self.seals.keys = self.store.vault_items(self.stream)
        self.seals.forgotten = covered(map(decode, self.lines), self.tournament)
        self.seals.unopened = set()
        self.tournament = self.at(self.length)

    def _written(self, recorded: list[Recorded]) -> list[bytes]:
        """Make the lines; the keys of what is sealed in them are in the vault before they are.

        A key without its line does no harm, and the same command finds it there again.
        """
        if not self.tournament.is_sealed:
            return [encode(each) for each in recorded]
        seals = Seals(self.stream, self._keys_for(recorded))
        lines = [encode(each, seals.seal) for each in recorded]
        if self._fresh:
            self.store.vault_put_all(self.stream, self._fresh)
        self.seals.keys = seals.keys
        return lines

    def _sealed(self, recorded: Recorded) -> Recorded:
        """The event as its line will have it."""
        return Seals(self.stream, self._keys_for([recorded])).seal(recorded)

    def _keys_for(self, recorded: list[Recorded]) -> dict[str, bytes]:
        """The keys at hand, with those of these events: what the vault has not is drawn, once."""
        if self.seals.missing(recorded):
            self.seals.keys = self.store.vault_items(self.stream)
        missing = [name for name in self.seals.missing(recorded) if name not in self._fresh]
        self._fresh |= {name: self._drawn() for name in missing}
        return {**self.seals.keys, **self._fresh}

    def _drawn(self) -> bytes:
        assert self._draw_key is not None  # noqa: S101 - whoever writes in a sealed log has one
        return self._draw_key()

    def _take(self, line: bytes) -> None:
        """Apply a line that was admitted once; if it makes no sense now, the store is damaged."""
        place = self.tournament.seq + 1
        try:
            recorded = decode(line, self.seals.open)
            if recorded.seq == place:
                evolve(self.tournament, recorded)
                return
        except Exception as error:  # noqa: BLE001 - a damaged line can break anything
            self._dirty = True
            raise self._damaged(f"event {place} can not be read ({error})") from None
        raise self._damaged(f"event {recorded.seq} stands where {place} comes next")

    def _refuse_missing(self, found: int, size: int) -> None:
        if found < size:
            raise self._damaged(f"{size - found} of its {size} events are missing")

    def _damaged(self, what: str) -> StoreUnavailable:
        return StoreUnavailable(
            f"the store at {self.store.where} is damaged: in tournament {self.stream[:8]} {what}; "
            "restore the newest backup"
        )

    def context(self) -> Context:
        """What decisions are made with here: the ranking, the shuffle key, the engine."""
        if self._secret is None:
            self._secret = self.store.vault_get(self.stream, SHUFFLE_KEY) or b""
        sealing = self._sealed if self.tournament.is_sealed else None
        return Context(self._ranking, self._secret, ENGINE, self.sign, sealing)

    def _done_before(self, command: Command, command_id: str, by: str) -> list[Recorded]:
        """What the id stands for, if it is this very command.

        Deciding is a pure function, so the command is decided once more at its first place: only
        the same command gives the same events there.
        """
        first = self.tournament.ids[command_id]
        before = [
            recorded for recorded in self.recorded(first - 1) if recorded.command_id == command_id
        ]
        if isinstance(command, ForgetPerson) and before[0].event == PersonForgotten(command.of):
            return before  # the names that told who else this was are gone
        past = self.at(first - 1)
        try:
            again = admit(
                command,
                past,
                structs.replace(self.context(), sign=signed_before(before)),
                by=by,
                command_id=command_id,
                at=before[0].at,
            )
        except LedgerError:
            again = []
        if again != before:
            raise Refused(
                f"the id {command_id} was used for another command ({before[0].type}, event "
                f"{first}): leave --id out to have a new one drawn"
            )
        return before


def open_book(
    store: Store,
    stream: str,
    ranking: Ranking,
    draw_key: DrawKey | None = None,
    moment: Moment | None = None,
) -> Book:
    """Open a tournament's book; at a `moment` of its past no further than there, to be looked at.

    Raises:
        NotFound: the store has no such tournament, or the tournament no such moment.
    """
    book = Book(store, stream, ranking, draw_key)
    if moment is None:
        book.refresh()
    elif store.size(stream):
        book.go_to(moment)
    if not book.length:
        raise NotFound(f"the store at {store.where} has no tournament {stream}")
    return book


def new_book(
    store: Store,
    command: OpenTournament,
    draw_key: DrawKey,
    ranking: Ranking,
    *,
    command_id: str,
    at: str,
) -> Book:
    """Open a new tournament with its author as the organizer.

    The shuffle key is kept first: should the opening fail, a key without a tournament does no harm.

    Raises:
        Refused: the command is not admissible.
    """
    if store.vault_get(command.tournament, SHUFFLE_KEY) is None:
        store.vault_put(command.tournament, SHUFFLE_KEY, draw_key())
    book = Book(store, command.tournament, ranking, draw_key)
    book.act(command, by="o1", command_id=command_id, at=at)
    return book
