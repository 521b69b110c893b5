"""What a folder holds of its events: lines, secrets, keys, heads, and files that were given out."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.machine.checkpoint_file import CheckpointFile
from ledger.books.forgetting import covered
from ledger.books.open_log import taken
from ledger.errors import LedgerError
from ledger.lines.line import decode
from ledger.lines.sealing import Seals
from ledger.store.sqlite import SQLiteStore
from projections.season.league import League

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

STORES = ("tourney.db", "other.db")
LEAGUE = "league.db"
WITNESS = "witness.db"
ANSWERS = ".tourney-answers"
KEYS = ".tourney-keys"
NOT_FILES = (f"{KEYS}/checkpoints", f"{KEYS}/seen")
"""The folders whose files are not compared: heads are looked into, and a memory may begin again."""
DERIVED = (".lock", ".part", "-journal", "-wal", "-shm", ".hashes")
"""The ends of names whose files nobody was promised; `.hashes` of an export is looked at."""


class Unsound(Exception):  # noqa: N818 - what the folder is
    """Something in a folder is corrupt, or cannot be opened though it was there."""


class Found(NamedTuple):
    """What is there, by store and tournament or by file."""

    lines: dict[tuple[str, str], list[bytes]]
    secrets: dict[tuple[str, str], dict[str, bytes]]
    heads: dict[tuple[str, str], int]
    files: dict[str, bytes]
    people: list[tuple[object, ...]]
    answers: set[tuple[object, ...]]
    """What ids were answered that no log can answer again."""

    def ids(self) -> Iterator[str]:
        """The ids of the acts on record, one for each act."""
        for lines in self.lines.values():
            last = ""
            for line in lines:
                act = decode(line).command_id
                if act != last:
                    yield act
                last = act


NOTHING = Found({}, {}, {}, {}, [], set())


def look(folder: Path, before: Found = NOTHING) -> Found:
    """Open everything in a folder as the program does.

    Raises:
        Unsound: it is corrupt, or what `before` has cannot be opened.
    """
    found = Found({}, {}, {}, {}, [], set())
    try:
        for name in STORES:
            if (folder / name).exists() and _is_store(folder / name, before):
                _look_into(folder / name, found)
        found.files.update(_files(folder))
        found.people.extend(_rows(folder / LEAGUE, "SELECT * FROM persons", "SELECT * FROM acts"))
        found.people.extend(_rows(folder / KEYS / WITNESS, "SELECT * FROM heads"))
        found.answers.update(_rows(folder / ANSWERS, "SELECT id, line, answer FROM answers"))
    except (LedgerError, OSError, sqlite3.Error, ValueError) as error:
        raise Unsound(f"{type(error).__name__}: {error}") from error
    return found


def _is_store(path: Path, before: Found) -> bool:
    """Open a store whose first act was under way: it may be no store yet, and says so."""
    if any(name == path.name for name, _ in before.lines):
        return True
    try:
        SQLiteStore(str(path), create=False).close()
    except LedgerError:
        return False
    return True


def _look_into(path: Path, found: Found) -> None:
    for each in (path, path.with_name(f"{path.name}-vault")):
        _check_database(each)
    with SQLiteStore(str(path), create=False) as store:
        for stream in store.streams():
            lines = store.lines(stream)
            if len(lines) != store.size(stream):
                raise Unsound(f"{path.name} holds {len(lines)} lines of {store.size(stream)}")
            items = store.vault_items(stream)
            _open_texts(stream, tuple(lines), tuple(items.items()))
            signed = CheckpointFile(stream, path.parent / ".tourney-keys")
            kept = signed.read()
            if kept is not None:
                signed.check(kept, lines)
            place = (path.name, stream)
            found.lines[place], found.secrets[place] = lines, items
            found.heads[place] = kept.size if kept is not None else 0


@lru_cache(1_000)
def _open_texts(stream: str, lines: tuple[bytes, ...], keys: tuple[tuple[str, bytes], ...]) -> None:
    """Hold a log to its rules, and to its keys: every text opens, but of the forgotten."""
    tournament = taken(lines)
    seals = Seals(stream, dict(keys))
    recorded = [decode(line, seals.open) for line in lines]
    if seals.damaged or not seals.unopened <= covered(recorded, tournament):
        raise Unsound(f"of {stream} these keys are lost: {sorted(seals.unopened)}")


_sound: set[tuple[bytes, ...]] = set()
_read: dict[tuple[bytes, ...], list[tuple[object, ...]]] = {}
"""Databases that were looked at before: what is in them follows from these bytes alone."""

SEEN_MAX = 2_000


def _bytes_of(path: Path) -> tuple[bytes, ...]:
    """The bytes of a database and of what belongs to it."""
    beside = (Path(f"{path}{ending}") for ending in ("", "-wal", "-journal"))
    return tuple(sha256(each.read_bytes()).digest() if each.exists() else b"" for each in beside)


def _check_database(path: Path) -> None:
    seen = _bytes_of(path)
    if not path.exists() or seen in _sound:
        return
    with closing(sqlite3.connect(path)) as database:
        (said,) = database.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise Unsound(f"{path.name}: {said}")
    if len(_sound) > SEEN_MAX:
        _sound.clear()
    _sound.add(seen)


def _rows(path: Path, *queries: str) -> list[tuple[object, ...]]:
    """Read tables; none where the file is not there, or not made yet."""
    if not path.exists():
        return []
    seen = _bytes_of(path)
    if seen not in _read:
        _read[seen] = list(_rows_in(path, queries))
    return _read[seen]


def _rows_in(path: Path, queries: Iterable[str]) -> Iterator[tuple[object, ...]]:
    _check_database(path)
    with closing(sqlite3.connect(path)) as database:
        (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        for query in queries if tables else ():
            yield from database.execute(query)
    if path.name == LEAGUE and tables:
        League(path).close()


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Keys, what was given out, and what the folder has in hand."""
    for above, _, names in os.walk(folder):
        within = above[len(str(folder)) + 1 :]
        for name in () if within.endswith(NOT_FILES) else names:
            is_database = name in {*STORES, LEAGUE, WITNESS, ANSWERS} or "-vault" in name
            is_draft = name.startswith(".") and name[-1:].isdigit()
            is_derived = name.endswith(DERIVED) and not name.startswith("night")
            if not (is_database or is_draft or is_derived):
                shown = f"{within}/{name}" if within else name
                yield shown, Path(above, name).read_bytes()


