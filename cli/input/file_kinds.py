"""A file that was given to the wrong verb, and the verb that takes it."""

from __future__ import annotations

from pathlib import Path

from ledger.errors import InvalidLog, NotFound
from ledger.files.access import kind_at
from ledger.files.kinds import KINDS


def refuse_other_kinds(file: str, verb: str) -> None:
    """Refuse a file that another verb takes, before a store is made for it.

    Raises:
        NotFound: there is no such file, or it is a folder.
        InvalidLog: it is for another verb; the text says which.
    """
    if Path(file).is_dir():
        raise NotFound(f"{file} is a directory: name the file in it")
    try:
        found = kind_at(Path(file))
    except FileNotFoundError:
        raise NotFound(f"there is no file {file}") from None
    except OSError:
        return  # whoever reads it says why it can not be read
    if found and verb not in KINDS[found][1].verbs:
        kind = KINDS[found][1]
        raise InvalidLog(f"{file} is {kind.name}: use `{kind.command.format(file=file)}`")
