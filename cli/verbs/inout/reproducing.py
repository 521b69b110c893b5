"""`reproduce`: what another program published of a tournament, computed again from its rounds."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.desk.session import Desk
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import refuse_beside_log, refuse_other_kinds
from cli.input.options import (
    HeldOn,
    flag,
    option,
    word,
)
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from cli.wording.import_words import explanation_lines, number_text, oddity_line
from ledger.errors import Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.exchange.foreign import ForeignTournament
    from projections.published_tables import PublishedTable
    from projections.reproduction import Reproduction, Trial


@shows_table
def reproduce(
    desk: Desk,
    file: Annotated[InFile, word("FILE", "A file of another program, with its standings.")],
    ruleset: Annotated[
        InFile, option("KEY|FILE", "Rules to use instead of the file's own.")
    ] = NO_INPUT,
    date: HeldOn = "",
    everything: Annotated[bool, flag("--all", "Also show the numbers that follow.")] = False,
) -> None:
    """Check which published numbers follow from the published rounds.

    It answers whether another program computed its numbers correctly. For a log of tourney,
    `replay` computes the numbers and `verify` checks the log.

    It shows each published number that does not follow, with the number that does, and any single
    change of a setting that would explain all of them: a floor, the worth of a bye, no-shows as
    opponents, a cut. The exit code is 1 if a number does not follow. Nothing is imported.

        tourney reproduce cup.json
        tourney reproduce open.trf --ruleset fide --all
    """
    from cli.input.given_files import ruleset_text
    from cli.input.moments import checked_date
    from ledger.exchange import LOG, NRTM, Details, kind_of_file, read_published
    from projections.reproduction import SECONDS_MAX
    from projections.reproduction import reproduce as computed

    path = desk.files.reading(file)
    refuse_other_kinds(path, "reproduce")
    refuse_beside_log(path)
    kind = kind_of_file(path)
    if kind == LOG:
        raise Refused(phrase("{file} is a tourney log: use `replay` or `verify`", file=str(file)))
    if kind == NRTM and (ruleset or date):
        raise Refused(
            phrase(
                "{file} contains its ruleset and its date: omit --ruleset and --date",
                file=str(file),
            )
        )
    text = ruleset_text(desk.files.named(ruleset)) if ruleset else ""
    foreign = read_published(path, Details(text, "", checked_date(date) if date else ""))
    end = process_time() + SECONDS_MAX
    found = computed(foreign, is_over=lambda: process_time() > end)
    comparison = found.comparison
    figures = _figures(comparison, foreign.points_unit)
    shown = [figure for figure in figures if everything or not figure["agrees"]]
    columns = (
        Column(marked("where"), key="place", flexible=True),
        Column(marked("player"), key="name", flexible=True),
        Column(marked("number"), key="code"),
        Column(marked("published"), right=True, text=lambda each: each["written"]),
        Column(marked("follows"), right=True, text=lambda each: number_text(each["instead"])),
    )
    if show_records(desk, columns, shown, json=lambda: _as_json(foreign, found)) and not shown:
        say(tr("all published numbers follow from the rounds"))
    _say(foreign, found)
    if comparison.wrong:
        raise typer.Exit(1)


def _figures(comparison: PublishedTable, unit: int) -> Iterator[dict[str, Any]]:
    """Yield each number in points of the ruleset, and as the file has it: `written`, `instead`."""
    from projections.published_tables import POINTS

    for row in comparison.rows:
        for figure in row.figures:
            scale = unit if figure.code == POINTS else 1
            follows = None if figure.follows is None else figure.follows * scale
            yield {
                "place": row.place,
                "player": row.player,
                "name": row.name,
                "code": figure.code,
                "published": _scaled(figure.published, scale),
                "exact": None if follows is None else str(follows),
                "follows": None if follows is None else float(follows),
                "agrees": figure.agrees,
                "written": figure.published,
                "instead": None if figure.follows is None else str(figure.follows),
            }


def _scaled(text: str, scale: int) -> str:
    from projections.published_tables import fraction_of

    number = fraction_of(text) if scale != 1 else None
    if number is None:
        return text
    number *= scale
    return str(number) if number.denominator == 1 else f"{float(number):g}"


def _as_json(foreign: ForeignTournament, found: Reproduction) -> dict[str, object]:
    rules = found.tournament.ruleset
    return {
        "name": foreign.name,
        "date": foreign.date,
        "kind": foreign.source.kind,
        "ruleset": rules.key,
        "numbers": found.comparison.numbers,
        "wrong": found.comparison.wrong,
        "figures": list(_figures(found.comparison, foreign.points_unit)),
        "unknown": found.comparison.unknown,
        "explained": [_trial(each) for each in found.explained],
        "nearly": None if found.nearly is None else _trial(found.nearly),
        "oddities": found.oddities,
    }


def _trial(trial: Trial) -> dict[str, object]:
    about = {"setting": trial.setting, "value": trial.value, "left": trial.left}
    return about | {"reading": trial.names}


def _say(foreign: ForeignTournament, found: Reproduction) -> None:
    comparison, rules = found.comparison, found.tournament.ruleset
    numbers = how_many(comparison.numbers, "published number")
    follow = comparison.numbers - comparison.wrong
    say(
        tr(
            "{name}, {date}, under {key}: {follow} of {numbers} follow",
            name=foreign.name,
            date=foreign.date,
            key=rules.key,
            follow=follow,
            numbers=numbers,
        )
    )
    if not comparison.numbers:
        say(tr("the file contains no standings to compare"))
    if comparison.unknown:
        codes = ", ".join(comparison.unknown)
        say(
            tr(
                "not compared: {codes}, which the file publishes and {key} does not have",
                codes=codes,
                key=rules.key,
            )
        )
    for line in explanation_lines(found):
        say(line)
    for oddity in found.oddities:
        say(tr("check this: {oddity}", oddity=oddity_line(oddity, found.tournament)))
