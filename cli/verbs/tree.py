"""From a line to the function that answers it: Typer parses, and one module is imported."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from cli.input.arguments import UsageError
from cli.input.options import SETTINGS, LineCommand, close_to, pointing_to_help, spread
from cli.languages.speaking import marked, tr
from cli.terminal.output import PROGRAM, say
from cli.verbs import NEEDS, OWN_PAGE, RENAMED, VERBS, acts_of, in_words_of_today, path_of
from cli.verbs.catalogue import function_of
from ledger.errors import NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.desk.session import Desk


class VerbTree(TyperGroup):
    """All verbs; each becomes a command when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer's own type
        """List the first words of all verbs."""
        return list(acts_of(""))

    def get_command(self, ctx: Any, cmd_name: str) -> LineCommand | None:  # noqa: ANN401, ARG002
        """Import what answers a verb, given as all its words."""
        return command_of(cmd_name) if cmd_name in VERBS else None

    def resolve_command(
        self,
        ctx: Any,  # noqa: ANN401 - as above
        args: list[str],
    ) -> tuple[str | None, Any, list[str]]:
        """Find the longest verb with which the line begins.

        Raises:
            UsageError: it begins with none.
        """
        path = path_of(args)
        if not path and not ctx.resilient_parsing:
            raise UsageError(_no_such_verb(args[0]))
        return path or None, self.get_command(ctx, path), args[len(path.split()) :]


@cache
def command_of(path: str) -> LineCommand:
    """Make Typer's command of a verb."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(path, cls=LineCommand, context_settings=SETTINGS)(spread(function_of(VERBS[path])))
    command = typer.main.get_command(app)
    assert isinstance(command, LineCommand)  # noqa: S101 - as it was asked for
    command.acts = acts_of(path)
    command.act_named = partial(_act_without_page, path)
    return command


def _act_without_page(path: str, word: str) -> LineCommand | None:
    """Return the command of an act that the page of its verb describes; None if it has its own."""
    act = f"{path} {word}"
    return None if act in OWN_PAGE else command_of(act)


def run(desk: Desk) -> int:
    """Call the function of the verb that the line begins with; return the exit code.

    Raises:
        UsageError: there is no such verb, or the words do not fit.
        Refused: the verb touches what the desk does not grant, or the game in hand lacks what the
            verb is about.
    """
    desk.line, old = in_words_of_today(desk.line)
    if old:
        say(tr("`{old}` is `{new}` now", old=old, new=RENAMED[old]))
    path, is_help = path_of(desk.line), bool({"--help", "-h"} & set(desk.line))
    if path:
        words = desk.line[len(path.split()) :]
        desk.grant(path, VERBS[path].touched_with(words), is_help=is_help)
    if path in NEEDS and not is_help:
        _refuse_in_other_games(path, desk)
    if (
        desk.options.format == "csv"
        and path
        and not hasattr(function_of(VERBS[path]), "shows_table")
    ):
        reads_file = any("--file" in param.opts for param in command_of(path).params)
        text = (
            marked(
                "{verb} has no table to write as CSV: omit --csv; a file is read with --file FILE"
            )
            if reads_file
            else marked("{verb} has no table to write as CSV: omit --csv")
        )
        raise UsageError(tr(text, verb=path))
    tree = VerbTree(name=PROGRAM, context_settings=SETTINGS, add_help_option=False)
    try:
        with tree.make_context(PROGRAM, list(desk.line), obj=desk) as context:
            tree.invoke(context)
    except typer.Exit as left:
        return left.exit_code
    except typer.TyperException as error:
        if not path:
            raise UsageError(_no_such_verb(desk.line[0])) from None
        raise UsageError(pointing_to_help(f"{path}: {_in_words(error, path)}", path)) from None
    return 0


def _refuse_in_other_games(path: str, desk: Desk) -> None:
    from ledger.facts.setups import missing_parts

    try:
        missing = missing_parts(desk.book.tournament)
    except NotFound:  # no tournament is in hand: the verb says so
        return
    if NEEDS[path] in missing:
        raise Refused(missing[NEEDS[path]])


def _in_words(error: typer.TyperException, path: str) -> str:
    """Say what does not fit, in this program's words."""
    option = getattr(error, "option_name", "")
    near: Sequence[str] | None = getattr(error, "possibilities", None)
    if not option:
        return " ".join(error.format_message().split()).rstrip(".")
    if "requires" in error.message:
        return tr("{option} needs a value", option=option)
    if "does not take" in error.message:
        return tr("{option} takes no value", option=option)
    if owners := _owners(option, path):
        return tr(
            "{option} is an option of {verbs}",
            option=option,
            verbs=tr(" or ").join(f"`{each}`" for each in owners),
        )
    if not near:
        return tr("there is no option {option}", option=option)
    return tr(
        "there is no option {option}; did you mean {near}?",
        option=option,
        near=tr(" or ").join(sorted(near)),
    )


def _owners(option: str, path: str) -> list[str]:
    """List the verbs of the same first word that have an option."""
    first = path.partition(" ")[0]
    family = [each for each in VERBS if each.partition(" ")[0] == first and each != path]
    return [
        each for each in family if any(option in param.opts for param in command_of(each).params)
    ]


def _no_such_verb(name: str) -> str:
    if name.startswith("-"):
        return tr(
            "there is no option {option}; `{program} --help` lists the options",
            option=name,
            program=PROGRAM,
        )
    close = close_to(name, acts_of(""))
    hint = (
        tr("did you mean {near}?", near=tr(" or ").join(close))
        if close
        else tr("`{program} help` lists the verbs", program=PROGRAM)
    )
    return tr("there is no verb {word}; {hint}", word=repr(name), hint=hint)
