"""Several files that a line names: folders, patterns and names of files."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path

from ledger.errors import NotFound
from ledger.files import kinds
from ledger.problems import phrase
from ledger.proof.heads import CHECKPOINT, HASHES


def is_many(places: Sequence[str]) -> bool:
    """Return whether places are more than one file: several, a folder, or a pattern."""
    return len(places) != 1 or Path(places[0]).is_dir() or _is_pattern(places[0])


def _is_pattern(place: str) -> bool:
    return glob.has_magic(place) and not Path(place).exists()


def files_in(places: Iterable[str]) -> list[Path]:
    """List the files of folders, patterns and names, each once, in the order in which they count.

    Hidden files are left out, and what belongs to another file: the signed head of a log, say.

    Raises:
        NotFound: a file or folder does not exist, or a folder is empty.
    """
    listed: dict[Path, Path] = {}
    for place in places:
        files = _files_at(place)
        if not files:
            raise NotFound(phrase("{place} contains no files", place=place))
        for path in files:
            listed.setdefault(path.resolve(), path)
    return list(listed.values())


def _files_at(place: str) -> list[Path]:
    path = Path(place)
    if path.is_dir():
        return _files_below(path)
    if _is_pattern(place):
        matches = sorted(map(Path, glob.glob(place, recursive=True)))  # noqa: PTH207 - may be absolute
        below = [file for match in matches if match.is_dir() for file in _files_below(match)]
        return [*(match for match in matches if match.is_file() and not _belongs(match)), *below]
    if not path.exists():
        raise NotFound(phrase("the file {file} does not exist", file=place))
    return [path]


def _files_below(folder: Path) -> list[Path]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        path
        for path in paths
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not _belongs(path)
    )


def _belongs(path: Path) -> bool:
    """Return whether a file belongs to another one, which is read together with it."""
    endings = (CHECKPOINT, HASHES, *(end for ends in kinds.BELONGING.values() for end in ends))
    return any(
        path.name.endswith(ending) and path.with_name(path.name.removesuffix(ending)).is_file()
        for ending in endings
    )
