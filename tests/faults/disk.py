"""What a disk may show after a power cut, under no more than POSIX promises.

A file's bytes are safe once the file was synced; its name once its folder was. Until then each
write, each change of size and each change of a name is kept or lost on its own, a write may be
torn at 512 bytes, and what is lost of it may be garbage. A rename within a folder is one change.
"""

from __future__ import annotations

import os
from os.path import normpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

SECTOR = 512
VANISHING = "-shm"
"""What SQLite makes again after a crash, and writes through memory."""


class Call(NamedTuple):
    """A call as `shim.c` writes it down; `other` is what `path` was renamed to."""

    name: str
    inode: int
    offset: int
    data: bytes
    is_new: bool
    path: str
    other: str
    size: int
    """How many bytes of the log it takes."""


class Change(NamedTuple):
    """Bytes written to a file at a place or, without any, its new size."""

    place: int
    data: bytes | None


class File(NamedTuple):
    """A file's bytes that are safe, and what was done to it since."""

    safe: bytes = b""
    changes: tuple[Change, ...] = ()


class Naming(NamedTuple):
    """A change of a folder: `name` is from now on this file, or nothing; `gone` is no name more."""

    name: str
    file: int | None
    gone: str = ""


class Folder(NamedTuple):
    """A folder's names that are safe, and how they were changed since."""

    safe: tuple[tuple[str, int | None], ...] = ()
    changes: tuple[Naming, ...] = ()


FOLDER = None
"""In the place of a file's number: the name is a folder's."""

NOTHING = -1
"""In the place of a file's number: there is nothing of that name."""


