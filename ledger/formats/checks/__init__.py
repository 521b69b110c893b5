"""The named procedures that a format's data refers to, by theme.

A new procedure is a struct in one of these modules that has findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Union

from ledger.formats.case import Check

THEMES = ["contents", "equipment", "legality", "stating"]

for theme in THEMES:
    import_module(f"{__name__}.{theme}")


def _procedures(base: type[Check]) -> Iterator[type[Check]]:
    for kind in base.__subclasses__():
        yield from _procedures(kind)
        if "findings" in vars(kind):
            yield kind


if TYPE_CHECKING:
    AnyCheck = Check
else:
    AnyCheck = Union[tuple(_procedures(Check))]  # noqa: UP007 - made of what there is

__all__ = ["AnyCheck", "Check"]
