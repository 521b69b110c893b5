"""`ruleset`: the rulesets there are, and checking one of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.acts import desk_of
from cli.arguments import UsageError
from cli.diagnostics import say
from cli.output import show_json
from cli.output import show_table
from cli.output import write_bytes
from cli.tables import Column

if TYPE_CHECKING:
    from ledger.events.opening import Document
    from ledger.rulesets import Ruleset


def ruleset(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="list|show|check")] = "list",
    what: Annotated[str, typer.Argument(metavar="[KEY|FILE]")] = "",
) -> None:
    """List the rulesets, show one, or check a file of your own.

    tourney ruleset show l5r > house.toml
    tourney ruleset check house.toml
    """
    from ledger import rulesets

    json = desk_of(context).json
    if act == "list" and not what:
        _list([rulesets.load(key).ruleset for key in rulesets.names()], json=json)
    elif act == "show" and what:
        text = rulesets.text_of(what)
        if json:
            show_json({"key": what, "text": text})
        else:
            write_bytes([text.encode()])
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
        named = (each if path in each else f"{path}: {each}" for each in error.problems)
        raise InvalidRuleset(*named) from None