class Disk:
    """Files and folders with what is safe of them; what is found at a moment never changes."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: dict[int, File] = {}
        self.folders: dict[str, Folder] = {root: Folder()}
        self._numbers: dict[int, int] = {}

    def copy(self) -> Disk:
        """Return this moment of the disk."""
        other = Disk(self.root)
        other.files, other.folders = dict(self.files), dict(self.folders)
        return other

    def is_unsafe(self) -> bool:
        """Tell whether a power cut has something to choose."""
        files = any(each.changes for each in self.files.values())
        return files or any(each.changes for each in self.folders.values())

    def follow(self, call: Call) -> bool:
        """Do what a call did; false for one that changes nothing on the disk."""
        if call.path.endswith(VANISHING):
            return False
        if call.name == "open":
            return self._opened(call)
        done = {
            "write": self._written,
            "truncate": self._written,
            "sync": self._synced,
            "rename": self._renamed,
            "link": self._linked,
            "unlink": self._unlinked,
            "mkdir": self._folder_made,
        }
        return done[call.name](call)

    def _opened(self, call: Call) -> bool:
        if call.is_new:
            self._numbers[call.inode] = len(self.files)
            self._name(call.path, len(self.files))
            self.files[len(self.files)] = File()
        return call.is_new

    def _written(self, call: Call) -> bool:
        number = self._numbers.get(call.inode)
        if number is None:
            return False
        file = self.files[number]
        change = Change(call.offset, call.data if call.name == "write" else None)
        self.files[number] = file._replace(changes=(*file.changes, change))
        return True

    def _synced(self, call: Call) -> bool:
        folder, number = self.folders.get(call.path), self._numbers.get(call.inode)
        if folder is not None:
            safe = dict(folder.safe)
            _rename(safe, folder.changes)
            self.folders[call.path] = Folder(tuple(safe.items()))
        elif number is not None:
            file = self.files[number]
            self.files[number] = File(bytes(_changed(file.safe, file.changes)))
        return folder is not None or number is not None

    def _renamed(self, call: Call) -> bool:
        source, target = PurePosixPath(call.path), PurePosixPath(call.other)
        if source.parent != target.parent:
            raise ValueError(f"renamed to another folder: {call.path} to {call.other}")
        number = self.names(str(source.parent)).get(source.name, NOTHING)
        self._name(call.other, number, gone=source.name)
        return True

    def _linked(self, call: Call) -> bool:
        source = PurePosixPath(call.path)
        self._name(call.other, self.names(str(source.parent))[source.name])
        return True

    def _unlinked(self, call: Call) -> bool:
        self._name(call.path, NOTHING)
        return True

    def _folder_made(self, call: Call) -> bool:
        self._name(call.path, FOLDER)
        self.folders[call.path] = Folder()
        return True

    def _name(self, path: str, number: int | None, gone: str = "") -> None:
        place = PurePosixPath(path)
        folder = self.folders[str(place.parent)]
        change = Naming(place.name, number, gone)
        self.folders[str(place.parent)] = folder._replace(changes=(*folder.changes, change))

    def names(self, path: str) -> dict[str, int | None]:
        """Return what a folder shows while the power is on."""
        folder = self.folders[path]
        shown = dict(folder.safe)
        _rename(shown, folder.changes)
        return shown


def _rename(names: dict[str, int | None], changes: Iterable[Naming]) -> None:
    for name, number, gone in changes:
        names.pop(gone, None)
        if number == NOTHING:
            names.pop(name, None)
        else:
            names[name] = number


def _changed(safe: bytes, changes: Iterable[Change]) -> bytearray:
    data = bytearray(safe)
    for place, written in changes:
        if written is None:
            data[place:] = bytes(max(0, place - len(data)))
        else:
            data += bytes(max(0, place - len(data)))
            data[place : place + len(written)] = written
    return data


class Cut:
    """A power cut: of each change it decides what is left."""

    def __init__(self, chance: random.Random, *, files: float, names: float, torn: float) -> None:
        """`files`, `names`: how often a change is kept; `torn`: how often one is so in part."""
        self._chance = chance
        self._files, self._names, self._torn = files, names, torn

    def tree(self, disk: Disk) -> dict[str, bytes | None]:
        """Return what the disk shows: the bytes of each file by its path, None for a folder."""
        left: dict[int, bytes] = {}
        return dict(self._in(disk, disk.root, "", left))

    def _in(
        self, disk: Disk, path: str, shown: str, left: dict[int, bytes]
    ) -> Iterator[tuple[str, bytes | None]]:
        folder = disk.folders[path]
        names = dict(folder.safe)
        _rename(names, [each for each in folder.changes if self._chance.random() < self._names])
        for name, number in names.items():
            if number is FOLDER:
                yield f"{shown}{name}", None
                yield from self._in(disk, f"{path}/{name}", f"{shown}{name}/", left)
            else:
                if number not in left:
                    left[number] = self._left_of(disk.files[number])
                yield f"{shown}{name}", left[number]

    def _left_of(self, file: File) -> bytes:
        changes: list[Change] = []
        for change in file.changes:
            if self._chance.random() < self._torn:
                changes += self._torn_from(change)
            elif self._chance.random() < self._files:
                changes.append(change)
        if self._chance.random() < self._torn:
            self._chance.shuffle(changes)
        return bytes(_changed(file.safe, changes))

    def _torn_from(self, change: Change) -> Iterator[Change]:
        """What is left of a change, sector by sector: written, as it was, or garbage."""
        if change.data is None:
            return
        place, end = change.place, change.place + len(change.data)
        if self._chance.random() < self._torn:
            yield Change(max(place, end - 1), b"\0")  # the size alone
        while place < end:
            stop = min(end, (place // SECTOR + 1) * SECTOR)
            fate = self._chance.randrange(4)
            if fate < 2:
                yield Change(place, change.data[place - change.place : stop - change.place])
            elif fate == 2:
                yield Change(place, self._chance.randbytes(stop - place))
            place = stop


def calls_in(log: Path) -> Iterator[Call]:
    """Read what the shim wrote down."""
    data = log.read_bytes()
    place = 0
    while place < len(data):
        end = data.index(b"\n", place)
        name, inode, offset, length, is_new, path, other = data[place:end].decode().split("\t")
        begun, place = place, end + 1 + int(length)
        written, size = data[end + 1 : place], place - begun
        paths = (normpath(path), normpath(other))
        yield Call(name, int(inode), int(offset), written, is_new == "1", *paths, size)


def read_tree(folder: Path) -> dict[str, bytes | None]:
    """Read all files of a folder, as `write_tree` writes them."""
    tree: dict[str, bytes | None] = {}
    for above, folders, names in os.walk(folder):
        within = f"{above[len(str(folder)) + 1 :]}/".lstrip("/")
        tree |= dict.fromkeys(f"{within}{name}" for name in folders)
        for name in names:
            with open(f"{above}/{name}", "rb") as file:  # noqa: PTH123 - a Path costs more than the file
                tree[f"{within}{name}"] = file.read()
    return tree


def write_tree(tree: Mapping[str, bytes | None], folder: Path) -> None:
    """Put a tree of files into an empty folder, for their owner alone."""
    for name, data in tree.items():
        path = f"{folder}/{name}"
        if data is None:
            os.mkdir(path, 0o700)  # noqa: PTH102 - as above
            continue
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(data)
