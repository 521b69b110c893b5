"""What each store answers, whichever database keeps it, and lines as events of the library.

For the library `eventsourcing` the topic is the event's type, and the state the bytes stored.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ledger.errors import NotFound, StoreUnavailable
from ledger.problems import Phrase, phrase, problem, remedy
from ledger.proof.formats import HASH_BYTES, Tree

if TYPE_CHECKING:
    from eventsourcing.persistence import StoredEvent


Entry: TypeAlias = tuple[str, bytes]
"""An event's type (its topic in the library's terms), and its line."""


class Unread(list[bytes]):
    """The lines that a caller has not read, and the stream's stored tree: not held to them yet."""

    def __init__(self, lines: Iterable[bytes], tree: Tree) -> None:
        super().__init__(lines)
        self.tree = tree


Decide: TypeAlias = Callable[[Unread], Sequence[Entry]]
"""From the lines that the caller has not read yet to the entries to append."""

LOCK_SECONDS = 30
"""How long a writer waits for the other writers before it gives up."""

CHUNK_EVENTS = 1_000
"""Lines read at once where a log may be larger than memory."""

FORMAT = 2
"""The version of the tables; a store with a higher one was made by a newer release."""

STREAM = re.compile(r"[0-9a-f]{32}")

RESTORE = phrase("restore the newest backup into a new store")
NOTHING_WRITTEN = phrase("; nothing was written")
IN_DOUBT = phrase("; the act may or may not be stored: repeat it with the same id")


_PAST = "FROM {schema}.tourney_events WHERE originator_id = %s AND originator_version > %s"
PAST_LINES = f"SELECT state {_PAST} ORDER BY originator_version"
_ENTRIES = f"SELECT topic, state {_PAST} ORDER BY originator_version LIMIT %s"
_SIZE = "SELECT size FROM {schema}.tourney_streams WHERE stream = %s"
_STREAMS = "SELECT stream FROM {schema}.tourney_streams ORDER BY position"
TREE = "SELECT size, frontier FROM {schema}.tourney_streams WHERE stream = %s"
PUT_TREE = "UPDATE {schema}.tourney_streams SET frontier = %s WHERE stream = %s AND size = %s"
# A size that does not follow becomes NULL, which the column refuses: a writer that built on
# another size than the stored one fails, whichever method of the library it came through.
GROW = """
    INSERT INTO {schema}.tourney_streams AS known (stream, size, frontier) VALUES (%s, %s, %s)
    ON CONFLICT (stream) DO UPDATE
        SET size = CASE WHEN known.size = %s THEN excluded.size END, frontier = excluded.frontier
"""


