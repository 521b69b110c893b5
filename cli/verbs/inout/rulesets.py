"""Documents of games: `ruleset`, `format` and `clause` list, show and check them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import (
    own_format,
    own_ruleset,
    read_card_file,
    read_written_list,
    ruleset_text,
    say_written,
    tier_named,
)
from cli.input.options import HeldOn, PassOver, flag, option, word
from cli.languages.speaking import marked, tr
from cli.render.records import refuse_csv, show_records, show_value, shows_table
from cli.terminal.output import say, show, write_bytes
from cli.terminal.problems import said
from cli.terminal.tables import Column, prose
from cli.terminal.visible import how_many
from ledger.errors import LedgerError, NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from ledger.facts.shared import TournamentOpened
    from ledger.formats import CardFile, LoadedFormat
    from ledger.rulesets import Ruleset
    from ledger.rulesets.clauses import Clause

Game = Annotated[InFile, word("KEY|FILE")]


@shows_table
def list_rulesets(desk: Desk) -> None:
    """List the rulesets."""
    from ledger import rulesets

    columns = (
        Column(marked("key")),
        Column(marked("edition"), right=True),
        Column(marked("name"), flexible=True),
    )
    installed = [rulesets.load(key).ruleset for key in rulesets.names()]
    show_records(
        desk,
        columns,
        [
            {"key": ruleset.key, "edition": ruleset.edition, "name": ruleset.name}
            for ruleset in installed
        ],
    )


@shows_table
def show_ruleset(
    desk: Desk, game: Game, toml: Annotated[bool, flag("--toml", "Show the TOML file.")] = False
) -> None:
    """Show a ruleset in words, with the clause of each line.

    With --toml, show the file, on which you can base your own.

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
        show(
            rules.name,
            tr(
                "{document}; edition {edition} of this file",
                document=rules.document,
                edition=rules.edition,
            ),
            "",
        )
    columns = (Column("", key="about"), prose("", key="rule"), Column(marked("clause")))
    show_records(
        desk,
        columns,
        (dict(zip(("about", "rule", "clause"), line, strict=True)) for line in in_words(rules)),
        json=lambda: {
            "key": rules.key,
            "points_scale": rules.scoring.scale,
            "text": document.text,
        },
    )


def check_ruleset(desk: Desk, file: Annotated[InFile, word("FILE")]) -> None:
    """Check your own ruleset file.

    tourney ruleset check house.toml
    """
    checked = own_ruleset(desk.files.named(file))
    value = {"key": checked.key, "edition": checked.edition, "sha256": checked.sha256}
    show_value(desk, value)
    say(
        tr(
            "{file}: {key} edition {edition} is valid, sha256 {sha256}…",
            file=file,
            key=checked.key,
            edition=checked.edition,
            sha256=checked.sha256[:16],
        )
    )


_TITLES = (Column(marked("clause"), key="id"), prose(marked("title")))
_TEXTS = (*_TITLES, prose(marked("asks")))


@shows_table
def look_up_clause(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[ID|WORD]", "A clause's ID, or words of its title or text.")
    ] = None,
) -> None:
    """Look up a clause of the regulations, or list them.

    For each clause: what it asks, in our own words, its document and section, who acts, and the
    verbs that carry it out. With a tournament in hand, its own clauses are listed, and come first.

    tourney clause FFG-MISSED
    tourney clause "missed opportunity"
    """
    from cli.render.clauses import clause_lines, clauses_as_json
    from ledger.rulesets import clauses

    opening, rules = _event_in_hand(desk)
    opened = clauses.clauses_of(opening, rules) if opening and rules else {}
    known = clauses.texts()
    typed = " ".join(words or ())
    if not typed:
        listed = list((opened or known).values())
    else:
        listed = clauses.looked_up(typed, opened.values())
        listed = listed or clauses.looked_up(typed, {**known, **_without_texts()}.values())
    if not listed:
        near = ", ".join(clauses.nearest(typed, {**known, **opened}))
        hint = (
            phrase("near it: {near}", near=near) if near else phrase("`clause` lists the clauses")
        )
        raise NotFound(phrase("no clause fits {typed}; {hint}", typed=f"{typed!r}", hint=hint))
    is_one = bool(typed) and len(listed) == 1
    if is_one and desk.options.for_person:
        show(*clause_lines(listed[0]))
        return
    is_overview = not typed and desk.options.for_person
    show_records(desk, _TITLES if is_overview else _TEXTS, clauses_as_json(listed))


