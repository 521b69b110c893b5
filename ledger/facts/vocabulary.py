"""Every event by its name, what taking it back means, and the forms that it has had.

What is true of a type is in its class: who may record it, when, and how it is taken back.
`EVENTS` names each type as a line has it. A line once written stays readable: a type gains
optional members alone, or a next version (`ResultReported@2`, by `version = 2` in its class). Then
the struct of the version before goes to `OLDER`, with a function that makes today's event of it:
lines are read and checked as they stand, and all that looks at events meets today's types alone.

Lines are read by this table, and it is made of the themes: a theme imports `ledger.lines.recorded`
for annotations alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from ledger.facts.base import Event, Meaning

_OF_PLAY = ("opening", "people", "draws", "rounds", "results", "disputes", "elimination", "lists")
_OF_THE_FLOOR = ("office", "clock", "setups", "components")
THEMES = (*_OF_PLAY, *_OF_THE_FLOOR, "undo", "keys")
"""Subjects of `ledger.facts` and `ledger.rules`, which have a module for each."""

_MODULES = [import_module(f"ledger.facts.{name}") for name in ("shared", *THEMES)]
EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {
        kind.__name__ + (f"@{kind.version}" if kind.version > 1 else ""): kind
        for module in _MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
        if issubclass(kind, Event) and not issubclass(kind, Meaning)
    }
)
"""Every event by its name in a line."""

MEANINGS: Mapping[type[Event], type[Meaning]] = MappingProxyType(
    {kind: meaning for meaning in Meaning.__subclasses__() for kind in meaning.takes_back}
)
"""What taking an event back comes to, by its type; acts of the floor mean what they say."""


class Older(NamedTuple):
    """A version of an event that earlier releases wrote, and what makes today's event of it."""

    kind: type[Event]
    now: Callable[[Any], Event]


OLDER: Mapping[str, Older] = MappingProxyType({})
"""The earlier versions of events, by their names in a line."""


def names_of(kind: type[Event]) -> list[str]:
    """Return the names that a type has in lines, with those of its earlier versions."""
    return [name for name in (*EVENTS, *OLDER) if name.partition("@")[0] == kind.__name__]


FUNCTIONS: Mapping[type[Event], str] = MappingProxyType(
    {
        kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
        for kind in (*EVENTS.values(), *MEANINGS.values())
    }
)
"""The name of each event type's function in a theme: `round_paired` for `RoundPaired`."""


def functions(package: str, prefix: str = "") -> dict[type[Event], Callable[..., Any]]:
    """Return a package's function for each event type that has one, with a prefix to its name."""
    modules = [vars(import_module(f"{package}.{theme}")) for theme in THEMES]
    return {
        kind: module[prefix + name]
        for kind, name in FUNCTIONS.items()
        for module in modules
        if prefix + name in module
    }
