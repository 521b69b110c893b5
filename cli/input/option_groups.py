"""Options that belong together, as one parameter of the functions that take them.

A group is a NamedTuple whose fields are annotated as Typer's options; each has a default.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from typer import Context


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function as Typer reads it: each option of its groups is a parameter.

    Its own first parameter is the desk that it works at, which Typer carries in its context.
    """
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if hasattr(hint, "_fields")}

    @wraps(function)
    def answering(context: Context, **given: Any) -> None:  # noqa: ANN401 - what Typer read
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in group._fields})
        function(context.obj, **given)

    _, *own = signature(function).parameters.values()
    parameters = [Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=Context)]
    for each in own:
        if each.name in groups:
            parameters += _fields_of(groups[each.name])
        else:
            parameters.append(each.replace(annotation=hints[each.name]))
    answering.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # read by inspect
    return answering


def _fields_of(group: Any) -> list[Parameter]:  # noqa: ANN401 - any NamedTuple
    hints, kind = get_type_hints(group, include_extras=True), Parameter.POSITIONAL_OR_KEYWORD
    return [
        Parameter(name, kind, default=group._field_defaults[name], annotation=hint)
        for name, hint in hints.items()
    ]
