"""Words and options of verbs: how a verb declares them, and how Typer reads them.

A verb declares its words, options and flags with `word`, `option` and `flag`; options that several
verbs take are declared here once. Options that belong together are one parameter: a group is a
NamedTuple whose fields are annotated as Typer's options, and each has a default.

Every value is a text, a list of texts or a flag: Typer's own converters take longer to import than
the rest of a command takes to run.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from itertools import islice
from textwrap import dedent, fill, indent
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer import Argument, Context, Option
from typer.core import TyperCommand

from cli.input.arguments import END, SHARED, UsageError, meant
from cli.input.file_names import AS_TYPED, FileName, InFile, OutFile, as_typed, named
from cli.languages.speaking import marked, tr
from cli.terminal.output import PROGRAM, say
from cli.terminal.tables import FLEXIBLE_MIN, WIDTH, broken, terminal_width
from cli.terminal.visible import TYPED_CELLS, shortened, visible


def word(metavar: str, text: str = "") -> Any:  # noqa: ANN401 - as Typer types it
    """Describe a word of the line."""
    return Argument(metavar=metavar, help=text or None)


def option(metavar: str, text: str, *spelled: str) -> Any:  # noqa: ANN401 - as above
    """Describe an option with a value; it is spelled like its parameter, where nothing else is."""
    return Option(*spelled, metavar=metavar, help=text)


def flag(spelled: str, text: str) -> Any:  # noqa: ANN401 - as above
    """Describe an option without a value."""
    return Option(spelled, help=text)


def shared(name: str, *short: str, required: str | None = None) -> Any:  # noqa: ANN401 - as above
    """Describe an option that many verbs take with one meaning.

    Where it is `required`, that says with what else on the line; the empty text means always.
    """
    metavar, text = SHARED[name]
    begin = "" if required is None else " ".join(f"Required {required}".split()) + ": "
    return Option(name, *short, metavar=metavar, help=f"{begin}{text}")


def reason_with(words: str) -> Any:  # noqa: ANN401 - as above
    """Describe the reason of an act that needs one only with these words of the line."""
    return shared("--reason", required=f"with {words}")


REQUIRED = "Required: "
"""How the text of an option begins that cannot be left out."""


Facts = Annotated[
    list[str] | None,
    option("NAME=A:B", "A number of both players, or NAME=unknown; can be repeated.", "--fact"),
]
"""The numbers of a game."""


Output = Annotated[OutFile, shared("--output", "-o")]
Policy = Annotated[InFile, shared("--policy")]
Unsigned = Annotated[str, shared("--unsigned")]
Reason = Annotated[str, shared("--reason")]
NeededReason = Annotated[str, shared("--reason", required="")]
Sealed = Annotated[
    bool, typer.Option("--passphrase", help="Seal with a passphrase, which you are asked for.")
]
EndOfDay = Annotated[
    str, typer.Option("--at", metavar="YYYY-MM-DD", help="State at the end of that day.")
]
PassOver = Annotated[
    bool, typer.Option("--pass-over", help="Skip unknown columns of the card file.")
]
HeldOn = Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="Day of the tournament.")]
Reader = Annotated[
    InFile,
    typer.Option(
        "--for", metavar="READER", help="Only chosen texts, sealed for this reader's key."
    ),
]
ShownEvents = Annotated[
    list[str] | None,
    typer.Option("--event", metavar="N", help="With --for: the texts of this event."),
]
ShownTexts = Annotated[
    str, typer.Option("--texts", metavar="all", help="With --for: every text and name.")
]
Form = Annotated[
    str,
    typer.Option(
        "--form", metavar="FORM", help="One of trf16, trf26, h9, opengotha, nrtm, rounds."
    ),
]
Disclosed = Annotated[
    InFile, typer.Option(metavar="FILE", help="Texts that `export --for` sealed for you.")
]


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


_MEANT = {
    "new": "open create init",
    "tournaments": "events",
    "use": "switch select load",
    "official": "judge staff role",
    "register": "add enter enroll enrol signup player",
    "rename": "name",
    "list": "players roster who",
    "start": "begin structure",
    "pair": "next draw",
    "unpair": "re-pair",
    "repair-round": "repair mend",
    "whatif": "what-if try simulate",
    "late": "seat latecomer sit",
    "amend": "faction clan army attribute",
    "swap": "seats move",
    "pairings": "tables matches slips print",
    "round": "clock timer time extend extension",
    "report": "result results score scores win",
    "concede": "resign",
    "correct": "fix edit change",
    "undo": "revert back",
    "rejoin": "return readd undrop",
    "disqualify": "dq ban",
    "dispute": "protest contest challenge object",
    "confirm": "agree accept",
    "match": "story",
    "note": "notes remark comment memo",
    "audit": "integrity breaches",
    "cut": "top playoff playoffs",
    "finish": "finalize",
    "standings": "rank ranks ranking rankings table points",
    "bracket": "tree elimination",
    "log": "history events-log",
    "season": "league championship rebuild",
    "stats": "statistics questions plot",
    "rating": "ratings elo glicko",
    "query": "sql ask duckdb",
    "export": "save write",
    "import": "read",
    "replay": "check",
    "ruleset": "rules rulesets",
}

SHOWS = "show"
"""The act, of several verbs, that shows what the words after it name."""

MEANT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {word: (verb,) for verb, words in _MEANT.items() for word in words.split()}
    | dict.fromkeys(("remove", "delete", "rm"), ("drop", "unregister"))
    | dict.fromkeys(("end", "close", "stop"), ("finish", "round close"))
)
"""What each of them leads to; two where either may be meant."""


def close_to(word: str, choices: Iterable[str]) -> list[str]:
    """Return the choices that a wrong word may mean: its synonyms, else words spelled like it."""
    return list(MEANT.get(word.lower(), ())) or get_close_matches(word.lower(), choices, n=3)


RENAMED_OPTIONS = MappingProxyType({"--time": "--at", "--posted": "--at posted"})
"""Old names of options of views, which still work, and their names of today."""

RENAMED_OPTIONS_OF: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"drop": MappingProxyType({"--note": "--reason"})}
)
"""The same for the options of single verbs."""

SPELLED_ALSO: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "penalty": MappingProxyType({"--reason": "--for-what"}),
        "conduct": MappingProxyType({"--reason": "--note"}),
    }
)
"""Second spellings of options of single verbs: `--reason` names the text that the log keeps."""

EVERYWHERE = marked(
    "Always: --store --log -t --as --for --id --json --csv --lang: `tourney help options`"
)
"""The last line of a page of help."""

MAY_BE_EMPTY = frozenset({"--reason", "--note", "--faction", "--league-id"})
"""The options whose text may be that of an empty cell; what needs one says so itself."""

NAMES_A_FILE = ("FILE", "FOLDER", "PATH")

ACT_INDENT = 6 * " "
UNBROKEN = "\xa0"
"""In place of a space at which no line is broken."""

SETTINGS = {"help_option_names": ["--help", "-h"]}


class LineCommand(TyperCommand):
    """A command that takes a line as it is, without conversions."""

    def __init__(self, *args: Any, acts: Mapping[str, str] | None = None, **settings: Any) -> None:  # noqa: ANN401 - typer's own types
        super().__init__(*args, **settings)
        self.acts = acts or {}
        """The words that may follow to make a verb of their own, and what these do."""

        self.act_named: Callable[[str], LineCommand | None] = lambda _: None
        """Returns the command of an act that the page of this verb describes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as above
        """Fill the parameters from the line; UsageError where a word is missing or too much."""
        args = self._in_options_of_today(args)
        values, rest, order = self.make_parser(ctx).parse_args(args=list(args))
        given = {name: value for name, value in values.items() if value is not None and value != ()}
        if "help" in given or ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        if rest:
            raise UsageError(pointing_to_help(self._too_much(rest), self.name or ""))
        missing = [param for param in self.params if param.required and param.name not in given]
        if missing:
            text = tr(
                "{name}: give {words}", name=self.name, words=self._lacking(missing[0], given)
            )
            raise UsageError(pointing_to_help(text, self.name or ""))
        if twice := next((param for param in self.params if self._is_twice(param, order)), None):
            text = tr(
                "{name}: {option} is given twice", name=self.name, option=max(twice.opts, key=len)
            )
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

    def _in_options_of_today(self, args: list[str]) -> list[str]:
        """Return a line with an option's name of today where its old name was typed."""
        options: list[Any] = [param for param in self.params if param.param_type_name == "option"]
        own = {name: option for option in options for name in option.opts}
        is_view = "--at" in own and is_shared(own["--at"])
        of_view = RENAMED_OPTIONS if is_view else {}
        alike = SPELLED_ALSO.get(self.name or "", {})
        renamed = {**of_view, **RENAMED_OPTIONS_OF.get(self.name or "", {}), **alike}
        if not renamed:
            return args
        words, line = iter(args), list[str]()
        for typed in words:
            name, equals, value = typed.partition("=")
            if name in renamed and name not in own:
                if name not in alike:
                    say(tr("`{name}` is `{renamed}` now", name=name, renamed=renamed[name]))
                line += [*renamed[name].split(), *([value] if equals else [])]
            elif typed == END:
                line += [typed, *words]
            else:
                line.append(typed)
                is_valued = typed in own and not own[typed].is_flag
                line += islice(words, int(is_valued))
        return line

    def _lacking(self, missing: Any, given: Mapping[str, Any]) -> str:  # noqa: ANN401 - typer's own type
        """Return which words are missing; behind a word, all of them: it may be a later one."""
        words = [param for param in words_of(self) if param.required]
        typed = [given[param.name] for param in words if param.name in given]
        if missing not in words or not typed:
            return _word(missing)
        parts = [part for each in typed for part in (each if isinstance(each, list) else [each])]
        repeated = " ".join(shortened(visible(str(part)), TYPED_CELLS) for part in parts)
        return tr(
            "{words}, not only {typed}",
            words=" ".join(map(_word, words)),
            typed=repr(repeated),
        )

    @staticmethod
    def _is_twice(param: Any, order: list[Any]) -> bool:  # noqa: ANN401 - typer's own type
        is_once = param.param_type_name == "option" and not param.multiple and not param.is_flag
        return is_once and order.count(param) > 1

    def _too_much(self, rest: list[str]) -> str:
        if not self.acts:
            return tr(
                "{name} takes no more words, but {words} was given",
                name=self.name,
                words=repr(" ".join(rest)),
            )
        word = rest[0].lower()
        begin = f"{self.name} "
        close = [each.removeprefix(begin) for each in MEANT.get(word, ()) if begin in each]
        close += get_close_matches(word, self.acts, n=2)
        hint = meant(close, self.acts)
        if not close and SHOWS in self.acts and not word.startswith("-"):
            words = shortened(visible(shlex.join(rest)), TYPED_CELLS)
            hint = tr(
                "did you mean `{line}`? {hint}",
                line=f"{begin}{SHOWS} {words}",
                hint=hint,
            )
        return tr("{name} has no act {word}; {hint}", name=self.name, word=repr(rest[0]), hint=hint)

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
        return tr("{word} is an empty name", word=_word(param).rstrip("."))
    return tr("{option} needs a value", option=min(param.opts, key=len))


