"""`format`: the formats there are, what each asks, and holding a list to one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.input.arguments import UsageError
from cli.input.belonging import refuse_others
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table, write_bytes
from cli.terminal.tables import Column
from cli.verbs.day.opening import TIERS
from ledger.errors import InvalidRuleset, NotFound, Refused
from ledger.files.access import first_bytes

if TYPE_CHECKING:
    from ledger.events.base import Tier
    from ledger.formats import CardFile, Finding, LoadedFormat, PlayList, Shape

USAGE = "format list, format show KEY, or format check KEY LIST --cards FILE"


def format_verb(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="list|show|check")] = "list",
    what: Annotated[
        str, typer.Argument(metavar="[KEY|FILE]", help="As l5r, or ashes:drafted.")
    ] = "",
    file: Annotated[str, typer.Argument(metavar="[LIST]", help="A player's list.")] = "",
    cards: Annotated[str, typer.Option(metavar="FILE", help="The facts of the cards.")] = "",
    date: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The day of the event.")] = "",
    tier: Annotated[
        str, typer.Option(metavar="TIER", help="relaxed, formal or premier.")
    ] = "relaxed",
    toml: Annotated[bool, typer.Option("--toml", help="Show the file itself.")] = False,
) -> None:
    """List the formats, show one, or check a list.

    A check exits with 1 where a finding breaks the format; what lacks facts is "not checked".

    tourney format check l5r ann.txt --cards cards.csv --date 2018-11-03 --tier formal
    """
    json = desk_of(context).json
    refuse_others(context, act)
    if act == "list" and not what:
        _list(json=json)
    elif act == "show" and what and not file:
        _show(what, json=json, toml=toml)
    elif act == "check" and what and file and cards:
        code = _check(what, file, cards, _day_and_tier(date, tier), json=json)
        if code:
            raise typer.Exit(code)
    elif act == "check" and what and file:
        raise UsageError("format check needs the card file: --cards FILE")
    else:
        raise UsageError(USAGE)


def _list(*, json: bool) -> None:
    from ledger import formats

    known = [formats.load(key).format for key in formats.names()]
    if json:
        show_json(
            [
                {
                    "key": one.key,
                    "edition": one.edition,
                    "name": one.name,
                    "variants": [variant.name for variant in one.variants],
                }
                for one in known
            ]
        )
        return
    columns = (
        Column("key"),
        Column("edition", right=True, yields=1),
        Column("name", flexible=True, wraps=True),
        Column("variants", flexible=True, wraps=True),
    )
    show_table(
        columns,
        [
            [one.key, one.edition, one.name, ", ".join(each.name for each in one.variants)]
            for one in known
        ],
    )


def _show(what: str, *, json: bool, toml: bool) -> None:
    loaded = own_format(what)
    made = loaded.format
    if toml:
        write_bytes([loaded.document.text.encode()])
        return
    checks = [
        (clause, _procedure(check))
        for check in made.in_force(loaded.variant)
        for clause in check.clauses()
    ]
    rules = made.rules_of(loaded.variant)
    if json:
        show_json(
            {
                "key": made.key,
                "variant": loaded.variant,
                "edition": made.edition,
                "sha256": loaded.document.sha256,
                "checks": [{"clause": clause, "procedure": name} for clause, name in checks],
                "rules": [
                    {"name": r.name, "clause": r.clause, "by_agreement": r.by_agreement}
                    for r in rules
                ],
                "text": loaded.document.text,
            }
        )
        return
    variant = f", {loaded.variant}" if loaded.variant else ""
    show(f"{made.name}{variant}", f"{made.document}; edition {made.edition} of this file", "")
    clauses = dict.fromkeys(clause for clause, _ in checks)
    sections = [["section", section.name, section.meaning] for section in made.sections]
    facts = [
        ["column, required" if fact.required else "column", fact.name, fact.meaning]
        for fact in made.facts
    ]
    variants = [["variant", each.name, each.meaning] for each in made.variants]
    held = [
        ["check", clause, ", ".join(dict.fromkeys(name for c, name in checks if c == clause))]
        for clause in clauses
    ]
    in_force = [
        ["by agreement" if r.by_agreement else "in force", r.name, f"{r.meaning} ({r.clause})"]
        for r in rules
    ]
    readings = [["reading", r.name, f"{r.value}: {r.meaning} ({r.clause})"] for r in made.readings]
    columns = (Column(""), Column(""), Column("", flexible=True, wraps=True))
    show_table(columns, sections + facts + variants + held + in_force + readings)


def _procedure(check: object) -> str:
    return str(getattr(type(check), "__struct_config__").tag)  # noqa: B009 - untyped in msgspec


def _check(what: str, file: str, cards: str, day_and_tier: tuple[str, Tier], *, json: bool) -> int:
    from ledger import formats

    date, tier = day_and_tier
    loaded = own_format(what)
    listed = read_list_file(file, loaded.format.shape)
    known = read_card_file(cards, loaded)
    found = formats.findings(listed, loaded, known, date=date, tier=tier)
    told = formats.derived(listed, loaded, known, date=date, tier=tier)
    breaking = sum(finding.state == "breaks" for finding in found)
    if json:
        show_json(_answer(loaded, known, found, told))
    else:
        columns = (Column(""), Column("clause"), Column("", flexible=True, wraps=True))
        show_table(columns, [[each.state, each.clause, each.text] for each in found])
        show(*told)
    open_ = len(found) - breaking
    version = " ".join(filter(None, (known.name, known.version, known.date)))
    say(
        f"{loaded.document.key}, with {version} (sha256 {known.sha256[:16]}…): "
        f"{how_many(breaking, 'finding')} against it, {open_} not checked"
    )
    return 1 if breaking else 0


def _answer(
    loaded: LoadedFormat, known: CardFile, found: list[Finding], told: list[str]
) -> dict[str, object]:
    return {
        "format": loaded.document.key,
        "edition": loaded.document.edition,
        "sha256": loaded.document.sha256,
        "cards": {
            "name": known.name,
            "version": known.version,
            "date": known.date,
            "sha256": known.sha256,
        },
        "findings": found,
        "derived": told,
    }


def _day_and_tier(date: str, tier: str) -> tuple[str, Tier]:
    from cli.input.places import checked_date

    if tier not in TIERS:
        raise UsageError(f"--tier is {', '.join(TIERS[:-1])} or {TIERS[-1]}, not {tier!r}")
    known: Tier = "premier" if tier == "premier" else "formal" if tier == "formal" else "relaxed"
    return checked_date(date) if date else "", known


def own_format(key_or_file: str) -> LoadedFormat:
    """Load a format by its key or from a user's own file, with a variant after a colon.

    Raises:
        NotFound: there is none, or it has no such variant.
        InvalidRuleset: every problem found, each with the file's name.
    """
    from ledger import formats

    key, _, variant = key_or_file.rpartition(":")
    if not key or (not Path(key).exists() and key not in formats.names()):
        key, variant = key_or_file, ""
    if key in formats.names() or not (Path(key).suffix or Path(key).exists()):
        return formats.load(key_or_file)
    try:
        return formats.load_file(Path(key), variant)
    except InvalidRuleset as error:
        named = (each if key in each else f"{key}: {each}" for each in error.sentences)
        raise InvalidRuleset(*named) from None


def read_list_file(path: str, shape: Shape | None = None) -> PlayList:
    """Read a player's list; a format's shape says whose lines bear upgrades.

    Raises:
        NotFound: it can not be read.
        Refused: every problem of it, each with the file's name.
    """
    from ledger import formats

    try:
        return formats.read_list(_bytes_of(path, formats.LIST_BYTES_MAX), shape)
    except Refused as refused:
        raise Refused(*(f"{path}: {each}" for each in refused.sentences)) from None


def read_card_file(path: str, loaded: LoadedFormat) -> CardFile:
    """Read the facts of the cards.

    Raises:
        NotFound: the file can not be read.
        InvalidRuleset: every problem of it, each with its row and column.
    """
    from ledger import formats
    from ledger.formats.card_files import CARD_FILE_BYTES_MAX

    return formats.read_cards(_bytes_of(path, CARD_FILE_BYTES_MAX), loaded.format, path)


def _bytes_of(path: str, most: int) -> bytes:
    """A file's bytes, one more than the most that is taken, so that the reader refuses it."""
    try:
        return first_bytes(Path(path), most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotFound(f"{path} can not be read: {reason}") from None
