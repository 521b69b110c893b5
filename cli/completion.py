"""What a shell offers where Tab is typed: verbs, options, and what the store knows.

A store that gives no answer within a moment offers nothing, and nothing is ever said about it.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, redirect_stderr, suppress
from io import StringIO
from threading import Event, Thread
from time import monotonic, process_time
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from cli.input.options import flag, option, spread
from cli.languages.speaking import tr
from cli.terminal.output import PROGRAM
from cli.verbs import NEEDS, VERBS, verbs_of
from cli.verbs.tree import VerbTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cli.input.options import LineCommand
    from ledger.tournament.state import Tournament

T = TypeVar("T")

VARIABLE = "_TOURNEY_COMPLETE"

SECONDS_MAX, SECONDS_IDLE = 2.0, 0.3
"""How long an answer may take, and for how long of that the process may do next to nothing."""

SHARE_OF_WORK = 0.05
"""Below this share of the time the process waits, for a lock or a server, and does not compute."""

Offer = tuple[str, str]
"""A word, and what stands beside it where the shell shows that."""

_CHOICES = re.compile(r"\[?([a-z-]+(?:\|[a-z-]+)+)\]?")


class Everywhere(NamedTuple):
    """What every verb takes."""

    store: Annotated[str, option("PLACE", "The store.")] = ""
    log: Annotated[str, option("FILE", "The file of a log, in place of a store.")] = ""
    tournament: Annotated[str, option("TOURNAMENT", "The tournament.", "-t", "--tournament")] = ""
    acting: Annotated[str, option("OFFICIAL", "The official at the desk.", "--as")] = ""
    behalf: Annotated[str, option("PLAYER", "The player you act for.", "--for")] = ""
    command_id: Annotated[str, option("ID", "The id of the command.", "--id")] = ""
    json: Annotated[bool, flag("--json", "Data as JSON.")] = False
    csv: Annotated[bool, flag("--csv", "A table as CSV.")] = False
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False
    helped: Annotated[bool, flag("--help", "Show the help.")] = False


def everywhere(_: object, options: Everywhere) -> None:
    """Take what every verb takes."""


class OfferingTree(VerbTree):
    """All verbs, for a shell: each takes the options of every verb, and offers values."""

    def get_command(self, ctx: Any, cmd_name: str) -> LineCommand | None:  # noqa: ANN401 - typer's own type
        """Make a verb's command, with what it offers."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            own = {spelled for param in command.params for spelled in param.opts}
            command.params += [each for each in _everywhere() if not own & set(each.opts)]
            command.add_help_option = False
            command.acts = _in_this_game(ctx, cmd_name, command.acts)
            _offer_values(command)
        return command

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - as above
        """Offer the verbs that the game in hand has."""
        offered = {each.value: each for each in super().shell_complete(ctx, incomplete)}
        return list(_in_this_game(ctx, "", offered).values())


def _in_this_game(context: Any, path: str, offered: Mapping[str, T]) -> dict[str, T]:  # noqa: ANN401 - as above
    """Keep the words after a verb that the game in hand has; its store is opened if need be."""
    paths = {word: f"{path} {word}".strip() for word in offered}
    known = VERBS
    if not NEEDS.keys().isdisjoint(paths.values()):
        with suppress(Exception):
            known = verbs_of(_tournament(context))
    return {
        word: each
        for word, each in offered.items()
        if paths[word] in known or paths[word] not in VERBS
    }


def _everywhere() -> list[Any]:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(spread(everywhere))
    return list(typer.main.get_command(app).params)


def answer_shell() -> None:
    """Answer what a shell asks through the environment, and end."""
    typer.main.get_install_completion_arguments()  # makes the shells known to Typer
    tree = OfferingTree(name=PROGRAM, params=_everywhere(), add_help_option=False)
    _offer_values(tree)
    with redirect_stderr(StringIO()), _unless_it_waits():
        tree.main(args=[], prog_name=PROGRAM, complete_var=VARIABLE)


def set_up(line: list[str]) -> None:
    """Install or print the script that a shell needs: `--install-completion [SHELL]`.

    Raises:
        UsageError: the shell is not one that is known.
    """
    from cli.input.arguments import UsageError

    option, *named = line
    shells = ("bash", "zsh", "fish")
    if named and (named[0] not in shells or named[1:]):
        typed = " ".join(named)
        raise UsageError(
            tr(
                "{option} supports only {shells}, not {typed}",
                option=option,
                shells=", ".join(shells),
                typed=repr(typed),
            )
        )
    install, show = typer.main.get_install_completion_arguments()
    chosen = install if option == "--install-completion" else show
    tree = VerbTree(name=PROGRAM)
    with tree.make_context(PROGRAM, [], resilient_parsing=True) as context:
        context.resilient_parsing = False
        assert chosen.callback is not None  # noqa: S101 - it is what the option does
        chosen.callback(context, chosen, named[0] if named else True)


@contextmanager
def _unless_it_waits() -> Iterator[None]:
    """End the process, which offers nothing then, where it waits; a signal would wait with it."""
    is_done = Event()

    def watch() -> None:
        until = monotonic() + SECONDS_MAX
        worked, before = SECONDS_IDLE, process_time()
        while monotonic() < until and worked >= SECONDS_IDLE * SHARE_OF_WORK:
            if is_done.wait(SECONDS_IDLE):
                return
            worked, before = process_time() - before, process_time()
        os._exit(0)

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        is_done.set()