class Store(ABC):
    """The lines of all tournaments, in order, and their secrets.

    A stream is one tournament, named by 32 lowercase hex digits; its lines are numbered from 1.
    Every method raises `StoreUnavailable` when the database gives no answer.
    """

    where: str
    """The location as it may be shown: never with a password."""

    vault_where: str
    """Where the secrets are, as it may be shown."""

    reading: tuple[str, ...] | None = None
    """Beginnings of the secrets that a store opened read only gives; None for any other store."""

    @abstractmethod
    def transact(self, stream: str, known: int, decide: Decide) -> list[bytes]:
        """Append what decide makes of the lines past known, with no other writer in between.

        Where a store lets it decide before the lock, and others wrote meanwhile, `decide` runs
        again, with the lines past those that it was given: what it made of them before is nothing.
        Where it returns nothing or raises, nothing is written; what it raises comes out unchanged.
        Returns the lines past `known` that it was given. When `StoreUnavailable` says that the
        outcome is in doubt, the caller repeats the command with the same id.
        """

    def entries(self, stream: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Types and lines of the events past after, in order."""
        found = self._read(_ENTRIES, stream, after, limit)
        self._checked([line for _, line in found])
        return found

    def lines(self, stream: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """Lines of the events past after, in order; no more than limit."""
        found = self._read(f"{PAST_LINES} LIMIT %s", stream, after, limit)
        return self._checked([line for (line,) in found])

    def lines_of(self, stream: str, types: Sequence[str]) -> list[bytes]:
        """Lines of the events of these types, in order."""
        is_one = f"topic IN ({', '.join(['NULL', *['%s'] * len(types)])})"
        found = self._read(PAST_LINES.replace("ORDER", f"AND {is_one} ORDER"), stream, 0, *types)
        return self._checked([line for (line,) in found])

    def size(self, stream: str) -> int:
        """Count the stored events; 0 for a stream that is not there."""
        return sum(size for (size,) in self._read(_SIZE, stream))

    def tree(self, stream: str) -> Tree:
        """Return the tree of the stored lines, as it was written with the last of them."""
        for size, frontier in self._read(TREE, stream):
            return tree_at(size, frontier, self.where)
        return Tree()

    @abstractmethod
    def put_tree(self, stream: str, tree: Tree) -> None:
        """Store the tree of lines that were changed behind the program, if they are as many."""

    def streams(self) -> list[str]:
        """List the tournaments, in the order of their creation."""
        return [stream for (stream,) in self._read(_STREAMS)]

    @abstractmethod
    def vault_put_all(self, stream: str, secrets: Mapping[str, bytes]) -> None:
        """Keep secrets by name, in the place of earlier ones: all or none, at one wait's cost."""

    def vault_put(self, stream: str, name: str, secret: bytes) -> None:
        """Keep a secret, in the place of an earlier one of that name."""
        self.vault_put_all(stream, {name: secret})

    def vault_get(self, stream: str, name: str) -> bytes | None:
        """Return a secret, or None where no secret has that name."""
        return self.vault_items(stream).get(name)

    @abstractmethod
    def vault_delete_all(self, stream: str, names: Iterable[str]) -> None:
        """Destroy secrets, and their bytes as far as the database lets us; see each store."""

    def vault_delete(self, stream: str, name: str) -> None:
        """Destroy a secret; no error where no secret has that name."""
        self.vault_delete_all(stream, [name])

    @abstractmethod
    def vault_items(self, stream: str) -> dict[str, bytes]:
        """Return all secrets of a tournament, by name."""

    def listen(self) -> Listener | None:
        """Open what hears of every write at once; None where the store has to be asked."""
        return None

    @abstractmethod
    def check_structures(self) -> None:
        """Hold tables to their indexes, one of which could hide lines; or StoreUnavailable."""

    @abstractmethod
    def close(self) -> None:
        """Give up the connections; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _given(self, secrets: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the secrets that this store gives: all, or those that it was opened for."""
        if self.reading is None:
            return dict(secrets)
        return {name: secret for name, secret in secrets.items() if name.startswith(self.reading)}

    @abstractmethod
    def _read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - of SQL
        """Read rows as plain tuples: the library's rows and dataclasses cost six times as much."""

    def _checked(self, lines: list[bytes]) -> list[bytes]:
        """Refuse what a damaged row gives in the place of a line: a number, a text, nothing."""
        if any(type(line) is not bytes for line in lines):
            raise StoreUnavailable(
                phrase(
                    "{where} is damaged; {restore} (a line is not valid)",
                    where=self.where,
                    restore=RESTORE,
                )
            )
        return lines

    def _check_past(self, stream: str, known: int, size: int, found: int) -> None:
        """Refuse to build on a log that is shorter than what was read, or than its own count."""
        if known > size:
            raise StoreUnavailable(
                phrase(
                    "{where} has lost events: it has {size} events of {stream}, but {known} were "
                    "read before; {restore}{nothing_written}",
                    where=self.where,
                    size=size,
                    stream=stream,
                    known=known,
                    restore=RESTORE,
                    nothing_written=NOTHING_WRITTEN,
                )
            )
        if known + found != size:
            missing = size - known - found
            fault = phrase(
                "{missing} of the {size} events of {stream} are missing after event {known}",
                missing=missing,
                size=size,
                stream=stream,
                known=known,
            )
            if missing < 0:
                fault = phrase(
                    "it counts {size} events of {stream}, but it has {found}",
                    size=size,
                    stream=stream,
                    found=known + found,
                )
            raise StoreUnavailable(
                phrase(
                    "{where} is damaged: {fault}; {restore}{nothing_written}",
                    where=self.where,
                    fault=fault,
                    restore=RESTORE,
                    nothing_written=NOTHING_WRITTEN,
                )
            )


class Listener(ABC):
    """What hears that somebody wrote to a store, to any of its tournaments."""

    @abstractmethod
    def fileno(self) -> int:
        """Return the descriptor that can be read from when there is something to take."""

    @abstractmethod
    def take(self) -> None:
        """Take what was heard, without waiting; StoreUnavailable when nothing will be any more."""

    @abstractmethod
    def close(self) -> None:
        """Hear no more."""


def no_store(where: str) -> NotFound:
    """Say that there is no store."""
    return NotFound(
        problem(
            "store.missing",
            "there is no store at {place}",
            place=where,
            remedy=(remedy("new"), remedy("restore")),
        )
    )


def format_problem(version: int) -> Phrase | None:
    """Say which release reads tables of another version; None where this one does."""
    if version > FORMAT:
        return phrase("was made by a newer release of tourney; install that release")
    if version < FORMAT:
        return phrase("was made by an older release of tourney; use tourney 0.1.0 to read it")
    return None


class Answer(ABC):
    """Turns a driver's error into a StoreUnavailable; outcome says what becomes of a write."""

    outcome: Phrase | str = ""

    @abstractmethod
    def explain(self, error: BaseException) -> Phrase | None:
        """Say what is wrong and what to do; None for an error that is not the driver's."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None and (problem := self.explain(error)) is not None:
            said = phrase("{problem}{outcome}", problem=problem, outcome=self.outcome)
            line = " ".join(str(said).split())
            raise StoreUnavailable(said if line == str(said) else line) from None


def checked_stream(stream: str) -> str:
    """Return the name of a stream; ValueError where the caller has made up another kind of name."""
    if not STREAM.fullmatch(stream):
        raise ValueError(f"a stream is named by 32 lowercase hex digits, not {stream!r}")
    return stream


def tree_at(size: int, frontier: object, where: str) -> Tree:
    """Read a tree from its size and its frontier's hashes; StoreUnavailable if they do not fit."""
    if not isinstance(frontier, bytes) or len(frontier) != HASH_BYTES * size.bit_count():
        raise StoreUnavailable(
            phrase(
                "{where} is damaged; {restore} (the tree of its lines is not valid)",
                where=where,
                restore=RESTORE,
            )
        )
    starts = range(0, len(frontier), HASH_BYTES)
    return Tree(size, tuple(frontier[start : start + HASH_BYTES] for start in starts))


EVENTS_TABLE = "tourney_events"
"""The library calls it so for an application named tourney."""


def stored_events(stream: str, after: int, entries: Sequence[Entry]) -> list[StoredEvent]:
    """Turn entries into the library's events, past after; ValueError for a newline in a line."""
    from eventsourcing.persistence import StoredEvent  # noqa: PLC0415 - 40 ms without a store

    return [
        StoredEvent(stream, seq, topic, line)
        for seq, (topic, line) in enumerate(checked_entries(entries), start=after + 1)
    ]


def checked_entries(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return entries as they are; ValueError for a newline in a line."""
    if any(b"\n" in line for _, line in entries):
        raise ValueError("a line holds a newline")
    return entries


def growth(stream: str, tree: Tree, events: Sequence[StoredEvent]) -> tuple[str, int, bytes, int]:
    """Put the lines of a stream's events into its tree; returns what `GROW` is given."""
    before = events[0].originator_version - 1
    frontier = frontier_of(tree.add_lines(event.state for event in events))
    return stream, before + len(events), frontier, before


def frontier_of(tree: Tree) -> bytes:
    """Return the hashes of a tree's frontier as they are stored."""
    return b"".join(tree.frontier)


def by_stream(events: Sequence[StoredEvent]) -> dict[str, list[StoredEvent]]:
    """Sort events by their stream, each stream's in their order."""
    found: dict[str, list[StoredEvent]] = {}
    for event in events:
        found.setdefault(str(event.originator_id), []).append(event)
    return found