def pointing_to_help(text: str, verb: str) -> str:
    """Add to what is wrong with a line where its help is."""
    help_line = tr("`{line}` shows what it takes", line=f"{PROGRAM} {verb} --help")
    return f"{text}{'' if text.endswith('?') else ';'} {help_line}"


def help_of(command: LineCommand, verb: str) -> str:
    """Return a verb's help: usage, the function's docstring as it is, words, options and acts."""
    words, options = words_of(command), options_of(command)
    described = [(param.metavar or "", _told(param)) for param in words if _help(param)]
    described += [(_spelled(param), _told(param)) for param in options if not is_shared(param)]
    described.append(("--help", tr("Show this.")))
    width = max(len(name) for name, _ in described)
    shared_here = [_spelled(param) for param in options if is_shared(param)]
    parts = [
        tr("Usage: {line}", line=_usage(command, verb)),
        *map(_paragraph, (command.help or "").split("\n\n")),
        "\n".join(_described(name, text, width) for name, text in described),
        *_acts_of(command),
        (tr("Also: {options}.", options=", ".join(shared_here)) + "\n" if shared_here else "")
        + tr(EVERYWHERE),
    ]
    return "\n\n".join(parts)


def _told(param: Any) -> str:  # noqa: ANN401 - typer's own type
    """Return what is said about a word or an option, in the language that is spoken."""
    text = _help(param)
    if not text.startswith(REQUIRED.rstrip(": ")):
        return tr(text)
    needed, _, rest = text.partition(": ")
    return f"{tr(needed)}: {tr(rest)}"