def _event_in_hand(desk: Desk) -> tuple[TournamentOpened | None, Ruleset | None]:
    """Return the opening and the ruleset of the tournament in hand; nothing if there is none."""
    try:
        tournament = desk.book.tournament
    except (LedgerError, UsageError):
        return None, None
    return tournament.opening, tournament.rules


def _without_texts() -> dict[str, Clause]:
    """Return the clauses that only our own rulesets cite, which have no text."""
    from ledger import rulesets
    from ledger.rulesets.clauses import Clause, cited_in, texts

    cited = (label for key in rulesets.names() for label in cited_in(rulesets.text_of(key)))
    return {label: Clause(label) for label in cited if label not in texts()}


Key = Annotated[InFile, word("KEY|FILE", "A key, such as l5r or ashes:drafted, or a file.")]

_KINDS = (
    *(marked("by agreement"), marked("check"), marked("column"), marked("column, required")),
    *(marked("in force"), marked("reading"), marked("section"), marked("to be checked by hand")),
    marked("variant"),
)
"""Kinds of the lines of a format."""

_LINES = (
    Column("", key="kind", text=lambda line: tr(line["kind"])),
    Column("", key="name"),
    prose("", key="text"),
)
_FINDINGS = (
    Column("", key="state"),
    Column(marked("clause")),
    prose(
        "", key="text", value=lambda record: str(record.text), text=lambda record: said(record.text)
    ),
)


@shows_table
def list_formats(desk: Desk) -> None:
    """List the formats."""
    from ledger import formats

    columns = (
        Column(marked("key")),
        Column(marked("edition"), right=True, yields=1),
        prose(marked("name")),
        prose(marked("variants"), lambda record: ", ".join(record["variants"])),
    )
    installed = [formats.load(key).format for key in formats.names()]
    records = [
        {
            "key": card_format.key,
            "edition": card_format.edition,
            "name": card_format.name,
            "variants": [variant.name for variant in card_format.variants],
        }
        for card_format in installed
    ]
    show_records(desk, columns, records)


@shows_table
def show_format(
    desk: Desk, key: Key, toml: Annotated[bool, flag("--toml", "Show the TOML file.")] = False
) -> None:
    """Show what a format requires of a list."""
    loaded = own_format(desk.files.named(key))
    card_format = loaded.format
    if toml:
        refuse_csv(desk, "--toml")
        write_bytes([loaded.document.text.encode()])
        return
    if desk.options.for_person:
        variant = f", {loaded.variant}" if loaded.variant else ""
        show(
            f"{card_format.name}{variant}",
            tr(
                "{document}; edition {edition} of this file",
                document=card_format.document,
                edition=card_format.edition,
            ),
            "",
        )
    lines = (dict(zip(("kind", "name", "text"), line, strict=True)) for line in _lines(loaded))
    show_records(desk, _LINES, lines, json=lambda: _as_json(loaded))


def _checks(loaded: LoadedFormat) -> list[tuple[str, str]]:
    """List the clauses that are in force, each with the procedure that checks it."""
    return [
        (clause, str(getattr(type(check), "__struct_config__").tag))  # noqa: B009 - untyped
        for check in loaded.format.in_force(loaded.variant)
        for clause in check.clauses()
    ]


