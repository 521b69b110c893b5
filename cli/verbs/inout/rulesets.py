"""`ruleset`: the rulesets there are, and checking one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.input.arguments import UsageError
from cli.input.belonging import refuse_others
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table, write_bytes
from cli.terminal.tables import Column

if TYPE_CHECKING:
    from ledger.events.opening import Document
    from ledger.rulesets import LoadedRuleset, Ruleset


def ruleset(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="list|show|check")] = "list",
    what: Annotated[str, typer.Argument(metavar="[KEY|FILE]")] = "",
    toml: Annotated[bool, typer.Option("--toml", help="Show the file itself.")] = False,
) -> None:
    """List the rulesets, show one, or check a file of your own.

    Shown in words with the clause of each, or as the file that your own can start from.

    tourney ruleset show l5r
    tourney ruleset show l5r --toml > house.toml
    tourney ruleset check house.toml
    """
    from ledger import rulesets

    json = desk_of(context).json
    refuse_others(context, act)
    if act == "list" and not what:
        _list([rulesets.load(key).ruleset for key in rulesets.names()], json=json)
    elif act == "show" and what:
        from cli.verbs.day.opening import ruleset_text

        _show(rulesets.load_text(ruleset_text(what)), json=json, toml=toml)
    elif act == "check" and what:
        found = own_ruleset(what)
        if json:
            show_json({"key": found.key, "edition": found.edition, "sha256": found.sha256})
        say(f"{what}: {found.key} edition {found.edition} can be used, sha256 {found.sha256[:16]}…")
    else:
        raise UsageError("ruleset list, ruleset show KEY, or ruleset check FILE")


def _list(known: list[Ruleset], *, json: bool) -> None:
    if json:
        show_json([{"key": one.key, "edition": one.edition, "name": one.name} for one in known])
        return
    columns = (Column("key"), Column("edition", right=True), Column("name", flexible=True))
    show_table(columns, [[one.key, one.edition, one.name] for one in known])


def _show(loaded: LoadedRuleset, *, json: bool, toml: bool) -> None:
    from cli.wording.ruleset_words import in_words

    rules, document = loaded.ruleset, loaded.document
    if json:
        show_json({"key": rules.key, "text": document.text})
    elif toml:
        write_bytes([document.text.encode()])
    else:
        show(rules.name, f"{rules.document}; edition {rules.edition} of this file", "")
        columns = (Column(""), Column("", flexible=True, wraps=True), Column("clause"))
        show_table(columns, [list(line) for line in in_words(rules)])


def own_ruleset(path: str) -> Document:
    """Load a ruleset of the user's own.

    Raises:
        NotFound: it can not be read.
        InvalidRuleset: every problem found, each with the file's name.
    """
    from ledger import rulesets
    from ledger.errors import InvalidRuleset

    try:
        return rulesets.load_file(Path(path)).document
    except InvalidRuleset as error:
        named = (each if path in each else f"{path}: {each}" for each in error.sentences)
        raise InvalidRuleset(*named) from None