def words_of(command: LineCommand) -> list[Any]:
    """Return the words that a verb takes, as Typer's parameters."""
    return [param for param in command.params if param.param_type_name == "argument"]


def options_of(command: LineCommand) -> list[Any]:
    """Return the options of a verb, as Typer's parameters."""
    return [param for param in command.params if param.param_type_name == "option"]


def is_shared(param: Any) -> bool:  # noqa: ANN401 - typer's own type
    """Return whether `help options` describes an option, since it means the same everywhere.

    An option that cannot be left out is described on the page, too.
    """
    return SHARED.get(max(param.opts, key=len), ("", ""))[1] == _help(param)


def _usage(command: LineCommand, verb: str) -> str:
    """Return the words of a verb and the options that it needs."""
    words = (param.metavar or "" for param in words_of(command))
    options = options_of(command)
    needed = [_spelled(param) for param in options if _is_needed(param)]
    more = "[OPTION]..." if len(options) > len(needed) else ""
    return " ".join(" ".join((verb, *words, *needed, more)).split())


def _usage_of_act(act: LineCommand, line: str) -> str:
    """Return the words of an act and all its options."""
    words = (param.metavar or "" for param in words_of(act))
    options = (
        _spelled(param) if _is_needed(param) else f"[{_spelled(param)}]"
        for param in options_of(act)
    )
    parts = (part.replace(" ", UNBROKEN) for part in (*words, *options) if part)
    usage = fill(" ".join((line, *parts)), WIDTH, initial_indent="  ", subsequent_indent=ACT_INDENT)
    return usage.replace(UNBROKEN, " ")


