"""Where logs come from: files, folders of them, and stores, each line as it was written."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import InvalidLog
from ledger.errors import NotFound
from ledger.exchange import read_log
from ledger.exchange.names import is_names
from ledger.exchange.replaying import replay_lines
from ledger.filekinds import STORE
from ledger.files import kind_at
from ledger.reading import taken
from ledger.store import open_store
from projections.standings import ranking

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Sequence

    from ledger.state import Tournament
    from ledger.store import Store

    Held = Callable[[str, Sequence[bytes]], None]
    HeldAt = Callable[[str, str, Sequence[bytes]], None]


class FileLog:
    """A log in a file: whoever wrote it, so every line is held to the rules."""

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path
        self._names: list[bytes] = []

    @property
    def size(self) -> int:
        """How many bytes the file has; 0 where nobody can say."""
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def lines(self) -> list[bytes]:
        """Its lines, without their newlines; the keys of names in a last line are no event.

        Raises:
            LedgerError: it can not be read.
        """
        lines = list(read_log(self._path))
        self._names = [lines.pop()] if lines and is_names(lines[-1]) else []
        return lines

    def checked(self, lines: Iterable[bytes]) -> Tournament:
        """Fold the lines, each held to the rules that hold for writing it.

        Raises:
            InvalidLog: the first line that is wrong, and why.
        """
        return replay_lines(self.where, chain(lines, self._names), ranking).tournament


class StoredLog:
    """A log in a store, where every line was admitted as it was written."""

    def __init__(self, store: Store, stream: str, held: Held) -> None:
        self.where = f"{stream[:8]} of {store.where}"
        self._store = store
        self._stream = stream
        self._held = held

    def lines(self) -> list[bytes]:
        """Its lines so far; what is written meanwhile is for the next time.

        Raises:
            InvalidLog: they are not those that were signed.
        """
        lines = self._store.lines(self._stream)
        try:
            self._held(self._stream, lines)
        except InvalidLog as error:
            raise InvalidLog(f"{self.where}: {error}") from None
        return lines

    def checked(self, lines: Iterable[bytes]) -> Tournament:
        """Fold the lines.

        Raises:
            InvalidLog: they make no sense: the store is damaged.
        """
        try:
            return taken(lines)
        except InvalidLog as error:
            raise InvalidLog(f"{self.where} is damaged: {error}") from None


Source = FileLog | StoredLog


def unsigned(_location: str, _stream: str, _lines: Sequence[bytes]) -> None:
    """Take the lines of a store as they are: nothing is kept of a signed head."""


def sources_of(places: Iterable[str], held: HeldAt = unsigned) -> Iterator[Source]:
    """Yield every log of files, folders (their `*.jsonl`, by name) and stores.

    `held` is given the place of a store, a tournament and its lines, and raises InvalidLog where
    they are not those that its head was signed for.

    Raises:
        NotFound: there is no such place, or a folder has no log.
        StoreUnavailable: a store gives no answer.
    """
    for place in places:
        if "://" in place:
            yield from _stored(place, held)
        elif Path(place).is_dir():
            yield from _in_folder(Path(place))
        elif _is_store(Path(place)):
            yield from _stored(place, held)
        else:
            yield FileLog(Path(place))


def _in_folder(folder: Path) -> Iterator[Source]:
    found = sorted(folder.rglob("*.jsonl"))
    if not found:
        raise NotFound(f"there is no log (*.jsonl) in {folder}")
    yield from map(FileLog, found)


def _is_store(path: Path) -> bool:
    try:
        return kind_at(path) == STORE
    except OSError:
        raise NotFound(f"there is no log, folder or store {path}") from None


def _stored(location: str, held: HeldAt) -> Iterator[Source]:
    store = open_store(location, create=False)
    streams = store.streams()
    if not streams:
        raise NotFound(f"{store.where} holds no tournament yet")
    yield from (StoredLog(store, stream, partial(held, location)) for stream in streams)
