"""Where logs come from: files, folders of them, and stores, each line as it was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, Self

from ledger.books.open_log import taken
from ledger.books.unsigned_lines import HEAD
from ledger.errors import (
    AnothersDatabase,
    InvalidLog,
    LedgerError,
    NotFound,
    OtherWire,
)
from ledger.exchange import read_log
from ledger.exchange.log_files import begun_with, held_to_heads, is_names, replay_lines
from ledger.facts.shared import TournamentOpened
from ledger.files.access import first_bytes, kind_at
from ledger.files.kinds import STORE
from ledger.lines.line import decode
from ledger.problems import phrase
from ledger.proof.heads import Asked, Comparison, HeadWaiver, Uncovered, compared_file
from ledger.rules.signing import named_in
from ledger.store import Store, open_store
from ledger.tournament.state import Tournament
from projections.season.grouping.archetypes import Archetypes, name_lists
from projections.season.tables.signed_heads import HashedBefore, SignedPrefix, signed_by
from projections.standings.table import ranking


class HeadHere(NamedTuple):
    """The highest head of a stored log that this machine has, and whether it has to cover all.

    `unsigned` is the reason to take lines behind the head unasked; empty: they need a head.
    """

    note: bytes | None = None
    unsigned: str = ""


OPENS = re.compile(rb'"type"\s*:\s*"TournamentOpened"')
OPENING_BYTES_MAX = 1 << 20
"""The largest first line of a file that may be a log."""

NoteOf = Callable[[str, str], Callable[[Sequence[bytes]], HeadHere]]

Known = tuple[str, SignedPrefix]
"""What a log is known by: the root over its lines, and what a head beside it covers of them."""


class FileLog:
    """A log in a file, which anybody may have written: every line is held to the rules."""

    holds_to_rules = True
    archetypes: tuple[Archetypes, ...] = ()
    """Files by which its lists are named."""

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path
        self._names: list[bytes] = []

    @property
    def names_line(self) -> bytes:
        """The last line with the keys of names, once the lines were read; empty: there is none."""
        return self._names[0] if self._names else b""

    def secrets(self) -> dict[str, bytes]:
        """Nothing: a file has only the keys of its line of names."""
        return {}

    def opening(self, lines: list[bytes]) -> TournamentOpened:
        """Return the event that opens the log."""
        return opening_of(self, lines)

    @property
    def path(self) -> Path:
        """Path of the file."""
        return self._path

    @property
    def size(self) -> int:
        """How many bytes the file has; 0 where that is not known."""
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def from_anywhere(self) -> Self:
        """Return the same log by a path that holds in whatever folder a process is."""
        log = type(self)(self._path.resolve())
        log.where, log.archetypes = self.where, self.archetypes
        return log

    def lines(self) -> list[bytes]:
        """Return its lines, without their newlines; the keys of names in a last line are no event.

        Raises:
            InvalidLog: the first line opens no tournament, or a line is cut off or too long.
        """
        read = read_log(self._path)
        lines = list(islice(read, 1))
        opening_of(self, lines)  # before a large file of another kind takes its memory
        lines.extend(read)
        self._names = [lines.pop()] if lines and is_names(lines[-1]) else []
        return lines

    def known_by(self, stream: str, lines: Sequence[bytes], leaves: bytes, trust: Asked) -> Known:
        """Hold the lines to what lies beside the file; InvalidLog of others, or without trust."""
        with held_to_heads(self.where):
            return _known_by(compared_file(self._path, trust), trust, stream, lines, leaves)

    def checked(
        self, lines: Sequence[bytes], known: int = 0, leaves: bytes | None = None
    ) -> Tournament:
        """Fold the lines, each held to the rules for writing it; InvalidLog of the first wrong.

        The first `known` lines were held to them before, and are folded alone. Where keys of names
        follow, every line is read for what they open. `leaves` are the hashes of all of them, where
        they are at hand.
        """
        first = 0 if self._names else known
        tree = None if leaves is None else HashedBefore(leaves).add_lines(lines[:first])
        begun = begun_with(lines[:first], tree)
        read = chain(lines[first:], self._names)
        folded = replay_lines(self.where, read, ranking, keep_lines=False, begun=begun).tournament
        return name_lists(folded, self.archetypes) if self.archetypes else folded


class StoredLog:
    """A log in a store, where every line was admitted as it was written."""

    holds_to_rules = False
    archetypes: tuple[Archetypes, ...] = ()
    """Files by which its lists are named."""

    def __init__(self, store: Store, stream: str, note_of: NoteOf) -> None:
        self.where = f"{stream[:8]} of {store.where}"
        self._store = store
        self._stream = stream
        self._note_of = note_of
        self._here = HeadHere()

    def lines(self) -> list[bytes]:
        """Its lines so far, later ones for the next time; InvalidLog where others were signed."""
        try:
            # before the lines, which may grow meanwhile
            note_of = self._note_of(self._stream, self._store.where)
            lines = self._store.lines(self._stream)
            self._here = note_of(lines)
        except InvalidLog as error:
            raise InvalidLog(f"{self.where}: {error}") from None
        return lines

    def secrets(self) -> dict[str, bytes]:
        """Return the keys of names and texts that the store's vault has."""
        return self._store.vault_items(self._stream)

    def opening(self, lines: list[bytes]) -> TournamentOpened:
        """Return the event that opens the log."""
        return opening_of(self, lines)

    def known_by(self, stream: str, lines: Sequence[bytes], leaves: bytes, trust: Asked) -> Known:
        """Hold the lines to the highest head signed here; InvalidLog as of a file."""
        note, reason = self._here
        note = note or self._store.vault_items(stream).get(HEAD)
        with held_to_heads(self.where):
            if note is None and not isinstance(trust, HeadWaiver | None):
                text = "no head of it was signed here, but the policy requires one"
                raise Uncovered(f"{text}: use an export of it")
            policy = HeadWaiver(reason) if trust is None and reason else trust
            return _known_by(Comparison(note, policy), policy, stream, lines, leaves)

    def checked(
        self, lines: Sequence[bytes], _known: int = 0, _leaves: bytes | None = None
    ) -> Tournament:
        """Fold the lines; InvalidLog where they make no sense: the store is damaged."""
        try:
            return name_lists(taken(lines), self.archetypes)
        except OtherWire as error:
            raise OtherWire(f"{self.where}: {error}") from None
        except InvalidLog as error:
            raise InvalidLog(
                phrase("{where} is damaged: {error}", where=self.where, error=error.words)
            ) from None


