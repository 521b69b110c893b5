"""Books: one tournament's log bound to its store, to be read and to be written in.

A book folds each line once. An act is decided, checked and appended inside the store's write
lock, after the lines that other desks have written meanwhile; so nothing is decided on an old
state, and two desks never write the same place.

What decides and checks is imported by the first act: a book that is only read does without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from ledger import ENGINE
from ledger.errors import LedgerError
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.errors import StoreUnavailable
from ledger.events.people import PersonForgotten
from ledger.fold import collector_paused
from ledger.fold import evolve
from ledger.fold import fold_lines
from ledger.forgetting import covered
from ledger.lines import decode
from ledger.lines import encode
from ledger.moments import AfterEvent
from ledger.moments import last_event
from ledger.moments import reached
from ledger.sealing import MARK
from ledger.sealing import Seals
from ledger.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.commands import Command
    from ledger.commands import OpenTournament
    from ledger.decisions.context import Context
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
        self._sealing = Seals(stream)
        self._draw_key = draw_key
        self.lines: list[bytes] = []
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

    def refresh(self) -> Book:
        """Read what has been written since; returns the book itself.

        Raises:
            StoreUnavailable: the store is damaged: lines are missing or make no sense.
        """
        self.size = self.store.size(self.stream)
        self._advance(self.store.lines(self.stream, len(self.lines)))
        self._refuse_missing(len(self.lines), self.size)
        return self

    def go_to(self, moment: Moment) -> Book:
        """Read a new book up to a moment of its past, and fold no further; returns the book.

        Raises:
            NotFound: the log has no such moment.
            StoreUnavailable: as `refresh`.
        """
        self.size = self.store.size(self.stream)
        most = reached(moment.seq, self.size) if isinstance(moment, AfterEvent) else self.size
        lines = [line for _, line in self.store.entries(self.stream, 0, most)]
        self._refuse_missing(len(lines), most)
        self._advance(lines[: last_event(moment, lines)])
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
        return (decode(line, self.seals.open) for line in self.lines[after:])

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
        from ledger.decisions import admit  # noqa: PLC0415 - see the module

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

        self.store.transact(self.stream, len(self.lines), decide)
        self.lines.extend(written)
        self._dirty = False
        return done

    def preview(self, command: Command, *, by: str, at: str) -> list[Recorded]:
        """Decide a command on a copy: what it would come to as things stand. Nothing is written.

        Raises:
            Refused: as `act`.
        """
        from ledger.decisions import admit  # noqa: PLC0415 - see the module

        copy = self.at(len(self.lines))
        return admit(command, copy, self.context(), by=by, command_id="preview", at=at)

    def _advance(self, unread: Sequence[bytes]) -> None:
        if any(MARK in line for line in unread):
            self.seals.keys = self.store.vault_items(self.stream)
        if self._dirty:
            self.tournament = self.at(len(self.lines))
            self._dirty = False
        known = len(self.tournament.forgotten)
        with collector_paused():
            for line in unread:
                self._take(line)
                self.lines.append(line)
        if len(self.tournament.forgotten) > known:
            self._open_again()

    def _open_again(self) -> None:
        """Read the log with the keys that are left: what others forgot is not kept in memory."""
        self.seals.keys = self.store.vault_items(self.stream)
        self.seals.forgotten = covered(map(decode, self.lines), self.tournament)
        self.tournament = self.at(len(self.lines))

    def _written(self, recorded: list[Recorded]) -> list[bytes]:
        """Make the lines; the keys of what is sealed in them are in the vault before they are.

        A key without its line does no harm, and the same command finds it there again.
        """
        if not self.tournament.is_sealed:
            return [encode(each) for each in recorded]
        seals = self._seals_for(recorded)
        lines = [encode(each, seals.seal) for each in recorded]
        if self._fresh:
            self.store.vault_put_all(self.stream, self._fresh)
        self.seals.keys = seals.keys
        return lines

    def _sealed(self, recorded: Recorded) -> Recorded:
        """The event as its line will have it."""
        return self._seals_for([recorded]).seal(recorded)

    def _seals_for(self, recorded: list[Recorded]) -> Seals:
        """What seals these events, with keys at hand; what the vault has not is drawn, once."""
        if self.seals.missing(recorded):
            self.seals.keys = self.store.vault_items(self.stream)
        missing = [name for name in self.seals.missing(recorded) if name not in self._fresh]
        self._fresh |= {name: self._drawn() for name in missing}
        self._sealing.keys = {**self.seals.keys, **self._fresh}
        return self._sealing

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
        from ledger.decisions.context import Context  # noqa: PLC0415 - see the module

        if self._secret is None:
            self._secret = self.store.vault_get(self.stream, SHUFFLE_KEY) or b""
        sealing = self._sealed if self.tournament.is_sealed else None
        return Context(self._ranking, self._secret, ENGINE, self.sign, sealing)

    def _done_before(self, command: Command, command_id: str, by: str) -> list[Recorded]:
        """What the id stands for, if it is this very command.

        Deciding is a pure function, so the command is decided once more at its first place: only
        the same command gives the same events there.
        """
        from ledger.commands import ForgetPerson  # noqa: PLC0415 - see the module
        from ledger.decisions import admit  # noqa: PLC0415 - see the module
        from ledger.keys import signed_before  # noqa: PLC0415 - see the module

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
    if not book.lines:
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
