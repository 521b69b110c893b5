"""`ruleset`: the rulesets there are, and checking one of your own."""

from __future__ import annotations

from typing import Annotated

from cli.desk.session import Desk
from cli.input.file_names import InFile
from cli.input.given_files import own_ruleset, ruleset_text
from cli.input.options import flag, word
from cli.render.records import refuse_csv, show_records, show_value, shows_table
from cli.terminal.output import say, show, write_bytes
from cli.terminal.tables import Column, prose

Game = Annotated[InFile, word("KEY|FILE")]


@shows_table
def list_rulesets(desk: Desk) -> None:
    """List the rulesets."""
    from ledger import rulesets

    columns = (Column("key"), Column("edition", right=True), Column("name", flexible=True))
    known = [rulesets.load(key).ruleset for key in rulesets.names()]
    show_records(
        desk,
        columns,
        [{"key": each.key, "edition": each.edition, "name": each.name} for each in known],
    )


@shows_table
def show_ruleset(
    desk: Desk, game: Game, toml: Annotated[bool, flag("--toml", "Show the file itself.")] = False
) -> None:
    """Show a ruleset in words, with the clause of each line.

    Or as the file that your own can start from.

    tourney ruleset show l5r
    tourney ruleset show l5r --toml > house.toml
    """
    from cli.wording.ruleset_words import in_words
    from ledger import rulesets

    loaded = rulesets.load_text(ruleset_text(desk.files.named(game)))
    rules, document = loaded.ruleset, loaded.document
    if toml and not desk.json:
        refuse_csv(desk, "--toml")
        write_bytes([document.text.encode()])
        return
    if desk.options.for_person:
        show(rules.name, f"{rules.document}; edition {rules.edition} of this file", "")
    columns = (Column("", key="about"), prose("", key="rule"), Column("clause"))
    show_records(
        desk,
        columns,
        [dict(zip(("about", "rule", "clause"), line, strict=True)) for line in in_words(rules)],
        json=lambda: {
            "key": rules.key,
            "points_scale": rules.scoring.scale,
            "text": document.text,
        },
    )


def check_ruleset(desk: Desk, file: Annotated[InFile, word("FILE")]) -> None:
    """Check a ruleset of your own.

    tourney ruleset check house.toml
    """
    checked = own_ruleset(desk.files.named(file))
    value = {"key": checked.key, "edition": checked.edition, "sha256": checked.sha256}
    show_value(desk, value)
    say(
        f"{file}: {checked.key} edition {checked.edition} can be used, "
        f"sha256 {checked.sha256[:16]}…"
    )
