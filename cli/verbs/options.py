"""Words, options and flags of a verb, as Typer reads them."""

from __future__ import annotations

from typing import Any

from typer import Argument, Option


def word(metavar: str, text: str = "") -> Any:  # noqa: ANN401 - as Typer types it
    """Describe a word of the line."""
    return Argument(metavar=metavar, help=text or None)


def option(metavar: str, text: str, *spelled: str) -> Any:  # noqa: ANN401 - as above
    """Describe an option with a value; it is spelled like its parameter, where nothing else is."""
    return Option(*spelled, metavar=metavar, help=text)


def flag(spelled: str, text: str) -> Any:  # noqa: ANN401 - as above
    """Describe an option without a value."""
    return Option(spelled, help=text)
