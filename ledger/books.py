"""Books: one tournament's log bound to its store, to be read and to be written in.

A book folds each line once. An act is decided, checked and appended inside the store's write
lock, after the lines that other desks have written meanwhile; so nothing is decided on an old
state, and two desks never write the same place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from ledger import ENGINE
from ledger.decisions import admit
from ledger.decisions.context import Context
from ledger.errors import LedgerError
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.errors import StoreUnavailable
from ledger.fold import evolve
from ledger.fold import fold_lines
from ledger.keys import signed_before
from ledger.lines import decode
from ledger.lines import encode
from ledger.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence

    from ledger.commands import Command
    from ledger.commands import OpenTournament
    from ledger.keys import Sign
    from ledger.lines import Recorded
    from ledger.store import Store

    Ranking = Callable[[Tournament], list[int]]

SHUFFLE_KEY = "shuffle-key"
"""The name of the shuffle key in the vault."""

SHUFFLE_KEY_BYTES = 32


class Book:
    """A tournament's lines and what they add up to, kept up to date with the store."""

    def __init__(self, store: Store, stream: str, ranking: Ranking) -> None:
        self.store = store
        self.stream = stream
        self.lines: list[bytes] = []
        self.tournament = Tournament()
        self._ranking = ranking
        self._dirty = False
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
        size = self.store.size(self.stream)
        self._advance(self.store.lines(self.stream, len(self.lines)))
        if len(self.lines) < size:
            raise self._damaged(f"{size - len(self.lines)} of its {size} events are missing")
        return self

    def at(self, seq: int) -> Tournament:
        """The tournament as it was after `seq` events, folded anew."""
        return fold_lines(self.lines[:seq])

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
            done.extend(
                admit(
                    command,
                    self.tournament,
                    self._context(),
                    by=by,
                    command_id=command_id,
                    at=at,
                )
            )
            written.extend(encode(recorded) for recorded in done)
            return [(each.type, line) for each, line in zip(done, written, strict=True)]

        self.store.transact(self.stream, len(self.lines), decide)
        self.lines.extend(written)
        self._dirty = False
        return done

    def _advance(self, unread: Sequence[bytes]) -> None:
        if self._dirty:
            self.tournament = fold_lines(self.lines)
            self._dirty = False
        for line in unread:
            self._take(line)
            self.lines.append(line)

    def _take(self, line: bytes) -> None:
        """Apply a line that was admitted once; if it makes no sense now, the store is damaged."""
        place = self.tournament.seq + 1
        try:
            recorded = decode(line)
            if recorded.seq == place:
                evolve(self.tournament, recorded)
                return
        except Exception as error:  # noqa: BLE001 - a damaged line can break anything
            self._dirty = True
            raise self._damaged(f"event {place} can not be read ({error})") from None
        raise self._damaged(f"event {recorded.seq} stands where {place} comes next")

    def _damaged(self, what: str) -> StoreUnavailable:
        return StoreUnavailable(
            f"the store at {self.store.where} is damaged: in tournament {self.stream[:8]} {what}; "
            "restore the newest backup"
        )

    def _context(self) -> Context:
        if self._secret is None:
            self._secret = self.store.vault_get(self.stream, SHUFFLE_KEY) or b""
        return Context(self._ranking, self._secret, ENGINE, self.sign)

    def _done_before(self, command: Command, command_id: str, by: str) -> list[Recorded]:
        """What the id stands for, if it is this very command.

        Deciding is a pure function, so the command is decided once more at its first place: only
        the same command gives the same events there.
        """
        first = self.tournament.ids[command_id]
        before = [
            recorded
            for recorded in map(decode, self.lines[first - 1 :])
            if recorded.command_id == command_id
        ]
        past = self.at(first - 1)
        try:
            again = admit(
                command,
                past,
                structs.replace(self._context(), sign=signed_before(before)),
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


def open_book(store: Store, stream: str, ranking: Ranking) -> Book:
    """Open a tournament's book.

    Raises:
        NotFound: the store has no such tournament.
    """
    book = Book(store, stream, ranking).refresh()
    if not book.lines:
        raise NotFound(f"the store at {store.where} has no tournament {stream}")
    return book


def new_book(
    store: Store,
    command: OpenTournament,
    shuffle_key: bytes,
    ranking: Ranking,
    *,
    command_id: str,
    at: str,
) -> Book:
    """Open a new tournament with its author as the organizer.

    The key is kept first: should the opening fail, a key without a tournament does no harm.

    Raises:
        Refused: the command is not admissible.
    """
    if store.vault_get(command.tournament, SHUFFLE_KEY) is None:
        store.vault_put(command.tournament, SHUFFLE_KEY, shuffle_key)
    book = Book(store, command.tournament, ranking)
    book.act(command, by="o1", command_id=command_id, at=at)
    return book
