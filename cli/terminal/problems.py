"""A problem as one line for a person: names in the place of numbers, a remedy as a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.diagnostics import ACTS, NAME_CELLS
from cli.terminal.visible import shortened, visible
from ledger.problems import Act, Official, Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.problems import Problem, Remedy, Value


def line_of(problem: Problem, names: Mapping[str, str]) -> str:
    """Return a problem's line; `names` has those of players (`p3`) and officials (`o2`)."""
    shown = {key: _shown(value, names) for key, value in problem.about.items()}
    line = problem.text.format_map(shown)
    return f"{line}; use `{command_of(problem.remedy)}`" if problem.remedy else line


def spells_itself(problem: Problem) -> bool:
    """Whether a problem is a mere sentence."""
    return problem.text == "{text}"


def command_of(remedy: Remedy) -> str:
    """Return a remedy as it is typed."""
    words = [str(value) for key, value in remedy.about.items() if not key.startswith("with_")]
    options = [
        f"--{key.removeprefix('with_')} {value}"
        for key, value in remedy.about.items()
        if key.startswith("with_")
    ]
    return " ".join([remedy.act.replace(".", " "), *words, *options])


def _shown(value: Value, names: Mapping[str, str]) -> str:
    if isinstance(value, Act):
        return ACTS.get(value.event, value.event)
    if isinstance(value, Player) and f"p{value.number}" in names:
        name = shortened(visible(names[f"p{value.number}"]), NAME_CELLS)
        return f"{name} (#{value.number})"
    if isinstance(value, Official):
        return names.get(f"o{value.number}", str(value))
    return str(value)
