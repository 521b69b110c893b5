"""Where the text of a ruleset or format comes from: a folder of the program, or a user's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import InvalidRuleset, NotFound
from ledger.files.access import first_bytes
from ledger.rulesets.words import nearest

if TYPE_CHECKING:
    from pathlib import Path


def keys_in(folder: Path) -> tuple[str, ...]:
    """List the keys of a folder's files, in alphabetical order."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def text_in(folder: Path, key: str, what: str) -> str:
    """Read the whole text of a folder's file; `what` names the kind of file in a refusal.

    Raises:
        NotFound: there is none of that key.
    """
    known = keys_in(folder)
    if key not in known:
        raise NotFound(f"no {what} {key!r}; {nearest(key, known)}")
    return (folder / f"{key}.toml").read_bytes().decode()


def read_text(path: Path, bytes_max: int) -> str:
    """Read a user's file whole, unless it is longer than `bytes_max`.

    Raises:
        NotFound: the file can not be read.
        InvalidRuleset: it is too long, or no UTF-8 text.
    """
    try:
        data = first_bytes(path, bytes_max + 1)
    except OSError as error:
        raise NotFound(f"{path} can not be read: {error.strerror}") from None
    if len(data) > bytes_max:
        raise InvalidRuleset(f"{path} is longer than {bytes_max:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidRuleset(f"{path} is no UTF-8 text at byte {error.start + 1}") from None
