"""Options that belong together, as one parameter of the functions that take them.

A group is a NamedTuple whose fields are annotated as Typer's options; each has a default.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer import Context

from cli.input.file_names import AS_TYPED, FileName, InFile, OutFile, as_typed, named


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function as Typer reads it: each option of its groups is a parameter.

    Its own first parameter is the desk that it works at, which Typer carries in its context. Names
    of files reach the function as such, and those in the line only if the desk's files admit them.
    """
    groups, parameters = _parameters_of(function)
    files = files_of(parameters)

    @wraps(function)
    def answering(context: Context, **given: Any) -> None:  # noqa: ANN401 - what Typer read
        for name, kind in files.items():
            given[name] = named(kind, given[name])
        context.obj.files.admit(
            each for name in files if name in context.params for each in _names_in(given[name])
        )
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in group._fields})
        function(context.obj, **given)

    typed = [Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=Context)]
    typed += map(_as_typer_reads, parameters)
    answering.__signature__ = Signature(typed)  # type: ignore[attr-defined] # read by inspect
    return answering


def files_in(function: Callable[..., None]) -> dict[str, type[FileName]]:
    """Return the parameters of a verb's function that name files, its groups' options included."""
    return files_of(_parameters_of(function)[1])


def files_of(parameters: list[Parameter]) -> dict[str, type[FileName]]:
    """Return the parameters that name files, and as which type."""
    plain = {each.name: _without_extras(each.annotation) for each in parameters}
    unknown = [name for name, hint in plain.items() if hint not in AS_TYPED and _has_file(hint)]
    assert not unknown, f"add the types of {unknown} to AS_TYPED"  # noqa: S101 - a fault of ours
    return {name: AS_TYPED[hint][0] for name, hint in plain.items() if hint in AS_TYPED}


def _parameters_of(function: Callable[..., None]) -> tuple[dict[str, Any], list[Parameter]]:
    """Return a function's groups, and its parameters with the groups' fields in their place."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if hasattr(hint, "_fields")}
    _, *own = signature(function).parameters.values()
    parameters: list[Parameter] = []
    for each in own:
        if each.name in groups:
            parameters += _fields_of(groups[each.name])
        else:
            parameters.append(each.replace(annotation=hints[each.name]))
    return groups, parameters


def _fields_of(group: Any) -> list[Parameter]:  # noqa: ANN401 - any NamedTuple
    hints, kind = get_type_hints(group, include_extras=True), Parameter.POSITIONAL_OR_KEYWORD
    return [
        Parameter(name, kind, default=group._field_defaults[name], annotation=hint)
        for name, hint in hints.items()
    ]


def _as_typer_reads(parameter: Parameter) -> Parameter:
    """Return a parameter with texts in place of names of files."""
    hint = parameter.annotation
    if (plain := _without_extras(hint)) in AS_TYPED:
        hint = Annotated[AS_TYPED[plain][1], *hint.__metadata__]
    return parameter.replace(annotation=hint, default=as_typed(parameter.default))


def _without_extras(hint: Any) -> Any:  # noqa: ANN401 - any annotation
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _has_file(hint: Any) -> bool:  # noqa: ANN401 - as above
    """Return whether the name of a file is any part of a type."""
    return hint in (InFile, OutFile) or any(map(_has_file, get_args(hint)))


def _names_in(value: Any) -> list[FileName]:  # noqa: ANN401 - a name, names or None
    return [value] if isinstance(value, FileName) else value or []
