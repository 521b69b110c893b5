"""Where an event holds text about people: names, and everything that is typed freely.

Found by the mark on the types (`ledger.events.base`), so that a new event's text is treated like
any other. Each text has a path: `reason`, `waiver.reason`, `attributes.club`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from ledger.events import Event
from ledger.events.base import SEALED_UP_TO


class Place(NamedTuple):
    """Where in an event a text stands, and how long it may be, in characters."""

    path: str
    longest: int


Change = Callable[[Place, str], str]
Apply = Callable[[Any, str, Change], Any]


def changed(event: Event, change: Change) -> Event:
    """Return the event with each of its texts as `change` gives it; blank ones stay as they are.

    Blank text says that nothing was said, which rules look at; it is about nobody.
    """
    apply = _applier(type(event))
    result: Event = event if apply is None else apply(event, "", change)
    return result


def texts(event: Event) -> list[tuple[Place, str]]:
    """List the texts of an event that are not blank."""
    found: list[tuple[Place, str]] = []

    def note(place: Place, text: str) -> str:
        found.append((place, text))
        return text

    changed(event, note)
    return found


def holds_text(kind: type[Event]) -> bool:
    """Whether events of this type have a place for text about people."""
    return _applier(kind) is not None


@cache
def _applier(kind: Any) -> Apply | None:  # noqa: ANN401 - any annotation
    """What changes the texts in a value of this type; None where it can hold none."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _text_of(kind.__metadata__) or _applier(members[0])
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _struct_of(kind)
    if origin is dict:
        return _each_of_dict(_applier(members[1]))
    if origin is tuple:
        return _each_of_tuple(_applier(members[0]))
    if origin in {Union, UnionType}:
        return _unless_none([_applier(member) for member in members])
    return None


def _text_of(metadata: tuple[object, ...]) -> Apply | None:
    for meta in metadata:
        if isinstance(meta, Meta) and meta.extra and SEALED_UP_TO in meta.extra:
            longest: int = meta.extra[SEALED_UP_TO]
            return lambda text, path, change: (
                change(Place(path, longest), text) if text.strip() else text
            )
    return None


def _struct_of(kind: type[Struct]) -> Apply | None:
    hints = get_type_hints(kind, include_extras=True)
    appliers = [
        (name, apply) for name in kind.__struct_fields__ if (apply := _applier(hints[name]))
    ]
    if not appliers:
        return None

    def each(value: Struct, path: str, change: Change) -> Struct:
        made = {}
        for name, apply in appliers:
            before = getattr(value, name)
            after = apply(before, f"{path}.{name}" if path else name, change)
            if after != before:
                made[name] = after
        return msgspec.structs.replace(value, **made) if made else value

    return each


def _each_of_dict(apply: Apply | None) -> Apply | None:
    return apply and (
        lambda value, path, change: {
            label: apply(each, f"{path}.{label}", change) for label, each in value.items()
        }
    )


def _each_of_tuple(apply: Apply | None) -> Apply | None:
    return apply and (
        lambda value, path, change: tuple(
            apply(each, f"{path}.{place}", change) for place, each in enumerate(value)
        )
    )


def _unless_none(appliers: list[Apply | None]) -> Apply | None:
    known = [apply for apply in appliers if apply]
    if not known:
        return None
    (apply,) = known  # a text or a struct, or none: more is nowhere declared
    return lambda value, path, change: None if value is None else apply(value, path, change)
