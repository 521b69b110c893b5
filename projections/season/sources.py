"""Where logs come from: files, folders of them, and stores, each line as it was written."""

from __future__ import annotations

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
from ledger.fold import fold_lines
from ledger.store import open_store
from projections.standings import ranking

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator

    from ledger.state import Tournament
    from ledger.store import Store


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

    def __init__(self, store: Store, stream: str) -> None:
        self.where = f"{stream[:8]} of {store.where}"
        self._store = store
        self._stream = stream

    def lines(self) -> list[bytes]:
        """Its lines so far; what is written meanwhile is for the next time."""
        return self._store.lines(self._stream)

    def checked(self, lines: Iterable[bytes]) -> Tournament:
        """Fold the lines.

        Raises:
            InvalidLog: they make no sense: the store is damaged.
        """
        try:
            return fold_lines(lines)
        except Exception as error:  # noqa: BLE001 - a damaged line can break anything
            raise InvalidLog(f"{self.where} is damaged: {error}") from None


Source = FileLog | StoredLog


def sources_of(places: Iterable[str]) -> Iterator[Source]:
    """Yield every log of files, folders (their `*.jsonl`, by name) and stores.

    Raises:
        NotFound: there is no such place, or a folder has no log.
        StoreUnavailable: a store gives no answer.
    """
    for place in places:
        if "://" in place:
            yield from _stored(place)
        elif Path(place).is_dir():
            yield from _in_folder(Path(place))
        elif _is_store(Path(place)):
            yield from _stored(place)
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


def _stored(location: str) -> Iterator[Source]:
    store = open_store(location, create=False)
    streams = store.streams()
    if not streams:
        raise NotFound(f"{store.where} holds no tournament yet")
    yield from (StoredLog(store, stream) for stream in streams)
