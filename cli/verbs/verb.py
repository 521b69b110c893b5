"""A verb: the words that are typed, the function that answers them, and a line of help."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.outside import STORE, Touches

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

    touches: Touches = STORE
    """What of the machine it touches, apart from the files that its line names."""

    def touching(self, touches: Touches) -> Verb:
        """Return the verb as one that touches exactly this."""
        return self._replace(touches=touches)


def reads(module: str, summary: str, function: str = "") -> Verb:
    """Return a verb that writes to no log."""
    return Verb(module, summary, function, writes=False)


def touched_by(verb: Verb) -> Touches:
    """Return all that a verb touches, with the files that its parameters name."""
    from cli.input.file_names import InFile
    from cli.input.options import files_in

    touches = verb.touches
    for kind in files_in(function_of(verb)).values():
        touches |= Touches.FILES_IN if kind is InFile else Touches.FILES_OUT
    return touches


def function_of(verb: Verb) -> Callable[..., None]:
    """Import the function that answers a verb."""
    from importlib import import_module

    function: Callable[..., None] = getattr(import_module(verb.module), verb.function)
    return function
