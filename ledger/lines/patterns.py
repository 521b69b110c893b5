"""Texts that follow a pattern: which texts of an event do not follow the pattern of their type.

The patterns are found by the mark on the types (`ledger.facts.base.FORM`): in structs, in both
parts of a dict, and in every item of a tuple. A check names the place of each text; a fit answers
only whether there is such a place, in a third of the time. Both follow from the same declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from ledger.facts.base import FORM, Event
from ledger.problems import Phrase, phrase

TEXTS_KEPT = 4_096
"""Texts that are kept in mind as fitting a pattern or not: a log has few labels, many times."""

Check = Callable[[Any, str], Iterator[str]]
"""Yields the place of each text in a value that does not follow its pattern."""


def misshapen(event: Event) -> Iterator[Phrase]:
    """Yield what is wrong with each text of an event that does not follow its pattern."""
    check = _check_of(type(event))
    if check is not None:
        for place in check(event, "data"):
            yield phrase("a text not in the format of its field - at `{place}`", place=place)


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
    pattern = _pattern_of(metadata)
    if pattern is None:
        return None
    return lambda text, place: iter(() if _fits(pattern, text) else (place,))


def _pattern_of(metadata: tuple[object, ...]) -> str | None:
    for meta in metadata:
        if isinstance(meta, Meta) and meta.extra and FORM in meta.extra:
            pattern: str = meta.extra[FORM]
            return pattern
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


Fit = Callable[[Any], bool]
"""Whether every text in a value follows its pattern."""


def fits(event: Event) -> bool:
    """Return whether `misshapen` finds nothing wrong with an event."""
    fit = _fit_of(type(event))
    return fit is None or fit(event)


@cache
def _fit_of(kind: Any) -> Fit | None:  # noqa: ANN401 - any annotation
    """Return what answers for a value of this type; None if it can hold no text with a pattern."""
    origin, members = get_origin(kind), get_args(kind)
    if origin is Annotated:
        pattern = _pattern_of(kind.__metadata__)
        return _fit_of(members[0]) if pattern is None else partial(_fits, pattern)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _fit_of_struct(kind)
    if origin is dict:
        return _fit_of_dict(*map(_fit_of, members))
    if origin is tuple:
        return _fit_of_tuple(members)
    if origin in {Union, UnionType} and (check := _check_of(kind)) is not None:
        return lambda value: value is None or next(check(value, ""), None) is None
    return None


def _fit_of_struct(kind: type[Struct]) -> Fit | None:
    hints = get_type_hints(kind, include_extras=True)
    members = [
        (name, get_origin(hints[name]) in {dict, tuple}, fit)
        for name in kind.__struct_fields__
        if (fit := _fit_of(hints[name]))
    ]

    def fits_in(value: Struct) -> bool:
        for name, has_items, fit in members:
            member = getattr(value, name)
            if (member or not has_items) and not fit(member):
                return False
        return True

    return fits_in if members else None


def _fit_of_dict(keys: Fit | None, values: Fit | None) -> Fit | None:
    if keys is None and values is None:
        return None
    return lambda value: (
        (keys is None or all(map(keys, value)))
        and (values is None or all(map(values, value.values())))
    )


def _fit_of_tuple(members: tuple[Any, ...]) -> Fit | None:
    if members[1:] == (Ellipsis,):
        every = _fit_of(members[0])
        return every and (lambda value: not value or all(map(every, value)))
    places = [(number, fit) for number, member in enumerate(members) if (fit := _fit_of(member))]

    def fits_in(value: tuple[Any, ...]) -> bool:
        for number, fit in places:  # noqa: SIM110 - as above
            if not fit(value[number]):
                return False
        return True

    return fits_in if places else None
