"""Which options each act of a verb takes: any other is refused, never passed over."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import typer

MOMENT = "--at --round --time --posted"

TAKES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "explain": {
            "PLAYER": f"--depth {MOMENT}",
            "pairing R/T": MOMENT,
            "bye ROUND": MOMENT,
        },
        "query": {
            "SQL": "--in",
            "--shell": "--shell --in",
            "--tables": "--tables",
        },
    }
)
"""The acts of a verb as they are typed after it, and the options of each; "" is the verb alone."""


def refuse_others(context: typer.Context, act: str) -> None:
    """Refuse what was typed beside an act and belongs to another one of the verb.

    An act that the verb has not is left to the verb. UsageError names every such option, with the
    acts that take it.
    """
    verb = context.info_name or ""
    acts = TAKES[verb]
    taken = acts.get(act)
    if taken is None:
        return
    others = [option for option in _typed(context) if option not in taken.split()]
    if others:
        raise UsageError("; ".join(f"{each} goes with {_owners(verb, each)}" for each in others))


def _typed(context: typer.Context) -> list[str]:
    """The options of the line, as they are spelled in full, in the order of the help."""
    return [
        max(param.opts, key=len)
        for param in context.command.params
        if param.param_type_name == "option"
        and (value := context.params.get(param.name or ""))
        and value != param.default
    ]


def _owners(verb: str, option: str) -> str:
    owners = [act for act, options in TAKES[verb].items() if option in options.split()]
    return " or ".join(f"`{f'{verb} {act}'.strip()}`" for act in owners)
