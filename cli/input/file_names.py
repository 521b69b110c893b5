"""Names of files in a line, as types of a verb's parameters: a file to read, or one to write.

The type of a parameter states that its value names something of this machine: a file, a folder, a
store, a season, a key or a policy. Such a name opens nothing by itself. The desk's `Files` turn it
into a path, and only if the desk has files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Any


class FileName:
    """The name of a file, as it was typed; empty if it was left out."""

    __slots__ = ("typed",)

    def __init__(self, typed: str) -> None:
        self.typed = typed

    def __str__(self) -> str:
        """Return the name for a message."""
        return self.typed

    @property
    def name(self) -> str:
        """The last part of the name, without its folders."""
        return PurePath(self.typed).name

    def __repr__(self) -> str:
        """Return the name with its type."""
        return f"{type(self).__name__}({self.typed!r})"

    def __bool__(self) -> bool:
        """Return whether a file was named."""
        return bool(self.typed)

    def __eq__(self, other: object) -> bool:
        """Return whether the other is the same name, for the same use."""
        return type(other) is type(self) and str(other) == self.typed

    def __hash__(self) -> int:
        """Return the hash of the name."""
        return hash(self.typed)


class InFile(FileName):
    """The name of a file or folder that a verb reads."""

    __slots__ = ()


class OutFile(FileName):
    """The name of a file or folder that a verb writes, and perhaps reads before."""

    __slots__ = ()

    def within(self, name: str) -> OutFile:
        """Return a file of this folder."""
        return OutFile(str(PurePath(self.typed, name)))

    def followed_by(self, ending: str) -> OutFile:
        """Return the file next to this one that has its name and a further ending."""
        path = PurePath(self.typed)
        return OutFile(str(path.with_name(path.name + ending)))


NO_INPUT = InFile("")
NO_OUTPUT = OutFile("")

AS_TYPED: Mapping[Any, tuple[type[FileName], Any]] = MappingProxyType(
    {
        InFile: (InFile, str),
        InFile | None: (InFile, str | None),
        list[InFile]: (InFile, list[str]),
        list[InFile] | None: (InFile, list[str] | None),
        OutFile: (OutFile, str),
        OutFile | None: (OutFile, str | None),
    }
)
"""The types that name files, and by each: what a value becomes, and how the parser reads it."""


def named(kind: type[FileName], typed: Any) -> Any:  # noqa: ANN401 - a text, texts or None
    """Return what was typed for a parameter as names of files."""
    if isinstance(typed, str):
        return kind(typed)
    return None if typed is None else [kind(word) for word in typed]


def as_typed(value: Any) -> Any:  # noqa: ANN401 - the default of any parameter
    """Return a parameter's default as the parser reads it."""
    return value.typed if isinstance(value, FileName) else value