def _is_needed(param: Any) -> bool:  # noqa: ANN401 - typer's own type
    return _help(param).startswith(REQUIRED)


def _acts_of(command: LineCommand) -> Iterator[str]:
    """Describe the acts of a verb, each with its options unless it has its own page."""
    pages = []
    for word, summary in command.acts.items():
        act = command.act_named(word)
        if act is None:
            pages.append((f"{command.name} {word} --help", tr(summary)))
            continue
        described = [param for param in options_of(act) if not is_shared(param)]
        options = [(_spelled(param), _told(param)) for param in described]
        width = max((len(name) for name, _ in options), default=0)
        usage = _usage_of_act(act, f"{command.name} {word}")
        lines = [usage, f"{ACT_INDENT}{tr(summary)}"]
        lines += [_described(name, text, width, ACT_INDENT) for name, text in options]
        yield "\n".join(lines)
    if pages:
        width = max(len(name) for name, _ in pages)
        yield "\n".join(_described(name, text, width) for name, text in pages)


def _described(name: str, text: str, width: int, indent: str = "  ") -> str:
    """One word or option; on a terminal its text is wrapped beside it."""
    start = f"{indent}{name:<{width}}  "
    if not sys.stdout.isatty():
        return f"{start}{text}".rstrip()
    room = max(terminal_width() - len(start), FLEXIBLE_MIN)
    return f"\n{' ' * len(start)}".join(broken(text, room)).join((start, "")).rstrip()


def _paragraph(text: str) -> str:
    """Indent an example, and fill the lines of anything else."""
    plain = dedent(text)
    if plain.startswith(f"{PROGRAM} "):
        return indent(plain, "    ")
    return fill(tr(" ".join(plain.split())), min(terminal_width(), WIDTH) - 2)


def _spelled(param: Any) -> str:  # noqa: ANN401 - typer's own type
    spelled = ", ".join(sorted(param.opts, key=len))
    return spelled if param.is_flag else f"{spelled} {param.metavar or 'TEXT'}"


def _word(param: Any) -> str:  # noqa: ANN401 - as above
    return (param.metavar or param.name) if param.param_type_name == "argument" else _spelled(param)


def _help(param: Any) -> str:  # noqa: ANN401 - as above
    return param.help or ""
