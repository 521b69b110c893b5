"""Every event by its name, what taking it back means, and the forms that it has had.

What is true of a type is in its class: who may record it, when, and how it is taken back.
`EVENTS` names each type as a line has it. A line once written stays readable: a type gains
optional members alone, or a next version (`ResultReported@2`, by `version = 2` in its class). Then
the struct of the version before goes to `OLDER`, with a function that makes today's event of it:
lines are read and checked as they stand, and all that looks at events meets today's types alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ledger.events import (
    clock,
    components,
    disputes,
    draws,
    elimination,
    keys,
    lists,
    office,
    opening,
    people,
    results,
    rounds,
    setups,
    undo,
)
from ledger.events.base import Event, Meaning

_THEMES = (
    opening,
    people,
    draws,
    rounds,
    results,
    disputes,
    elimination,
    lists,
    office,
    clock,
    setups,
    components,
    undo,
    keys,
)

EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {
        kind.__name__ + (f"@{kind.version}" if kind.version > 1 else ""): kind
        for theme in _THEMES
        for kind in vars(theme).values()
        if isinstance(kind, type) and kind.__module__ == theme.__name__
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