def _offer_values(command: Any) -> None:  # noqa: ANN401 - a command, or all
    acts = getattr(command, "acts", {})
    for place, param in enumerate(command.params):
        offers = _offers(param.metavar or "")
        more = acts if place == 0 and param.param_type_name == "argument" else {}
        vars(param)["shell_complete"] = _completing(offers, more)
        vars(param)["process_value"] = _as_typed  # what converts it takes long to import
    if acts and all(param.param_type_name != "argument" for param in command.params):
        vars(command)["shell_complete"] = _with_acts(command, acts)


def _as_typed(_: object, value: object) -> object:
    return value


def _completing(
    offers: Callable[[Any], Iterable[Offer]], acts: dict[str, str]
) -> Callable[[Any, str], list[Any]]:
    from typer.core import CompletionItem  # type: ignore[attr-defined] # what Typer's own parameters give

    def complete(context: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - typer's own type
        found = [*acts.items()] if not _words(context) else []
        try:
            found += offers(context)
        except Exception:  # noqa: BLE001 - whatever is wrong with the store, it offers nothing
            found += []
        typed = incomplete.casefold()
        return [
            CompletionItem(_escaped(word), help=text)
            for word, text in found
            if any(part.startswith(typed) for part in (word.casefold(), *word.casefold().split()))
        ]

    return complete


def _with_acts(command: Any, acts: dict[str, str]) -> Callable[[Any, str], list[Any]]:  # noqa: ANN401
    own = command.shell_complete
    offering = _completing(lambda _: (), acts)

    def complete(context: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - typer's own type
        return [*offering(context, incomplete), *own(context, incomplete)]

    return complete


def _words(context: Any) -> list[str]:  # noqa: ANN401 - typer's own type
    """The words behind the verb that are typed in full."""
    given = []
    for param in context.command.params:
        if param.param_type_name == "argument" and (value := context.params.get(param.name)):
            given += [value] if isinstance(value, str) else list(value)
    return given


def _escaped(word: str) -> str:
    """Return a word as bash takes it into the line; the other shells see to it themselves."""
    if os.environ.get(VARIABLE) != "complete_bash":
        return word
    return re.sub(r"([^\w#/@%+=:,.-])", r"\\\1", word)


def _offers(metavar: str) -> Callable[[Any], Iterable[Offer]]:
    """Choose by the name of a value in the help what is offered for it."""
    if choices := _CHOICES.fullmatch(metavar):
        return lambda _: ((each, "") for each in choices[1].split("|"))
    first = metavar.strip("[]").partition(" ")[0].rstrip("].")
    kinds = {
        "PLAYER": _players,
        "WINNER": _players,
        "TABLE": _tables_then_players,
        "RULING": _tables,
        "R/T": _tables,
        "R/T|PLAYER": _tables_then_players,
        "OFFICIAL": _officials,
        "TOURNAMENT": _tournaments,
        "ID|NAME": _tournaments,
        "KEY|FILE": _rulesets,
        "KEY": _rulesets,
        "CLAUSE": _clauses,
        "ID|WORD": _clauses,
        "TIER": lambda _: ((each, "") for each in ("relaxed", "formal", "premier")),
        "TYPE": lambda _: ((name, "") for name in ("store", "regional", "national", "other")),
        "ROLE": lambda _: (
            (each, "") for each in ("marshal", "judge", "co-organizer", "scorekeeper")
        ),
    }
    return kinds.get(first, lambda _: ())


def _desk(context: Any) -> Any:  # noqa: ANN401 - typer's own type
    from cli.desk.file_desk import desk_for
    from cli.input.arguments import Options

    before, behind = context.find_root().params, context.params
    fields = ("store", "log", "tournament")
    store, log, tournament = (behind.get(field) or before.get(field) or "" for field in fields)
    return desk_for(Options(store=store, tournament=tournament, log=log), [])


def _tournament(context: Any) -> Tournament:  # noqa: ANN401 - as above
    desk = _desk(context)
    desk.if_changed = "pass"
    tournament: Tournament = desk.book.tournament
    return tournament


def _players(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    for each in (tournament := _tournament(context)).registered():
        yield tournament.names.get(f"p{each.number}", ""), f"#{each.number} {each.faction}".strip()


def _officials(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    for each in (tournament := _tournament(context)).officials[1:]:
        yield (
            tournament.names.get(f"o{each.number}", ""),
            f"o{each.number} {', '.join(map(tr, each.roles))}",
        )


def _tables(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    from cli.input.find_people import short_name

    tournament = _tournament(context)
    for match in tournament.rounds[-1].matches if tournament.rounds else ():
        if not match.is_bye:
            names = " - ".join(short_name(tournament, player) for player in match.players)
            yield str(match.table), names


def _tables_then_players(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    words = _words(context)
    if not words:
        yield from _tables(context)
        return
    from cli.input.matches import find_match

    tournament = _tournament(context)
    for player in find_match(tournament, words[0]).players:
        yield tournament.names.get(f"p{player}", ""), f"#{player}"


def _tournaments(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    from cli.desk.in_hand import listed_tournaments

    for each in listed_tournaments(_desk(context).store()):
        yield each.name, f"{each.date} {each.ruleset}"


def _clauses(context: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    """Offer the clauses of the tournament in hand; without one, all."""
    from ledger.errors import LedgerError
    from ledger.rulesets.clauses import clauses_of, texts

    known = texts()
    with suppress(LedgerError):
        tournament = _tournament(context)
        if tournament.opening is not None:
            known = clauses_of(tournament.opening, tournament.ruleset)
    for clause in known.values():
        yield clause.id, clause.title


def _rulesets(_: Any) -> Iterator[Offer]:  # noqa: ANN401 - as above
    from ledger import rulesets

    yield from ((each, "") for each in rulesets.names())
