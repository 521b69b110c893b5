"""A verb's words and options, parsed by typer from its function's signature.

Every value is a text, a list of texts or a flag: what typer would convert them with takes longer
to import than the rest of a command takes to run. It is left to typer where the line is not plain:
help, and what is missing or too much.
"""

from __future__ import annotations

import inspect
import sys
from textwrap import dedent, fill, indent
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from cli.input.arguments import UsageError
from cli.terminal.diagnostics import PROGRAM
from cli.terminal.tables import FLEXIBLE_MIN, WIDTH, broken, terminal_width

if TYPE_CHECKING:
    from collections.abc import Callable

EVERYWHERE = f"Everywhere: --store, -t, --as, --for, --id, --json, --csv; see `{PROGRAM} --help`."

REQUIRED = "Required: "
"""How the text of an option begins that can not be left out."""

SETTINGS = {"help_option_names": ["--help", "-h"]}

_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""The parser's base of every error in a line; typer does not name it."""


class LineCommand(TyperCommand):
    """A command that takes a plain line as it is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own type
        """Fill the parameters from the line; see the module."""
        values, rest, _ = self.make_parser(ctx).parse_args(args=list(args))
        given = {name: value for name, value in values.items() if value is not None and value != ()}
        needed = {param.name for param in self.params if param.required}
        plain = all(isinstance(value, str | bool | list | tuple) for value in given.values())
        if rest or "help" in given or not plain or not needed <= given.keys():
            return super().parse_args(ctx, args)
        ctx.params.update(given)
        ctx.args = []
        return []

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - as above
        """Return the help text, in this program's words rather than the parser's."""
        return help_of(self, ctx.command_path)


def run(name: str, function: Callable[..., None], words: list[str], desk: object) -> int:
    """Parse the words of a verb and call its function; return the exit code.

    Raises:
        UsageError: the words do not fit.
    """
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=LineCommand, context_settings=SETTINGS)(function)
    command = typer.main.get_command(app)
    try:
        with command.make_context(f"{PROGRAM} {name}", words, obj=desk) as context:
            command.invoke(context)
    except typer.Exit as left:
        return left.exit_code
    except _USAGE_ERROR as error:
        message = " ".join(getattr(error, "format_message", error.__str__)().split())
        see = f"`{PROGRAM} {name} --help` shows what it takes"
        raise UsageError(f"{name}: {message.rstrip('.')}; {see}") from None
    return 0


def help_of(command: LineCommand, verb: str) -> str:
    """Return a verb's help: usage, the function's docstring as it stands, words and options."""
    words = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param not in words]
    usage = " ".join(param.metavar or "" for param in words)
    needed = " ".join(_spelled(param) for param in options if _help(param).startswith(REQUIRED))
    described = [(param.metavar or "", _help(param)) for param in words if _help(param)]
    described += [(_spelled(param), _help(param)) for param in options]
    described.append(("--help", "Show this."))
    width = max(len(name) for name, _ in described)
    parts = [
        " ".join(f"Usage: {verb} {usage} {needed}".split()) + (" [OPTION]..." if options else ""),
        *map(_paragraph, (inspect.getdoc(command.callback) or "").split("\n\n")),
        "\n".join(_described(name, text, width) for name, text in described),
        EVERYWHERE,
    ]
    return "\n\n".join(parts)


def _described(name: str, text: str, width: int) -> str:
    """One word or option; on a terminal its text is wrapped beside it."""
    start = f"  {name:<{width}}  "
    if not sys.stdout.isatty():
        return f"{start}{text}".rstrip()
    room = max(terminal_width() - len(start), FLEXIBLE_MIN)
    return f"\n{' ' * len(start)}".join(broken(text, room)).join((start, "")).rstrip()


def _paragraph(text: str) -> str:
    """Indent an example, and fill the lines of anything else."""
    plain = dedent(text)
    if plain.startswith(f"{PROGRAM} "):
        return indent(plain, "    ")
    return fill(plain, min(terminal_width(), WIDTH) - 2)


def _spelled(param: Any) -> str:  # noqa: ANN401 - typer's own type
    spelled = ", ".join(sorted(param.opts, key=len))
    return spelled if param.is_flag else f"{spelled} {param.metavar or 'TEXT'}"


def _help(param: Any) -> str:  # noqa: ANN401 - as above
    return param.help or ""
