"""A verb's words and options, parsed by Typer from its function's signature.

Every value is a text, a list of texts or a flag: what Typer would convert them with takes longer
to import than the rest of a command takes to run.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from difflib import get_close_matches
from textwrap import dedent, fill, indent
from typing import Any

from typer.core import TyperCommand

from cli.input.arguments import UsageError
from cli.input.synonyms import MEANT
from cli.terminal.output import PROGRAM
from cli.terminal.tables import FLEXIBLE_MIN, WIDTH, broken, terminal_width

EVERYWHERE = f"Everywhere: --store, -t, --as, --for, --id, --json, --csv; see `{PROGRAM} help`."

REQUIRED = "Required: "
"""How the text of an option begins that cannot be left out."""

MAY_BE_EMPTY = frozenset({"--reason", "--note", "--faction", "--league-id"})
"""The options whose text may be that of an empty cell; what needs one says so itself."""

NAMES_A_FILE = ("FILE", "FOLDER", "PATH")

SETTINGS = {"help_option_names": ["--help", "-h"]}


class LineCommand(TyperCommand):
    """A command that takes a line as it is, without conversions."""

    def __init__(self, *args: Any, acts: Mapping[str, str] | None = None, **settings: Any) -> None:  # noqa: ANN401 - typer's own types
        super().__init__(*args, **settings)
        self.acts = acts or {}
        """The words that may follow to make a verb of their own, and what these do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as above
        """Fill the parameters from the line; UsageError where a word is missing or too much."""
        values, rest, _ = self.make_parser(ctx).parse_args(args=list(args))
        given = {name: value for name, value in values.items() if value is not None and value != ()}
        if "help" in given or ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        if rest:
            raise UsageError(pointing_to_help(self._too_much(rest), self.name or ""))
        missing = [param for param in self.params if param.required and param.name not in given]
        if missing:
            text = f"{self.name}: say {_word(missing[0])}"
            raise UsageError(pointing_to_help(text, self.name or ""))
        if empty := next((param for param in self.params if _is_empty(param, given)), None):
            text = f"{self.name}: {_named_empty(empty)}"
            raise UsageError(pointing_to_help(text, self.name or ""))
        ctx.params.update(given)
        return []

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Call the function with a value for each word: Typer's callback keeps the last line's."""
        unsaid = {param.name: param.default for param in self.params}
        return ctx.invoke(self.callback, **unsaid | ctx.params)

    def _too_much(self, rest: list[str]) -> str:
        if not self.acts:
            return f"{self.name} takes no more words, and there is {' '.join(rest)!r}"
        word = rest[0].lower()
        begin = f"{self.name} "
        close = [each.removeprefix(begin) for each in MEANT.get(word, ()) if begin in each]
        close += get_close_matches(word, self.acts, n=2)
        hint = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(self.acts)}"
        return f"{self.name} has no act {rest[0]!r}; {hint}"

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - as above
        """Return the help text, in this program's words rather than the parser's."""
        return help_of(self, ctx.command_path)


def _is_empty(param: Any, given: Mapping[str, Any]) -> bool:  # noqa: ANN401 - typer's own type
    """Whether a value is an empty text, as of a script's unset variable, that means nothing."""
    value = given.get(param.name)
    if "" not in (value if isinstance(value, (list, tuple)) else (value,)):
        return False
    if param.param_type_name == "argument":
        return bool(param.required) and any(each in _word(param) for each in NAMES_A_FILE)
    is_unset = param.default is None and not param.multiple
    return not is_unset and MAY_BE_EMPTY.isdisjoint(param.opts)


def _named_empty(param: Any) -> str:  # noqa: ANN401 - as above
    if param.param_type_name == "argument":
        return f"{_word(param).rstrip('.')} is an empty name"
    return f"{min(param.opts, key=len)} needs a value"


def pointing_to_help(text: str, verb: str) -> str:
    """Add to what is wrong with a line where its help is."""
    mark = "" if text.endswith("?") else ";"
    return f"{text}{mark} `{PROGRAM} {verb} --help` shows what it takes"


def help_of(command: LineCommand, verb: str) -> str:
    """Return a verb's help: usage, the function's docstring as it is, words, options and acts."""
    words = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param not in words]
    usage = " ".join(param.metavar or "" for param in words)
    needed = " ".join(_spelled(param) for param in options if _help(param).startswith(REQUIRED))
    described = [(param.metavar or "", _help(param)) for param in words if _help(param)]
    described += [(_spelled(param), _help(param)) for param in options]
    described.append(("--help", "Show this."))
    acts = [(f"{command.name} {word}", summary) for word, summary in command.acts.items()]
    width = max(len(name) for name, _ in [*described, *acts])
    parts = [
        " ".join(f"Usage: {verb} {usage} {needed}".split()) + (" [OPTION]..." if options else ""),
        *map(_paragraph, (command.help or "").split("\n\n")),
        "\n".join(_described(name, text, width) for name, text in described),
        *(["\n".join(_described(name, text, width) for name, text in acts)] if acts else []),
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


def _word(param: Any) -> str:  # noqa: ANN401 - as above
    return (param.metavar or param.name) if param.param_type_name == "argument" else _spelled(param)


def _help(param: Any) -> str:  # noqa: ANN401 - as above
    return param.help or ""