Source = FileLog | StoredLog


def _known_by(
    compared: Comparison, asked: Asked, stream: str, lines: Sequence[bytes], leaves: bytes
) -> Known:
    """Compare lines, whose hashes are at hand; Invalid where they are not those of the head."""
    with closing(compared):
        compared.take_all(lines, leaves)
        vouched = compared.settle(stream, named_in(lines))
    reason = asked.reason if isinstance(asked, HeadWaiver) and compared.uncovered else ""
    return compared.tree.root().hex(), signed_by(vouched, reason)


def unsigned(_stream: str, _where: str) -> Callable[[Sequence[bytes]], HeadHere]:
    """Take the lines of a store as they are: no head of them is looked for."""
    return lambda _lines: HeadHere(unsigned="no head of a store is looked for")


def nothing_said(_text: str) -> None:
    """Let what is passed over go in silence."""


def sources_of(
    places: Iterable[str],
    note_of: NoteOf = unsigned,
    file: Callable[[Path], FileLog] = FileLog,
    passed_over: Callable[[str], None] = nothing_said,
) -> Iterator[Source]:
    """Yield every log of files, stores and folders: their `*.jsonl`, then the stores `*.db`.

    `note_of` is given a tournament and its store's place, and what it returns is given its lines:
    that returns the highest head that this machine has, and raises InvalidLog where they are not
    those of it. `file` is what a log in a file is read as. `passed_over` is given a line for each
    file of a folder that is named as a log or a store and is none, or has no tournament.

    Raises:
        NotFound: there is no such place, or a folder has no log.
        StoreUnavailable: a store gives no answer.
    """
    for place in places:
        if "://" in place:
            yield from _stored(place, note_of)
        elif Path(place).is_dir():
            yield from _of_folder(Path(place), note_of, file, passed_over)
        elif _is_store(Path(place)):
            yield from _stored(place, note_of)
        else:
            yield file(Path(place))


def _of_folder(
    folder: Path,
    note_of: NoteOf,
    file: Callable[[Path], FileLog],
    passed_over: Callable[[str], None],
) -> Iterator[Source]:
    logs = []
    for path in sorted(folder.rglob("*.jsonl")):
        if _begins_a_log(path):
            logs.append(path)
        else:
            passed_over(f"{path} is not a log: skipped")
    stored: list[Source] = []
    for store in sorted(folder.rglob("*.db")):
        if not _is_store(store):
            passed_over(f"{store} is not a store: skipped")
            continue
        try:
            stored += _stored(str(store), note_of)
        except AnothersDatabase:
            passed_over(f"{store} is another program's database: skipped")
        except NotFound:
            passed_over(f"{store} has no tournament yet: skipped")
    if not logs and not stored:
        raise NotFound(
            phrase(
                "there is no log (*.jsonl) in {folder}, and no store (*.db) with one",
                folder=str(folder),
            )
        )
    yield from map(file, logs)
    yield from stored


def _begins_a_log(path: Path) -> bool:
    """Whether a file begins as a log does, however wrong it is; one that cannot be read does."""
    try:
        line = first_bytes(path, OPENING_BYTES_MAX).partition(b"\n")[0]
    except (OSError, LedgerError):
        return True  # reading it reports the fault
    return OPENS.search(line) is not None


def _is_store(path: Path) -> bool:
    try:
        return kind_at(path) == STORE
    except OSError:
        raise NotFound(phrase("there is no log, folder or store {path}", path=str(path))) from None


def _stored(location: str, note_of: NoteOf) -> Iterator[Source]:
    store = open_store(location, create=False)
    streams = store.streams()
    if not streams:
        raise NotFound(phrase("{where} has no tournament yet", where=store.where))
    yield from (StoredLog(store, stream, note_of) for stream in streams)


def opening_of(source: Source, lines: list[bytes]) -> TournamentOpened:
    """Return the event that opens a log; InvalidLog where its first line is no such event."""
    if not lines:
        raise InvalidLog(
            phrase("{where} is empty: a log begins with TournamentOpened", where=source.where)
        )
    try:
        event = decode(lines[0]).event
    except LedgerError as error:
        raise InvalidLog(
            phrase("{where}: line 1: {error}", where=source.where, error=error.words)
        ) from None
    if not isinstance(event, TournamentOpened):
        raise InvalidLog(
            phrase("{where}: line 1: a log begins with TournamentOpened", where=source.where)
        )
    return event
