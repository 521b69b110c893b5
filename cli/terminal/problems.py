"""A problem as one line for a person, and as a value for a program: with names, and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.terminal.remedies import command_of
from cli.terminal.visible import shortened, visible
from ledger.problems import Act, Official, One, Player, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.errors import LedgerError


NAME_CELLS = 60
"""How much of a name is repeated in a message."""


def lines_of(error: LedgerError, names: Mapping[str, str]) -> list[str]:
    """List an error's lines."""
    return [line_of(each, names) for each in error.problems]


def line_of(problem: Problem, names: Mapping[str, str]) -> str:
    """Return a problem's line; `names` has those of players (`p3`) and officials (`o2`)."""
    sentence = sentence_of(problem, names)
    commands = " or ".join(f"`{command_of(each)}`" for each in problem.remedies)
    return f"{sentence}; use {commands}" if commands else sentence


def sentence_of(problem: Problem, names: Mapping[str, str]) -> str:
    """Return a problem's sentence, with people by their names."""
    return problem.sentence(lambda value: _shown(value, names))


def as_json(problem: Problem, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a problem whole, with its sentence and the commands of its remedies."""
    import msgspec

    value: dict[str, Any] = msgspec.to_builtins(problem)
    for remedy, shown in zip(problem.remedies, value["remedies"], strict=True):
        shown["command"] = command_of(remedy)
    return {**value, "sentence": sentence_of(problem, names)}


def _shown(value: One, names: Mapping[str, str]) -> str:
    if isinstance(value, Act):
        return _act_in_words(value.event)
    if isinstance(value, Player) and f"p{value.number}" in names:
        name = shortened(visible(names[f"p{value.number}"]), NAME_CELLS)
        return f"{name} (#{value.number})"
    if isinstance(value, Official):
        return names.get(f"o{value.number}", str(value))
    return str(value)


def _act_in_words(kind: str) -> str:
    from ledger.events.base import Meaning
    from ledger.events.vocabulary import EVENTS

    meanings = {each.__name__: each for each in Meaning.__subclasses__()}
    known = EVENTS.get(kind) or meanings.get(kind)
    return known.recording.act if known else kind