def problems(before: Found, after: Found, found: Found, *, exact: bool = True) -> Iterator[str]:
    """Say what is lost of `before`, while what leads from there to `after` was under way.

    Where it is not `exact`, what was under way was done again, and drew other keys than `after`.
    """
    after = after if exact else _without_the_new(before, after, found)
    yield from _lines_lost(before, after, found)
    yield from _secrets_lost(before, after, found)
    for place, size in before.heads.items():
        if found.heads.get(place, 0) < size:
            yield f"the head of {size} events of {place} is {found.heads.get(place, 0)}"
    yield from _files_lost(before.files, after.files, found.files)
    known = {name for name in before.files if name.startswith(KEYS)}
    keys = set(found.files.values())
    for name in sorted(known):
        if before.files[name] not in keys:
            yield f"the key {name} is lost"
    if found.people not in (before.people, after.people):
        yield f"the league has {found.people}, not {before.people}"
    if not before.answers <= found.answers:
        yield f"answers are lost: {before.answers - found.answers}"


def _without_the_new(before: Found, after: Found, found: Found) -> Found:
    """Take from what is found whatever the act changes; what it leaves alone is as `after`."""
    files = {
        name: found.files.get(name, data) if data != before.files.get(name) else data
        for name, data in after.files.items()
    }
    files |= {name: data for name, data in found.files.items() if name not in before.files}
    people = found.people if before.people != after.people else before.people
    secrets = {
        place: {name: secret for name, secret in secrets.items() if name in before.secrets[place]}
        for place, secrets in after.secrets.items()
        if place in before.secrets
    }
    return Found(found.lines, secrets, after.heads, files, people, found.answers)


def _lines_lost(before: Found, after: Found, found: Found) -> Iterator[str]:
    for place in {**before.lines, **found.lines}:
        had, has = before.lines.get(place, []), found.lines.get(place, [])
        if has[: len(had)] != had:
            yield f"{place} has {len(has)} lines, and {len(had)} were acknowledged"
        elif has != after.lines.get(place, has)[: len(has)]:
            yield f"{place} has lines that nobody wrote"


def _secrets_lost(before: Found, after: Found, found: Found) -> Iterator[str]:
    """What an act that is under way takes away may be gone; what its lines need is there."""
    for place, secrets in before.secrets.items():
        later = after.secrets.get(place, {})
        is_done = found.lines.get(place) == after.lines.get(place)
        for name, secret in {**secrets, **(later if is_done else {})}.items():
            stays = later.get(name) == secret
            if stays and found.secrets.get(place, {}).get(name) != secret:
                yield f"the secret {name} of {place} is lost"


def _files_lost(
    before: Mapping[str, bytes], after: Mapping[str, bytes], found: Mapping[str, bytes]
) -> Iterator[str]:
    """A file is there as it was or as it will be, whole."""
    for name in {**before, **after}:
        right = {before.get(name), after.get(name)}
        if found.get(name) not in right and not _was_renamed(name, before, after, found):
            yield f"{name} is {'damaged' if name in found else 'lost'}"


def _was_renamed(
    name: str, before: Mapping[str, bytes], after: Mapping[str, bytes], found: Mapping[str, bytes]
) -> bool:
    """A key that gives way to the next one is, for a moment, under its new name alone."""
    is_key = name.startswith(KEYS) and before.get(name) != after.get(name)
    return is_key and name not in found and before[name] in found.values()


def once(acts: Iterable[str], act: str) -> bool:
    """Tell whether an act is on record, and no more than once."""
    return list(acts).count(act) == 1