def _lines(loaded: LoadedFormat) -> Iterator[tuple[str, str, str]]:
    """Yield what a format says, from its sections to the readings of its document."""
    card_format, checks = loaded.format, _checks(loaded)
    for section in card_format.sections:
        yield "section", section.name, tr(section.meaning)
    for fact in card_format.facts:
        yield "column, required" if fact.required else "column", fact.name, tr(fact.meaning)
    for variant in card_format.variants:
        yield "variant", variant.name, tr(variant.meaning)
    for clause in dict.fromkeys(clause for clause, _ in checks):
        names = dict.fromkeys(name for of_clause, name in checks if of_clause == clause)
        yield "check", clause, ", ".join(names)
    for rule in card_format.rules_of(loaded.variant):
        kind = "by agreement" if rule.by_agreement else "in force"
        yield kind, tr(rule.name), f"{tr(rule.meaning)} ({rule.clause})"
    for each in card_format.left:
        yield "to be checked by hand", tr(each.name), f"{tr(each.meaning)} ({each.clause})"
    for reading in card_format.readings:
        said_in = f"{tr(reading.value)}: {tr(reading.meaning)}"
        yield "reading", tr(reading.name), f"{said_in} ({reading.clause})"


def _as_json(loaded: LoadedFormat) -> dict[str, object]:
    return {
        "key": loaded.format.key,
        "variant": loaded.variant,
        "edition": loaded.format.edition,
        "sha256": loaded.document.sha256,
        "checks": [{"clause": clause, "procedure": name} for clause, name in _checks(loaded)],
        "rules": [
            {"name": rule.name, "clause": rule.clause, "by_agreement": rule.by_agreement}
            for rule in loaded.format.rules_of(loaded.variant)
        ],
        "left": loaded.format.left,
        "text": loaded.document.text,
    }


@shows_table
def check_list(
    desk: Desk,
    key: Key,
    file: Annotated[InFile, word("LIST", "A player's list.")],
    cards: Annotated[InFile, option("FILE", "Required: the card file.")] = NO_INPUT,
    date: HeldOn = "",
    tier: Annotated[str, option("TIER", "One of relaxed, formal and premier.")] = "relaxed",
    pass_over: PassOver = False,
) -> None:
    """Check a player's list.

    The exit code is 1 if a finding breaks the format. Cards without the needed facts are listed as
    "not checked".

    tourney format check l5r ann.txt --cards cards.csv --date 2018-11-03 --tier formal
    """
    from ledger import formats

    if not cards:
        raise UsageError(tr("format check needs the card file: --cards FILE"))
    from cli.input.moments import checked_date

    day, of_tier = checked_date(date) if date else "", tier_named(tier)
    loaded = own_format(desk.files.named(key))
    card_file = read_card_file(desk.files.reading(cards), loaded, pass_over=pass_over)
    path = desk.files.reading(file)
    written, _ = read_written_list(path, loaded.format, card_file)
    listed = written.listed
    say_written(path, written)
    findings = [
        *written.findings(loaded.format.names_clause),
        *formats.findings(listed, loaded, card_file, date=day, tier=of_tier),
    ]
    derived = formats.derived(listed, loaded, card_file)
    if show_records(
        desk,
        _FINDINGS,
        findings,
        json=lambda: (
            _about(loaded, card_file)
            | {
                "findings": [each.as_json() for each in findings],
                "derived": list(map(str, derived)),
                "passed_over": [note.as_json() for note in written.notes],
            }
        ),
    ):
        show(*map(said, derived))
    breaking = sum(finding.state == "breaks" for finding in findings)
    _say_checked(loaded, card_file, breaking, len(findings) - breaking)
    if breaking:
        raise typer.Exit(1)


def _say_checked(loaded: LoadedFormat, card_file: CardFile, breaking: int, unchecked: int) -> None:
    text = tr(
        "{key}, with {version} (sha256 {sha256}…): {counted}, {unchecked} not checked",
        key=loaded.document.key,
        version=" ".join(filter(None, (card_file.name, card_file.version, card_file.date))),
        sha256=card_file.sha256[:16],
        counted=how_many(breaking, "problem"),
        unchecked=unchecked,
    )
    say(text)


def _about(loaded: LoadedFormat, card_file: CardFile) -> dict[str, object]:
    cards = {
        "name": card_file.name,
        "version": card_file.version,
        "date": card_file.date,
        "sha256": card_file.sha256,
    }
    document = loaded.document
    return {
        "format": document.key,
        "edition": document.edition,
        "sha256": document.sha256,
        "cards": cards,
    }
