"""Which texts of an event follow a pattern, and whether they do: asked when a line is accepted.

A line is accepted once: when it is appended, and when it comes from outside (`encode` and `read` in
`ledger.lines.line`). Every door of the program leads through one of the two. Lines of a store are
read again and again, and were accepted before, so reading them asks nothing of this.

The patterns are found by the mark on the types (`ledger.events.base.FORM`), as a new event has
them: in structs, in both parts of a dict, and in every item of a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from ledger.events import Event
from ledger.events.base import FORM

TEXTS_KEPT = 4_096
"""Texts that are kept in mind as fitting a pattern or not: a log has few labels, many times."""

Check = Callable[[Any, str], Iterator[str]]
"""Yields the place of each text in a value that does not follow its pattern."""


def misshapen(event: Event) -> Iterator[str]:
    """Yield what is wrong with each text of an event that does not follow its pattern."""
    check = _check_of(type(event))
    if check is not None:
        for place in check(event, "data"):
            yield f"a text not in its field's form - at `{place}`"


@lru_cache(TEXTS_KEPT)
def _fits(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


@cache
def _check_of(kind: Any) -> Check | None:  # noqa: ANN401 - any annotation
    """Return what checks a value of this type; None if it can hold no text with a pattern."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _of_text(kind.__metadata__) or _check_of(members[0])
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_struct(kind)
    if origin is dict:
        return _of_dict(*map(_check_of, members))
    if origin is tuple:
        return _of_tuple(members)
    if origin in {Union, UnionType}:
        return _of_union([(each, check) for each in members if (check := _check_of(each))])
    return None


def _of_text(metadata: tuple[object, ...]) -> Check | None:
    for meta in metadata:
        if isinstance(meta, Meta) and meta.extra and FORM in meta.extra:
            pattern: str = meta.extra[FORM]
            return lambda text, place: iter(() if _fits(pattern, text) else (place,))
    return None


def _of_struct(kind: type[Struct]) -> Check | None:
    hints = get_type_hints(kind, include_extras=True)
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    checks = [(name, shown, check) for name, shown in names if (check := _check_of(hints[name]))]
    if not checks:
        return None

    def check_each(value: Struct, place: str) -> Iterator[str]:
        for name, shown, check in checks:
            yield from check(getattr(value, name), f"{place}.{shown}")

    return check_each


def _of_dict(keys: Check | None, values: Check | None) -> Check | None:
    if keys is None and values is None:
        return None

    def check_each(value: dict[Any, Any], place: str) -> Iterator[str]:
        for key, each in value.items():
            if keys is not None:
                yield from keys(key, f"key in {place}")
            if values is not None:
                yield from values(each, f"{place}[...]")

    return check_each


def _of_tuple(members: tuple[Any, ...]) -> Check | None:
    if members[1:] == (Ellipsis,):
        every = _check_of(members[0])
        return every and (
            lambda value, place: (
                found
                for number, each in enumerate(value)
                for found in every(each, f"{place}[{number}]")
            )
        )
    checks = [(number, check) for number, each in enumerate(members) if (check := _check_of(each))]
    if not checks:
        return None
    return lambda value, place: (
        found for number, check in checks for found in check(value[number], f"{place}[{number}]")
    )


def _of_union(members: list[tuple[Any, Check]]) -> Check | None:
    """Return the check of the one member that can hold a pattern: the others are None or plain."""
    if not members:
        return None
    ((kind, check),) = members  # a second one is nowhere declared
    holds: Any = kind if isinstance(kind, type) else get_origin(kind)
    holds = str if holds is Annotated else holds
    return lambda value, place: check(value, place) if isinstance(value, holds) else iter(())
