"""A verb: the words that are typed, the function that answers them, and a line of help."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Verb(NamedTuple):
    """Where a verb's function is; its module is imported when the verb is typed."""

    module: str
    summary: str
    """The first line of the function's docstring."""

    function: str = ""
    """Left out in the tables where it is called as the verb's last word."""

    writes: bool = True
    """Whether it may write to a log."""

    heading: str = ""


def reads(module: str, summary: str, function: str = "") -> Verb:
    """Return a verb that writes to no log."""
    return Verb(module, summary, function, writes=False)


def function_of(verb: Verb) -> Callable[..., None]:
    """Import the function that answers a verb."""
    from importlib import import_module

    function: Callable[..., None] = getattr(import_module(verb.module), verb.function)
    return function
