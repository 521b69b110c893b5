"""A problem as one line for a person, and as a value for a program: with names, and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.terminal.diagnostics import ACTS, NAME_CELLS
from cli.terminal.remedies import command_of
from cli.terminal.visible import shortened, visible
from ledger.problems import Act, Official, Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.problems import One, Problem


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


def spells_itself(problem: Problem) -> bool:
    """Whether a problem is a mere sentence, with no advice."""
    return problem.text == "{text}" and not problem.remedies


def _shown(value: One, names: Mapping[str, str]) -> str:
    if isinstance(value, Act):
        return ACTS.get(value.event, value.event)
    if isinstance(value, Player) and f"p{value.number}" in names:
        name = shortened(visible(names[f"p{value.number}"]), NAME_CELLS)
        return f"{name} (#{value.number})"
    if isinstance(value, Official):
        return names.get(f"o{value.number}", str(value))
    return str(value)
